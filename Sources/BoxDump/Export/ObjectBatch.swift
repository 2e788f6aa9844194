internal import BoxEngine

/// Objects of one entity that are written one after the other.
final class ObjectBatch: Sendable {
  private let entity: EntitySchema
  private let writer: ObjectWriter
  private let records: RecordBatch
  private let capacity: Int

  init(_ entity: EntitySchema, _ writer: ObjectWriter, capacity: Int) {
    self.entity = entity
    self.writer = writer
    self.capacity = capacity
    records = RecordBatch(entity, capacity: capacity)
  }

  var isFull: Bool { records.count >= capacity }

  func append(_ id: UInt64, _ record: borrowing RecordView) { records.append(id, record) }

  /// Writes the objects.
  ///
  /// - Throws: ``DumpError`` if a value cannot be written.
  func write(
    _ frame: ItemFrame, isFirst: Bool, to output: inout BlockWriter
  ) throws(DumpError) {
    var isFirst = isFirst
    try records.forEach { (id, record) throws(DumpError) in
      output.begin(frame, isFirst: isFirst)
      isFirst = false
      do throws(ObjectWriter.Failure) {
        try writer.write(id, record, to: &output)
      } catch {
        throw DumpError(
          "\(entity.name) \(id) cannot be exported: "
            + "\(entity.name).\(error.property): \(error.message)")
      }
      output.end(frame)
    }
  }
}
