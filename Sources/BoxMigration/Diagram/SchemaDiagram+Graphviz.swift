internal import BoxReport

extension SchemaDiagram {
  /// The drawing as a graph in the language of Graphviz.
  ///
  /// - Complexity: O(*n*) in the size of the drawing.
  package func graphviz() -> String {
    var lines = [
      "digraph model {", "  rankdir=LR;", "  node [shape=plain, fontname=\"sans-serif\"];",
      "  edge [fontname=\"sans-serif\", fontsize=10];",
    ]
    for (number, node) in nodes.enumerated() {
      let color = Self.fill(node.state)
      var rows =
        "<TR><TD COLSPAN=\"2\" BGCOLOR=\"\(color)\"><B>\(Self.text(node.state.sign + node.name))</B></TD></TR>"
      for attribute in node.rows {
        let fill = attribute.state == .same ? "" : " BGCOLOR=\"\(Self.fill(attribute.state))\""
        rows +=
          "<TR><TD ALIGN=\"LEFT\"\(fill)>\(Self.text(attribute.state.sign + attribute.name))</TD>"
          + "<TD ALIGN=\"LEFT\"\(fill)>\(Self.text(attribute.words))</TD></TR>"
      }
      lines.append(
        "  e\(number) [label=<<TABLE BORDER=\"0\" CELLBORDER=\"1\" CELLSPACING=\"0\" "
          + "CELLPADDING=\"4\">\(rows)</TABLE>>];")
    }
    for edge in edges {
      let head = edge.isToMany ? "crow" : "normal"
      let style = edge.state == .removed ? ", style=dashed" : ""
      lines.append(
        "  e\(edge.from) -> e\(edge.to) [label=<\(Self.text(edge.state.sign + edge.name))>, "
          + "arrowhead=\(head), color=\"\(Self.line(edge.state))\"\(style)];")
    }
    return (lines + ["}"]).map { $0 + "\n" }.joined()
  }

  /// Text inside of a label; an empty one would be an error.
  private static func text(_ name: String) -> String {
    name.isEmpty ? " " : name.escapedForHTML
  }

  private static func fill(_ state: State) -> String {
    switch state {
    case .same: "#f0f2f5"
    case .added: "#dafbe1"
    case .removed: "#ffebe9"
    case .changed: "#fff4d1"
    }
  }

  private static func line(_ state: State) -> String {
    switch state {
    case .same: "#57606a"
    case .added: "#116329"
    case .removed: "#b3151c"
    case .changed: "#7a4d00"
    }
  }
}
