/// Bytes that are to be a string are not valid UTF-8.
public struct InvalidUTF8: Error, Hashable, Sendable {
  /// The slot that they were for.
  public var slot: Int
}

/// A truth value or a number, which is stored in the table of a record.
public protocol RecordScalar {
  /// An integer with the bits of the value.
  associatedtype RecordBits: FixedWidthInteger & BitwiseCopyable
  /// The slot type of the values.
  static var slotType: SlotType { get }
  /// The bits of the value.
  var recordBits: RecordBits { get }
}

extension RecordScalar where Self: FixedWidthInteger & BitwiseCopyable {
  /// The integer.
  @inlinable @inline(__always) public var recordBits: Self { self }
}

extension Int8: RecordScalar {
  /// `int8`.
  @inlinable @inline(__always) public static var slotType: SlotType { .int8 }
}
extension UInt8: RecordScalar {
  /// `uint8`.
  @inlinable @inline(__always) public static var slotType: SlotType { .uint8 }
}
extension Int16: RecordScalar {
  /// `int16`.
  @inlinable @inline(__always) public static var slotType: SlotType { .int16 }
}
extension UInt16: RecordScalar {
  /// `uint16`.
  @inlinable @inline(__always) public static var slotType: SlotType { .uint16 }
}
extension Int32: RecordScalar {
  /// `int32`.
  @inlinable @inline(__always) public static var slotType: SlotType { .int32 }
}
extension UInt32: RecordScalar {
  /// `uint32`.
  @inlinable @inline(__always) public static var slotType: SlotType { .uint32 }
}
extension Int64: RecordScalar {
  /// `int64`.
  @inlinable @inline(__always) public static var slotType: SlotType { .int64 }
}
extension UInt64: RecordScalar {
  /// `uint64`.
  @inlinable @inline(__always) public static var slotType: SlotType { .uint64 }
}
extension Bool: RecordScalar {
  /// `bool`.
  @inlinable @inline(__always) public static var slotType: SlotType { .bool }
  /// 1 or 0.
  @inlinable @inline(__always) public var recordBits: UInt8 { self ? 1 : 0 }
}
extension Float: RecordScalar {
  /// `float`.
  @inlinable @inline(__always) public static var slotType: SlotType { .float }
  /// The bits of the number.
  @inlinable @inline(__always) public var recordBits: UInt32 { bitPattern }
}
extension Double: RecordScalar {
  /// `double`.
  @inlinable @inline(__always) public static var slotType: SlotType { .double }
  /// The bits of the number.
  @inlinable @inline(__always) public var recordBits: UInt64 { bitPattern }
}

extension RecordWriter {
  /// Sets a truth value or a number; an integer of 64 bits can be a date, or the id of the target of a relation.
  @inlinable @inline(__always)
  public mutating func set<Scalar: RecordScalar>(_ slot: Int, _ value: Scalar) {
    require(slot, Scalar.slotType)
    setScalar(slot, value.recordBits.littleEndian)
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
  /// - Throws: ``InvalidUTF8`` for other bytes; the slot stays unset.
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
