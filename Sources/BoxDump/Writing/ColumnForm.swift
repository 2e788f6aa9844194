internal import BoxConvert
package import BoxEngine
internal import BoxJSON
internal import BoxModel

/// The form in which the values of one property are written: the one of dumps.
package struct ColumnForm: Sendable {
  let entity: EntitySchema
  let writer: ObjectWriter
  /// The position of the property in the writer.
  let position: Int
  private let form: WrittenForm
  private let property: PropertySchema?
  private let integers: IntegerForm

  /// Creates the form of a property.
  ///
  /// - Parameters:
  ///   - property: The property; nil for the id of an entity whose model has no property for it.
  ///   - entity: Its entity.
  ///   - values: The form of integers and dates, and the converters.
  /// - Throws: ``DumpError`` if a converter does not fit the property.
  package init(
    _ property: PropertySchema?, of entity: EntitySchema, _ values: ValueForm
  ) throws(DumpError) {
    self.entity = entity
    self.property = property
    integers = values.integers
    let quotesIDs = integers == .string
    guard let property else {
      (form, position) = (.id, 0)
      writer = ObjectWriter(entity, [], quotesIDs: quotesIDs)
      return
    }
    form = try WrittenForm(property, of: entity, values)
    position = entity.addedIDName == nil ? 0 : 1
    writer = ObjectWriter(entity, [(property, form)], quotesIDs: quotesIDs)
  }

  func error(_ failed: String, _ failure: ObjectWriter.Failure) -> DumpError {
    DumpError("\(failed): \(entity.name).\(failure.property): \(failure.message)")
  }

  /// Writes a value of the property, or an element of its vector; there is room for a number.
  ///
  /// - Returns: Whether it was written as the text of a string.
  /// - Throws: `ObjectWriter.Failure` if it cannot be written.
  func write(
    _ value: Value, as cells: CellForm, to output: inout BlockWriter
  ) throws(ObjectWriter.Failure) -> Bool {
    if let json = try converted(value) { return output.append(json, as: cells) }
    let form = elementForm
    if cells == .text {
      if case .string(let text) = value {
        output.append(text)
        return true
      }
      if case (.unsigned(let unit), .character) = (value, form) {
        return output.append(text: UInt16(truncatingIfNeeded: unit))
      }
    }
    output.append(value, form, quotesIDs: integers == .string)
    return false
  }

  /// The JSON that a converter shows for a value or an element of a vector; nil where none shows it.
  private func converted(_ value: Value) throws(ObjectWriter.Failure) -> JSONValue? {
    guard case .converted(let converter) = form, let property else { return nil }
    guard property.modelType.traits?.isVector == true, let list = value.inVector else {
      return try ObjectWriter.json(value, converter, property.name)
    }
    // A converter of a list shows the list, and for one element the element.
    let shown = try ObjectWriter.json(list, converter, property.name)
    guard case .array(let elements) = shown, elements.count == 1 else { return nil }
    return elements[0]
  }

  /// The form of a value, or of an element of a vector, without a converter.
  private var elementForm: WrittenForm {
    var form = form
    if case .converted = form, let property { form = WrittenForm(property, integers, .number) }
    if case .array(let element) = form { return element }
    return form
  }
}

extension WrittenForm {
  /// The form of a property with its converter, if it has one.
  ///
  /// - Throws: ``DumpError`` if the converter does not fit the property.
  init(
    _ property: PropertySchema, of entity: EntitySchema, _ values: ValueForm
  ) throws(DumpError) {
    if let converter = try values.converters?.converter(entity, property) {
      self = .converted(converter)
    } else {
      self.init(property, values.integers, values.dates, values.bytes, zone: values.zone)
    }
  }
}

extension Value {
  /// The vector with the value as its only element; nil for what is not an element.
  fileprivate var inVector: Value? {
    switch self {
    case .bool(let value): .bools([value])
    case .integer(let value): .integers([value])
    case .unsigned(let value): .unsignedIntegers([value])
    case .float(let value): .floats([value])
    case .double(let value): .doubles([value])
    case .string(let value): .strings([value])
    default: nil
    }
  }
}

extension BlockWriter {
  /// Writes a value that is not a vector in a form; there is room for a number.
  fileprivate mutating func append(_ value: Value, _ form: WrittenForm, quotesIDs: Bool = false) {
    switch (value, form) {
    case (.null, _): put("null")
    case (.bool(let value), _): put(value ? "true" : "false")
    case (.integer(let value), .date(let form)): append(date: value, form)
    case (.unsigned(let value), .date(let form)): append(date: value, form)
    case (.unsigned(let value), .character):
      append(character: UInt16(truncatingIfNeeded: value))
    case (.integer(let value), .int64(let quoted)): put(integer: value, quoted: quoted)
    case (.integer(let value), _): put(integer: value)
    case (.unsigned(let value), .uint64(let quoted)): put(integer: value, quoted: quoted)
    case (.unsigned(let value), .id): put(integer: value, quoted: quotesIDs)
    case (.unsigned(let value), _): put(integer: value)
    case (.float(let value), _): put(float: value)
    case (.double(let value), _): put(double: value)
    case (.string(let value), _): append(string: value)
    default: append(PlainForm.json(value))
    }
  }
}
