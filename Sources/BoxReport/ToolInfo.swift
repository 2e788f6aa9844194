/// The program that a report is from.
package struct ToolInfo: Hashable, Sendable {
  /// The version of the programs and libraries of this package.
  ///
  /// Besides this constant, only `docs/changelog.md`, which needs a section for it, and examples of the docs
  /// contain it.
  package static let currentVersion = "0.2.0"

  /// The name of the program.
  package var name: String
  /// The version of the program.
  package var version: String
  /// The address of a page about the program, or nil.
  package var informationURI: String?
  /// The prefix of the address of a rule's page, or nil.
  ///
  /// The rule's id in lower case is appended to it: `https://example.org/rules#` is such a prefix.
  package var ruleHelpURIPrefix: String?

  /// Creates the description of a program.
  package init(
    name: String = "boxjoint", version: String, informationURI: String? = nil,
    ruleHelpURIPrefix: String? = nil
  ) {
    self.name = name
    self.version = version
    self.informationURI = informationURI
    self.ruleHelpURIPrefix = ruleHelpURIPrefix
  }

  /// The address of a rule's page, or nil if it is not known.
  package func helpURI(of rule: Rule) -> String? {
    ruleHelpURIPrefix.map { $0 + rule.id.lowercased() }
  }
}
