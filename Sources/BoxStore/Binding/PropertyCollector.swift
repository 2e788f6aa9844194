internal import BoxEngine

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Takes the values of an object that is being put, each with the offset of its property.
///
/// It is valid only during the call of ``EntityBinding/collect(fromEntity:id:propertyCollector:store:)``.
/// Values can come in any order; records are smallest if values of wide types come first. The id may be
/// handed over, and is known without it. A value that does not fit its property, and one that is handed over
/// twice, ends the put with an error: ``ObjectBoxError/propertyTypeMismatch(message:)`` or
/// ``ObjectBoxError/illegalArgument(message:)``.
///
/// The writer is lent by the transaction in which the object is put.
@safe public final class PropertyCollector {
  let core: __EntityCore
  let fields: EntityFields
  private let layout: EntitySchema
  private let writer: UnsafeMutablePointer<RecordWriter>
  /// The put that the object is part of; nil where it is only serialized.
  let context: PutContext?
  /// The functions that store values which were prepared.
  @safe @exclusivity(unchecked) private var kept: [(PropertyCollector, UInt16) -> Void] = []
  /// The id of the object.
  @safe @exclusivity(unchecked) private var id: UInt64 = 0
  /// The to-one relation whose target is looked at, instead of all values being stored.
  @safe @exclusivity(unchecked) var peek: RelationPeek?
  /// Whether new targets of to-one relations are put; else the put ends with ``UnstoredTarget``.
  @safe @exclusivity(unchecked) var putsTargets = true
  /// The sign of a hidden property that is looked at, instead of all values being stored.
  @safe private let signPeek: SignPeek?
  /// The targets that are checked when the record is written, as nothing is put with it.
  @safe @exclusivity(unchecked) private(set) var uncheckedTargets: [(entity: Int, id: UInt64)] = []
  /// The first error; the put ends with it.
  @safe @exclusivity(unchecked) private(set) var failure: (any Error)?

  init(_ core: __EntityCore, _ writer: UnsafeMutablePointer<RecordWriter>, _ context: PutContext?) {
    self.core = core
    fields = core.fields
    layout = core.schema
    unsafe self.writer = unsafe writer
    self.context = context
    signPeek = nil
  }

  /// Creates a collector that looks at the sign of a property which the fields hide, and puts no target.
  init(
    _ core: __EntityCore, _ writer: UnsafeMutablePointer<RecordWriter>, _ fields: EntityFields,
    _ signPeek: SignPeek
  ) {
    self.core = core
    self.fields = fields
    layout = core.schema
    unsafe self.writer = unsafe writer
    context = nil
    self.signPeek = signPeek
    peek = RelationPeek(property: 0)
  }

  /// Begins the record of another object.
  func begin(_ id: UInt64) {
    unsafe writer.pointee.begin(layout)
    self.id = id
    failure = nil
    if !kept.isEmpty { kept = [] }
  }

  /// Keeps a function that stores a value; returns its number.
  func keepValue(_ collect: @escaping (PropertyCollector, UInt16) -> Void) -> Int {
    kept.append(collect)
    return kept.count - 1
  }

  /// Stores the value of a number.
  func storeKept(_ number: OBXDataOffset, at propertyOffset: UInt16) {
    if let index = Int(exactly: number), kept.indices.contains(index) {
      kept[index](self, propertyOffset)
    }
  }

  /// Ends the put with an error, unless there is one before.
  func fail(_ error: any Error) {
    if failure == nil { failure = error }
  }

  /// Throws the first error.
  @inline(__always)
  func requireNoFailure() throws {
    if let failure { throw failure }
  }

  /// Requires that the target of a to-one relation exists, or existed: a later object would get the id else.
  ///
  /// - Parameters:
  ///   - target: The id of the target.
  ///   - offset: The offset of the property.
  ///   - isObject: Whether the relation has the target itself, which has its id or gets it in this put.
  /// - Throws: ``ObjectBoxError/notFound(message:)``.
  func requireTarget(_ target: UInt64, _ offset: UInt16, isObject: Bool) throws {
    guard let entity = core.target(at: offset) else { return }
    // An object may be its own target, even if the app chose its id.
    if entity == layout.position, target == id, layout.hasAssignableIDs { return }
    guard let context else { return uncheckedTargets.append((entity, target)) }
    try context.transaction.requireTarget(target, of: entity)
    if !isObject {
      try context.transaction.requireAssigned(
        target, of: entity, unlessStoredIn: layout, id,
        at: Int(fields[EntityFields.propertyID(at: offset)].slot))
    }
    if core.replacesOthers { try context.noteTarget(target, of: entity) }
  }

