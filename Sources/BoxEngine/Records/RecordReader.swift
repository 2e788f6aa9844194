/// Verifies records of one layout before they are read.
///
/// Records of an entity mostly have the same vtable: it is verified once, and compared after that.
final class RecordReader {
  let layout: RecordLayout
  private let types: UnsafeMutablePointer<UInt8>
  private let widths: [Int]
  /// The vtable that was verified last, and the place of its table within eight bytes.
  private var knownVtable: UnsafeMutableRawPointer
  private var knownSize = 0
  private var knownAlignment = -1

  init(_ layout: RecordLayout) {
    self.layout = layout
    let count = layout.types.count
    types = .allocate(capacity: max(1, count))
    for slot in 0..<count {
      types[slot] = layout.types[slot]?.rawValue ?? RecordWriter.unusedType
    }
    widths = layout.types.map { $0?.width ?? 0 }
    knownVtable = .allocate(byteCount: 4 + 2 * count, alignment: 8)
  }

  deinit {
    types.deallocate()
    knownVtable.deallocate()
  }

  /// Verifies the record of an id: its checksum, and every offset, length and alignment in it.
  ///
  /// - Throws: ``RecordDamage`` if anything is wrong; no byte outside the record is touched.
  /// - Complexity: O(*n*) in the bytes of the record.
  @inline(__always)
  func view(_ id: UInt64, _ record: UnsafeRawBufferPointer) throws(RecordDamage) -> RecordView {
    guard let base = record.baseAddress, record.count >= RecordWriter.prefix + 12 else {
      throw .tooShort
    }
    let expected = UInt32(littleEndian: base.loadUnaligned(as: UInt32.self))
    let buffer = UnsafeRawBufferPointer(
      start: base + RecordWriter.prefix, count: record.count - RecordWriter.prefix)
    if Checksum.crc32c(id, buffer) != expected { throw .checksum }
    return try structure(of: buffer)
  }

  /// Verifies a buffer of FlatBuffers without a checksum.
  func structure(of buffer: UnsafeRawBufferPointer) throws(RecordDamage) -> RecordView {
    guard let base = buffer.baseAddress, buffer.count >= 12, buffer.count <= Int(Int32.max) else {
      throw .tooShort
    }
    let count = buffer.count
    let root = Int(UInt32(littleEndian: base.loadUnaligned(as: UInt32.self)))
    guard root & 3 == 0, root >= 4, root <= count - 4 else { throw .structure }
    let distance = Int(
      Int32(littleEndian: base.loadUnaligned(fromByteOffset: root, as: Int32.self)))
    let vtable = root - distance
    guard vtable >= 4, vtable & 1 == 0, vtable <= count - 4 else { throw .structure }
    func half(_ offset: Int) -> Int {
      Int(UInt16(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
    }
    let vtableSize = half(vtable)
    let tableSize = half(vtable + 2)
    guard vtableSize >= 4, vtableSize & 1 == 0, vtable + vtableSize <= count, tableSize >= 4,
      root + tableSize <= count
    else { throw .structure }
    let slots = min((vtableSize - 4) / 2, layout.types.count)
    let alignment = root & 7
    let size = 4 + 2 * slots
    if size != knownSize || alignment != knownAlignment
      || !isEqual(base + vtable + 2, knownVtable + 2, size - 2)
    {
      for slot in 0..<slots {
        let offset = half(vtable + 4 + 2 * slot)
        let width = widths[slot]
        if offset == 0 || width == 0 { continue }
        guard offset >= 4, offset + width <= tableSize, (root + offset) & (width - 1) == 0 else {
          throw .structure
        }
      }
      knownVtable.copyMemory(from: base + vtable, byteCount: size)
      knownSize = size
      knownAlignment = alignment
    }
    for slot in layout.references where slot < slots {
      let offset = half(vtable + 4 + 2 * slot)
      if offset != 0, let type = layout.types[slot] {
        try verify(type, at: root + offset, in: buffer)
      }
    }
    return RecordView(
      table: base + root, offsets: base + vtable + 4, offsetCount: slots, types: types,
      slotCount: layout.types.count)
  }

  @inline(__always)
  private func isEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int) -> Bool {
    var offset = 0
    while offset + 8 <= count {
      if a.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        != b.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      {
        return false
      }
      offset += 8
    }
    while offset < count {
      if a.load(fromByteOffset: offset, as: UInt8.self)
        != b.load(fromByteOffset: offset, as: UInt8.self)
      {
        return false
      }
      offset += 1
    }
    return true
  }

  private func verify(
    _ type: SlotType, at field: Int, in buffer: UnsafeRawBufferPointer
  ) throws(RecordDamage) {
    let start = field + word(field, in: buffer)
    let elements = try length(at: start, type.elementWidth, in: buffer)
    if type == .string {
      try requireZero(at: start + 4 + elements, in: buffer)
    } else if type == .strings {
      for position in 0..<elements {
        let entry = start + 4 + 4 * position
        let string = entry + word(entry, in: buffer)
        let count = try length(at: string, 1, in: buffer)
        try requireZero(at: string + 4 + count, in: buffer)
      }
    }
  }

  private func word(_ offset: Int, in buffer: UnsafeRawBufferPointer) -> Int {
    Int(UInt32(littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }

  /// The number of elements of a vector, all of which lie in the buffer.
  private func length(
    at start: Int, _ width: Int, in buffer: UnsafeRawBufferPointer
  ) throws(RecordDamage) -> Int {
    guard start & 3 == 0, start <= buffer.count - 4 else { throw .structure }
    let elements = word(start, in: buffer)
    guard elements <= (buffer.count - start - 4) / width else { throw .structure }
    if width == 8 && (start + 4) & 7 != 0 { throw .structure }
    return elements
  }

  private func requireZero(
    at offset: Int, in buffer: UnsafeRawBufferPointer
  ) throws(RecordDamage) {
    guard offset < buffer.count, buffer[offset] == 0 else { throw .structure }
  }
}
