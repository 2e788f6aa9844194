internal import BoxStorage

/// Sorts the entries of an index in bounded memory: entries that do not fit are written to a file
/// in sorted runs, which are merged.
struct EntrySorter {
  /// The limits of the entries in memory.
  struct Limits {
    /// Entries with integer keys: 8 MiB, and as much again while they are sorted.
    var entries = 1 << 19
    /// Bytes of entries with keys of bytes, and as much again while they are sorted.
    var textBytes = 1 << 23
    /// Bytes of each run that are read at once.
    var runBytes = 1 << 16
    /// Entries that are passed on at once.
    var chunk = 1 << 12
  }

  private let limits: Limits
  private let makeSpool: () throws(StorageError) -> SpoolFile
  private var spool: SpoolFile?
  private var integers: [IntegerEntry] = []
  private var texts = PendingTexts()
  /// The ranges of the runs in the file, in bytes.
  private var runs: [Range<Int>] = []

  /// - Parameters:
  ///   - count: The maximum number of entries.
  ///   - limits: The limits of the entries in memory.
  ///   - makeSpool: Creates the file, if it is needed.
  init(
    count: Int, limits: Limits = Limits(),
    _ makeSpool: @escaping () throws(StorageError) -> SpoolFile
  ) {
    self.limits = limits
    self.makeSpool = makeSpool
    integers.reserveCapacity(min(count, limits.entries))
  }

  // MARK: - In

  @inline(__always)
  mutating func add(_ key: UInt64, _ id: UInt64) throws(StoreError) {
    if integers.count == limits.entries { try spillIntegers() }
    integers.append(IntegerEntry(key: key, member: id))
  }

  mutating func add(_ text: UnsafeRawBufferPointer, _ id: UInt64) throws(StoreError) {
    if texts.byteCount >= limits.textBytes { try spillTexts() }
    unsafe texts.add(text, id)
  }

  private mutating func file() throws(StoreError) -> SpoolFile {
    if let spool { return spool }
    let made = try StoreError.wrapping(try makeSpool())
    spool = made
    return made
  }

  private mutating func spillIntegers() throws(StoreError) {
    RadixSort.sort(&integers)
    let spool = try file()
    let start = spool.size
    try unsafe integers.withUnsafeBufferPointer { (entries) throws(StoreError) in
      try unsafe StoreError.wrapping(try spool.append(UnsafeRawBufferPointer(entries)))
    }
    runs.append(start..<spool.size)
    integers.removeAll(keepingCapacity: true)
  }

  private mutating func spillTexts() throws(StoreError) {
    let spool = try file()
    let start = spool.size
    var block: [UInt8] = []
    func append(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
      try unsafe StoreError.wrapping(try spool.append(bytes))
    }
    try unsafe texts.visitSorted { (key, id) throws(StoreError) in
      unsafe TextRun.append(key, id, to: &block)
      if block.count >= limits.runBytes {
        try unsafe block.withBytes(append)
        block.removeAll(keepingCapacity: true)
      }
    }
    try unsafe block.withBytes(append)
    runs.append(start..<spool.size)
    texts.forget()
  }

  // MARK: - Out

  /// Gives the entries with integer keys back in order, a number of them at a time, and forgets them.
  mutating func drainIntegers(
    _ body: (UnsafeBufferPointer<IntegerEntry>) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard let spool else {
      RadixSort.sort(&integers)
      try unsafe integers.withUnsafeBufferPointer { (buffer) throws(StoreError) in
        for start in stride(from: 0, to: buffer.count, by: limits.chunk) {
          let end = min(start + limits.chunk, buffer.count)
          try unsafe body(UnsafeBufferPointer(rebasing: buffer[start..<end]))
        }
      }
      integers = []
      return
    }
    if !integers.isEmpty { try spillIntegers() }
    integers = []
    var merge = try RunMerge(
      runs.map { IntegerRun(spool, $0, bytes: limits.runBytes) })
    var chunk: [IntegerEntry] = []
    chunk.reserveCapacity(limits.chunk)
    while let run = merge.first {
      chunk.append(run.current)
      try merge.advance()
      if chunk.count == limits.chunk || merge.first == nil {
        try unsafe chunk.withUnsafeBufferPointer(body)
        chunk.removeAll(keepingCapacity: true)
      }
    }
  }

