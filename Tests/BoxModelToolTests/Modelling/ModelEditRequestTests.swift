import BoxModel
import BoxReport
import TestSupport
import Testing

@testable import BoxModelTool

/// Edits of model files by calls.
struct ModelEditRequestTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.path(of: "model.json") }

  init() throws { directory = try TemporaryDirectory() }

  private func request(_ edits: ModelEditRequest.Edit...) -> ModelEditRequest {
    var request = ModelEditRequest(path, edits)
    request.uids = .sequential
    return request
  }

  /// Creates a file of two entities, with the UIDs that ObjectBox's generator draws for tests: a sequence
  /// from 13762 on.
  private func create() throws {
    var new = request(
      .addEntity(
        EntityDraft("Film", properties: [.id(), PropertyDraft("title", .string, .indexHash)])),
      .addEntity(EntityDraft("Person")))
    new.isNew = true
    _ = try new.run()
  }

  private func model() throws -> Model {
    try ModelDocument(parsing: SourceFile.read(path).bytes).model
  }

  private func failure(_ edit: ModelEditRequest.Edit) throws -> CommandFailure? {
    let before = try SourceFile.read(path).bytes
    defer { #expect((try? SourceFile.read(path).bytes) == before) }
    do throws(CommandFailure) {
      _ = try request(edit).run()
      return nil
    } catch {
      return error
    }
  }

  @Test func aNewFileHasTheUIDsOfTheGeneratorsTests() throws {
    try create()
    let model = try model()
    let film = try #require(model.entities.first)
    #expect(film.properties.map(\.pair.description) == ["1:14592", "2:16640"])
    #expect(film.properties[1].indexID == IDPair(id: 1, uid: 15616))
    #expect(film.pair == IDPair(id: 1, uid: 17664))
    #expect(model.entities[1].pair == IDPair(id: 2, uid: 19712))
    #expect(try ModelDocument(parsing: SourceFile.read(path).bytes).check().isEmpty)
    #expect(throws: CommandFailure.self) { try create() }
  }

  /// Swift writes the bit of an index beside that of a hash, and the others do not.
  ///
  /// Only the generator for Swift adds the flag 8 (INDEXED) to 2048 (INDEX_HASH).
  @Test(arguments: [(4, 2056, 2088, 4104), (5, 2048, 2080, 4096)])
  func aHashIndexHasTheFlagsOfTheGenerator(
    minimum: Int, indexed: UInt32, unique: UInt32, wide: UInt32
  ) throws {
    try create()
    let text = String(decoding: try SourceFile.read(path).bytes, as: UTF8.self)
      .replacing(
        "\"modelVersionParserMinimum\": 4", with: "\"modelVersionParserMinimum\": \(minimum)")
    try directory.write(text, to: "model.json")
    _ = try request(
      .addProperty(PropertyDraft("Person.a", .string, .indexHash)),
      .addProperty(PropertyDraft("Person.b", .string, .unique)),
      .addProperty(PropertyDraft("Person.c", .string, .indexHash64))
    ).run()
    let flags = try model().entities[1].properties.dropFirst().map(\.flags.rawValue)
    #expect(flags == [indexed, unique, wide])
  }

  /// The two bits of a hash index in files of Swift go together, whichever is cleared.
  @Test(arguments: ["index-hash", "indexed"])
  func aHashIndexIsClearedAsAWhole(name: String) throws {
    try create()
    #expect(try model().entities[0].properties[1].flags.rawValue == 2056)
    _ = try request(.setFlags("Film.title", set: ["index-hash64"], clear: ["index-hash"])).run()
    #expect(try model().entities[0].properties[1].flags.rawValue == 4104)
    _ = try request(.setFlags("Film.title", set: ["index-hash"], clear: ["index-hash64"])).run()
    _ = try request(.setFlags("Film.title", set: [], clear: [name])).run()
    let title = try model().entities[0].properties[1]
    #expect(title.flags.rawValue == 0 && title.indexID == nil)
  }

  @Test func editsAreWrittenTogether() throws {
    try create()
    let report = try request(
      .addProperty(PropertyDraft("film.year", .long)),
      .addRelation(RelationDraft("Film.cast", to: "person")),
      .rename("Film.title", to: "name"), .addProperty(.toOne("Film.director", "Person")),
      .rename("Person", to: "Artist")
    ).run()
    let film = try #require(model().entities.first)
    #expect(film.properties.map(\.name) == ["id", "name", "year", "director"])
    #expect(film.properties[3].flags == [.indexed, .indexPartialSkipZero])
    #expect(film.properties[3].relationTarget == "Artist")
    #expect(film.relations?.map(\.name) == ["cast"])
    #expect(report.text.hasSuffix("wrote \(path)\n"))
  }

  @Test func aDryRunWritesNothing() throws {
    try create()
    let before = try SourceFile.read(path).bytes
    var removal = request(.remove("Film.title"))
    removal.isDryRun = true
    let report = try removal.run()
    #expect(report.text.contains("property title removed, uid 16640: its UID is retired"))
    #expect(report.text.hasSuffix("dry run: \(path) was not written\n"))
    #expect(try SourceFile.read(path).bytes == before)
    removal.isDryRun = false
    removal.output = directory.path(of: "other.json")
    _ = try removal.run()
    #expect(try SourceFile.read(path).bytes == before)
    let other = try ModelDocument(parsing: SourceFile.read(directory.path(of: "other.json")).bytes)
    #expect(other.model.retiredPropertyUIDs == [16640])
    #expect(other.model.retiredIndexUIDs == [15616])
  }

  @Test func anotherTypeIsAnotherProperty() throws {
    try create()
    _ = try request(.setFlags("Film.title", set: [], clear: ["index-hash"])).run()
    _ = try request(.addProperty(PropertyDraft("Film.year", .long, .indexed))).run()
    _ = try request(.setType("Film.title", .stringVector, keepsUID: false)).run()
    let film = try #require(model().entities.first)
    #expect(film.properties.map(\.name) == ["id", "year", "title"])
    #expect(film.properties.map(\.pair.id) == [1, 3, 4])
    #expect(film.lastPropertyID == film.properties[2].pair)
    #expect(try model().retiredPropertyUIDs == [16640])
    #expect(try model().retiredIndexUIDs == [15616])
    #expect(try model().lastIndexID?.id == 2)
  }

  @Test func aConvertedPropertyKeepsItsUID() throws {
    try create()
    _ = try request(.setFlags("Film.title", set: [], clear: ["index-hash"])).run()
    let before = try #require(model().entities.first?.properties[1])
    _ = try request(.setType("Film.title", .byteVector, keepsUID: true)).run()
    let after = try #require(model().entities.first?.properties[1])
    #expect(after.type == .byteVector && after.pair == before.pair && after.name == "title")
    #expect(try model().retiredPropertyUIDs ?? [] == [])
  }

  @Test func forbiddenChangesChangeNothing() throws {
    try create()
    _ = try request(.addRelation(RelationDraft("Film.cast", to: "Person"))).run()
    let refusals: [(ModelEditRequest.Edit, FailureKind, String)] = [
      (
        .addEntity(EntityDraft("FILM")), .impossible,
        "there is an entity 'FILM' already; choose another name"
      ),
      (.addEntity(EntityDraft("")), .usage, "the name of an entity is empty; choose a name"),
      (
        .addProperty(PropertyDraft("Film.Cast", .long)), .impossible,
        "there is a relation 'Film.cast' already; choose another name"
      ),
      (
        .addProperty(PropertyDraft("Fim.year", .long)), .usage,
        "the model has no 'Fim'; did you mean 'Film'?"
      ),
      (
        .addRelation(RelationDraft("Film.crew", to: "Persn")), .usage,
        "the target 'Persn' of 'Film.crew' is not an entity; did you mean 'Person'?"
      ),
      (
        .remove("Person"), .impossible,
        "'Person' is the target of 'Film.cast'; remove that relation first"
      ),
      (
        .remove("Film.id"), .impossible,
        "'Film.id' is the id of its entity, which every entity needs; it can only be renamed"
      ),
      (
        .rename("Film.titel", to: "x"), .usage,
        "the model has no 'Film.titel'; did you mean 'Film.title'?"
      ),
      (
        .setFlags("Film.title", set: ["uniq"], clear: []), .usage,
        "there is no flag 'uniq'; did you mean 'UNIQUE'?"
      ),
      (
        .setFlags("Film.title", set: ["unsigned"], clear: []), .impossible,
        "UNSIGNED of 'Film.title' has no meaning for the type string"
      ),
      (
        .setFlags("Film.cast", set: ["indexed"], clear: []), .impossible,
        "'Film.cast' is a relation to many, which has neither flags nor a type"
      ),
      (
        .setType("Film.id", .string, keepsUID: false), .impossible,
        "'Film.id' is the id of its entity, which every entity needs; it can only be renamed"
      ),
      (
        .addProperty(PropertyDraft("Film.x", .long, uid: 16640)), .impossible,
        "the UID 16640 is in use or retired; choose another one"
      ),
    ]
    for (edit, kind, message) in refusals {
      let failure = try failure(edit)
      #expect(failure?.kind == kind, "\(edit)")
      #expect(failure?.message == message)
    }
  }

  @Test func aFileThatIsNotAModelIsRefused() throws {
    try directory.write("[]", to: "model.json")
    #expect(try failure(.addEntity(EntityDraft("Film")))?.kind == .badInput)
    try directory.write(#"{"entities":[{"id":"x"}]}"#, to: "model.json")
    #expect(try failure(.addEntity(EntityDraft("Film")))?.kind == .badInput)
  }
}
