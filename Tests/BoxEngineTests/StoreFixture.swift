import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A store in a directory of its own, opened and closed by tests.
struct StoreFixture {
  let directory: TemporaryDirectory
  var path: String { directory.path(of: "store") }

  init() throws { directory = try TemporaryDirectory() }

  func open(
    _ document: ModelDocument? = nil, _ options: StoreOptions = StoreOptions()
  ) throws -> ObjectStore {
    try ObjectStore.open(.directory(path), model: document, options: options)
  }

  /// Opens the store, does something with it, and closes it.
  @discardableResult
  func with<R>(
    _ document: ModelDocument? = nil, _ options: StoreOptions = StoreOptions(),
    _ body: (ObjectStore) throws -> R
  ) throws -> R {
    let store = try open(document, options)
    defer { store.close() }
    return try body(store)
  }

  /// The findings for which the store does not open with a model; empty if it opens.
  func refusal(
    _ document: ModelDocument, _ options: StoreOptions = StoreOptions()
  ) throws -> [Finding] {
    do throws(any Error) {
      _ = try open(document, options)
      return []
    } catch StoreError.incompatibleModel(let findings) {
      return findings
    }
  }

  /// The bytes and the time of the last change of the data file.
  struct DataFile: Equatable {
    var bytes: [UInt8]
    var seconds: Int
    var nanoseconds: Int
  }

  func dataFile() throws -> DataFile {
    var attributes = stat()
    guard stat(path + "/data.mdb", &attributes) == 0 else { throw TestFailure("no data file") }
    #if canImport(Darwin)
      let time = attributes.st_mtimespec
    #else
      let time = attributes.st_mtim
    #endif
    return DataFile(
      bytes: try directory.bytes(of: "store/data.mdb"), seconds: time.tv_sec,
      nanoseconds: time.tv_nsec)
  }
}

extension ModelDocument {
  /// The file after a change of its model.
  func changed(_ change: (inout Model) throws -> Void) throws -> ModelDocument {
    var model = model
    try change(&model)
    return try ModelDocument(parsing: rendered(model))
  }
}

extension Model {
  /// Changes an entity.
  mutating func change(_ name: String, _ change: (inout Entity) throws -> Void) throws {
    let position = try #require(entities.firstIndex { $0.name == name })
    try change(&entities[position])
  }

  /// Changes a property.
  mutating func change(
    _ entity: String, _ property: String, _ body: (inout Property) throws -> Void
  ) throws {
    try change(entity) { entity in
      let position = try #require(entity.properties.firstIndex { $0.name == property })
      try body(&entity.properties[position])
    }
  }

  /// Adds a property with the next id of its entity.
  mutating func add(
    _ property: String, _ type: PropertyType, uid: UID, flags: PropertyFlags = [],
    to entity: String
  ) throws {
    try change(entity) { entity in
      let pair = IDPair(id: (entity.lastPropertyID?.id ?? 0) + 1, uid: uid)
      entity.properties.append(Property(pair: pair, name: property, type: type, flags: flags))
      entity.lastPropertyID = pair
    }
  }

  /// Gives a property an index with the next id.
  mutating func addIndex(
    _ flags: PropertyFlags, uid: UID, to property: String, of entity: String
  ) throws {
    let pair = IDPair(id: (lastIndexID?.id ?? 0) + 1, uid: uid)
    try change(entity, property) {
      $0.flags.formUnion(flags)
      $0.indexID = pair
    }
    lastIndexID = pair
  }
}

extension Transaction {
  /// Puts an object of named values.
  @discardableResult
  func put(
    _ entity: String, _ values: KeyValuePairs<String, Value>, id: UInt64 = 0,
    mode: PutMode = .put
  ) throws -> UInt64 {
    var object = DynamicObject(try store.entity(named: entity), id: id)
    for (name, value) in values { object[name] = value }
    return try put(object, mode: mode)
  }

  /// The value of a property of an object; nil if there is no such object or property.
  func value(_ entity: String, _ id: UInt64, _ property: String) throws -> Value? {
    try get(store.entity(named: entity), id)?[property]
  }

  /// The ids of the objects with a value.
  func find(_ entity: String, _ property: String, _ value: Value) throws -> [UInt64] {
    let schema = try store.entity(named: entity)
    return try ids(schema, where: #require(schema.property(named: property)), equals: value)
  }

  /// The ids of the objects in the order of an indexed property.
  func order(
    _ entity: String, by property: String, from: Value? = nil,
    _ direction: VisitDirection = .forward
  ) throws -> [UInt64] {
    let schema = try store.entity(named: entity)
    var ids: [UInt64] = []
    try visitIDs(
      schema, orderedBy: #require(schema.property(named: property)), from: from, direction
    ) {
      ids.append($0)
      return .next
    }
    return ids
  }
}
