/// The slots of the records of an entity, with the type of each.
///
/// A slot is the number of a field in a FlatBuffers table. It never changes its type.
public final class RecordLayout: Sendable {
  /// The type of each slot; nil for a slot that is not in use.
  public let types: [SlotType?]
  /// The same as bytes, ``RecordWriter/unusedType`` for a slot that is not in use.
  let typeCodes: [UInt8]
  /// The offset at which the table begins in a record, counted from the root offset.
  ///
  /// Four bytes off a multiple of eight, so that the field after the table's own four is aligned.
  let tableStart: Int
  /// Bytes that the fields take at most.
  let maximumTableSize: Int
  /// The slots that hold offsets.
  let references: [Int]
  /// The values of slots that records do not have; nil if they are all null.
  let constants: RecordConstants?

  /// The maximum number of slots of a record: the size of a table and its offsets have 16 bits.
  public static let maximumSlots = 8000

  /// Creates a layout of at most ``maximumSlots`` slots.
  public convenience init(_ types: [SlotType?]) { self.init(types, constants: nil) }

  /// Creates a layout with the constants of its slots.
  init(_ types: [SlotType?], constants: RecordConstants?) {
    self.types = types
    self.constants = constants
    typeCodes = types.map { $0?.rawValue ?? RecordWriter.unusedType }
    let header = 4 + 4 + 2 * types.count
    tableStart = (header + 3) / 8 * 8 + 4
    // Before each field there may be as many bytes of padding as it is wide, less one.
    maximumTableSize = types.reduce(4) { $0 + 2 * ($1?.width ?? 0) }
    references = types.indices.filter { types[$0]?.isReference ?? false }
  }
}
