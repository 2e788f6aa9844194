import BoxGenerator
import BoxModel
import BoxReport
import BoxSources
import TestSupport
import Testing

/// Properties whose type changes: the run stops, and the sources say what becomes of the values.
struct TypeChangeTests {
  private func generate(_ members: String, _ model: [UInt8]?) async -> Generation {
    let source = """
      final class Folder: Entity {
        var id: Id = 0
        var notes: ToMany<Note> = nil
      }
      final class Label: Entity {
        var id: Id = 0
      }
      final class Note: Entity {
        var id: Id = 0
      \(members)
      }
      """
    var request = GeneratorRequest(
      files: [SwiftFile(path: "Note.swift", bytes: Array(source.utf8))], target: "App",
      modelPath: "model-App.json", model: model, bindingsPath: "EntityInfo.generated.swift",
      bindings: nil)
    request.uids = .sequential
    return await Generation(request)
  }

  /// The first UID that a run offers.
  private func offer(_ run: Generation) throws -> UID {
    let file = try #require(run.model)
    return try #require(try ModelDocument(parsing: file).model.newUIDPool?.first)
  }

  private func note(_ run: Generation) throws -> Entity {
    let file = try #require(run.model)
    let model = try ModelDocument(parsing: file).model
    return try #require(model.entities.first { $0.name == "Note" })
  }

  private func property(_ run: Generation, _ name: String = "size") throws -> Property {
    try #require(try note(run).properties.first { $0.name == name })
  }

  static let changes = [
    ("Int32", "Int64", "is automatic"), ("Float", "Double", "is automatic"),
    ("Bool", "Int", "is automatic"), ("Int", "String", "is automatic"),
    ("Int64", "Int32", "wants a mapping"), ("Double", "Int", "wants a mapping"),
    ("String", "Int", "wants a mapping"), ("String", "[UInt8]", "is automatic"),
    ("Int32", "UInt32", "if the new type holds all"),
    ("UInt8", "Int8", "if the new type holds all"),
    ("Date", "Int64", "is automatic"), ("[Float]", "[UInt8]", "wants a mapping"),
  ]

  @Test(arguments: changes)
  func aChangedTypeStops(_ old: String, _ new: String, _ advice: String) async throws {
    let first = await generate("  var size: \(old)? = nil", nil)
    #expect(!first.hasErrors, "\(first.findings.map(\.message))")
    let uid = try property(first).pair.uid
    let run = await generate("  var size: \(new)? = nil", first.model)
    let finding = try #require(run.findings.first)
    #expect(finding.rule.id == "BOX967" && finding.severity == .error && run.bindings == nil)
    #expect(finding.region?.line == 10)
    #expect(finding.message.contains("[Convert]") && finding.message.contains("[Reset]"))
    #expect(finding.advice?.contains(advice) ?? false, "\(finding.advice ?? "")")
    // Nothing but the offer is written.
    let offer = try offer(run)
    #expect(finding.message.contains("uid = \(offer)"))
    #expect(try property(run) == property(first))

    // [Convert]: the UID stays, with the annotation and, later, without it.
    let converted = await generate(
      "  // objectbox: convert-type\n  var size: \(new)? = nil", run.model)
    #expect(converted.findings.isEmpty, "\(converted.findings.map(\.message))")
    #expect(try property(converted).pair == property(first).pair)
    #expect(try property(converted) != property(first))
    #expect(converted.retired.isEmpty)
    let later = await generate("  var size: \(new)? = nil", converted.model)
    #expect(later.findings.isEmpty && later.model == converted.model)

    // [Reset]: another property of the name.
    let reset = await generate(
      "  // objectbox: uid = \(offer)\n  var size: \(new)? = nil", run.model)
    #expect(!reset.hasErrors, "\(reset.findings.map(\.message))")
    #expect(try property(reset).pair.uid == offer)
    let file = try #require(reset.model)
    let model = try ModelDocument(parsing: file).model
    #expect(model.retiredPropertyUIDs?.contains(uid) ?? false)
    let same = await generate("  var size: \(new)? = nil", reset.model)
    #expect(same.findings.isEmpty && same.model == reset.model)
  }

  @Test func aConvertedPropertyHasTheIndexOfItsNewType() async throws {
    let first = await generate("  // objectbox: index\n  var size: String? = nil", nil)
    let before = try property(first)
    let run = await generate(
      "  // objectbox: index, convert-type\n  var size: Int? = nil", first.model)
    #expect(!run.hasErrors, "\(run.findings.map(\.message))")
    let after = try property(run)
    #expect(after.pair == before.pair && after.flags == .indexed && after.indexID != nil)
    #expect(before.flags != after.flags)
    let without = await generate(
      "  // objectbox: convert-type\n  var size: Int? = nil", first.model)
    #expect(try property(without).indexID == nil)
  }

  @Test func aPropertyMayBeRenamedAndConverted() async throws {
    let first = await generate("  var size: Int32? = nil", nil)
    let uid = try property(first).pair.uid
    let run = await generate("  // objectbox: uid = \(uid)\n  var width: Int64? = nil", first.model)
    #expect(run.findings.first?.message.contains("uid = \(uid), convert-type") ?? false)
    let done = await generate(
      "  // objectbox: uid = \(uid), convert-type\n  var width: Int64? = nil", first.model)
    #expect(done.findings.isEmpty, "\(done.findings.map(\.message))")
    #expect(try property(done, "width").pair.uid == uid)
  }

