import BoxConvert
import BoxDump
import BoxEngine
import BoxJSON
import BoxModel
import TestSupport
import Testing

/// The promises of an inference, for one input: an import with the model loses nothing, and the export of
/// that store has the same model.
struct InferenceRoundTrip {
  let fixture: ImportFixture
  var options = InferenceOptions()

  init() throws {
    fixture = try ImportFixture()
    options.entity = "Thing"
  }

  /// Infers, imports, exports and infers again.
  ///
  /// - Parameters:
  ///   - path: The input.
  ///   - objects: The objects of the input, read by another reader.
  /// - Returns: The differences, in words.
  /// - Throws: What reading, importing and exporting throw.
  func problems(_ path: String, _ objects: [JSONValue]) throws -> [String] {
    let inferred = try ModelInference(options).run([path])
    let document = try inferred.document(uids: .sequential)
    #expect(document.check().isEmpty)
    let catalogue = try inferred.catalogue.map { try Catalogue($0) } ?? .empty
    let store = try fixture.open("store-\(lastName())", document)
    defer { store.close() }
    try fixture.load(path, into: store) {
      $0.entity = options.entity
      $0.catalogue = catalogue
    }
    var export = ExportOptions()
    export.dates = .iso
    export.converters = ExportConverters(catalogue)
    let output = MemoryOutput()
    try DumpExporter(store, export).export(to: output)
    let exported = try ExportedObjects(output.text(), inferred.entities)
    let lines = exported.objects.map { $0.text(indent: 0) }
    let entity = try #require(inferred.entities.first)
    var problems = try compare(objects, exported.objects, entity, inferred.entities)

    try fixture.directory.write(lines.joined(separator: "\n") + "\n", to: "again.ndjson")
    var second = options
    // What was flattened is flat in the export.
    if options.nesting == .flatten { second.nesting = .json }
    let again = try ModelInference(second).run([fixture.path("again.ndjson")])
      .document(uids: .sequential)
    if again.bytes != document.bytes {
      problems.append(
        "the second model is\n\(String(decoding: again.bytes, as: UTF8.self))\nafter\n"
          + String(decoding: document.bytes, as: UTF8.self))
    }
    return problems
  }

  private func lastName() -> String { "\(UInt64.random(in: 0 ... .max))" }

  static func value(_ bytes: [UInt8]) throws -> JSONValue {
    var options = JSONDocument.Options()
    options.allowsLargeIntegers = true
    let document = try JSONDocument(parsing: bytes, options: options)
    return document.exactValue(of: document.root)
  }

  private func compare(
    _ objects: [JSONValue], _ exported: [JSONValue], _ entity: InferredModel.Entity,
    _ entities: [InferredModel.Entity]
  ) throws -> [String] {
    if objects.count != exported.count { return ["\(exported.count) of \(objects.count) objects"] }
    var problems: [String] = []
    let id = entity.members[0]
    // A store has its objects in the order of their ids.
    let objects =
      try id.source.map { pointer in
        try objects.sorted { try Self.id($0, pointer) < Self.id($1, pointer) }
      } ?? objects
    for (object, other) in zip(objects, exported) {
      problems += Self.differences(object, other, entity, entities)
      guard options.nesting != .flatten, case .object(let members) = object else { continue }
      let sources = Set(entity.members.compactMap { $0.source?.description })
      for key in members.map(\.key) where !sources.contains(JSONPointer(member: key).description) {
        problems.append("\(key) has no property")
      }
    }
    return problems
  }

  /// The differences between an object and its export, and between the objects in them.
  private static func differences(
    _ object: JSONValue, _ other: JSONValue, _ entity: InferredModel.Entity,
    _ entities: [InferredModel.Entity]
  ) -> [String] {
    var problems: [String] = []
    for member in entity.members {
      let found = JSONPointer(member: member.name).value(in: other) ?? .null
      guard let source = member.source else { continue }
      let expected = source.value(in: object) ?? .null
      if let target = entities.first(where: { "-> \($0.name)" == member.type }) {
        let (before, after) = (Self.objects(expected), Self.objects(found))
        if before.count != after.count {
          problems.append("\(member.name): \(expected) became \(found)")
        }
        for (object, other) in zip(before, after) {
          problems += differences(object, other, target, entities)
        }
      } else if !Self.isEqual(expected, found, member) {
        problems.append(
          "\(member.name) (\(member.type), \(member.reason)): \(expected) became \(found)")
      }
    }
    return problems
  }

  /// The objects of a relation: a missing list is not different from an empty one.
  private static func objects(_ value: JSONValue) -> [JSONValue] {
    switch value {
    case .null: []
    case .array(let elements): elements
    default: [value]
    }
  }

  private static func id(_ object: JSONValue, _ pointer: JSONPointer) throws -> Int {
    guard case .int(let id)? = pointer.value(in: object) else {
      throw Unexpected(text: "\(object) has no id")
    }
    return id
  }

  private struct Unexpected: Error { var text: String }

  /// Whether a value came back: numbers with the same digits, dates as the same time.
  private static func isEqual(
    _ before: JSONValue, _ after: JSONValue, _ member: InferredModel.Member
  ) -> Bool {
    if before == .null { return after == .null }
    if member.type.hasPrefix("date"), case .string(let text) = before,
      case .string(let other) = after
    {
      return ISO8601.moment(text) == ISO8601.moment(other) && ISO8601.moment(text) != nil
    }
    if member.converter == "decimal", case .string(let digits) = after {
      return JSONDecimal(digits) == JSONDecimal(before.text(indent: 0))
    }
    if member.reason.contains("\"raw\"") || member.reason.hasPrefix("mixed"),
      member.converter == nil, case .string(let text) = after
    {
      return (try? value(Array(text.utf8))).map { isSame(before, $0) } ?? false
    }
    return isSame(before, after)
  }

  private static func isSame(_ a: JSONValue, _ b: JSONValue) -> Bool {
    switch (a, b) {
    case (.array(let a), .array(let b)): return a.count == b.count && zip(a, b).allSatisfy(isSame)
    case (.object(let a), .object(let b)):
      return a.count == b.count
        && zip(a, b).allSatisfy { $0.key == $1.key && isSame($0.value, $1.value) }
    case (.null, _), (.bool, _), (.string, _), (_, .null), (_, .bool), (_, .string): return a == b
    default:
      guard let x = JSONDecimal(a.text(indent: 0)), let y = JSONDecimal(b.text(indent: 0)) else {
        return false
      }
      // An integer has no negative zero.
      return x == y || x.integer() == 0 && y.integer() == 0
    }
  }
}
