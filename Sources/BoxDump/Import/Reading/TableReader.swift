internal import BoxConvert
internal import BoxEngine
internal import BoxJSON
internal import BoxReport

/// Reads the records of a file of delimited text as objects of an entity.
final class TableReader {
  let plan: EntityPlan
  let columns: DelimitedColumns
  /// Has the fields of the plan first, then the fields of to-many relations.
  let scanner: ObjectScanner
  /// The to-many relations that the file has, with the number of their field.
  let relations: [(field: Int, plan: RelationPlan)]
  private let targets: FixedMemory<Target>
  private let null: FixedMemory<UInt8>
  private let keepsNull: Bool
  /// The columns that are ignored.
  private let ignored: [String]
  /// The records that were read since the counts were handed out.
  @safe @exclusivity(unchecked) private var count = 0

  /// The destination of a column.
  private struct Target {
    /// The number of the field; -1 for a column to skip.
    var field: Int
    var form: ImportField.Form
  }

  /// Finds the properties and relations of the columns of a file.
  ///
  /// - Throws: ``DumpError`` for a column that is neither, unless it is to be skipped.
  init(
    _ plan: EntityPlan, _ importPlan: ImportPlan, _ columns: DelimitedColumns, _ file: String,
    ignoresUnknown: Bool
  ) throws(DumpError) {
    self.plan = plan
    self.columns = columns
    var fields = plan.fields
    var relations: [(field: Int, plan: RelationPlan)] = []
    var targets: [Target] = []
    for (number, name) in columns.names.enumerated() {
      if let field = plan.fields.firstIndex(where: { $0.key.hasSameBytes(as: name) }) {
        targets.append(Target(field: field, form: fields[field].form))
      } else if let relation = importPlan.relations[ExactText("\(plan.name).\(name)")] {
        relations.append((fields.count, relation))
        targets.append(Target(field: fields.count, form: .uint64s))
        fields.append(.relation(name))
      } else if plan.mapping != nil || ignoresUnknown || (name.isEmpty && columns.header.isEmpty) {
        targets.append(Target(field: -1, form: .skipped))
      } else {
        throw Self.unknown(name, number, columns, fields.map(\.key), plan, file)
      }
    }
    self.relations = relations
    scanner = ObjectScanner(fields, ignoresUnknown: ignoresUnknown)
    self.targets = FixedMemory(targets)
    keepsNull = columns.format.keepsNull
    ignored = zip(columns.names, targets).compactMap { name, target in
      target.field < 0 && !name.isEmpty && plan.mapping == nil ? name : nil
    }
    null = FixedMemory(columns.format.null)
  }

  private static func unknown(
    _ name: String, _ number: Int, _ columns: DelimitedColumns, _ known: [String],
    _ plan: EntityPlan, _ file: String
  ) -> DumpError {
    let position = columns.positions.indices.contains(number) ? columns.positions[number] : nil
    let entity = plan.entity.name
    if let renamed = columns.renamed.first(where: { $0.name.hasSameBytes(as: name) }) {
      let reason =
        renamed.written.isEmpty
        ? "column \(number + 1) has no name; name it in the first line"
        : "the column \(renamed.written.quotedForDisplay) occurs twice; rename the second"
      return DumpError(reason, path: file, position: position, remedy: .ignoreUnknown)
    }
    let advice =
      nearestName(to: name, among: known).map { "did you mean \($0)?" }
      ?? "\(entity) has \(known.joined(separator: ", "))"
    return DumpError(
      "there is no property or relation \(name.quotedForDisplay) for the column; \(advice)",
      path: file, position: position,
      remedy: columns.format.header == .first || columns.format.columns != nil ? nil : .nameColumns)
  }

  /// Reads the fields of a record.
  ///
  /// - Throws: ``ScanFailure`` for the first value that does not fit its property.
  /// - Complexity: O(*n*) in the size of the record.
  @inline(__always)
  func scan(_ record: DelimitedRecord, _ text: InputText) throws(ScanFailure) {
    count += 1
    scanner.begin(text.base, at: text.start)
    for column in 0..<record.count {
      let target = targets[column]
      if target.field < 0 { continue }
      try scanner.read(record.fields[column], as: target.form, into: target.field, null: null)
      if keepsNull, scanner.values[target.field].state == .null {
        scanner.values[target.field].state = .absent
      }
    }
  }

  /// Hands out the numbers of records with each column that is ignored; the counts begin again.
  func takeIgnored() -> [ExactText: Int] {
    defer { count = 0 }
    if count == 0 { return [:] }
    return Dictionary(ignored.map { (ExactText($0), count) }) { first, _ in first }
  }

  // MARK: - Mappings

  /// A record as an object of strings, for a mapping.
  ///
  /// - Throws: ``ScanFailure`` for a field that is not UTF-8.
  func json(_ record: DelimitedRecord, _ text: InputText) throws(ScanFailure) -> JSONValue {
    var members: [JSONValue.Member] = []
    for (column, name) in columns.names.enumerated() where !name.isEmpty {
      let field = record.fields[column]
      let bytes = field.bytes(in: text.base)
      if !field.isQuoted, bytes == columns.format.null {
        if !keepsNull { members.append(.init(name, .null)) }
      } else if let string = String(validating: bytes, as: UTF8.self) {
        members.append(.init(name, .string(string)))
      } else {
        throw ScanFailure(
          index: field.start, expected: "the field is not valid UTF-8", isMessage: true)
      }
    }
    return .object(members)
  }
}
