internal import BoxConvert
package import BoxEngine
internal import BoxJSON
package import BoxModel

/// A row of JSON values in memory, one behind the other.
package struct CellBuffer: ~Copyable {
  private var output = BlockWriter()
  private var ends: [Int] = []

  /// Creates an empty row.
  package init() {}

  /// Calls a function with the values, which are lent for the call, and empties the row.
  package mutating func take<R>(_ body: (JSONCells) throws -> R) rethrows -> R {
    defer {
      output.clear()
      ends.removeAll(keepingCapacity: true)
    }
    let ends = ends
    return try unsafe output.withCollected { try unsafe body(JSONCells(bytes: $0, ends: ends)) }
  }

  /// Ends a value.
  package mutating func endCell() { ends.append(output.count) }

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
      try column.writer.writeValue(at: column.position, id, record, to: &output)
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
      try column.write(value, to: &output)
    } catch {
      throw column.error("a value cannot be shown", error)
    }
  }
}

/// The values of a row as JSON.
@safe package struct JSONCells {
  fileprivate let bytes: UnsafeRawBufferPointer
  fileprivate let ends: [Int]

  /// The number of values.
  package var count: Int { ends.count }

  /// All values, one behind the other.
  package var all: UnsafeRawBufferPointer { unsafe bytes }

  /// A value.
  package subscript(position: Int) -> UnsafeRawBufferPointer {
    let start = position == 0 ? 0 : ends[position - 1]
    return unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<ends[position]])
  }
}
