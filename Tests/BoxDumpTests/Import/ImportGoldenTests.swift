import BoxDump
import BoxEngine
import TestSupport
import Testing

/// Dumps of every format that was ever released load, and give the same store.
struct ImportGoldenTests {
  private static let directory =
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Fixtures/dumps"

  @Test(arguments: ["lines.ndjson", "document.json", "directory", "strings.ndjson.gz"])
  func formatOne(_ name: String) throws {
    let fixture = try ImportFixture()
    let store = try fixture.open("store")
    let summary = try fixture.load("\(Self.directory)/format-1/types/\(name)", into: store)
    #expect(summary.objects == 5)
    #expect(summary.relations.map(\.added) == [2, 2])
    #expect(summary.notes.isEmpty)
    #expect(summary.dropped.isEmpty)
    #expect(summary.filled.isEmpty)
    try fixture.export(store, to: "dump")
    // The header has the model as its file has it, and the checksum is over that too.
    let (found, expected) = (
      try lines(fixture.path("dump")), try lines("\(Self.directory)/format-1/types/lines.ndjson")
    )
    // A relation to nothing was written as 0 then, and is null.
    #expect(found == expected.map { $0.replacing("\"owner\":0}", with: "\"owner\":null}") })
    #expect(try store.verify().isEmpty)
  }

  private func lines(_ path: String) throws -> [Substring] {
    try TemporaryDirectory().text(of: path).split(separator: "\n").dropFirst().dropLast()
  }
}
