#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The first value that a binding read as another type than the record has.
@usableFromInline struct ReadFault {
  /// The offset that the binding named; 0 for no fault.
  @usableFromInline var offset: UInt16 = 0
  /// The form in which it wanted the value.
  @usableFromInline var wanted = FieldForm.absent

  @usableFromInline init() {}
}

/// The values of one stored object, read by the offsets of their properties.
///
/// It is lent for the call of ``EntityBinding/createEntity(entityReader:store:)`` and must not be kept.
/// A value that the object does not have is nil, or the zero of a type that is not optional: 0, false,
/// an empty string. Integers of any width can be read as any integer type that holds the value. Reading
/// a property as something else ends the call that reads the object with
/// ``ObjectBoxError/propertyTypeMismatch(message:)``.
///
/// Its pointers are to a record that the engine has verified, and to the fields of the entity.
@safe public struct EntityReader {
  @usableFromInline let table: UnsafeRawPointer
  @usableFromInline let offsets: UnsafeRawPointer
  @usableFromInline let slotCount: Int
  @usableFromInline let constants: UnsafePointer<UnsafeRawPointer?>?
  @usableFromInline let fields: UnsafePointer<FieldAccess>
  @usableFromInline let fieldCount: Int
  @usableFromInline let fault: UnsafeMutablePointer<ReadFault>
  @usableFromInline let id: UInt64

  @inline(__always)
  init(
    table: UnsafeRawPointer, offsets: UnsafeRawPointer, slotCount: Int,
    constants: UnsafePointer<UnsafeRawPointer?>?, _ table_: EntityFields,
    fault: UnsafeMutablePointer<ReadFault>, id: UInt64
  ) {
    unsafe self.constants = unsafe constants
    unsafe self.table = unsafe table
    unsafe self.offsets = unsafe offsets
    self.slotCount = slotCount
    unsafe fields = unsafe table_.fields
    fieldCount = table_.count
    unsafe self.fault = unsafe fault
    self.id = id
  }

  /// The field at an offset; the fault is noted if the model has none.
  @inlinable @inline(__always)
  func field(_ offset: UInt16, _ wanted: FieldForm) -> FieldAccess {
    let property = (Int(offset) - 2) >> 1
    if property >= 0, property < fieldCount {
      let field = unsafe fields[property]
      if field.form != .absent { return field }
    }
    recordFault(offset, wanted)
    return .absent
  }

  @usableFromInline
  func recordFault(_ offset: UInt16, _ wanted: FieldForm) {
    if unsafe fault.pointee.offset != 0 { return }
    unsafe fault.pointee.offset = max(1, offset)
    unsafe fault.pointee.wanted = wanted
  }

  /// The place of a value; nil for null.
  @inlinable @inline(__always)
  func place(_ slot: Int32) -> UnsafeRawPointer? {
    let slot = Int(slot)
    if slot < 0 { return nil }
    if slot < slotCount {
      let offset = unsafe offsets.loadUnaligned(fromByteOffset: 2 * slot, as: UInt16.self)
      if offset != 0 { return unsafe table + Int(UInt16(littleEndian: offset)) }
    }
    return unsafe constant(slot)
  }

  /// The place of the value that objects without one have; nil for null.
  @inlinable @inline(__always)
  func constant(_ slot: Int) -> UnsafeRawPointer? {
    guard let constants = unsafe constants else { return nil }
    return unsafe constants[slot]
  }

  /// The place of a value of one form; nil for null, and with a fault for another form.
  @inlinable @inline(__always)
  func place(_ offset: UInt16, _ form: FieldForm) -> UnsafeRawPointer? {
    let field = field(offset, form)
    if field.form != form {
      if field.form != .absent { recordFault(offset, form) }
      return nil
    }
    return unsafe place(field.slot)
  }

  /// An integer, stored in the width of its type or in another one.
  @inlinable @inline(__always)
  func integer<T: FixedWidthInteger & BitwiseCopyable>(_ offset: UInt16, _ form: FieldForm) -> T? {
    let field = field(offset, form)
    if field.form == form {
      guard let place = unsafe place(field.slot) else { return nil }
      return unsafe T(littleEndian: place.loadUnaligned(as: T.self))
    }
    if field.form == .id { return T(truncatingIfNeeded: id) }
    return otherInteger(offset, field, form)
  }

