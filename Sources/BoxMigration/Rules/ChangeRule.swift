package import BoxReport

/// A kind of change between two models, and what is known of it.
///
/// A new one is an entry in the extension for its kind of element, and in the list at the end of that file;
/// `docs/rules.md` is written from them. An extension of ``Planner`` says where it applies.
package struct ChangeRule: Hashable, Sendable {
  /// The id, the name and the severity; the severity follows from the more severe class of the two verdicts.
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
    objectBox: ObjectBoxVerdict, remedy: String? = nil, note: String? = nil
  ) {
    rule = Rule(
      id, name, summary, max(engine.changeClass, objectBox.changeClass).severity, note: note,
      remedy: remedy.map { Self.sentence($0) })
    self.data = data
    self.engine = engine
    self.objectBox = objectBox
    self.remedy = remedy
  }

  /// Every kind of change, by id.
  package static let all =
    entityRules + propertyRules + flagRules + indexRules + relationRules + identityRules
    + modelRules + declarationRules

  /// The rules under their heading of `docs/rules.md`.
  package static var section: RuleSection {
    RuleSection(
      "A change of model",
      """
      The steps that `boxjoint plan` prints. The class is the more severe one of the two kinds of databases; \
      `--target` selects one of them. A statement about ObjectBox is **confirmed** (messages of the runtime, or \
      reports of users, show it) or **documented** (the vendor or a maintainer says so). Otherwise it is \
      **unconfirmed**: no public source says so, and it is the outcome to expect. See [planning.md](planning.md) \
      for the classes, the gates and approvals.
      """,
      entries: all.sorted { $0.rule.id < $1.rule.id }.map(\.entry))
  }

  private var entry: RuleEntry {
    let warning = engine.openingRule.map { " (\($0.id))" } ?? ""
    return RuleEntry(
      rule, properties: ["Class: \(max(engine.changeClass, objectBox.changeClass).rawValue)."],
      points: [
        RuleEntry.Point("Data:", Self.sentence(data)),
        RuleEntry.Point(
          "BoxJoint:", "\(engine.changeClass.rawValue): \(engine.outcome)\(warning)."),
        RuleEntry.Point(
          "ObjectBox:",
          "\(objectBox.changeClass.rawValue), \(objectBox.grade.rawValue): \(objectBox.outcome) "
            + "(\(objectBox.source))."),
      ])
  }

  private static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + "."
  }

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
