public import BoxConvert
package import BoxJSON
public import BoxModel
public import BoxReport

/// A change of the difference of two models.
package enum PlanCoverage: Hashable, Sendable {
  /// An element that was added or removed.
  case element(ElementKey)
  /// A field of an element that both models have.
  case field(ElementKey, Field)
  /// A key of the model as a whole.
  case root(String)
}

/// A place in a file.
public struct PlanPlace: Hashable, Sendable {
  /// The file as the user named it.
  public var path: String
  /// The region of the text.
  public var region: SourceRegion
  /// The line in which the region starts, cut around that start if it is long.
  package var sourceLine: SourceLine
}

/// One change of the model, and its effects.
public struct PlanStep: Hashable, Sendable {
  /// The rule that names the kind of change.
  public var rule: Rule
  /// The class: the more severe one of the targets of the plan.
  public var changeClass: ChangeClass
  /// The kind of the changed element; nil for the model as a whole.
  public var kind: ElementKind?
  /// The UID of the changed element: the old one if the element was removed; nil for the model as a
  /// whole.
  public var uid: UID?
  /// The name of the entity in the new model, or else in the old one.
  public var entity: String?
  /// The property or relation of the entity; nil for the entity itself.
  public var member: String?
  /// The name of the entity in the old model; nil where the entity is new.
  ///
  /// Settings name elements by it, since the new names are a part of what they judge.
  public var oldEntity: String?
  /// The name of the property or relation in the old model; nil where it is new.
  public var oldMember: String?
  /// The value or element before, in a few words.
  public var before: String?
  /// The value or element now, in a few words.
  public var after: String?
  /// The change, in one sentence without a trailing period.
  public var message: String
  /// The value that objects have which are stored already, as the generated code states it; nil if that is not
  /// known, or not for such objects.
  public internal(set) var constant: String?
  /// The effect on data, in one sentence without a trailing period.
  public var data: String
  /// The verdict for a store of this engine.
  public var engine: EngineVerdict
  /// The verdict for an ObjectBox store.
  public var objectBox: ObjectBoxVerdict
  /// The remedy, in one sentence without a trailing period; nil if nothing has to be done.
  public var remedy: String?
  /// For a change of type: the way to make it in two releases, and the converter of the values.
  public var conversion: TypeConversion?
  /// The edit of the new file that makes it a rename.
  package var fix: RenameFix?
  /// The counts in a store; nil if no store was counted.
  public var counts: DataCounts?
  /// The place in the old file.
  public var oldPlace: PlanPlace?
  /// The place in the new file.
  public var newPlace: PlanPlace?
  /// The changes of the difference that the step covers.
  package var covers: [PlanCoverage]

  /// The changed element; nil for the model as a whole.
  var element: ElementKey? {
    guard let kind, let uid else { return nil }
    return ElementKey(kind, uid)
  }

  /// The name of the changed element for people: `Note`, `Note.title`, `the model`.
  public var subject: String {
    guard let entity else { return "the model" }
    let name = member.map { "\(entity).\($0)" } ?? entity
    return kind == .index ? "index of \(name)" : name
  }

  /// The behaviour of the previous release with the result, by the worse of the two targets.
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
