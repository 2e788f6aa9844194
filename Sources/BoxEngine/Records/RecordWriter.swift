/// Builds records: FlatBuffers tables under a checksum.
///
/// A record is four bytes of CRC32C over the id and all that follows, and then a FlatBuffers buffer:
/// the offset of the table, its vtable with an entry for each slot of the layout, the table, and after it the
/// strings and vectors in the order in which they were set. All numbers are little-endian. A slot that is not
/// set is null.
///
/// Slots may be set in any order. A record is smallest if wide types are set first, because fields are in the
/// order in which they are set, each at a multiple of its width.
///
/// Setting a value costs no allocation once the buffers have grown. A slot is set once; setting it
/// again, or with a value of another type than the layout says, is a programmer error.
///
/// The pointers are to memory of its own, and every slot is checked before anything is written.
@safe public struct RecordWriter: ~Copyable {
  @usableFromInline var types: UnsafeMutablePointer<UInt8>
  @usableFromInline var slotCount = 0
  /// The offset of each slot in the table, in the record; 0 where it is not set.
  @usableFromInline var offsets: UnsafeMutablePointer<UInt16>
  /// The table in the record, with its own offset in the first four bytes.
  ///
  /// What lies before it has the same size in all records of a layout, so that fields are written to
  /// where they stay.
  @usableFromInline var table: UnsafeMutableRawPointer
  @usableFromInline var tableSize = 4
  /// Strings and vectors; aligned to eight bytes in the record.
  @usableFromInline var heap: UnsafeMutableRawPointer
  @usableFromInline var heapSize = 0
  @usableFromInline var heapCapacity = 64
  var record: UnsafeMutableRawPointer
  private var recordCapacity = 64
  /// Bytes of the record once it is finished; 0 before.
  var recordSize = 0
  /// The record that this one replaces; empty for a new record.
  ///
  /// The storage owns the bytes, which are valid until it is written to.
  var rewritten = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
  private var layout: RecordLayout?
  // The parts of the layout that each record needs, without counting references.
  private(set) var tableStart = 12
  private(set) var references: UnsafeMutablePointer<Int>
  private(set) var referenceCount = 0
  private var constants: ConstantPlaces?

  /// Bytes before the FlatBuffers buffer.
  static let prefix = 4
  static let unusedType: UInt8 = 255

  init() {
    unsafe types = .allocate(capacity: 1)
    unsafe heap = unsafe Self.allocate(heapCapacity)
    unsafe record = unsafe Self.allocate(recordCapacity)
    unsafe references = .allocate(capacity: 1)
    unsafe (offsets, table) = unsafe Self.places(in: record, tableStart: tableStart, slotCount: 0)
  }

  deinit {
    unsafe references.deallocate()
    unsafe types.deallocate()
    unsafe heap.deallocate()
    unsafe record.deallocate()
  }

  /// Starts a record that replaces another, which ``apply(_:)`` can copy.
  ///
  /// - Parameters:
  ///   - layout: The slots.
  ///   - rewritten: The other record, valid until the next one is begun.
  mutating func begin(_ layout: RecordLayout, over rewritten: UnsafeRawBufferPointer) {
    begin(layout)
    unsafe self.rewritten = unsafe rewritten
  }

  /// Starts a record.
  @inline(__always)
  mutating func begin(_ layout: RecordLayout) {
    if self.layout !== layout { adoptLayout(layout) }
    unsafe rewritten = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    clear()
  }

  /// Makes the record one in which nothing is set.
  @inline(__always)
  mutating func clear() {
    clearOffsets()
    tableSize = 4
    heapSize = 0
    recordSize = 0
  }

