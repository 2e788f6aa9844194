internal import BoxSources

/// The places of the bytes of a source file.
struct PlaceTable: Sendable {
  private let path: String
  private let bytes: [UInt8]
  /// The offsets at which lines begin.
  private let starts: [Int]

  /// Finds the lines of a file.
  ///
  /// - Complexity: O(*n*) in the size of the file.
  init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
    var starts = [0]
    for (offset, byte) in bytes.enumerated() where byte == 10 { starts.append(offset + 1) }
    self.starts = starts
  }

  /// The place of a byte.
  ///
  /// - Complexity: O(*n*) in the length of the line, and O(log *m*) in the number of lines.
  func place(at offset: Int) -> SourcePlace {
    let offset = min(max(offset, 0), bytes.count)
    let line = starts.partitioningIndex { $0 > offset }
    let start = starts[line - 1]
    let end = line < starts.count ? starts[line] - 1 : bytes.count
    // A byte that continues a scalar has 10 as its highest bits.
    let column = bytes[start..<offset].count { $0 & 0xC0 != 0x80 } + 1
    // A longer line is not shown.
    let text = end - start <= 1024 ? String(decoding: bytes[start..<end], as: UTF8.self) : ""
    return SourcePlace(path: path, line: line, column: column, text: text.trimmedEnd)
  }
}

extension String {
  /// The text without a carriage return at its end.
  fileprivate var trimmedEnd: String { last == "\r" ? String(dropLast()) : self }
}
