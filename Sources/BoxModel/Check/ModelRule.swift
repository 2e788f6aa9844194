public import BoxReport

/// The rules that a model file is checked against.
///
/// `docs/rules.md` has an entry for each.
public enum ModelRule {
  private static func rule(
    _ id: String, _ name: String, _ summary: String, _ severity: Severity = .error
  ) -> Rule {
    Rule(id: id, name: name, summary: summary, severity: severity)
  }

  /// The file holds conflict markers of a merge that was not finished.
  public static let conflictMarkers = rule(
    "BOX101", "conflict-markers", "A model file holds no conflict markers")
  /// The file is not JSON.
  public static let notJSON = rule("BOX102", "not-json", "A model file is JSON as of RFC 8259")
  /// The file is JSON, but not a model.
  public static let notAModel = rule(
    "BOX103", "not-a-model", "A model file is an object with an array of entities")
  /// The file needs a newer program.
  public static let versionTooNew = rule(
    "BOX104", "version-too-new", "The version that the file asks for is one that is known")
  /// The file is in the format of an early generator.
  public static let versionOld = rule(
    "BOX105", "version-old", "The file is in the current version of the format", .note)
  /// A string holds a tab that is not escaped.
  public static let rawTab = rule(
    "BOX106", "raw-tab", "Control characters in strings are escaped", .warning)
  /// A key is missing that every reader needs.
  public static let missingKey = rule(
    "BOX107", "missing-key", "Every element has the keys that its kind needs")
  /// A value has a type that no reader accepts.
  public static let wrongType = rule(
    "BOX108", "wrong-type", "Every value has the JSON type that its key asks for")
  /// An id pair is not `id:uid`.
  public static let malformedPair = rule(
    "BOX109", "malformed-id", "An id is written \"id:uid\", two decimal numbers without padding")
  /// A UID is 0, or one that some generators refuse: above 2^63-1, or below 256.
  public static let uidOutOfRange = rule(
    "BOX110", "uid-out-of-range", "A UID is a number from 1 to 2^63-1, or for Rust to 2^64-1")

  /// The file begins with a byte order mark.
  public static let byteOrderMark = rule(
    "BOX115", "byte-order-mark", "A model file does not begin with a byte order mark", .warning)

  /// Two entities have the same id.
  public static let duplicateEntityID = rule(
    "BOX111", "duplicate-entity-id", "No two entities have the same id")
  /// Two properties of an entity have the same id.
  public static let duplicatePropertyID = rule(
    "BOX112", "duplicate-property-id", "No two properties of an entity have the same id")
  /// Two indexes have the same id.
  public static let duplicateIndexID = rule(
    "BOX113", "duplicate-index-id", "No two indexes of a model have the same id")
  /// Two relations have the same id.
  public static let duplicateRelationID = rule(
    "BOX114", "duplicate-relation-id", "No two standalone relations of a model have the same id")

  /// A counter is below an id that it has given.
  public static let lastIDTooLow = rule(
    "BOX121", "last-id-too-low", "A last id is not lower than any id in use")
  /// A counter names another UID than the element with its number.
  public static let lastIDMismatch = rule(
    "BOX122", "last-id-mismatch", "A last id has the UID of the element that has its number")
  /// A counter is missing although ids were given.
  public static let lastIDMissing = rule(
    "BOX123", "last-id-missing", "Where elements have ids there is a last id")
  /// A counter names a UID that is neither in use nor retired.
  public static let lastIDUnknown = rule(
    "BOX124", "last-id-unknown", "The UID of a last id is in use or retired", .warning)
  /// A file of Go or C has `"0:0"` where no number was given.
  public static let lastIDZero = rule(
    "BOX125", "last-id-zero", "In files of Go and C the last id of what was never given is empty",
    .warning)

  /// Two elements have the same UID.
  public static let duplicateUID = rule(
    "BOX131", "duplicate-uid", "No two elements of a model have the same UID")
  /// A UID is in use and in a retired list.
  public static let liveAndRetired = rule(
    "BOX132", "live-and-retired", "A UID in use is in no retired list")
  /// A UID is retired twice.
  public static let retiredTwice = rule(
    "BOX133", "retired-twice", "No UID is in the retired lists twice")
  /// A UID is offered in `newUidPool` and also in use or retired.
  public static let offeredAndUsed = rule(
    "BOX134", "offered-and-used", "A UID on offer in newUidPool is not in use", .warning)

