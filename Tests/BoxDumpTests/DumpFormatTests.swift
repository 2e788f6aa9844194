import BoxJSON
import TestSupport
import Testing

@testable import BoxDump

@Suite struct DumpFormatTests {
  private func header(_ change: (inout DumpHeader) -> Void = { _ in }) -> DumpHeader {
    var header = DumpHeader(
      shape: .lines, entities: ["A", "é\""], model: Array(#"{"entities":[]}"#.utf8))
    change(&header)
    return header
  }

  private func parse(_ text: [UInt8]) throws -> DumpHeader {
    let document = try JSONDocument(parsing: text)
    return try DumpHeader(document.root, in: document, line: 7)
  }

  @Test func headersAreReadAsWritten() throws {
    let full = header {
      $0.shape = .directory
      $0.integers = .string
      $0.dates = .iso
      $0.fields = ["A.b"]
      $0.condition = "A.b > \"x\""
      $0.limit = 3
      $0.redacted = [.init("A.b", .hash), .init("A.c", .null)]
      $0.isImportable = false
      $0.converters = Array(#"{"A.b":{"enum":["x"]}}"#.utf8)
    }
    for header in [header(), full] { #expect(try parse(header.text) == header) }
  }

  @Test(arguments: [
    (#"{"dump":3,"shape":"lines","entities":[],"model":{}}"#, 9, "format 3"),
    (#"{"dump":1,"shape":"tree","entities":[],"model":{}}"#, 19, "lines, directory, document"),
    (#"{"dump":1,"shape":"lines","entities":[1],"model":{}}"#, 39, "not a string"),
    (#"{"dump":1,"shape":"lines","entities":[]}"#, 1, "no \"model\""),
    (#"{"dump":-1,"shape":"lines","entities":[],"model":{}}"#, 9, "not a number from 0"),
    (#"[]"#, 1, "not an object"),
  ])
  func brokenHeaders(_ text: String, _ column: Int, _ message: String) throws {
    let error = try #require(throws: DumpError.self) { try parse(Array(text.utf8)) }
    #expect(error.position == JSONPosition(line: 7, column: column))
    #expect(error.message.contains(message), "\(error)")
  }

  @Test func totalsAreReadAsWritten() throws {
    var totals = DumpTotals()
    totals.entities = [.init(name: "A", objects: 3, lastID: UInt64(Int64.max))]
    totals.relations = [.init(name: "A.b", sources: 1, targets: 2)]
    let head = Array(#"{"dump":1}"#.utf8)
    let text = totals.text(checksum: 0x0A, header: head)
    func parse(_ text: some StringProtocol) throws -> DumpEnd {
      let document = try JSONDocument(parsing: Array(text.utf8))
      return try DumpEnd(document.root, in: document)
    }
    let string = String(decoding: text, as: UTF8.self)
    let parsed = try parse(string)
    #expect(parsed.totals == totals)
    #expect(parsed.checksum == 0x0A)
    var header = DumpChecksum()
    header.update(head)
    #expect(parsed.isRight(after: header))
    #expect(!parsed.isRight(after: DumpChecksum()))
    #expect(try parse(string.replacing(",", with: ",\n ")).isRight(after: header))
    let changed = try parse(string.replacing("\"objects\":3", with: "\"objects\":4"))
    #expect(!changed.isRight(after: header))
    // Dumps that were made before there was a check.
    let start = try #require(string.firstRange(of: ",\"check\"")).lowerBound
    let older = try parse(string[..<start] + "}")
    #expect(older.check == nil)
    #expect(older.totals == totals)
    #expect(older.isRight(after: header))
  }

  @Test func manifestsAreReadAsWritten() throws {
    let manifest = DumpManifest(
      header: header { $0.shape = .directory },
      files: [
        .init(
          name: "A.ndjson.gz", content: .entity(.init(name: "A", objects: 1, lastID: 5)),
          bytes: 17, checksum: 0xFFFF_FFFF),
        .init(
          name: "A.b.ndjson", content: .relation(.init(name: "A.b", sources: 0, targets: 0)),
          bytes: 0, checksum: 0),
      ])
    #expect(try DumpManifest(parsing: manifest.text) == manifest)
    let text = String(decoding: manifest.text, as: UTF8.self)
    func isUnchanged(_ text: String) throws -> Bool {
      try DumpManifest(parsing: Array(text.utf8)).isUnchanged
    }
    #expect(try isUnchanged(text.replacing(",", with: " ,\n")))
    #expect(try !isUnchanged(text.replacing("17", with: "18")))
    let integers = #""integers":"number""#
    #expect(try !isUnchanged(text.replacing(integers, with: #""integers":"string""#)))
    let start = try #require(text.firstRange(of: ",\n\"check\"")).lowerBound
    #expect(try isUnchanged(text[..<start].replacing("17", with: "18") + "}"))
  }

  @Test(arguments: [
    "../A.ndjson", "/etc/passwd", "a/b", "", ".hidden", "a\\u0000b", "manifest.json",
  ])
  func manifestsStayInTheirDirectory(_ name: String) throws {
    let text = #"""
      {"boxjoint":{"dump":1,"shape":"directory","entities":["A"],"model":{}},
      "files":[{"file":"\#(name)","entity":"A","objects":1,"lastId":1,"bytes":1,
      "crc32c":"00000000"}]}
      """#
    let error = try #require(throws: DumpError.self) {
      try DumpManifest(parsing: Array(text.utf8))
    }
    #expect(error.position?.line == 2)
  }

  /// The check value of CRC-32C, and the vectors of RFC 3720, appendix B.4.
  @Test func checksums() {
    var checksum = DumpChecksum()
    checksum.update("1234".utf8)
    checksum.update(Array("56789".utf8))
    #expect(checksum.text == "e3069283")
    var zeros = DumpChecksum()
    zeros.update([UInt8](repeating: 0, count: 32))
    #expect(zeros.value == 0x8A91_36AA)
    #expect(DumpChecksum.value("0000000a") == 10)
    #expect(DumpChecksum.text(10) == "0000000a")
    for text in ["", "a", "+000000a", "0000000g", "000000000"] {
      #expect(DumpChecksum.value(text) == nil)
    }
  }

  @Test func namesOfFiles() {
    #expect(DumpManifest.File.name(of: "Person") == "Person.ndjson")
    #expect(DumpManifest.File.name(of: "Person.friends") == "Person.friends.ndjson")
    #expect(DumpManifest.File.name(of: "../a\\b") == "%2e.%2fa%5cb.ndjson")
    #expect(DumpManifest.File.name(of: "größe\n") == "größe%0a.ndjson")
  }
}
