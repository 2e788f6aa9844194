internal import BoxModel
internal import BoxStorage

extension Transaction {
  /// The summaries of columns of the objects that a query finds.
  ///
  /// - Parameters:
  ///   - query: The query; its order does not matter.
  ///   - columns: The columns, of integers, booleans, dates or numbers.
  /// - Returns: The number of objects, and a summary for each column.
  /// - Throws: As ``visit(_:offset:limit:_:)-(PreparedQuery,_,_,_)``, and
  ///   ``StoreError/notNumeric(entity:property:)`` for a column of anything else.
  /// - Complexity: As there; no objects are built.
  public func summarize(
    _ query: PreparedQuery, _ columns: [QueryColumn]
  ) throws(StoreError) -> (count: Int, summaries: [ColumnSummary]) {
    try requireNumeric(columns)
    let run = try QueryRun(query, in: self)
    var accumulators = columns.map { ColumnAccumulator($0) }
    var count = 0
    try StoreError.only {
      try run.visitMatches(try run.choose()) { id, record in
        count += 1
        for index in accumulators.indices {
          if accumulators[index].column.steps.isEmpty {
            accumulators[index].accumulate(id, record)
          } else {
            try accumulators[index].column.visitEnds(id, record, self, run.storage) {
              accumulators[index].accumulate($0, $1)
            }
          }
        }
        return .next
      }
    }
    return (count, accumulators.map(\.summary))
  }

  /// The groups of the objects that a query finds by the values of a column, in the order in which the
  /// values are met.
  ///
  /// An object is in one group for each of its values: for each element of a vector and each target of a
  /// to-many relation, but once where they are equal. Objects without any value are in the group of null.
  /// Numbers are equal as in a condition; strings are by their bytes.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - column: The column to group by.
  ///   - columns: The columns to summarize for each group.
  /// - Returns: The groups.
  /// - Throws: As ``summarize(_:_:)``.
  /// - Complexity: As ``visit(_:offset:limit:_:)-(PreparedQuery,_,_,_)``; takes memory for each group.
  public func groups(
    _ query: PreparedQuery, by column: QueryColumn, _ columns: [QueryColumn] = []
  ) throws(StoreError) -> [QueryGroup] {
    try requireNumeric(columns)
    let storage = try reading()
    var groups = GroupTable<GroupKey>(columns)
    var keys: [GroupKey] = []
    try StoreError.only {
      try visit(query) { id, record in
        keys.removeAll(keepingCapacity: true)
        try column.visitEnds(id, record, self, storage) { column.appendKeys($0, $1, to: &keys) }
        if keys.isEmpty { keys.append(.null) }
        let positions = groups.positions(of: keys)
        for index in columns.indices {
          // Each end is read once, and not once for each group of the object.
          var ends = ColumnAccumulator(columns[index])
          let isAdded = positions.count > 1 && ends.canBeAdded
          try columns[index].visitEnds(id, record, self, storage) { id, record in
            if isAdded { return ends.accumulate(id, record) }
            for group in positions { groups.accumulators[group][index].accumulate(id, record) }
          }
          if isAdded { for group in positions { groups.accumulators[group][index].add(ends) } }
        }
        return .next
      }
    }
    return groups.groups(column)
  }

  func requireNumeric(_ columns: [QueryColumn]) throws(StoreError) {
    for column in columns where !ColumnAccumulator.supports(column) {
      throw StoreError.notNumeric(entity: column.entity.name, property: column.property.name)
    }
  }
}

/// A value that identifies a group.
enum GroupKey: Hashable {
  case null
  /// An integer, a boolean, or the bits of the key of a number.
  case bits(UInt64)
  case bytes([UInt8])
}

/// The groups that were met, by their keys.
struct GroupTable<Key: Hashable> {
  private var positions: [Key: Int] = [:]
  /// The keys in the order in which they were met.
  private(set) var keys: [Key] = []
  private(set) var counts: [Int] = []
  var accumulators: [[ColumnAccumulator]] = []
  private let columns: [QueryColumn]

  init(_ columns: [QueryColumn]) { self.columns = columns }

  /// The positions of the groups that one more object is in, each once.
  mutating func positions(of keys: [Key]) -> [Int] {
    if keys.count == 1 { return [position(of: keys[0])] }
    var (seen, found): (Set<Key>, [Int]) = ([], [])
    for key in keys where seen.insert(key).inserted { found.append(position(of: key)) }
    return found
  }

  /// The position of a group that one more object is in.
  mutating func position(of key: Key) -> Int {
    if let position = positions[key] {
      counts[position] += 1
      return position
    }
    positions[key] = keys.count
    keys.append(key)
    counts.append(1)
    accumulators.append(columns.map { ColumnAccumulator($0) })
    return keys.count - 1
  }
}

extension GroupTable where Key == GroupKey {
  fileprivate func groups(_ column: QueryColumn) -> [QueryGroup] {
    keys.indices.map { position in
      QueryGroup(
        value: column.value(of: keys[position]), count: counts[position],
        summaries: accumulators[position].map(\.summary))
    }
  }
}

extension QueryColumn {
  /// Appends the keys of the values in a record of the entity at the end: of a vector, of its elements.
  func appendKeys(_ id: UInt64, _ record: borrowing RecordView, to keys: inout [GroupKey]) {
    let (slot, type) = (field.slot, field.type)
    if slot < 0 { return keys.append(.bits(id)) }
    if record.isNull(slot) { return }
    if traits.isVector { return record.value(slot, type).appendElementKeys(to: &keys) }
    switch traits.domain {
    case .string, .bytes: keys.append(.bytes(record.copiedElements(slot)))
    case .signed: keys.append(.bits(UInt64(bitPattern: record.signedBits(slot, type))))
    case .number: keys.append(.bits(OrderedKey.of(record.number(slot, type))))
    case .unsigned: keys.append(.bits(record.unsignedBits(slot, type)))
    }
  }

  /// The value of a key: of an element of a vector.
  func value(of key: GroupKey) -> Value {
    switch key {
    case .null: return .null
    case .bytes(let bytes):
      return traits.form == .bytes ? .bytes(bytes) : .string(String(decoding: bytes, as: UTF8.self))
    case .bits(let bits):
      switch traits.form {
      case .bool: return .bool(bits != 0)
      case .float: return .float(Float(OrderedKey.number(bits)))
      case .double: return .double(OrderedKey.number(bits))
      default:
        guard traits.domain == .signed else { return .unsigned(bits) }
        let number = Int64(bitPattern: bits)
        return takesBitsAsUnsigned ? .unsigned(unsignedBits(of: number)) : .integer(number)
      }
    }
  }
}

extension Value {
  fileprivate func appendElementKeys(to keys: inout [GroupKey]) {
    switch self {
    case .bools(let elements): keys += elements.map { .bits($0 ? 1 : 0) }
    case .integers(let elements): keys += elements.map { .bits(UInt64(bitPattern: $0)) }
    case .unsignedIntegers(let elements): keys += elements.map { .bits($0) }
    case .floats(let elements): keys += elements.map { .bits(OrderedKey.of(Double($0))) }
    case .doubles(let elements): keys += elements.map { .bits(OrderedKey.of($0)) }
    case .strings(let elements): keys += elements.map { .bytes(Array($0.utf8)) }
    default: break
    }
  }
}
