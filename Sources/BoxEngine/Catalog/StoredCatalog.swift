internal import BoxStorage

/// Where the catalog and the model lie in a store.
enum StoredCatalog {
  static let space = "catalog"
  static let idsSpace = "ids"

  private enum Key: String {
    case catalog, model, generation
  }

  private static func with<R>(_ key: Key, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows
    -> R
  {
    try Array(key.rawValue.utf8).withUnsafeBytes(body)
  }

  /// The catalog; nil in a store that was never opened with a model.
  static func read(_ space: Space, _ transaction: any StorageTransaction) throws -> Catalog? {
    let bytes = try with(.catalog) { try transaction.value(space, $0) }
    return try bytes.map { try Catalog(decoding: $0) }
  }

  /// The bytes of the model file that the store was last opened with.
  static func model(_ space: Space, _ transaction: any StorageTransaction) throws -> [UInt8]? {
    try with(.model) { try transaction.value(space, $0) }.map { [UInt8]($0) }
  }

  /// The number that every change of the catalog raises; 0 where there is none.
  static func generation(_ space: Space, _ transaction: any StorageTransaction) throws -> Int {
    guard let bytes = try with(.generation, { try transaction.value(space, $0) }), bytes.count == 8
    else { return 0 }
    return Int(Int64(littleEndian: bytes.loadUnaligned(as: Int64.self)))
  }

  static func write(
    _ catalog: Catalog, model: [UInt8], _ space: Space, _ transaction: any StorageTransaction
  ) throws {
    try catalog.encoded().withUnsafeBytes { bytes in
      try with(.catalog) { try transaction.put(space, $0, bytes) }
    }
    try model.withUnsafeBytes { bytes in
      try with(.model) { try transaction.put(space, $0, bytes) }
    }
    try withUnsafeBytes(of: Int64(catalog.generation).littleEndian) { bytes in
      try with(.generation) { try transaction.put(space, $0, bytes) }
    }
  }
}