  // MARK: - Fields

  /// The field of a property to be set; nil, with an error, if it has another form or was set before.
  @inline(__always)
  private func slot(_ offset: UInt16, _ form: FieldForm) -> Int? {
    let field = fields[EntityFields.propertyID(at: offset)]
    guard field.form == form, unsafe !writer.pointee.isSet(Int(field.slot)) else {
      refuse(offset, field, form)
      return nil
    }
    return Int(field.slot)
  }

  private func refuse(_ offset: UInt16, _ field: FieldAccess, _ form: FieldForm) {
    fail(
      field.form == form
        ? core.collectedTwice(offset) : core.mismatch(offset, wanted: form, isRead: false))
  }

  /// An integer whose bits above the width of its property must equal its sign bit.
  @inline(__always)
  private func integer<T: FixedWidthInteger>(_ value: T?, _ offset: UInt16, _ form: FieldForm) {
    guard let value else { return }
    let field = fields[EntityFields.propertyID(at: offset)]
    if field.form == form,
      unsafe writer.pointee.setInteger(
        Int(field.slot), bits: UInt64(truncatingIfNeeded: value))
    {
      return
    }
    otherInteger(value, offset, field, form)
  }

  private func otherInteger<T: FixedWidthInteger>(
    _ value: T, _ offset: UInt16, _ field: FieldAccess, _ form: FieldForm
  ) {
    let width: Int
    switch field.form {
    case .id: return
    case .bool, .integer8: width = 8
    case .integer16: width = 16
    case .integer32: width = 32
    case .integer64: width = 64
    case .absent where signPeek != nil:
      signPeek?.record(T.self)
      return
    default: return refuse(offset, field, form)
    }
    // A binding may differ from its model in the sign, so that both ranges are good.
    let fits =
      width == 64
      || (Int64(exactly: value).map { $0 >= -(1 << (width - 1)) && $0 < 1 << width } ?? false)
    guard fits else {
      return fail(core.outOfRange("\(value)", offset, bits: width))
    }
    if unsafe !writer.pointee.setInteger(
      Int(field.slot), bits: UInt64(truncatingIfNeeded: value))
    {
      fail(core.collectedTwice(offset))
    }
  }

  @inline(__always)
  private func vector<T: Numeric & BitwiseCopyable>(
    _ value: [T]?, _ offset: UInt16, _ form: FieldForm
  ) {
    guard let value, let slot = slot(offset, form) else { return }
    unsafe writer.pointee.set(slot, value)
  }

  // MARK: - Integers

  // One function for `T` and `T?`: a value that is not optional becomes one.

  /// Takes an integer; nil is stored as null.
  public func collect(_ value: Int8?, at propertyOffset: UInt16) {
    integer(value, propertyOffset, .integer8)
  }
  /// Takes an integer; nil is stored as null.
  public func collect(_ value: Int16?, at propertyOffset: UInt16) {
    integer(value, propertyOffset, .integer16)
  }
  /// Takes an integer; nil is stored as null.
  public func collect(_ value: Int32?, at propertyOffset: UInt16) {
    integer(value, propertyOffset, .integer32)
  }
  /// Takes an integer; nil is stored as null.
  public func collect(_ value: Int64?, at propertyOffset: UInt16) {
    integer(value, propertyOffset, .integer64)
  }
  /// Takes an integer; nil is stored as null.
  public func collect(_ value: UInt8?, at propertyOffset: UInt16) {
    integer(value, propertyOffset, .integer8)
  }
  /// Takes an integer; nil is stored as null.
  public func collect(_ value: UInt16?, at propertyOffset: UInt16) {
    integer(value, propertyOffset, .integer16)
  }
  /// Takes an integer; nil is stored as null.
  public func collect(_ value: UInt32?, at propertyOffset: UInt16) {
    integer(value, propertyOffset, .integer32)
  }
  /// Takes an integer; nil is stored as null.
  public func collect(_ value: UInt64?, at propertyOffset: UInt16) {
    integer(value, propertyOffset, .integer64)
  }
  /// Takes an integer; nil is stored as null.
  public func collect(_ value: Int?, at propertyOffset: UInt16) {
    integer(value, propertyOffset, .integer64)
  }
  /// Takes an integer; nil is stored as null.
  public func collect(_ value: UInt?, at propertyOffset: UInt16) {
    integer(value, propertyOffset, .integer64)
  }

  // MARK: - Other single values

