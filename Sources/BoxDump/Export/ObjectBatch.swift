internal import BoxEngine

/// Objects of one entity that are written one after the other.
final class ObjectBatch: Sendable {
  /// The writer of an object.
  enum Form: Sendable {
    case json(ObjectWriter)
    case table(TableWriter)
  }

  private let entity: EntitySchema
  private let form: Form
  private let records: RecordBatch
  private let capacity: Int
  /// The targets in each relation to many of each object, for a table that has some.
  private let targets: Owned<Targets>

  /// Filled by the thread that visits the objects, before another one writes them.
  final class Targets {
    var lists: [[[UInt64]]] = []
  }

  init(_ entity: EntitySchema, _ form: Form, capacity: Int) {
    self.entity = entity
    self.form = form
    self.capacity = capacity
    records = RecordBatch(entity, capacity: capacity)
    targets = Owned(Targets())
  }

  var isFull: Bool { records.count >= capacity }

  func append(_ id: UInt64, _ record: borrowing RecordView) { records.append(id, record) }

  /// Adds the targets of the last object, a list for each to-many relation.
  func append(targets lists: [[UInt64]]) { targets.buffer.lists.append(lists) }

  /// Writes the objects.
  ///
  /// - Throws: ``DumpError`` if a value cannot be written.
  func write(
    _ frame: ItemFrame, isFirst: Bool, to output: inout BlockWriter
  ) throws(DumpError) {
    switch form {
    case .json(let writer): try write(writer, frame, isFirst: isFirst, to: &output)
    case .table(let writer): try write(writer, to: &output)
    }
  }

  /// Inserts the objects into a table of a database.
  ///
  /// - Throws: ``DumpError`` if a value cannot be written, and the error of the database.
  func insert(into table: Int, of database: any DatabaseOutput) throws {
    try database.insert(records, into: table)
  }

  private func write(
    _ writer: ObjectWriter, _ frame: ItemFrame, isFirst: Bool, to output: inout BlockWriter
  ) throws(DumpError) {
    var isFirst = isFirst
    unsafe try records.forEach { (id, record) throws(DumpError) in
      output.begin(frame, isFirst: isFirst)
      isFirst = false
      do throws(ObjectWriter.Failure) {
        try writer.write(id, record, to: &output)
      } catch {
        throw failure(id, error)
      }
      output.end(frame)
    }
  }

  private func write(_ writer: TableWriter, to output: inout BlockWriter) throws(DumpError) {
    let lists = targets.buffer.lists
    var value = BlockWriter()
    var text: [UInt8] = []
    var number = 0
    unsafe try records.forEach { (id, record) throws(DumpError) in
      do throws(ObjectWriter.Failure) {
        try writer.write(
          id, record, lists.isEmpty ? [] : lists[number], through: &value, to: &text)
      } catch {
        throw failure(id, error)
      }
      number += 1
      if text.count >= BlockWriter.maximumRoom {
        output.append(text)
        text.removeAll(keepingCapacity: true)
      }
    }
    output.append(text)
  }

  private func failure(_ id: UInt64, _ failure: ObjectWriter.Failure) -> DumpError {
    DumpError(
      "\(entity.name) \(id) cannot be exported: "
        + "\(entity.name).\(failure.property): \(failure.message)")
  }
}
