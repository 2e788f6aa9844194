internal import BoxStorage

/// A checkpoint as it is stored: four bytes of CRC32C over its key and its content, and the content.
enum StoredCheckpoint {
  /// Puts a checkpoint under its key.
  static func put(
    _ bytes: [UInt8], under key: [UInt8], _ space: Space, _ storage: StorageAccess
  ) throws(StoreError) {
    try key.withBytes { key throws(StoreError) in
      try stored(bytes, under: key).withBytes { (bytes) throws(StoreError) in
        try storage.put(space, key, bytes)
      }
    }
  }

  /// Replaces all checkpoints of a space.
  static func replace(
    _ space: Space, with checkpoints: [[UInt8]: [UInt8]], _ storage: StorageAccess
  ) throws(StoreError) {
    try storage.clear(space)
    for (key, bytes) in checkpoints { try put(bytes, under: key, space, storage) }
  }

  private static func stored(_ content: [UInt8], under key: UnsafeRawBufferPointer) -> [UInt8] {
    let checksum = content.withUnsafeBytes { self.checksum(key, $0) }
    return withUnsafeBytes(of: checksum.littleEndian) { [UInt8]($0) } + content
  }

  /// The content of a stored checkpoint; nil if its bytes or its key are not those that were written.
  static func content(
    of stored: UnsafeRawBufferPointer, under key: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer? {
    guard stored.count >= 4 else { return nil }
    let content = UnsafeRawBufferPointer(rebasing: stored[4...])
    let expected = UInt32(littleEndian: stored.loadUnaligned(as: UInt32.self))
    return checksum(key, content) == expected ? content : nil
  }

  private static func checksum(
    _ key: UnsafeRawBufferPointer, _ content: UnsafeRawBufferPointer
  ) -> UInt32 {
    Checksum.crc32c(content, after: Checksum.crc32c(key))
  }
}
