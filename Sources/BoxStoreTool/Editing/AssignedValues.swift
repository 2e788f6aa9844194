internal import BoxConvert
internal import BoxDump
internal import BoxEngine
internal import BoxJSON
internal import BoxModel
internal import BoxReport

/// New values for properties of an entity, read from texts such as `pages=300` and `tags:=["sea"]`.
struct AssignedValues {
  /// The values, by the positions of their properties.
  private(set) var values: [Int: Value] = [:]

  /// The form of values as they are stored, in which conditions have them.
  private let stored: ObjectReader
  /// The form of values in dumps, with converters.
  private let converted: ObjectReader
  private let catalogue: Catalogue?
  private let entity: EntitySchema

  /// Reads assignments.
  ///
  /// - Parameters:
  ///   - texts: The assignments.
  ///   - entity: The entity.
  ///   - open: The store.
  ///   - problems: Receives a failure for each that is wrong.
  /// - Throws: `DumpError` if a converter does not fit its property.
  init(
    _ texts: [String], of entity: EntitySchema, in open: OpenStore, _ problems: inout EditProblems
  ) throws(DumpError) {
    self.entity = entity
    catalogue = open.catalogue
    stored = try ObjectReader(entity)
    converted = try ObjectReader(entity, open.catalogue ?? .empty)
    for text in texts { problems.collect { () throws(CommandFailure) in try add(text) } }
  }

  private mutating func add(_ text: String) throws(CommandFailure) {
    func failure(_ message: String) -> CommandFailure {
      CommandFailure(.usage, message, path: text)
    }
    do throws(ConditionError) {
      let assignment = try ValueAssignment(parsing: text)
      let position = try position(of: assignment.property)
      if values[position] != nil {
        throw ConditionError("\(NamePath([entity.name, assignment.property])) is set twice")
      }
      values[position] = try value(assignment.value, position)
    } catch {
      throw failure(error.message)
    }
  }

  private func position(of name: String) throws(ConditionError) -> Int {
    if let position = entity.properties.firstIndex(where: { $0.name.hasSameBytes(as: name) }) {
      if position == entity.idPosition { throw ConditionError("the id of an object never changes") }
      return position
    }
    if entity.relation(named: name) != nil {
      throw ConditionError(
        "\(entity.name).\(name) is a relation to many; `boxjoint store link` adds entries to it")
    }
    let names = entity.memberNames + [entity.addedIDName].compactMap { $0 }
    throw ConditionError(entity.unknown("property", name, among: names).message)
  }

  private func value(
    _ value: ValueAssignment.NewValue, _ position: Int
  ) throws(ConditionError) -> Value {
    switch value {
    case .null: return .null
    case .json(let text): return try read(text, by: converted, position)
    case .literal(.name(let name)): return try named(name, position, isQuoted: false)
    case .literal(.string(let name)):
      if try converter(position) != nil { return try named(name, position, isQuoted: true) }
      return try read(JSONValue.string(name).text(indent: 0), by: stored, position)
    case .literal(let literal): return try read(json(literal, position), by: stored, position)
    }
  }

  private func read(
    _ json: String, by reader: ObjectReader, _ position: Int
  ) throws(ConditionError) -> Value {
    do throws(ObjectReader.Problem) {
      return try reader.value(json, of: position)
    } catch {
      let isList = entity.properties[position].modelType.traits?.isVector == true
      let name = NamePath.quoted(entity.properties[position].name)
      throw ConditionError(
        error.message + (isList && reader === stored ? "; write \(name):= and JSON" : ""))
    }
  }

  /// A literal as JSON of the stored form.
  private func json(
    _ literal: Condition.Literal, _ position: Int
  ) throws(ConditionError) -> String {
    let property = entity.properties[position]
    switch literal {
    case .bytes(let bytes) where property.type == .bytes: return "\"\(Base64.text(bytes))\""
    case .date where property.modelType.traits?.unit != nil: return "\"\(literal)\""
    case .bytes, .date:
      throw ConditionError(
        "\(entity.name).\(property.name) has the type \(property.modelType) and cannot be \(literal)"
          + (property.type == .string ? "; write \(Self.quoted("\(literal)", property))" : ""))
    case .number(let number): return JSONValue.double(number).text(indent: 0)
    default: return "\(literal)"
    }
  }

  /// The assignment of a string, quoted for a shell.
  private static func quoted(_ text: String, _ property: PropertySchema) -> String {
    let isPlain = !text.utf8.contains { "'\"\\$`!".utf8.contains($0) }
    let value = "'\(isPlain ? text : "…")'"
    if NamePath.isPlain(property.name) { return "\"\(property.name)=\(value)\"" }
    return shellQuoted("\(NamePath.quoted(property.name))=\(value.replacing("'", with: "\""))")
  }

  private func converter(_ position: Int) throws(ConditionError) -> (any JSONConverter)? {
    guard let catalogue else { return nil }
    return try ConditionConverters(catalogue).converter(entity, entity.properties[position])
  }

  /// The value that a name of a converter means.
  private func named(
    _ name: String, _ position: Int, isQuoted: Bool
  ) throws(ConditionError) -> Value {
    let property = entity.properties[position]
    guard let converter = try converter(position) else {
      if property.type == .string {
        throw ConditionError(
          "\(entity.name).\(property.name) is a string; write \(Self.quoted(name, property))")
      }
      return try read(JSONValue.string(name).text(indent: 0), by: stored, position)
    }
    do throws(ConversionError) {
      return try converter.stored(named: name)
    } catch {
      let nearest = nearestName(to: name, among: converter.names)
      throw ConditionError(
        "\"\(name)\" is not a value of \(entity.name).\(property.name); "
          + (nearest.map { "did you mean \($0)?" } ?? "expected \(error.expected)"))
    }
  }
}
