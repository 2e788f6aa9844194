internal import BoxModel

/// The places of the constants of a layout: one for each slot, nil for a slot without one.
///
/// Each is a field of a table, as a record has it.
@usableFromInline typealias ConstantPlaces = UnsafePointer<UnsafeRawPointer?>

/// The values of slots that records do not have.
///
/// A property that is not optional has a value in every object. Records that were written before it was added
/// do not have its slot, and are not rewritten: readers find this value. It is kept as a separate record, so
/// that it is read like every other one.
///
/// The memory is its own, and nothing writes to it after the initializer.
final class RecordConstants: Sendable {
  nonisolated(unsafe) let places: ConstantPlaces
  private nonisolated(unsafe) let memory: UnsafeMutablePointer<UnsafeRawPointer?>
  private nonisolated(unsafe) let record: UnsafeMutableRawBufferPointer

  /// Creates the constants of a layout; nil without values.
  ///
  /// - Parameters:
  ///   - values: The values by their slots.
  ///   - types: The types of all slots.
  /// - Throws: ``ValueMismatch`` if a value does not fit its slot.
  init?(_ values: [Int: Value], _ types: [SlotType?]) throws(ValueMismatch) {
    if values.isEmpty { return nil }
    let layout = RecordLayout(types)
    var writer = RecordWriter()
    writer.begin(layout)
    for (slot, value) in values.sorted(by: { $0.key < $1.key }) {
      guard types.indices.contains(slot), let type = types[slot] else { continue }
      try writer.set(slot, type, value)
    }
    let bytes = unsafe writer.finish(0)
    unsafe record = .allocate(byteCount: bytes.count, alignment: 8)
    unsafe record.copyMemory(from: bytes)
    let buffer = unsafe UnsafeRawBufferPointer(rebasing: record[RecordWriter.prefix...])
    unsafe memory = .allocate(capacity: max(1, types.count))
    unsafe memory.initialize(repeating: nil, count: max(1, types.count))
    unsafe places = UnsafePointer(memory)
    let reader = RecordReader(layout)
    guard let view = try? unsafe reader.structure(of: buffer) else { return nil }
    for slot in types.indices where view.isStored(slot) {
      unsafe memory[slot] = unsafe view.place(slot)
    }
  }

  deinit {
    unsafe memory.deallocate()
    unsafe record.deallocate()
  }
}