  @Test(arguments: [
    ("  var folder: ToOne<Folder> = nil", "  var folder: ToOne<Label> = nil"),
    ("  var folder: ToMany<Folder> = nil", "  var folder: ToMany<Label> = nil"),
    ("  var folder: Int64? = nil", "  var folder: ToOne<Folder> = nil"),
    ("  var folder: ToOne<Folder> = nil", "  var folder: Int64? = nil"),
  ])
  func idsOfOtherObjectsAreNotConverted(_ old: String, _ new: String) async throws {
    let first = await generate(old, nil)
    let run = await generate(new, first.model)
    let finding = try #require(run.findings.first { $0.severity == .error })
    #expect(finding.rule.id == "BOX967", "\(finding)")
    #expect(!finding.message.contains("[Convert]") && finding.message.contains("[Reset]"))
    let offer = try offer(run)
    let reset = await generate("  // objectbox: uid = \(offer)\n\(new)", run.model)
    #expect(!reset.hasErrors, "\(reset.findings.map(\.message))")
  }

  /// No case has the text of a number as its raw value: a conversion would leave none.
  @Test(arguments: [("Size", "Name"), ("Name", "Size")])
  func rawValuesOfAnotherKindAreNotConverted(_ old: String, _ new: String) async throws {
    func members(_ type: String, _ annotation: String = "") -> String {
      """
        // objectbox: convert = { "default": ".small" }\(annotation)
        var size: \(type) = .small
        enum Size: Int { case small = 1, large = 2 }
        enum Name: String { case small, large }
      """
    }
    let first = await generate(members(old), nil)
    #expect(!first.hasErrors, "\(first.findings.map(\.message))")
    for annotation in ["", ", convert-type"] {
      let run = await generate(members(new, annotation), first.model)
      let finding = try #require(run.findings.first { $0.severity == .error })
      #expect(finding.rule.id == "BOX967", "\(finding)")
      #expect(!finding.message.contains("[Convert]") && finding.message.contains("[Reset]"))
      let reset = await generate(members(new, ", uid = \(try offer(run))"), run.model)
      #expect(!reset.hasErrors, "\(reset.findings.map(\.message))")
    }
  }

  @Test func theAnnotationFitsValuesAlone() async throws {
    for members in [
      "  // objectbox: convert-type\n  var folder: ToOne<Folder> = nil",
      "  // objectbox: convert-type = 1\n  var size: Int? = nil",
      "  // objectbox: convert-type\n  var folders: ToMany<Folder> = nil",
    ] {
      let run = await generate(members, nil)
      #expect(run.findings.map(\.rule.id).contains("BOX954"), "\(members)")
    }
  }

  @Test func aRelationOfItsOwnCanSaySo() async throws {
    let way = "  var folder: ToOne<Folder> = nil"
    let asked = await generate(way, nil)
    #expect(asked.findings.map(\.rule.id) == ["BOX966"])
    #expect(asked.findings.first?.advice?.contains("// objectbox: relation") ?? false)
    let source = """
      final class Folder: Entity {
        var id: Id = 0
        // objectbox: relation
        var notes: ToMany<Note> = nil
      }
      final class Note: Entity {
        var id: Id = 0
        var folder: ToOne<Folder> = nil
      }
      """
    var request = GeneratorRequest(
      files: [SwiftFile(path: "Note.swift", bytes: Array(source.utf8))], target: "App",
      modelPath: "model-App.json", model: nil, bindingsPath: "EntityInfo.generated.swift",
      bindings: nil)
    request.uids = .sequential
    #expect(await Generation(request).findings.isEmpty)
    request.files[0].bytes = Array(
      source.replacing(
        "// objectbox: relation", with: "// objectbox: relation, backlink = \"folder\""
      )
      .utf8)
    #expect(await Generation(request).findings.map(\.rule.id) == ["BOX954"])
  }

  // MARK: - Kept versions

  @Test func keptVersionsAreReadAgain() throws {
    var constants = SourceConstants()
    constants.values = [.init(uid: 7, expression: "PropertyConstant(\"a\\\"b\" as String)")]
    constants.zeros = [8, 9]
    let model = Array("{\n  \"entities\": []\n}\n".utf8)
    var versions = KeptVersions()
    try versions.keep(.init(name: "1.0", model: model, constants: constants))
    try versions.keep(.init(name: "2", model: model + [10], constants: SourceConstants()))
    // The same once more is none.
    try versions.keep(.init(name: "1.0", model: model, constants: constants))
    let again = try KeptVersions(versions.list) { $0 == "1.0" ? model : model + [10] }
    #expect(again.versions == versions.versions && again.list == versions.list)
    #expect(throws: KeptVersions.Failure.self) {
      try versions.keep(.init(name: "2", model: model, constants: constants))
    }
    // Other constants are another version, and names that differ in case are one file on some disks.
    for (name, model) in [("1.0", model), ("V", model), ("v", model + [10])] {
      if name == "V" { try versions.keep(.init(name: name, model: model, constants: constants)) }
      #expect(throws: KeptVersions.Failure.self, "\(name)") {
        try versions.keep(
          .init(name: name.lowercased(), model: model, constants: SourceConstants()))
      }
    }
    for name in ["", "../x", "a/b", ".x", "versions", "ä", "a b", "x\n"] {
      #expect(throws: KeptVersions.Failure.self, "\(name)") {
        try versions.keep(.init(name: name, model: model, constants: constants))
      }
    }
    for list in ["", "{", #"{"versions":[{}]}"#, #"{"versions":[{"name":"../../x"}]}"#] {
      #expect(throws: (any Error).self, "\(list)") {
        try KeptVersions(Array(list.utf8)) { _ in [] }
      }
    }
    #expect(versions.versions.map(\.name) == ["1.0", "2", "V"])
  }
}
