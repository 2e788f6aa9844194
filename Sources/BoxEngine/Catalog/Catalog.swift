internal import BoxModel
internal import BoxStorage

/// What a store knows of its data: everything that a model ever put in it, by UID.
///
/// Elements that the model in force lacks are hidden: their data stays as it is.
struct Catalog: Hashable, Sendable {
  /// The version of the storage format that is written.
  static let formatVersion = 1

  /// Raised by every change, so that other processes notice it.
  var generation = 0
  var entities: [CatalogEntity] = []
}

struct CatalogEntity: Hashable, Sendable {
  var uid: UID
  var name: String
  var isHidden = false
  /// The slot that the next new property gets.
  var nextSlot = 0
  var properties: [CatalogProperty] = []
  var relations: [CatalogRelation] = []
}

struct CatalogProperty: Hashable, Sendable {
  var uid: UID
  var name: String
  var type: PropertyType
  /// The flags of the model that last had the property.
  var flags: PropertyFlags
  /// The field of the record; never that of another property, even after removal.
  var slot: Int
  /// The name of the target of a relation to one.
  var target: UID?
  var isHidden = false
  var index: CatalogIndex?
}

extension CatalogProperty {
  /// What the keys of the index are.
  var indexSpaceKind: SpaceKind {
    type == .string && index?.kind == .value ? .byteSets : .integerSets
  }
}

struct CatalogIndex: Hashable, Sendable {
  var uid: UID
  var kind: IndexKind
  var isUnique = false
  /// Whether zero has no entry; null never has one.
  var skipsZero = false
}

struct CatalogRelation: Hashable, Sendable {
  var uid: UID
  var name: String
  var target: UID
  var isHidden = false
}

/// What the keys of an index are made of.
public enum IndexKind: String, Hashable, Sendable {
  /// The value itself, in order.
  case value
  /// A hash of 32 bits.
  case hash
  /// A hash of 64 bits.
  case hash64
}
