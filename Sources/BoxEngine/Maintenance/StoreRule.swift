public import BoxReport

/// The rules that the bytes of a store are checked against.
///
/// `docs/rules.md` has an entry for each.
public enum StoreRule {
  private static func rule(_ id: String, _ name: String, _ summary: String) -> Rule {
    Rule(id: id, name: name, summary: summary, severity: .error)
  }

  /// A page of the data file breaks the page format.
  public static let damagedPage = rule(
    "BOX701", "damaged-page", "Every page of the data file is whole")
  /// The bytes of an object are damaged.
  public static let damagedRecord = rule(
    "BOX702", "damaged-record", "Every object has the checksum and the shape of its record")
  /// An object is missing in an index.
  public static let missingEntry = rule(
    "BOX703", "missing-index-entry", "Every indexed value has an entry in its index")
  /// An index has an entry that no object has.
  public static let extraEntry = rule(
    "BOX704", "extra-index-entry", "Every entry of an index is the value of an object")
  /// A relation has an entry in one direction only.
  public static let halfLink = rule(
    "BOX705", "half-relation-entry", "Every entry of a relation exists in both directions")
  /// A relation has an entry of an object that does not exist.
  public static let danglingLink = rule(
    "BOX706", "dangling-relation-entry", "The objects of a relation exist")
  /// An object has an id that none can have.
  public static let idOutOfRange = rule(
    "BOX707", "object-id-out-of-range", "Every object has an id from 1 to 2^63-1")
  /// A string is not UTF-8.
  public static let notUTF8 = rule("BOX708", "stored-text-not-utf8", "Every stored string is UTF-8")
  /// Two objects have one value of a unique property.
  public static let duplicateValue = rule(
    "BOX709", "duplicate-unique-value", "No two objects have one value of a unique property")
  /// The catalog or the model in the store cannot be read.
  public static let damagedCatalog = rule(
    "BOX710", "damaged-catalog", "The catalog and the model in the store are whole")
  /// A checkpoint of interrupted work is damaged.
  public static let damagedCheckpoint = rule(
    "BOX711", "damaged-note", "The checkpoints of interrupted work are whole")
}
