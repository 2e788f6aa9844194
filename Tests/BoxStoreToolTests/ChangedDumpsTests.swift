import BoxDump
import BoxEngine
import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxStoreTool

/// Dumps that are not as they were written, and converters of dumps.
struct ChangedDumpsTests {
  private let directory: TemporaryDirectory
  private var place: Workspace {
    Workspace(git: GitClient(in: directory.path), directory: directory.path)
  }

  /// Five people, whose age is 0 or 1.
  init() throws {
    directory = try TemporaryDirectory()
    let store = try ObjectStore.open(
      .directory(directory.path(of: "data")),
      model: TestModel(
        .init(
          name: "Person", uid: 100,
          fields: [.init("email", 110, .string), .init("age", 120, .int)])
      ).document())
    defer { store.close() }
    let person = try store.entity(named: "Person")
    try store.write { transaction in
      for number in 1...5 {
        var object = DynamicObject(person)
        object["email"] = .string("e\(number)")
        object["age"] = .integer(Int64(number % 2))
        try transaction.put(object)
      }
    }
  }

  private func export(_ shape: DumpShape, to name: String = "dump") throws {
    var request = ExportRequest(directory.path(of: "data"), to: directory.path(of: name))
    request.options.shape = shape
    _ = try request.run(in: place)
  }

  private func verify(_ name: String) throws -> DumpVerificationReport {
    try DumpVerificationReport(
      of: directory.path(of: name), limits: DecompressionLimits(), SilentObserver())
  }

  /// Expects that a dump is refused, and that no store is made of it.
  private func expectRefusal(
    _ name: String, _ words: String, location: SourceLocation = #_sourceLocation
  ) throws {
    let error = #expect(throws: DumpError.self, sourceLocation: location) {
      let input = try DumpInput(path: directory.path(of: name))
      _ = try ImportSession(input, into: directory.path(of: "copy")).run()
    }
    #expect([.malformed, .cutOff].contains(error?.kind), sourceLocation: location)
    #expect(
      error?.message.contains(words) ?? false, "\(error?.message ?? "")", sourceLocation: location)
    #expect(!directory.exists("copy"), sourceLocation: location)
  }

  @Test func theManifestIsCoveredByItsCheck() throws {
    try export(.directory)
    let manifest = try directory.text(of: "dump/manifest.json")
    for (old, new) in [
      (#""lastId":5"#, #""lastId":9223372036854775807"#),
      (#""integers":"number""#, #""integers":"string""#), (#""name":"age""#, #""name":"agf""#),
    ] {
      #expect(manifest.contains(old))
      try directory.write(manifest.replacing(old, with: new), to: "dump/manifest.json")
      let verified = try verify("dump")
      #expect(!verified.isWhole)
      #expect(
        verified.text.replacing(directory.path + "/", with: "")
          == "dump/manifest.json: was changed or damaged: its check is wrong\n")
      try expectRefusal("dump", "its check is wrong")
    }
  }

  @Test(arguments: [DumpShape.lines, .document])
  func theTotalsAreCoveredByTheirCheck(_ shape: DumpShape) throws {
    try export(shape)
    let text = try directory.text(of: "dump")
    try directory.write(text.replacing(#""lastId":5"#, with: #""lastId":6"#), to: "changed")
    let verified = try verify("changed")
    #expect(!verified.isWhole)
    #expect(
      verified.text.replacing(directory.path + "/", with: "")
        == "changed: the header or the totals of the dump were changed or damaged\n")
    try expectRefusal("changed", "")
    try directory.write(
      text.replacing(#""lastId":5"#, with: #""lastId":9223372036854775808"#), to: "changed")
    try expectRefusal("changed", "larger than any id")
  }

  @Test func aStoreIsComparedWithTheConvertersOfTheDump() throws {
    try directory.write(
      "properties:\n  Person.age: { type: enum, values: { even: 0, odd: 1 } }\n",
      to: "converters.yml")
    try export(.lines)
    #expect(try directory.text(of: "dump").contains(#""age":"odd""#))
    let (dump, store) = (directory.path(of: "dump"), "store:" + directory.path(of: "data"))
    for (old, new) in [(dump, store), (store, dump)] {
      let same = try DumpComparison(from: old, to: new).run(SilentObserver())
      #expect(same.isSame)
      #expect(same.text == "no differences\n")
    }
  }
}
