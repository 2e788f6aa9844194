#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The order that the entries of a visit have to come in, where keys are integers.
struct EntryOrder {
  private let isForward: Bool
  private var isFirst = true
  private var last: (key: UInt64, member: UInt64) = (0, 0)

  init(_ direction: VisitDirection) { isForward = direction == .forward }

  /// Checks the place of the next entry.
  ///
  /// - Throws: ``StorageError`` of kind `damaged` if it does not come after the one before.
  @inline(__always)
  mutating func checkNext(_ key: UInt64, _ member: UInt64 = 0) throws(StorageError) {
    let next = (key, member)
    if !isFirst && !(isForward ? last < next : next < last) { throw Self.damage }
    isFirst = false
    last = next
  }

  static let damage = StorageError(
    .damaged, "the file is damaged: the entries of a space are not in their order; restore a backup"
  )
}

/// The order that the entries of a visit have to come in, where keys are bytes.
///
/// A read transaction leaves the bytes of the last key where they are; in a write transaction the
/// body of the visit can cause writes, so the key is copied.
@safe struct TextEntryOrder: ~Copyable {
  private let isForward: Bool
  private var last: UnsafeRawBufferPointer?
  private var lastMember: UInt64 = 0
  private let copy: UnsafeMutableRawPointer?

  /// LMDB stores the size of a key in 16 bits.
  private static let maximumSize = 1 << 16

  init(_ direction: VisitDirection, isWritable: Bool) {
    isForward = direction == .forward
    unsafe copy =
      isWritable ? .allocate(byteCount: Self.maximumSize, alignment: 1) : nil
  }

  deinit { unsafe copy?.deallocate() }

  /// Checks the place of the next entry.
  ///
  /// - Throws: ``StorageError`` of kind `damaged` if it does not come after the one before.
  @inline(__always)
  mutating func checkNext(
    _ key: UnsafeRawBufferPointer, _ member: UInt64
  ) throws(StorageError) {
    let order = unsafe compare(key)
    let isFirst = unsafe last == nil
    if order == 0 && !isFirst {
      guard isForward ? lastMember < member : member < lastMember else { throw EntryOrder.damage }
    } else {
      try unsafe recordKey(key, order)
    }
    lastMember = member
  }

  /// Checks the place of the next key of a visit that has each key once.
  ///
  /// - Throws: ``StorageError`` of kind `damaged` if it does not come after the one before.
  @inline(__always)
  mutating func checkNext(_ key: UnsafeRawBufferPointer) throws(StorageError) {
    try unsafe recordKey(key, compare(key))
  }

  /// The sign says on which side of the last key another one is.
  @inline(__always)
  private func compare(_ key: UnsafeRawBufferPointer) -> Int {
    guard let last = unsafe last else { return 0 }
    // The members of a key come with the same place of it.
    if unsafe copy == nil && key.baseAddress == last.baseAddress && key.count == last.count {
      return 0
    }
    guard let new = key.baseAddress, let old = last.baseAddress else {
      return key.count - last.count
    }
    let order = unsafe memcmp(new, old, min(key.count, last.count))
    return order != 0 ? Int(order) : key.count - last.count
  }

  @inline(__always)
  private mutating func recordKey(
    _ key: UnsafeRawBufferPointer, _ order: Int
  ) throws(StorageError) {
    guard unsafe last == nil || (isForward ? order > 0 : order < 0) else { throw EntryOrder.damage }
    guard let copy = unsafe copy else { return unsafe last = key }
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: key.prefix(Self.maximumSize))
    if let start = bytes.baseAddress { unsafe copy.copyMemory(from: start, byteCount: bytes.count) }
    unsafe last = UnsafeRawBufferPointer(start: copy, count: bytes.count)
  }
}
