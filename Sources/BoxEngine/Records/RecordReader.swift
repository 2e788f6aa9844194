/// Verifies records of one layout before they are read.
///
/// It owns what a ``RecordVerifier`` works with, and belongs to one thread.
final class RecordReader {
  let layout: RecordLayout
  let verifier: RecordVerifier

  init(_ layout: RecordLayout) {
    self.layout = layout
    verifier = RecordVerifier(layout)
  }

  deinit { verifier.deallocate() }

  /// Verifies the record of an id; see ``RecordVerifier/view(_:_:)``.
  @inline(__always)
  func view(_ id: UInt64, _ record: UnsafeRawBufferPointer) throws(RecordDamage) -> RecordView {
    try unsafe verifier.view(id, record)
  }

  /// Verifies the record of an object.
  ///
  /// - Throws: ``StoreError/damagedRecord(entity:id:_:)``.
  /// - Complexity: O(*n*) in the bytes of the record.
  func view(
    of entity: EntitySchema, _ id: UInt64, _ record: UnsafeRawBufferPointer
  ) throws(StoreError) -> RecordView {
    do throws(RecordDamage) {
      return try unsafe verifier.view(id, record)
    } catch let damage {
      throw StoreError.damagedRecord(entity: entity.name, id: id, damage)
    }
  }

  /// Whether a valid record has a value in a slot that is not below a limit.
  ///
  /// - Complexity: O(1), or O(*n*) in the slots of a record that has such slots.
  static func hasValue(fromSlot limit: Int, in record: UnsafeRawBufferPointer) -> Bool {
    let offsets = unsafe offsets(of: record)
    if offsets.count <= limit { return false }
    return (limit..<offsets.count).contains { unsafe offsets[$0] != 0 }
  }

  /// Whether a valid record has a value in a slot.
  static func isStored(_ slot: Int, in record: UnsafeRawBufferPointer) -> Bool {
    let offsets = unsafe offsets(of: record)
    return unsafe slot < offsets.count && offsets[slot] != 0
  }

  /// The offsets of the slots of a valid record.
  private static func offsets(of record: UnsafeRawBufferPointer) -> SlotOffsets {
    let buffer = unsafe UnsafeRawBufferPointer(rebasing: record[RecordWriter.prefix...])
    let root = unsafe Int(UInt32(littleEndian: buffer.loadUnaligned(as: UInt32.self)))
    let distance = unsafe Int32(
      littleEndian: buffer.loadUnaligned(fromByteOffset: root, as: Int32.self))
    return unsafe SlotOffsets(buffer: buffer, vtable: root - Int(distance))
  }

  /// Verifies a buffer of FlatBuffers without a checksum.
  func structure(of buffer: UnsafeRawBufferPointer) throws(RecordDamage) -> RecordView {
    try unsafe verifier.structure(of: buffer)
  }
}

/// The part of a ``RecordReader`` that is called for each record: pointers only, as counting
/// references took an eighth of a visit.
///
/// The pointers are valid as long as the reader lives, which outlives all uses of its verifier.
@safe struct RecordVerifier {
  /// The layout, and the header of the record that was verified last.
  @safe struct State {
    var types: UnsafeMutablePointer<UInt8>
    var slotCount: Int
    /// The slots that hold offsets.
    var references: UnsafeMutablePointer<Int>
    var referenceCount: Int
    /// The start of the last record whose vtable was verified: the offset of its table, the vtable, and the table's own offset.
    ///
    /// Most records of an entity share it.
    var header: UnsafeMutableRawPointer
    /// Bytes of the header; 0 for none.
    var headerSize = 0
    var headerCapacity: Int
    /// The minimum number of bytes of a record with this header.
    var minimumSize = 0
    var tableStart = 0
    var offsetsStart = 0
    var offsetCount = 0
    /// The offsets of the fields of ``references`` from the start of the buffer; 0 for null.
    var fields: UnsafeMutablePointer<Int>
    /// The constants of the layout, which lives as long as the reader.
    var constants: ConstantPlaces?
  }

  let state: UnsafeMutablePointer<State>

