internal import BoxConvert
internal import BoxEngine
internal import BoxJSON
internal import BoxModel

/// Writes objects of an entity as JSON.
///
/// What is looked at for each value of each object is plain memory: counting references of forms
/// and names took a third of an export.
final class ObjectWriter: Sendable {
  /// A property to write.
  struct Field: Sendable {
    var name: String
    var slot: Int
    var type: SlotType
    var form: WrittenForm
    /// Whether it is a to-one relation, in which 0 means no target.
    var isRelation = false
  }

  /// The part of a field that is enough for most values.
  private struct PlainField {
    /// The name in quotes with a colon, and the text before it, in ``prefixes``.
    var (prefixStart, prefixEnd): (Int, Int)
    var slot: Int
    var kind: Kind
    /// The position in ``fields``.
    var position: Int
  }

  /// The forms that are written without looking at anything else.
  private enum Kind: UInt8 {
    case id, bool, int8, uint8, int16, uint16, int32, uint32, int64, quotedInt64, uint64
    case quotedUInt64, float, double, string, relation, quotedRelation
    /// A form that may write something other than null for null.
    case converted
    case other

    init(_ field: Field) {
      self =
        switch field.form {
        case .uint64(let quoted) where field.isRelation: quoted ? .quotedRelation : .relation
        case .id: .id
        case .bool: .bool
        case .int8: .int8
        case .uint8: .uint8
        case .int16: .int16
        case .uint16: .uint16
        case .int32: .int32
        case .uint32: .uint32
        case .int64(let quoted): quoted ? .quotedInt64 : .int64
        case .uint64(let quoted): quoted ? .quotedUInt64 : .uint64
        case .float: .float
        case .double: .double
        case .string: .string
        case .converted: .converted
        default: .other
        }
    }
  }

  private let fields: [Field]
  /// The number of properties.
  var count: Int { fields.count }
  /// The names of the properties.
  var names: [String] { fields.map(\.name) }
  /// Whether a converter shows each of the properties.
  var areConverted: [Bool] { fields.map { if case .converted = $0.form { true } else { false } } }
  // Nothing is written to them after the initializer.
  private nonisolated(unsafe) let plainFields: FixedMemory<PlainField>
  private nonisolated(unsafe) let prefixes: FixedMemory<UInt8>
  private let quotesIDs: Bool

  /// The reason why an object cannot be written.
  struct Failure: Error {
    var property: String
    var message: String
  }

  /// Creates the writer of some properties of an entity, in the order of the model.
  init(
    _ entity: EntitySchema, _ properties: [(schema: PropertySchema, form: WrittenForm)],
    quotesIDs: Bool
  ) {
    self.quotesIDs = quotesIDs
    var fields = properties.map { schema, form in
      let isID = schema.flags.contains(.id)
      return Field(
        name: schema.name, slot: isID ? -1 : schema.slot, type: schema.type,
        form: isID ? .id : form, isRelation: schema.target != nil)
    }
    if let name = entity.addedIDName {
      fields.insert(Field(name: name, slot: -1, type: .uint64, form: .id), at: 0)
    }
    self.fields = fields
    var text: [UInt8] = []
    let ends = fields.enumerated().map { index, field in
      var writer = JSONTextWriter()
      writer.append(string: field.name)
      text.append(UInt8(ascii: index == 0 ? "{" : ","))
      text += writer.bytes
      text.append(UInt8(ascii: ":"))
      return text.count
    }
    unsafe prefixes = FixedMemory(text)
    unsafe plainFields = FixedMemory(
      fields.enumerated().map { index, field in
        PlainField(
          prefixStart: index == 0 ? 0 : ends[index - 1], prefixEnd: ends[index], slot: field.slot,
          kind: Kind(field), position: index)
      })
  }

