/// Verified records of a transaction, to be read after the calls that provided them.
///
/// `@unchecked Sendable` holds because one thread fills it, and others read it only when it is full. Its
/// creator keeps the transaction open, and writes nothing, until the last reader is done.
@safe package final class RecordBatch: @unchecked Sendable {
  /// The part of a ``RecordView`` that records of an entity do not share.
  @safe private struct Item {
    var id: UInt64
    var table: UnsafeRawPointer
    var offsets: UnsafeRawPointer
    var offsetCount: Int
  }

  private var items: [Item] = []
  private let types: UnsafeMutableBufferPointer<UInt8>
  /// The layout, which has the constants.
  private let layout: RecordLayout

  /// Creates an empty batch of records of an entity.
  package init(_ entity: EntitySchema, capacity: Int) {
    layout = entity.layout
    unsafe types = .allocate(capacity: max(1, entity.layout.types.count))
    _ = unsafe types.initialize(from: entity.layout.typeCodes)
    items.reserveCapacity(capacity)
  }

  deinit { unsafe types.deallocate() }

  /// The number of records.
  package var count: Int { items.count }

  /// Adds a record of the entity that a visit lends.
  ///
  /// - Complexity: O(1).
  package func append(_ id: UInt64, _ record: borrowing RecordView) {
    unsafe items.append(
      Item(id: id, table: record.table, offsets: record.offsets, offsetCount: record.offsetCount))
  }

  /// Calls a function with each record, in the order in which they were added.
  ///
  /// Unsafe where the transaction does not stay open, or writes, before it returns.
  ///
  /// - Throws: The error of `body`.
  /// - Complexity: O(*n*).
  @unsafe package func forEach<E: Error>(
    _ body: (UInt64, borrowing RecordView) throws(E) -> Void
  ) throws(E) {
    guard let start = unsafe types.baseAddress else { return }
    for item in items {
      let view = unsafe RecordView(
        table: item.table, offsets: item.offsets, offsetCount: item.offsetCount, types: start,
        slotCount: types.count, constants: layout.constants?.places)
      try body(item.id, view)
    }
  }
}
