internal import BoxModel

extension ChangeRule {
  /// An existing property has a new index.
  static let indexAdded = ChangeRule(
    "BOX351", "index-added", "A property that was there has an index from now on",
    data: "all data stays",
    engine: EngineVerdict(.cost, "the index is built by the next opening"),
    objectBox: ObjectBoxVerdict(
      .noRollback,
      "the index is built by the next opening; the previous release is refused, as its "
        + "lastIndexId is lower",
      .refused, .documented, Source.troubleshooting),
    remedy: "expect a longer first start after the update with much data")
  /// An index was removed.
  static let indexRemoved = ChangeRule(
    "BOX352", "index-removed", "A property is no longer indexed",
    data: "all data stays; conditions on the property are answered by a scan",
    engine: EngineVerdict(.safe, "the index is dropped; the previous release builds it again"),
    objectBox: ObjectBoxVerdict(
      .safe, "it opens", .unknown, .documented, Source.generator))
  /// An index was removed, and its UID is not retired.
  static let indexForgotten = ChangeRule(
    "BOX353", "index-forgotten", "A property is no longer indexed, and the UID is not retired",
    data: "all data stays; the UID may be given to another index",
    engine: EngineVerdict(.safe, "the index is dropped; the previous release builds it again"),
    objectBox: ObjectBoxVerdict(
      .latent, "the number of an index that is given again is refused", .unknown, .documented,
      Source.troubleshooting),
    remedy: "retire its UID, as `boxjoint check --fix --against OLD FILE` does")
  /// The kind of an index changed.
  static let indexKindChanged = ChangeRule(
    "BOX354", "index-kind-changed", "An index is of another kind: by value, or by a hash",
    data: "all data stays",
    engine: EngineVerdict(.cost, "the index is rebuilt by the next opening"),
    objectBox: ObjectBoxVerdict(
      .cost, "the index is rebuilt at every change, in both directions", .opens, .confirmed,
      "a report on ObjectBox 5.3.2 by remembox 0.3.1"))
  /// An index has another UID.
  static let indexReplaced = ChangeRule(
    "BOX355", "index-replaced", "A property has another index than before",
    data: "all data stays",
    engine: EngineVerdict(.cost, "the index is rebuilt by the next opening"),
    objectBox: ObjectBoxVerdict(
      .noRollback, "the new index is built by the next opening", .refused, .documented,
      Source.generator))
  /// An index has another id.
  static let indexRenumbered = ChangeRule(
    "BOX356", "index-renumbered", "An index has another id, and the same UID",
    data: "all data stays where the store opens",
    engine: EngineVerdict(.safe, StoreOutcome.renumbered(.index).boxjoint),
    objectBox: ObjectBoxVerdict(
      .openFailure, StoreOutcome.renumbered(.index).objectBox, .unknown, .unconfirmed,
      Source.troubleshooting),
    remedy: "restore the id, or give the index a new UID")
  /// An index belongs to another property.
  static let indexMoved = ChangeRule(
    "BOX357", "index-moved", "An index belongs to another property, and has the same UID",
    data: "all data stays",
    engine: EngineVerdict(.cost, "the index is rebuilt by the next opening"),
    objectBox: ObjectBoxVerdict(
      .latent, "queries may look into an index of other values", .unknown, .unconfirmed,
      Source.none),
    remedy: "give the index a new UID")

  static let indexRules = [
    indexAdded, indexRemoved, indexForgotten, indexKindChanged, indexReplaced, indexRenumbered,
    indexMoved,
  ]
}