  init(_ layout: RecordLayout) {
    let count = layout.types.count
    let references = layout.references
    // A header with room for the largest one that the writer makes.
    let capacity = layout.tableStart + 4
    let state = unsafe State(
      types: .allocate(capacity: max(1, count)), slotCount: count,
      references: .allocate(capacity: max(1, references.count)),
      referenceCount: references.count,
      header: .allocate(byteCount: capacity, alignment: 8), headerCapacity: capacity,
      fields: .allocate(capacity: max(1, references.count)), constants: layout.constants?.places)
    unsafe state.types.initialize(from: layout.typeCodes, count: count)
    for (position, slot) in references.enumerated() { unsafe state.references[position] = slot }
    unsafe state.fields.initialize(repeating: 0, count: max(1, references.count))
    unsafe self.state = .allocate(capacity: 1)
    unsafe self.state.initialize(to: state)
  }

  func deallocate() {
    unsafe state.pointee.types.deallocate()
    unsafe state.pointee.references.deallocate()
    unsafe state.pointee.header.deallocate()
    unsafe state.pointee.fields.deallocate()
    unsafe state.deallocate()
  }

  /// Verifies the record of an id: its checksum, and every offset, length and alignment in it.
  ///
  /// The view borrows from the record and from this reader; both must outlive it.
  ///
  /// - Parameters:
  ///   - id: The id of the object.
  ///   - record: The bytes that are stored for it.
  ///   - isChecked: Whether its checksum was verified before; the rest is verified all the same.
  /// - Returns: The record, to be read.
  /// - Throws: ``RecordDamage`` if anything is wrong; no byte outside the record is touched.
  /// - Complexity: O(*n*) in the bytes of the record.
  @inline(__always)
  func view(
    _ id: UInt64, _ record: UnsafeRawBufferPointer, isChecked: Bool = false
  ) throws(RecordDamage) -> RecordView {
    guard let base = record.baseAddress, record.count >= RecordWriter.prefix + 12 else {
      throw .tooShort
    }
    let expected = unsafe UInt32(littleEndian: base.loadUnaligned(as: UInt32.self))
    let buffer = unsafe UnsafeRawBufferPointer(
      start: base + RecordWriter.prefix, count: record.count - RecordWriter.prefix)
    if unsafe !isChecked && Checksum.crc32c(id, buffer) != expected { throw .checksum }
    return try unsafe structure(of: buffer)
  }

  /// Verifies a buffer of FlatBuffers without a checksum.
  @inline(__always)
  func structure(of buffer: UnsafeRawBufferPointer) throws(RecordDamage) -> RecordView {
    guard let base = buffer.baseAddress, buffer.count >= 12, buffer.count <= Int(Int32.max) else {
      throw .tooShort
    }
    let size = unsafe state.pointee.headerSize
    if unsafe size == 0 || buffer.count < state.pointee.minimumSize
      || !isEqual(base, state.pointee.header, size)
    {
      try unsafe cacheHeader(base, buffer.count)
    }
    var position = 0
    while unsafe position < state.pointee.referenceCount {
      let field = unsafe state.pointee.fields[position]
      if field != 0 {
        try unsafe verify(
          state.pointee.types[state.pointee.references[position]], at: field, in: buffer)
      }
      position &+= 1
    }
    return unsafe RecordView(
      table: base + state.pointee.tableStart, offsets: base + state.pointee.offsetsStart,
      offsetCount: state.pointee.offsetCount, types: UnsafePointer(state.pointee.types),
      slotCount: state.pointee.slotCount, constants: state.pointee.constants)
  }

