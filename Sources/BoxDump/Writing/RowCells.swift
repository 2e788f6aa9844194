internal import BoxConvert
package import BoxEngine
internal import BoxJSON
package import BoxModel

/// The values of a row in memory, one after the other.
@safe package struct RowCells: ~Copyable {
  /// The end of a value.
  private struct End {
    var offset: Int
    /// Whether it is the text of a string.
    var isText: Bool
  }

  private let form: CellForm
  private var output = BlockWriter()
  private var ends: [End] = []
  /// Whether the last value is the text of a string.
  private var isText = false
  private var isInArray = false

  /// Creates an empty row of values in a form.
  package init(_ form: CellForm) { self.form = form }

  /// Empties the row, for the next object.
  package mutating func clear() {
    output.clear()
    ends.removeAll(keepingCapacity: true)
  }

  // MARK: - Values

  /// The number of values.
  package var count: Int { ends.count }

  /// A value as it was written, valid until the row changes.
  package subscript(position: Int) -> UnsafeRawBufferPointer {
    let start = position == 0 ? 0 : ends[position - 1].offset
    return unsafe UnsafeRawBufferPointer(rebasing: output.bytes[start..<ends[position].offset])
  }

  /// A value of a row in the form ``CellForm/text``, valid until the row changes.
  package func cell(_ position: Int) -> TableCell {
    unsafe TableCell(self[position], isText: ends[position].isText)
  }

  /// Bytes that are equal for equal rows of one result only.
  package var key: [UInt8] {
    var key = unsafe Array(output.bytes)
    // These lines are as many in each row of the result, so that none can be a part of a value.
    for position in 0..<count {
      key += unsafe "\n\(self[position].count)\(ends[position].isText ? "t" : "")".utf8
    }
    return key
  }

  // MARK: - Writing

  /// Ends a value.
  package mutating func endCell() {
    ends.append(End(offset: output.count, isText: isText))
    isText = false
  }

  /// Begins a value that is an array of other values, which are JSON in any form.
  package mutating func beginArray() {
    append(raw: "[")
    isInArray = true
  }

  /// Ends an array.
  package mutating func endArray() {
    append(raw: "]")
    isInArray = false
  }

  /// Appends a part of a value as it is.
  package mutating func append(raw: StaticString) {
    output.reserve(raw.utf8CodeUnitCount)
    output.put(raw)
  }

  /// Appends an integer.
  package mutating func append(_ integer: Int128, quoted: Bool) {
    append(raw: quoted ? "\"" : "")
    output.append("\(integer)")
    append(raw: quoted ? "\"" : "")
  }

  /// Appends a number as dumps write it.
  package mutating func append(_ number: Double) {
    output.reserve(BlockWriter.numberRoom)
    output.put(double: number)
  }

  /// Appends the value of a property of an object.
  ///
  /// - Throws: ``DumpError`` if it cannot be written.
  package mutating func append(
    _ column: ColumnForm, _ id: UInt64, _ record: borrowing RecordView
  ) throws(DumpError) {
    do throws(ObjectWriter.Failure) {
      isText = try column.writer.writeCell(
        at: column.position, as: isInArray ? .json : form, id, record, to: &output)
    } catch {
      throw column.error("\(column.entity.name) \(id) cannot be shown", error)
    }
  }

  /// Appends a value of a property, or an element of its vector, that is not in a record.
  ///
  /// - Throws: ``DumpError`` if it cannot be written.
  package mutating func append(_ column: ColumnForm, _ value: Value) throws(DumpError) {
    output.reserve(BlockWriter.numberRoom)
    do throws(ObjectWriter.Failure) {
      isText = try column.write(value, as: form, to: &output)
    } catch {
      throw column.error("a value cannot be shown", error)
    }
  }
}
