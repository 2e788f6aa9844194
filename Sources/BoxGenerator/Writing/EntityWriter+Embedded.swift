internal import BoxModel
internal import BoxSources

/// The parts of bindings that are about embedded structs.
extension EntityWriter {
  // MARK: - Queries

  /// The type that has the properties of an embedded struct, for queries.
  func namespace(of embedding: Int) -> String {
    let embedded = entity.source.embeddings[embedding]
    let outer = embedded.outer.map { namespace(of: $0) } ?? entity.binding
    return "\(outer).\(Self.namespaceName(embedded))"
  }

  private static func namespaceName(_ embedding: SourceEmbedding) -> String {
    "Embedded_\(embedding.swiftName.withoutBackticks)"
  }

  /// The declarations of the types that have the properties of the structs in the entity, or in one of them.
  func namespaces(in outer: Int?) -> [String] {
    let depth = outer == nil ? 0 : 1 + depth(of: outer)
    let margin = String(repeating: " ", count: 2 + 2 * depth)
    var lines: [String] = []
    for position in members(of: outer).embeddings {
      let embedding = entity.source.embeddings[position]
      let path = entity.source.swiftPath(embedding.swiftName, in: outer)
      lines += [
        "\(margin)/// The properties of `\(path.withoutBackticks)`, for queries.",
        "\(margin)nonisolated \(access) struct \(Self.namespaceName(embedding)): Sendable {",
        "\(margin)  \(access) init() {}",
      ]
      for property in members(of: position).properties {
        lines.append(
          "\(margin)  \(access) var \(property.source.swiftName): \(queryType(of: property.source))"
            + " { Property(propertyId: \(property.number)) }")
      }
      for inner in members(of: position).embeddings {
        let (type, name) = (namespace(of: inner), entity.source.embeddings[inner].swiftName)
        lines.append("\(margin)  \(access) var \(name): \(type) { \(type)() }")
      }
      let inner = namespaces(in: position)
      if !inner.isEmpty { lines += [""] + inner.dropLast() }
      lines += ["\(margin)}", ""]
    }
    return lines
  }

  /// The number of structs that an embedded one is in.
  private func depth(of embedding: Int?) -> Int {
    embedding.flatMap { entity.source.embeddings[$0].outer }.map { 1 + depth(of: $0) } ?? 0
  }

  // MARK: - Writing

  /// The expression of a value of an object: `entity.home.street`, and nil where a struct that it is in is nil.
  func path(of property: SourceProperty) -> String {
    "\(path(to: property.embedding)).\(property.swiftName)"
  }

  /// The expression of the struct that a property is in, which may be nil.
  func container(of property: SourceProperty) -> String {
    let path = path(to: property.embedding)
    return path.hasSuffix("?") ? String(path.dropLast()) : path
  }

  private func path(to embedding: Int?) -> String {
    guard let embedding else { return "entity" }
    let embedded = entity.source.embeddings[embedding]
    return "\(path(to: embedded.outer)).\(embedded.swiftName)\(embedded.isOptional ? "?" : "")"
  }

  // MARK: - Reading

  /// The local variable of a struct that is read.
  static func local(_ embedding: Int) -> String { "_embedded\(embedding)" }

  /// The statements that make the structs in the entity, or in one of them, from inside out.
  func creation(in outer: Int?, indent: Int) -> [String] {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    for position in members(of: outer).embeddings {
      let embedding = entity.source.embeddings[position]
      let local = Self.local(position)
      let arguments = embedding.arguments.compactMap { argument in
        value(of: argument.member, in: position).map { labelled(argument, $0) }
      }
      if embedding.isOptional {
        let offsets = offsets(in: position).map(String.init).joined(separator: ", ")
        lines += [
          "\(margin)var \(local): \(embedding.typeName)?",
          "\(margin)if entityReader.hasValue(atAnyOf: [\(offsets)]) {",
        ]
        lines += creation(in: position, indent: indent + 2)
        lines += call(
          embedding.typeName, arguments, prefix: "\(local) = ", indent: indent + 2)
        lines.append("\(margin)}")
      } else {
        lines += creation(in: position, indent: indent)
        lines += call(embedding.typeName, arguments, prefix: "let \(local) = ", indent: indent)
      }
    }
    return lines
  }

  /// The offsets of all properties in an embedded struct: it is nil if none of them has a value.
  ///
  /// One that always has a value would do, until a later version makes it optional.
  private func offsets(in embedding: Int) -> [UInt32] {
    let members = members(of: embedding)
    return members.properties.map(\.offset) + members.embeddings.flatMap { offsets(in: $0) }
  }

  /// The value in objects from before a typed converter's member of an embedded struct, which the store cannot know.
  func typedInitial(of property: SourceProperty) -> String? {
    guard property.embedding != nil, !property.isOptional,
      case .converted(let converter, _, _) = property.form,
      converter.isTyped, converter != .uuid
    else { return nil }
    return property.initialText.map { "(\($0) as \(property.swiftType))" }
  }

  /// The value of a member that is not optional, in a struct that is: objects from before the member have it.
  ///
  /// Elsewhere the store has it for them; there null says that the struct is nil.
  func missingValue(of property: SourceProperty) -> String? {
    guard property.isInOptional, !property.isOptional else { return nil }
    switch property.form {
    case .value(.date):
      guard let value = property.declaredValue?.split(separator: " ").first else { return nil }
      let unit = property.storedType == .dateNano ? "1_000_000_000" : "1_000"
      return "Date(timeIntervalSince1970: Double(\(value)) / \(unit))"
    case .value:
      let text = property.declaredValue ?? property.initialText
      return text.flatMap { SourceProperty.zeros.contains($0) ? nil : "(\($0))" }
    case .rawValue(let type, _, let fallback):
      return property.initialText.flatMap { $0 == fallback ? nil : "(\($0) as \(type))" }
    case .converted(let converter, _, _):
      if converter.isTyped { return nil }
      if let value = property.declaredValue { return "\(converter.type).convert(\(value))" }
      return property.initialText.map { "(\($0) as \(property.swiftType))" }
    case .id, .toOne: return nil
    }
  }
}
