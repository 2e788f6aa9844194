internal import BoxStorage

/// A checkpoint as it is stored: four bytes of CRC32C over its key and its content, and the content.
enum StoredCheckpoint {
  /// Puts a checkpoint under its key.
  static func put(
    _ bytes: [UInt8], under key: [UInt8], _ space: Space, _ storage: StorageAccess
  ) throws(StoreError) {
    try storage.put(space, key, checksum(key, bytes).littleEndianBytes + bytes)
  }

  /// Replaces all checkpoints of a space.
  static func replace(
    _ space: Space, with checkpoints: [[UInt8]: [UInt8]], _ storage: StorageAccess
  ) throws(StoreError) {
    try storage.clear(space)
    for (key, bytes) in checkpoints { try put(bytes, under: key, space, storage) }
  }

  /// The content of a stored checkpoint; nil if its bytes or its key are not those that were written.
  static func content(of stored: [UInt8], under key: [UInt8]) -> [UInt8]? {
    guard stored.count >= 4 else { return nil }
    let content = Array(stored[4...])
    return checksum(key, content) == UInt32(littleEndianBytes: stored[..<4]) ? content : nil
  }

  private static func checksum(_ key: [UInt8], _ content: [UInt8]) -> UInt32 {
    unsafe Checksum.crc32c(content.span.bytes, after: Checksum.crc32c(key.span.bytes))
  }
}
