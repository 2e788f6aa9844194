/// A leaf page that a write transaction has copied, with the records behind the one that was replaced
/// first.
///
/// The first change of a page makes LMDB copy it to memory, each node at the place that it had. Until
/// something else is written, the records that follow are read on the page in the map, which stays as it
/// is, and replaced by others of their size on the copy: two calls of LMDB for each took a third of
/// rewriting all records. The header of each node in the copy is compared with what it must be before
/// the node is written.
@safe struct CopiedLeaf {
  private let handle: UInt32
  /// The key of the last record that was found, or of the one that was replaced first.
  private var key: UInt64
  /// The records on the page in the map.
  private var records: LeafRecords
  private let pageSize: Int
  private let copy: UnsafeMutableRawPointer

  /// Finds the records behind one that was just replaced; nil if the page was in memory before, and if
  /// few records follow.
  ///
  /// - Parameters:
  ///   - handle: The space.
  ///   - old: The value that was replaced, where it was found.
  ///   - size: The bytes of that value.
  ///   - new: Its place now.
  ///   - pageSize: Bytes of a page, which lies at a multiple of them in the map.
  init?(
    _ handle: UInt32, behind old: UnsafeRawPointer, size: Int,
    copiedTo new: UnsafeMutableRawPointer, pageSize: Int
  ) {
    // A page that was in memory before is not copied, and does not lie at a multiple of its size.
    if unsafe old == UnsafeRawPointer(new) { return nil }
    let place = Int(bitPattern: old) & (pageSize - 1)
    // A value on pages of its own lies right behind the header of the first one.
    guard place >= PageFormat.headerSize + PageFormat.nodeHeaderSize + 8 else { return nil }
    let key = unsafe UnsafeRawBufferPointer(start: old - 8, count: 8)
    guard let records = unsafe LeafRecords(after: key, pageSize: pageSize, .forward) else {
      return nil
    }
    self.handle = handle
    self.key = unsafe old.loadUnaligned(fromByteOffset: -8, as: UInt64.self)
    self.records = records
    self.pageSize = pageSize
    unsafe copy = new - place
    if unsafe !hasNode(at: new, self.key, size: size) { return nil }
  }

  /// Finds the next record.
  ///
  /// - Returns: Nil if the last record that was found has another key, and at the end of the page.
  /// - Throws: ``StorageError`` of kind `damaged` if the node is none of a record, or has a key that is
  ///   not above the last one.
  @inline(__always)
  mutating func next(
    in space: Space, after key: UInt64
  ) throws(StorageError) -> (key: UInt64, value: UnsafeRawBufferPointer)? {
    // The copy was made of the whole page a moment ago: its records are in the processor's cache.
    guard handle == space.handle, self.key == key,
      let found = try unsafe records.next(prefetching: false)
    else { return nil }
    if unsafe found.key <= key { throw EntryOrder.damage }
    self.key = unsafe found.key
    return unsafe found
  }

  /// Replaces the value of the record that was found last.
  ///
  /// - Returns: Whether it was replaced: it has that key, and a value of that size.
  @inline(__always)
  func replace(in space: Space, _ key: UInt64, _ value: UnsafeRawBufferPointer) -> Bool {
    guard handle == space.handle, self.key == key, let old = unsafe records.last?.value,
      old.count == value.count, let start = value.baseAddress
    else { return false }
    let place = unsafe copy + (Int(bitPattern: old.baseAddress) & (pageSize - 1))
    guard unsafe hasNode(at: place, key, size: value.count) else { return false }
    unsafe place.copyMemory(from: start, byteCount: value.count)
    return true
  }

  /// Whether the bytes before a value are those of a node without flags, with its key.
  @inline(__always)
  private func hasNode(at value: UnsafeMutableRawPointer, _ key: UInt64, size: Int) -> Bool {
    let head = unsafe UInt64(
      littleEndian: value.loadUnaligned(fromByteOffset: -16, as: UInt64.self))
    // The size of the value in 32 bits, no flags, and the size of the key.
    return unsafe head == 8 << 48 | UInt64(size)
      && value.loadUnaligned(fromByteOffset: -8, as: UInt64.self) == key
  }
}
