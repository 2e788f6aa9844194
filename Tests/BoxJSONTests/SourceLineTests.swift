import TestSupport
import Testing

@testable import BoxJSON

/// Places in long lines, against a count from the start of the line.
struct SourceLineTests {
  /// Texts of a few long lines and many short ones, with scalars of one to four bytes.
  private func text(_ random: inout SplitMix64) -> String {
    let alphabet: [Unicode.Scalar] = ["a", "é", "日", "🐻", " "]
    var scalars = String.UnicodeScalarView()
    for _ in 0..<1 + random.below(4) {
      for _ in 0..<random.below(random.below(2) == 0 ? 20 : 4_000) {
        scalars.append(random.pick(alphabet))
      }
      scalars.append(contentsOf: random.pick(["\n", "\r\n", "\r"]).unicodeScalars)
    }
    return String(scalars)
  }

  @Test func placesAreThoseThatACountGives() {
    var random = TestSeed.next()
    for _ in 0..<300 {
      let bytes = Array(text(&random).utf8)
      bytes.withUnsafeBufferPointer { buffer in
        let table = LineTable(of: buffer)
        for _ in 0..<20 {
          let offset = random.below(bytes.count + 1)
          let line = table.lineIndex(of: offset)
          let start = Int(table.starts[line])
          let column = 1 + bytes[start..<offset].count { $0 & 0xC0 != 0x80 }
          let position = table.position(of: offset, in: buffer)
          #expect(position == JSONPosition(line: line + 1, column: column))
          let isStart = offset == bytes.count || bytes[offset] & 0xC0 != 0x80
          let isInLine = table.range(ofLine: line + 1, in: buffer).upperBound >= offset
          if isStart && isInLine { #expect(table.offset(of: position, in: buffer) == offset) }
        }
      }
    }
  }

  @Test func aLongLineIsCutAroundThePlace() throws {
    var random = TestSeed.next()
    for _ in 0..<300 {
      let bytes = Array(text(&random).utf8)
      let source = SourceText(bytes)
      try bytes.withUnsafeBufferPointer { buffer in
        let table = LineTable(of: buffer)
        let offset = random.below(bytes.count)
        let position = table.position(of: offset, in: buffer)
        let range = table.range(ofLine: position.line, in: buffer)
        let whole = Array(String(decoding: bytes[range], as: UTF8.self).unicodeScalars)
        let cut = source.line(at: position)
        #expect(cut.text.utf8.count <= SourceLine.maximumLength + 6)
        let part = Array(cut.text.unicodeScalars)
        let end = cut.column - 1 + part.count
        try #require(end <= whole.count)
        #expect(Array(whole[(cut.column - 1)..<end]) == part)
        #expect(cut.isCutAtEnd == (end < whole.count))
        if range.count <= SourceLine.maximumLength { #expect(part == whole) }
        if position.column <= whole.count {
          #expect((cut.column..<cut.column + part.count).contains(position.column))
        }
      }
    }
  }

  @Test func aTextThatIsNotUTF8IsCutToo() {
    // Bytes that go on with a scalar that never began.
    let bytes = [UInt8](repeating: 0x80, count: 100_000)
    let line = SourceText(bytes).line(at: JSONPosition(line: 1, column: 1))
    #expect(line.text.unicodeScalars.count <= SourceLine.maximumLength + 6)
    #expect(SourceText([]).line(at: JSONPosition(line: 7, column: 3)) == SourceLine(""))
  }
}
