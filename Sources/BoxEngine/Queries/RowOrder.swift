internal import BoxModel

/// An order of rows by their values, which is the one of objects by the values of their properties.
package struct RowOrder: Sendable {
  private let rules: [SortRule]

  /// Creates the order of several orders, the first one first; names are not looked at.
  package init(_ orders: [QueryOrder]) { rules = orders.map { SortRule($0) } }

  /// The rows in the order; those that it leaves open stay in theirs.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - values: The values of a row, one for each order; vectors count as null.
  /// - Returns: The rows.
  /// - Complexity: O(*n* log *n*); takes memory for the values.
  package func sorted<Row>(_ rows: [Row], by values: (Row) -> [RowValue]) -> [Row] {
    if rules.isEmpty { return rows }
    let keys = rows.enumerated().map { number, row in
      var key = SortKey(id: UInt64(number))
      for (value, rule) in zip(values(row), rules) { key.append(value, rule) }
      return key
    }
    return keys.sorted { $0 < $1 }.map { rows[Int($0.id)] }
  }
}

extension SortKey {
  fileprivate mutating func append(_ value: RowValue, _ rule: SortRule) {
    switch value {
    case .sum(let sum): append(sum, rule)
    case .value(.bool(let value)): append(value ? 1 : 0 as Int128, rule)
    case .value(.integer(let value)): append(Int128(value), rule)
    case .value(.unsigned(let value)): append(Int128(value), rule)
    case .value(.float(let value)): append(Double(value), rule)
    case .value(.double(let value)): append(value, rule)
    case .value(.string(let value)): append(Array(value.utf8), rule)
    case .value(.bytes(let value)): append(value, rule)
    case .value: if !appendNull(rule) { append(0 as Int128, rule) }
    }
  }

  /// Appends a number in as many bytes as an integer has, so that null is the zero of both.
  private mutating func append(_ number: Double, _ rule: SortRule) {
    let key = OrderedKey.of(number) ^ 1 << 63
    append(Int128(Int64(bitPattern: key)) << 64, rule)
  }

  private mutating func append(_ bytes: [UInt8], _ rule: SortRule) {
    let bytes = rule.ignoresCase ? CaseFolding.fold(bytes) : bytes
    unsafe bytes.withUnsafeBufferPointer { unsafe append($0, rule) }
  }
}
