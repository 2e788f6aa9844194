public import BoxModel

/// Sums and limits of the values of a column.
public struct ColumnSummary: Hashable, Sendable {
  /// A sum.
  public enum Sum: Hashable, Sendable {
    /// Of integers: exact.
    case integer(Int128)
    /// Of numbers, with the rounding errors added up beside it (Neumaier's sum).
    case number(Double)
  }

  /// The number of values that are not null.
  public var count = 0
  /// The sum; nil without values.
  public var sum: Sum?
  /// The least value, where NaN is above all other numbers; nil without values.
  ///
  /// Strings and bytes are in the order of their bytes.
  public var minimum: Value?
  /// The greatest value; nil without values.
  public var maximum: Value?
  /// The mean of numbers whose sum no number of 64 bits is; nil for others.
  fileprivate(set) var meanOfLarge: Double?

  /// The mean of the values; nil without values.
  public var average: Double? {
    switch sum {
    case .integer(let sum):
      // The quotient of two exact numbers is rounded once.
      if let exact = Double(exactly: sum) { return exact / Double(count) }
      // The whole part and the rest each fit into a number better than their sum.
      let (quotient, remainder) = sum.quotientAndRemainder(dividingBy: Int128(count))
      return Double(quotient) + Double(remainder) / Double(count)
    case .number(let sum): return meanOfLarge ?? sum / Double(count)
    case nil: return nil
    }
  }
}

/// Adds up the values of a column.
struct ColumnAccumulator {
  let column: QueryColumn
  private let isSigned: Bool
  private let isNumber: Bool
  /// Whether values are not in the table of a record: strings, bytes and vectors.
  private let isReference: Bool
  private var count = 0
  private var total: Int128 = 0
  private var (low, high): (UInt64, UInt64) = (.max, 0)
  private var (sum, error) = (0.0, 0.0)
  /// The factor of the values in the sum: 1 until the sum of finite values is too large for a number.
  private var scale = 1.0
  /// A factor with which the sum of as many values as a store can have is finite.
  private static let smallScale = 0x1p-70
  /// The numbers of the two keys, in which -0.0 is another than 0.0.
  private var (lowNumber, highNumber) = (0.0, 0.0)
  /// The limits of strings and bytes.
  private var (lowBytes, highBytes): ([UInt8], [UInt8]) = ([], [])

  /// Whether a column has numbers that can be added up.
  static func supports(_ column: QueryColumn) -> Bool { column.field.type.elementWidth == 0 }

  init(_ column: QueryColumn) {
    self.column = column
    isReference = !Self.supports(column)
    let domain = isReference ? nil : column.traits.domain
    isSigned = domain == .signed && !column.takesBitsAsUnsigned
    isNumber = domain == .number
  }

  /// Adds the value of a record of the entity at the end of the column's path.
  @inline(__always)
  mutating func accumulate(_ id: UInt64, _ record: borrowing RecordView) {
    let (slot, type) = (column.field.slot, column.field.type)
    if slot >= 0, record.isNull(slot) { return }
    if isReference {
      accumulateReference(slot, record)
    } else if isNumber {
      accumulate(number: record.number(slot, type))
    } else if isSigned {
      accumulate(signed: record.signedBits(slot, type))
    } else if column.takesBitsAsUnsigned {
      accumulate(unsigned: column.unsignedBits(of: record.signedBits(slot, type)))
    } else {
      accumulate(unsigned: slot < 0 ? id : record.unsignedBits(slot, type))
    }
  }

  /// Adds a string or bytes; of a vector it only records that there is one.
  private mutating func accumulateReference(_ slot: Int, _ record: borrowing RecordView) {
    count += 1
    if column.isVector { return }
    let bytes = record.copiedElements(slot)
    if count == 1 || bytes.lexicographicallyPrecedes(lowBytes) { lowBytes = bytes }
    if count == 1 || highBytes.lexicographicallyPrecedes(bytes) { highBytes = bytes }
  }

  /// Adds a value of the type of the column; others, and null, are left out.
  mutating func accumulate(_ value: Value) {
    switch value {
    case .float(let value): accumulate(number: Double(value))
    case .double(let value): accumulate(number: value)
    case .integer(let value) where column.takesBitsAsUnsigned:
      accumulate(unsigned: column.unsignedBits(of: value))
    case .integer(let value): accumulate(signed: value)
    case .unsigned(let value): accumulate(unsigned: value)
    case .bool(let value): accumulate(unsigned: value ? 1 : 0)
    default: break
    }
  }

  /// Whether ``add(_:)`` gives what the values one by one give: the sum of numbers depends on their order.
  var canBeAdded: Bool { !isNumber && !isReference }

  /// Adds all values that another one of the column has.
  mutating func add(_ other: ColumnAccumulator) {
    count += other.count
    total += other.total
    low = min(low, other.low)
    high = max(high, other.high)
  }

  @inline(__always)
  private mutating func accumulate(number value: Double) {
    add(value)
    let key = OrderedKey.of(value)
    if count == 0 || key < low { lowNumber = value }
    if count == 0 || key > high { highNumber = value }
    accumulate(key)
  }

  @inline(__always)
  private mutating func accumulate(signed value: Int64) {
    total += Int128(value)
    accumulate(OrderedKey.of(value))
  }

  @inline(__always)
  private mutating func accumulate(unsigned value: UInt64) {
    total += Int128(value)
    accumulate(value)
  }

  @inline(__always)
  private mutating func accumulate(_ key: UInt64) {
    count += 1
    if key < low { low = key }
    if key > high { high = key }
  }

  /// Neumaier's sum: what rounding takes from the sum is added up beside it.
  @inline(__always)
  private mutating func add(_ number: Double) {
    var value = number * scale
    var next = sum + value
    if !next.isFinite, scale == 1, sum.isFinite, value.isFinite {
      (scale, sum, error) = (Self.smallScale, sum * Self.smallScale, error * Self.smallScale)
      value = number * scale
      next = sum + value
    }
    if sum.magnitude >= value.magnitude {
      error += (sum - next) + value
    } else {
      error += (value - next) + sum
    }
    sum = next
  }

  /// The result.
  var summary: ColumnSummary {
    var summary = ColumnSummary(count: count)
    if count == 0 { return summary }
    if isReference {
      if column.isVector { return summary }
      summary.minimum = column.value(of: .bytes(lowBytes))
      summary.maximum = column.value(of: .bytes(highBytes))
      return summary
    }
    if isNumber {
      // Beside an infinity the errors are NaN.
      let total = sum.isFinite ? sum + error : sum.isNaN ? .nan : sum
      summary.sum = .number(total / scale)
      if scale != 1 { summary.meanOfLarge = total / Double(count) / scale }
    } else {
      summary.sum = .integer(total)
    }
    summary.minimum = value(low, lowNumber)
    summary.maximum = value(high, highNumber)
    return summary
  }

  /// The value of a key.
  private func value(_ key: UInt64, _ number: Double) -> Value {
    switch column.traits.form {
    case .bool: .bool(key != 0)
    case .float: .float(Float(number))
    case .double: .double(number)
    default: isSigned ? .integer(OrderedKey.integer(key)) : .unsigned(key)
    }
  }
}

/// The objects of a query that have one value in a column.
public struct QueryGroup: Hashable, Sendable {
  /// The value; null for the objects without one.
  public var value: Value
  /// The number of objects.
  public var count: Int
  /// The summaries of the columns that were asked for.
  public var summaries: [ColumnSummary]
}
