internal import CLMDB

/// The records of one leaf page that follow the one a cursor is at, found on the page itself.
///
/// A leaf has dozens of records, and moving a cursor to each took a seventh of a visit. Only a read
/// transaction can do without: its pages stay as they are in the map, where they lie at multiples of their
/// size. What a damaged page says is compared with the page's bounds before it is used.
@safe struct LeafRecords {
  private let page: UnsafeRawPointer
  private let pageSize: Int
  /// The place of the first node.
  private let upper: Int
  private let count: Int
  private let step: Int
  private var index: Int
  /// The record that was found last; nil if none was.
  private(set) var last: (key: UInt64, value: UnsafeRawBufferPointer)?

  /// Fewer are not worth bringing the cursor along.
  private static let minimum = 4

  /// The records after a cursor's record in the direction of a visit; nil if they are few.
  ///
  /// - Parameters:
  ///   - key: The key of the cursor, where it lies in the map.
  ///   - pageSize: Bytes of a page; 0 where pages do not lie at multiples of their size.
  ///   - direction: The direction of the visit.
  @inline(__always)
  init?(after key: UnsafeRawBufferPointer, pageSize: Int, _ direction: VisitDirection) {
    guard pageSize > 0, let start = key.baseAddress else { return nil }
    let place = Int(bitPattern: start) & (pageSize - 1)
    unsafe page = start - place
    let flags = unsafe PageFlags(rawValue: UInt16(Self.word(page, 10)))
    let lower = unsafe Self.word(page, 12)
    upper = unsafe Self.word(page, 14)
    count = (lower - PageFormat.headerSize) / 2
    guard flags == .leaf, count > Self.minimum, lower <= upper, upper <= pageSize else {
      return nil
    }
    self.pageSize = pageSize
    step = direction == .forward ? 1 : -1
    index = direction == .forward ? 0 : count - 1
    let node = place - PageFormat.nodeHeaderSize
    // Where a page was just entered, it is the first.
    while index >= 0 && index < count && offset(index) != node { index += step }
    if (direction == .forward ? count - 1 - index : index) < Self.minimum { return nil }
  }

  @inline(__always)
  private static func word(_ page: UnsafeRawPointer, _ place: Int) -> Int {
    let word = unsafe page.loadUnaligned(fromByteOffset: place, as: UInt16.self)
    return Int(UInt16(littleEndian: word))
  }

  /// The place of a node.
  @inline(__always)
  private func offset(_ index: Int) -> Int {
    unsafe Self.word(page, PageFormat.headerSize &+ 2 &* index)
  }

  /// Finds the next record.
  ///
  /// - Returns: Nil at the end of the page, and before a record that is kept on pages of its own.
  /// - Throws: ``StorageError`` of kind `damaged` if the node is not a record.
  @inline(__always)
  mutating func next() throws(StorageError) -> (key: UInt64, value: UnsafeRawBufferPointer)? {
    let position = index &+ step
    guard position >= 0, position < count else { return nil }
    let node = offset(position)
    let start = node + PageFormat.nodeHeaderSize + 8
    guard node >= upper, start <= pageSize else { throw Self.damage }
    // The size of the value in 32 bits, flags and the size of the key in 16 each.
    let head = unsafe UInt64(
      littleEndian: page.loadUnaligned(fromByteOffset: node, as: UInt64.self))
    guard head >> 48 == 8 else { throw Self.damage }
    let flags = NodeFlags(rawValue: UInt16(truncatingIfNeeded: head >> 32))
    if flags == .overflow { return nil }
    let size = Int(UInt32(truncatingIfNeeded: head))
    guard flags.isEmpty, size <= pageSize - start else { throw Self.damage }
    index = position
    prefetch(size)
    let key = unsafe page.loadUnaligned(fromByteOffset: start - 8, as: UInt64.self)
    let found = unsafe (key, UnsafeRawBufferPointer(start: page + start, count: size))
    unsafe last = unsafe found
    return unsafe found
  }

  /// Prefetches a record that the visit reaches soon.
  ///
  /// A page is filled from its end, and pages usually follow each other, so processors cannot predict the
  /// addresses of records in key order: waiting for them took a third of a visit. Beyond the page the address
  /// is a guess; a wrong one wastes only the hint.
  @inline(__always)
  private func prefetch(_ size: Int) {
    // A larger record among many is the exception: the next one is probably smaller.
    if size > 1024 { return }
    var ahead = index + 4 * step
    var start = unsafe page
    if ahead < 0 || ahead >= count {
      ahead -= step * count
      unsafe start += step * pageSize
      if ahead < 0 || ahead >= count { return }
    }
    let first = UInt(bitPattern: start) &+ UInt(offset(ahead))
    boxjoint_prefetch(first, size + 16)
  }

  private static let damage = StorageError(
    .damaged, "the file is damaged: a page contains a malformed record; restore a backup")
}
