import BoxGenerator
import BoxModel
import BoxReport
import BoxSources
import TestSupport
import Testing

@Suite struct GenerationTests {
  private func generate(
    _ source: String, model: [UInt8]? = nil, allowsRemovals: Bool = false
  ) async -> Generation {
    var request = GeneratorRequest(
      files: [SwiftFile(path: "A.swift", bytes: Array(source.utf8))], target: "A",
      modelPath: "model-A.json", model: model, bindingsPath: "EntityInfo-A.generated.swift",
      bindings: nil)
    request.uids = .sequential
    request.allowsRemovals = allowsRemovals
    return await Generation(request)
  }

  private static let types: [(name: String, type: PropertyType)] = [
    ("Bool", .bool), ("Int8", .byte), ("UInt8", .byte), ("Int16", .short), ("UInt16", .short),
    ("Int32", .int), ("UInt32", .int), ("Int64", .long), ("UInt64", .long), ("Int", .long),
    ("UInt", .long), ("Float", .float), ("Double", .double), ("TimeInterval", .double),
    ("String", .string), ("Date", .date), ("Data", .byteVector), ("[String]", .stringVector),
  ]

  /// A model as the rules say it: the names of entities, and of properties with their types.
  private typealias Declared = [String: [String: Int]]

  private func source(
    of declared: Declared, _ random: inout SplitMix64, _ annotations: [String: String] = [:]
  ) -> String {
    var text = "import BoxStore\n"
    for (entity, members) in declared.sorted(by: { $0.key < $1.key }) {
      let isAnnotated = random.below(2) == 0
      text +=
        isAnnotated ? "// objectbox: entity\nclass \(entity) {\n" : "class \(entity): Entity {\n"
      text += "  var id: Id = 0\n"
      for (name, type) in members.sorted(by: { $0.key < $1.key }) {
        let form = ["T?", "Optional<T>", "T"][random.below(3)]
        let spelled = form.replacing("T", with: Self.types[type].name)
        if let annotation = annotations["\(entity).\(name)"] {
          text += "  // objectbox: \(annotation)\n"
        }
        text += "  var \(name): \(spelled) { didSet {} }\n"
      }
      text += "  required init() { fatalError() }\n}\n"
    }
    return text
  }

