/// The rules of a program, which it explains.
package struct RuleCatalogue: Sendable {
  /// The rules under the headings of `docs/rules.md`.
  package let sections: [RuleSection]

  package init(_ sections: [RuleSection]) { self.sections = sections }

  /// The part of `docs/rules.md` with the rules, in Markdown.
  package var markdown: String { sections.map(\.markdown).joined(separator: "\n") }

  /// The entries of the rules that have an id or a name, whatever the case.
  package func entries(of word: String) -> [RuleEntry] {
    let word = word.lowercased()
    return sections.flatMap(\.entries).filter {
      $0.rule.id.lowercased() == word || $0.rule.name == word
    }
  }

  /// The id or the name that a misspelled one most likely means, or nil if none is close.
  package func nearest(to word: String) -> String? {
    let rules = sections.flatMap(\.rules)
    return nearestName(to: word, among: rules.map(\.id) + rules.map(\.name))
  }
}
