public import BoxReport

/// Rules about ids, last ids, UIDs and retired lists.
extension ModelRule {
  /// A UID is 0, or one that some generators refuse: above 2^63-1, or below 256.
  public static let uidOutOfRange = Rule(
    "BOX110", "uid-out-of-range", "A UID is a number from 1 to 2^63-1, or for Rust to 2^64-1",
    reason: """
      0 means none. A UID above 2^63-1 is a warning, once in a file: the generator for Rust makes such UIDs, and the \
      others refuse the file. A UID below 256 is a note: the generator for Swift refuses it, the others accept it.
      """,
    example: #"`"id": "1:0",`"#,
    remedy: "Restore the value from version control.",
    fix: "leaves it alone.")
  /// Two entities have the same id.
  public static let duplicateEntityID = Rule(
    "BOX111", "duplicate-entity-id", "No two entities have the same id",
    reason: """
      Storage is addressed by id: objects of one type would be read as the other. Swift and Java stop; Dart, Go and \
      Python do not notice, and the runtime refuses the model.
      """,
    example: #"`"id": "3:6645479796472661392",`"#,
    remedy: """
      Give one of the two the next id, keep its UID, and raise lastEntityId. Where two branches were merged, `boxjoint \
      resolve` decides which.
      """,
    fix: "leaves it alone: the right fix depends on what was meant.")
  /// Two properties of an entity have the same id.
  public static let duplicatePropertyID = Rule(
    "BOX112", "duplicate-property-id", "No two properties of an entity have the same id",
    reason:
      "As for entities, inside one entity: values of one property would be read as the other.",
    example: #"`"id": "4:8804670454579230281",`"#,
    remedy: "Give one of the two the next id, keep its UID, and raise lastPropertyId.",
    fix: "leaves it alone: the right fix depends on what was meant.")
  /// Two indexes have the same id.
  public static let duplicateIndexID = Rule(
    "BOX113", "duplicate-index-id", "No two indexes of a model have the same id",
    reason:
      #"No generator notices. The store does not open: "Duplicate index ID n found for property"."#,
    example: #"`"indexId": "2:1929546706668609706",`"#,
    remedy: "Give one of the two the next index id, and raise lastIndexId.",
    fix: "leaves it alone: the right fix depends on what was meant.")
  /// Two relations have the same id.
  public static let duplicateRelationID = Rule(
    "BOX114", "duplicate-relation-id", "No two standalone relations of a model have the same id",
    reason: "No generator notices. Links of one relation would be attributed to the other.",
    example: #"`"id": "1:7766060310030207431",`"#,
    remedy: "Give one of the two the next relation id, and raise lastRelationId.",
    fix: "leaves it alone: the right fix depends on what was meant.")
  /// The file begins with a byte order mark.
  public static let byteOrderMark = Rule(
    "BOX115", "byte-order-mark", "A model file does not begin with a byte order mark", .warning,
    reason: """
      Some editors write one. BoxJoint skips it in every file that it reads, but other readers of JSON refuse the \
      file. A merge keeps the mark if our side has one, and drops it otherwise.
      """,
    example: "the bytes `EF BB BF` in front of `{`",
    remedy: "Save the file as UTF-8 without a byte order mark.",
    fix: "removes it.")
  /// A counter is below an id that it has given.
  public static let lastIDTooLow = Rule(
    "BOX121", "last-id-too-low", "A last id is not lower than any id in use",
    reason: """
      Swift, Java, Dart and Go stop for entities and properties; for indexes no generator notices, and the next new \
      one gets an id that is taken. The store does not open: "DB's last entity ID x is higher than y from model".
      """,
    example: #"`"lastPropertyId": "3:1003",`"#,
    remedy: "Set it to the pair of the highest id.",
    fix: "sets it to that pair.")
  /// A counter names another UID than the element with its number.
  public static let lastIDMismatch = Rule(
    "BOX122", "last-id-mismatch", "A last id has the UID of the element that has its number",
    reason: """
      Swift, Java, Dart and Go stop. It happens when a merge took the counter of one side and the element of the \
      other.
      """,
    example: #"`"lastEntityId": "3:1001",`"#,
    remedy: "Set it to the pair of the element that has the number.",
    fix: "sets it, where the number is in use.")
  /// A counter is missing although ids were given.
  public static let lastIDMissing = Rule(
    "BOX123", "last-id-missing", "Where elements have ids there is a last id",
    reason: "Swift stops, others count from 1 again and give ids twice.",
    example: #"`"properties": [ … ] without "lastPropertyId"`"#,
    remedy: "Add the key with the pair of the highest id.",
    fix: "adds it.")
  /// A counter names a UID that is neither in use nor retired.
  public static let lastIDUnknown = Rule(
    "BOX124", "last-id-unknown", "The UID of a last id is in use or retired", .warning,
    reason: """
      Dart and Go stop for entities and properties: a UID was lost, perhaps with its element, in a merge. For indexes \
      and relations it is a note, as the generator for Dart does not retire those of a removed entity.
      """,
    example: #"`"lastEntityId": "9:5107964062888457216",`"#,
    remedy:
      "Add the UID to the retired list if its element was removed; otherwise restore the element.",
    fix: "leaves it alone: the right fix depends on what was meant.")
  /// A file of Go or C has `"0:0"` where no number was given.
  public static let lastIDZero = Rule(
    "BOX125", "last-id-zero", "In files of Go and C the last id of what was never given is empty",
    .warning,
    reason: """
      Their generator stops at `"0:0"`, which the others write. It occurs if two of them write the same file. It is \
      reported if another last id of the file is empty.
      """,
    example: #"`"lastRelationId": "0:0",`"#,
    remedy: #"Write `""`."#,
    fix: "does that.")
  /// Two elements have the same UID.
  public static let duplicateUID = Rule(
    "BOX131", "duplicate-uid", "No two elements of a model have the same UID",
    reason: """
      "UID exists twice": Swift, Java and Python stop. An index or relation that shares one with another kind is a \
      warning, as such files work.
      """,
    example: #"`"id": "4:17664",`"#,
    remedy: "Restore the UID of the one that was changed last.",
    fix: "leaves it alone: the right fix depends on what was meant.")
  /// A UID is in use and in a retired list.
  public static let liveAndRetired = Rule(
    "BOX132", "live-and-retired", "A UID in use is in no retired list",
    reason: """
      Swift, Java and Python stop: "UID exists twice". A line merge produces this from a removal on one side and an \
      edit on the other.
      """,
    example: #"`"retiredPropertyUids": [ 17664 ]`"#,
    remedy:
      "Decide whether the element lives: remove the UID from the list, or the element from the model.",
    fix: "removes it from the list, as that loses no data.")
  /// A UID is retired twice.
  public static let retiredTwice = Rule(
    "BOX133", "retired-twice", "No UID is in the retired lists twice",
    reason:
      "Swift and Java stop. Both branches removed the same element and a line merge kept both lines.",
    example: #"`"retiredPropertyUids": [ 17664, 17664 ]`"#,
    remedy: "Keep one of the two.",
    fix: "removes the second, where both are in one list.")
  /// A UID is offered in `newUidPool` and also in use or retired.
  public static let offeredAndUsed = Rule(
    "BOX134", "offered-and-used", "A UID on offer in newUidPool is not in use", .warning,
    reason:
      "The generator would offer the developer a UID that is taken, and the next build fails.",
    example: #"`"newUidPool": [ 17664 ]`"#,
    remedy: "Remove it from the pool.",
    fix: "removes it.")

  static var identitySections: [RuleSection] {
    [
      RuleSection(
        "Ids",
        rules: [
          uidOutOfRange, duplicateEntityID, duplicatePropertyID, duplicateIndexID,
          duplicateRelationID,
        ]),
      RuleSection(
        "Last ids",
        rules: [
          byteOrderMark, lastIDTooLow, lastIDMismatch, lastIDMissing, lastIDUnknown, lastIDZero,
        ]),
      RuleSection(
        "UIDs and retired lists",
        rules: [
          duplicateUID, liveAndRetired, retiredTwice, offeredAndUsed,
        ]),
    ]
  }
}
