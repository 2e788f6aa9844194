/// Prints findings as compilers do, for people and for editors that read such lines.
struct TextPrinter {
  let style: TextStyle

  func print(_ report: Report) -> String {
    var lines = report.orderedFindings.flatMap(lines(for:))
    lines += report.omitted.map {
      "\($0.path.escapedForDisplay): \($0.sentence(report.limitOption))"
    }
    lines.append(report.summary.sentence)
    return lines.joined(separator: "\n") + "\n"
  }

  /// The first line of a finding: place, severity, message and rule.
  func headline(of finding: Finding) -> String {
    let place = paint(finding.displayPlace + ":", .bold)
    let severity = paint(finding.severity.rawValue + ":", finding.severity.paint)
    let message = paint(finding.message.escapedForDisplay, .bold)
    return "\(place) \(severity) \(message) [\(finding.rule.displayTitle)]"
  }

  private func lines(for finding: Finding) -> [String] {
    var lines = [headline(of: finding)]
    if let region = finding.region, let source = finding.sourceLine {
      let end = region.endLine > region.line ? Int.max : region.endColumn
      let excerpt = SourceExcerpt(
        source, columns: region.column..<max(region.column, end),
        width: (style.width ?? 120) - Self.margin.utf8.count)
      lines.append(Self.margin + excerpt.line)
      lines.append(Self.margin + paint(caret: excerpt.marker))
    }
    if let advice = finding.advice {
      lines.append("\(Self.margin)help: \(advice.escapedForDisplay)")
    }
    if let fix = finding.fixSentence { lines.append(Self.margin + fix) }
    return lines
  }

  private static let margin = "  "

  private func paint(caret marker: String) -> String {
    guard let start = marker.firstIndex(of: "^") else { return marker }
    return marker[..<start] + paint(String(marker[start...]), .caret)
  }

  private func paint(_ text: String, _ paint: Paint) -> String {
    style.color ? paint.applied(to: text) : text
  }
}

extension Finding {
  /// `path:line:column`, or the path alone, ready to be shown.
  var displayPlace: String {
    let path = path.escapedForDisplay
    return region.map { "\(path):\($0.line):\($0.column)" } ?? path
  }
}

extension Rule {
  /// The id and the name, ready to be shown.
  var displayTitle: String { "\(id) \(name)".escapedForDisplay }
}
