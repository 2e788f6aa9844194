internal import BoxModel
internal import BoxReport

extension SchemaDiagram {
  /// The drawing as an entity relationship diagram in Mermaid's language.
  ///
  /// Mermaid allows few characters in the names of attributes. Others become underscores, and the
  /// name itself is in the comment after it.
  ///
  /// - Complexity: O(*n*) in the size of the drawing.
  package func mermaid() -> String {
    var lines = ["erDiagram"]
    for (number, node) in nodes.enumerated() {
      let label = node.state.sign + (node.name.isEmpty ? "unnamed" : node.name)
      let style = node.state == .same ? "" : ":::\(node.state.rawValue)"
      let head = "  e\(number)[\"\(label.escapedForMermaid)\"]\(style)"
      if node.attributes.isEmpty {
        lines.append(head)
        continue
      }
      lines.append(head + " {")
      lines += node.attributes.map { "    " + Self.line($0) }
      lines.append("  }")
    }
    for edge in edges {
      let arrow = edge.isToMany ? "}o--o{" : "}o--o|"
      let label = (edge.state.sign + edge.name).escapedForMermaid
      lines.append("  e\(edge.from) \(arrow) e\(edge.to) : \"\(label)\"")
    }
    if isDifference {
      lines += [
        "  classDef added fill:#dafbe1,stroke:#116329,color:#1b1f24",
        "  classDef removed fill:#ffebe9,stroke:#b3151c,color:#1b1f24",
        "  classDef changed fill:#fff4d1,stroke:#7a4d00,color:#1b1f24",
      ]
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func line(_ attribute: Attribute) -> String {
    let identifier = attribute.name.mermaidIdentifier
    var text = "\(attribute.type.mermaidIdentifier) \(identifier)"
    var keys: [String] = []
    if attribute.isID { keys.append("PK") }
    if attribute.isLink { keys.append("FK") }
    if attribute.isUnique { keys.append("UK") }
    if !keys.isEmpty { text += " " + keys.joined(separator: ", ") }
    let comment =
      attribute.state == .same ? "" : attribute.state.rawValue
    let name = identifier == attribute.name ? "" : attribute.name
    let both = [comment, name].filter { !$0.isEmpty }.joined(separator: ": ")
    if !both.isEmpty { text += " \"\(both.escapedForMermaid)\"" }
    return text
  }
}
