package import BoxConvert
package import BoxEngine
package import BoxJSON
package import BoxModel
internal import BoxReport

/// Reads objects of an entity, and single values of their properties, from JSON as dumps have it.
///
/// Unlike an import it finds every problem of an object, and the objects are in memory. It belongs to one
/// thread.
package final class ObjectReader {
  /// The entity.
  package let entity: EntitySchema
  private let plan: EntityPlan
  private let scanner: ObjectScanner

  /// A name or a value that does not fit.
  package struct Problem: Error, Hashable, Sendable {
    /// One sentence without a trailing period.
    package var message: String
    /// The offset of the member in the document.
    package var offset: Int
  }

  /// Creates the reader of an entity.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - catalogue: The converters of its properties.
  /// - Throws: ``DumpError`` if a converter is incompatible with its property.
  package init(_ entity: EntitySchema, _ catalogue: Catalogue = .empty) throws(DumpError) {
    self.entity = entity
    var fields = try EntityPlan.fields(
      of: entity, named: entity.properties.indices.map { (entity.properties[$0].name, $0) },
      entity.name, catalogue)
    if let name = entity.addedIDName {
      fields.append(ImportField(key: name, form: .id, position: -1, slot: -1, type: .uint64))
    }
    plan = EntityPlan(name: entity.name, entity: entity, fields: fields)
    scanner = ObjectScanner(fields, ignoresUnknown: false)
  }

  /// The names that a member of an object can have.
  private var names: [String] { plan.fields.map(\.key) + entity.relations.map(\.name) }

  /// The message for a name that no member of an object can have, with the nearest.
  package func unknownName(_ name: String) -> String {
    let advice =
      nearestName(to: name, among: names).map { "did you mean \($0)?" }
      ?? "it has \(names.listed)"
    return "\(entity.name) has no property \(name); \(advice)"
  }

  /// Reads an object.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - document: The document that it is in.
  /// - Returns: The object without the members that do not fit, and the problems of those.
  /// - Complexity: O(*n*) in the length of its text, and in its members times the properties.
  package func read(
    _ object: JSONNode, in document: JSONDocument
  ) -> (object: ObjectValues, problems: [Problem]) {
    var values = ObjectValues()
    var problems: [Problem] = []
    var seen: Set<ExactText> = []
    for (key, value) in document.members(of: object) {
      let name = document.key(key)
      do throws(Problem) {
        if !seen.insert(ExactText(name)).inserted {
          throw Problem(
            message: "the key \(name.quotedForDisplay) occurs twice",
            offset: document.range(of: key).lowerBound)
        }
        try read(name, key, value, document, into: &values)
      } catch {
        problems.append(error)
      }
    }
    return (values, problems)
  }

  private func read(
    _ name: String, _ key: JSONNode, _ value: JSONNode, _ document: JSONDocument,
    into values: inout ObjectValues
  ) throws(Problem) {
    if let field = plan.fields.firstIndex(where: { $0.key.hasSameBytes(as: name) }) {
      let found = try self.value(of: field, value, document)
      if plan.fields[field].form == .id {
        values.id = found.unsigned ?? 0
      } else {
        values.values[plan.fields[field].position] = found
      }
    } else if let relation = entity.relation(named: name) {
      values.targets.append((relation, try ids(value, of: relation, document)))
    } else {
      throw Problem(message: unknownName(name), offset: document.range(of: key).lowerBound)
    }
  }

  /// Adds the values that converters have for members that the object lacks.
  ///
  /// - Returns: A message for each member that must not be missing.
  package func complete(_ values: inout ObjectValues) -> [String] {
    var messages: [String] = []
    for field in plan.fields where field.position >= 0 && values.values[field.position] == nil {
      guard let converter = field.converter else { continue }
      do throws(ConversionError) {
        values.values[field.position] = try converter.storedIfMissing()
      } catch {
        messages.append("\(entity.name).\(field.key): expected \(error.expected), found nothing")
      }
    }
    return messages
  }

  /// Reads the value of a property.
  ///
  /// - Parameters:
  ///   - json: The text of the value.
  ///   - position: The position of the property in the entity.
  /// - Returns: The value.
  /// - Throws: ``Problem`` if the text is not JSON, or not a value of the property.
  package func value(_ json: String, of position: Int) throws(Problem) -> Value {
    let document: JSONDocument
    let name = "\(entity.name).\(entity.properties[position].name)"
    do throws(JSONError) {
      var options = JSONDocument.Options()
      options.allowsLargeIntegers = true
      document = try JSONDocument(parsing: Array(json.utf8), options: options)
    } catch {
      throw Problem(message: "\(name): \(error.message)", offset: error.offset)
    }
    guard let field = plan.fields.firstIndex(where: { $0.position == position }) else {
      throw Problem(message: "\(name) has no form in JSON", offset: 0)
    }
    return try value(of: field, document.root, document)
  }

  // MARK: - Values

  private func value(
    of field: Int, _ node: JSONNode, _ document: JSONDocument
  ) throws(Problem) -> Value {
    // The scanner reads objects.
    var text = Array("{".utf8)
    text += JSONValue.string(plan.fields[field].key).text(indent: 0).utf8
    text += ":".utf8
    text += document.bytes[document.range(of: node)]
    text += "}".utf8
    let end = text.count
    do throws(Mismatch) {
      return try PaddedBytes.withPadding(text) { (text) throws(Mismatch) in
        try scan(field, text, end)
      }
    } catch {
      let name = "\(entity.name).\(plan.fields[field].key)"
      let found = error.isMessage ? "" : ", found \(document.shown(node))"
      throw Problem(
        message: "\(name): \(error.isMessage ? "" : "expected ")\(error.expected)\(found)",
        offset: document.range(of: node).lowerBound)
    }
  }

  /// The reason why a value does not fit: the expected value, or the whole message.
  private struct Mismatch: Error {
    var expected: String
    var isMessage = false
  }

  private func scan(
    _ field: Int, _ text: PaddedBytes, _ end: Int
  ) throws(Mismatch) -> Value {
    scanner.spansLines = true
    do throws(ScanFailure) {
      try scanner.scan(text, from: 0, end: end)
      let found = scanner.values[field]
      if plan.fields[field].form == .id {
        return found.state == .scalar ? .unsigned(found.bits) : .null
      }
      if plan.fields[field].converter == nil { return try plan.value(field, scanner) ?? .null }
    } catch {
      throw Mismatch(expected: error.expected, isMessage: error.isMessage)
    }
    return try converted(field)
  }

  private func converted(_ field: Int) throws(Mismatch) -> Value {
    guard let converter = plan.fields[field].converter else { return .null }
    let found = scanner.values[field]
    do throws(ConversionError) {
      if found.state == .null { return try converter.stored(.null) }
      return try converter.stored(parsing: unsafe Array(scanner.base[found.range]))
    } catch {
      throw Mismatch(expected: error.expected)
    }
  }

  private func ids(
    _ node: JSONNode, of relation: RelationSchema, _ document: JSONDocument
  ) throws(Problem) -> [UInt64] {
    let decoder = JSONValueDecoder()
    let problem = Problem(
      message:
        "\(entity.name).\(relation.name): expected an array of ids, found \(document.shown(node))",
      offset: document.range(of: node).lowerBound)
    guard document.kind(of: node) == .array else { throw problem }
    var ids: [UInt64] = []
    for element in document.elements(of: node) {
      // Readers that know doubles only get ids in quotes.
      let text = decoder.string(element, in: document)
      guard
        let id = text.map({ UInt64($0) })
          ?? decoder.integer(element, in: document, as: UInt64.self),
        id > 0
      else { throw problem }
      ids.append(id)
    }
    return ids
  }
}

/// The values of an object that was read.
package struct ObjectValues {
  /// The id; 0 for an object without one.
  package var id: UInt64 = 0
  /// The values that the object has, by the positions of their properties in the entity.
  package var values: [Int: Value] = [:]
  /// The targets of the to-many relations that the object has.
  package var targets: [(relation: RelationSchema, ids: [UInt64])] = []

  /// Creates an object without values.
  package init() {}
}

extension Value {
  fileprivate var unsigned: UInt64? {
    if case .unsigned(let value) = self { value } else { nil }
  }
}

extension JSONDocument {
  /// The text of a value, shortened for a message.
  fileprivate func shown(_ node: JSONNode) -> String {
    let text = text(of: node)
    return text.count > 60 ? text.prefix(57) + "…" : text
  }
}
