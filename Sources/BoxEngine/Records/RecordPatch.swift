package import BoxModel

/// New values for some slots of a fixed width, to overwrite in many records.
///
/// A copy of all bytes of a record costs less than one of each of its values.
package struct RecordPatch {
  /// The bytes of a slot.
  struct Field {
    var slot: Int
    var width: Int
    /// The value, its first bytes in the lowest bits.
    var bits: UInt64
  }

  let fields: [Field]

  /// Creates a patch of the records of an entity; nil if a value is null, a string or a vector, or does not
  /// fit its property.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - new: The new values, by the positions of their properties.
  package init?(_ entity: EntitySchema, _ new: [Int: Value]) {
    self.init(
      entity.layout,
      new.sorted { $0.key < $1.key }.map { (entity.accesses[$0.key].slot, $0.value) })
  }

  /// Creates a patch of the records of a layout: a value for each of some slots.
  init?(_ layout: RecordLayout, _ new: [(slot: Int, value: Value)]) {
    var writer = RecordWriter()
    writer.begin(layout)
    var fields: [Field] = []
    for (slot, value) in new {
      guard layout.types.indices.contains(slot), let type = layout.types[slot], !type.isReference,
        value != .null,
        (try? writer.set(slot, type, value)) != nil
      else { return nil }
      fields.append(Field(slot: slot, width: type.width, bits: writer.bits(slot, type.width)))
    }
    self.fields = fields
  }
}

extension RecordWriter {
  /// Copies the record that is rewritten, and writes the values of a patch over those in it.
  ///
  /// This takes a record of the layout of today that has a value for each slot of the patch. The fields have
  /// to have bytes of their own: the record of a stranger is sound, and yet values in it may share bytes.
  ///
  /// - Returns: Whether the record was patched; else nothing is set.
  /// - Complexity: O(*n*) in the bytes of the record, and in its slots for each value.
  package mutating func apply(_ patch: RecordPatch) -> Bool {
    guard copyRewritten() else { return false }
    for field in patch.fields where !hasOwnBytes(field) {
      clear()
      return false
    }
    for field in patch.fields {
      let start = unsafe Int(UInt16(littleEndian: offsets[field.slot]))
      let place = unsafe UnsafeMutableRawBufferPointer(start: table + start, count: field.width)
      unsafe withUnsafeBytes(of: field.bits.littleEndian) { bits in
        unsafe place.copyBytes(from: bits.prefix(field.width))
      }
    }
    return true
  }

  /// The first bytes of a slot that is set.
  fileprivate func bits(_ slot: Int, _ width: Int) -> UInt64 {
    let place = unsafe table + Int(UInt16(littleEndian: offsets[slot]))
    return unsafe UnsafeRawBufferPointer(start: place, count: width).reversed().reduce(0) {
      $0 << 8 | UInt64($1)
    }
  }

  /// Copies the record that is rewritten, if it has the current header, and strings and vectors after its
  /// fields.
  private mutating func copyRewritten() -> Bool {
    guard let base = unsafe rewritten.baseAddress else { return false }
    let (buffer, size) = unsafe (base + Self.prefix, rewritten.count - Self.prefix)
    let vtable = tableStart - 4 - 2 * slotCount
    guard size >= tableStart + 4, unsafe word(buffer, 0) == tableStart,
      unsafe word(buffer, tableStart) == tableStart - vtable,
      unsafe half(buffer, vtable) == 4 + 2 * slotCount
    else { return false }
    makeRoom(size)
    let start = vtable + 2
    unsafe (record + Self.prefix + start).copyMemory(from: buffer + start, byteCount: size - start)
    tableSize = unsafe half(buffer, vtable + 2)
    recordSize = Self.prefix + size
    for position in 0..<referenceCount {
      let field = unsafe Int(UInt16(littleEndian: offsets[references[position]]))
      if field != 0, unsafe field + word(UnsafeRawPointer(table), field) < tableSize {
        clear()
        return false
      }
    }
    return true
  }

  /// Whether the record has a value for a field, and no other field has a part of its bytes.
  private func hasOwnBytes(_ field: RecordPatch.Field) -> Bool {
    let start = unsafe Int(UInt16(littleEndian: offsets[field.slot]))
    if start == 0 { return false }
    let end = start + field.width
    for slot in 0..<slotCount where slot != field.slot {
      let other = unsafe Int(UInt16(littleEndian: offsets[slot]))
      // A slot that the model does not use may be eight bytes wide.
      if other != 0, other < end, other + (type(slot)?.width ?? 8) > start { return false }
    }
    return true
  }

  private func half(_ base: UnsafeRawPointer, _ offset: Int) -> Int {
    unsafe Int(UInt16(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
  }

  private func word(_ base: UnsafeRawPointer, _ offset: Int) -> Int {
    unsafe Int(UInt32(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }
}
