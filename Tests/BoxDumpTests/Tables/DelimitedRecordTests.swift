import BoxJSON
import TestSupport
import Testing

@testable import BoxDump

/// Delimited text is split as RFC 4180 says.
struct DelimitedRecordTests {
  /// Bytes that come a few at a time.
  private final class Trickle: ByteSource {
    private var rest: ArraySlice<UInt8>
    private var random: SplitMix64

    init(_ bytes: [UInt8], _ random: SplitMix64) {
      rest = bytes[...]
      self.random = random
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(DumpError) -> Int {
      let count = min(rest.count, 1 + random.below(random.oneIn(2) ? 3 : 4000))
      buffer.copyBytes(from: rest.prefix(count))
      rest = rest.dropFirst(count)
      return count
    }
  }

  private func field(_ random: inout SplitMix64) -> [UInt8] {
    let letters = ["a", "B", "7", " ", "é", "🙂", ",", ";", "\"", "\n", "\r", "\r\n", "\u{0}", "\t"]
    let length = random.oneIn(40) ? 3000 : random.below(6)
    return (0..<length).flatMap { _ in Array(random.pick(letters).utf8) }
  }

  /// Whatever the fields are, however they are quoted, and wherever the text is divided.
  @Test func splittingFindsTheFieldsThatWereJoined() throws {
    var random = TestSeed.next()
    for round in 0..<TestSeed.count("BOXJOINT_SOAK_RECORDS", default: 500) {
      var form = InputForm()
      form.delimiter = random.pick([",", ";", "\t"])
      var format = DelimitedFormat(form)
      let ending = random.pick(["\n", "\r\n", "\r"])
      if ending == "\r" { format.lineEnd = 13 }
      var text: [UInt8] = []
      var expected: [[(bytes: [UInt8], isQuoted: Bool)]] = []
      let count = random.below(12)
      for number in 0..<count {
        var record: [(bytes: [UInt8], isQuoted: Bool)] = []
        for position in 0...random.below(5) {
          let bytes = field(&random)
          let marks: [UInt8] = [format.delimiter, 0x22, 0x0A, 0x0D]
          // A line without a character is not a record.
          let isQuoted =
            random.oneIn(3) || bytes.contains(where: marks.contains)
            || (bytes.isEmpty && position == 0)
          if position > 0 { text.append(format.delimiter) }
          text +=
            isQuoted ? [0x22] + bytes.flatMap { $0 == 0x22 ? [0x22, 0x22] : [$0] } + [0x22] : bytes
          record.append((bytes, isQuoted))
        }
        expected.append(record)
        if number + 1 < count || random.oneIn(2) { text += Array(ending.utf8) }
        while random.oneIn(8), number + 1 < count { text += Array(ending.utf8) }
      }
      let input = InputText(Trickle(text, random), name: "text", limit: 1 << 20)
      input.lineEnd = format.lineEnd
      let splitter = DelimitedRecord(format)
      var found: [[(bytes: [UInt8], isQuoted: Bool)]] = []
      walk: while true {
        switch try splitter.split(input) {
        case .end: break walk
        case .invalid(let message, _): Issue.record("round \(round): \(message)")
        case .record:
          if !splitter.isBlank {
            found.append(
              (0..<splitter.count).map {
                (splitter.bytes($0, in: input), splitter.fields[$0].isQuoted)
              })
          }
        }
        input.consume(to: splitter.next)
      }
      let isSame = found.elementsEqual(expected) { $0.elementsEqual($1, by: ==) }
      #expect(isSame, "round \(round): \(String(decoding: text, as: UTF8.self).debugDescription)")
      #expect(input.start == input.end)
      if !isSame { return }
    }
  }

  /// Quotes that do not end are found after the limit of a record, and not at the end of the text.
  @Test func memoryForARecordIsBounded() throws {
    final class Endless: ByteSource {
      var given = 0
      func read(into buffer: UnsafeMutableRawBufferPointer) throws(DumpError) -> Int {
        let isFirst = given == 0
        buffer.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: "a"))
        if isFirst { buffer.copyBytes(from: Array("b,\"".utf8)) }
        given += buffer.count
        return buffer.count
      }
    }
    let source = Endless()
    let text = InputText(source, name: "endless", limit: 1 << 20)
    let splitter = DelimitedRecord(DelimitedFormat(InputForm()))
    let error = #expect(throws: DumpError.self) { try splitter.split(text) }
    #expect(error?.remedy == .raiseElementLimit)
    #expect(error?.position.map { "\($0.line):\($0.column)" } == "1:3")
    #expect(error?.message.contains("may not be closed") == true)
    #expect(source.given < 2 << 20)
  }
}