  @Test(.promise(111, 117, 140, 267), arguments: 0..<40) func randomEditsFollowTheRules(
    seed: UInt64
  ) async throws {
    var random = SplitMix64(seed: seed)
    var declared: Declared = [:]
    var known: [String: (uid: UID, type: Int)] = [:]
    var retired: Set<UID> = []
    var file: [UInt8]?
    for _ in 0..<12 {
      let entity = "E\(random.below(4))"
      let property = "p\(random.below(6))"
      if random.below(8) == 0 {
        declared[entity] = nil
      } else if random.below(4) == 0 {
        declared[entity, default: [:]][property] = nil
      } else {
        declared[entity, default: [:]][property] = random.below(Self.types.count)
      }
      var text = source(of: declared, &random)
      var run = await generate(text, model: file, allowsRemovals: true)
      var annotations: [String: String] = [:]
      for finding in run.findings {
        #expect(finding.rule.name == "type-changed" && finding.severity == .error, "seed \(seed)")
        let path = String(finding.message.split(separator: "\"")[1])
        let uid = finding.message.split(separator: " ").last ?? ""
        annotations[path] = random.oneIn(2) ? "convert-type" : "uid = \(uid)"
      }
      if !annotations.isEmpty {
        text = source(of: declared, &random, annotations)
        run = await generate(text, model: run.model, allowsRemovals: true)
      }
      #expect(run.findings.isEmpty, "seed \(seed): \(run.findings)")
      let bytes = try #require(run.model)
      let model = try ModelDocument(parsing: bytes)
      #expect(model.check().filter { $0.severity == .error }.isEmpty, "seed \(seed)")
      #expect(Set(model.model.entities.map(\.name)) == Set(declared.keys), "seed \(seed)")
      var present: [String: (uid: UID, type: Int)] = [:]
      for entity in model.model.entities {
        let members = try #require(declared[entity.name])
        #expect(Set(entity.properties.map(\.name)) == Set(members.keys).union(["id"]))
        for property in entity.properties where property.name != "id" {
          let type = try #require(members[property.name])
          let path = "\(entity.name).\(property.name)"
          #expect(property.type == Self.types[type].type, "seed \(seed): \(path)")
          #expect(
            property.flags.contains(.unsigned) == Self.types[type].name.hasPrefix("U"),
            "seed \(seed): \(path)")
          #expect(!retired.contains(property.pair.uid), "seed \(seed): \(path)")
          if let old = known[path] {
            let isReset = annotations[path]?.hasPrefix("uid") ?? false
            #expect((old.uid == property.pair.uid) == !isReset, "seed \(seed): \(path)")
          }
          present[path] = (property.pair.uid, type)
        }
      }
      for (path, old) in known where present[path]?.uid != old.uid { retired.insert(old.uid) }
      let listed = Set(model.model[retired: .property] ?? [])
      #expect(retired.isSubset(of: listed), "seed \(seed)")
      known = present
      // Nothing changed: the same bytes, with the annotations and without.
      let isOther = random.oneIn(2)
      if isOther { text = source(of: declared, &random) }
      let again = await generate(text, model: bytes)
      #expect(again.model == bytes && (isOther || again.bindings == run.bindings), "seed \(seed)")
      file = bytes
    }
  }

  private static let badSources = [
    ("class A: Entity { var id: Id = 0; init(_ x: Int) {} }", "entity-without-init"),
    ("class A: Entity { var x = 1 }", "entity-without-id"),
    ("class A: Entity { var a: Id = 0; var b: Id = 0 }", "entity-without-id"),
    ("class A: Entity { var id: Id? }", "entity-without-id"),
    (
      "class A: Entity {\n// objectbox: id\nvar a: Id = 0\n// objectbox: id\nvar b: Id = 0 }",
      "entity-without-id"
    ),
    ("struct A: Entity { let id: Id = 0 }", "entity-without-init"),
    ("struct A: Entity { var id: Id; init() { id = 0 } }", "entity-without-init"),
    (
      "struct A: Entity { var id: Id; init(id: Id) { self.id = id }\n var y: Int }",
      "entity-without-init"
    ),
    ("class A<T>: Entity { var id: Id = 0 }", "entity-form"),
    ("private class A: Entity { var id: Id = 0 }", "entity-form"),
    ("private enum N { class A: Entity { var id: Id = 0 } }", "entity-form"),
    ("func f() { class A: Entity { var id: Id = 0 } }", "entity-form"),
    ("actor A: Entity { var id: Id = 0 }", "entity-form"),
    ("enum A: Entity { case a }", "entity-form"),
    ("// objectbox: entity\nprotocol A { var id: Id { get } }", "entity-form"),
    ("class A: Entity { var id: Id = 0 }\nclass B: A, Entity { var x = 1 }", "entity-form"),
    ("class A: Entity { var id: Id = 0; var x: [Int: Int] = [:] }", "type-not-storable"),
    ("class A: Entity { var id: Id = 0; var x: (Int, Int) = (1, 2) }", "type-not-storable"),
    ("class A: Entity { var id: Id = 0; var x = f() }", "type-not-storable"),
    ("class A: Entity { var id: Id = 0; var x: ToOne<A>? }", "type-not-storable"),
    ("class A: Entity { var id: Id = 0; var x: [A] = [] }", "type-not-storable"),
    ("class A: Entity { var id: Id = 0; let x = 1 }", "type-not-storable"),
    ("class A: Entity { var id: Id = 0; private var x = 1 }", "type-not-storable"),
    ("class A: Entity { var id: Id = 0; private(set) var x = 1 }", "type-not-storable"),
    (
      "enum E: Int { case a = 1 }\nclass A: Entity { var id: Id = 0; var x = E.a }",
      "type-not-storable"
    ),
    ("class A: Entity { var id: Id = 0\n// objectbox: indx\nvar x = 1 }", "unknown-annotation"),
    ("// objectbox: entity, snyc\nclass A { var id: Id = 0 }", "unknown-annotation"),
    (
      "class A: Entity {\n// objectbox: id = { \"asignable\": true }\nvar id: Id = 0 }",
      "unknown-annotation"
    ),
    (
      "class A: Entity { var id: Id = 0\n// objectbox: index = \"b\"\nvar x = 1 }",
      "annotation-value"
    ),
    (
      "class A: Entity { var id: Id = 0\n// objectbox: index\nvar x: [String] = [] }",
      "annotation-value"
    ),
    ("class A: Entity { var id: Id = 0\n// objectbox: index\nvar x = Data() }", "annotation-value"),
    (
      "class A: Entity { var id: Id = 0\n// objectbox: unique\nvar x = Data() }", "annotation-value"
    ),
    ("class A: Entity { var id: Id = 0\n// objectbox: uid = x\nvar x = 1 }", "annotation-value"),
    (
      "class A: Entity { var id: Id = 0\n// objectbox: index\nstatic var x = 1 }",
      "annotation-value"
    ),
    (
      "class A: Entity { var id: Id = 0\n// objectbox: index\nvar x: Int { 1 } }",
      "annotation-value"
    ),
    ("class A: Entity { var id: Id = 0\nvar x: Int = 1 // objectbox: index\n}", "annotation-value"),
    (
      "class A: Entity { var id: Id = 0\n// objectbox: date-nano\nvar x = \"\" }",
      "annotation-value"
    ),
    ("class A: Entity { var id: Id = 0\n// objectbox: flex\nvar x = 1 }", "annotation-value"),
    ("class A: Entity { var id: Id = 0\n// objectbox: id\nvar x = \"\" }", "annotation-value"),
    (
      "class A: Entity { var id: Id = 0\n// objectbox: hnswIndex: dimensions=2\nvar x: [Double] = [] }",
      "annotation-value"
    ),
    (
      "class A: Entity { var id: Id = 0\n// objectbox: hnswIndex: flags=1\nvar x: [Float] = [] }",
      "annotation-value"
    ),
    (
      "class A: Entity { var id: Id = 0\n// objectbox: syncClock\nvar x: Int64 = 0 }",
      "annotation-value"
    ),
    (
      "class A: Entity { var id: Id = 0\n// objectbox: convert = { x }\nvar x = 1 }",
      "annotation-value"
    ),
    (
      "class A: Entity { var id: Id = 0\n// objectbox: convert\nvar x: Other = .a }",
      "annotation-value"
    ),
    (
      "enum E: Int { case a = 1 }\nclass A: Entity { var id: Id = 0\n// objectbox: convert\nvar x = E.a }",
      "annotation-value"
    ),
    (
      "class A: Entity { var id: Id = 0\n// objectbox: convert = { \"converter\": \"C\" }\nvar x: X = .a }",
      "annotation-value"
    ),
    (
      "class A: Entity { var id: Id = 0\n"
        + "// objectbox: convert = { \"dbType\": \"Int\", \"converter\": \"C\" }\nvar x: X = .a }\n"
        + "@MainActor enum C { static func convert(_ x: X) -> Int { 1 } }",
      "isolated-converter"
    ),
    ("class A: Entity { var id: Id = 0\n#if DEBUG\nvar x = 1\n#endif\n}", "conditional-entity"),
    ("class A: Entity { var id: Id = 0; var b: ToOne<B> = nil }", "relation-target"),
    (
      "class A: Entity { var id: Id = 0\n// objectbox: backlink = \"x\"\nvar b: ToMany<A> = nil }",
      "relation-target"
    ),
    ("class A: Entity { var id: Id = 0 }\nclass A: Entity { var id: Id = 0 }", "duplicate-entity"),
    (
      "#if X\nclass A: Entity { var id: Id = 0 }\n#else\nclass A: Entity { var id: Id = 0 }\n#endif",
      "duplicate-entity"
    ),
    (
      "class A: Entity { var id: Id = 0 }\n// objectbox: name = \"a\"\nclass B: Entity { var id: Id = 0 }",
      "duplicate-entity"
    ),
    ("class A: Entity { var id: Id = 0; var x = 1; var X = 2 }", "duplicate-entity"),
    (
      "<<<<<<< ours\nclass A: Entity { var id: Id = 0 }\n=======\n>>>>>>> theirs",
      "source-conflict-markers"
    ),
  ]

  @Test(.promise(57, 142, 164, 165), arguments: badSources) func badSourcesAreReported(
    source: String, rule: String
  ) async {
    let run = await generate(source)
    let errors = run.findings.filter { $0.severity == .error }
    #expect(errors.map(\.rule.name) == [rule], "\(source): \(run.findings)")
    #expect(errors.allSatisfy { $0.advice?.isEmpty == false && $0.region != nil })
    #expect(run.model == nil && run.bindings == nil)
  }

  @Test func aMisspelledAnnotationHasItsPlaceAndTheNearestName() async throws {
    let run = await generate(
      "class A: Entity {\n  var id: Id = 0\n  // objectbox: indx\n  var x = 1\n}")
    let finding = try #require(run.findings.first)
    #expect(finding.region?.line == 3 && finding.region?.column == 3)
    #expect(finding.advice == "Did you mean \"index\"?")
  }

  /// Files of Swift have both bits of a hash index, those of Java one.
  @Test func theFlagsOfAHashIndexStayAsTheyAre() async throws {
    let source = """
      class A: Entity { var id: Id = 0
      // objectbox: index
      var a = ""
      // objectbox: index = "hash64"
      var b = ""
      // objectbox: unique
      var c = "" }
      """
    let bytes = try #require(await generate(source).model)
    let text = String(decoding: bytes, as: UTF8.self)
    for flags in [2056, 4104, 2088] {
      let other = text.replacing("\"flags\": \(flags)", with: "\"flags\": \(flags - 8)")
      #expect(other != text)
      #expect(
        await generate(source, model: Array(other.utf8)).model == Array(other.utf8), "\(flags)")
    }
    let changed = await generate(
      source.replacing(" = \"hash64\"", with: " = \"value\""), model: bytes)
    let model = try ModelDocument(parsing: try #require(changed.model)).model
    #expect(model.entities[0].properties[2].flags == .indexed)
  }

  @Test(.promise(34, 132, 136)) func aUIDRenames() async throws {
    let first = await generate("class A: Entity { var id: Id = 0\nvar x = 1 }")
    let old = try ModelDocument(parsing: try #require(first.model)).model.entities[0].properties[1]
    let second = await generate(
      "class A: Entity { var id: Id = 0\n// objectbox: uid = \(old.pair.uid)\nvar y = 1 }",
      model: first.model)
    let renamed = try ModelDocument(parsing: try #require(second.model)).model.entities[0]
    #expect(renamed.properties.map(\.name) == ["id", "y"])
    #expect(renamed.properties[1].pair == old.pair)
    let stale = await generate(
      "class A: Entity { var id: Id = 0\n// objectbox: uid = 5\nvar y = 1 }", model: first.model)
    #expect(stale.findings.map(\.rule.name) == ["annotation-uid"])
  }

  /// A file that a later version wrote is not one to mend.
  @Test func aNewerModelAsksForANewerProgram() async throws {
    let source = "class A: Entity { var id: Id = 0 }"
    let text = String(decoding: try #require(await generate(source).model), as: UTF8.self)
      .replacing("\"modelVersionParserMinimum\": 4", with: "\"modelVersionParserMinimum\": 99")
    let run = await generate(source, model: Array(text.utf8))
    #expect(run.findings.map(\.rule.name) == ["model-not-editable"] && run.model == nil)
    #expect(run.findings.first?.message.hasPrefix("The file asks for a program that knows") == true)
    #expect(run.findings.first?.advice == "Use a newer version of boxjoint-generate")
  }

  /// A relation that stays leads from the ids of earlier objects to new objects that have them.
  @Test func aResetEntityWarnsOfTheRelationsToIt() async throws {
    func source(_ author: String, _ relations: String = "") -> String {
      """
      \(author)
      class Author: Entity { var id: Id = 0; var name = "" }
      class Book: Entity { var id: Id = 0
      \(relations)
      var author: ToOne<Author> = nil
      \(relations)
      var others: ToMany<Author> = nil
      }
      """
    }
    let first = await generate(source(""))
    // The run that offers a UID warns of nothing: the user may rename.
    let asked = await generate(source("// objectbox: uid"), model: first.model)
    #expect(asked.findings.map(\.rule.name) == ["uid-requested"])
    let offers = try ModelDocument(parsing: #require(asked.model)).model.newUIDPool
    let offer = try #require(offers?.first)
    let reset = await generate(source("// objectbox: uid = \(offer)"), model: asked.model)
    #expect(reset.findings.map(\.rule.name) == ["reset-target", "reset-target"])
    #expect(reset.findings.map { $0.region?.line } == [5, 7])
    #expect(
      reset.findings.first?.message
        == "The entity \"Author\" is reset, but \"Book.author\" keeps the ids of its earlier objects"
    )
    // It is said once: what was decided stays decided.
    #expect(!reset.hasLastingFindings)
    let again = await generate(source("// objectbox: uid = \(offer)"), model: reset.model)
    #expect(again.findings.isEmpty && again.model == reset.model)
    // Relations that are reset too have nothing to warn of.
    let both = await generate(
      source("// objectbox: uid", "// objectbox: uid"), model: first.model)
    let pool = try ModelDocument(parsing: #require(both.model)).model.newUIDPool ?? []
    #expect(pool.count == 3)
    var text = source("// objectbox: uid", "// objectbox: uid")
    for uid in pool {
      guard let range = text.firstRange(of: "// objectbox: uid\n") else { break }
      text.replaceSubrange(range, with: "// objectbox: uid = \(uid)\n")
    }
    #expect(await generate(text, model: both.model).findings.isEmpty)
  }

  @Test func moreThanHalfOfTheEntitiesAreNotRemovedUnasked() async {
    let first = await generate(
      "class A: Entity { var id: Id = 0 }\nclass B: Entity { var id: Id = 0 }")
    #expect(
      await generate("import BoxStore", model: first.model).findings.map(\.rule.name) == [
        "many-removals"
      ]
    )
    #expect(
      await generate("import BoxStore", model: first.model, allowsRemovals: true).findings.isEmpty)
    #expect(
      await generate("class A: Entity { var id: Id = 0 }", model: first.model).findings.isEmpty)
  }

  @Test func modelsThatCannotBeEditedStopTheRun() async {
    for text in ["", "{", "<<<<<<< ours\n{}", "[]"] {
      let run = await generate("class A: Entity { var id: Id = 0 }", model: Array(text.utf8))
      #expect(run.findings.map(\.rule.name) == ["model-not-editable"], "\(text)")
      #expect(run.model == nil)
    }
  }
}
