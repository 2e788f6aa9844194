/// The lines of a text, each with its line ending, as numbers: equal lines have equal numbers.
struct TextLines {
  let bytes: [UInt8]
  /// The offset of each line, then the end of the text.
  let starts: [Int]
  /// A number for each line.
  let symbols: [Int32]

  var count: Int { symbols.count }

  /// The bytes of consecutive lines.
  subscript(lines: Range<Int>) -> ArraySlice<UInt8> {
    bytes[starts[lines.lowerBound]..<starts[lines.upperBound]]
  }

  /// The bytes of a line.
  subscript(line: Int) -> ArraySlice<UInt8> { self[line..<line + 1] }

  /// The number of blanks at the start of a line.
  func indent(of line: Int) -> Int {
    self[line].prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.count
  }

  /// The first byte of a line that is not a blank.
  func firstMark(of line: Int) -> UInt8? {
    self[line].first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
  }
}

/// Numbers the lines of several texts, so that lines can be compared as numbers.
struct LineNumbering {
  /// The number of different lines.
  private(set) var symbolCount = 0
  private var texts: [[UInt8]] = []
  /// A line with each number, and its hash.
  private var examples: [(text: Int, range: Range<Int>, hash: Int)] = []
  /// An open hash table of numbers; -1 is free.
  private var table = [Int32](repeating: -1, count: 1 << 10)

  /// Splits a text into lines.
  ///
  /// - Complexity: O(*n*) in the size of the text.
  mutating func lines(of bytes: [UInt8]) -> TextLines {
    texts.append(bytes)
    var starts = [0]
    var symbols: [Int32] = []
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
      symbols.append(symbol(of: start..<end))
      starts.append(end)
      start = end
    }
    return TextLines(bytes: bytes, starts: starts, symbols: symbols)
  }

  private mutating func symbol(of range: Range<Int>) -> Int32 {
    let text = texts.count - 1
    let hash = texts[text].withUnsafeBytes { bytes in
      var hasher = Hasher()
      hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes[range]))
      return hasher.finalize()
    }
    var slot = hash & (table.count - 1)
    while table[slot] >= 0 {
      let example = examples[Int(table[slot])]
      if example.hash == hash, isEqual(texts[example.text], example.range, texts[text], range) {
        return table[slot]
      }
      slot = (slot + 1) & (table.count - 1)
    }
    let symbol = Int32(symbolCount)
    table[slot] = symbol
    examples.append((text, range, hash))
    symbolCount += 1
    if symbolCount * 2 > table.count { grow() }
    return symbol
  }

  private func isEqual(
    _ a: [UInt8], _ aRange: Range<Int>, _ b: [UInt8], _ bRange: Range<Int>
  ) -> Bool {
    guard aRange.count == bRange.count else { return false }
    return a.withUnsafeBufferPointer { a in
      b.withUnsafeBufferPointer { b in
        for offset in 0..<aRange.count
        where a[aRange.lowerBound + offset] != b[bRange.lowerBound + offset] {
          return false
        }
        return true
      }
    }
  }

  private mutating func grow() {
    table = [Int32](repeating: -1, count: table.count * 2)
    for (symbol, example) in examples.enumerated() {
      var slot = example.hash & (table.count - 1)
      while table[slot] >= 0 { slot = (slot + 1) & (table.count - 1) }
      table[slot] = Int32(symbol)
    }
  }
}
