/// The reason of a rule, an example that breaks it, and what to do then, in the Markdown of `docs/rules.md`.
///
/// An object: findings carry their rules, which stay as small as they are.
package final class RuleHelp: Sendable {
  /// A sentence or more after the severity; nil if there is nothing to add.
  package let note: String?
  /// The reason why the rule exists.
  package let reason: String?
  /// A line of a file, or a message, that breaks the rule.
  package let example: String?
  /// The instruction for whoever gets the finding.
  package let remedy: String?
  /// The effect of `--fix`; nil if the command has no such option.
  package let fix: String?

  init(note: String?, reason: String?, example: String?, remedy: String?, fix: String?) {
    self.note = note
    self.reason = reason
    self.example = example
    self.remedy = remedy
    self.fix = fix
  }
}

extension Rule {
  /// Creates a rule with its entry in `docs/rules.md`, which `scripts/documentation rules` writes.
  package init(
    _ id: String, _ name: String, _ summary: String, _ severity: Severity = .error,
    note: String? = nil,
    reason: String? = nil, example: String? = nil, remedy: String? = nil, fix: String? = nil
  ) {
    self.init(id: id, name: name, summary: summary, severity: severity)
    help = RuleHelp(note: note, reason: reason, example: example, remedy: remedy, fix: fix)
  }
}
