public import BoxJSON
public import BoxModel
public import BoxReport

/// A change of the difference of two models.
public enum PlanCoverage: Hashable, Sendable {
  /// An element that was added or removed.
  case element(ElementKey)
  /// A field of an element that both models have.
  case field(ElementKey, Field)
  /// A key of the model as a whole.
  case root(String)
}

/// Where something stands in a file.
public struct PlanPlace: Hashable, Sendable {
  /// The file as the user named it.
  public var path: String
  /// The stretch of the text.
  public var region: SourceRegion
  /// The line that it starts in, cut around its start if it is long.
  public var sourceLine: SourceLine
}

/// One change of model, and what it means.
public struct PlanStep: Hashable, Sendable {
  /// The rule that names the kind of change.
  public var rule: Rule
  /// The class, the graver one of the targets of the plan.
  public var changeClass: ChangeClass
  /// What changed; nil for the model as a whole.
  public var kind: ElementKind?
  /// The UID of what changed: the old one where it was removed; nil for the model as a whole.
  public var uid: UID?
  /// The entity: by its name in the new model if it is there.
  public var entity: String?
  /// The property or relation of the entity; nil for the entity itself.
  public var member: String?
  /// The name of the entity in the old model; nil where the entity is new.
  ///
  /// Settings name elements by it, since the new names are a part of what they judge.
  public var oldEntity: String?
  /// The name of the property or relation in the old model; nil where it is new.
  public var oldMember: String?
  /// What there was before, in a few words.
  public var before: String?
  /// What there is now, in a few words.
  public var after: String?
  /// What happened, one sentence without a trailing period.
  public var message: String
  /// What happens to data, one sentence without a trailing period.
  public var data: String
  /// What happens in a store of this engine.
  public var engine: EngineVerdict
  /// What happens in an ObjectBox store.
  public var objectBox: ObjectBoxVerdict
  /// What to do about it, one sentence without a trailing period.
  public var remedy: String?
  /// For a change of type: how to do it in two releases, and what carries the values over.
  public var conversion: TypeConversion?
  /// The edit of the new file that makes it a rename.
  public var fix: RenameFix?
  /// What is in a store; nil where no store was looked into.
  public var counts: DataCounts?
  /// Where it stands in the old file.
  public var oldPlace: PlanPlace?
  /// Where it stands in the new file.
  public var newPlace: PlanPlace?
  /// The changes of the difference that the step stands for.
  public var covers: [PlanCoverage]

  /// What people call what changed: `Note`, `Note.title`, `the model`.
  public var subject: String {
    guard let entity else { return "the model" }
    let name = member.map { "\(entity).\($0)" } ?? entity
    return kind == .index ? "index of \(name)" : name
  }

  /// Whether the previous release can open the result, by the worse of the two targets.
  public func rollback(_ targets: Set<PlanTarget>) -> Rollback {
    let verdicts = [
      targets.contains(.boxjoint) ? engine.rollback : nil,
      targets.contains(.objectbox) ? objectBox.rollback : nil,
    ].compactMap { $0 }
    for worst in [Rollback.untouched, .refused, .unknown] where verdicts.contains(worst) {
      return worst
    }
    return .opens
  }
}
