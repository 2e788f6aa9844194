import BoxConvert
import BoxEngine
import BoxJSON
import BoxModel
import BoxStorage
import TestSupport

@testable import BoxMigration

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

/// A directory with a store that tests migrate.
struct MigrationStore {
  let directory: TemporaryDirectory
  var path: String { directory.path(of: "store") }

  /// Makes a store, and fills it in one transaction.
  init(
    _ document: ModelDocument, _ fill: (ObjectStore, Transaction) throws -> Void = { _, _ in }
  ) throws {
    directory = try TemporaryDirectory()
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
