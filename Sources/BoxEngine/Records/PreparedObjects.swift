internal import BoxModel

/// Objects of an entity that are prepared outside of a transaction, with the ids that they had
/// elsewhere.
///
/// The costly parts of a put (values, record, checksum) happen here, on any thread;
/// ``Transaction/put(_:at:mode:)`` writes the objects. One thread at a time may use an instance.
/// The memory is its own.
@safe package final class PreparedObjects {
  /// The entity.
  package let entity: EntitySchema
  /// The number of prepared objects.
  @safe @exclusivity(unchecked) package private(set) var count = 0

  @safe @exclusivity(unchecked) private var writer = RecordWriter()
  @exclusivity(unchecked) private var bytes: UnsafeMutableRawPointer
  @safe @exclusivity(unchecked) private var size = 0
  @safe @exclusivity(unchecked) private var capacity = 1 << 12
  @safe @exclusivity(unchecked) private var places: [Place] = []

  private struct Place {
    var id: UInt64
    var offset: Int
    var size: Int
  }

  /// Creates an empty collection.
  package init(_ entity: EntitySchema) {
    self.entity = entity
    unsafe bytes = .allocate(byteCount: capacity, alignment: 8)
  }

  deinit { unsafe bytes.deallocate() }

  /// The bytes that the records take.
  package var byteCount: Int { size }

  /// The id of an object.
  package func id(at index: Int) -> UInt64 { places[index].id }

  /// Adds an object.
  ///
  /// - Parameters:
  ///   - id: Its id, from 1 to ``ObjectStore/maximumID``.
  ///   - writing: Sets the values; what it does not set is null. It must not use this instance, which
  ///     nothing checks.
  /// - Throws: ``StoreError/idTooLarge(entity:id:)``, ``StoreError/notFound(entity:id:)`` for 0,
  ///   ``StoreError/objectTooLarge(entity:)``, and the error of `writing`; nothing is added then.
  /// - Complexity: O(*n*) in the bytes of the record.
  @inline(__always)
  @unsafe package func append(id: UInt64, _ writing: (inout RecordWriter) throws -> Void) throws {
    writer.begin(entity.layout)
    try writing(&writer)
    try append(id)
  }

  /// Adds a dynamic object.
  ///
  /// - Throws: As ``append(id:_:)``, and ``StoreError/wrongValue(entity:property:value:expected:)``.
  package func append(_ object: DynamicObject) throws(StoreError) {
    writer.begin(entity.layout)
    try writer.set(object)
    try append(object.id)
  }

  private func append(_ id: UInt64) throws(StoreError) {
    if id == 0 { throw StoreError.notFound(entity: entity.name, id: 0) }
    if id > ObjectStore.maximumID { throw StoreError.idTooLarge(entity: entity.name, id: id) }
    if writer.isTooLarge { throw StoreError.objectTooLarge(entity: entity.name) }
    let record = unsafe writer.finish(id)
    // Each begins at a multiple of eight, as in the writer.
    let offset = (size + 7) & ~7
    if offset + record.count > capacity { grow(offset + record.count) }
    if let start = record.baseAddress {
      unsafe (bytes + offset).copyMemory(from: start, byteCount: record.count)
    }
    size = offset + record.count
    places.append(Place(id: id, offset: offset, size: record.count))
    count += 1
  }

  private func grow(_ needed: Int) {
    capacity = max(needed, 2 * capacity)
    let grown = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
    unsafe grown.copyMemory(from: bytes, byteCount: size)
    unsafe bytes.deallocate()
    unsafe bytes = unsafe grown
  }

  /// The bytes of an object's record, as ``Transaction/snapshot(_:_:)`` returns them.
  package func snapshot(at index: Int) -> [UInt8] { unsafe [UInt8](record(at: index)) }

  /// Takes all objects out, and keeps the memory for others.
  package func removeAll() {
    places.removeAll(keepingCapacity: true)
    size = 0
    count = 0
  }

  /// The record of an object, under its checksum.
  func record(at index: Int) -> UnsafeRawBufferPointer {
    let place = places[index]
    return unsafe UnsafeRawBufferPointer(start: bytes + place.offset, count: place.size)
  }
}
