import BoxReport

extension Model {
  /// The model as an entity relationship diagram in Mermaid's language.
  ///
  /// Mermaid allows few characters in the names of attributes: others become underscores, and the
  /// name itself follows as a comment.
  ///
  /// - Complexity: O(*n*) in the size of the model.
  package func mermaid() -> String {
    let lookup = ModelLookup(self)
    var lines = ["erDiagram"]
    for (e, entity) in entities.enumerated() {
      let label = entity.name.isEmpty ? "unnamed" : entity.name.escapedForMermaid
      guard !entity.properties.isEmpty else {
        lines.append("  e\(e)[\"\(label)\"]")
        continue
      }
      lines.append("  e\(e)[\"\(label)\"] {")
      lines += entity.properties.map { "    " + Self.attribute($0) }
      lines.append("  }")
    }
    for (e, entity) in entities.enumerated() {
      for property in entity.properties {
        guard let name = property.relationTarget, let target = lookup.entity(named: name) else {
          continue
        }
        lines.append("  e\(e) }o--o| e\(target) : \"\(property.name.escapedForMermaid)\"")
      }
      for relation in entity.relations ?? [] {
        guard let target = lookup.entity(relation.target.uid) else { continue }
        lines.append("  e\(e) }o--o{ e\(target) : \"\(relation.name.escapedForMermaid)\"")
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func attribute(_ property: Property) -> String {
    let type = property.type?.description ?? "unknown"
    let identifier = property.name.mermaidIdentifier
    var text = "\(type.mermaidIdentifier) \(identifier)"
    var keys: [String] = []
    if property.flags.contains(.id) { keys.append("PK") }
    if property.relationTarget != nil { keys.append("FK") }
    if property.flags.contains(.unique) { keys.append("UK") }
    if !keys.isEmpty { text += " " + keys.joined(separator: ", ") }
    if identifier != property.name { text += " \"\(property.name.escapedForMermaid)\"" }
    return text
  }
}

extension String {
  /// The text for a string in quotes: characters with a meaning in Mermaid, Markdown or HTML become
  /// numbered entities.
  package var escapedForMermaid: String {
    var result = ""
    for scalar in escapedForDisplay.unicodeScalars {
      switch scalar {
      case "\"", "#", ";", "<", ">", "&", "%", "`", "\\", "*", "_", "[", "]", "{", "}":
        result += "#\(scalar.value);"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The text with everything but ASCII letters, digits and underscores replaced.
  package var mermaidIdentifier: String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "_": result.unicodeScalars.append(scalar)
      default: result += "_"
      }
    }
    let startsWithLetter = result.unicodeScalars.first.map { !("0"..."9").contains($0) } ?? false
    return startsWithLetter ? result : "_" + result
  }
}