  /// Gives the entries with keys of bytes back in order, a number of them at a time, and forgets them.
  mutating func drainTexts(
    _ body: (borrowing TextChunk) throws(StoreError) -> Void
  ) throws(StoreError) {
    var chunk = TextChunk()
    func emit(_ key: UnsafeRawBufferPointer, _ id: UInt64) throws(StoreError) {
      unsafe chunk.append(key, id)
      if chunk.count == limits.chunk {
        try body(chunk)
        chunk.removeAll()
      }
    }
    if let spool {
      if !texts.isEmpty { try spillTexts() }
      texts = PendingTexts()
      var merge = try RunMerge(runs.map { TextRun(spool, $0, bytes: limits.runBytes) })
      while let run = merge.first {
        try unsafe run.withKey { (key) throws(StoreError) in try unsafe emit(key, run.member) }
        try merge.advance()
      }
    } else {
      try unsafe texts.visitSorted(emit)
      texts = PendingTexts()
    }
    if chunk.count > 0 { try body(chunk) }
  }
}

/// Entries with keys of bytes, in order.
struct TextChunk {
  private var bytes: [UInt8] = []
  private var entries: [(start: Int, count: Int, member: UInt64)] = []

  var count: Int { entries.count }

  /// Bytes of keys and members.
  var size: Int { bytes.count + 8 * entries.count }

  mutating func append(_ key: UnsafeRawBufferPointer, _ member: UInt64) {
    entries.append((bytes.count, key.count, member))
    unsafe bytes.append(contentsOf: key)
  }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
  }

  /// Appends the entries to a space.
  func insert(
    into space: Space, _ transaction: StorageAccess
  ) throws(StoreError) {
    try unsafe bytes.withBytes { (bytes) throws(StoreError) in
      try unsafe transaction.insert(space, count: entries.count, atEnd: true) { position in
        let entry = entries[position]
        return unsafe (
          UnsafeRawBufferPointer(rebasing: bytes[entry.start..<entry.start + entry.count]),
          entry.member
        )
      }
    }
  }
}

// MARK: - Runs

/// Sorted entries in a file, of which one is looked at.
private protocol SortedRun: AnyObject {
  /// Looks at the next entry; whether there is one.
  func advance() throws(StoreError) -> Bool
  /// Whether the current entry of one run comes before the current entry of another.
  static func precedes(_ a: Self, _ b: Self) -> Bool
}

/// Several runs as one: a heap by the entries that they look at.
private struct RunMerge<Run: SortedRun> {
  private var heap: [Run] = []

  init(_ runs: [Run]) throws(StoreError) {
    for run in runs where try run.advance() { heap.append(run) }
    for position in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(position) }
  }

  /// The run that looks at the first entry of all; nil at the end.
  var first: Run? { heap.first }

  /// Advances past that entry.
  mutating func advance() throws(StoreError) {
    if try !heap[0].advance() {
      let last = heap.removeLast()
      if heap.isEmpty { return }
      heap[0] = last
    }
    sink(0)
  }

  private mutating func sink(_ position: Int) {
    let run = heap[position]
    var position = position
    while true {
      var child = 2 * position + 1
      if child >= heap.count { break }
      if child + 1 < heap.count, Run.precedes(heap[child + 1], heap[child]) { child += 1 }
      if !Run.precedes(heap[child], run) { break }
      heap[position] = heap[child]
      position = child
    }
    heap[position] = run
  }
}

