internal import BoxConvert
internal import BoxEngine
internal import BoxJSON

/// Objects made of records of delimited text.
extension ImportReader {
  /// Reads a record.
  func record(_ reader: TableReader, _ elements: DumpElements) throws {
    guard let record = elements.record else { return }
    let (text, range, plan, scanner) = (elements.text, elements.range, reader.plan, reader.scanner)
    do {
      if let mapping = plan.mapping {
        try addMapped(reader, mapping, record, text, range)
        return
      }
      try reader.scan(record, text)
      if plan.hasConverters { try convert(plan, scanner) }
      let entries = try entries(
        reader.relations, plan, scanner, text, range, isLine: false)
      try add(plan, scanner, text, range, isLine: false)
      ownLinks += entries
    } catch let failure as ScanFailure {
      try issue(failure, scanner, plan.name, text, range, isLine: false)
    }
  }

  /// The targets that an object has in to-many relations, under its id.
  func entries(
    _ relations: [RelationField], _ owner: EntityPlan, _ scanner: ObjectScanner, _ text: InputText,
    _ range: Range<Int>, isLine: Bool
  ) throws(ScanFailure) -> [ImportLinks] {
    if relations.isEmpty { return [] }
    var entries: [ImportLinks] = []
    for (field, plan) in relations where scanner.values[field].state == .side {
      let bytes = unsafe scanner.bytes(of: scanner.values[field])
      if unsafe bytes.isEmpty && options.mode != .replace { continue }
      guard let id = owner.idField, scanner.values[id].state == .scalar else {
        throw ScanFailure(
          index: scanner.values[field].place,
          expected: "a relation to many needs the id of its object", field: field,
          isMessage: true)
      }
      let targets = (0..<bytes.count / 8).map {
        unsafe bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self)
      }
      entries.append(
        ImportLinks(
          plan: plan, source: scanner.values[id].bits, targets: targets,
          place: ElementLine(file: file, line: text.line),
          element: options.skipsErrors
            ? rejected(owner.name, text, range, isLine: isLine) : nil))
    }
    return entries
  }

  // MARK: - Mappings

  /// Adds the object that a mapping makes of a record.
  private func addMapped(
    _ reader: TableReader, _ mapping: EntityMapping, _ record: DelimitedRecord,
    _ text: InputText, _ range: Range<Int>
  ) throws {
    let (plan, scanner) = (reader.plan, reader.scanner)
    let json = try reader.json(record, text)
    let mapped: MappedObject
    do throws(MappingError) {
      mapped = try mapping.map(json)
    } catch {
      throw ScanFailure(index: range.lowerBound, expected: "\(error)", isMessage: true)
    }
    let fields = MappedFields(try known(mapped, mapping, plan, range), plan)
    try PaddedBytes.withPadding(fields.text) { bytes in
      do {
        try fields.scan(bytes, scanner)
        if plan.hasConverters { try convert(plan, scanner) }
        let relations = try relations(mapped.links, plan, text, range)
        try add(
          plan, scanner, text, range, isLine: false, links: relations.links,
          nested: relations.nested)
      } catch let failure as ScanFailure {
        throw inElement(failure, scanner, mapped, range)
      }
    }
  }
}

/// The values of a mapped object as fields of delimited text.
private struct MappedFields {
  /// The text of all fields.
  private(set) var text: [UInt8] = []
  private var fields: [(number: Int, form: ImportField.Form, part: DelimitedRecord.Field?)] = []

  init(_ values: [MappedObject.PropertyValue], _ plan: EntityPlan) {
    for value in values {
      guard let number = plan.fields.firstIndex(where: { $0.key.hasSameBytes(as: value.property) })
      else {
        continue
      }
      let form = plan.fields[number].form
      if value.json == .null {
        fields.append((number, form, nil))
        continue
      }
      let isString = value.json.isString
      let bytes = Array((value.json.stringValue ?? value.json.text(indent: 0)).utf8)
      fields.append(
        (
          number, form,
          DelimitedRecord.Field(start: text.count, count: bytes.count, isQuoted: isString)
        ))
      // A line feed ends a number.
      text += bytes + [10]
    }
  }

  func scan(_ base: PaddedBytes, _ scanner: ObjectScanner) throws(ScanFailure) {
    scanner.begin(base, at: 0)
    let null = FixedMemory<UInt8>([])
    for (number, form, part) in fields {
      if let part {
        try scanner.read(part, as: form, into: number, null: null)
      } else {
        scanner.values[number].state = .null
      }
    }
  }
}

extension JSONValue {
  fileprivate var stringValue: String? {
    if case .string(let text) = self { text } else { nil }
  }

  fileprivate var isString: Bool { stringValue != nil }
}
