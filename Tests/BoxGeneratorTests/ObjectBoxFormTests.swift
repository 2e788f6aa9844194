import BoxGenerator
import BoxModel
import BoxRecovery
import BoxReport
import BoxSources
import TestSupport
import Testing

/// Model files that ObjectBox's generator wrote, in this version of the format and the one before.
struct ObjectBoxFormTests {
  private static let members = """
      // objectbox: index
      var name = ""
      // objectbox: unique
      var code: Int32 = 0
      var small: UInt16?
      var wide: UInt64?
      var plain: UInt8 = 0
      var made: Date?
      // objectbox: date-nano
      var exact: Date?
      var data: [UInt8] = []
      var texts: [String]?
      // objectbox: hnswIndex: dimensions=2
      var place: [Float]?
      var owner: ToOne<Note> = nil
      // objectbox: relation
      var others: ToMany<Note> = nil
    """

  private func generate(
    _ model: [UInt8]?, _ members: String = Self.members, bindings: String? = nil,
    lock: String? = nil
  ) async -> Generation {
    let source = """
      final class Note: Entity {
        var id: Id = 0
      \(members)
      }
      """
    var request = GeneratorRequest(
      files: [SwiftFile(path: "Note.swift", bytes: Array(source.utf8))], target: "App",
      modelPath: "model-App.json", model: model, bindingsPath: "EntityInfo.generated.swift",
      bindings: bindings.map { Array($0.utf8) })
    request.uids = .sequential
    request.lock = lock.map { Array($0.utf8) }
    return await Generation(request)
  }

  /// The model of a run in the form of ObjectBox's generator: its note, no sign of what is optional, and no parameters.
  private func foreign(_ run: Generation) throws -> [UInt8] {
    let bytes = try #require(run.model)
    let document = try ModelDocument(parsing: bytes)
    var model = document.model
    for p in model.entities[0].properties.indices {
      let property = model.entities[0].properties[p]
      if ["small", "wide"].contains(property.name) {
        model.entities[0].properties[p].flags.remove(.unsigned)
      }
      model.entities[0].properties[p].hnswParams = nil
    }
    var text = String(decoding: document.rendered(model), as: UTF8.self)
    let note = try #require(text.firstRange(of: "Keep this file in version control: "))
    text.replaceSubrange(note, with: "KEEP THIS FILE! ")
    return Array(text.utf8)
  }

  @Test func aFileOfObjectBoxStaysAsItIs() async throws {
    let own = await generate(nil)
    #expect(!own.hasErrors, "\(own.findings.map(\.message))")
    let file = try foreign(own)
    try #require(file != own.model)
    let run = await generate(file)
    #expect(run.findings.isEmpty, "\(run.findings.map(\.message))")
    #expect(run.model == file)
    let bindings = try #require(run.bindings)
    // What the file lacks the bindings have; they embed the file as it is.
    #expect(bindings.contains("vectors: ["))
    #expect(bindings.contains(##": #"{"dimensions":2}"#,"##))
    #expect(EmbeddedModel.files(in: Array(bindings.utf8)).map(\.bytes) == [file])
    // A file of one's own is not touched either, with all that it has.
    let same = await generate(own.model)
    #expect(same.findings.isEmpty && same.model == own.model)
    #expect(same.bindings?.contains("vectors:") == false)
  }

  @Test func newPropertiesAreInItsForm() async throws {
    let file = try foreign(await generate(nil))
    let added = """

        var more: UInt32?
        var sure: UInt32 = 0
        // objectbox: hnswIndex: dimensions=3
        var color: [Float]?
      """
    let run = await generate(file, Self.members + added)
    #expect(!run.hasErrors, "\(run.findings.map(\.message))")
    let bytes = try #require(run.model)
    let properties = try ModelDocument(parsing: bytes).model.entities[0].properties
    func property(_ name: String) throws -> Property {
      try #require(properties.first { $0.name == name })
    }
    #expect(try !property("more").flags.contains(.unsigned))
    #expect(try property("sure").flags.contains(.unsigned))
    #expect(try property("color").hnswParams == nil && property("color").flags == .indexed)
    #expect(run.bindings?.contains(##": #"{"dimensions":3}"#,"##) == true)
  }

  /// Signs and parameters that another generator has written into the file stay.
  @Test func existingEntriesStay() async throws {
    let own = await generate(nil)
    let bytes = try #require(own.model)
    let text = String(decoding: bytes, as: UTF8.self).replacing(
      "Keep this file in version control: ", with: "KEEP THIS FILE! ")
    let run = await generate(Array(text.utf8))
    #expect(run.findings.isEmpty, "\(run.findings.map(\.message))")
    #expect(run.model == Array(text.utf8))
  }