  /// Verifies the part of a buffer that is the same in most records, and remembers it.
  private func cacheHeader(_ base: UnsafeRawPointer, _ count: Int) throws(RecordDamage) {
    unsafe state.pointee.headerSize = 0
    let root = unsafe Int(UInt32(littleEndian: base.loadUnaligned(as: UInt32.self)))
    guard root & 3 == 0, root >= 4, root <= count - 4 else { throw .structure }
    let distance = unsafe Int(
      Int32(littleEndian: base.loadUnaligned(fromByteOffset: root, as: Int32.self)))
    let vtable = root - distance
    guard vtable >= 4, vtable & 1 == 0, vtable <= count - 4 else { throw .structure }
    func half(_ offset: Int) -> Int {
      unsafe Int(UInt16(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
    }
    let vtableSize = half(vtable)
    let tableSize = half(vtable + 2)
    guard vtableSize >= 4, vtableSize & 1 == 0, vtable + vtableSize <= count, tableSize >= 4,
      root + tableSize <= count
    else { throw .structure }
    let slots = unsafe min((vtableSize - 4) / 2, state.pointee.slotCount)
    for slot in 0..<slots {
      let offset = half(vtable + 4 + 2 * slot)
      guard offset != 0, let type = unsafe SlotType(rawValue: state.pointee.types[slot]) else {
        continue
      }
      let width = type.width
      guard offset >= 4, offset + width <= tableSize, (root + offset) & (width - 1) == 0 else {
        throw .structure
      }
    }
    for position in unsafe 0..<state.pointee.referenceCount {
      let slot = unsafe state.pointee.references[position]
      let offset = slot < slots ? half(vtable + 4 + 2 * slot) : 0
      unsafe state.pointee.fields[position] = offset == 0 ? 0 : root + offset
    }
    unsafe state.pointee.tableStart = root
    unsafe state.pointee.offsetsStart = vtable + 4
    unsafe state.pointee.offsetCount = slots
    unsafe state.pointee.minimumSize = root + tableSize
    // The writer puts the vtable before the table; other layouts are verified each time.
    let header = root + 4
    if unsafe vtable + vtableSize <= root && header <= state.pointee.headerCapacity {
      unsafe state.pointee.header.copyMemory(from: base, byteCount: header)
      unsafe state.pointee.headerSize = header
    }
  }

  /// Whether two headers are the same; each has at least eight bytes.
  @inline(__always)
  private func isEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int) -> Bool {
    // The last word overlaps the one before.
    let last = count &- 8
    var offset = 0
    while offset < last {
      if unsafe differ(a, b, at: offset) != 0 { return false }
      offset &+= 8
    }
    return unsafe differ(a, b, at: last) == 0
  }

  @inline(__always)
  private func differ(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, at offset: Int) -> UInt64 {
    unsafe a.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      ^ b.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  @inline(__always)
  private func verify(
    _ rawType: UInt8, at field: Int, in buffer: UnsafeRawBufferPointer
  ) throws(RecordDamage) {
    // Both are below 2^32, so nothing overflows.
    let start = unsafe field &+ word(field, in: buffer)
    if rawType == SlotType.string.rawValue {
      let elements = try unsafe length(at: start, 1, in: buffer)
      try unsafe requireZero(at: start &+ 4 &+ elements, in: buffer)
    } else if let type = SlotType(rawValue: rawType) {
      try unsafe verifyVector(type, at: start, in: buffer)
    }
  }

  private func verifyVector(
    _ type: SlotType, at start: Int, in buffer: UnsafeRawBufferPointer
  ) throws(RecordDamage) {
    let elements = try unsafe length(at: start, type.elementWidth, in: buffer)
    guard type == .strings else { return }
    for position in 0..<elements {
      let entry = start + 4 + 4 * position
      let string = unsafe entry + word(entry, in: buffer)
      let count = try unsafe length(at: string, 1, in: buffer)
      try unsafe requireZero(at: string + 4 + count, in: buffer)
    }
  }

  @inline(__always)
  private func word(_ offset: Int, in buffer: UnsafeRawBufferPointer) -> Int {
    guard let base = buffer.baseAddress else { return 0 }
    return unsafe Int(
      UInt32(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }

  /// The number of elements of a vector, all of which lie in the buffer.
  @inline(__always)
  private func length(
    at start: Int, _ width: Int, in buffer: UnsafeRawBufferPointer
  ) throws(RecordDamage) -> Int {
    let count = buffer.count
    guard start & 3 == 0, start <= count &- 4 else { throw .structure }
    let elements = unsafe word(start, in: buffer)
    // Both are below 2^32, so nothing overflows.
    guard elements &* width <= count &- start &- 4 else { throw .structure }
    if width == 8 && (start &+ 4) & 7 != 0 { throw .structure }
    return elements
  }

  @inline(__always)
  private func requireZero(
    at offset: Int, in buffer: UnsafeRawBufferPointer
  ) throws(RecordDamage) {
    guard offset < buffer.count, let base = buffer.baseAddress,
      unsafe base.load(fromByteOffset: offset, as: UInt8.self) == 0
    else { throw .structure }
  }
}

/// The vtable of a valid record.
@safe private struct SlotOffsets {
  let buffer: UnsafeRawBufferPointer
  let vtable: Int

  var count: Int { (half(vtable) - 4) / 2 }

  subscript(slot: Int) -> Int { half(vtable + 4 + 2 * slot) }

  private func half(_ offset: Int) -> Int {
    unsafe Int(
      UInt16(littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
  }
}