  /// Two entities have the same name.
  public static let duplicateEntityName = rule(
    "BOX141", "duplicate-entity-name", "No two entities have the same name, whatever the case")
  /// Two properties of an entity have the same name.
  public static let duplicatePropertyName = rule(
    "BOX142", "duplicate-property-name",
    "No two properties of an entity have the same name, whatever the case")
  /// Two relations of an entity have the same name.
  public static let duplicateRelationName = rule(
    "BOX143", "duplicate-relation-name",
    "No two relations of an entity have the same name, whatever the case")
  /// An element has no name.
  public static let emptyName = rule("BOX144", "empty-name", "Every element has a name")
  /// A name is longer than any that is read.
  public static let nameTooLong = rule(
    "BOX145", "name-too-long", "A name has at most 1024 bytes")
  /// Two names look the same, and have different bytes.
  public static let similarNames = rule(
    "BOX146", "similar-names", "No two names differ only in how their accents are written", .warning
  )

  /// The target of a relation does not exist.
  public static let targetMissing = rule(
    "BOX151", "target-missing", "The target of a relation is an entity of the model")
  /// A relation names its target by an id that is not the target's.
  public static let targetIDMismatch = rule(
    "BOX152", "target-id-mismatch", "A target is named by the id and the UID of the entity")
  /// The target of a to-one relation does not exist.
  public static let toOneTargetMissing = rule(
    "BOX153", "to-one-target-missing", "The relationTarget of a to-one is an entity of the model")
  /// A to-one relation has no target, or a property of another type has one.
  public static let toOneTargetMisplaced = rule(
    "BOX154", "to-one-target-misplaced",
    "Only a property of type 11 has a relationTarget")
  /// A relation has no target.
  public static let targetUnset = rule(
    "BOX155", "target-unset", "A standalone relation names its target")

  /// A property has flags of an index, but no index.
  public static let indexIDMissing = rule(
    "BOX161", "index-id-missing", "A property whose flags ask for an index has an indexId")
  /// A property has an index, but no flag of an index.
  public static let indexFlagMissing = rule(
    "BOX162", "index-flag-missing", "A property with an indexId has a flag for its index")
  /// A flag that needs an index is set without one.
  public static let flagNeedsIndex = rule(
    "BOX163", "flag-needs-index",
    "UNIQUE and INDEX_PARTIAL_SKIP_… require a flag for an index")
  /// Two hashes for one index.
  public static let twoHashes = rule(
    "BOX164", "two-hashes", "An index has one hash: INDEX_HASH or INDEX_HASH64")
  /// Replace on conflict without unique.
  public static let replaceNeedsUnique = rule(
    "BOX165", "replace-needs-unique", "UNIQUE_ON_CONFLICT_REPLACE requires UNIQUE")
  /// An entity has no id property, or several.
  public static let idPropertyCount = rule(
    "BOX166", "id-property-count", "An entity has one property with the flag ID")
  /// An id property that is not a long, or has flags that an id cannot have.
  public static let idPropertyType = rule(
    "BOX167", "id-property-type", "The property with the flag ID has the type long (6)")
  /// Flags of Sync that exclude each other, or stand twice in an entity.
  public static let syncFlags = rule(
    "BOX168", "sync-flags",
    "SYNC_CLOCK and SYNC_PRECEDENCE are set on one long property each, of a synchronized entity")
  /// Shared global ids without Sync.
  public static let sharedIDsNeedSync = rule(
    "BOX169", "shared-ids-need-sync", "SHARED_GLOBAL_IDS requires SYNC_ENABLED")
  /// A type code without a meaning.
  public static let unknownType = rule(
    "BOX170", "unknown-type", "The type of a property is one that is known", .warning)
  /// A flag that is not valid for the type.
  public static let flagTypeMismatch = rule(
    "BOX171", "flag-type-mismatch", "Flags of a property go with its type", .warning)
  /// A bit without a meaning.
  public static let unknownFlag = rule(
    "BOX172", "unknown-flag", "Every bit of flags is one that is known", .note)
  /// Ids that the application may assign, on a property that is not an id.
  public static let selfAssignableNeedsID = rule(
    "BOX173", "self-assignable-needs-id", "ID_SELF_ASSIGNABLE requires ID")
  /// A property without a type.
  public static let typeMissing = rule(
    "BOX174", "type-missing", "Every property of a file in the current version has a type",
    .warning)
  /// The parameters of a vector index cannot be served.
  public static let vectorParameters = rule(
    "BOX175", "vector-parameters", "A vector index has parameters that can be served", .warning)
  /// Parameters of a vector index that are hints for another implementation.
  public static let vectorHints = rule(
    "BOX176", "vector-hints", "Parameters of a vector index have an effect", .note)

