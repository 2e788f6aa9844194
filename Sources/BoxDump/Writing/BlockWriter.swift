/// Writes bytes into blocks, which are passed on when they are full.
///
/// Room is reserved before it is written to, so that there is one check for many bytes. Memory
/// stays the same however long a value is.
@safe struct BlockWriter: ~Copyable {
  /// The queue and the file that blocks are passed on to; nil for a writer into memory.
  private let queue: WritingQueue?
  private var file: OutputFile?
  /// The turn that permits passing blocks on; nil if no turn is needed.
  private let turn: Turn?
  private var block: Owned<Block>
  /// The next free byte of the block, and the address after its last byte.
  private(set) var next: UnsafeMutablePointer<UInt8>
  private var end: UnsafeMutablePointer<UInt8>

  /// The maximum number of bytes that can be reserved at once.
  static let maximumRoom = Block.capacity / 4

  /// Creates a writer into a file.
  ///
  /// - Parameters:
  ///   - queue: The queue that writes the blocks.
  ///   - file: The file.
  ///   - turn: The turn to wait for before the first block is passed on; nil if no other thread
  ///     writes.
  init(_ queue: WritingQueue, _ file: OutputFile, _ turn: Turn? = nil) {
    self.queue = queue
    self.file = file
    self.turn = turn
    block = queue.block()
    unsafe next = block.buffer.start
    unsafe end = next + Block.capacity
  }

  /// Creates a writer into memory.
  init() {
    (queue, file, turn) = (nil, nil, nil)
    block = Owned(Block())
    unsafe next = block.buffer.start
    unsafe end = next + Block.capacity
  }

  deinit {
    // A thread that waits for a block must not wait for this one.
    queue?.recycle(block)
  }

  /// Reserves space for `count` bytes.
  @inline(__always)
  mutating func reserve(_ count: Int) {
    if unsafe end - next < count {
      precondition(count <= Block.capacity, "no block has room for \(count) bytes")
      handOver()
    }
  }

  /// Passes the current block on; a writer into memory doubles its block instead.
  mutating func handOver() {
    guard let queue, let file else { return grow() }
    // Nothing is written after a failure.
    if turn?.wait() ?? true {
      block.buffer.count = count
      queue.write(block, to: file)
      block = queue.block()
    }
    unsafe next = block.buffer.start
    unsafe end = next + Block.capacity
  }

  private mutating func grow() {
    let (count, capacity) = unsafe (count, 2 * (end - block.buffer.start))
    let larger = Owned(Block(capacity: capacity))
    unsafe larger.buffer.start.update(from: block.buffer.start, count: count)
    block = larger
    unsafe next = block.buffer.start + count
    unsafe end = block.buffer.start + capacity
  }

  /// Passes the current block on, and waits until it is written.
  ///
  /// - Returns: The size and the checksum of the file so far.
  /// - Throws: The first error of the queue.
  mutating func flush() throws -> (bytes: Int, checksum: UInt32) {
    handOver()
    try queue?.wait()
    return file?.written ?? (0, 0)
  }

  /// Ends the file, and continues in another one.
  mutating func `continue`(in other: OutputFile) {
    handOver()
    file = other
  }

  // MARK: - Into memory

  /// The number of bytes in memory.
  var count: Int { unsafe next - block.buffer.start }

  /// The bytes in memory, valid until the writer is used again.
  var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: block.buffer.start, count: count)
  }

  /// Forgets the bytes in memory.
  mutating func clear() { unsafe next = block.buffer.start }

  // MARK: - Bytes; there has to be room

  /// Notes that bytes were written at ``next``.
  @inline(__always)
  mutating func advance(_ count: Int) {
    assert(unsafe count <= end - next, "no room was reserved")
    unsafe next += count
  }

  @inline(__always)
  mutating func put(_ byte: UInt8) {
    assert(unsafe next < end, "no room was reserved")
    unsafe next.pointee = byte
    unsafe next += 1
  }

  /// Writes a few bytes, such as the name of a member.
  @inline(__always)
  mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    unsafe next.update(from: start, count: bytes.count)
    advance(bytes.count)
  }

  @inline(__always)
  mutating func put(_ text: StaticString) {
    unsafe next.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
    advance(text.utf8CodeUnitCount)
  }

  // MARK: - Bytes of any number

  /// Writes usually few bytes, such as the name of a member, and reserves space for more after them.
  @inline(__always)
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>, room: Int) {
    if unsafe end - next < bytes.count + room {
      unsafe appendPieces(bytes, room: room)
    } else {
      unsafe put(bytes)
    }
  }

  @inline(never)
  private mutating func appendPieces(_ bytes: UnsafeBufferPointer<UInt8>, room: Int) {
    unsafe append(UnsafeRawBufferPointer(bytes))
    reserve(room)
  }

  /// Writes bytes of any number.
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    var rest = unsafe bytes[...]
    while unsafe !rest.isEmpty {
      let piece = unsafe rest.prefix(Self.maximumRoom)
      unsafe reserve(piece.count)
      unsafe UnsafeMutableRawPointer(next).copyMemory(
        from: UnsafeRawBufferPointer(rebasing: piece).baseAddress ?? UnsafeRawPointer(next),
        byteCount: piece.count)
      unsafe next += piece.count
      unsafe rest = rest.dropFirst(piece.count)
    }
  }

  mutating func append(_ bytes: [UInt8]) { unsafe bytes.withUnsafeBytes { unsafe append($0) } }

  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { unsafe append(UnsafeRawBufferPointer($0)) }
  }
}
