internal import BoxJSON
internal import BoxModel
internal import BoxReport
internal import CNettle

/// SHA-256 (FIPS 180-4) of a sequence of texts.
///
/// Approvals, locks and codes of consent depend on it: nobody can make another change with the same fingerprint.
package struct ContentHash: Sendable {
  private var context = sha256_ctx()

  /// Creates the hash of nothing.
  package init() { nettle_sha256_init(&context) }

  /// Adds a text and its length, so that the boundaries between texts count.
  package mutating func combine(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { update($0) }
      update(UnsafeRawBufferPointer(bytes))
    }
  }

  /// Adds numbers that are little-endian already, without their count.
  package mutating func combine(littleEndian numbers: [UInt64]) {
    numbers.withUnsafeBytes { update($0) }
  }

  private mutating func update(_ bytes: UnsafeRawBufferPointer) {
    nettle_sha256_update(&context, bytes.count, bytes.bindMemory(to: UInt8.self).baseAddress)
  }

  /// The hash; what is combined later belongs to the next one.
  package mutating func digest() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
    nettle_sha256_digest(&context, digest.count, &digest)
    return digest
  }

  /// The hash as hexadecimal digits, the first `bytes` of it.
  mutating func hexadecimal(bytes: Int) -> String {
    digest().prefix(bytes).map { $0.hexadecimal(digits: 2) }.joined()
  }
}

extension PlanStep {
  /// The identifier of the change: a hash of the rule, the UID, and the values before and after.
  ///
  /// It stays the same from commit to commit, as long as the change does.
  public var fingerprint: String {
    var hash = ContentHash()
    for text in [rule.id, uid.map { String($0) } ?? "", kind?.rawValue ?? "", before, after] {
      hash.combine(text ?? "\u{0}")
    }
    for coverage in covers {
      switch coverage {
      case .field(_, let field): hash.combine(field.description)
      case .root(let key): hash.combine(key)
      // Of a step that stands for many elements, all entities count.
      case .element(let key):
        if kind == nil, key.kind == .entity { hash.combine("\(key.uid)") }
      }
    }
    return hash.hexadecimal(bytes: 10)
  }
}
