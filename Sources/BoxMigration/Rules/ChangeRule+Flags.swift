internal import BoxEngine

extension ChangeRule {
  /// A property is unsigned, or no longer.
  static let signChanged = ChangeRule(
    "BOX331", "sign-changed", "A property is unsigned from now on, or no longer",
    data: "stored numbers with the highest bit set would be read as other numbers",
    engine: EngineVerdict(
      .openFailure, "a store with objects of the entity is refused", .untouched,
      rule: OpeningRule.signChanged),
    objectBox: ObjectBoxVerdict(
      .reinterpretation, "the bytes may be read with the other sign, silently", .unknown,
      .unconfirmed, Source.none),
    remedy: "give the property a new UID, and copy the values that fit",
    note: """
      In a store of BoxJoint `boxjoint migrate` carries the values over under the same UID: \
      [migrating.md](migrating.md).
      """)
  /// Null is allowed, or no longer.
  static let notNullChanged = ChangeRule(
    "BOX332", "not-null-changed", "Null is not allowed from now on, or allowed again",
    data: "all data stays",
    engine: EngineVerdict(.safe, "it opens: the engine ignores the flag"),
    objectBox: ObjectBoxVerdict(
      .openFailure, "the store is refused: \"Cannot change the following flags for Property …\"",
      .untouched, .confirmed, Source.issues("objectbox-java #161, #833, #1088")),
    remedy: "restore the flag, or add a property beside the old one")
  /// Values must differ from now on.
  static let uniqueAdded = ChangeRule(
    "BOX333", "unique-added", "Values must be unique from now on",
    data: "all data stays",
    engine: EngineVerdict(
      .latent, "a store in which two objects have one value is refused", .untouched,
      rule: OpeningRule.notUnique),
    objectBox: ObjectBoxVerdict(
      .latent, "a store in which two objects have one value may be refused, and their puts fail",
      .unknown, .unconfirmed, Source.issues("objectbox-java #564, for puts")),
    remedy: "remove duplicates a release earlier, or in a store of BoxJoint with "
      + "`boxjoint store duplicates DIR ENTITY.PROPERTY`; with a store as OLD the plan counts them")
  /// Values no longer have to be unique.
  static let uniqueRemoved = ChangeRule(
    "BOX334", "unique-removed", "Values no longer have to be unique",
    data: "all data stays; the previous release may meet duplicates",
    engine: EngineVerdict(
      .cost, "the index is rebuilt; the previous release opens it while values are unique"),
    objectBox: ObjectBoxVerdict(
      .latent, "the previous release may meet values that it takes for unique", .unknown,
      .unconfirmed, Source.none),
    remedy: "have the application keep values unique until no previous release is in use")
  /// A change in the handling of two objects with one unique value.
  static let conflictStrategyChanged = ChangeRule(
    "BOX335", "conflict-strategy-changed",
    "A put that meets a unique value replaces its object from now on, or fails",
    data: "a later put removes the object that has the value already, or fails",
    engine: EngineVerdict(.latent, "it opens; puts behave the new way"),
    objectBox: ObjectBoxVerdict(
      .latent, "it opens; puts behave the new way", .opens, .unconfirmed, Source.none),
    remedy: "look at every place that puts objects of the entity")
  /// A change in the values that an index leaves out.
  static let indexSkipChanged = ChangeRule(
    "BOX336", "index-skip-changed", "An index leaves out other values than before",
    data: "all data stays",
    engine: EngineVerdict(.cost, "the index is rebuilt if it left out zero"),
    objectBox: ObjectBoxVerdict(
      .latent, "queries may miss values until the index is rebuilt", .unknown, .unconfirmed,
      Source.none),
    remedy: "give the index a new UID, so that it is rebuilt")
  /// Another property holds the id.
  static let idPropertyChanged = ChangeRule(
    "BOX337", "id-property-changed", "Another property holds the id of objects",
    data: "stored objects are known by the old one",
    engine: EngineVerdict(
      .openFailure, "a store with objects of the entity is refused", .untouched,
      rule: OpeningRule.idChanged),
    objectBox: ObjectBoxVerdict(
      .openFailure, "the flag is likely to be refused, as others are", .untouched, .unconfirmed,
      Source.none),
    remedy: "restore the id property, or add a new entity and copy the objects")
  /// A change in the way ids are assigned.
  static let idAssignmentChanged = ChangeRule(
    "BOX338", "id-assignment-changed", "Ids are assigned in another way",
    data: "all data stays",
    engine: EngineVerdict(.latent, "it opens; a put with its own id fails, or is accepted"),
    objectBox: ObjectBoxVerdict(
      .latent, "a put with its own id fails, or is accepted", .unknown, .unconfirmed,
      Source.none),
    remedy: "look at every place that puts objects of the entity")
  /// Objects expire, or no longer.
  static let expirationChanged = ChangeRule(
    "BOX339", "expiration-changed",
    "A property holds the time at which objects expire, or no longer",
    data: "objects whose time is past are removed when expired objects are",
    engine: EngineVerdict(.latent, "it opens; nothing is removed by opening"),
    objectBox: ObjectBoxVerdict(
      .latent, "objects whose time is past are removed when expired objects are", .unknown,
      .unconfirmed, Source.none),
    remedy: "check that stored times have the meaning that the flag expects")
  /// A change in the property that orders synchronized changes.
  static let syncFlagChanged = ChangeRule(
    "BOX340", "sync-flag-changed", "A property decides between synchronized changes, or no longer",
    data: "all data stays on the device",
    engine: EngineVerdict(.safe, "it opens: the engine does not synchronize"),
    objectBox: ObjectBoxVerdict(
      .latent, "conflicting changes may be decided another way", .unknown, .unconfirmed,
      Source.none),
    remedy: "release it for all clients at the same time")
  /// A flag that only a binding looks at changed.
  static let languageFlagChanged = ChangeRule(
    "BOX341", "language-flag-changed", "A flag changed that only a language binding looks at",
    data: "all data stays",
    engine: EngineVerdict(.safe, "it opens: the engine ignores the flag"),
    objectBox: ObjectBoxVerdict(
      .safe, "a change of NON_PRIMITIVE_TYPE was not among the flags that a store refused",
      .opens, .confirmed, Source.issues("objectbox-java #161")))
  /// An unknown flag changed.
  static let unknownFlagChanged = ChangeRule(
    "BOX342", "unknown-flag-changed", "A flag changed that has no known meaning",
    data: "what the flag means is not known",
    engine: EngineVerdict(.safe, "it opens: the engine ignores the flag"),
    objectBox: ObjectBoxVerdict(
      .latent, "no public source says what the flag means", .unknown, .unconfirmed, Source.none),
    remedy: "find out which generator wrote it")

  static let flagRules = [
    signChanged, notNullChanged, uniqueAdded, uniqueRemoved, conflictStrategyChanged,
    indexSkipChanged, idPropertyChanged, idAssignmentChanged, expirationChanged, syncFlagChanged,
    languageFlagChanged, unknownFlagChanged,
  ]
}
