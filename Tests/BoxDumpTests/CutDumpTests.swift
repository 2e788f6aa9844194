import BoxEngine
import BoxStorage
import TestSupport
import Testing

@testable import BoxDump

/// Dumps of which the end is missing.
struct CutDumpTests {
  /// Wherever a dump is cut, that is what is said of it, by all that read it.
  @Test(arguments: [DumpShape.lines, .document], Compression.allCases)
  func everyBeginningIsCutOff(_ shape: DumpShape, _ compression: Compression) throws {
    let fixture = try ImportFixture()
    var generated = GeneratedStore(store: try fixture.open("a"), random: TestSeed.next())
    try generated.fill(objects: 3)
    var options = ExportOptions()
    (options.shape, options.compression) = (shape, compression)
    options.entities = ["Person"]
    let bytes = try fixture.directory.bytes(of: name(fixture, generated.store, options))
    let copy = try fixture.open("b")
    // Shorter ones have nothing of a dump yet, and the last line feed has nothing to say.
    let first = compression == .none ? #"{"@boxjoint":{"#.utf8.count : 4
    let last = compression == .none ? bytes.count - 1 : bytes.count
    var random = TestSeed.next()
    var count = first
    while count < last {
      defer { count += 1 + random.below(count > last - 100 ? 3 : 30) }
      let cut = Array(bytes[..<count])
      try fixture.directory.write(cut, to: "cut")
      #expect(try isCutOff(fixture.path("cut")), "verify of \(count) bytes of \(bytes.count)")
      let refusal = try fixture.refusal(cut, into: copy) { $0.isDryRun = true }
      let message = refusal?.message ?? "imported"
      #expect(message.contains("cut off"), "import of \(count) bytes: \(message)")
      #expect((refusal?.line ?? 0) > 0, "import of \(count) bytes: \(message)")
    }
    try fixture.directory.write(Array(bytes[..<last]), to: "whole")
    #expect(try !isCutOff(fixture.path("whole")))
    try fixture.load(fixture.path("whole"), into: copy) { $0.isDryRun = true }
  }

  private func name(
    _ fixture: ImportFixture, _ store: ObjectStore, _ options: ExportOptions
  ) throws -> String {
    try fixture.export(store, to: "dump", options)
    return "dump"
  }

  private func isCutOff(_ path: String) throws -> Bool {
    do {
      let problems = try DumpVerifier.verify(path, isDirectory: false).problems
      return problems.contains { $0.kind == .cutOff && $0.message.contains("cut off") }
    } catch let error as DumpError where error.kind == .cutOff {
      return error.message.contains("cut off")
    }
  }

  @Test func aFileOfADirectoryIsCutOffToo() throws {
    let fixture = try ImportFixture()
    var generated = GeneratedStore(store: try fixture.open("a"), random: TestSeed.next())
    try generated.fill(objects: 10)
    var options = ExportOptions()
    options.shape = .directory
    for compression in Compression.allCases {
      options.compression = compression
      let name = "dump" + compression.ending
      try fixture.export(generated.store, to: name, options)
      let file = name + "/Person.ndjson" + compression.ending
      let bytes = try fixture.directory.bytes(of: file)
      let copy = try fixture.open("b" + compression.ending)
      for count in [bytes.count / 2, bytes.count - 2] {
        try fixture.directory.write(Array(bytes[..<count]), to: file)
        let report = try DumpVerifier.verify(fixture.path(name), isDirectory: true)
        #expect(!report.problems.isEmpty)
        let refusal = try fixture.refusal(path: fixture.path(name), into: copy) {
          $0.isDryRun = true
        }
        #expect(refusal?.message.contains("cut off") ?? false, "\(refusal?.message ?? "imported")")
      }
    }
  }
}
