internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Bytes in memory that one thread fills and another one empties.
///
/// Its owner passes it on by the queue; the next owner returns it to the pool.
@safe final class Block {
  let start: UnsafeMutablePointer<UInt8>
  var count = 0

  /// Large enough to make the cost of handing it on vanish, small enough for the cache.
  static let capacity = 1 << 20

  init(capacity: Int = Block.capacity) { unsafe start = .allocate(capacity: capacity) }

  deinit { unsafe start.deallocate() }

  var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: start, count: count) }
}

/// Checks, compresses and writes blocks on a thread of its own, while the next ones are filled.
///
/// There are only a few blocks: the faster side waits for the other.
final class WritingQueue: Sendable {
  private let queue = DispatchQueue(label: "boxjoint.dump.writing")
  private let room = DispatchSemaphore(value: 0)
  private let pool = Mutex<[Owned<Block>]>([])
  private let failure = Mutex<(any Error)?>(nil)
  private let hasFailed = Atomic(false)

  /// Creates a queue.
  ///
  /// - Parameter helpers: The number of threads that each fill a block before it is their turn to
  ///   pass it on. There are additional blocks, as no helper takes a second one before its turn.
  init(helpers: Int = 0) {
    // Not by its initial value: a semaphore must not go away with less than that.
    for _ in 0..<6 + helpers { room.signal() }
  }

  /// Throws the first error; blocks after it are discarded.
  func requireSuccess() throws {
    if !hasFailed.load(ordering: .relaxed) { return }
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  /// An empty block; waits until there is one.
  func block() -> Owned<Block> {
    room.wait()
    return pool.withLock { $0.popLast() } ?? Owned(Block())
  }

  /// Takes a block back.
  func recycle(_ block: Owned<Block>) {
    block.buffer.count = 0
    pool.withLock { $0.append(block) }
    room.signal()
  }

  /// Writes a block, later, and takes it back.
  func write(_ block: Owned<Block>, to file: OutputFile) {
    run {
      try unsafe file.write(block.buffer.bytes)
    } andThen: {
      self.recycle(block)
    }
  }

  /// Runs a function after all blocks that were passed on so far.
  func run(
    _ work: @escaping @Sendable () throws -> Void,
    andThen end: @escaping @Sendable () -> Void = {}
  ) {
    queue.async {
      if !self.hasFailed.load(ordering: .relaxed) {
        do {
          try work()
        } catch {
          self.failure.withLock { if $0 == nil { $0 = error } }
          self.hasFailed.store(true, ordering: .relaxed)
        }
      }
      end()
    }
  }

  /// Waits until all is done.
  ///
  /// - Throws: The first error.
  func wait() throws {
    queue.sync {}
    try requireSuccess()
  }
}

/// The lengths of lines that come in pieces.
private struct LineLengths {
  private(set) var longest = 0
  /// The bytes of the line that has not ended.
  private var open = 0

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    var offset = 0
    while offset < bytes.count,
      let end = unsafe memchr(start + offset, 0x0A, bytes.count - offset)
    {
      let next = unsafe UnsafeRawPointer(end) - start + 1
      longest = max(longest, open + next - 1 - offset)
      (open, offset) = (0, next)
    }
    open += bytes.count - offset
  }
}

/// A file of a dump: counted and checked before, and written after it is compressed.
///
/// It is written to on the writing queue only.
final class OutputFile: Sendable {
  private let stream: any DumpStream
  private let compressor: Owned<Compressor>
  private let counts = Mutex((bytes: 0, checksum: DumpChecksum()))
  /// The lengths of the lines; nil if nobody asks for them.
  private let lines: Mutex<LineLengths>?

  init(
    _ stream: any DumpStream, _ compression: Compression, measuresLines: Bool = false
  ) throws {
    self.stream = stream
    lines = measuresLines ? Mutex(LineLengths()) : nil
    compressor = Owned(try Compressor(compression))
  }

  /// The number of bytes of the longest line so far without its end; 0 if lines are not measured.
  var longestLine: Int { lines?.withLock { $0.longest } ?? 0 }

  /// The size and the checksum of the bytes so far, before they are compressed.
  var written: (bytes: Int, checksum: UInt32) {
    counts.withLock { ($0.bytes, $0.checksum.value) }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    counts.withLock { counts in
      unsafe counts.checksum.update(bytes)
      counts.bytes += bytes.count
    }
    unsafe lines?.withLock { unsafe $0.add(bytes) }
    try unsafe compressor.buffer.compress(bytes) { try unsafe stream.write($0) }
  }

  func finish() throws {
    try unsafe compressor.buffer.finish { try unsafe stream.write($0) }
    try stream.finish()
  }
}
