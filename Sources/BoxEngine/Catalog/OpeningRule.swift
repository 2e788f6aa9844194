internal import BoxModel
public import BoxReport

/// The rules for opening a store with a model.
///
/// Each has the text of its entry in `docs/rules.md`.
public enum OpeningRule {
  /// A property has another type than its stored values.
  public static let typeChanged = Rule(
    "BOX601", "stored-type-changed", "A property has the type of its stored values",
    reason:
      "Stored bytes would be read as something else. Types of the same width are different too.",
    example: "`Person.age is of type long, and its stored values are of type int`",
    remedy: """
      To keep the values, run `boxjoint migrate`, which converts them to the new type, by itself or by a mapping: \
      [migrating.md](migrating.md). Otherwise give the property a new UID, which starts it without values, or restore \
      the type. An entity without objects may change its types.
      """)
  /// The property is unsigned and its stored values are signed, or vice versa.
  public static let signChanged = Rule(
    "BOX602", "stored-sign-changed", "A property is unsigned if its stored values are",
    reason: "Negative numbers would become very large ones, or the other way round.",
    example: "`Person.age is unsigned, and its stored values are signed`",
    remedy: """
      To keep the values, run `boxjoint migrate`: [migrating.md](migrating.md). Otherwise give the property a new UID, \
      which starts it without values, or restore the flag.
      """)
  /// The model looks newly generated, by ``ModelRecognition``.
  public static let regenerated = Rule(
    "BOX603", "model-regenerated", "A model has UIDs that were in a model of the store",
    reason: """
      A model file that was lost and generated again has new UIDs; everything stored would be hidden. The rule has two \
      conditions: fewer than half of the UIDs in the store are in the model or retired by it; more than half of the \
      model's UIDs were in no model of the store. An older model of the store opens, even if it has few of the UIDs.
      """,
    example: """
      `the model knows 0 of the 10 UIDs in the store, which had no model with 9 of the 9 UIDs of this one: it looks \
      newly generated`
      """,
    remedy: """
      Restore the model file from version control, or find it with `boxjoint recover`. The option \
      `acceptsRegeneratedModel` opens the store anyway.
      """)
  /// An element belongs to another entity than in the store.
  public static let moved = Rule(
    "BOX604", "element-moved", "Properties and relations stay with their entity",
    reason: "Values are stored in the objects of the entity that the property had.",
    example: "`Person.weight is stored as a part of Pet`",
    remedy: "Give it its own UID, or move it back.")
  /// A relation has another target entity than in the store.
  public static let targetChanged = Rule(
    "BOX605", "stored-target-changed", "A relation refers to the entity whose ids are stored",
    reason: "An id of one entity would be taken for an id of another.",
    example: "`Person.favourite refers to another entity than its stored values`",
    remedy: "Give the relation a new UID, or restore its target.")
  /// A property became unique, and two objects have the same value.
  public static let notUnique = Rule(
    "BOX606", "stored-values-not-unique", "The stored values of a unique property differ",
    reason: """
      The property became unique, and two objects have the same value. Only the owner of the data can decide which of \
      them to remove.
      """,
    example: "`Pet.name is unique in the model, and Pet 1 and 2 have the same value`",
    remedy: """
      Change one of the objects first, or leave the property as it was. `boxjoint store duplicates DIR \
      ENTITY.PROPERTY` lists all such objects and can remove all but one of each value \
      ([editing.md](editing.md#objects-with-one-value)).
      """)
  /// A UID belongs to another kind of element than in the store.
  public static let kindChanged = Rule(
    "BOX607", "stored-kind-changed", "A UID identifies one kind of element",
    reason: "The UID of a stored property cannot be the UID of an entity or of a relation.",
    example: "`Toy has the UID 200006 of a part of Pet`",
    remedy: "Give the element a UID of its own.")
  /// The id property is another one than in the store.
  public static let idChanged = Rule(
    "BOX608", "id-property-changed", "The id property of stored objects stays the same",
    reason:
      "Another property would take the place of the ids by which objects are stored and linked.",
    example: "`the id of Pet is another property than that of the stored objects`",
    remedy: "Restore the UID of the id property.")
  /// The entity has more properties, past ones included, than a record has slots.
  public static let tooManyProperties = Rule(
    "BOX609", "too-many-properties", "An entity has had at most 8000 properties",
    reason: "A record has that many slots, and the slot of a removed property is never reused.",
    example: "`Wide has no slot left for p8000`",
    remedy: "Put further properties into a new entity.")
  /// The type of a property is not one that can be stored.
  public static let unknownType = Rule(
    "BOX610", "type-not-storable", "Every property has a type that can be stored",
    reason: "The type code is not known, so the program cannot tell how a value is written.",
    example: "`Pet.shape is of type 15, which cannot be stored`",
    remedy: """
      Use a newer version of boxjoint, or restore the type from version control. If a file of an early generator has \
      no types, build once with a current generator, which writes them.
      """)
  /// A relation has no target.
  public static let targetUnset = Rule(
    "BOX611", "relation-without-target", "Every relation says which entity it refers to",
    reason: """
      Without a target, the entity of the linked ids is unknown, and the links cannot be exported. Generators before \
      version 5 of the format wrote none.
      """,
    example: "`Pet.friends does not say which entity it refers to`",
    remedy:
      "Build once with a current generator, which writes its targetId, or remove the relation.")
  /// The bindings give a value for a property that has none, or one that does not fit.
  public static let wrongConstant = Rule(
    "BOX612", "constant-does-not-fit", "The constants of the bindings are those of the model",
    reason: """
      `StoreModel(json:constants:)` gives a value for a UID that the model does not have, for an id, a unique property \
      or a relation, or one of another type: the bindings and the model file are not from one run.
      """,
    example:
      "`the bindings have a constant for the UID 7716483900912641, which is no property of the model`",
    remedy: "Generate the bindings again.")
  /// The bindings declare a rule about removals for an element that is not a relation.
  public static let declaredOther = Rule(
    "BOX613", "rule-of-no-relation", "A rule about removals is about a relation of the model",
    reason: """
      The bindings, or the file of rules, have a rule for a UID that the model gives to something else than a relation.
      """,
    example: "`a rule about removals: 41 is the property Person.first`",
    remedy: "Generate the bindings again.")
  /// A relation to one has a delete rule for removed targets, and no index.
  public static let ruleWithoutIndex = DeclarationRule.withoutIndex

