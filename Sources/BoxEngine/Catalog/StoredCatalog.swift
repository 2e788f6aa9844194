internal import BoxJSON
internal import BoxStorage

/// The places of the catalog, the model and the last ids in a store.
///
/// Every value is under the same checksum as the records are.
enum StoredCatalog {
  static let space = "catalog"
  static let idsSpace = "ids"
  static let checkpointSpace = "work"

  private enum Key: String {
    case catalog, model, generation

    var bytes: [UInt8] { Array(rawValue.utf8) }
  }

  // MARK: - Reading

  /// The catalog; nil in a store that was never opened with a model.
  static func read(
    _ space: Space, _ transaction: StorageAccess
  ) throws(StoreError) -> Catalog? {
    try read(space, transaction, nil)?.catalog
  }

  /// The same, which a memo may know already.
  static func read(
    _ space: Space, _ transaction: StorageAccess, _ memo: CatalogMemo?
  ) throws(StoreError) -> KnownCatalog? {
    guard let bytes = try value(.catalog, space, transaction) else { return nil }
    if let memo { return try memo.catalog(decoding: bytes) }
    return try KnownCatalog(decoding: bytes)
  }

  /// The bytes of the model file that the store was last opened with, without a byte order mark.
  static func model(
    _ space: Space, _ transaction: StorageAccess
  ) throws(StoreError) -> [UInt8]? {
    try value(.model, space, transaction).map(withoutMark)
  }

  private static func withoutMark(_ model: [UInt8]) -> [UInt8] {
    model.starts(with: JSONDocument.byteOrderMark)
      ? Array(model[JSONDocument.byteOrderMark.count...]) : model
  }

  /// The number that every change of the catalog raises; 0 where there is none.
  static func generation(
    _ space: Space, _ transaction: StorageAccess
  ) throws(StoreError) -> Int {
    guard let bytes = try value(.generation, space, transaction) else { return 0 }
    return Int(truncatingIfNeeded: try integer(bytes, "the generation"))
  }

  /// The last id that was given to an object of an entity; 0 if none was.
  ///
  /// - Parameters:
  ///   - entity: The UID of the entity.
  ///   - records: The space of its records.
  ///   - space: The space of last ids.
  ///   - transaction: The transaction that reads.
  /// - Returns: The id.
  /// - Throws: ``StoreError/damagedCatalog(_:)`` if none is stored: every entity has one.
  static func lastID(
    _ entity: UInt64, records: Space, _ space: Space, _ transaction: StorageAccess
  ) throws(StoreError) -> UInt64 {
    max(try storedLastID(entity, space, transaction), try transaction.lastKey(records) ?? 0)
  }

  /// The last id as it is stored, which is lower than the one given where an object has that.
  ///
  /// - Throws: ``StoreError/damagedCatalog(_:)`` if none is stored: every entity has one.
  static func storedLastID(
    _ entity: UInt64, _ space: Space, _ transaction: StorageAccess
  ) throws(StoreError) -> UInt64 {
    guard let stored = try transaction.bytes(space, entity) else {
      throw StoreError.damagedCatalog("the last id of an entity is missing")
    }
    return try integer(try checked(stored, "the last id of an entity"), "the last id of an entity")
  }

  /// The key of the generation in the space of last ids: no entity has this UID.
  ///
  /// The other three values often are in one page. If the disk lost a write of it, they are those of an
  /// earlier state, and fit together.
  private static let generationKey: UInt64 = 0

  /// Requires that a catalog is not older than the one that was last written.
  ///
  /// Earlier versions of the program do not write the generation to the second place, so there it may be
  /// missing or lower.
  ///
  /// - Throws: ``StoreError/damagedCatalog(_:)``.
  static func requireCurrent(
    _ catalog: Catalog, ids: Space, _ transaction: StorageAccess
  ) throws(StoreError) {
    guard let stored = try transaction.bytes(ids, generationKey) else { return }
    let name = "the second generation"
    if try integer(try checked(stored, name), name) > UInt64(clamping: catalog.generation) {
      throw StoreError.damagedCatalog("it is older than the rest of the store: a write was lost")
    }
  }

  /// Removes what is stored in place of last ids, and cannot be read.
  ///
  /// - Complexity: O(*n*) in the number of entities.
  static func removeDamagedIDs(
    _ space: Space, _ transaction: StorageAccess
  ) throws(StoreError) {
    var damaged: [UInt64] = []
    try unsafe transaction.records(space, from: nil, .forward) { entity, value in
      let stored = unsafe [UInt8](value)
      if (try? integer(checked(stored, "it"), "it")) == nil { damaged.append(entity) }
      return .next
    }
    for entity in damaged { _ = try transaction.remove(space, entity) }
  }

  private static func value(
    _ key: Key, _ space: Space, _ transaction: StorageAccess
  ) throws(StoreError) -> [UInt8]? {
    guard let stored = try transaction.bytes(space, key.bytes) else { return nil }
    return try checked(stored, "the \(key.rawValue)")
  }

  private static func checked(_ stored: [UInt8], _ name: String) throws(StoreError) -> [UInt8] {
    guard stored.count >= RecordWriter.prefix else {
      throw StoreError.damagedCatalog("\(name) is cut off")
    }
    let body = Array(stored[RecordWriter.prefix...])
    let expected = UInt32(littleEndianBytes: stored[..<RecordWriter.prefix])
    guard unsafe Checksum.crc32c(body.span.bytes) == expected else {
      throw StoreError.damagedCatalog("the checksum of \(name) is wrong")
    }
    return body
  }

  private static func integer(_ bytes: [UInt8], _ name: String) throws(StoreError) -> UInt64 {
    guard bytes.count == 8 else { throw StoreError.damagedCatalog("\(name) is not an integer") }
    return UInt64(littleEndianBytes: bytes)
  }

  // MARK: - Writing

  /// Writes a catalog and its model, and the generation beside both of them.
  static func write(
    _ catalog: Catalog, model: [UInt8], _ space: Space, ids: Space,
    _ transaction: StorageAccess
  ) throws(StoreError) {
    try setLastID(UInt64(catalog.generation), of: generationKey, ids, transaction)
    try put(.catalog, catalog.encoded(), space, transaction)
    try put(.model, withoutMark(model), space, transaction)
    try put(.generation, UInt64(catalog.generation).littleEndianBytes, space, transaction)
  }

  /// Writes a catalog of the same generation.
  static func rewrite(
    _ catalog: Catalog, _ space: Space, _ transaction: StorageAccess
  ) throws(StoreError) {
    try put(.catalog, catalog.encoded(), space, transaction)
  }

  static func setLastID(
    _ id: UInt64, of entity: UInt64, _ space: Space, _ transaction: StorageAccess
  ) throws(StoreError) {
    try transaction.put(space, entity, withChecksum(id.littleEndianBytes))
  }

  private static func put(
    _ key: Key, _ value: [UInt8], _ space: Space, _ transaction: StorageAccess
  ) throws(StoreError) {
    try transaction.put(space, key.bytes, withChecksum(value))
  }

  private static func withChecksum(_ value: [UInt8]) -> [UInt8] {
    unsafe Checksum.crc32c(value.span.bytes).littleEndianBytes + value
  }
}