private final class IntegerRun: SortedRun {
  private let spool: SpoolFile
  private var rest: Range<Int>
  private var buffer: [IntegerEntry]
  private var (position, count) = (0, 0)
  private(set) var current = IntegerEntry(key: 0, member: 0)

  private static let stride = MemoryLayout<IntegerEntry>.stride

  init(_ spool: SpoolFile, _ range: Range<Int>, bytes: Int) {
    self.spool = spool
    rest = range
    buffer = Array(repeating: current, count: max(1, bytes / Self.stride))
  }

  func advance() throws(StoreError) -> Bool {
    if position == count {
      count = min(buffer.count, rest.count / Self.stride)
      if count == 0 { return false }
      let size = count * Self.stride
      try unsafe buffer.withUnsafeMutableBufferPointer { (buffer) throws(StoreError) in
        let bytes = unsafe UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[..<size])
        try unsafe StoreError.wrapping(try spool.read(bytes, at: rest.lowerBound))
      }
      rest = rest.dropFirst(size)
      position = 0
    }
    current = buffer[position]
    position += 1
    return true
  }

  static func precedes(_ a: IntegerRun, _ b: IntegerRun) -> Bool { a.current < b.current }
}

/// Entries with keys of bytes: two bytes for the length of the key, eight for the member, the key.
private final class TextRun: SortedRun {
  private let spool: SpoolFile
  private var rest: Range<Int>
  private var buffer: [UInt8]
  private var filled = 0
  private var key = 0..<0
  private(set) var member: UInt64 = 0

  private static let head = 10

  init(_ spool: SpoolFile, _ range: Range<Int>, bytes: Int) {
    self.spool = spool
    rest = range
    // There is room for the longest entry.
    buffer = Array(repeating: 0, count: max(bytes, Self.head + IndexSchema.maximumKeyBytes + 1))
  }

  static func append(_ key: UnsafeRawBufferPointer, _ member: UInt64, to block: inout [UInt8]) {
    unsafe withUnsafeBytes(of: UInt16(key.count).littleEndian) {
      unsafe block.append(contentsOf: $0)
    }
    unsafe withUnsafeBytes(of: member.littleEndian) { unsafe block.append(contentsOf: $0) }
    unsafe block.append(contentsOf: key)
  }

  func withKey<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try unsafe buffer.withUnsafeBufferPointer { (buffer) throws(E) in
      try unsafe body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[key]))
    }
  }

  func advance() throws(StoreError) -> Bool {
    var start = key.upperBound
    if filled - start < Self.head || filled - start < Self.head + length(at: start) {
      try refill(from: start)
      start = 0
      if filled == 0 { return false }
    }
    member = unsafe buffer.withUnsafeBytes {
      unsafe UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: start + 2, as: UInt64.self))
    }
    let keyStart = start + Self.head
    key = keyStart..<keyStart + length(at: start)
    return true
  }

  private func length(at start: Int) -> Int {
    unsafe buffer.withUnsafeBytes {
      unsafe Int(UInt16(littleEndian: $0.loadUnaligned(fromByteOffset: start, as: UInt16.self)))
    }
  }

  /// Moves the rest to the begin of the buffer, and fills the space after it.
  private func refill(from start: Int) throws(StoreError) {
    let kept = filled - start
    let count = min(buffer.count - kept, rest.count)
    try unsafe buffer.withUnsafeMutableBufferPointer { (buffer) throws(StoreError) in
      for offset in 0..<kept { unsafe buffer[offset] = unsafe buffer[start + offset] }
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      let end = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[kept..<kept + count])
      try unsafe StoreError.wrapping(try spool.read(end, at: rest.lowerBound))
    }
    rest = rest.dropFirst(count)
    filled = kept + count
    key = 0..<0
  }

  static func precedes(_ a: TextRun, _ b: TextRun) -> Bool {
    let comparison = unsafe a.withKey { first in
      unsafe b.withKey { unsafe PendingTexts.compare(first, $0) }
    }
    return comparison != 0 ? comparison < 0 : a.member < b.member
  }
}
