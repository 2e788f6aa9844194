package import BoxModel

extension RecordWriter {
  /// Begins a record of an entity.
  package mutating func begin(_ entity: EntitySchema) { begin(entity.layout) }

  /// Whether a slot was set.
  @inline(__always)
  package func isSet(_ slot: Int) -> Bool {
    unsafe slot >= 0 && slot < slotCount && offsets[slot] != 0
  }

  /// Sets an integer of any width and sign from its bits; those above the width of the slot are left
  /// out.
  ///
  /// A binding that was written by hand can differ from its model in the sign.
  ///
  /// - Returns: Whether the slot holds an integer or a truth value, and was not set before.
  @inline(__always)
  package mutating func setInteger(_ slot: Int, bits: UInt64) -> Bool {
    guard let type = type(slot), !isSet(slot) else { return false }
    switch type {
    case .bool, .int8, .uint8: setScalar(slot, UInt8(truncatingIfNeeded: bits))
    case .int16, .uint16: setScalar(slot, UInt16(truncatingIfNeeded: bits).littleEndian)
    case .int32, .uint32: setScalar(slot, UInt32(truncatingIfNeeded: bits).littleEndian)
    case .int64, .uint64: setScalar(slot, bits.littleEndian)
    default: return false
    }
    return true
  }
}

extension RecordView {
  /// The bits of an integer of any width and sign, or of a truth value; nil for null, and for a slot of
  /// another type.
  ///
  /// Signed values are extended by their sign.
  package func integerBits(_ slot: Int) -> UInt64? {
    guard slot >= 0, slot < slotCount, !isNull(slot),
      let type = unsafe SlotType(rawValue: types[slot])
    else { return nil }
    switch type {
    case .bool, .uint8: return UInt64(raw(slot, as: UInt8.self))
    case .int8: return UInt64(bitPattern: Int64(raw(slot, as: Int8.self)))
    case .uint16: return UInt64(UInt16(littleEndian: raw(slot, as: UInt16.self)))
    case .int16: return UInt64(bitPattern: Int64(Int16(littleEndian: raw(slot, as: Int16.self))))
    case .uint32: return UInt64(UInt32(littleEndian: raw(slot, as: UInt32.self)))
    case .int32: return UInt64(bitPattern: Int64(Int32(littleEndian: raw(slot, as: Int32.self))))
    case .int64, .uint64: return UInt64(littleEndian: raw(slot, as: UInt64.self))
    default: return nil
    }
  }

  /// The places of the record, for a reader above the engine that verifies no more.
  ///
  /// - `table`: the start of the FlatBuffers table, and `offsets` the 16-bit offset of each slot in it,
  ///   0 where it has no value. Both are valid as long as the record is.
  /// - `constants`: the field of the constant of each slot, also of those beyond `count`; nil without any.
  @inline(__always)
  @unsafe package var places:
    (
      table: UnsafeRawPointer, offsets: UnsafeRawPointer, count: Int,
      constants: UnsafePointer<UnsafeRawPointer?>?
    )
  {
    unsafe (table, offsets, min(offsetCount, slotCount), constants)
  }
}

extension RecordWriter {
  /// The value that was set for a property; null without one.
  ///
  /// It ends the record: nothing can be set before the next one is begun. A record that is too large to be put has null.
  ///
  /// - Complexity: O(*n*) in the size of the record.
  package mutating func value(of property: PropertySchema) -> Value {
    if isTooLarge { return .null }
    close()
    return view.isNull(property.slot) ? .null : view.value(property.slot, property.type)
  }
}
