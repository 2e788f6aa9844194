public import BoxReport

/// The rules that the bytes of a store are checked against.
///
/// Each has the text of its entry in `docs/rules.md`.
public enum StoreRule {
  /// A page of the data file breaks the page format.
  public static let damagedPage = Rule(
    "BOX701", "damaged-page", "Every page of the data file is whole",
    reason: """
      LMDB maps the file and trusts it: a damaged page can end the process that reads it. No command opens such a file \
      without `--trust`; `export --salvage` copies the data of the other pages first.
      """,
    remedy: """
      Restore a backup. If there is none, run `boxjoint export --salvage --store DIR`, which writes what is on the \
      undamaged pages, and import that into a new store. `verify` makes no further checks of such a file.
      """)
  /// The bytes of an object are damaged.
  public static let damagedRecord = Rule(
    "BOX702", "damaged-record", "Every object has the checksum and the shape of its record",
    reason: "The bytes of the object are not those that were written, or belong to another id.",
    example: "`Person 7 is damaged (its checksum is wrong)`",
    remedy: """
      Restore a backup, or remove the object with `boxjoint store remove DIR Person 7`, which also removes its index \
      entries. No command removes a single object of an entity that the model does not have: export the undamaged data \
      with `boxjoint export --salvage --store DIR`, and import it into a new store.
      """)
  /// An object is missing in an index.
  public static let missingEntry = Rule(
    "BOX703", "missing-index-entry", "Every indexed value has an entry in its index",
    reason: "A lookup by the property does not find the object.",
    example: "`the index of Person.name lacks Person 7`",
    remedy: "Remove the index from the model, open the store, and add it again.")
  /// An index has an entry that no object has.
  public static let extraEntry = Rule(
    "BOX704", "extra-index-entry", "Every entry of an index is the value of an object",
    reason: "A lookup finds an object with another value, or one that does not exist.",
    example: "`the index of Person.name has an entry of Person 7 that it should not have`",
    remedy: "Remove the index from the model, open the store, and add it again: it is then rebuilt."
  )
  /// A relation has an entry in one direction only.
  public static let halfLink = Rule(
    "BOX705", "half-relation-entry", "Every entry of a relation exists in both directions",
    reason: "The relation and its backlink contradict each other.",
    example: "`friends leads from 1 to 2 forward only`",
    remedy: """
      Remove the entry with `boxjoint store unlink DIR Person.friends 1 2`, and add it again with `boxjoint store link \
      DIR Person.friends 1 2`. If the model does not have the relation, export the undamaged data with `boxjoint \
      export --salvage --store DIR`, and import it into a new store.
      """)
  /// A relation has an entry of an object that does not exist.
  public static let danglingLink = Rule(
    "BOX706", "dangling-relation-entry", "The objects of a relation exist",
    reason: "Removing an object removes its entries; one was left.",
    example: "`friends has an entry of Person 7, which does not exist`",
    remedy: """
      Remove the entry with `boxjoint store unlink DIR Person.friends 1 7`. If the model does not have the relation, \
      export the undamaged data with `boxjoint export --salvage --store DIR`, and import it into a new store.
      """)
  /// An object has an id that none can have.
  public static let idOutOfRange = Rule(
    "BOX707", "object-id-out-of-range", "Every object has an id from 1 to 2^63-1",
    reason:
      "0 means a new object, and a larger id is not valid in Swift, Kotlin, Java, Dart and Go alike.",
    example: "`Person 0: no object can have this id`",
    remedy: """
      Restore a backup, or export the undamaged data with `boxjoint export --salvage --store DIR`, and import it into \
      a new store.
      """)
  /// A string is not UTF-8.
  public static let notUTF8 = Rule(
    "BOX708", "stored-text-not-utf8", "Every stored string is UTF-8",
    reason: "Readers show a different text from the stored one.",
    example: "`Person 7: name is not UTF-8`",
    remedy: """
      Set a valid string: `boxjoint store set DIR Person 7 "name='…'"`, or a valid list: `boxjoint store set DIR \
      Person 7 'tags:=["…"]'`.
      """)
  /// Two objects have one value of a unique property.
  public static let duplicateValue = Rule(
    "BOX709", "duplicate-unique-value", "No two objects have one value of a unique property",
    reason: "A lookup by the property expects one object.",
    example: "`Person 7 and 9 have one value of the unique Person.code`",
    remedy: """
      Change one of them with `boxjoint store set DIR Person 9 code=VALUE`, or remove it with `boxjoint store remove \
      DIR Person 9`.
      """)
  /// The catalog or the model in the store cannot be read.
  public static let damagedCatalog = Rule(
    "BOX710", "damaged-catalog", "The catalog and the model in the store are whole",
    reason: """
      Without them the bytes of the objects cannot be interpreted. A catalog that is older than the rest of the store, \
      since a disk lost a write, hides what was added after it.
      """,
    example: "`the store's catalog is damaged: the checksum of the catalog is wrong`",
    remedy: "Restore a backup.")
  /// A checkpoint of interrupted work is damaged.
  public static let damagedCheckpoint = Rule(
    "BOX711", "damaged-note", "The checkpoints of interrupted work are whole",
    reason: "An import that continues with them would link objects to the wrong ones.",
    example: "`a checkpoint of interrupted work is damaged`",
    remedy: "Restore a backup, or start the import again with `--restart`.")