  /// Writes an object.
  ///
  /// - Throws: ``Failure`` if a value cannot be written.
  @inline(__always)
  func write(
    _ id: UInt64, _ record: borrowing RecordView, to output: inout BlockWriter
  ) throws(Failure) {
    var index = 0
    while unsafe index < plainFields.count {
      unsafe try write(plainFields[index], id, record, to: &output)
      index += 1
    }
    output.reserve(BlockWriter.numberRoom)
    output.put(UInt8(ascii: "}"))
  }

  @inline(__always)
  private func write(
    _ field: PlainField, _ id: UInt64, _ record: borrowing RecordView,
    to output: inout BlockWriter
  ) throws(Failure) {
    unsafe output.append(
      prefixes[lent: field.prefixStart..<field.prefixEnd], room: BlockWriter.numberRoom)
    try writeValue(field, id, record, to: &output)
  }

  /// Writes the value of a property alone.
  ///
  /// - Throws: ``Failure`` if it cannot be written.
  private func writeValue(
    at position: Int, _ id: UInt64, _ record: borrowing RecordView, to output: inout BlockWriter
  ) throws(Failure) {
    output.reserve(BlockWriter.numberRoom)
    unsafe try writeValue(plainFields[position], id, record, to: &output)
  }

  /// Writes the value of a property alone in a form.
  ///
  /// - Returns: Whether it was written as the text of a string.
  /// - Throws: ``Failure`` if it cannot be written.
  func writeCell(
    at position: Int, as form: CellForm, _ id: UInt64, _ record: borrowing RecordView,
    to output: inout BlockWriter
  ) throws(Failure) -> Bool {
    let (field, slot) = (fields[position], fields[position].slot)
    switch field.form {
    case .converted(let converter) where form == .text:
      let value = record.dynamicValue(slot, field.type)
      return output.append(try Self.json(value, converter, field.name), as: .text)
    case .string where form == .text && !record.isNull(slot):
      try unsafe record.withUTF8(slot) { (text) throws(Failure) in
        let text = UnsafeRawBufferPointer(text)
        if unsafe !isUTF8(text) { throw notUTF8(field) }
        unsafe output.append(text)
      }
      return true
    case .hex where form == .text && !record.isNull(slot):
      _ = unsafe record.withBytes(slot) { unsafe output.append(hexDigits: $0, "\\x") }
      return true
    case .character where form == .text && !record.isNull(slot):
      output.reserve(BlockWriter.numberRoom)
      return output.append(text: record.uint16(slot) ?? 0)
    default:
      try writeValue(at: position, id, record, to: &output)
      return false
    }
  }

  private func notUTF8(_ field: Field) -> Failure {
    Failure(property: field.name, message: "it is not UTF-8")
  }

  /// Writes a value; there is room for a number.
  @inline(__always)
  private func writeValue(
    _ field: PlainField, _ id: UInt64, _ record: borrowing RecordView,
    to output: inout BlockWriter
  ) throws(Failure) {
    let slot = field.slot
    if record.isNull(slot), field.kind != .id, field.kind != .converted {
      output.put("null")
      return
    }
    switch field.kind {
    case .id: output.put(integer: id, quoted: quotesIDs)
    case .bool: output.put(record.bool(slot) == true ? "true" : "false")
    case .int8: output.put(integer: Int64(record.int8(slot) ?? 0))
    case .uint8: output.put(integer: UInt64(record.uint8(slot) ?? 0))
    case .int16: output.put(integer: Int64(record.int16(slot) ?? 0))
    case .uint16: output.put(integer: UInt64(record.uint16(slot) ?? 0))
    case .int32: output.put(integer: Int64(record.int32(slot) ?? 0))
    case .uint32: output.put(integer: UInt64(record.uint32(slot) ?? 0))
    case .int64: output.put(integer: record.int64(slot) ?? 0)
    case .quotedInt64: output.put(integer: record.int64(slot) ?? 0, quoted: true)
    case .uint64: output.put(integer: record.uint64(slot) ?? 0)
    case .quotedUInt64: output.put(integer: record.uint64(slot) ?? 0, quoted: true)
    case .relation, .quotedRelation:
      let target = record.uint64(slot) ?? 0
      if target == 0 { return output.put("null") }
      output.put(integer: target, quoted: field.kind == .quotedRelation)
    case .float: output.put(float: record.float(slot) ?? 0)
    case .double: output.put(double: record.double(slot) ?? 0)
    case .string:
      if unsafe record.withUTF8(slot, { unsafe output.append(string: $0) }) == false {
        throw notUTF8(fields[field.position])
      }
    case .converted, .other: try writeOther(fields[field.position], record, to: &output)
    }
  }

