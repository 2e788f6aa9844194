internal import BoxDump
internal import BoxEngine
internal import BoxModel
internal import CSQLite

/// The table of an entity while objects are inserted.
///
/// What is looked at for each value is plain memory, as in the writer of dumps.
final class SQLiteTable {
  /// A column without references.
  fileprivate struct Column {
    var kind: Kind
    var slot: Int
    /// The number of the parameter of the statement.
    var parameter: Int32
  }

  /// The way in which a value is bound.
  fileprivate enum Kind: Equatable {
    case id, relation, json, null
    case stored(SlotType)
    case zero, zeroNumber, maskedCharacter, maskedText, noBytes, noElements
    case hashed(SlotType)
  }

  private let entity: EntitySchema
  private let columns: [Column]
  private let names: [String]
  private let forms: [ColumnForm?]
  /// The key of the hashes; nil if no column has any.
  private let key: RedactionKey?
  private let statement: SQLiteStatement
  private let exact: SQLiteExactValues
  /// The arrays of an object.
  private var cells = RowCells(.json)

  /// Creates the inserter of the objects of an entity.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - name: Its name in the database.
  ///   - exact: The values that a column cannot hold.
  ///   - connection: The database.
  /// - Throws: ``SQLiteFailure``.
  init(
    _ table: DatabasePlan.Table, name: String, _ exact: SQLiteExactValues,
    _ connection: SQLiteConnection
  ) throws(SQLiteFailure) {
    entity = table.entity
    self.exact = exact
    names = table.columns.map(\.name)
    columns = table.columns.enumerated().map { position, column in
      Column(
        kind: Kind(column), slot: column.property?.slot ?? -1, parameter: Int32(position + 1))
    }
    forms = table.columns.map { column -> ColumnForm? in
      if case .json(let form) = column.content { form } else { nil }
    }
    key =
      table.columns.lazy.compactMap { column -> RedactionKey? in
        if case .hashed(let key) = column.content { key } else { nil }
      }.first
    let marks = Array(repeating: "?", count: table.columns.count).joined(separator: ",")
    statement = try SQLiteStatement("INSERT INTO \(name.sqlName) VALUES (\(marks))", connection)
  }

  /// Inserts an object.
  ///
  /// - Throws: ``DumpError`` if a value cannot be written, and ``SQLiteFailure``.
  func insert(_ id: UInt64, _ record: borrowing RecordView) throws {
    for column in columns { try bind(column, id, record) }
    do throws(SQLiteFailure) {
      try statement.insert()
    } catch {
      if error.cause != nil { throw error }
      throw DumpError("\(entity.name) \(id) cannot be exported: \(error.message)")
    }
  }

  @inline(__always)
  private func bind(_ column: Column, _ id: UInt64, _ record: borrowing RecordView) throws {
    let (slot, parameter) = (column.slot, column.parameter)
    if column.kind != .id, record.isNull(slot) { return statement.bindNull(parameter) }
    switch column.kind {
    case .id: statement.bind(Int64(bitPattern: id), parameter)
    case .stored(.bool): statement.bind(record.bool(slot) == true ? 1 : 0 as Int64, parameter)
    case .stored(.int8): statement.bind(Int64(record.int8(slot) ?? 0), parameter)
    case .stored(.uint8): statement.bind(Int64(record.uint8(slot) ?? 0), parameter)
    case .stored(.int16): statement.bind(Int64(record.int16(slot) ?? 0), parameter)
    case .stored(.uint16): statement.bind(Int64(record.uint16(slot) ?? 0), parameter)
    case .stored(.int32): statement.bind(Int64(record.int32(slot) ?? 0), parameter)
    case .stored(.uint32): statement.bind(Int64(record.uint32(slot) ?? 0), parameter)
    case .stored(.int64): statement.bind(record.int64(slot) ?? 0, parameter)
    case .stored(.uint64), .relation:
      let value = record.uint64(slot) ?? 0
      // Earlier versions stored 0 for no target.
      if value == 0, column.kind == .relation { return statement.bindNull(parameter) }
      if value > UInt64(Int64.max) { try addExact(column, id, value, digits: 16) }
      statement.bind(Int64(bitPattern: value), parameter)
    case .stored(.float):
      let value = record.float(slot) ?? 0
      if value.isChanged { try addExact(column, id, UInt64(value.bitPattern), digits: 8) }
      bind(Double(value), parameter)
    case .stored(.double):
      let value = record.double(slot) ?? 0
      if value.isChanged { try addExact(column, id, value.bitPattern, digits: 16) }
      bind(value, parameter)
    case .stored(.string): try bindText(column, id, record)
    default: try bindOther(column, id, record)
    }
  }

  /// SQLite takes NaN for null; so it does here, whatever its bits are.
  private func bind(_ value: Double, _ parameter: Int32) {
    if value.isNaN { statement.bindNull(parameter) } else { statement.bind(value, parameter) }
  }

  private func bindText(
    _ column: Column, _ id: UInt64, _ record: borrowing RecordView
  ) throws(DumpError) {
    let isValid = unsafe record.withUTF8(column.slot) { (text) -> Bool in
      let text = UnsafeRawBufferPointer(text)
      guard unsafe isUTF8(text) else { return false }
      // The transaction is open until the row is inserted.
      unsafe statement.bind(text: text, column.parameter)
      return true
    }
    if isValid == false {
      let name = names[Int(column.parameter) - 1]
      throw DumpError(
        "\(entity.name) \(id) cannot be exported: \(entity.name).\(name): it is not UTF-8")
    }
  }