  /// A transaction of the outbox is damaged.
  public static let damagedOutbox = Rule(
    "BOX712", "damaged-outbox", "Every transaction that waits for the server is whole",
    reason: """
      Its changes cannot be sent, nor those that follow it. The objects of the store are as they were, and stay usable.
      """,
    example: "`transaction 12 of the outbox is damaged`",
    remedy: syncRemedy)
  /// An object has a version of the server without need, or lacks it.
  public static let needlessShadow = Rule(
    "BOX713", "needless-shadow",
    "Exactly the objects that waiting transactions name have a version of the server",
    reason: """
      The version is what the object becomes if the server rejects the transactions. Without a transaction nothing \
      removes it, and changes that come from the server do not show.
      """,
    example: "`Person 7 has a version of the server, and no waiting transaction names it`",
    remedy: syncRemedy)
  /// The two maps of identities disagree.
  public static let mapsDisagree = Rule(
    "BOX714", "sync-maps-disagree", "Each identity of an object leads back to it",
    reason: "A change that comes from the server would go to another object, or to a new one.",
    example: "`Person 7 has an identity under which it is not found`",
    remedy: syncRemedy)
  /// A pair has a version of the server without need, or lacks it.
  public static let pairShadow = Rule(
    "BOX715", "needless-pair-shadow",
    "Exactly the pairs that something waits for have a version of the server",
    reason: "A pair would stay, or come back, that nobody has linked.",
    example: "`friends has a version of the server from 1 to 7, and nothing waits for it`",
    remedy: syncRemedy)
  /// The state of data sync is damaged.
  public static let positionWithoutChain = Rule(
    "BOX716", "position-without-chain",
    "The state of data sync is whole, and its position has a chain",
    reason: "The server cannot tell which of its changes the store has.",
    example: "`the position of data sync has no chain`",
    remedy: syncRemedy)
  private static let syncRemedy =
    "Restore a backup, or run `boxjoint store repair DIR`, which names what was not sent and switches data sync off."

  /// The rules under their heading of `docs/rules.md`.
  package static var section: RuleSection {
    RuleSection(
      "The bytes of a store",
      "The findings of `boxjoint store verify`. All are errors.",
      rules: [
        damagedPage, damagedRecord, missingEntry, extraEntry, halfLink, danglingLink, idOutOfRange,
        notUTF8,
        duplicateValue, damagedCatalog, damagedCheckpoint, damagedOutbox, needlessShadow,
        mapsDisagree, pairShadow, positionWithoutChain,
      ])
  }
}