  // MARK: - What is rarer

  @inline(never)
  private func writeOther(
    _ field: Field, _ record: borrowing RecordView, to output: inout BlockWriter
  ) throws(Failure) {
    let slot = field.slot
    switch field.form {
    case .converted(let converter):
      try convert(record.dynamicValue(slot, field.type), converter, field, to: &output)
    case .character: output.append(character: record.uint16(slot) ?? 0)
    case .date(let form):
      if form.isUnsigned {
        output.append(date: record.uint64(slot) ?? 0, form)
      } else {
        output.append(date: record.int64(slot) ?? 0, form)
      }
    case .base64: _ = unsafe record.withBytes(slot) { unsafe output.append(base64: $0) }
    case .hex: _ = unsafe record.withBytes(slot) { unsafe output.append(hex: $0) }
    case .array(let element): try write(element, of: field, record, to: &output)
    case .redacted(.constant(let text)): output.append(text)
    case .redacted(.hash(let key)): hash(field, record, key, to: &output)
    default: break
    }
  }

  private func write(
    _ element: WrittenForm, of field: Field, _ record: borrowing RecordView,
    to output: inout BlockWriter
  ) throws(Failure) {
    let slot = field.slot
    switch element {
    case .bool:
      output.appendArray(record.vector(slot, of: UInt8.self)) {
        $0.put($1 != 0 ? "true" : "false")
      }
    case .int16:
      output.appendArray(record.vector(slot, of: Int16.self)) { $0.put(integer: Int64($1)) }
    case .uint16:
      output.appendArray(record.vector(slot, of: UInt16.self)) { $0.put(integer: UInt64($1)) }
    case .character:
      output.appendArray(record.vector(slot, of: UInt16.self)) { $0.append(character: $1) }
    case .int32:
      output.appendArray(record.vector(slot, of: Int32.self)) { $0.put(integer: Int64($1)) }
    case .uint32:
      output.appendArray(record.vector(slot, of: UInt32.self)) { $0.put(integer: UInt64($1)) }
    case .int64(let quoted):
      output.appendArray(record.vector(slot, of: Int64.self)) {
        $0.put(integer: $1, quoted: quoted)
      }
    case .uint64(let quoted):
      output.appendArray(record.vector(slot, of: UInt64.self)) {
        $0.put(integer: $1, quoted: quoted)
      }
    case .date(let form):
      output.appendArray(record.vector(slot, of: Int64.self)) { $0.append(date: $1, form) }
    case .float: output.appendArray(record.vector(slot, of: Float.self)) { $0.put(float: $1) }
    case .double: output.appendArray(record.vector(slot, of: Double.self)) { $0.put(double: $1) }
    default: output.appendArray(record.strings(slot)) { $0.append(string: $1) }
    }
  }

  private func convert(
    _ value: Value, _ converter: any JSONConverter, _ field: Field, to output: inout BlockWriter
  ) throws(Failure) {
    output.append(try Self.json(value, converter, field.name))
  }

  /// The JSON of a value that a converter shows.
  ///
  /// - Throws: ``Failure`` if the converter refuses it.
  static func json(
    _ value: Value, _ converter: any JSONConverter, _ property: String
  ) throws(Failure) -> JSONValue {
    do throws(ConversionError) {
      return try ConverterScope.run { () throws(ConversionError) in try converter.json(value) }
    } catch {
      throw Failure(
        property: property,
        message: "\(value) is \(error.kind.rawValue): expected \(error.expected)")
    }
  }

