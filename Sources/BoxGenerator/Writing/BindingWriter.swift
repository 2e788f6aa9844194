internal import BoxModel
internal import BoxSources
internal import BoxSystem

/// Writes the bindings of a target as Swift.
struct BindingWriter {
  let request: GeneratorRequest
  let model: Model
  /// The file of rules; nil for a target without one.
  let rules: [UInt8]?

  /// The generated file, as UTF-8.
  ///
  /// - Complexity: O(*n*) in the number of properties and the size of the model file.
  func bytes(of entities: [SourceEntity], modelText: [UInt8]) async -> [UInt8] {
    let (schema, visibility) = (BoundSchema(entities, model), request.visibility.rawValue)
    let bindings = await entities.mapConcurrently(parts: request.parts) { source in
      BoundEntity(source, in: schema).map { entity in
        Self.bytes(EntityWriter(entity, visibility: visibility).lines())
      } ?? []
    }
    var result: [UInt8] = []
    // It contains the model file, with each line indented.
    result.reserveCapacity(2 * modelText.count + bindings.reduce(4096) { $0 + $1.count })
    result += Self.bytes(head(entities, modelText))
    for part in bindings { result += part }
    appendStore(modelText, schema, to: &result)
    return result
  }

  static func bytes(_ lines: [String]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(lines.reduce(0) { $0 + $1.utf8.count + 1 })
    for line in lines {
      bytes += line.utf8
      bytes.append(10)
    }
    return bytes
  }

  private func head(_ entities: [SourceEntity], _ modelText: [UInt8]) -> [String] {
    let access = request.visibility == .public ? "public " : ""
    var lines = [
      SwiftFile.generatedMark + ". Do not edit: change the types, and generate again."
    ]
    if let head = request.head?(modelText) { lines += head }
    lines += [
      "// If this file does not compile as a type is isolated to the main actor, write \"nonisolated\""
        + " before the type.",
      "// swift-format-ignore-file", "// swiftlint:disable all", "", "\(access)import BoxStore",
    ]
    let converters = Set(entities.flatMap(\.properties).compactMap(\.form.converterModule))
    lines += converters.sorted().map { "\(access)import \($0)" }
    let needsFoundation = entities.contains { entity in
      entity.properties.contains {
        $0.form.value?.needsFoundation ?? false || $0.form.isUUID && $0.flags.contains(.unique)
      }
    }
    return lines + (needsFoundation ? Self.importOfFoundation(access) : [])
  }

  static func importOfFoundation(_ access: String) -> [String] {
    [
      "", "#if canImport(FoundationEssentials)", "  \(access)import FoundationEssentials", "#else",
      "  \(access)import Foundation", "#endif",
    ]
  }

  private func appendStore(
    _ modelText: [UInt8], _ schema: BoundSchema, to result: inout [UInt8]
  ) {
    let access = request.visibility.rawValue
    let name = Self.modelName(of: request.target)
    result += Self.bytes(["", "// MARK: - Store", "", "nonisolated extension StoreModel {"])
    Self.appendModel(
      "\(access) static let \(name)", of: "this target", modelText,
      SourceConstants(schema.constants), schema.vectors, rules: rules, to: &result)
    let end =
      [
        "}", "", "nonisolated extension Store {",
        "  /// Opens a store with the model of this target, or creates it.", "  ///",
        "  /// - Parameters:", "  ///   - directoryPath: The directory; or `memory:` and a name.",
        "  ///   - maxDbSizeInKByte: The limit of the data file; by default 1 GiB.",
        "  ///   - fileMode: Permissions of new files.",
        "  ///   - maxReaders: Read transactions at once; 0 for the default.",
        "  ///   - readOnly: Whether the store is only read.",
        "  ///   - hears: The commits that observers hear of.", "  /// - Throws: `ObjectBoxError`.",
        "  \(access) convenience init(",
        "    directoryPath: String, maxDbSizeInKByte: UInt64 = 1024 * 1024, fileMode: UInt32 = 0o644,",
        "    maxReaders: UInt32 = 0, readOnly: Bool = false, hears: HeardCommits = .thisProcess",
        "  ) throws {", "    try self.init(",
        "      model: .\(name), directory: directoryPath, maxDbSizeInKByte: maxDbSizeInKByte,",
        "      fileMode: fileMode, maxReaders: maxReaders, readOnly: readOnly, hears: hears)",
        "  }", "}",
      ]
    result += Self.bytes(end)
  }

  /// Appends the declaration of a model in an extension of `StoreModel`.
  ///
  /// - Parameters:
  ///   - declaration: The declaration up to its name.
  ///   - owner: The owner of the model file, for the comment.
  ///   - modelText: The model file.
  ///   - constants: The values of properties that are not optional.
  ///   - vectors: The parameters of vector indexes that the model file lacks.
  ///   - rules: The file of rules; nil without one.
  ///   - result: The Swift file.
  static func appendModel(
    _ declaration: String, of owner: String, _ modelText: [UInt8], _ constants: SourceConstants,
    _ vectors: [(uid: UID, parameters: String)] = [], rules: [UInt8]? = nil,
    to result: inout [UInt8]
  ) {
    let marks = rawMarks(for: modelText)
    result += bytes([
      "  /// The model file of \(owner), byte for byte.", "  \(declaration) = StoreModel(",
      "    json: \(marks)\"\"\"",
    ])
    append(modelText, to: &result)
    let (values, zeros) = (constants.values, constants.zeros)
    result += bytes(
      ["      \"\"\"\(marks),"]
        + (values.isEmpty
          ? ["    constants: [:],"]
          : ["    constants: ["] + values.map { "      \($0.uid): \($0.expression)," } + ["    ],"])
        + (zeros.isEmpty
          ? ["    zeros: []"] : ["    zeros: ["] + zeros.map { "      \($0)," } + ["    ]"]))
    func end(_ mark: String) {
      result.removeLast()
      result += mark.utf8
      result.append(10)
    }
    if !vectors.isEmpty {
      end(",")
      result += bytes(
        ["    vectors: ["] + vectors.map { "      \($0.uid): #\"\($0.parameters)\"#," } + ["    ]"])
    }
    if let rules {
      end(",")
      let marks = rawMarks(for: rules)
      result += bytes(["    rules: \(marks)\"\"\""])
      append(rules, to: &result)
      result += bytes(["      \"\"\"\(marks)"])
    }
    end(")")
  }

  /// Appends a text as the content of a literal: indents its lines, except empty ones.
  private static func append(_ text: [UInt8], to result: inout [UInt8]) {
    for line in text.split(separator: 10, omittingEmptySubsequences: false) {
      if !line.isEmpty { result += "      ".utf8 }
      result += line
      result.append(10)
    }
  }

  /// The name of the static model of a target, such as `library` for `Library`.
  static func modelName(of target: String) -> String {
    var name = target.prefix(1).lowercased() + target.dropFirst()
    name = String(name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    if name.first?.isNumber ?? true { name = "_" + name }
    // A name that is a keyword is one in backticks.
    return name.isSwiftKeyword ? "`\(name)`" : name
  }

  /// As many number signs as a raw string needs so that nothing in the text ends it or is an escape.
  private static func rawMarks(for text: [UInt8]) -> String {
    // As bytes, among which a text is found many times as fast as among characters.
    let file = SwiftFile(path: "", bytes: text)
    var marks = "#"
    while file.contains("\"\"\"" + marks) || file.contains("\\" + marks) { marks += "#" }
    return marks
  }
}
