/// The program that a report is from.
public struct ToolInfo: Hashable, Sendable {
  /// The name of the program.
  public var name: String
  /// The version of the program.
  public var version: String
  /// Where the program is described, or nil.
  public var informationURI: String?
  /// The address that becomes that of a rule's page when the rule's id in lower case is appended,
  /// such as `https://example.org/rules#`, or nil.
  public var ruleHelpURIPrefix: String?

  /// Creates the description of a program.
  public init(
    name: String = "boxjoint", version: String, informationURI: String? = nil,
    ruleHelpURIPrefix: String? = nil
  ) {
    self.name = name
    self.version = version
    self.informationURI = informationURI
    self.ruleHelpURIPrefix = ruleHelpURIPrefix
  }

  /// The address of a rule's page, or nil if it is not known.
  public func helpURI(of rule: Rule) -> String? {
    ruleHelpURIPrefix.map { $0 + rule.id.lowercased() }
  }
}
