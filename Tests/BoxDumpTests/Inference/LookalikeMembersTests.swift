import BoxConvert
import BoxDump
import BoxEngine
import BoxJSON
import BoxModel
import TestSupport
import Testing

/// Members and columns that look alike are two, from the inference to the export.
struct LookalikeMembersTests {
  private static func isSame(_ model: Model, _ names: (first: String, second: String)) -> Bool {
    let found = Set(model.entities[0].properties.map { ExactText($0.name) })
    return found.isSuperset(of: [ExactText(names.first), ExactText(names.second)])
  }

  @Test(arguments: ["input.json", "input.csv"])
  func bothAreStored(file: String) throws {
    var random = TestSeed.next()
    let fixture = try ImportFixture()
    for round in 0..<30 {
      let names = Lookalikes.pair(&random)
      let text =
        file.hasSuffix("csv")
        ? "\(names.first),\(names.second)\n1,2\n" : "{\"\(names.first)\":1,\"\(names.second)\":2}\n"
      try fixture.directory.write(text, to: file)
      var options = InferenceOptions()
      options.entity = "Thing"
      let document = try ModelInference(options).run([fixture.path(file)])
        .document(uids: .sequential)
      #expect(Self.isSame(document.model, names), "\(names)")
      #expect(Set(document.check().map(\.rule)) == [ModelRule.similarNames])
      let store = try fixture.open("\(file)-\(round)", document)
      defer { store.close() }
      let summary = try fixture.load(fixture.path(file), into: store) { $0.entity = "Thing" }
      #expect(summary.ignored.isEmpty)
      let entity = try #require(store.entities.first)
      try store.read { transaction in
        let object = try #require(try transaction.get(entity, 1))
        #expect(object.value(named: names.first) == .integer(1), "\(names)")
        #expect(object.value(named: names.second) == .integer(2), "\(names)")
      }
      let output = MemoryOutput()
      try DumpExporter(store).export(to: output)
      #expect(output.text().contains(":1,") && output.text().contains(":2"))
      let copy = try fixture.open("\(file)-\(round)-copy", document)
      defer { copy.close() }
      try fixture.load(text: output.text(), into: copy)
      let again = MemoryOutput()
      try DumpExporter(copy).export(to: again)
      #expect(again.text() == output.text())
    }
  }
}
