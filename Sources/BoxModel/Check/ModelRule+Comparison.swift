public import BoxReport

/// Rules for a model compared with earlier versions, and with other files of its repository.
extension ModelRule {
  /// No entity has a UID of the earlier version, although its entities were not all retired and
  /// renamed.
  public static let regenerated = Rule(
    "BOX201", "regenerated", "A model keeps the UIDs of its earlier version",
    reason: """
      Every database of the earlier version is refused: "Incoming entity ID does not match existing UID". The file was \
      deleted, or had conflict markers when the generator for Swift ran. Nothing else is reported then. The rule does \
      not apply to a file whose old entities are all retired: one that begins again under its name is a reset \
      ([BOX210](#box210-reset-unstated)).
      """,
    example: #"`"id": "1:5583705076079463424",`"#,
    remedy: """
      Restore the file and build again. In a merge, `boxjoint resolve --rematch` matches the elements by name.
      """,
    fix: "leaves it alone: the right fix depends on what was meant.")
  /// A UID of the earlier version is neither in use nor retired.
  public static let forgotten = Rule(
    "BOX202", "forgotten", "What is removed from a model is retired", .warning,
    reason: """
      The UID may be given to another element, and data would be misread. Every ninth real change has such a loss, \
      usually from merges by hand. An entity is reported once, with everything in it. With `--against REF` the earlier \
      version is the one at which this version left REF. Elements that were added to REF since are not in this \
      version; they are neither reported nor retired.
      """,
    example: #"`"retiredPropertyUids": []`"#,
    remedy: "If the element was removed on purpose, retire its UID; otherwise restore it.",
    fix: "retires it, and everything in it.")
  /// A counter went down.
  public static let lastIDLowered = Rule(
    "BOX203", "last-id-lowered", "A last id never goes down",
    reason: """
      "DB's last entity ID x is higher than y from model": the store does not open with this file, and the next id is \
      given twice.
      """,
    example: #"`"lastEntityId": "8:1008",`"#,
    remedy: "Restore it.",
    fix: """
      sets it to its old value, or to the highest one in use if that is higher, with the UID of the element that has \
      it or a retired one.
      """)
  /// An element has another id than before.
  public static let idChanged = Rule(
    "BOX204", "id-changed", "An element keeps its id",
    reason: """
      "Incoming entity ID does not match with any existing ID, but its UID matches": a store that knows the element by \
      its old id does not open. BoxJoint's own stores do.
      """,
    example: #"`"id": "43:1001",`"#,
    remedy: """
      Restore the id. If a merge gave the element its published id, or a free one because it is not published, there \
      is no such finding.
      """,
    fix: """
      gives the element its published id, or that of the version compared with \
      ([merging.md](merging.md#which-id-an-element-gets)).
      """)
  /// A property has another type than before.
  public static let typeChanged = Rule(
    "BOX205", "type-changed", "A property keeps its type as long as it keeps its UID",
    reason: """
      "Property is not compatible to its previous definition. Check its type": the store does not open. Only Python's \
      generator refuses it.
      """,
    example: #"`"type": 9`"#,
    remedy: """
      Restore the type, or reset the property: a new UID and id, the old UID retired. If its values are to be \
      converted ([swift-versions.md](swift-versions.md#changed-types)), `boxjoint check --against REF --fix --approve` \
      notes that in `.boxjoint-approvals.json`, as the generator for Swift does with `convert-type`; commit the file.
      """,
    fix: "leaves it alone: the right fix depends on what was meant.")
  /// An id was given again.
  public static let idReused = Rule(
    "BOX206", "id-reused", "An id is never given twice",
    reason: """
      "Incoming entity ID does not match existing UID": the data that is stored under the number belongs to another \
      element.
      """,
    example: #"`"id": "2:7000",`"#,
    remedy: """
      Give the new element the next id, and raise the last id. An id is one that was given before if it is not above \
      the last id of the version compared with, unless the element is published under it.
      """,
    fix: "gives the element the next id above all that are published.")
  /// A retired UID is in use again.
  public static let revived = Rule(
    "BOX207", "revived", "A retired UID is not used again", .warning,
    reason:
      "A revert brought it back; data that is still stored under the UID may have another meaning now.",
    example: #"`"id": "4:17664",`"#,
    remedy: """
      Give it a new id and a new UID, unless it is the element that was removed, as after a revert or `plan --fix`.
      """,
    fix: "leaves it alone: the right fix depends on what was meant.")
  /// A retired UID is missing from the list.
  public static let retirementLost = Rule(
    "BOX208", "retirement-lost", "A retired UID stays in its list", .warning,
    reason: """
      A tool that does not write the lists saved the file (Python before 5 drops all of them), or a merge by hand lost \
      them. The UID may be given again.
      """,
    example: #"`"retiredPropertyUids": []`"#,
    remedy: "Put it back.",
    fix: "restores all of them, at the end of the list.")
  /// An entity became synchronized, or stopped being so.
  public static let syncChanged = Rule(
    "BOX209", "sync-flags-changed", "An entity keeps SYNC_ENABLED and SHARED_GLOBAL_IDS", .warning,
    reason: """
      The generator for Java stops if an existing entity becomes synchronized, or no longer is. Objects that were not \
      synchronized have ids that other devices gave to other objects.
      """,
    example: #"`"flags": 2,`"#,
    remedy: "Restore the flags, or retire the entity and add another one.",
    fix: "leaves it alone: the right fix depends on what was meant.")
  /// An element has a new UID, and nobody said that it begins without its data.
  public static let reset = Rule(
    "BOX210", "reset-unstated", "An element keeps its UID unless its reset is stated",
    note: "A warning if it cannot be taken back.",
    reason: """
      An element with a new UID begins without its data. This happens by accident where the model and its sources are \
      merged to different results: one branch removes a property, another one moves its line, git keeps the line, and \
      the next build takes it for a new property. The file is compared with the commit that it follows and the one \
      before, with both commits of a merge, with the version that `--against` names, and with the published versions \
      that it comes from or branched off. It is also compared with the last version that had an element, however old, \
      if the last commit without it has it in its sources: that merge was not built. An element counts as the same if \
      its kind, owner, name (whatever the case) and type are. If a published version has the new UID, or removed the \
      element together with its sources, databases may have data under both, and it is a warning. Sources have an \
      element if one of their files, in any of the languages, has the names of the entity and of the member as whole \
      words.
      """,
    example: """
      `Note.p has the UID 7716483900912641, and had 6650210497133824 in HEAD: it begins without the data of that \
      version`
      """,
    remedy: """
      `boxjoint check --fix` gives the element its UID and its id back, and retires the new one. If it is meant to \
      begin without data, `boxjoint check --fix --approve` notes that in `.boxjoint-approvals.json`; commit the file. \
      `boxjoint-generate` notes it by itself if you reset an element with `// objectbox: uid`.
      """)
  /// A model file of the repository is missing, or all of its UIDs are new.
  public static let lost = Rule(
    "BOX211", "model-lost", "The models of a repository and of its generated code keep their UIDs",
    reason: """
      If the model file is missing, or was generated again, the next build gives new UIDs to everything. A database of \
      the earlier version does not open with them. HEAD is compared, in CI the commit before it too, and the generated \
      code. If no model is left at all, the last commit that removed one is found, however old it is; a hook \
      (`--if-model` outside of CI) does not look that far.
      """,
    example: "`the model file is missing, and HEAD has it with 12 entities`",
    remedy: """
      Run `boxjoint recover` before anything is built; see [recovering.md](recovering.md). If the removal is meant, \
      commit it together with that of the generated code. Without any model there is nothing to check: take the check \
      out of the CI job too.
      """,
    fix: "leaves it alone: which file is the right one is not decided by a check.")
  /// A new model file has the entities of an earlier one of another name, and none of its UIDs.
  public static let begunAgain = Rule(
    "BOX212", "model-begun-again", "A model that gets another name keeps its UIDs",
    reason: """
      A target was renamed, and the generator began a new model: the file has the entities of a model in HEAD (in CI, \
      of the commit before it too), with other UIDs. Databases of that model do not open with it. If the file of the \
      earlier model is still there, it counts only if it is in the same directory, if each of the two has at least \
      half of the entities of the other, and if no other target has it.
      """,
    example: """
      `the model was begun again under another name: 3 of its 3 entities, such as Note, are those of model-App.json in \
      HEAD, with other UIDs`
      """,
    remedy: """
      Run the command of the finding, which puts the earlier model into the place of the new one, and generate again. \
      If both models are meant, each for a database of its own, add the rule to `check.ignore`, or commit both: what \
      HEAD has is not reported.
      """,
    fix: "leaves it alone: only you know whether the two are one model.")

  static var comparisonSections: [RuleSection] {
    [
      RuleSection(
        "Compared with an earlier version",
        rules: [
          regenerated, forgotten, lastIDLowered, idChanged, typeChanged, idReused, revived,
          retirementLost,
          syncChanged, reset,
        ]),
      RuleSection(
        "Lost files",
        """
        The check of all models of a repository compares them with HEAD and with generated code that git tracks. In \
        a CI job, where the loss is committed already, it compares them with the first parent of HEAD too; there a \
        model that was removed together with all files of its directory is no loss.
        """,
        rules: [
          lost, begunAgain,
        ]),
    ]
  }
}
