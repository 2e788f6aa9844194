package import BoxReport

/// A kind of change between two models, and what is known of it.
///
/// `docs/rules.md` has an entry for each. A new one is an entry in the extension for its kind of element, in the list
/// at the end of that file, and in `docs/rules.md`; an extension of ``Planner`` says where it applies.
package struct ChangeRule: Hashable, Sendable {
  /// The id, the name and the severity; the severity is that of the more severe class of the two
  /// verdicts.
  package let rule: Rule
  /// The effect on data, in one sentence without a trailing period.
  package let data: String
  /// The verdict for a store of this engine.
  package let engine: EngineVerdict
  /// The verdict for an ObjectBox store.
  package let objectBox: ObjectBoxVerdict
  /// The remedy; nil if nothing has to be done.
  package let remedy: String?

  init(
    _ id: String, _ name: String, _ summary: String, data: String, engine: EngineVerdict,
    objectBox: ObjectBoxVerdict, remedy: String? = nil
  ) {
    let changeClass = max(engine.changeClass, objectBox.changeClass)
    rule = Rule(id: id, name: name, summary: summary, severity: changeClass.severity)
    self.data = data
    self.engine = engine
    self.objectBox = objectBox
    self.remedy = remedy
  }

  /// Every kind of change, by id.
  package static let all =
    entityRules + propertyRules + flagRules + indexRules + relationRules + identityRules
    + modelRules

  /// The removals of elements that the line of the new model never had.
  package static let neverHad: Set<Rule> = [
    entityNeverHad.rule, propertyNeverHad.rule, relationNeverHad.rule,
  ]

  /// Every kind of change by its name.
  static let named = Dictionary(uniqueKeysWithValues: all.map { ($0.rule.name, $0) })
}

extension ChangeClass {
  /// The default severity of a step of the class.
  package var severity: Severity {
    switch self {
    case .dataLoss, .reinterpretation, .openFailure: .error
    case .latent, .dataHidden, .noRollback: .warning
    case .cost, .safe: .note
    }
  }
}

/// The sources of the verdicts on ObjectBox stores.
enum Source {
  static let updates = "ObjectBox documentation, Data Model Updates"
  static let metaModel = "ObjectBox documentation, Meta Model, IDs and UIDs"
  static let troubleshooting = "ObjectBox documentation, Troubleshooting"
  static let header = "objectbox.h, contract of the C API"
  static let generator = "tests of the ObjectBox generators"
  static let none = "no public evidence"

  static func issues(_ names: String) -> String { "reports of users: \(names)" }
}
