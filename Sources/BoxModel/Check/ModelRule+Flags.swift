public import BoxReport

/// Rules about indexes, flags and types.
extension ModelRule {
  /// A property has flags of an index, but no index.
  public static let indexIDMissing = Rule(
    "BOX161", "index-id-missing", "A property whose flags ask for an index has an indexId",
    reason: """
      The store does not open: "No index ID/UID assigned for indexed property". A merge kept the flags and lost the \
      index.
      """,
    example: #"`"flags": 8`"#,
    remedy: "Build once with the generator, which gives it an index.",
    fix: "leaves it alone: the right fix depends on what was meant.")
  /// A property has an index, but no flag of an index.
  public static let indexFlagMissing = Rule(
    "BOX162", "index-flag-missing", "A property with an indexId has a flag for its index",
    reason: """
      The generator removes the index on the next build; until then the runtime keeps an index that no query uses.
      """,
    example: #"`"indexId": "1:1004", "flags": 0`"#,
    remedy: "Build once with the generator: it removes the index, or adds the flag.",
    fix: "leaves it alone: the right fix depends on what was meant.")
  /// A flag that needs an index is set without one.
  public static let flagNeedsIndex = Rule(
    "BOX163", "flag-needs-index", "UNIQUE and INDEX_PARTIAL_SKIP_… require a flag for an index",
    reason:
      "Uniqueness is checked by means of the index. With an indexId it is a note: Go and C write UNIQUE alone.",
    example: #"`"flags": 32`"#,
    remedy: "Add INDEXED (8), INDEX_HASH (2048) or INDEX_HASH64 (4096), and an indexId.",
    fix: "leaves it alone: the right fix depends on what was meant.")
  /// Two hashes for one index.
  public static let twoHashes = Rule(
    "BOX164", "two-hashes", "An index has one hash: INDEX_HASH or INDEX_HASH64",
    reason:
      "Two branches chose different hashes and a merge joined the bits; the runtime accepts one.",
    example: #"`"flags": 6144`"#,
    remedy: "Keep one of them.",
    fix: "leaves it alone: the right fix depends on what was meant.")
  /// Replace on conflict without unique.
  public static let replaceNeedsUnique = Rule(
    "BOX165", "replace-needs-unique", "UNIQUE_ON_CONFLICT_REPLACE requires UNIQUE",
    reason: "Without UNIQUE, no conflict exists that replacing could resolve.",
    example: #"`"flags": 32768`"#,
    remedy: "Set both or neither.",
    fix: "leaves it alone: the right fix depends on what was meant.")
  /// An entity has no id property, or several.
  public static let idPropertyCount = Rule(
    "BOX166", "id-property-count", "An entity has one property with the flag ID",
    reason: """
      Objects are found by their id; Go and the runtime refuse an entity with none or two. Not checked in files that \
      lack types.
      """,
    example: #"`"flags": 1`"#,
    remedy: "Restore the flag, or remove it from one of the two.",
    fix: "leaves it alone: the right fix depends on what was meant.")
  /// An id property that is not a long, or has flags that an id cannot have.
  public static let idPropertyType = Rule(
    "BOX167", "id-property-type", "The property with the flag ID has the type long (6)",
    reason: "Ids are 64-bit integers everywhere; Go and the runtime refuse others.",
    example: #"`"type": 5, "flags": 1`"#,
    remedy: "Restore the type from version control.",
    fix: "leaves it alone: the right fix depends on what was meant.")
  /// Flags of Sync that exclude each other, or that an entity has twice.
  public static let syncFlags = Rule(
    "BOX168", "sync-flags",
    "SYNC_CLOCK and SYNC_PRECEDENCE are set on one long property each, of a synchronized entity",
    reason:
      "Sync accepts one clock and one precedence for each synchronized entity, both of type long.",
    example: #"`"flags": 131072`"#,
    remedy: "Keep each of the two on at most one long property.",
    fix: "leaves it alone: the right fix depends on what was meant.")
  /// Shared global ids without Sync.
  public static let sharedIDsNeedSync = Rule(
    "BOX169", "shared-ids-need-sync", "SHARED_GLOBAL_IDS requires SYNC_ENABLED",
    reason:
      "Shared ids mean nothing without Sync; Java refuses a change of either on an existing entity.",
    example: #"`"flags": 4`"#,
    remedy: "Set both or neither.",
    fix: "leaves it alone: the right fix depends on what was meant.")
  /// A type code without a meaning.
  public static let unknownType = Rule(
    "BOX170", "unknown-type", "The type of a property is one that is known", .warning,
    reason: """
      A newer generator wrote it, or a merge damaged it; the runtime refuses types that it does not know. The type 0 \
      is a note: a generator that stopped with an error writes it.
      """,
    example: #"`"type": 15`"#,
    remedy: "Use a newer version of boxjoint, or restore the type.",
    fix: "leaves it alone: the right fix depends on what was meant.")
  /// A flag that is not valid for the type.
  public static let flagTypeMismatch = Rule(
    "BOX171", "flag-type-mismatch", "Flags of a property go with its type", .warning,
    reason: """
      The runtime ignores or refuses such a flag. Hashes are for strings and bytes; INDEXED is for types with an order \
      and for vectors of floats; UNSIGNED is for types stored as an integer; EXPIRATION_TIME is for dates.
      """,
    example: #"`"type": 9, "flags": 8192`"#,
    remedy: "Build once with the generator, or restore the flags.",
    fix: "leaves it alone: the right fix depends on what was meant.")
  /// A bit without a meaning.
  public static let unknownFlag = Rule(
    "BOX172", "unknown-flag", "Every bit of flags is one that is known", .note,
    reason: "A newer generator wrote it. It is kept as it is.",
    example: #"`"flags": 1048576`"#,
    remedy: "Nothing, unless the sources do not ask for the flag.",
    fix: "leaves it alone.")
  /// Ids that the application may assign, on a property that is not an id.
  public static let selfAssignableNeedsID = Rule(
    "BOX173", "self-assignable-needs-id", "ID_SELF_ASSIGNABLE requires ID",
    reason: """
      Only the id of an object can be assigned. On another property the flag means nothing, or a merge lost the flag \
      ID.
      """,
    example: #"`"flags": 128`"#,
    remedy: "Remove the flag, or restore ID as well.",
    fix: "leaves it alone: the right fix depends on what was meant.")
  /// A property without a type.
  public static let typeMissing = Rule(
    "BOX174", "type-missing", "Every property of a file in the current version has a type",
    .warning,
    reason: """
      A generator that stopped with an error, or could not map the type in the sources, leaves it out. No store opens \
      with such a model (BOX610).
      """,
    example: #"`{ "id": "2:2002", "name": "age" }`"#,
    remedy: "Build once with the generator, or restore the type from version control.",
    fix: "leaves it alone: the file does not say which type was meant.")
  /// The parameters of a vector index cannot be served.
  public static let vectorParameters = Rule(
    "BOX175", "vector-parameters", "A vector index has parameters that can be served", .warning,
    reason: """
      A search for nearest neighbours needs the number of dimensions and a distance that is known. It compares all \
      vectors until it has them, and refuses a distance that it does not know. A misspelled parameter has its default. \
      See [vectors.md](vectors.md).
      """,
    example: #"`"hnswParams": { "dimensions": 0, "distance-type": "Cosine" }`"#,
    remedy: "Correct the parameters in the annotation, and build.",
    fix: "leaves it alone: the file does not say which number was meant.")
  /// Parameters of a vector index that are hints for another implementation.
  public static let vectorHints = Rule(
    "BOX176", "vector-hints", "Parameters of a vector index have an effect", .note,
    reason: """
      The size of a cache, the probability of repairs and the flags are hints for ObjectBox. They are kept in the \
      file, and BoxJoint does without them.
      """,
    example: #"`"hnswParams": { "dimensions": 3, "vector-cache-hint-size-kb": 1024 }`"#,
    remedy: "Nothing.",
    fix: "leaves it alone.")

  static var flagsSections: [RuleSection] {
    [
      RuleSection(
        "Indexes, flags and types",
        rules: [
          indexIDMissing, indexFlagMissing, flagNeedsIndex, twoHashes, replaceNeedsUnique,
          idPropertyCount,
          idPropertyType, syncFlags, sharedIDsNeedSync, unknownType, flagTypeMismatch, unknownFlag,
          selfAssignableNeedsID, typeMissing, vectorParameters, vectorHints,
        ])
    ]
  }
}