  @inline(never)
  private func bindOther(
    _ column: Column, _ id: UInt64, _ record: borrowing RecordView
  ) throws(DumpError) {
    let (slot, parameter) = (column.slot, column.parameter)
    switch column.kind {
    case .stored(.bytes):
      _ = unsafe record.withBytes(slot) { unsafe statement.bind(bytes: $0, parameter) }
    case .stored(.floats):
      let values = record.vector(slot, of: Float.self) ?? []
      unsafe values.withUnsafeBytes { unsafe statement.bind(copied: $0, parameter) }
    case .json:
      guard let form = forms[Int(parameter) - 1] else { return }
      cells.clear()
      try cells.append(form, id, record)
      cells.endCell()
      unsafe statement.bind(copiedText: cells[0], parameter)
    case .zero: statement.bind(0 as Int64, parameter)
    case .zeroNumber: statement.bind(0 as Double, parameter)
    case .maskedCharacter: statement.bind(Int64(UInt8(ascii: "*")), parameter)
    case .maskedText: statement.bind("***", parameter)
    case .noBytes:
      unsafe statement.bind(bytes: UnsafeRawBufferPointer(start: nil, count: 0), parameter)
    case .noElements: statement.bind("[]", parameter)
    case .hashed(let type): bindHash(type, column, record)
    default: statement.bindNull(parameter)
    }
  }

  private func bindHash(_ type: SlotType, _ column: Column, _ record: borrowing RecordView) {
    guard let key else { return statement.bindNull(column.parameter) }
    let (slot, parameter) = (column.slot, column.parameter)
    switch type {
    case .string:
      let digest = unsafe record.withUTF8(slot) { unsafe key.hash(UnsafeRawBufferPointer($0)) }
      statement.bind((digest ?? []).map { $0.digits(2) }.joined(), parameter)
    case .bytes:
      let digest = unsafe record.withBytes(slot) { unsafe key.hash($0) } ?? []
      unsafe digest.withUnsafeBytes { unsafe statement.bind(copied: $0, parameter) }
    case .int64:
      let value = UInt64(bitPattern: record.int64(slot) ?? 0)
      statement.bind(Int64(bitPattern: key.hash(value)), parameter)
    default: statement.bind(Int64(bitPattern: key.hash(record.uint64(slot) ?? 0)), parameter)
    }
  }

  private func addExact(_ column: Column, _ id: UInt64, _ bits: UInt64, digits: Int) throws {
    try exact.insert(
      entity.name, id, names[Int(column.parameter) - 1], bits: bits.digits(digits))
  }
}

extension SQLiteTable.Kind {
  fileprivate init(_ column: DatabasePlan.Column) {
    guard let property = column.property else {
      self = .id
      return
    }
    switch column.content {
    case .id: self = .id
    case .json: self = .json
    case .redacted(.null, _): self = .null
    case .redacted(_, isText: true): self = .noElements
    case .redacted: self = Self(mask: property)
    case .hashed: self = .hashed(property.type)
    case .stored: self = property.target != nil ? .relation : .stored(property.type)
    }
  }

  private init(mask property: PropertySchema) {
    self =
      switch property.type {
      case .float, .double: .zeroNumber
      case .string: .maskedText
      case .bytes, .floats: .noBytes
      default: property.modelType.traits?.json == .character ? .maskedCharacter : .zero
      }
  }
}

extension BinaryFloatingPoint {
  /// Whether a column of SQLite does not bring the number back: NaN is null there, and -0.0 is 0.0.
  fileprivate var isChanged: Bool { isNaN || self == 0 && sign == .minus }
}

extension FixedWidthInteger {
  /// The number as hexadecimal digits, with zeros in front.
  fileprivate func digits(_ count: Int) -> String {
    let text = String(self, radix: 16)
    return String(repeating: "0", count: Swift.max(0, count - text.count)) + text
  }
}

/// The values that a column of SQLite cannot hold, in a table of their own.
final class SQLiteExactValues {
  static let name = "boxjoint_exact"
  private let statement: SQLiteStatement

  /// Creates the table.
  ///
  /// - Throws: ``SQLiteFailure``.
  init(_ connection: SQLiteConnection) throws(SQLiteFailure) {
    try connection.run(
      """
      CREATE TABLE \(Self.name) (entity TEXT NOT NULL, id INTEGER NOT NULL, property TEXT NOT NULL, \
      bits TEXT NOT NULL) STRICT
      """)
    statement = try SQLiteStatement("INSERT INTO \(Self.name) VALUES (?,?,?,?)", connection)
  }

  /// Inserts a value.
  ///
  /// - Throws: ``SQLiteFailure``.
  func insert(
    _ entity: String, _ id: UInt64, _ property: String, bits: String
  ) throws(SQLiteFailure) {
    statement.bind(entity, 1)
    statement.bind(Int64(bitPattern: id), 2)
    statement.bind(property, 3)
    statement.bind(bits, 4)
    try statement.insert()
  }
}
