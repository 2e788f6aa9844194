internal import BoxJSON
internal import BoxModel
internal import BoxStorage

/// The schema of the stored data: every element that a model ever put into the store, by UID.
///
/// Elements that the current model lacks are hidden: their data stays as it is.
struct Catalog: Hashable, Sendable {
  /// The highest version of the storage format that is read.
  ///
  /// A store is written in the lowest that its content needs.
  static let formatVersion = 2

  /// A part of format 2 that format 1 does not have.
  enum Feature: String, CaseIterable {
    /// Properties have values in objects without one.
    case constants
    /// UIDs are above 2^63-1, which earlier releases take for damage.
    case wideUIDs
    /// Something is declared about relations.
    case rules
    /// Changes of some entities are captured for data sync.
    case sync
  }

  /// Raised by every change, so that other processes notice it.
  var generation = 0
  var entities: [CatalogEntity] = []
  /// The declarations about relations, also about those that are hidden.
  var declarations = Declarations()
  /// The UIDs of the entities whose changes are captured for data sync, in ascending order; nil in a store where it
  /// was never switched on.
  var sync: [UID]?
}

extension Catalog {
  /// The parts of format 2 that the store needs.
  var features: [Feature] {
    var features: [Feature] = []
    if entities.contains(where: { $0.properties.contains { $0.constant != nil } }) {
      features.append(.constants)
    }
    if entities.contains(where: { $0.uids.contains { $0 > maximumUID } }) {
      features.append(.wideUIDs)
    }
    if !declarations.isEmpty { features.append(.rules) }
    if sync != nil { features.append(.sync) }
    return features
  }

  /// Adopts declarations in place of the current ones.
  ///
  /// Those that say the same stay as they are stored: what a relation was called when they were written does not count.
  mutating func adoptDeclarations(_ declared: Declarations) {
    // An app can give them in any order, and one twice: the last holds.
    let byUID = Dictionary(declared.relations.map { ($0.relation, $0) }) { $1 }
    var sorted = declared
    sorted.relations = byUID.values.sorted { $0.relation < $1.relation }
    if !sorted.means(declarations) { declarations = sorted }
  }

  /// The declarations with the names that the relations have now, or had at last, and the UIDs of what is hidden.
  ///
  /// A relation is hidden if the current model lacks it or one of its entities; so is what the store never had.
  var namedDeclarations: (all: Declarations, hidden: Set<UID>) {
    if declarations.isEmpty { return (declarations, []) }
    let shown = Set(entities.lazy.filter { !$0.isHidden }.map(\.uid))
    var named = declarations
    var hidden = Set(declarations.relations.map(\.relation))
    var names: [UID: String] = [:]
    func record(
      _ uid: UID, _ name: String, of entity: CatalogEntity, isHidden: Bool, to target: UID?
    ) {
      names[uid] = "\(entity.name).\(name)"
      if !isHidden, !entity.isHidden, let target, shown.contains(target) { hidden.remove(uid) }
    }
    for entity in entities {
      for property in entity.properties where property.type == .relation {
        record(
          property.uid, property.name, of: entity, isHidden: property.isHidden, to: property.target)
      }
      for relation in entity.relations {
        record(
          relation.uid, relation.name, of: entity, isHidden: relation.isHidden, to: relation.target)
      }
    }
    for position in named.relations.indices {
      if let name = names[named.relations[position].relation] {
        named.relations[position].name = name
      }
    }
    return (named, hidden)
  }

  /// Removes what the current model lacks.
  mutating func purge() {
    var gone = Set(entities.filter(\.isHidden).flatMap(\.declarable))
    entities.removeAll(where: \.isHidden)
    for position in entities.indices {
      gone.formUnion(entities[position].properties.filter(\.isHidden).map(\.uid))
      gone.formUnion(entities[position].relations.filter(\.isHidden).map(\.uid))
      entities[position].properties.removeAll(where: \.isHidden)
      entities[position].relations.removeAll(where: \.isHidden)
    }
    declarations.relations.removeAll { gone.contains($0.relation) }
    let kept = Set(entities.map(\.uid))
    sync?.removeAll { !kept.contains($0) }
  }

  /// The version of the format that the content needs.
  var format: Int { features.isEmpty ? 1 : 2 }

  /// The names of the spaces of all elements, with the types of their keys and entries.
  var spaceKinds: [String: SpaceKind] {
    var kinds: [String: SpaceKind] = [:]
    for entity in entities {
      kinds[SpaceName.objects(of: entity.uid)] = .records
      for property in entity.properties {
        if let index = property.index {
          kinds[SpaceName.index(index.uid)] = property.indexSpaceKind
        }
      }
      for relation in entity.relations {
        kinds[SpaceName.targets(of: relation.uid)] = .integerSets
        kinds[SpaceName.sources(of: relation.uid)] = .integerSets
      }
    }
    if sync != nil { for space in SyncSpace.allCases { kinds[space.rawValue] = space.kind } }
    return kinds
  }
}

extension Catalog {
  /// The names of all spaces that a store can have: of its elements, of the catalog itself, and of indexes of the model
  /// that are not built yet.
  func knownSpaces(_ model: Model) -> Set<ExactText> {
    var known = Set(spaceKinds.keys.map { ExactText($0) })
    for name in [StoredCatalog.space, StoredCatalog.idsSpace, StoredCatalog.checkpointSpace] {
      known.insert(ExactText(name))
    }
    for property in model.entities.flatMap(\.properties) {
      if let index = property.indexID { known.insert(ExactText(SpaceName.index(index.uid))) }
    }
    return known
  }
}

/// The names of the spaces of entities, indexes and relations, by UID.
enum SpaceName {
  static func objects(of entity: UID) -> String { "o\(entity)" }
  static func index(_ index: UID) -> String { "i\(index)" }
  /// The sources of a relation, each with its targets.
  static func targets(of relation: UID) -> String { "r\(relation)" }
  /// The targets of a relation, each with its sources.
  static func sources(of relation: UID) -> String { "b\(relation)" }
}

struct CatalogEntity: Hashable, Sendable {
  var uid: UID
  var name: String
  var isHidden = false
  /// The slot that the next new property gets.
  var nextSlot = 0
  var properties: [CatalogProperty] = []
  var relations: [CatalogRelation] = []

  /// The UIDs of all that a declaration may be about.
  fileprivate var declarable: [UID] { properties.map(\.uid) + relations.map(\.uid) }

  /// The UIDs of all elements and their targets.
  fileprivate var uids: [UID] {
    var uids = [uid]
    for property in properties {
      uids.append(property.uid)
      if let target = property.target { uids.append(target) }
      if let index = property.index { uids.append(index.uid) }
    }
    for relation in relations { uids += [relation.uid, relation.target] }
    return uids
  }
}

struct CatalogProperty: Hashable, Sendable {
  var uid: UID
  var name: String
  var type: PropertyType
  /// The flags of the model that last had the property.
  var flags: PropertyFlags
  /// The field of the record; never reused for another property, even after removal.
  var slot: Int
  /// The UID of the target entity of a relation to one.
  var target: UID?
  var isHidden = false
  var index: CatalogIndex?
  /// The value in objects that have none; nil if it is null.
  var constant: StoredConstant?
  /// Whether the last program that knew said that the property is not optional, and objects have a value or the
  /// constant ever since.
  var isRequired = false
}

extension CatalogProperty {
  /// The type of the keys of the property's index.
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

/// The content of the keys of an index.
public enum IndexKind: String, Hashable, Sendable {
  /// The value itself, in order.
  case value
  /// A hash of 32 bits.
  case hash
  /// A hash of 64 bits.
  case hash64
}
