package import BoxReport

/// The rules by which models are merged.
///
/// `docs/merging.md` has each with what it does and why.
package enum MergeRule {
  private static func decision(
    _ id: String, _ name: String, _ summary: String, _ severity: Severity = .note
  ) -> Rule {
    Rule(id: id, name: name, summary: summary, severity: severity)
  }

  private static func conflict(_ id: String, _ name: String, _ summary: String) -> Rule {
    Rule(id: id, name: name, summary: summary, severity: .error)
  }

  /// One side added an element.
  package static let added = decision(
    "BOX401", "added", "What one side added is in the result")
  /// A side removed an element that the other did not change.
  package static let removed = decision(
    "BOX402", "removed", "What one side removed, and the other left alone, is removed")
  /// One side changed a field.
  package static let changed = decision(
    "BOX403", "changed", "What one side changed, and the other left alone, is changed")
  /// Both sides changed a field, and one of the values is older.
  package static let newerValue = decision(
    "BOX404", "newer-value",
    "Of two values of a field, the one that the history of a side shows to be newer is taken",
    .warning)
  /// Both sides gave one id; one of the two elements gets another.
  package static let renumbered = decision(
    "BOX410", "renumbered",
    "An element that is not published, or has not its published id, gets another one", .warning)
  /// A published element has another id than a published version.
  package static let publishedRenumbered = decision(
    "BOX412", "published-renumbered",
    "An element has another id than in a version that is published", .error)
  /// A side moved an element to another entity.
  package static let moved = decision(
    "BOX411", "moved", "A UID that changed its entity gets a number there", .warning)
  /// Ours gave an element the last id and does not have it any more.
  package static let lost = decision(
    "BOX420", "lost",
    "What only the last id of ours still names was lost: it is removed and retired",
    .warning)
  /// Ours does not have an element of the base.
  package static let notInOurs = decision(
    "BOX421", "not-in-ours", "What is not in ours stays out, and is not retired")
  /// Theirs does not have an element of the base.
  package static let takenBack = decision(
    "BOX422", "taken-back", "What theirs does not have any more is removed and retired")
  /// Both sides added the same thing.
  package static let unified = decision(
    "BOX430", "unified",
    "Of two equal elements with one name, the published one, then the lower UID survives", .warning)
  /// Both sides gave a property the same index.
  package static let indexUnified = decision(
    "BOX431", "index-unified",
    "Of two equal indexes of a property, the published one, then the lower UID survives")
  /// Flags that both sides changed were merged bit by bit.
  package static let flagsMerged = decision(
    "BOX440", "flags-merged", "Flags are merged bit by bit")
  /// An object of which both sides changed members was merged member by member.
  package static let membersMerged = decision(
    "BOX442", "members-merged", "The parameters of a vector index are merged one by one")
  /// Flags that a build writes differ between the sides.
  package static let generatedFlags = decision(
    "BOX441", "generated-flags",
    "A flag that every build writes is as published, else set if a side has it set")
  /// A UID left a retired list because one side still has its element.
  package static let unretired = decision(
    "BOX451", "unretired", "What one side retired and the sources of the other bring stays",
    .warning)
  /// A side changed a type and kept the UID.
  package static let typeChanged = decision(
    "BOX460", "type-changed", "A type that changed without a new UID is merged, and reported",
    .warning)
  /// The sources have to follow.
  package static let sourcesFollow = decision(
    "BOX470", "sources-follow", "What the sources of one side cannot know is reported", .warning)
  /// The base could not be used.
  package static let withoutBase = decision(
    "BOX480", "without-base", "Without a base, what both sides have is compared with each other")
  /// The sides are written by different generators.
  package static let dialectKept = decision(
    "BOX481", "dialect-kept", "The result is written as ours is written")
  /// A conflict was resolved as told.
  package static let resolvedAsTold = decision(
    "BOX490", "resolved-as-told", "A conflict is resolved as the user chooses")

  /// Both sides changed one field, differently.
  package static let editEdit = conflict(
    "BOX501", "edit-edit", "Both sides changed one field, differently")
  /// A side removed what the other changed.
  package static let removeEdit = conflict(
    "BOX502", "remove-edit", "One side removed what the other changed")
  /// A side removed the target of a relation that the other added.
  package static let targetRemoved = conflict(
    "BOX503", "target-removed", "One side removed the target of a relation of the other")
  /// Two different elements have one name.
  package static let sameName = conflict(
    "BOX504", "same-name", "Two different elements have one name")
  /// An id about which published versions contradict each other.
  package static let contestedID = conflict(
    "BOX505", "contested-id",
    "Published versions contradict each other about an id, or are not known")
  /// The flags of both sides together make no sense.
  package static let flagsClash = conflict(
    "BOX506", "flags-clash", "The flags of both sides together contradict each other")
  /// An entity would have two id properties, or two of what there is one of.
  package static let notTwice = conflict(
    "BOX507", "not-twice", "Both sides added what an entity has only one of")
  /// One UID for two elements.
  package static let twoKinds = conflict(
    "BOX508", "two-kinds",
    "The sides use one UID for two different elements")
  /// A model that the rules cannot merge.
  package static let wholeModel = conflict(
    "BOX509", "whole-model", "The rules lead to no sound model")

  /// A side was regenerated: it shares no UID with the base.
  package static let regenerated = conflict(
    "BOX591", "regenerated-side", "A side has no UID in common with the base")
  /// The files have nothing to do with each other.
  package static let unrelated = conflict(
    "BOX592", "unrelated", "The two files have no UID in common")

  /// Every rule, by id.
  package static let all: [Rule] = [
    added, removed, changed, newerValue, renumbered, publishedRenumbered, moved, lost, notInOurs,
    takenBack, unified,
    indexUnified, flagsMerged, generatedFlags, membersMerged, unretired, typeChanged, sourcesFollow,
    withoutBase,
    dialectKept, resolvedAsTold, editEdit, removeEdit, targetRemoved, sameName, contestedID,
    flagsClash, notTwice, twoKinds, wholeModel, regenerated, unrelated,
  ]
}
