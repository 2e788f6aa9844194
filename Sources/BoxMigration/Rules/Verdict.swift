internal import BoxEngine
public import BoxReport

/// The quality of the evidence for the behaviour of an ObjectBox store.
public enum EvidenceGrade: String, Hashable, Sendable, CaseIterable {
  /// Messages of the runtime, or reports of users, show it.
  case confirmed
  /// The vendor's documentation or a maintainer says so.
  case documented
  /// No public evidence exists: it is the behaviour to be prepared for.
  case unconfirmed
}

/// The behaviour of the previous release with a store that the new one has opened.
public enum Rollback: String, Hashable, Sendable, CaseIterable {
  /// The previous release opens the result, and sees the data that it knew.
  case opens
  /// The previous release is refused.
  case refused
  /// The new release could not open the store, which is as it was.
  case untouched
  /// No public evidence exists.
  case unknown
}

/// The effect of a change in a store of this engine.
public struct EngineVerdict: Hashable, Sendable {
  /// The class of the change.
  public var changeClass: ChangeClass
  /// The effect, in one sentence without a trailing period.
  public var outcome: String
  /// The behaviour of the previous release with the result.
  public var rollback: Rollback
  /// The rule of ``OpeningRule`` by which the engine refuses, or warns; nil if it does neither.
  public var openingRule: Rule?

  init(
    _ changeClass: ChangeClass, _ outcome: String, _ rollback: Rollback = .opens,
    rule: Rule? = nil
  ) {
    self.changeClass = changeClass
    self.outcome = outcome
    self.rollback = rollback
    openingRule = rule
  }

  /// Whether the engine refuses because stored values have another type or sign.
  var refusesStoredForm: Bool {
    openingRule == OpeningRule.typeChanged || openingRule == OpeningRule.signChanged
  }
}

/// The effect of a change in an ObjectBox store, as far as public evidence shows it.
public struct ObjectBoxVerdict: Hashable, Sendable {
  /// The class of the change.
  public var changeClass: ChangeClass
  /// The effect, in one sentence without a trailing period.
  public var outcome: String
  /// The behaviour of the previous release with the result.
  public var rollback: Rollback
  /// The quality of the evidence.
  public var grade: EvidenceGrade
  /// The source of the evidence.
  public var source: String

  init(
    _ changeClass: ChangeClass, _ outcome: String, _ rollback: Rollback, _ grade: EvidenceGrade,
    _ source: String
  ) {
    self.changeClass = changeClass
    self.outcome = outcome
    self.rollback = rollback
    self.grade = grade
    self.source = source
  }
}

/// The databases that a plan is made for.
public enum PlanTarget: String, Hashable, Sendable, CaseIterable {
  /// Stores of this engine.
  case boxjoint
  /// ObjectBox stores.
  case objectbox
}
