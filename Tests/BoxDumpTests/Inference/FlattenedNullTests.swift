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
}