  /// An integer stored with another width than its type has; records a fault if the type cannot hold it.
  @usableFromInline
  func otherInteger<T: FixedWidthInteger>(
    _ offset: UInt16, _ field: FieldAccess, _ form: FieldForm
  ) -> T? {
    if field.form == .absent { return nil }
    guard let place = unsafe place(field.slot) else {
      if FieldForm.integerForms.contains(field.form) { return nil }
      recordFault(offset, form)
      return nil
    }
    let value: Int64
    switch field.form {
    case .bool, .integer8:
      let bits = unsafe place.load(as: UInt8.self)
      value = field.isUnsigned ? Int64(bits) : Int64(Int8(bitPattern: bits))
    case .integer16:
      let bits = unsafe UInt16(littleEndian: place.loadUnaligned(as: UInt16.self))
      value = field.isUnsigned ? Int64(bits) : Int64(Int16(bitPattern: bits))
    case .integer32:
      let bits = unsafe UInt32(littleEndian: place.loadUnaligned(as: UInt32.self))
      value = field.isUnsigned ? Int64(bits) : Int64(Int32(bitPattern: bits))
    case .integer64:
      value = unsafe Int64(littleEndian: place.loadUnaligned(as: Int64.self))
    default:
      recordFault(offset, form)
      return nil
    }
    guard let result = T(exactly: value) else {
      recordFault(offset, form)
      return nil
    }
    return result
  }

  /// The bytes of a string or vector; nil for null.
  @inlinable @inline(__always)
  func elements(_ offset: UInt16, _ form: FieldForm, width: Int) -> UnsafeRawBufferPointer? {
    guard let place = unsafe place(offset, form) else { return nil }
    let start = unsafe place + Int(UInt32(littleEndian: place.loadUnaligned(as: UInt32.self)))
    let count = unsafe Int(UInt32(littleEndian: start.loadUnaligned(as: UInt32.self)))
    return unsafe UnsafeRawBufferPointer(start: start + 4, count: count * width)
  }

  /// A vector of numbers.
  @inlinable @inline(__always)
  func vector<T: BitwiseCopyable>(_ offset: UInt16, _ form: FieldForm) -> [T]? {
    let width = MemoryLayout<T>.size
    guard let elements = unsafe elements(offset, form, width: width) else { return nil }
    let count = elements.count / width
    // Else the count of the one empty array of all threads is written.
    if count == 0 { return [] }
    return unsafe [T](unsafeUninitializedCapacity: count) { buffer, initialized in
      unsafe UnsafeMutableRawBufferPointer(buffer).copyMemory(from: elements)
      initialized = count
    }
  }

  /// Whether the object has a value of one of some properties itself, and not by a constant: bindings tell by it whether
  /// an embedded struct that is optional is there.
  ///
  /// - Complexity: O(*n*) in the number of properties.
  @inlinable public func hasValue(atAnyOf indices: [UInt16]) -> Bool {
    for index in indices {
      let slot = Int(field(index, .absent).slot)
      if slot >= 0, slot < slotCount,
        unsafe offsets.loadUnaligned(fromByteOffset: 2 * slot, as: UInt16.self) != 0
      {
        return true
      }
    }
    return false
  }

  @usableFromInline
  func date(_ number: Int64, _ offset: UInt16) -> Date {
    StoredDate.date(number, isNanoseconds: field(offset, .integer64).isNanoseconds)
  }

  @usableFromInline
  func stringVector(_ offset: UInt16) -> [String]? {
    guard let entries = unsafe elements(offset, .strings, width: 4) else { return nil }
    guard let base = entries.baseAddress else { return [] }
    return stride(from: 0, to: entries.count, by: 4).map { position in
      let entry = unsafe entries.loadUnaligned(fromByteOffset: position, as: UInt32.self)
      let start = unsafe base + position + Int(UInt32(littleEndian: entry))
      let count = unsafe Int(UInt32(littleEndian: start.loadUnaligned(as: UInt32.self)))
      return unsafe String(
        decoding: UnsafeRawBufferPointer(start: start + 4, count: count), as: UTF8.self)
    }
  }
}

extension FieldForm {
  /// The forms that integers are read from.
  static let integerForms: Set<FieldForm> = [
    .id, .bool, .integer8, .integer16, .integer32, .integer64,
  ]
}

/// The reader as code for ObjectBox calls it.
public typealias FlatBufferReader = EntityReader

extension EntityReader: CustomDebugStringConvertible {
  /// The id of the object.
  public var debugDescription: String { "EntityReader(\(id))" }
}
