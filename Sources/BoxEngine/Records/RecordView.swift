/// A record that was verified, to be read by slot without copies.
///
/// It is lent for the duration of a call and cannot be kept. Reading a slot as another type than the
/// layout says is a programmer error. Every accessor gives nil for null: a slot that the record
/// does not have, and for which the layout has no constant.
///
/// The pointers are into bytes that a ``RecordVerifier`` found whole, or that a ``RecordWriter`` made.
@safe public struct RecordView: ~Copyable {
  /// The start of the FlatBuffers buffer.
  @usableFromInline let table: UnsafeRawPointer
  @usableFromInline let offsets: UnsafeRawPointer
  @usableFromInline let offsetCount: Int
  @usableFromInline let types: UnsafePointer<UInt8>
  @usableFromInline let slotCount: Int
  /// The place of the constant of each slot; nil for a layout without any.
  @usableFromInline let constants: ConstantPlaces?

  init(
    table: UnsafeRawPointer, offsets: UnsafeRawPointer, offsetCount: Int,
    types: UnsafePointer<UInt8>, slotCount: Int, constants: ConstantPlaces?
  ) {
    unsafe self.table = unsafe table
    unsafe self.offsets = unsafe offsets
    self.offsetCount = offsetCount
    unsafe self.types = unsafe types
    self.slotCount = slotCount
    unsafe self.constants = unsafe constants
  }

  /// The offset of a slot in the table; 0 for null.
  @inlinable @inline(__always)
  func offset(_ slot: Int) -> Int {
    if slot >= offsetCount { return 0 }
    let entry = unsafe offsets.loadUnaligned(fromByteOffset: 2 &* slot, as: UInt16.self)
    return Int(UInt16(littleEndian: entry))
  }

  /// The address of a value, in the table or among the constants; nil for null.
  ///
  /// The slot is one of the layout.
  @inlinable @inline(__always)
  func place(_ slot: Int) -> UnsafeRawPointer? {
    let offset = offset(slot)
    return unsafe offset != 0 ? table + offset : constant(slot)
  }

  /// The place of the constant of a slot; nil if it has none.
  @inlinable @inline(__always)
  func constant(_ slot: Int) -> UnsafeRawPointer? {
    guard let constants = unsafe constants else { return nil }
    return unsafe constants[slot]
  }

  @inlinable @inline(__always)
  func require(_ slot: Int, _ type: SlotType) {
    // As unsigned numbers, a negative one is above all others.
    unsafe precondition(
      UInt(bitPattern: slot) < UInt(bitPattern: slotCount) && types[slot] == type.rawValue,
      "the slot does not exist or has another type")
  }

  /// The bits of a slot that is not null.
  @inlinable @inline(__always)
  func raw<T: BitwiseCopyable>(_ slot: Int, as: T.Type) -> T {
    unsafe (place(slot) ?? table).loadUnaligned(as: T.self)
  }

  @inlinable @inline(__always)
  func integer<T: FixedWidthInteger & BitwiseCopyable>(_ slot: Int, _ type: SlotType) -> T? {
    require(slot, type)
    guard let place = unsafe place(slot) else { return nil }
    return unsafe T(littleEndian: place.loadUnaligned(as: T.self))
  }

