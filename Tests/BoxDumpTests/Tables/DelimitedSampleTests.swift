import TestSupport
import Testing

@testable import BoxDump

/// Whatever separates the fields and ends the lines of a table, its names and values are found.
@Suite struct DelimitedSampleTests {
  /// A table as a reader should find it.
  private struct Table: Equatable {
    var names: [String]
    var records: [[String]]
  }

  private static func read(
    _ text: String, _ form: InputForm = InputForm(), isTabbed: Bool = false
  ) throws -> Table {
    let input = InputText(ArraySource(Array(text.utf8)), name: "t.csv", limit: 1 << 20)
    let format = try DelimitedSample.format(of: input, form, isTabbed: isTabbed)
    let columns = try DelimitedColumns(reading: input, format)
    let record = DelimitedRecord(columns.format)
    var table = Table(names: columns.names, records: [])
    while true {
      switch try record.split(input) {
      case .end: return table
      case .invalid(let message, _): throw DumpError(message)
      case .record:
        if !record.isBlank {
          table.records.append(
            (0..<record.count).map { String(decoding: record.bytes($0, in: input), as: UTF8.self) })
        }
      }
      input.consume(to: record.next)
    }
  }

  @Test func theTableIsFound() throws {
    var random = TestSeed.next()
    for round in 0..<TestSeed.count("BOXJOINT_SOAK_SAMPLES", default: 400) {
      let delimiter = random.pick([",", ";", "\t", "|"])
      let end = random.pick(["\n", "\r\n", "\r"])
      let width = 2 + random.below(4)
      let names = (0..<width).map { "n\($0)\(random.pick(["", " x", "é"]))" }
      // Fields in quotes may have every character; a file of many needs no more than its beginning.
      let letters = ["a", "1", ".5", " ", "é", ",", ";", "|", "\t", "\"", "\n", "\r", "sep="]
      let count = random.oneIn(20) ? 20_000 : 1 + random.below(90)
      let records = (0..<count).map { _ in
        (0..<width).map { _ in (0..<random.below(4)).map { _ in random.pick(letters) }.joined() }
      }
      let skipped = random.below(3)
      var form = InputForm()
      form.skippedLines = skipped
      form.header = random.pick([nil, .first, .skip, InputForm.Header.none])
      let hasOwnNames = form.header != .first && random.oneIn(2)
      if hasOwnNames { form.columns = (0..<width).map { "c\($0)" } }
      if random.oneIn(5) { form.delimiter = delimiter.unicodeScalars.first }
      let isTabbed = delimiter == "\t" && random.oneIn(2)
      let hasHeader =
        form.header == .skip || form.columns == nil && form.header != InputForm.Header.none
      var lines = (0..<skipped).map { "about ,;| \($0)" }
      if random.oneIn(4) {
        lines.append(random.oneIn(2) ? "sep=\(delimiter)" : "\"sep=\(delimiter)\"")
      }
      if hasHeader { lines.append(names.joined(separator: delimiter)) }
      lines += records.map { record in
        record.map { field in
          let isPlain = !field.isEmpty && field.allSatisfy { "a1. é5".contains($0) }
          return isPlain && random.oneIn(2) ? field : "\"\(field.replacing("\"", with: "\"\""))\""
        }.joined(separator: delimiter)
      }
      let text = lines.joined(separator: end) + (random.oneIn(2) ? end : "")
      let expected = Table(
        names: form.columns
          ?? (hasHeader && form.header != .skip ? names : (1...width).map { "column\($0)" }),
        records: records)
      let found = try Self.read(text, form, isTabbed: isTabbed)
      #expect(found == expected, "round \(round): \(text.prefix(400).debugDescription) \(form)")
      if found != expected { return }
    }
  }

  @Test(arguments: [
    ("a,b,a,,a\n1,2,3,4,5\n", ["a", "b", "a_2", "column4", "a_3"]),
    // A name that the file has is not given a second time.
    ("a,a,a_2,column5,\n1,2,3,4,5\n", ["a", "a_3", "a_2", "column5", "column5_2"]),
    ("a\n1\n", ["a"]), ("\"\",name\n1,x\n", ["column1", "name"]),
    // Commas in numbers do not split the header.
    ("name;price\nx;1,5\ny;2,5\n", ["name", "price"]),
    // A record that is damaged does not change what separates the others.
    ("a;b\n1;2\n3\n4;5\n", ["a", "b"]),
    ("sep=|\r\na,b|c\r\n1,2|3\r\n", ["a,b", "c"]),
  ])
  func columnsHaveNames(_ text: String, _ names: [String]) throws {
    let input = InputText(ArraySource(Array(text.utf8)), name: "t.csv", limit: 1 << 20)
    let format = try DelimitedSample.format(of: input, InputForm(), isTabbed: false)
    #expect(try DelimitedColumns(reading: input, format).names == names)
  }

  /// A header that has the names that the caller gives is one, unless the caller says that there is none.
  @Test(arguments: [
    (",name,band\n1,Mick,S\n", 1), ("rowno,name,band\n1,Mick,S\n", 1),
    ("rowno,title,band\n1,Mick,S\n", 2), (",,\n1,Mick,S\n", 2), ("name,name,band\n", 1),
    ("rowno,name\n", 1),
  ])
  func aHeaderWithTheGivenNamesIsLeftOut(_ text: String, _ count: Int) throws {
    var form = InputForm()
    form.columns = ["rowno", "name", "band"]
    #expect(try Self.read(text, form).records.count == count)
    form.header = InputForm.Header.none
    #expect(try Self.read(text, form).records.count == text.count { $0 == "\n" })
    form.header = .skip
    #expect(try Self.read(text, form).records.count == text.count { $0 == "\n" } - 1)
  }

  @Test func twoDelimitersAreRefused() throws {
    let text = "a;b,c\n1;2,3\n"
    let error = #expect(throws: DumpError.self) { try Self.read(text) }
    #expect(error?.message == "both a comma and a semicolon split every record into fields")
    #expect(error?.remedy == .nameDelimiter)
    var form = InputForm()
    form.delimiter = ";"
    #expect(try Self.read(text, form) == Table(names: ["a", "b,c"], records: [["1", "2,3"]]))
    #expect(try Self.read("a,b\tc\n", isTabbed: true).names == ["a,b", "c"])
  }

  @Test func moreLinesThanThereAreCannotBeSkipped() throws {
    var form = InputForm()
    form.skippedLines = 3
    let error = #expect(throws: DumpError.self) { try Self.read("a,b\n1,2\n", form) }
    #expect(error?.message == "has 2 lines, and 3 are to be skipped")
    form.skippedLines = 2
    #expect(try Self.read("a,b\n1,2\n", form) == Table(names: [], records: []))
  }
}