  /// Sets the offset of each slot to zero; without a call for up to 32 slots, which most layouts have.
  @inline(__always)
  private func clearOffsets() {
    let start = unsafe UnsafeMutableRawPointer(offsets)
    let count = 2 &* slotCount
    // Two stores overlap unless the bytes are a multiple of their width.
    switch count {
    case 8...16:
      unsafe start.storeBytes(of: 0, as: UInt64.self)
      unsafe start.storeBytes(of: 0, toByteOffset: count &- 8, as: UInt64.self)
    case 17...64:
      let zero = SIMD2<UInt64>.zero
      unsafe start.storeBytes(of: zero, as: SIMD2<UInt64>.self)
      unsafe start.storeBytes(of: zero, toByteOffset: count &- 16, as: SIMD2<UInt64>.self)
      if count > 32 {
        unsafe start.storeBytes(of: zero, toByteOffset: 16, as: SIMD2<UInt64>.self)
        unsafe start.storeBytes(of: zero, toByteOffset: count &- 32, as: SIMD2<UInt64>.self)
      }
    default: unsafe offsets.update(repeating: 0, count: slotCount)
    }
  }

  @inline(never)
  private mutating func adoptLayout(_ layout: RecordLayout) {
    self.layout = layout
    unsafe types.deallocate()
    slotCount = layout.types.count
    unsafe types = .allocate(capacity: max(1, slotCount))
    unsafe types.initialize(from: layout.typeCodes, count: slotCount)
    unsafe references.deallocate()
    referenceCount = layout.references.count
    unsafe references = .allocate(capacity: max(1, referenceCount))
    for (position, slot) in layout.references.enumerated() { unsafe references[position] = slot }
    unsafe constants = layout.constants?.places
    tableStart = layout.tableStart
    reserveRecord(Self.prefix + tableStart + layout.maximumTableSize, keeping: 0)
    writeHeader()
  }

  /// Writes what is the same in all records of the layout.
  private func writeHeader() {
    let buffer = unsafe record + Self.prefix
    let vtableStart = tableStart - 4 - 2 * slotCount
    unsafe buffer.storeBytes(of: UInt32(tableStart).littleEndian, as: UInt32.self)
    for gap in 4..<max(4, vtableStart) {
      unsafe buffer.storeBytes(of: 0, toByteOffset: gap, as: UInt8.self)
    }
    unsafe buffer.storeBytes(
      of: UInt16(4 + 2 * slotCount).littleEndian, toByteOffset: vtableStart, as: UInt16.self)
    unsafe table.storeBytes(of: Int32(tableStart - vtableStart).littleEndian, as: Int32.self)
  }

  /// The addresses of the slots' offsets and of the table.
  private static func places(
    in record: UnsafeMutableRawPointer, tableStart: Int, slotCount: Int
  ) -> (UnsafeMutablePointer<UInt16>, UnsafeMutableRawPointer) {
    let table = unsafe record + prefix + tableStart
    let offsets = unsafe (table - 2 * slotCount).bindMemory(to: UInt16.self, capacity: slotCount)
    return unsafe (offsets, table)
  }

  /// Ends the record of an id.
  ///
  /// - Returns: The bytes, valid until the next record is begun.
  @inline(__always)
  mutating func finish(_ id: UInt64) -> UnsafeRawBufferPointer {
    close()
    let body = unsafe UnsafeRawBufferPointer(
      start: record + Self.prefix, count: recordSize &- Self.prefix)
    unsafe record.storeBytes(of: Checksum.crc32c(id, body).littleEndian, as: UInt32.self)
    return unsafe UnsafeRawBufferPointer(start: record, count: recordSize)
  }

  /// Puts the strings and vectors of the table after it, unless that was done.
  @inline(__always)
  mutating func close() {
    if recordSize == 0 { join() }
  }

  private mutating func join() {
    // Nothing overflows: a table has 64 KiB at most, and a heap that nears 2 GiB is refused.
    let tableEnd = tableStart &+ tableSize
    let heapStart = (tableEnd &+ 7) & ~7
    let heapSize = heapSize
    let size = heapSize == 0 ? tableEnd : heapStart &+ heapSize
    makeRoom(size)
    recordSize = Self.prefix &+ size
    // The size of the table precedes the offsets of the slots.
    let offsets = unsafe offsets
    unsafe offsets[-1] = UInt16(truncatingIfNeeded: tableSize).littleEndian
    if heapSize == 0 { return }
    let buffer = unsafe record + Self.prefix
    // The gap has less than eight bytes, and the heap is copied over the others.
    unsafe buffer.storeBytes(of: 0, toByteOffset: tableEnd, as: UInt64.self)
    unsafe copySmall(heapSize, from: heap, to: buffer + heapStart)
    for position in 0..<referenceCount {
      let offset = unsafe Int(UInt16(littleEndian: offsets[references[position]]))
      if offset == 0 { continue }
      let field = unsafe table + offset
      let place = unsafe UInt32(littleEndian: field.load(as: UInt32.self))
      let distance = UInt32(truncatingIfNeeded: heapStart &- tableStart &- offset) &+ place
      unsafe field.storeBytes(of: distance.littleEndian, as: UInt32.self)
    }
  }