  /// The bytes of a string or vector, its length and a string's last zero left out; empty for null.
  @inlinable @inline(__always)
  func elements(_ slot: Int) -> UnsafeRawBufferPointer {
    guard let place = unsafe place(slot), let type = unsafe SlotType(rawValue: types[slot]) else {
      return unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return unsafe elements(at: place, width: type.elementWidth)
  }

  /// The elements of the vector or string whose offset a field holds.
  @inlinable @inline(__always)
  func elements(at field: UnsafeRawPointer, width: Int) -> UnsafeRawBufferPointer {
    let start = unsafe field + Int(UInt32(littleEndian: field.loadUnaligned(as: UInt32.self)))
    let count = unsafe Int(UInt32(littleEndian: start.loadUnaligned(as: UInt32.self)))
    return unsafe UnsafeRawBufferPointer(start: start + 4, count: count &* width)
  }

  /// The bytes of a string, its last zero left out, or of a slot of bytes; nil for null.
  @inlinable @inline(__always)
  func octets(_ slot: Int, _ type: SlotType) -> UnsafeRawBufferPointer? {
    require(slot, type)
    return unsafe place(slot).map { unsafe elements(at: $0, width: 1) }
  }

  /// Whether the bytes of a string or vector equal another record's; null is empty.
  @inline(__always)
  func hasSameElements(_ slot: Int, as other: borrowing RecordView) -> Bool {
    unsafe elements(slot).elementsEqual(other.elements(slot))
  }

  /// Whether a slot that is not null has the bytes of another record's.
  func hasSameValue(_ slot: Int, as other: borrowing RecordView) -> Bool {
    guard slot < slotCount, let type = unsafe SlotType(rawValue: types[slot]) else {
      return false
    }
    switch type {
    case .bool, .int8, .uint8: return raw(slot, as: UInt8.self) == other.raw(slot, as: UInt8.self)
    case .int16, .uint16: return raw(slot, as: UInt16.self) == other.raw(slot, as: UInt16.self)
    case .int32, .uint32, .float:
      return raw(slot, as: UInt32.self) == other.raw(slot, as: UInt32.self)
    case .int64, .uint64, .double:
      return raw(slot, as: UInt64.self) == other.raw(slot, as: UInt64.self)
    case .strings:
      return unsafe utf8Strings(slot).elementsEqual(other.utf8Strings(slot)) {
        unsafe $0.elementsEqual($1)
      }
    default: return hasSameElements(slot, as: other)
    }
  }

  /// Whether some slots have a value that another record of the layout has not.
  ///
  /// - Parameters:
  ///   - other: The other record.
  ///   - slots: The slots.
  ///   - links: The slots of relations to one, where 0 is null.
  ///   - last: The slot that differed in the pair of records before, which is looked at first; then the one that differs.
  /// - Returns: Whether one of them is not null here, and null or another value there.
  func hasValueDiffering(
    from other: borrowing RecordView, _ slots: [Int], _ links: [Int], last: inout Int
  ) -> Bool {
    if hasValue(in: last, differingFrom: other, links) { return true }
    for slot in slots where hasValue(in: slot, differingFrom: other, links) {
      last = slot
      return true
    }
    return false
  }

  @inline(__always)
  private func hasValue(
    in slot: Int, differingFrom other: borrowing RecordView, _ links: [Int]
  ) -> Bool {
    if isNull(slot) || !other.isNull(slot) && hasSameValue(slot, as: other) { return false }
    return !(links.contains(slot) && integerBits(slot) == 0)
  }

  /// The bytes of a string or vector, copied; empty for null.
  func copiedElements(_ slot: Int) -> [UInt8] { unsafe [UInt8](elements(slot)) }

  /// Whether a slot is null: the record has no value for it, and the layout no constant.
  @inlinable @inline(__always) public func isNull(_ slot: Int) -> Bool {
    unsafe slot < 0 || offset(slot) == 0 && constant(slot) == nil
  }

  /// Whether the record itself has a value for a slot.
  @inline(__always)
  package func isStored(_ slot: Int) -> Bool { slot >= 0 && offset(slot) != 0 }

  /// Whether the record has a value in a slot from a number on.
  @inline(__always)
  func hasValue(fromSlot limit: Int) -> Bool {
    if offsetCount <= limit { return false }
    return (limit..<offsetCount).contains { offset($0) != 0 }
  }

  /// A boolean.
  @inlinable @inline(__always)
  public func bool(_ slot: Int) -> Bool? {
    (integer(slot, .bool) as UInt8?).map { $0 != 0 }
  }

  /// An integer of 8 bits.
  @inlinable @inline(__always) public func int8(_ slot: Int) -> Int8? { integer(slot, .int8) }
  /// An integer of 8 bits.
  @inlinable @inline(__always) public func uint8(_ slot: Int) -> UInt8? { integer(slot, .uint8) }
  /// An integer of 16 bits.
  @inlinable @inline(__always) public func int16(_ slot: Int) -> Int16? { integer(slot, .int16) }
  /// An integer of 16 bits.
  @inlinable @inline(__always) public func uint16(_ slot: Int) -> UInt16? { integer(slot, .uint16) }
  /// An integer of 32 bits.
  @inlinable @inline(__always) public func int32(_ slot: Int) -> Int32? { integer(slot, .int32) }
  /// An integer of 32 bits.
  @inlinable @inline(__always) public func uint32(_ slot: Int) -> UInt32? { integer(slot, .uint32) }
  /// An integer of 64 bits, or a date.
  @inlinable @inline(__always) public func int64(_ slot: Int) -> Int64? { integer(slot, .int64) }
  /// An integer of 64 bits, or the id of the target of a relation.
  @inlinable @inline(__always) public func uint64(_ slot: Int) -> UInt64? { integer(slot, .uint64) }

  /// A number of 32 bits.
  @inlinable @inline(__always)
  public func float(_ slot: Int) -> Float? {
    (integer(slot, .float) as UInt32?).map { Float(bitPattern: $0) }
  }

  /// A number of 64 bits.
  @inlinable @inline(__always)
  public func double(_ slot: Int) -> Double? {
    (integer(slot, .double) as UInt64?).map { Double(bitPattern: $0) }
  }

  /// A string, copied.
  ///
  /// - Complexity: O(*n*).
  @inlinable @inline(__always)
  public func string(_ slot: Int) -> String? {
    guard let utf8 = unsafe octets(slot, .string) else { return nil }
    return unsafe String(decoding: utf8, as: UTF8.self)
  }

  /// Calls a function with the UTF-8 bytes of a string, which are not copied.
  @inlinable @inline(__always)
  public func withUTF8<R, E: Error>(
    _ slot: Int, _ body: (UnsafeBufferPointer<UInt8>) throws(E) -> R
  ) throws(E) -> R? {
    guard let utf8 = unsafe octets(slot, .string) else { return nil }
    return try unsafe body(
      UnsafeBufferPointer(
        start: utf8.baseAddress?.assumingMemoryBound(to: UInt8.self), count: utf8.count))
  }

  /// Bytes, copied.
  ///
  /// - Complexity: O(*n*).
  @inlinable @inline(__always)
  public func bytes(_ slot: Int) -> [UInt8]? {
    unsafe octets(slot, .bytes).map { unsafe [UInt8]($0) }
  }

  /// Calls a function with bytes, which are not copied.
  @inlinable @inline(__always)
  public func withBytes<R, E: Error>(
    _ slot: Int, _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R? {
    guard let bytes = unsafe octets(slot, .bytes) else { return nil }
    return try unsafe body(bytes)
  }

  /// A vector of numbers whose width the slot has, copied.
  ///
  /// - Complexity: O(*n*).
  @inlinable @inline(__always)
  public func vector<T: Numeric & BitwiseCopyable>(_ slot: Int, of: T.Type) -> [T]? {
    unsafe precondition(
      slot >= 0 && slot < slotCount
        && SlotType(rawValue: types[slot]).map {
          $0 != .strings && $0.elementWidth == MemoryLayout<T>.size
        } ?? false,
      "the slot does not exist or has another type")
    if isNull(slot) { return nil }
    let elements = unsafe elements(slot)
    let count = elements.count / MemoryLayout<T>.size
    // Else the count of the one empty array of all threads is written.
    if count == 0 { return [] }
    return unsafe [T](unsafeUninitializedCapacity: count) { buffer, initialized in
      unsafe UnsafeMutableRawBufferPointer(buffer).copyMemory(from: elements)
      initialized = count
    }
  }

  /// A vector of strings, copied.
  ///
  /// - Complexity: O(*n*) in their bytes.
  public func strings(_ slot: Int) -> [String]? {
    require(slot, .strings)
    if isNull(slot) { return nil }
    return unsafe utf8Strings(slot).map { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// Whether all strings of a vector are UTF-8.
  func hasValidStrings(_ slot: Int) -> Bool {
    unsafe utf8Strings(slot).allSatisfy { unsafe isUTF8($0) }
  }

  /// Visits the UTF-8 bytes of the strings of a vector until a function returns false.
  func visitStrings(_ slot: Int, _ body: (UnsafeRawBufferPointer) -> Bool) {
    let entries = unsafe elements(slot)
    guard let base = entries.baseAddress else { return }
    var offset = 0
    while offset < entries.count {
      let entry = unsafe entries.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      let start = unsafe base + offset + Int(UInt32(littleEndian: entry))
      let count = unsafe Int(UInt32(littleEndian: start.loadUnaligned(as: UInt32.self)))
      if unsafe !body(UnsafeRawBufferPointer(start: start + 4, count: count)) { return }
      offset += 4
    }
  }

  private func utf8Strings(_ slot: Int) -> [UnsafeRawBufferPointer] {
    let entries = unsafe elements(slot)
    guard let base = entries.baseAddress else { return unsafe [] }
    return unsafe stride(from: 0, to: entries.count, by: 4).map { offset in
      let entry = unsafe entries.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      let start = unsafe base + offset + Int(UInt32(littleEndian: entry))
      let count = unsafe Int(UInt32(littleEndian: start.loadUnaligned(as: UInt32.self)))
      return unsafe UnsafeRawBufferPointer(start: start + 4, count: count)
    }
  }
}
