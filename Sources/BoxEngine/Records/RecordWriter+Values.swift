/// Bytes that are to be a string are not valid UTF-8.
public struct InvalidUTF8: Error, Hashable, Sendable {
  /// The slot that they were for.
  public var slot: Int
}

extension RecordWriter {
  /// Sets a boolean.
  @inlinable @inline(__always)
  public mutating func set(_ slot: Int, _ value: Bool) {
    require(slot, .bool)
    setScalar(slot, UInt8(value ? 1 : 0))
  }

  /// Sets an integer of 8 bits.
  @inlinable @inline(__always)
  public mutating func set(_ slot: Int, _ value: Int8) {
    require(slot, .int8)
    setScalar(slot, value)
  }

  /// Sets an integer of 8 bits.
  @inlinable @inline(__always)
  public mutating func set(_ slot: Int, _ value: UInt8) {
    require(slot, .uint8)
    setScalar(slot, value)
  }

  /// Sets an integer of 16 bits.
  @inlinable @inline(__always)
  public mutating func set(_ slot: Int, _ value: Int16) {
    require(slot, .int16)
    setScalar(slot, value.littleEndian)
  }

  /// Sets an integer of 16 bits.
  @inlinable @inline(__always)
  public mutating func set(_ slot: Int, _ value: UInt16) {
    require(slot, .uint16)
    setScalar(slot, value.littleEndian)
  }

  /// Sets an integer of 32 bits.
  @inlinable @inline(__always)
  public mutating func set(_ slot: Int, _ value: Int32) {
    require(slot, .int32)
    setScalar(slot, value.littleEndian)
  }

  /// Sets an integer of 32 bits.
  @inlinable @inline(__always)
  public mutating func set(_ slot: Int, _ value: UInt32) {
    require(slot, .uint32)
    setScalar(slot, value.littleEndian)
  }

  /// Sets an integer of 64 bits, or a date.
  @inlinable @inline(__always)
  public mutating func set(_ slot: Int, _ value: Int64) {
    require(slot, .int64)
    setScalar(slot, value.littleEndian)
  }

  /// Sets an integer of 64 bits, or the id of the target of a relation.
  @inlinable @inline(__always)
  public mutating func set(_ slot: Int, _ value: UInt64) {
    require(slot, .uint64)
    setScalar(slot, value.littleEndian)
  }

  /// Sets a number of 32 bits.
  @inlinable @inline(__always)
  public mutating func set(_ slot: Int, _ value: Float) {
    require(slot, .float)
    setScalar(slot, value.bitPattern.littleEndian)
  }

  /// Sets a number of 64 bits.
  @inlinable @inline(__always)
  public mutating func set(_ slot: Int, _ value: Double) {
    require(slot, .double)
    setScalar(slot, value.bitPattern.littleEndian)
  }

  /// Sets a string.
  ///
  /// - Complexity: O(*n*) in its bytes.
  @inlinable @inline(__always)
  public mutating func set(_ slot: Int, _ value: String) {
    require(slot, .string)
    var value = value
    let place = value.withUTF8 { utf8 in
      unsafe store(UnsafeRawBufferPointer(utf8), elements: utf8.count, alignment: 1, isString: true)
    }
    setReference(slot, place)
  }

  /// Sets a string from its UTF-8 bytes.
  ///
  /// - Throws: ``InvalidUTF8`` if they are none; the slot stays unset.
  /// - Complexity: O(*n*).
  public mutating func set(
    _ slot: Int, utf8: UnsafeBufferPointer<UInt8>
  ) throws(InvalidUTF8) {
    require(slot, .string)
    if unsafe !isUTF8(UnsafeRawBufferPointer(utf8)) { throw InvalidUTF8(slot: slot) }
    let place = unsafe storeInline(
      UnsafeRawBufferPointer(utf8), elements: utf8.count, alignment: 1, isString: true)
    setReference(slot, place)
  }

  /// Sets bytes.
  ///
  /// - Complexity: O(*n*).
  @inlinable @inline(__always)
  public mutating func set(_ slot: Int, bytes: UnsafeRawBufferPointer) {
    require(slot, .bytes)
    unsafe setReference(slot, store(bytes, elements: bytes.count, alignment: 1, isString: false))
  }

  /// Sets a vector of numbers whose width and kind the slot has.
  ///
  /// - Parameters:
  ///   - slot: The slot of the vector.
  ///   - values: Elements in the byte order of the machine, which must be little-endian.
  /// - Complexity: O(*n*).
  @inlinable @inline(__always)
  public mutating func set<T: Numeric & BitwiseCopyable>(_ slot: Int, _ values: [T]) {
    let width = MemoryLayout<T>.size
    requireVector(slot, width)
    let place = unsafe values.withUnsafeBytes {
      unsafe store($0, elements: values.count, alignment: width, isString: false)
    }
    setReference(slot, place)
  }

  /// Sets a vector of strings.
  ///
  /// - Complexity: O(*n*) in their bytes.
  public mutating func set(_ slot: Int, strings: [String]) {
    require(slot, .strings)
    let start = allocate(4 * strings.count, prefix: 4, alignment: 4)
    unsafe heap.storeBytes(
      of: UInt32(strings.count).littleEndian, toByteOffset: start, as: UInt32.self)
    for (position, string) in strings.enumerated() {
      var string = string
      let place = string.withUTF8 { utf8 in
        unsafe store(
          UnsafeRawBufferPointer(utf8), elements: utf8.count, alignment: 1, isString: true)
      }
      let entry = start + 4 + 4 * position
      unsafe heap.storeBytes(
        of: UInt32(truncatingIfNeeded: place - entry).littleEndian, toByteOffset: entry,
        as: UInt32.self)
    }
    setReference(slot, start)
  }

  /// Copies a value that another record of the same layout has itself, unless it is set here.
  mutating func copy(_ slot: Int, from record: borrowing RecordView) {
    if unsafe offsets[slot] == 0, record.isStored(slot) { copy(slot, from: record, slot) }
  }

  /// Copies a value from a slot of another record, of the same type, unless it is null there.
  ///
  /// - Complexity: O(*n*) in the size of the value.
  public mutating func copy(_ slot: Int, from record: borrowing RecordView, _ source: Int) {
    guard let type = type(slot), !record.isNull(source) else { return }
    record.require(source, type)
    require(slot, type)
    switch type {
    case .bool, .int8, .uint8: setScalar(slot, record.raw(source, as: UInt8.self))
    case .int16, .uint16: setScalar(slot, record.raw(source, as: UInt16.self))
    case .int32, .uint32, .float: setScalar(slot, record.raw(source, as: UInt32.self))
    case .int64, .uint64, .double: setScalar(slot, record.raw(source, as: UInt64.self))
    case .strings: set(slot, strings: record.strings(source) ?? [])
    default:
      let elements = unsafe record.elements(source)
      let place = unsafe store(
        elements, elements: elements.count / type.elementWidth, alignment: type.elementWidth,
        isString: type == .string)
      setReference(slot, place)
    }
  }
}