  /// The finished record, valid until the next one is begun.
  ///
  /// It was made here and not read from a disk, so there is nothing to verify.
  @inline(__always)
  var view: RecordView {
    unsafe RecordView(
      table: UnsafeRawPointer(table), offsets: UnsafeRawPointer(offsets), offsetCount: slotCount,
      types: UnsafePointer(types), slotCount: slotCount, constants: constants)
  }

  /// Reserves space for `size` bytes after the prefix; the table stays.
  @inline(__always)
  mutating func makeRoom(_ size: Int) {
    // A word of zeros is written after the table, over the first bytes of the heap.
    let needed = Self.prefix &+ (size &+ 7) & ~7
    if needed > recordCapacity {
      reserveRecord(needed, keeping: Self.prefix + tableStart + tableSize)
    }
  }

  /// Makes room for a record, the first bytes of which stay.
  private mutating func reserveRecord(_ count: Int, keeping kept: Int) {
    if count > recordCapacity { growRecord(count, keeping: kept) }
    unsafe (offsets, table) = unsafe Self.places(
      in: record, tableStart: tableStart, slotCount: slotCount)
  }

  private mutating func growRecord(_ needed: Int, keeping kept: Int) {
    recordCapacity = max(needed, 2 * recordCapacity)
    let grown = unsafe Self.allocate(recordCapacity)
    unsafe grown.copyMemory(from: record, byteCount: kept)
    unsafe record.deallocate()
    unsafe record = unsafe grown
  }

  /// Room for bytes, up to the next multiple of eight.
  private static func allocate(_ count: Int) -> UnsafeMutableRawPointer {
    .allocate(byteCount: (count + 7) & ~7, alignment: 8)
  }

  /// The bytes of what was set in the record.
  package var byteCount: Int { tableSize + heapSize }

  /// Whether the strings and vectors are too many for the offsets of a record.
  var isTooLarge: Bool { heapSize > Int(Int32.max) - 65_536 }

  // MARK: - Fields

  @inlinable @inline(__always)
  mutating func field(_ slot: Int, _ width: Int) -> UnsafeMutableRawPointer {
    // The table begins four bytes off a multiple of eight.
    // Nothing overflows: a slot is set once, and a table has 64 KiB at most.
    let offset = ((tableSize &+ 4 &+ width &- 1) & ~(width &- 1)) &- 4
    // The gap must not contain bytes of an earlier record.
    var gap = tableSize
    while gap < offset {
      unsafe table.storeBytes(of: 0, toByteOffset: gap, as: UInt8.self)
      gap &+= 1
    }
    unsafe offsets[slot] = UInt16(truncatingIfNeeded: offset).littleEndian
    tableSize = offset &+ width
    return unsafe table + offset
  }

  @inlinable @inline(__always)
  func require(_ slot: Int, _ type: SlotType) {
    // As unsigned numbers, a negative one is above all others.
    unsafe precondition(
      UInt(bitPattern: slot) < UInt(bitPattern: slotCount) && offsets[slot] == 0
        && types[slot] == type.rawValue,
      "the slot does not exist, has another type, or is set twice")
  }

  @inlinable @inline(__always)
  func requireVector(_ slot: Int, _ width: Int) {
    let type = type(slot)
    precondition(
      unsafe type.map { $0 != .strings && $0.elementWidth == width } ?? false && offsets[slot] == 0,
      "the slot does not exist, has another type, or is set twice")
  }

