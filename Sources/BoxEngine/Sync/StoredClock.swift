internal import BoxStorage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The time and the random bits of captured transactions.
package struct CaptureSource: Sendable {
  /// The time in milliseconds since 1970.
  package var milliseconds: @Sendable () -> UInt64
  /// Random bits for the mark of a transaction.
  package var mark: @Sendable () -> UInt64

  /// Creates a source; without arguments, that of the system.
  package init(
    milliseconds: @escaping @Sendable () -> UInt64 = wallClock,
    mark: @escaping @Sendable () -> UInt64 = { .random(in: 1 ... .max) }
  ) {
    (self.milliseconds, self.mark) = (milliseconds, mark)
  }
}

/// The clock of a store: the one of its last put, and the server's time less the time of this machine.
struct StoredClock: Hashable {
  var value: UInt64 = 0
  var offset: Int64 = 0
  private var isChanged = false

  private static let key = Array("clock".utf8)

  /// The clock of the next put.
  mutating func next(after object: UInt64, _ source: CaptureSource) -> UInt64 {
    let time = UInt64(clamping: Int64(clamping: source.milliseconds()) &+ offset)
    value = SyncClock.next(own: value, object: object, milliseconds: time)
    isChanged = true
    return value
  }

  static func read(_ space: Space, _ storage: StorageAccess) throws(StoreError) -> StoredClock {
    var clock = StoredClock()
    guard let stored = try storage.bytes(space, key),
      let content = StoredCheckpoint.content(of: stored, under: key), content.count == 16
    else { return clock }
    clock.value = UInt64(littleEndianBytes: content[..<8])
    clock.offset = Int64(bitPattern: UInt64(littleEndianBytes: content[8...]))
    return clock
  }

  /// Writes the clock if it has changed, and returns whether it has.
  mutating func write(_ space: Space, _ storage: StorageAccess) throws(StoreError) -> Bool {
    if !isChanged { return false }
    try put(space, storage)
    isChanged = false
    return true
  }

  func put(_ space: Space, _ storage: StorageAccess) throws(StoreError) {
    let content = value.littleEndianBytes + UInt64(bitPattern: offset).littleEndianBytes
    try StoredCheckpoint.put(content, under: Self.key, space, storage)
  }
}

/// The time in milliseconds since 1970.
package func wallClock() -> UInt64 {
  var time = timespec()
  unsafe clock_gettime(CLOCK_REALTIME, &time)
  return UInt64(clamping: time.tv_sec) * 1000 + UInt64(clamping: time.tv_nsec) / 1_000_000
}
