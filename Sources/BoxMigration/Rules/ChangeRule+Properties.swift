internal import BoxEngine
internal import BoxModel

extension ChangeRule {
  /// A property is new.
  static let propertyAdded = ChangeRule(
    "BOX311", "property-added", "A property is new",
    data:
      "objects that are stored already have no value for it, or if it is not optional the one that the "
      + "generated code states",
    engine: EngineVerdict(
      .safe, "it opens; the previous release opens it again and keeps the values"),
    objectBox: ObjectBoxVerdict(
      .noRollback, "it opens; the previous release is refused, as its lastPropertyId is lower",
      .refused, .documented, Source.troubleshooting),
    remedy: "release it when you will not have to go back to the previous version")
  /// A property was removed, and its UID retired.
  static let propertyRemoved = ChangeRule(
    "BOX312", "property-removed", "A property was removed, and its UID retired",
    data: "its values can no longer be reached",
    engine: EngineVerdict(
      .dataHidden, "its values are hidden, and kept until a purge; its UID brings them back"),
    objectBox: ObjectBoxVerdict(
      .dataHidden, "the value of an object is kept until the object is put again", .opens,
      .documented, "maintainers in objectbox-java #65, #694, #1149"),
    remedy: "copy the values to another property first if they are still needed")
  /// A property was removed, and its UID is not retired.
  static let propertyForgotten = ChangeRule(
    "BOX313", "property-forgotten", "A property was removed, and its UID is not retired",
    data: "its values can no longer be reached",
    engine: EngineVerdict(
      .dataHidden, "its values are hidden, and opening warns: its UID is not retired",
      rule: OpeningRule.hiddenNotRetired),
    objectBox: ObjectBoxVerdict(
      .dataHidden, "the value of an object is kept until the object is put again", .opens,
      .documented, "maintainers in objectbox-java #65, #694, #1149"),
    remedy: "restore the property if it was lost in a merge; otherwise retire its UID, as "
      + "`boxjoint check --fix --against OLD FILE` does")
  /// A property is missing because the new model does not come from the old one.
  static let propertyNeverHad = ChangeRule(
    "BOX314", "property-never-had", "The new model does not come from one that had the property",
    data: "its values can no longer be reached",
    engine: EngineVerdict(
      .dataHidden, "its values are hidden, and opening warns: its UID is not retired",
      rule: OpeningRule.hiddenNotRetired),
    objectBox: ObjectBoxVerdict(
      .openFailure,
      "the store is refused: \"DB's last property ID x is higher than the incoming one y\"",
      .untouched, .documented, Source.troubleshooting),
    remedy: "merge the version that has the property, or continue from it")
  /// A property has another name.
  static let propertyRenamed = ChangeRule(
    "BOX315", "property-renamed", "A property has another name, and the same UID",
    data: "all data stays",
    engine: EngineVerdict(.safe, "it opens: properties are known by their UIDs"),
    objectBox: ObjectBoxVerdict(
      .safe, "it opens, and the values stay", .opens, .documented, Source.updates))
  /// A property has another id.
  static let propertyRenumbered = ChangeRule(
    "BOX316", "property-renumbered", "A property has another id, and the same UID",
    data: "all data stays where the store opens",
    engine: EngineVerdict(.safe, StoreOutcome.renumbered(.property).boxjoint),
    objectBox: ObjectBoxVerdict(
      .openFailure, StoreOutcome.renumbered(.property).objectBox, .unknown, .unconfirmed,
      Source.metaModel),
    remedy: "restore the id; after a merge that had to renumber, try it with a database of the "
      + "branch that lost its number")
  /// A property has another type under the same UID.
  static let typeChanged = ChangeRule(
    "BOX317", "property-type-changed", "A property has another type, and the same UID",
    data: "stored values are of the old type",
    engine: EngineVerdict(
      .openFailure, StoreOutcome.typeChanged.boxjoint, .untouched, rule: OpeningRule.typeChanged),
    objectBox: ObjectBoxVerdict(
      .openFailure, StoreOutcome.typeChanged.objectBox, .untouched, .confirmed,
      Source.issues("objectbox-dart #450, objectbox-java #109, #173, #869")),
    remedy: "convert a store of BoxJoint with `boxjoint migrate --store DIR --to NEW`, or a "
      + "MigrationRun in a program; otherwise add a property of the new type beside the old one, and remove the old one a "
      + "release later",
    note: "See [migrating.md](migrating.md).")
  /// A property has a type and had none before, or the reverse.
  static let typeStated = ChangeRule(
    "BOX318", "property-type-stated", "A file that names no type is followed by one that does",
    data: "all data stays if the type is the one that it was",
    engine: EngineVerdict(
      .safe, "no store can have been created from a model without types"),
    objectBox: ObjectBoxVerdict(
      .safe, "files of early versions name no types; the type is the one that the sources have",
      .opens, .unconfirmed, Source.none),
    remedy: "compare the type with the sources of the previous release")
  /// The type of a property cannot be stored.
  static let typeNotStorable = ChangeRule(
    "BOX319", "property-type-not-storable", "A property has a type that cannot be stored",
    data: "stored values are of the old type",
    engine: EngineVerdict(
      .openFailure, "the store is refused", .untouched, rule: OpeningRule.unknownType),
    objectBox: ObjectBoxVerdict(
      .openFailure, "a type that the runtime does not know cannot be opened", .untouched,
      .unconfirmed, Source.none),
    remedy: "restore the type, or use a version that knows it")
  /// A property belongs to another entity.
  static let propertyMoved = ChangeRule(
    "BOX320", "property-moved", "A property belongs to another entity, and has the same UID",
    data: "its values stay with the old entity",
    engine: EngineVerdict(
      .openFailure, StoreOutcome.moved.boxjoint, .untouched, rule: OpeningRule.moved),
    objectBox: ObjectBoxVerdict(
      .openFailure, StoreOutcome.moved.objectBox, .untouched, .unconfirmed, Source.header),
    remedy: "give the property a UID of its own in its new place, and retire the old one")
  /// A property has another name for an external system.
  static let externalNameChanged = ChangeRule(
    "BOX321", "external-name-changed",
    "A property or relation has another name in an external system",
    data: "all data stays",
    engine: EngineVerdict(.safe, "it opens: external names are not used"),
    objectBox: ObjectBoxVerdict(
      .latent, "a connector may look for its data under the new name", .unknown, .unconfirmed,
      Source.none),
    remedy: "rename it in the external system at the same time")
  /// A property has another type for an external system.
  static let externalTypeChanged = ChangeRule(
    "BOX322", "external-type-changed",
    "A property or relation has another type in an external system",
    data: "all data stays",
    engine: EngineVerdict(.safe, "it opens: external types are not used"),
    objectBox: ObjectBoxVerdict(
      .latent, "a connector may read or write its data as another type", .unknown, .unconfirmed,
      Source.none),
    remedy: "change it in the external system at the same time")
  /// The parameters of a vector index changed.
  static let vectorParametersChanged = ChangeRule(
    "BOX323", "vector-parameters-changed", "The parameters of an index for vectors changed",
    data: "all data stays; vectors of another length may not be found",
    engine: EngineVerdict(.safe, "it opens: graphs are built beside the data"),
    objectBox: ObjectBoxVerdict(
      .latent, "the index may have to be rebuilt, or not fit its vectors", .unknown,
      .unconfirmed, Source.none),
    remedy: "give the property a new UID if its vectors have another length")
  /// The distance or the dimensions of a vector index changed.
  static let vectorIndexChanged = ChangeRule(
    "BOX325", "vector-index-changed",
    "An index for vectors has another distance or other dimensions",
    data: "all data stays; vectors of another length are not found",
    engine: EngineVerdict(
      .cost, "it opens: a graph is built again in the background, and scores mean something else"),
    objectBox: ObjectBoxVerdict(
      .latent, "the index may have to be rebuilt, or not fit its vectors", .unknown,
      .unconfirmed, Source.none),
    remedy: "compute the vectors of existing objects again, or give the property a new UID")
  /// The parameters of a vector index are such that no graph serves it.
  static let vectorIndexNotServed = ChangeRule(
    "BOX326", "vector-index-not-served",
    "An index for vectors has parameters that no graph serves",
    data: "all data stays",
    engine: EngineVerdict(
      .latent, "it opens without a graph; searches compare all vectors, or are refused"),
    objectBox: ObjectBoxVerdict(
      .latent, "the index may not be built, or the store be refused", .unknown,
      .unconfirmed, Source.none),
    remedy: "correct the parameters in the annotation, and build")
  /// A key that has no known meaning changed.
  static let unknownKeyChanged = ChangeRule(
    "BOX324", "unknown-key-changed", "A key of an element that has no known meaning changed",
    data: "all data stays",
    engine: EngineVerdict(.safe, "it opens: the key is ignored"),
    objectBox: ObjectBoxVerdict(
      .safe, "no public source says what the key means", .unknown, .unconfirmed, Source.none))

  static let propertyRules = [
    propertyAdded, propertyRemoved, propertyForgotten, propertyNeverHad, propertyRenamed,
    propertyRenumbered, typeChanged, typeStated, typeNotStorable, propertyMoved,
    externalNameChanged, externalTypeChanged, vectorParametersChanged, vectorIndexChanged,
    vectorIndexNotServed, unknownKeyChanged,
  ]
}
