public import BoxReport

/// Rules about names, and about the targets of relations.
extension ModelRule {
  /// Two entities have the same name.
  public static let duplicateEntityName = Rule(
    "BOX141", "duplicate-entity-name", "No two entities have the same name, whatever the case",
    reason: """
      Swift, Java, Dart and Go stop: names are compared without regard to case, and otherwise by their bytes. Two \
      branches added the same entity, or one renamed and one added.
      """,
    example: #"`"name": "note",`"#,
    remedy: "Keep one and retire the UIDs of the other; `boxjoint resolve` does it during a merge.",
    fix: "leaves it alone: the right fix depends on what was meant.")
  /// Two properties of an entity have the same name.
  public static let duplicatePropertyName = Rule(
    "BOX142", "duplicate-property-name",
    "No two properties of an entity have the same name, whatever the case",
    reason: "Swift and Java stop before they write, Go when it reads.",
    example: #"`"name": "Title",`"#,
    remedy: "As for entities.",
    fix: "leaves it alone: the right fix depends on what was meant.")
  /// Two relations of an entity have the same name.
  public static let duplicateRelationName = Rule(
    "BOX143", "duplicate-relation-name",
    "No two relations of an entity have the same name, whatever the case",
    reason: "A relation would be matched with the wrong UID, and links would be lost.",
    example: #"`"name": "authors",`"#,
    remedy: "As for entities.",
    fix: "leaves it alone: the right fix depends on what was meant.")
  /// An element has no name.
  public static let emptyName = Rule(
    "BOX144", "empty-name", "Every element has a name",
    reason: "No generator writes an empty name, and nothing in the sources can match it.",
    example: #"`"name": "",`"#,
    remedy: "Restore the name from version control.",
    fix: "leaves it alone.")
  /// A name is longer than any that is read.
  public static let nameTooLong = Rule(
    "BOX145", "name-too-long", "A name has at most 1024 bytes",
    reason: """
      No generator writes a longer one. The name of an entity is part of the message of each issue of its properties. \
      So one long name would add its length to each of these messages.
      """,
    example: #"`"name": "aaaaaaaa…",`"#,
    remedy: "Restore the name from version control.",
    fix: "leaves it alone.")
  /// Two names look the same, and have different bytes.
  public static let similarNames = Rule(
    "BOX146", "similar-names", "No two names differ only in how their accents are written",
    .warning,
    reason: """
      `é` can be one character, or an `e` with an accent behind it. Names are compared by their bytes, so these are \
      two properties, each with data of its own, and nobody sees which is which. A generator that compares texts as \
      `==` of Swift does takes them for one name.
      """,
    example: #"`"name": "caf\u00e9",` beside `"name": "cafe\u0301",`"#,
    remedy:
      "If they mean the same, keep one and retire the UID of the other. Otherwise rename one.",
    fix: "leaves it alone: the right fix depends on what was meant.")
  /// The target of a relation does not exist.
  public static let targetMissing = Rule(
    "BOX151", "target-missing", "The target of a relation is an entity of the model",
    reason: """
      Dart and Go stop; a store may fail with "map::at: key not found". One branch removed the entity, the other added \
      the relation.
      """,
    example: #"`"targetId": "4:2566925674358462543"`"#,
    remedy: "Remove the relation and retire its UID, or restore the entity.",
    fix: "leaves it alone: the right fix depends on what was meant.")
  /// A relation names its target by an id that is not the target's.
  public static let targetIDMismatch = Rule(
    "BOX152", "target-id-mismatch", "A target is named by the id and the UID of the entity",
    reason: """
      Dart stops: "relation with incorrect target". The entity was renumbered in a merge and the relation was not.
      """,
    example: #"`"targetId": "3:2001"`"#,
    remedy: "Set it to the pair that the entity has.",
    fix: "sets it.")
  /// The target of a to-one relation does not exist.
  public static let toOneTargetMissing = Rule(
    "BOX153", "to-one-target-missing", "The relationTarget of a to-one is an entity of the model",
    reason:
      "Go stops; the others write it again from the sources, so the source has to follow the rename.",
    example: #"`"relationTarget": "Person"`"#,
    remedy: "Use the name that the entity has now, or remove the property and retire its UID.",
    fix: "leaves it alone: the right fix depends on what was meant.")
  /// A to-one relation has no target, or a property of another type has one.
  public static let toOneTargetMisplaced = Rule(
    "BOX154", "to-one-target-misplaced", "Only a property of type 11 has a relationTarget",
    reason: """
      A relationTarget with another type is refused or lost. A to-one relation without a relationTarget is a note: \
      early generators for Java wrote none.
      """,
    example: #"`"type": 6, … "relationTarget": "Author"`"#,
    remedy: "Restore the property from version control, or build once with the generator.",
    fix: "leaves it alone: the right fix depends on what was meant.")
  /// A relation has no target.
  public static let targetUnset = Rule(
    "BOX155", "target-unset", "A standalone relation names its target",
    reason: """
      The entity of the linked objects is unknown, and no store opens with it (BOX611). An empty targetId is a \
      warning: the generator for Go writes it for a target that it has not found. In files before version 5 it is a \
      note: their generators wrote no target.
      """,
    example: #"`"targetId": ""`"#,
    remedy:
      "Build once with a current generator, which writes it, or remove the relation and retire its UID.",
    fix: "leaves it alone: the file does not say which entity was meant.")

  static var namesSections: [RuleSection] {
    [
      RuleSection(
        "Names",
        rules: [
          duplicateEntityName, duplicatePropertyName, duplicateRelationName, emptyName, nameTooLong,
          similarNames,
        ]),
      RuleSection(
        "Targets of relations",
        rules: [
          targetMissing, targetIDMismatch, toOneTargetMissing, toOneTargetMisplaced, targetUnset,
        ]),
    ]
  }
}
