internal import BoxModel
internal import CNettle

/// The key of the hashes of one export.
///
/// Each export makes a new key and does not store it, so that no one can try values out afterwards.
/// Equal values have equal hashes within the export, in all properties, so that joins still work.
package struct RedactionKey: Sendable {
  private let key: [UInt8]

  init() {
    // The system's own source of random bytes.
    var random = SystemRandomNumberGenerator()
    var key: [UInt8] = []
    for _ in 0..<4 { unsafe withUnsafeBytes(of: random.next()) { unsafe key += $0 } }
    self.key = key
  }

  init(_ key: [UInt8]) { self.key = key }

  /// HMAC-SHA256 of bytes.
  package func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var context = hmac_sha256_ctx()
    unsafe key.withUnsafeBufferPointer {
      unsafe nettle_hmac_sha256_set_key(&context, $0.count, $0.baseAddress)
    }
    if let start = bytes.baseAddress {
      unsafe nettle_hmac_sha256_update(
        &context, bytes.count, start.assumingMemoryBound(to: UInt8.self))
    }
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
    unsafe digest.withUnsafeMutableBufferPointer {
      unsafe nettle_hmac_sha256_digest(&context, $0.count, $0.baseAddress)
    }
    return digest
  }

  /// A positive integer that stands for another one.
  package func hash(_ value: UInt64) -> UInt64 {
    let digest = unsafe withUnsafeBytes(of: value.littleEndian) { unsafe hash($0) }
    return digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } >> 1
  }
}