  /// The catalogue of the command line has the raw values that the store has: where the file says signed, the bits.
  @Test func theCatalogueHasTheBitsOfUnsignedEnums() async throws {
    let members = """
        enum Level: UInt8 { case low = 0, high = 200 }
        // objectbox: convert = { "default": ".low" }
        var level = Level.low
        // objectbox: convert
        var small: Level?
      """
    let own = await generate(nil, members)
    let file = try foreign(own)
    let run = await generate(file, members)
    #expect(run.findings.isEmpty && run.model == file, "\(run.findings.map(\.message))")
    #expect(
      run.catalogue == """
        # Generated by boxjoint-generate from the enums of App. Do not edit.
        types:
          "Note.Level":
            type: "enum"
            values:
              "low": 0
              "high": 200
        properties:
          "Note.level": "Note.Level"
          "Note.small":
            type: "enum"
            values:
              "low": 0
              "high": -56

        """)
    // A lock from before, or of a file with the other sign, means the same cases.
    for (model, lock) in [(file, own.lock), (file, run.lock), (own.model, run.lock)] {
      let again = await generate(model, members, lock: lock)
      #expect(again.findings.isEmpty, "\(again.findings.map(\.message))")
      #expect(again.lock == (model == file ? run.lock : own.lock))
    }
    let changed = await generate(file, members.replacing("200", with: "201"), lock: run.lock)
    #expect(changed.hasErrors && changed.model == nil)
  }

  /// The file of the format before this one that the sources would have had: without types, flags and targets.
  private func untyped(_ run: Generation) throws -> [UInt8] {
    let bytes = try #require(run.model)
    let document = try ModelDocument(parsing: bytes)
    var model = document.model
    for p in model.entities[0].properties.indices {
      model.entities[0].properties[p].type = nil
      model.entities[0].properties[p].flags = []
      model.entities[0].properties[p].relationTarget = nil
      model.entities[0].properties[p].hnswParams = nil
    }
    model.modelVersion = 4
    return document.rendered(model)
  }

  @Test func aFileOfVersion4IsTypedFromTheSources() async throws {
    let own = await generate(nil)
    let old = try untyped(own)
    #expect(!String(decoding: old, as: UTF8.self).contains("\"type\""))
    let run = await generate(old)
    #expect(run.findings.isEmpty, "\(run.findings.map(\.message))")
    let (typed, expected) = (try #require(run.model), try #require(own.model))
    #expect(try ModelDocument(parsing: typed).model == ModelDocument(parsing: expected).model)
    #expect(run.conversions.isEmpty && run.retired.isEmpty)
  }

  /// An element that the sources no longer have is retired, a new one is added, and one that is renamed keeps its UID.
  @Test func aFileOfVersion4FollowsTheSources() async throws {
    let old = try untyped(await generate(nil))
    let model = try ModelDocument(parsing: old).model
    let code = try #require(model.entities[0].properties.first { $0.name == "code" })
    let run = await generate(
      old,
      """
        var name = ""
        // objectbox: uid = \(code.pair.uid)
        var number: Int32 = 0
        var fresh = 0.5
      """)
    #expect(!run.hasErrors, "\(run.findings.map(\.message))")
    let bytes = try #require(run.model)
    let new = try ModelDocument(parsing: bytes).model
    #expect(new.modelVersion == 5)
    #expect(new.entities[0].properties.map(\.name) == ["id", "name", "number", "fresh"])
    let number = try #require(new.entities[0].properties.first { $0.name == "number" })
    #expect(number.pair == code.pair && number.type == .int && number.indexID == nil)
    let name = try #require(new.entities[0].properties.first { $0.name == "name" })
    #expect(name.indexID == nil && name.flags == [])
    // The index of the name, of the code, of the place and of the owner.
    #expect(new.retiredIndexUIDs?.count == 4)
    #expect(new.retiredPropertyUIDs?.count == 9)
  }

  @Test func aFileOfVersion4WithoutEntitiesIsUpgraded() async throws {
    let text = String(decoding: ModelDocument.newFile, as: UTF8.self)
      .replacing("\"modelVersion\": 5", with: "\"modelVersion\": 4")
    try #require(text.contains("\"modelVersion\": 4"))
    let run = await generate(Array(text.utf8))
    #expect(!run.hasErrors, "\(run.findings.map(\.message))")
    let bytes = try #require(run.model)
    #expect(try ModelDocument(parsing: bytes).model.modelVersion == 5)
  }
}
