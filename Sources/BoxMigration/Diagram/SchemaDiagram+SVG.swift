internal import BoxReport

extension SchemaDiagram {
  /// The drawing as SVG, in the colours of the reader's system, light or dark.
  ///
  /// Entities are in columns of about equal height. The SVG loads nothing and runs no script.
  ///
  /// - Complexity: O(*n*) in the size of the drawing, and O(√*m*) in the entities for each of them.
  package func svg() -> String {
    let layout = DiagramLayout(self)
    let title = isDifference ? "Differences of two models" : "A model"
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(layout.width)\" "
        + "height=\"\(layout.height)\" viewBox=\"0 0 \(layout.width) \(layout.height)\" "
        + "role=\"img\" aria-label=\"\(title)\">",
      "<title>\(title)</title>", Self.style,
      "<rect class=\"paper\" width=\"\(layout.width)\" height=\"\(layout.height)\"/>",
    ]
    for (edge, path) in zip(edges, layout.edges) {
      lines.append(
        "<path class=\"edge \(edge.state.rawValue)\" d=\"\(path.curve)\"/>"
          + "<circle class=\"end \(edge.state.rawValue)\" cx=\"\(path.end.x)\" cy=\"\(path.end.y)\" "
          + "r=\"\(edge.isToMany ? 5 : 3)\"/>")
    }
    for (node, box) in zip(nodes, layout.boxes) { lines += Self.lines(node, box) }
    return (lines + ["</svg>"]).map { $0 + "\n" }.joined()
  }

  private static let style = """
    <style>
    text { font: 13px system-ui, sans-serif; fill: #1b1f24; }
    .paper { fill: #ffffff; } .box { fill: #f6f8fa; stroke: #57606a; } .head { fill: #e4e8ec; }
    .name { font-weight: 600; } .type { fill: #57606a; }
    .edge { fill: none; stroke: #57606a; stroke-width: 1.5; } .end { fill: #57606a; }
    .head.added, .row.added { fill: #c5f2cf; } .head.removed, .row.removed { fill: #ffd9d6; }
    .head.changed, .row.changed { fill: #ffebb0; } .edge.added { stroke: #116329; }
    .edge.removed { stroke: #b3151c; stroke-dasharray: 5 4; } .edge.changed { stroke: #7a4d00; }
    .end.added { fill: #116329; } .end.removed { fill: #b3151c; } .end.changed { fill: #7a4d00; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; } .paper { fill: #0d1117; } .box { fill: #161b22; stroke: #6e7781; }
      .head { fill: #26303b; } .type { fill: #9ca7b3; }
      .edge { stroke: #9ca7b3; } .end { fill: #9ca7b3; }
      .head.added, .row.added { fill: #12401f; } .head.removed, .row.removed { fill: #571d20; }
      .head.changed, .row.changed { fill: #4d3808; } .edge.added { stroke: #7ee08f; }
      .edge.removed { stroke: #ff8b85; } .edge.changed { stroke: #f0c264; }
    }
    </style>
    """

  private static func lines(_ node: Node, _ box: DiagramLayout.Box) -> [String] {
    let row = DiagramLayout.rowHeight
    let (x, y) = (box.x, box.y)
    let width = DiagramLayout.boxWidth
    var lines = [
      "<rect class=\"box\" x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(box.height)\"/>",
      "<rect class=\"head \(node.state.rawValue)\" x=\"\(x + 1)\" y=\"\(y + 1)\" "
        + "width=\"\(width - 2)\" height=\"\(row)\"/>",
      "<text class=\"name\" x=\"\(x + 8)\" y=\"\(y + row - 7)\">"
        + "\(shown(node.state.sign + node.name, 30))</text>",
    ]
    for (number, attribute) in node.rows.enumerated() {
      let top = y + (number + 1) * row
      if attribute.state != .same {
        lines.append(
          "<rect class=\"row \(attribute.state.rawValue)\" x=\"\(x + 1)\" y=\"\(top + 1)\" "
            + "width=\"\(width - 2)\" height=\"\(row - 1)\"/>")
      }
      lines.append(
        "<text x=\"\(x + 8)\" y=\"\(top + row - 7)\">"
          + "\(shown(attribute.state.sign + attribute.name, 18))</text>"
          + "<text class=\"type\" x=\"\(x + width - 8)\" y=\"\(top + row - 7)\" "
          + "text-anchor=\"end\">\(shown(attribute.words, 16))</text>")
    }
    return lines
  }

  /// A name that fits into a box.
  private static func shown(_ name: String, _ limit: Int) -> String {
    (name.count > limit ? name.prefix(limit - 1) + "…" : name[...]).description.escapedForHTML
  }
}

/// The positions of the parts of a drawing.
struct DiagramLayout {
  struct Point: Hashable {
    var x: Int
    var y: Int
  }

  struct Box {
    var x: Int
    var y: Int
    var height: Int
  }

  struct EdgePath {
    var curve: String
    var end: Point
  }

  static let rowHeight = 24
  static let boxWidth = 264
  private static let gap = 96
  private static let margin = 24

  private(set) var boxes: [Box] = []
  private(set) var edges: [EdgePath] = []
  private(set) var width: Int
  private(set) var height: Int

  init(_ diagram: SchemaDiagram) {
    let heights = diagram.nodes.map { ($0.rows.count + 1) * Self.rowHeight }
    let total = heights.reduce(0) { $0 + $1 + Self.rowHeight }
    // About as wide as high.
    var columns = 1
    let step = Self.boxWidth + Self.gap
    while columns < max(1, diagram.nodes.count), columns * step * columns * 3 < total * 4 {
      columns += 1
    }
    var bottoms = [Int](repeating: Self.margin, count: columns)
    for height in heights {
      let column = bottoms.indices.min { bottoms[$0] < bottoms[$1] } ?? 0
      boxes.append(Box(x: Self.margin + column * step, y: bottoms[column], height: height))
      bottoms[column] += height + Self.rowHeight * 3 / 2
    }
    width = Self.margin * 2 + columns * step - Self.gap + Self.gap / 2
    height = (bottoms.max() ?? 0) + Self.margin
    var used: [Point: Int] = [:]
    let linkRows = diagram.nodes.map(\.linkRows)
    for edge in diagram.edges { edges.append(path(edge, linkRows[edge.from][edge.name], &used)) }
  }

  private func path(
    _ edge: SchemaDiagram.Edge, _ row: Int?, _ used: inout [Point: Int]
  ) -> EdgePath {
    let (a, b) = (boxes[edge.from], boxes[edge.to])
    let startY = a.y + (row.map { ($0 + 1) * Self.rowHeight } ?? 0) + Self.rowHeight / 2
    let isRight = b.x > a.x
    let isSameColumn = b.x == a.x
    let start = Point(x: isRight || isSameColumn ? a.x + Self.boxWidth : a.x, y: startY)
    var end = Point(
      x: isSameColumn ? b.x + Self.boxWidth : isRight ? b.x : b.x + Self.boxWidth,
      y: b.y + Self.rowHeight / 2)
    // Several that end at one entity end one below the other.
    let taken = used[end, default: 0]
    used[end] = taken + 1
    end.y += min(taken, 8) * 6
    let reach = isSameColumn ? 40 + min(taken, 8) * 6 : Self.gap * 2 / 3
    let first = start.x + (isRight || isSameColumn ? reach : -reach)
    let second = end.x + (isSameColumn ? reach : isRight ? -reach : reach)
    return EdgePath(
      curve: "M\(start.x) \(start.y) C\(first) \(start.y) \(second) \(end.y) \(end.x) \(end.y)",
      end: end)
  }
}
