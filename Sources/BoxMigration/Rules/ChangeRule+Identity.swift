internal import BoxEngine
internal import BoxModel

/// Elements whose identity changed, or seems to have.
extension ChangeRule {
  /// A property was removed and one like it added.
  static let probableRename = ChangeRule(
    "BOX371", "probable-rename",
    "A property or relation was removed, and one of the same type and a similar name added",
    data: "its values cannot be reached under the new name",
    engine: EngineVerdict(
      .dataHidden, "the old values are hidden, and the new element starts without any"),
    objectBox: ObjectBoxVerdict(
      .dataLoss, "the old values are discarded, and the new element starts without any", .refused,
      .documented, Source.updates),
    remedy: "if it is a rename, keep the UID; if it is not, approve it",
    note: """
      Names are compared only if at most 10,000 pairs of a removed and an added member in an entity have the same \
      type. Above that limit no rename is guessed: the removals and additions are separate steps. The same holds for \
      entities.
      """)
  /// A property was removed and the only other one of its type added.
  static let possibleRename = ChangeRule(
    "BOX372", "possible-rename",
    "A property or relation was removed, and the only new one of its type has another name",
    data: "its values cannot be reached under the new name",
    engine: EngineVerdict(
      .dataHidden, "the old values are hidden, and the new element starts without any"),
    objectBox: ObjectBoxVerdict(
      .dataHidden, "the old value of an object is kept until the object is put again", .refused,
      .documented, "maintainers in objectbox-java #65, #694, #1149"),
    remedy: "if it is a rename, keep the UID")
  /// An entity was removed and one like it added.
  static let probableEntityRename = ChangeRule(
    "BOX373", "probable-entity-rename",
    "An entity was removed, and one with most of its properties added",
    data: "its objects cannot be reached under the new name",
    engine: EngineVerdict(
      .dataHidden, "the old objects are hidden, and the new entity starts without any"),
    objectBox: ObjectBoxVerdict(
      .dataLoss, "the old objects are discarded, and the new entity starts without any", .refused,
      .documented, Source.updates),
    remedy: "if it is a rename, keep the UIDs; if it is not, approve it")
  /// An element has a new UID under its old name.
  static let uidReset = ChangeRule(
    "BOX374", "uid-reset", "An element has a new UID, and its old name and type",
    data: "what is stored under the old UID can no longer be reached",
    engine: EngineVerdict(
      .dataHidden, "what was stored is hidden, and the element starts without data"),
    objectBox: ObjectBoxVerdict(
      .dataLoss, "the element starts without data; a new UID does not carry any over", .refused,
      .documented, "ObjectBox documentation, Data Model Updates; objectbox-java #691, #970"),
    remedy: "restore the UID, unless the element should start without data")
  /// A property has a new UID and a new type under its old name.
  static let typeChangedByReset = ChangeRule(
    "BOX375", "type-changed-by-reset", "A property has a new UID and another type",
    data: "the old values are not carried over",
    engine: EngineVerdict(
      .dataHidden, "the old values are hidden, and the property starts without any"),
    objectBox: ObjectBoxVerdict(
      .dataHidden,
      "as documented: the property starts without values, and the old one "
        + "of an object is kept until the object is put again",
      .refused, .documented, "ObjectBox documentation, Data Model Updates; objectbox-java #970"),
    remedy: "to keep the values, have both properties for a release, and copy")
  /// An element of another kind replaced a removed one of the same name.
  static let kindReplaced = ChangeRule(
    "BOX376", "kind-replaced",
    "A relation became a property of the same name, or the other way round",
    data: "what was stored under the old UID can no longer be reached",
    engine: EngineVerdict(
      .dataHidden, "what was stored is hidden, and the new element starts without data"),
    objectBox: ObjectBoxVerdict(
      .openFailure, "a store in which a relation to many became a string did not open",
      .untouched, .confirmed, Source.issues("objectbox-dart #470")),
    remedy: "give the new element another name, and remove the old one a release later")
  /// A UID now belongs to another kind of element.
  static let kindChanged = ChangeRule(
    "BOX377", "kind-changed", "A UID identifies another kind of element",
    data: "what is stored under the UID is of the old kind",
    engine: EngineVerdict(
      .openFailure, "the store is refused", .untouched, rule: OpeningRule.kindChanged),
    objectBox: ObjectBoxVerdict(
      .openFailure, "a UID has to be unique over all kinds; the text of the error is not public",
      .untouched, .unconfirmed, Source.header),
    remedy: "give the new element a UID of its own")
  /// A new element has the id of a removed one.
  static let idReused = ChangeRule(
    "BOX378", "id-given-again", "A new element has the id of one that was removed",
    data: "what is stored under the id belongs to something else",
    engine: EngineVerdict(.safe, StoreOutcome.idsAreNotStored),
    objectBox: ObjectBoxVerdict(
      .openFailure,
      "the store is refused: \"Incoming … ID … does not match existing UID …\"", .untouched,
      .confirmed, Source.issues("objectbox-dart #408 and many others")),
    remedy: "give the new element the next id, and raise the last id")
  /// A retired UID is used again.
  static let revived = ChangeRule(
    "BOX379", "uid-revived", "An element has a UID that was retired",
    data: "what is still stored under the UID comes back",
    engine: EngineVerdict(
      .latent, "it opens, and hidden data comes back, unless its type or its place is another"),
    objectBox: ObjectBoxVerdict(
      .latent, "values that no put has removed come back", .unknown, .documented,
      "maintainers in objectbox-java #65"),
    remedy: "give it a new id and a new UID, unless it is the old element that comes back")

  static let identityRules = [
    probableRename, possibleRename, probableEntityRename, uidReset, typeChangedByReset,
    kindReplaced, kindChanged, idReused, revived,
  ]
}