  /// Takes a truth value; nil is stored as null.
  public func collect(_ value: Bool?, at propertyOffset: UInt16) {
    integer(value.map { $0 ? 1 : 0 as UInt8 }, propertyOffset, .bool)
  }

  /// Takes a number, whose property may have 64 bits; nil is stored as null.
  public func collect(_ value: Float?, at propertyOffset: UInt16) {
    guard let value else { return }
    if fields[EntityFields.propertyID(at: propertyOffset)].form == .double {
      return collect(Double(value), at: propertyOffset)
    }
    guard let slot = slot(propertyOffset, .float) else { return }
    unsafe writer.pointee.set(slot, value)
  }

  /// Takes a number; nil is stored as null.
  public func collect(_ value: Double?, at propertyOffset: UInt16) {
    guard let value, let slot = slot(propertyOffset, .double) else { return }
    unsafe writer.pointee.set(slot, value)
  }

  /// Takes a date, rounded to the unit of its property: milliseconds or nanoseconds.
  public func collect(_ date: Date?, at propertyOffset: UInt16) {
    guard let date, let slot = slot(propertyOffset, .integer64) else { return }
    let field = fields[EntityFields.propertyID(at: propertyOffset)]
    guard let number = StoredDate.number(of: date, isNanoseconds: field.isNanoseconds) else {
      return fail(core.dateOutOfRange(propertyOffset, isNanoseconds: field.isNanoseconds))
    }
    _ = unsafe writer.pointee.setInteger(slot, bits: UInt64(bitPattern: number))
  }

  // MARK: - Strings, bytes and vectors

  /// Takes a string.
  public func collect(_ value: String?, at propertyOffset: UInt16) {
    guard let value, let slot = slot(propertyOffset, .string) else { return }
    unsafe writer.pointee.set(slot, value)
  }

  /// Takes bytes.
  public func collect(_ value: Data?, at propertyOffset: UInt16) {
    guard let value, let slot = slot(propertyOffset, .bytes) else { return }
    unsafe value.withUnsafeBytes { unsafe writer.pointee.set(slot, bytes: $0) }
  }

  /// Takes bytes.
  public func collect(_ value: [UInt8]?, at propertyOffset: UInt16) {
    guard let value, let slot = slot(propertyOffset, .bytes) else { return }
    unsafe value.withUnsafeBytes { unsafe writer.pointee.set(slot, bytes: $0) }
  }

  /// Takes a vector of truth values.
  public func collect(_ value: [Bool]?, at propertyOffset: UInt16) {
    vector(value?.map { $0 ? 1 : 0 as UInt8 }, propertyOffset, .bools)
  }
  /// Takes a vector.
  public func collect(_ value: [Int16]?, at propertyOffset: UInt16) {
    vector(value, propertyOffset, .integers16)
  }
  /// Takes a vector.
  public func collect(_ value: [UInt16]?, at propertyOffset: UInt16) {
    vector(value, propertyOffset, .integers16)
  }
  /// Takes a vector.
  public func collect(_ value: [Int32]?, at propertyOffset: UInt16) {
    vector(value, propertyOffset, .integers32)
  }
  /// Takes a vector.
  public func collect(_ value: [UInt32]?, at propertyOffset: UInt16) {
    vector(value, propertyOffset, .integers32)
  }
  /// Takes a vector.
  public func collect(_ value: [Int64]?, at propertyOffset: UInt16) {
    vector(value, propertyOffset, .integers64)
  }
  /// Takes a vector.
  public func collect(_ value: [UInt64]?, at propertyOffset: UInt16) {
    vector(value, propertyOffset, .integers64)
  }
  /// Takes a vector.
  public func collect(_ value: [Float]?, at propertyOffset: UInt16) {
    vector(value, propertyOffset, .floats)
  }
  /// Takes a vector.
  public func collect(_ value: [Double]?, at propertyOffset: UInt16) {
    vector(value, propertyOffset, .doubles)
  }
  /// Takes a vector of strings.
  public func collect(_ value: [String]?, at propertyOffset: UInt16) {
    guard let value, let slot = slot(propertyOffset, .strings) else { return }
    unsafe writer.pointee.set(slot, strings: value)
  }
}

/// The collector as code for ObjectBox calls it.
public typealias FlatBufferBuilder = PropertyCollector

extension PropertyCollector: CustomDebugStringConvertible {
  /// The name of the entity, and the first error.
  public var debugDescription: String {
    "PropertyCollector(\(layout.name)\(failure.map { "; \($0)" } ?? ""))"
  }
}