  @inlinable @inline(__always)
  func type(_ slot: Int) -> SlotType? {
    unsafe slot >= 0 && slot < slotCount ? SlotType(rawValue: types[slot]) : nil
  }

  @inlinable @inline(__always)
  mutating func setScalar<T: BitwiseCopyable>(_ slot: Int, _ value: T) {
    unsafe field(slot, MemoryLayout<T>.size).storeBytes(of: value, as: T.self)
  }

  /// Reserves space at the end, at a place after which elements of a width are aligned.
  @inline(__always)
  mutating func allocate(_ count: Int, prefix: Int, alignment: Int) -> Int {
    let start = ((heapSize &+ prefix &+ alignment &- 1) & ~(alignment &- 1)) &- prefix
    // Only the count can be so large that it overflows.
    let end = start &+ prefix + count
    if end > heapCapacity { growHeap(end) }
    var gap = heapSize
    while gap < start {
      unsafe heap.storeBytes(of: 0, toByteOffset: gap, as: UInt8.self)
      gap &+= 1
    }
    heapSize = end
    return start
  }

  @inline(never)
  private mutating func growHeap(_ needed: Int) {
    heapCapacity = max(needed, 2 * heapCapacity)
    let grown = unsafe Self.allocate(heapCapacity)
    unsafe grown.copyMemory(from: heap, byteCount: heapSize)
    unsafe heap.deallocate()
    unsafe heap = unsafe grown
  }

  /// Puts bytes after their count and, for a string, before a zero.
  @usableFromInline
  mutating func store(
    _ bytes: UnsafeRawBufferPointer, elements: Int, alignment: Int, isString: Bool
  ) -> Int {
    unsafe storeInline(bytes, elements: elements, alignment: alignment, isString: isString)
  }

  @inline(__always)
  mutating func storeInline(
    _ bytes: UnsafeRawBufferPointer, elements: Int, alignment: Int, isString: Bool
  ) -> Int {
    let count = bytes.count
    let start = allocate(count &+ (isString ? 1 : 0), prefix: 4, alignment: max(4, alignment))
    let place = unsafe heap + start
    unsafe place.storeBytes(
      of: UInt32(truncatingIfNeeded: elements).littleEndian, as: UInt32.self)
    if let address = bytes.baseAddress, count > 0 {
      unsafe copySmall(count, from: address, to: place + 4)
    }
    if isString {
      unsafe place.storeBytes(of: 0, toByteOffset: 4 &+ count, as: UInt8.self)
    }
    return start
  }

  /// Copies bytes; without a call for 8 to 128, as most strings and most heaps have.
  @inline(__always)
  private func copySmall(
    _ count: Int, from source: UnsafeRawPointer, to place: UnsafeMutableRawPointer
  ) {
    guard count >= 8, count <= 128 else {
      return unsafe place.copyMemory(from: source, byteCount: count)
    }
    // The last words overlap those before.
    if count <= 16 {
      unsafe copyWord(UInt64.self, at: 0, from: source, to: place)
      return unsafe copyWord(UInt64.self, at: count &- 8, from: source, to: place)
    }
    let last = count &- 16
    var offset = 0
    while offset < last {
      unsafe copyWord(SIMD2<UInt64>.self, at: offset, from: source, to: place)
      offset &+= 16
    }
    unsafe copyWord(SIMD2<UInt64>.self, at: last, from: source, to: place)
  }

  @inline(__always)
  private func copyWord<Word: BitwiseCopyable>(
    _ type: Word.Type, at offset: Int, from source: UnsafeRawPointer,
    to place: UnsafeMutableRawPointer
  ) {
    unsafe place.storeBytes(
      of: source.loadUnaligned(fromByteOffset: offset, as: type), toByteOffset: offset, as: type)
  }

  /// Sets a field to the place of something in the heap; the distance is known at the end.
  @inlinable @inline(__always)
  mutating func setReference(_ slot: Int, _ place: Int) {
    setScalar(slot, UInt32(truncatingIfNeeded: place).littleEndian)
  }
}
