internal import BoxEngine
internal import BoxModel

/// Rules about a model as a whole.
extension ChangeRule {
  /// A counter went down.
  static let lastIDLowered = ChangeRule(
    "BOX381", "last-id-went-down", "A last id is lower than before",
    data: "all data stays where the store opens",
    engine: EngineVerdict(.safe, StoreOutcome.idsAreNotStored),
    objectBox: ObjectBoxVerdict(
      .openFailure, "the store is refused: \"DB's last … ID x is higher than y from model\"",
      .untouched, .confirmed,
      Source.issues("objectbox-dart #483, objectbox-java #357, #943")),
    remedy: "set it back, as `boxjoint check --fix --against OLD FILE` does")
  /// A counter names another UID under the same number.
  static let lastIDReplaced = ChangeRule(
    "BOX382", "last-id-replaced", "A last id has its number, and another UID",
    data: "all data stays",
    engine: EngineVerdict(.safe, StoreOutcome.idsAreNotStored),
    objectBox: ObjectBoxVerdict(
      .latent, "generators stop where the UID is neither in use nor retired", .unknown,
      .documented, Source.generator),
    remedy: "run `boxjoint check NEW` to see whether it is valid")
  /// A UID is no longer in its list.
  static let retirementLost = ChangeRule(
    "BOX383", "retirement-went", "A retired UID is no longer in its list, and not in use",
    data: "all data stays; the UID may be given to something else",
    engine: EngineVerdict(
      .latent, "it opens; hidden data comes back if the UID is given again"),
    objectBox: ObjectBoxVerdict(
      .latent, "the runtime has no such lists; data comes back if the UID is given again",
      .opens, .documented, Source.header),
    remedy: "put it back, as `boxjoint check --fix --against OLD FILE` does")
  /// The version of the format changed.
  static let formatVersionChanged = ChangeRule(
    "BOX384", "format-version-changed", "The file is of another version of the format",
    data: "all data stays",
    engine: EngineVerdict(.safe, "it opens: the version affects only the file"),
    objectBox: ObjectBoxVerdict(
      .safe, "generators write it; older ones may refuse the file", .opens, .documented,
      Source.generator),
    remedy: "use the same version of the generator on all machines")
  /// Another key of the model as a whole changed.
  static let modelKeyChanged = ChangeRule(
    "BOX385", "model-key-changed", "A key of the model as a whole changed",
    data: "all data stays",
    engine: EngineVerdict(.safe, "it opens: the key does not affect data"),
    objectBox: ObjectBoxVerdict(
      .safe, "the key is one of the file and of its generator", .opens, .unconfirmed,
      Source.none))
  /// A kind of change that no other rule names.
  static let otherChange = ChangeRule(
    "BOX389", "other-change", "An element changed in a way that no other rule names",
    data: "what it means is not known",
    engine: EngineVerdict(.latent, "what opening does is not known"),
    objectBox: ObjectBoxVerdict(
      .latent, "what opening does is not known", .unknown, .unconfirmed, Source.none),
    remedy: "compare the two files with `boxjoint diff OLD NEW`")
  /// The new model is not sound.
  static let unsound = ChangeRule(
    "BOX391", "model-unsound", "The new model has an error that `boxjoint check` finds",
    data: "all data stays, as no store opens",
    engine: EngineVerdict(
      .openFailure, "every store is refused: the model is not valid", .untouched),
    objectBox: ObjectBoxVerdict(
      .openFailure, "a generator or the runtime refuses it, or reads data wrongly", .unknown,
      .documented, Source.generator),
    remedy: "fix it as `boxjoint check NEW` suggests")
  /// The new model knows too little of the old one.
  static let regenerated = ChangeRule(
    "BOX392", "model-generated-anew",
    "The new model knows fewer than half of the UIDs of the old one, and most of its own are new",
    data: "nothing of what is stored can be reached",
    engine: EngineVerdict(
      .openFailure, "the store is refused: the model looks newly generated", .untouched,
      rule: OpeningRule.regenerated),
    objectBox: ObjectBoxVerdict(
      .openFailure,
      "the store is refused: \"Incoming entity ID … does not match existing UID …\"", .untouched,
      .confirmed, Source.issues("objectbox-dart #408 and many others")),
    remedy: "run `boxjoint recover`, which finds the earlier file, and build again")
  /// A migration does not carry data over.
  static let leftBehind = ChangeRule(
    "BOX393", "left-behind", "A migration frees data that neither model describes",
    data: "it is gone for good",
    engine: EngineVerdict(.dataLoss, "the migration frees it for good"),
    objectBox: ObjectBoxVerdict(
      .safe, "it is not migrated by this program", .opens, .unconfirmed, Source.none),
    remedy: "to keep it, let the mapping carry it over, or keep hidden data; export it first "
      + "if it may be needed",
    note: """
      A mapping deletes an entity, no rule of it takes an object, or it leaves out a property. Hidden data is freed by \
      a heavy step too. Only `boxjoint migrate` shows it.
      """)
  static let modelRules = [
    lastIDLowered, lastIDReplaced, retirementLost, formatVersionChanged, modelKeyChanged,
    otherChange, unsound, regenerated, leftBehind,
  ]
}
