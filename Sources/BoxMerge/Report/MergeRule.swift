package import BoxReport

/// The rules by which models are merged.
///
/// `docs/merging.md` has each with what it does and why.
package enum MergeRule {
  /// One side added an element.
  package static let added = Rule(
    "BOX401", "added", "What one side added is in the result", .note,
    note: "See [merging.md](merging.md).")
  /// A side removed an element that the other did not change.
  package static let removed = Rule(
    "BOX402", "removed", "What one side removed, and the other left alone, is removed", .note,
    note: "See [merging.md](merging.md).")
  /// One side changed a field.
  package static let changed = Rule(
    "BOX403", "changed", "What one side changed, and the other left alone, is changed", .note,
    note: "See [merging.md](merging.md).")
  /// Both sides changed a field, and one of the values is older.
  package static let newerValue = Rule(
    "BOX404", "newer-value",
    "Of two values of a field, the one that the history of a side shows to be newer is taken",
    .warning,
    note: "See [merging.md](merging.md).")
  /// Both sides gave one id; one of the two elements gets another.
  package static let renumbered = Rule(
    "BOX410", "renumbered",
    "An element that is not published, or has not its published id, gets another one", .warning,
    note: "See [merging.md](merging.md#which-id-an-element-gets).")
  /// A published element has another id than a published version.
  package static let publishedRenumbered = Rule(
    "BOX412", "published-renumbered",
    "An element has another id than in a version that is published",
    note: "See [merging.md](merging.md#which-id-an-element-gets).")
  /// A side moved an element to another entity.
  package static let moved = Rule(
    "BOX411", "moved", "A UID that changed its entity gets a number there", .warning,
    note: "See [merging.md](merging.md).")
  /// Ours gave an element the last id and no longer has the element.
  package static let lost = Rule(
    "BOX420", "lost",
    "What only the last id of ours still names was lost: it is removed and retired", .warning,
    note: "See [merging.md](merging.md).")
  /// Ours does not have an element of the base.
  package static let notInOurs = Rule(
    "BOX421", "not-in-ours", "What is not in ours stays out, and is not retired", .note,
    note: "See [merging.md](merging.md).")
  /// Theirs does not have an element of the base.
  package static let withdrawn = Rule(
    "BOX422", "taken-back", "What theirs no longer has is removed and retired", .note,
    note: "See [merging.md](merging.md).")
  /// Both sides added the same thing.
  package static let unified = Rule(
    "BOX430", "unified",
    "Of two equal elements with one name, the published one, then the lower UID survives", .warning,
    note: "See [merging.md](merging.md).")
  /// Both sides gave a property the same index.
  package static let indexUnified = Rule(
    "BOX431", "index-unified",
    "Of two equal indexes of a property, the published one, then the lower UID survives", .note,
    note: "See [merging.md](merging.md).")
  /// Flags that both sides changed were merged bit by bit.
  package static let flagsMerged = Rule(
    "BOX440", "flags-merged", "Flags are merged bit by bit", .note,
    note: "See [merging.md](merging.md).")
  /// An object of which both sides changed members was merged member by member.
  package static let membersMerged = Rule(
    "BOX442", "members-merged", "The parameters of a vector index are merged one by one", .note,
    note: "See [merging.md](merging.md).")
  /// Flags that a build writes differ between the sides.
  package static let generatedFlags = Rule(
    "BOX441", "generated-flags",
    "A flag that every build writes is as published, else set if a side has it set", .note,
    note: "See [merging.md](merging.md).")
  /// A UID left a retired list because one side still has its element.
  package static let unretired = Rule(
    "BOX451", "unretired", "What one side retired and the sources of the other bring stays",
    .warning,
    note: "See [merging.md](merging.md).")
  /// A side changed a type and kept the UID.
  package static let typeChanged = Rule(
    "BOX460", "type-changed", "A type that changed without a new UID is merged, and reported",
    .warning,
    note: "See [merging.md](merging.md).")
  /// The sources have to follow.
  package static let sourcesFollow = Rule(
    "BOX470", "sources-follow", "What the sources of one side cannot know is reported", .warning,
    note: "See [merging.md](merging.md).")
  /// The base could not be used.
  package static let withoutBase = Rule(
    "BOX480", "without-base", "Without a base, what both sides have is compared with each other",
    .note,
    note: "See [merging.md](merging.md).")
  /// The sides are written by different generators.
  package static let dialectKept = Rule(
    "BOX481", "dialect-kept", "The result is written as ours is written", .note,
    note: "See [merging.md](merging.md).")
  /// A conflict was resolved as requested.
  package static let resolvedAsDecided = Rule(
    "BOX490", "resolved-as-told", "A conflict is resolved as the user chooses", .note,
    note: "See [merging.md](merging.md).")

  /// Both sides changed one field, differently.
  package static let editEdit = Rule(
    "BOX501", "edit-edit", "Both sides changed one field, differently",
    note: "See [merging.md](merging.md).")
  /// A side removed what the other changed.
  package static let removeEdit = Rule(
    "BOX502", "remove-edit", "One side removed what the other changed",
    note: """
      See [merging.md](merging.md). If the side also made it again under another UID, which the other may have \
      retired, the answers are [the two UIDs](merging.md#removed-and-made-again).
      """)
  /// A side removed the target of a relation that the other added.
  package static let targetRemoved = Rule(
    "BOX503", "target-removed", "One side removed the target of a relation of the other",
    note: "See [merging.md](merging.md).")
  /// Two different elements have one name.
  package static let sameName = Rule(
    "BOX504", "same-name", "Two different elements have one name",
    note: "See [merging.md](merging.md).")
  /// An id about which published versions contradict each other.
  package static let contestedID = Rule(
    "BOX505", "contested-id",
    "Published versions contradict each other about an id, or are not known",
    note: "See [merging.md](merging.md#which-id-an-element-gets).")
  /// The flags of both sides together make no sense.
  package static let flagsClash = Rule(
    "BOX506", "flags-clash", "The flags of both sides together contradict each other",
    note: "See [merging.md](merging.md).")
  /// An entity would have two id properties, or two of what there is one of.
  package static let notTwice = Rule(
    "BOX507", "not-twice", "Both sides added what an entity has only one of",
    note: "See [merging.md](merging.md).")
  /// One UID for two elements.
  package static let twoKinds = Rule(
    "BOX508", "two-kinds", "The sides use one UID for two different elements",
    note: """
      They are of different kinds, or they are the indexes of two properties, or both sides took the UID from those \
      [on offer](merging.md#one-uid-for-two-elements).
      """)
  /// A model that the rules cannot merge.
  package static let wholeModel = Rule(
    "BOX509", "whole-model", "The rules yield no valid model",
    note: "See [merging.md](merging.md).")

  /// A side was regenerated: it shares no UID with the base.
  package static let regenerated = Rule(
    "BOX591", "regenerated-side", "A side has no UID in common with the base",
    note: "See [merging.md](merging.md).")
  /// The files have nothing to do with each other.
  package static let unrelated = Rule(
    "BOX592", "unrelated", "The two files have no UID in common",
    note: "See [merging.md](merging.md).")

  /// The rules under their headings of `docs/rules.md`.
  package static var sections: [RuleSection] {
    [
      RuleSection(
        "Decisions of a merge",
        """
        A decision is something that the merge did without asking. [merging.md](merging.md) describes when each \
        applies.
        """,
        rules: [
          added, removed, changed, newerValue, renumbered, publishedRenumbered, moved, lost,
          notInOurs, withdrawn,
          unified, indexUnified, flagsMerged, generatedFlags, membersMerged, unretired, typeChanged,
          sourcesFollow,
          withoutBase, dialectKept, resolvedAsDecided,
        ]),
      RuleSection(
        "Conflicts of a merge",
        "A conflict needs a person: `boxjoint resolve` shows both sides and what each choice means.",
        rules: [
          editEdit, removeEdit, targetRemoved, sameName, contestedID, flagsClash, notTwice,
          twoKinds, wholeModel,
          regenerated, unrelated,
        ]),
    ]
  }
}
