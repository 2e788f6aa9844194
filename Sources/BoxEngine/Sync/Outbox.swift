package import BoxModel
internal import BoxStorage

/// The kinds of captured operations; the protocol has the same raw values.
package enum CapturedKind: UInt8, Sendable {
  case insert = 1, update, remove, link, unlink
  /// The removal of an object whose unique value was taken over.
  ///
  /// It is not sent: the server decides whether the put that took the value over has an effect.
  case replaced

  var isPair: Bool { self == .link || self == .unlink }
}

/// An operation of a captured transaction.
package struct CapturedOperation: Hashable, Sendable {
  /// The kind.
  package var kind: CapturedKind
  /// The UID of the entity, or of the relation of a pair.
  package var element: UID
  /// The object, or the source of a pair.
  package var id: UInt64
  /// The target of a pair; 0 for an object.
  package var target: UInt64 = 0
  /// The life of the object that the transaction saw, or that an insert gives it; 0 for a pair.
  package var life: UInt32 = 0
  /// Whether an insert has an id that no operation of the store has named before.
  package var isFresh = false
  /// The slots that an update made different, in ascending order.
  package var slots: [Int] = []
  /// The record after an insert or update, as it is stored; empty for others.
  package var record: [UInt8] = []
}

/// The head of a transaction in the outbox.
package struct OutboxHead: Hashable, Sendable {
  /// The states of a transaction.
  package enum State: UInt8, Sendable {
    case pending
    /// The server has it; it is kept for a server that loses its tail.
    case acknowledged
  }

  /// The random bits that the commit drew.
  package var mark: UInt64 = 0
  /// The time of the commit in milliseconds since 1970.
  package var time: UInt64 = 0
  /// The number of the branch of the store; 0 until one is given.
  package var number: UInt64 = 0
  /// The place among the transactions of the number; 0 until one is given.
  package var n: UInt64 = 0
  /// The bytes of the operations.
  package var bytes: UInt64 = 0
  /// The number of operations.
  package var operations: UInt32 = 0
  /// The number of values that have the operations.
  package var chunks: UInt32 = 0
  /// The state.
  package var state = State.pending
  /// The code with which the transaction was rejected; 0 for none.
  package var code: UInt32 = 0
  /// The operation that caused the rejection.
  package var place: UInt32 = 0

  var encoded: [UInt8] {
    var bytes: [UInt8] = []
    for word in [mark, time, number, n, self.bytes] { bytes.append(fixed: word) }
    bytes.append(fixed: operations)
    bytes.append(fixed: chunks)
    bytes.append(state.rawValue)
    bytes.append(fixed: code)
    bytes.append(fixed: place)
    return bytes
  }

  init() {}

  init?(decoding bytes: [UInt8]) {
    var reader = SyncReader(bytes[...])
    guard let mark = reader.fixed(UInt64.self), let time = reader.fixed(UInt64.self),
      let number = reader.fixed(UInt64.self), let n = reader.fixed(UInt64.self),
      let size = reader.fixed(UInt64.self), let operations = reader.fixed(UInt32.self),
      let chunks = reader.fixed(UInt32.self), let state = reader.byte().flatMap(State.init),
      let code = reader.fixed(UInt32.self), let place = reader.fixed(UInt32.self),
      reader.rest.isEmpty
    else { return nil }
    (self.mark, self.time, self.number, self.n, self.bytes) = (mark, time, number, n, size)
    (self.operations, self.chunks, self.state) = (operations, chunks, state)
    (self.code, self.place) = (code, place)
  }
}

/// The places of transactions in a space: the transaction in the upper 40 bits of a key, and a part in the lower 24,
/// of which 0 is the head.
enum OutboxKey {
  static let partBits: UInt64 = 24
  static let maximumPart: UInt64 = 1 << partBits - 1

  static func key(_ transaction: UInt64, part: UInt64 = 0) -> UInt64 {
    transaction << partBits | part
  }

  static func transaction(_ key: UInt64) -> UInt64 { key >> partBits }
}

/// Values of the outbox under a checksum of their keys and themselves.
enum OutboxValue {
  static func put(
    _ content: [UInt8], _ key: UInt64, _ space: Space, _ storage: StorageAccess
  ) throws(StoreError) {
    let sum = unsafe content.withBytes { unsafe Checksum.crc32c(key, $0) }
    try storage.put(space, key, sum.littleEndianBytes + content)
  }

  /// The content of a value; nil if it is damaged.
  static func content(_ stored: UnsafeRawBufferPointer, _ key: UInt64) -> [UInt8]? {
    guard stored.count >= 4 else { return nil }
    let content = unsafe UnsafeRawBufferPointer(rebasing: stored[4...])
    let sum = unsafe UInt32(littleEndian: stored.loadUnaligned(as: UInt32.self))
    return unsafe Checksum.crc32c(key, content) == sum ? [UInt8](content) : nil
  }
}

// MARK: - Operations

/// Operations of one chunk, one after the other.
struct OperationWriter {
  private(set) var bytes: [UInt8] = []
  private(set) var count = 0
  private var last: UID?

  private static let sameElement: UInt8 = 0x40
  private static let fresh: UInt8 = 0x80

  mutating func begin(
    _ kind: CapturedKind, _ element: UID, _ id: UInt64, isFresh: Bool = false
  ) {
    let isSame = last == element
    bytes.append(
      kind.rawValue | (isSame ? Self.sameElement : 0) | (isFresh ? Self.fresh : 0))
    if !isSame { bytes.append(fixed: element) }
    last = element
    bytes.append(varint: id)
    count += 1
  }

  /// Adds the target of a pair, or the life of an object.
  mutating func add(_ number: UInt64) { bytes.append(varint: number) }

  /// Adds a set of slots, a bit each.
  mutating func add(slots: [UInt64]) {
    var bits: [UInt8] = []
    for word in slots { bits.append(fixed: word) }
    while bits.last == 0 { bits.removeLast() }
    bytes.append(varint: UInt64(bits.count))
    bytes += bits
  }

  mutating func add(record: UnsafeRawBufferPointer) { unsafe bytes.append(counted: record) }

  mutating func clear() {
    bytes.removeAll(keepingCapacity: true)
    (count, last) = (0, nil)
  }

  /// The operations of a chunk; nil if they are not what was written.
  static func operations(in chunk: [UInt8]) -> [CapturedOperation]? {
    var reader = SyncReader(chunk[...])
    var operations: [CapturedOperation] = []
    while !reader.rest.isEmpty {
      guard let next = operation(&reader, after: operations.last) else { return nil }
      operations.append(next)
    }
    return operations
  }

  private static func operation(
    _ reader: inout SyncReader, after last: CapturedOperation?
  ) -> CapturedOperation? {
    guard let first = reader.byte(), let kind = CapturedKind(rawValue: first & 0x3F),
      let element = first & sameElement == 0 ? reader.fixed(UInt64.self) : last?.element,
      let id = reader.varint()
    else { return nil }
    var operation = CapturedOperation(kind: kind, element: element, id: id)
    operation.isFresh = first & fresh != 0
    if kind.isPair {
      guard let target = reader.varint() else { return nil }
      operation.target = target
      return operation
    }
    guard let life = reader.small() else { return nil }
    operation.life = life
    if kind == .update {
      guard let bits = reader.counted() else { return nil }
      operation.slots = bits.indices.flatMap { byte in
        (0..<8).filter { bits[byte] & 1 << $0 != 0 }.map { 8 * byte + $0 }
      }
    }
    if kind == .insert || kind == .update {
      guard let record = reader.counted() else { return nil }
      operation.record = record
    }
    return operation
  }
}
