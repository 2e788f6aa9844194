/// The place in the log of the server up to which a store has applied it.
struct StoredBase: Hashable {
  static let key = Array("base".utf8)

  /// The position; 0 before the first base.
  var position: UInt64 = 0
  /// The chain of the log there.
  var chain: UInt64 = 0

  var encoded: [UInt8] { position.littleEndianBytes + chain.littleEndianBytes }

  init(position: UInt64, chain: UInt64) { (self.position, self.chain) = (position, chain) }

  init?(decoding bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    position = UInt64(littleEndianBytes: bytes[..<8])
    chain = UInt64(littleEndianBytes: bytes[8...])
  }

  /// Whether an entry is a base with a position and without a chain, or no base at all.
  static func lacksChain(_ key: [UInt8], _ content: [UInt8]) -> Bool {
    guard key == Self.key else { return false }
    return StoredBase(decoding: content).map { $0.position > 0 && $0.chain == 0 } ?? true
  }
}