  /// A stored element is neither in the model nor in its lists of retired UIDs.
  public static let hiddenNotRetired = Rule(
    "BOX651", "hidden-not-retired", "What is stored is in the model or retired", .warning,
    reason: """
      The model lacks an element without saying that it was removed: it may have been lost. Its data is hidden and \
      kept.
      """,
    example:
      "`Person.age (100006) is stored, but neither in the model nor retired; its data is hidden`",
    remedy: "Restore it in the model file, or add the UID to the list of retired ones.")
  /// An index of bytes or of a vector is not built.
  public static let vectorIndex = Rule(
    "BOX652", "vector-index-not-built", "An index is of a kind that this store builds", .warning,
    reason: """
      Bytes and vectors have no index, except for one of nearest neighbours with parameters that a graph serves \
      (BOX175). A property of such a type is not kept unique.
      """,
    example: "`the index of Place.point for nearest neighbours is not built`",
    remedy: "Correct the parameters, search by a scan, index another property, or remove the index."
  )
  /// A store is read in a directory that cannot be written, so writers do not see the reader.
  public static let noLocks = Rule(
    "BOX653", "opened-without-locks", "A reader is seen by those who write", .warning,
    reason: """
      The directory cannot be written, or the lock file does not fit on the disk. So the reader has no entry in the \
      table of readers. A writer with more rights would reuse pages that this reader still reads.
      """,
    example: "`the lock file cannot be created, so the store is read without locks`",
    remedy: """
      Make sure that no program writes meanwhile, or read a copy made with `boxjoint store backup`. If another program \
      has the store open when a user without permission to write `lock.mdb` opens it, the opening is refused: its \
      writes could not be told from damage.
      """)
  /// The bindings give another value for objects without one than the store has.
  public static let constantKept = Rule(
    "BOX654", "constant-kept", "The value of objects without one stays what it was", .warning,
    reason: """
      A property that is not optional has a value in objects that were stored before it was added, which the store \
      keeps from the first opening. The bindings of this program give another one, as after a change of the initial \
      value; it is that of new objects alone.
      """,
    example:
      "`Note.rating is 5 in objects that were stored without it, and the bindings say otherwise`",
    remedy: "Nothing, or put these objects again with the value that they should have.")

  /// The rules under their heading of `docs/rules.md`.
  package static var section: RuleSection {
    RuleSection(
      "Opening a store with a model",
      """
      A store that is refused is not touched, and every reason is listed. See \
      [storage-format.md](storage-format.md#what-opening-with-a-model-changes) for the changes that opening makes.
      """,
      rules: [
        typeChanged, signChanged, regenerated, moved, targetChanged, notUnique, kindChanged,
        idChanged,
        tooManyProperties, unknownType, targetUnset, wrongConstant, declaredOther, ruleWithoutIndex,
        hiddenNotRetired, vectorIndex,
        noLocks,
        constantKept,
      ])
  }
}
