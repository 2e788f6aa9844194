import BoxConvert
import BoxEngine
import BoxJSON
import BoxModel
import BoxStorage
import TestSupport

@testable import BoxMigration

/// Describes a model in a few lines; ids follow from the order, UIDs are given.
struct SketchedModel {
  struct Field {
    var name: String
    var uid: UID
    var type: PropertyType
    var flags: PropertyFlags = []
    var target: String?

    init(
      _ name: String, _ uid: UID, _ type: PropertyType, _ flags: PropertyFlags = [],
      target: String? = nil
    ) {
      self.name = name
      self.uid = uid
      self.type = type
      self.flags = flags
      self.target = target
    }
  }

  struct Sketch {
    var name: String
    var uid: UID
    var fields: [Field]
    var relations: [(name: String, uid: UID, target: String)] = []
  }

  var entities: [Sketch]
  var retiredEntities: [UID] = []
  var retiredProperties: [UID] = []
  var retiredRelations: [UID] = []

  init(
    _ entities: Sketch..., retiredEntities: [UID] = [], retiredProperties: [UID] = [],
    retiredRelations: [UID] = []
  ) {
    self.entities = entities
    self.retiredEntities = retiredEntities
    self.retiredProperties = retiredProperties
    self.retiredRelations = retiredRelations
  }

  /// The model file; every entity has an id property with the UID of the entity plus 1.
  func document() throws -> ModelDocument {
    var model = Model()
    for (position, sketch) in entities.enumerated() {
      var entity = Entity(
        pair: IDPair(id: UInt32(position + 1), uid: sketch.uid), name: sketch.name)
      let fields = [Field("id", sketch.uid + 1, .long, .id)] + sketch.fields
      for (position, field) in fields.enumerated() {
        var property = Property(
          pair: IDPair(id: UInt32(position + 1), uid: field.uid), name: field.name,
          type: field.type, flags: field.flags)
        if field.flags.isIndexed || field.type == .relation {
          property.flags.formUnion(
            field.type == .relation ? [.indexed, .indexPartialSkipZero] : [])
          let pair = IDPair(id: (model.lastIndexID?.id ?? 0) + 1, uid: field.uid + 500_000)
          property.indexID = pair
          model.lastIndexID = pair
        }
        property.relationTarget = field.target
        entity.properties.append(property)
        entity.lastPropertyID = property.pair
      }
      for relation in sketch.relations {
        let pair = IDPair(id: (model.lastRelationID?.id ?? 0) + 1, uid: relation.uid)
        model.lastRelationID = pair
        let target = entities.firstIndex { $0.name == relation.target } ?? 0
        entity.relations =
          (entity.relations ?? []) + [
            Relation(
              pair: pair, name: relation.name,
              target: IDPair(id: UInt32(target + 1), uid: entities[target].uid))
          ]
      }
      model.entities.append(entity)
      model.lastEntityID = entity.pair
    }
    model.retiredEntityUIDs = retiredEntities
    model.retiredPropertyUIDs = retiredProperties
    model.retiredRelationUIDs = retiredRelations
    return try ModelDocument(
      parsing: ModelDocument(parsing: Array(Self.empty.utf8)).rendered(model))
  }

  private static let empty = #"""
    {
      "entities": [],
      "lastEntityId": "0:0",
      "lastIndexId": "0:0",
      "lastRelationId": "0:0",
      "lastSequenceId": "0:0",
      "modelVersion": 5,
      "modelVersionParserMinimum": 5,
      "retiredEntityUids": [],
      "retiredIndexUids": [],
      "retiredPropertyUids": [],
      "retiredRelationUids": [],
      "version": 1
    }
    """#
}

/// The content of a store: the values of all objects by entity and id, and all links by relation.
struct StoreContent: Hashable {
  var objects: [String: [UInt64: [String: Value]]] = [:]
  var links: [String: [UInt64: [UInt64]]] = [:]

  init() {}

  /// Reads a store.
  init(_ store: ObjectStore) throws {
    try store.read { transaction in
      for entity in store.entities {
        var all: [UInt64: [String: Value]] = [:]
        try transaction.visitObjects(entity) { object in
          var values: [String: Value] = [:]
          for (position, property) in entity.properties.enumerated()
          where position != entity.idPosition && object.values[position] != .null {
            values[property.name] = object.values[position]
          }
          all[object.id] = values
          return .next
        }
        objects[entity.name] = all
        for relation in entity.relations {
          var all: [UInt64: [UInt64]] = [:]
          for id in objects[entity.name]?.keys.map({ $0 }) ?? [] {
            let targets = try transaction.targets(relation, of: id)
            if !targets.isEmpty { all[id] = targets }
          }
          links["\(entity.name).\(relation.name)"] = all
        }
      }
    }
  }
}

/// A folder with a store that tests migrate.
struct MigrationStore {
  let folder: TemporaryFolder
  var path: String { folder.path(of: "store") }

  /// Makes a store, and fills it in one transaction.
  init(
    _ document: ModelDocument, _ fill: (ObjectStore, Transaction) throws -> Void = { _, _ in }
  ) throws {
    folder = try TemporaryFolder()
    let store = try ObjectStore.open(.directory(path), model: document)
    try store.write { try fill(store, $0) }
  }

  /// The content of the store with its own model.
  func content() throws -> StoreContent {
    try StoreContent(ObjectStore.open(.directory(path)))
  }

  func run(
    to documents: ModelDocument..., mappings: [ModelMapping] = []
  ) throws -> MigrationRun {
    MigrationRun(
      path,
      try MigrationRoute(
        documents.enumerated().map { MigrationVersion("V\($0.offset + 2)", $0.element) }),
      mappings: mappings)
  }

  /// The mappings of a JSON text.
  static func mappings(_ text: String) throws -> [ModelMapping] {
    let document = try JSONDocument(parsing: Array(text.utf8))
    return try ModelMapping.read(CatalogueNode(document.root, in: document))
  }
}
