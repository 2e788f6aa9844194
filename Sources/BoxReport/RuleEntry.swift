/// A rule as `docs/rules.md` and `--explain` show it.
package struct RuleEntry: Sendable {
  /// A labelled text of an entry, in Markdown.
  package struct Point: Sendable {
    let label: String
    let text: String

    package init(_ label: String, _ text: String) {
      self.label = label
      self.text = text
    }
  }

  /// The rule.
  package let rule: Rule
  private let properties: [String]
  private let points: [Point]

  /// Creates the entry of a rule, from its help unless it has points of its own.
  ///
  /// `properties` are sentences that precede the severity.
  package init(_ rule: Rule, properties: [String] = [], points: [Point] = []) {
    self.rule = rule
    self.properties = properties
    let fixed = [
      ("Why:", rule.help?.reason), ("Example:", rule.help?.example),
      ("What to do:", rule.help?.remedy),
      ("`--fix`", rule.help?.fix),
    ]
    self.points = points + fixed.compactMap { label, text in text.map { Point(label, $0) } }
  }

  private var paragraph: String {
    ([rule.summary + "."] + properties + ["Severity: \(rule.severity)."]
      + [rule.help?.note].compactMap { $0 })
      .joined(separator: " ")
  }

  /// The entry in Markdown, in lines of at most `width` columns where words allow it.
  package func markdown(width: Int) -> String {
    let body = points.map { "- \($0.label) \($0.text)".brokenIntoLines(width, indent: "  ") + "\n" }
      .joined()
    return "### \(rule.id) \(rule.name)\n\n" + paragraph.brokenIntoLines(width) + "\n"
      + (body.isEmpty ? "" : "\n" + body)
  }

  /// The entry for a terminal of `width` columns.
  package func text(width: Int) -> String {
    let body = points.map {
      "\($0.label) \($0.text)".withoutLinks.brokenIntoLines(width, indent: "  ") + "\n"
    }
    return "\(rule.id) \(rule.name)\n" + paragraph.withoutLinks.brokenIntoLines(width) + "\n"
      + body.joined()
  }
}

/// Entries under a heading of `docs/rules.md`.
package struct RuleSection: Sendable {
  /// The heading.
  package let title: String
  /// The paragraph in front of the entries, in Markdown; may be empty.
  package let introduction: String
  /// The entries, in the order of the page.
  package let entries: [RuleEntry]

  package init(_ title: String, _ introduction: String = "", entries: [RuleEntry]) {
    self.title = title
    self.introduction = introduction
    self.entries = entries
  }

  package init(_ title: String, _ introduction: String = "", rules: [Rule]) {
    self.init(title, introduction, entries: rules.map { RuleEntry($0) })
  }

  /// The rules of the entries.
  package var rules: [Rule] { entries.map(\.rule) }

  /// The section of the page, in Markdown.
  package var markdown: String {
    let width = 100
    let head = introduction.isEmpty ? "" : introduction.brokenIntoLines(width) + "\n\n"
    return "## \(title)\n\n" + head
      + entries.map { $0.markdown(width: width) }.joined(separator: "\n")
  }
}

extension String {
  /// The text in lines of at most `width` columns, all but the first of which begin with `indent`.
  fileprivate func brokenIntoLines(_ width: Int, indent: String = "") -> String {
    var lines: [String] = []
    var line = ""
    for word in words {
      if line.isEmpty {
        line = word
      } else if line.count + 1 + word.count <= width {
        line += " " + word
      } else {
        lines.append(line)
        line = indent + word
      }
    }
    return (lines + [line]).joined(separator: "\n")
  }

  /// The words between spaces; code in backquotes is one word unless it is long.
  private var words: [String] {
    let words = split(separator: " ").map(String.init)
    func opens(_ word: String) -> Bool { word.count { $0 == "`" } % 2 == 1 }
    var result: [String] = []
    var index = words.startIndex
    while index < words.endIndex {
      var end = index + 1
      if opens(words[index]), let last = words[end...].firstIndex(where: opens),
        words[index...last].joined(separator: " ").count <= 60
      {
        end = last + 1
      }
      result.append(words[index..<end].joined(separator: " "))
      index = end
    }
    return result
  }

  /// The text with the label of each link in place of the link.
  fileprivate var withoutLinks: String {
    let parts = split(separator: "[", omittingEmptySubsequences: false)
    var result = String(parts.first ?? "")
    for part in parts.dropFirst() {
      if let label = part.firstIndex(of: "]"), part[label...].hasPrefix("]("),
        let end = part[label...].firstIndex(of: ")")
      {
        result += part[..<label] + part[part.index(after: end)...]
      } else {
        result += "[" + part
      }
    }
    return result
  }
}
