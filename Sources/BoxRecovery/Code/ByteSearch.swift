#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A search for words in files, most of which do not have them.
package enum ByteSearch {
  /// Whether bytes have a word in them.
  ///
  /// - Complexity: O(*n*) in the number of bytes, for a word without repetitions.
  package static func contains(_ word: [UInt8], in bytes: some Collection<UInt8>) -> Bool {
    bytes.withContiguousStorageIfAvailable { buffer in
      guard let base = buffer.baseAddress, let first = word.first else { return false }
      var offset = 0
      while offset + word.count <= buffer.count,
        let found = memchr(base + offset, Int32(first), buffer.count - word.count + 1 - offset)
      {
        if memcmp(found, word, word.count) == 0 { return true }
        offset = UnsafeRawPointer(found) - UnsafeRawPointer(base) + 1
      }
      return false
    } ?? contains(word, in: Array(bytes))
  }
}
