import BoxEngine
import BoxModel
import BoxStore
import BoxStoreTesting
import TestSupport
import Testing

/// The objects that stores of tests begin with.
struct SeedTests {
  private static let settings = StoreSeed.file("../Fixtures/testing/settings.ndjson")

  @Test func aFileIsSortedByEntityAndID() throws {
    let store = try Store.test(.sample, seed: Self.settings)
    #expect(
      try store.contents()
        == #"{"Author":{"id":1,"name":"Lem"}}"# + "\n"
        + #"{"Book":{"id":1,"title":"Eden","isbn":null,"genre":null,"price":null,"published":null,"#
        + #""authorId":1,"embedding":null}}"# + "\n"
        + lines((1, "a", 10), (2, "b", 20), (3, "c", 30)))
    // Ids go on after those of the seed.
    #expect(try store.box(for: Setting.self).put(Setting("d")) == 4)
    try store.finishTest()
  }

  /// The values are those of a program in Python that has the same rules.
  @Test func generatedObjectsAreTheSameEverywhere() throws {
    let store = try Store.test(.items, seed: .generated(seed: 7, objects: 4))
    #expect(
      try store.contents() == """
        {"Item":{"id":1,"count":90,"name":"cedar 467"}}
        {"Item":{"id":2,"count":41,"name":null}}
        {"Item":{"id":3,"count":87,"name":"inlet 326"}}
        {"Item":{"id":4,"count":67,"name":null}}
        {"Item.others":{"source":1,"targets":[2]}}
        {"Item.others":{"source":2,"targets":[1,4]}}
        {"Item.others":{"source":3,"targets":[4]}}
        {"Item.others":{"source":4,"targets":[4]}}

        """)
    try store.finishTest()
  }

  /// The contents of a store are a seed of the same contents, and a store is as its seed says.
  @Test func contentsAreASeed() throws {
    var random = TestSeed.next()
    let directory = try TemporaryDirectory()
    for number in 0..<TestSeed.count("BOXJOINT_SOAK_TESTING_SEEDS", default: 20) {
      let (seed, objects) = (random.next(), 1 + random.below(40))
      let generated = StoreSeed.generated(seed: seed, objects: objects)
      let first = try Store.test(.sample, seed: generated)
      let contents = try first.contents()
      for entity in first.engine.entities {
        #expect(try first.engine.read { try $0.count(entity, limit: 0) } == objects)
      }
      #expect(try first.engine.verify(limit: 3).isEmpty)
      try first.finishTest()
      let second = try Store.test(.sample, seed: generated, directory: number % 2 == 0)
      #expect(try second.contents() == contents)
      try second.finishTest()
      let name = "\(number).ndjson"
      try directory.write(Array(contents.utf8), to: name)
      let third = try Store.test(.sample, seed: .file(directory.path(of: name)))
      #expect(try third.contents() == contents)
      try third.finishTest()
      let other = try Store.test(.sample, seed: .generated(seed: seed &+ 1, objects: objects))
      #expect(try other.contents() != contents)
      try other.finishTest()
    }
  }

  @Test func storesOfOneSeedShareNothing() throws {
    let stores = try (0..<20).map { _ in try Store.test(.sample, seed: Self.settings) }
    for (number, store) in stores.enumerated() {
      let box = store.box(for: Setting.self)
      try box.removeAll()
      try box.put(Setting("only", Int32(number), id: 1))
    }
    for (number, store) in stores.enumerated() {
      #expect(try store.contents().contains(lines((1, "only", number))))
      #expect(try store.box(for: Setting.self).count() == 1)
      try store.finishTest()
    }
    let next = try Store.test(.sample, seed: Self.settings)
    #expect(try next.box(for: Setting.self).count() == 3)
    try next.finishTest()
  }

  @Test func noObjectsAreGeneratedBelowOne() throws {
    for count in [0, -1, .min] {
      let store = try Store.test(.sample, seed: .generated(seed: 1, objects: count))
      #expect(try store.contents() == "")
      try store.finishTest()
    }
  }

  // MARK: - Bad input

  @Test func aSeedThatCannotBeImportedIsAnErrorOfEachTest() throws {
    let directory = try TemporaryDirectory()
    let cases: [(text: String, message: String)] = [
      (#"{"Setting":{"id":1}}"# + "\n" + #"{"Setting":{"id":"one"}}"#, "bad.ndjson:2:"),
      (#"{"Setting":{"id":1,"kye":"a"}}"#, "kye"), (#"{"Nothing":{"id":1}}"#, "Nothing"),
    ]
    for (number, example) in cases.enumerated() {
      try directory.write(Array(example.text.utf8), to: "\(number)/bad.ndjson")
      let path = directory.path(of: "\(number)/bad.ndjson")
      for _ in 0..<2 {
        let error = #expect(throws: ObjectBoxError.self) {
          try Store.test(.sample, seed: .file(path))
        }
        #expect(caseName(error) == "illegalArgument")
        #expect(error?.message.contains(example.message) == true, "\(error?.message ?? "")")
      }
    }
  }

  @Test func aSeedThatDoesNotExistIsNamed() throws {
    let error = #expect(throws: ObjectBoxError.self) {
      try Store.test(.sample, seed: "missing.ndjson")
    }
    #expect(caseName(error) == "illegalArgument")
    #expect(error?.message.contains("BoxStoreTestingTests/missing.ndjson") == true)
  }

  @Test func aModelThatIsNotValidIsRefused() throws {
    let error = #expect(throws: ObjectBoxError.self) { try Store.test(StoreModel(json: "{")) }
    #expect(caseName(error) == "schema")
  }
}
