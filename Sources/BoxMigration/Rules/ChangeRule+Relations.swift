internal import BoxEngine
internal import BoxModel

extension ChangeRule {
  /// A to-many relation is new.
  static let relationAdded = ChangeRule(
    "BOX361", "relation-added", "A relation to many is new",
    data: "it has no links at first",
    engine: EngineVerdict(
      .safe, "it opens; the previous release opens it again and keeps the links"),
    objectBox: ObjectBoxVerdict(
      .noRollback, "it opens; the previous release is refused, as its lastRelationId is lower",
      .refused, .documented, Source.troubleshooting),
    remedy: "release it when you will not have to go back to the previous version")
  /// A to-many relation was removed, and its UID retired.
  static let relationRemoved = ChangeRule(
    "BOX362", "relation-removed", "A relation to many was removed, and its UID retired",
    data: "its links can no longer be reached",
    engine: EngineVerdict(
      .dataHidden, "its links are hidden, and kept until a purge; its UID brings them back"),
    objectBox: ObjectBoxVerdict(
      .dataLoss, "its links are likely to be discarded", .unknown, .unconfirmed, Source.none),
    remedy: "export the links first if they may be needed, and approve the removal")
  /// A to-many relation was removed, and its UID is not retired.
  static let relationForgotten = ChangeRule(
    "BOX363", "relation-forgotten", "A relation to many was removed, and its UID is not retired",
    data: "its links can no longer be reached",
    engine: EngineVerdict(
      .dataHidden, "its links are hidden, and opening warns: its UID is not retired",
      rule: OpeningRule.hiddenNotRetired),
    objectBox: ObjectBoxVerdict(
      .dataLoss, "its links are likely to be discarded", .unknown, .unconfirmed, Source.none),
    remedy: "restore the relation if it was lost in a merge; otherwise retire its UID, as "
      + "`boxjoint check --fix --against OLD FILE` does")
  /// A to-many relation is missing because the new model does not come from the old one.
  static let relationNeverHad = ChangeRule(
    "BOX364", "relation-never-had", "The new model does not come from one that had the relation",
    data: "its links can no longer be reached",
    engine: EngineVerdict(
      .dataHidden, "its links are hidden, and opening warns: its UID is not retired",
      rule: OpeningRule.hiddenNotRetired),
    objectBox: ObjectBoxVerdict(
      .openFailure, "the store is refused: \"DB's last relation ID is higher than from model\"",
      .untouched, .documented, Source.troubleshooting),
    remedy: "merge the version that has the relation, or continue from it")
  /// A to-many relation has another name.
  static let relationRenamed = ChangeRule(
    "BOX365", "relation-renamed", "A relation to many has another name, and the same UID",
    data: "all data stays",
    engine: EngineVerdict(.safe, "it opens: relations are known by their UIDs"),
    objectBox: ObjectBoxVerdict(
      .safe, "it opens, and the links stay", .opens, .documented, Source.generator))
  /// A to-many relation has another id.
  static let relationRenumbered = ChangeRule(
    "BOX366", "relation-renumbered", "A relation to many has another id, and the same UID",
    data: "all data stays where the store opens",
    engine: EngineVerdict(.safe, StoreOutcome.renumbered(.relation).boxjoint),
    objectBox: ObjectBoxVerdict(
      .openFailure, StoreOutcome.renumbered(.relation).objectBox, .unknown, .unconfirmed,
      Source.none),
    remedy: "restore the id; after a merge that had to renumber, try it with a database of the "
      + "branch that lost its number")
  /// A relation has another target entity.
  static let targetChanged = ChangeRule(
    "BOX367", "target-changed", "A relation refers to another entity, and has the same UID",
    data: "stored ids would refer to other objects",
    engine: EngineVerdict(
      .openFailure, StoreOutcome.targetChanged.boxjoint, .untouched, rule: OpeningRule.targetChanged
    ),
    objectBox: ObjectBoxVerdict(
      .reinterpretation, StoreOutcome.targetChanged.objectBox, .unknown, .unconfirmed,
      Source.none),
    remedy: "give the relation a new UID, so that it starts without links")
  /// A file that names no target is followed by one that does.
  static let targetStated = ChangeRule(
    "BOX368", "target-stated", "A file that names no target is followed by one that does",
    data: "all data stays if the target is the one that it was",
    engine: EngineVerdict(
      .safe, "no store can have been created from a model without targets"),
    objectBox: ObjectBoxVerdict(
      .safe, "files of 2018 to 2020 name no targets; it is the one that the sources have", .opens,
      .unconfirmed, Source.none),
    remedy: "compare the target with the sources of the previous release")
  /// A to-many relation belongs to another entity.
  static let relationMoved = ChangeRule(
    "BOX369", "relation-moved", "A relation to many belongs to another entity",
    data: "its links stay with the old entity",
    engine: EngineVerdict(
      .openFailure, StoreOutcome.moved.boxjoint, .untouched, rule: OpeningRule.moved),
    objectBox: ObjectBoxVerdict(
      .openFailure, StoreOutcome.moved.objectBox, .untouched, .unconfirmed, Source.header),
    remedy: "give the relation a UID of its own in its new place, and retire the old one")

  static let relationRules = [
    relationAdded, relationRemoved, relationForgotten, relationNeverHad, relationRenamed,
    relationRenumbered, targetChanged, targetStated, relationMoved,
  ]
}
