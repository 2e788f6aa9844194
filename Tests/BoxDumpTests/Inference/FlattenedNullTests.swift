import BoxConvert
import BoxDump
import BoxEngine
import BoxJSON
import BoxModel
import TestSupport
import Testing

/// Nested objects that are null in some objects.
struct FlattenedNullTests {
  @Test func nullInPlaceOfAnObjectFillsNothing() throws {
    let fixture = try ImportFixture()
    let model = TestModel(
      .init(name: "Thing", uid: 100, fields: [.init("name_common", 110, .string)]))
    let store = try fixture.open("store", model.document())
    defer { store.close() }
    let catalogue = try Catalogue(["mappings": ["Thing": ["flatten": "_"]]])
    let summary = try fixture.load(
      text: "[{\"name\":null},{\"name\":{\"common\":\"a\"}},{}]", into: store
    ) {
      $0.entity = "Thing"
      $0.catalogue = catalogue
    }
    #expect(summary.entities.map(\.inserted) == [3])
    // Anything else than null would be lost.
    #expect(
      try fixture.refusal("[{\"name\":1}]", into: store) {
        $0.entity = "Thing"
        $0.catalogue = catalogue
      }?.message.contains("there is no property \"name\" for /name") == true)
  }

  /// The spelling of a key makes no difference: `raw` alone is the form of values without a name.
  @Test(arguments: [
    ("größe", false), ("gr\\u00f6\\u00dfe", false), ("a\\nb", false), ("\\/", false),
    ("\\u0072a", false), ("rawr", false), ("ra\\u0077 ", false), ("raw", true),
    ("\\u0072aw", true), ("r\\u0061\\u0077", true),
  ]) func keysAreComparedByWhatTheySpell(_ key: String, _ isRaw: Bool) throws {
    let fixture = try ImportFixture()
    try fixture.directory.write("[{\"v\":{\"\(key)\":1}}]", to: "things.json")
    var options = InferenceOptions()
    options.entity = "Thing"
    let inferred = try ModelInference(options).run([fixture.path("things.json")])
    let member = try #require(inferred.entities[0].members.first { $0.name == "v" })
    #expect(member.reason.contains("\"raw\"") == isRaw, "\(member.reason)")
  }
}
