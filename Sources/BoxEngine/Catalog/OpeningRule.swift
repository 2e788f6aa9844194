public import BoxReport

/// The rules for opening a store with a model.
///
/// `docs/rules.md` has an entry for each.
public enum OpeningRule {
  private static func rule(
    _ id: String, _ name: String, _ summary: String, _ severity: Severity = .error
  ) -> Rule {
    Rule(id: id, name: name, summary: summary, severity: severity)
  }

  /// A property has another type than its stored values.
  public static let typeChanged = rule(
    "BOX601", "stored-type-changed", "A property has the type of its stored values")
  /// The property is unsigned and its stored values are signed, or vice versa.
  public static let signChanged = rule(
    "BOX602", "stored-sign-changed", "A property is unsigned if its stored values are")
  /// The model looks newly generated, by ``ModelRecognition``.
  public static let regenerated = rule(
    "BOX603", "model-regenerated", "A model has UIDs that were in a model of the store")
  /// An element belongs to another entity than in the store.
  public static let moved = rule(
    "BOX604", "element-moved", "Properties and relations stay with their entity")
  /// A relation has another target entity than in the store.
  public static let targetChanged = rule(
    "BOX605", "stored-target-changed", "A relation refers to the entity whose ids are stored")
  /// A property became unique, and two objects have the same value.
  public static let notUnique = rule(
    "BOX606", "stored-values-not-unique", "The stored values of a unique property differ")
  /// A UID belongs to another kind of element than in the store.
  public static let kindChanged = rule(
    "BOX607", "stored-kind-changed", "A UID identifies one kind of element")
  /// The id property is another one than in the store.
  public static let idChanged = rule(
    "BOX608", "id-property-changed", "The id property of stored objects stays the same")
  /// The entity has more properties, past ones included, than a record has slots.
  public static let tooManyProperties = rule(
    "BOX609", "too-many-properties", "An entity has had at most 8000 properties")
  /// The type of a property is not one that can be stored.
  public static let unknownType = rule(
    "BOX610", "type-not-storable", "Every property has a type that can be stored")
  /// A relation has no target.
  public static let targetUnset = rule(
    "BOX611", "relation-without-target", "Every relation says which entity it refers to")
  /// The bindings give a value for a property that has none, or one that does not fit.
  public static let wrongConstant = rule(
    "BOX612", "constant-does-not-fit", "The constants of the bindings are those of the model")

  /// A stored element is neither in the model nor in its lists of retired UIDs.
  public static let hiddenNotRetired = rule(
    "BOX651", "hidden-not-retired", "What is stored is in the model or retired", .warning)
  /// An index of bytes or of a vector is not built.
  public static let vectorIndex = rule(
    "BOX652", "vector-index-not-built", "An index is of a kind that this store builds", .warning)
  /// A store is read in a directory that cannot be written, so writers do not see the reader.
  public static let noLocks = rule(
    "BOX653", "opened-without-locks", "A reader is seen by those who write", .warning)
  /// The bindings give another value for objects without one than the store has.
  public static let constantKept = rule(
    "BOX654", "constant-kept", "The value of objects without one stays what it was", .warning)
}
