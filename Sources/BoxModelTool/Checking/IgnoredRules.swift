internal import BoxModel
internal import BoxReport

/// The rules that the configuration leaves out.
struct IgnoredRules: Hashable, Sendable {
  private let ids: Set<String>

  /// Finds the rules that a setting names, by id or by name, whatever the case.
  ///
  /// - Throws: ``CommandFailure`` of the kind `badConfiguration` if the rule does not exist, or if
  ///   it is about unreadable files, which cannot be ignored.
  package init(_ setting: Setting) throws(CommandFailure) {
    var ids: Set<String> = []
    for entry in setting.entries {
      let word = entry.text.lowercased()
      let rule = ModelRule.all.first { $0.id.lowercased() == word || $0.name == word }
      guard let rule else {
        throw CommandFailure(
          .badConfiguration, "\(entry.origin.description): there is no rule '\(entry.text)'")
      }
      if [ModelRule.conflictMarkers, ModelRule.notJSON, ModelRule.notAModel].contains(rule) {
        throw CommandFailure(
          .badConfiguration,
          "\(entry.origin.description): \(rule.id) cannot be left out: such a file is not read")
      }
      ids.insert(rule.id)
    }
    self.ids = ids
  }

  func contains(_ rule: Rule) -> Bool { ids.contains(rule.id) }
}
