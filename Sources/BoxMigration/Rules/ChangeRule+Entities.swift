internal import BoxEngine
internal import BoxModel

extension ChangeRule {
  /// An entity is new.
  static let entityAdded = ChangeRule(
    "BOX301", "entity-added", "An entity is new",
    data: "it has no objects at first",
    engine: EngineVerdict(.safe, "it opens, and the previous release opens it again"),
    objectBox: ObjectBoxVerdict(
      .noRollback, "it opens; the previous release is refused, as its lastEntityId is lower",
      .refused, .documented, Source.troubleshooting),
    remedy: "release it when you will not have to go back to the previous version")
  /// An entity was removed, and its UID retired.
  static let entityRemoved = ChangeRule(
    "BOX302", "entity-removed", "An entity was removed, and its UID retired",
    data: "its objects can no longer be reached",
    engine: EngineVerdict(
      .dataHidden, "its objects are hidden, and kept until a purge; its UID brings them back"),
    objectBox: ObjectBoxVerdict(
      .dataLoss, "its objects are discarded when the store is opened", .unknown, .documented,
      Source.updates),
    remedy: "export the objects first if they may be needed, and approve the removal")
  /// An entity was removed, and its UID is not retired.
  static let entityForgotten = ChangeRule(
    "BOX303", "entity-forgotten", "An entity was removed, and its UID is not retired",
    data: "its objects can no longer be reached",
    engine: EngineVerdict(
      .dataHidden, "its objects are hidden, and opening warns: its UID is not retired",
      rule: OpeningRule.hiddenNotRetired),
    objectBox: ObjectBoxVerdict(
      .dataLoss, "its objects are discarded when the store is opened", .unknown, .documented,
      Source.updates),
    remedy: "restore the entity if it was lost in a merge; otherwise retire its UID, as "
      + "`boxjoint check --fix --against OLD FILE` does")
  /// An entity is missing because the new model does not come from the old one.
  static let entityNeverHad = ChangeRule(
    "BOX304", "entity-never-had", "The new model does not come from one that had the entity",
    data: "its objects can no longer be reached",
    engine: EngineVerdict(
      .dataHidden, "its objects are hidden, and opening warns: its UID is not retired",
      rule: OpeningRule.hiddenNotRetired),
    objectBox: ObjectBoxVerdict(
      .openFailure, "the store is refused: \"DB's last entity ID x is higher than y from model\"",
      .untouched, .confirmed, Source.issues("objectbox-dart #483, objectbox-java #357, #943")),
    remedy: "merge the version that has the entity, or continue from it")
  /// An entity has another name.
  static let entityRenamed = ChangeRule(
    "BOX305", "entity-renamed", "An entity has another name, and the same UID",
    data: "all data stays",
    engine: EngineVerdict(.safe, "it opens: entities are known by their UIDs"),
    objectBox: ObjectBoxVerdict(
      .safe, "it opens, and the objects stay", .opens, .documented, Source.updates))
  /// An entity has another id.
  static let entityRenumbered = ChangeRule(
    "BOX306", "entity-renumbered", "An entity has another id, and the same UID",
    data: "all data stays where the store opens",
    engine: EngineVerdict(.safe, StoreOutcome.renumbered(.entity).boxjoint),
    objectBox: ObjectBoxVerdict(
      .openFailure, StoreOutcome.renumbered(.entity).objectBox, .unknown, .unconfirmed,
      Source.metaModel),
    remedy: "restore the id; after a merge that had to renumber, try it with a database of the "
      + "branch that lost its number")
  /// Another flag of an entity changed.
  static let entityFlagChanged = ChangeRule(
    "BOX307", "entity-flag-changed", "A flag of an entity changed that does not affect data",
    data: "all data stays",
    engine: EngineVerdict(.safe, "it opens: the engine ignores the flag"),
    objectBox: ObjectBoxVerdict(
      .safe, "no public source says that the flag affects data", .unknown, .unconfirmed,
      Source.none))
  /// An entity is synchronized, or no longer.
  static let syncChanged = ChangeRule(
    "BOX308", "sync-changed", "An entity is synchronized from now on, or no longer",
    data: "all data stays on the device",
    engine: EngineVerdict(.safe, "it opens: the engine does not synchronize"),
    objectBox: ObjectBoxVerdict(
      .openFailure,
      "in 2021 a type that was there could not be made a synchronized one; the text of the error "
        + "is not public",
      .unknown, .unconfirmed, Source.issues("objectbox-dart #263, a maintainer")),
    remedy: "add a synchronized entity beside the old one, and copy the objects")
  /// An entity has another name for an external system.
  static let entityExternalNameChanged = ChangeRule(
    "BOX309", "entity-external-name-changed", "An entity has another name in an external system",
    data: "all data stays",
    engine: EngineVerdict(.safe, "it opens: external names are not used"),
    objectBox: ObjectBoxVerdict(
      .latent, "a connector may look for its data under the new name", .unknown, .unconfirmed,
      Source.none),
    remedy: "rename it in the external system at the same time")

  static let entityRules = [
    entityAdded, entityRemoved, entityForgotten, entityNeverHad, entityRenamed, entityRenumbered,
    entityFlagChanged, syncChanged, entityExternalNameChanged,
  ]
}