  private func hash(
    _ field: Field, _ record: borrowing RecordView, _ key: RedactionKey,
    to output: inout BlockWriter
  ) {
    switch field.type {
    case .string:
      let digest =
        unsafe record.withUTF8(field.slot) { unsafe key.hash(UnsafeRawBufferPointer($0)) } ?? []
      output.append(string: digest.map { DumpChecksum.text(UInt32($0)).suffix(2) }.joined())
    case .bytes:
      let digest = unsafe record.withBytes(field.slot) { unsafe key.hash($0) } ?? []
      unsafe digest.withUnsafeBytes { unsafe output.append(base64: $0) }
    case .int64:
      let value = UInt64(bitPattern: record.int64(field.slot) ?? 0)
      output.put(integer: key.hash(value), quoted: quotesIDs)
    default:
      output.put(integer: key.hash(record.uint64(field.slot) ?? 0), quoted: quotesIDs)
    }
  }
}

extension EntitySchema {
  /// The name of the id in JSON, where the model has no property for it; nil where it has one.
  package var addedIDName: String? {
    if idPosition != nil { return nil }
    // No identifier has an @.
    return property(named: "id") == nil ? "id" : "@id"
  }
}

extension BlockWriter {
  /// Writes the JSON of a value in one line.
  mutating func append(_ json: JSONValue) {
    var text = JSONTextWriter()
    text.append(value: json, indent: 0)
    append(text.bytes)
  }

  /// Writes a value in a form; returns whether it was written as the text of a string.
  mutating func append(_ json: JSONValue, as form: CellForm) -> Bool {
    if form == .text, case .string(let text) = json {
      append(text)
      return true
    }
    append(json)
    return false
  }

  /// Writes a UTF-16 unit as the text of a string; false for half of a pair, which is an integer.
  mutating func append(text unit: UInt16) -> Bool {
    guard let scalar = Unicode.Scalar(unit) else {
      put(integer: UInt64(unit))
      return false
    }
    append(String(scalar))
    return true
  }

  @inline(__always)
  mutating func put(integer value: UInt64, quoted: Bool) {
    if quoted { put(UInt8(ascii: "\"")) }
    put(integer: value)
    if quoted { put(UInt8(ascii: "\"")) }
  }

  @inline(__always)
  mutating func put(integer value: Int64, quoted: Bool) {
    if quoted { put(UInt8(ascii: "\"")) }
    put(integer: value)
    if quoted { put(UInt8(ascii: "\"")) }
  }

  /// Writes a UTF-16 unit as a string, or as an integer if it is half of a pair.
  mutating func append(character unit: UInt16) {
    reserve(Self.numberRoom)
    if let scalar = Unicode.Scalar(unit) {
      append(string: String(scalar))
    } else {
      put(integer: UInt64(unit))
    }
  }

  mutating func append<Count: FixedWidthInteger>(date value: Count, _ form: DateTextForm) {
    reserve(Self.numberRoom)
    if let value = Int64(exactly: value), append(text: value, form) { return }
    if let value = Int64(exactly: value) {
      put(integer: value, quoted: form.isQuoted)
    } else {
      put(integer: UInt64(truncatingIfNeeded: value), quoted: form.isQuoted)
    }
  }

  /// Writes an array; there is room for a number before each element.
  fileprivate mutating func appendArray<Element>(
    _ elements: [Element]?, _ write: (inout BlockWriter, Element) -> Void
  ) {
    reserve(2)
    put(UInt8(ascii: "["))
    var isFirst = true
    for element in elements ?? [] {
      reserve(Self.numberRoom + 2)
      if !isFirst { put(UInt8(ascii: ",")) }
      isFirst = false
      write(&self, element)
    }
    reserve(2)
    put(UInt8(ascii: "]"))
  }
}