  /// No entity has a UID of the earlier version, although its entities were not all retired and
  /// renamed.
  public static let regenerated = rule(
    "BOX201", "regenerated", "A model keeps the UIDs of its earlier version")
  /// A UID of the earlier version is neither in use nor retired.
  public static let forgotten = rule(
    "BOX202", "forgotten", "What is removed from a model is retired", .warning)
  /// A counter went down.
  public static let lastIDLowered = rule(
    "BOX203", "last-id-lowered", "A last id never goes down")
  /// An element has another id than before.
  public static let idChanged = rule(
    "BOX204", "id-changed", "An element keeps its id")
  /// A property has another type than before.
  public static let typeChanged = rule(
    "BOX205", "type-changed", "A property keeps its type as long as it keeps its UID")
  /// An id was given again.
  public static let idReused = rule(
    "BOX206", "id-reused", "An id is never given twice")
  /// A retired UID is in use again.
  public static let revived = rule(
    "BOX207", "revived", "A retired UID is not used again", .warning)
  /// A retired UID is not in the list any more.
  public static let retirementLost = rule(
    "BOX208", "retirement-lost", "A retired UID stays in its list", .warning)
  /// An entity became synchronized, or stopped being so.
  public static let syncChanged = rule(
    "BOX209", "sync-flags-changed", "An entity keeps SYNC_ENABLED and SHARED_GLOBAL_IDS", .warning)

  /// An element has a new UID, and nobody said that it begins without its data.
  public static let reset = rule(
    "BOX210", "reset-unstated", "An element keeps its UID unless its reset is stated")

  /// A model file of the repository is missing, or all of its UIDs are new.
  public static let lost = rule(
    "BOX211", "model-lost", "The models of a repository and of its generated code keep their UIDs")

  /// A new model file has the entities of an earlier one of another name, and none of its UIDs.
  public static let begunAgain = rule(
    "BOX212", "model-begun-again", "A model that gets another name keeps its UIDs")

  /// Every rule, by id.
  public static let all: [Rule] = [
    conflictMarkers, notJSON, notAModel, versionTooNew, versionOld, rawTab, byteOrderMark,
    missingKey, wrongType,
    malformedPair, uidOutOfRange, duplicateEntityID, duplicatePropertyID, duplicateIndexID,
    duplicateRelationID, lastIDTooLow, lastIDMismatch, lastIDMissing, lastIDUnknown, lastIDZero,
    duplicateUID,
    liveAndRetired, retiredTwice, offeredAndUsed, duplicateEntityName, duplicatePropertyName,
    duplicateRelationName, emptyName, nameTooLong, similarNames, targetMissing, targetIDMismatch,
    toOneTargetMissing,
    toOneTargetMisplaced, targetUnset, indexIDMissing, indexFlagMissing, flagNeedsIndex, twoHashes,
    replaceNeedsUnique, idPropertyCount, idPropertyType, syncFlags, sharedIDsNeedSync, unknownType,
    flagTypeMismatch, unknownFlag, selfAssignableNeedsID, typeMissing,
    vectorParameters, vectorHints, regenerated, forgotten,
    lastIDLowered, idChanged, typeChanged,
    idReused, revived, retirementLost, syncChanged, reset, lost, begunAgain,
  ]
}
