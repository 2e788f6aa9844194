import BoxGenerator
import BoxModel
import BoxSources
import TestSupport
import Testing

/// The documentation of annotations: each sentence with a source and its model file.
struct AnnotationTests {
  private func generate(_ source: String, target: String = "App") async throws -> Generation {
    var request = GeneratorRequest(
      files: [SwiftFile(path: "A.swift", bytes: Array(source.utf8))], target: target,
      modelPath: "model.json", model: nil, bindingsPath: "EntityInfo.generated.swift",
      bindings: nil)
    request.uids = .sequential
    let run = await Generation(request)
    guard !run.hasErrors else { throw TestFailure("\(run.findings)") }
    return run
  }

  /// The entity of a class with some members.
  private func entity(
    _ members: String, annotation: String = "entity", name: String = "Note"
  ) async throws -> Entity {
    let run = try await generate(
      "// objectbox: \(annotation)\nclass \(name) {\n\(members)\ninit() {}\n}")
    return try ModelDocument(parsing: #require(run.model)).model.entities[0]
  }

  private func property(_ name: String, _ members: String) async throws -> BoxModel.Property {
    try #require(await entity(members).properties.first { $0.name == name })
  }

  @Test(.promise(169, 170, 174, 176, 177)) func theIDIsFoundByAnnotationByNameAndByType()
    async throws
  {
    let sources = [
      // The annotation goes before the name, and the other property of its type is ordinary.
      ("// objectbox: id\nvar key: Id = 0\nvar id: Id = 0", "key", ["key", "id"]),
      ("var id: Id = 0\nvar other: Id = 0", "id", ["id", "other"]),
      ("var key: Id = 0\nvar count = 1", "key", ["key", "count"]),
      ("var key: EntityId<Note> = 0", "key", ["key"]),
      // Numbers are ids only with an annotation.
      (
        "var key: Id = 0\nvar number: UInt64 = 0\nvar size: Int64 = 0", "key",
        ["key", "number", "size"]
      ),
      ("// objectbox: id\nvar key: UInt64 = 0", "key", ["key"]),
      ("// objectbox: id\nvar key: Int64 = 0", "key", ["key"]),
    ]
    for (source, id, names) in sources {
      let entity = try await entity(source)
      #expect(entity.properties.map(\.name) == names, "\(source)")
      #expect(entity.properties.filter { $0.flags.contains(.id) }.map(\.name) == [id], "\(source)")
      #expect(entity.properties.first { $0.name == id }?.type == .long, "\(source)")
    }
  }

  @Test(.promise(171)) func theAppCanChooseIDs() async throws {
    for spelling in [#"id = {"assignable": true}"#, #"id={ "assignable" : true }"#] {
      let id = try await property("id", "// objectbox: \(spelling)\nvar id: Id = 0")
      #expect(id.flags == [.id, .idSelfAssignable], "\(spelling)")
    }
    #expect(try await property("id", "var id: Id = 0").flags == .id)
  }

  /// An annotation is on the lines above its property, and belongs to no other.
  @Test(.promise(141, 175)) func anAnnotationBelongsToTheNextProperty() async throws {
    for spelling in [
      "// objectbox: index", "//objectbox:index", "/// objectbox:index ", "// ObjectBox: index",
    ] {
      let entity = try await entity("var id: Id = 0\nvar a = 1\n\(spelling)\nvar b = 2\nvar c = 3")
      #expect(
        entity.properties.filter(\.flags.isIndexed).map(\.name) == ["b"], "\(spelling)")
    }
  }

  @Test(.promise(178, 252, 346)) func aNameIsTheNameInTheModel() async throws {
    let entity = try await entity(
      "var id: Id = 0\n// objectbox: name = \"old_text\"\nvar text = \"\"",
      annotation: "name = \"OldNote\", entity")
    #expect(entity.name == "OldNote")
    #expect(entity.properties.map(\.name) == ["id", "old_text"])
  }

  /// A number is indexed by value; a string by its hash of 32 bits unless the annotation says otherwise.
  @Test(.promise(179, 182, 183)) func anIndexHasAKind() async throws {
    let kinds: [(String, String, PropertyFlags)] = [
      ("index", "Int = 0", .indexed), ("index", "Date = Date()", .indexed),
      ("index", "Bool = true", .indexed), ("index", "String = \"\"", [.indexed, .indexHash]),
      ("index = value", "String = \"\"", .indexed), ("index = value ", "String = \"\"", .indexed),
      ("index = \"value\"", "String?", .indexed),
      ("index = \"hash\"", "String = \"\"", [.indexed, .indexHash]),
      ("index = hash64", "String = \"\"", [.indexed, .indexHash64]),
      ("index=\"hash64\"", "String?", [.indexed, .indexHash64]),
    ]
    for (annotation, type, flags) in kinds {
      let found = try await property(
        "x", "var id: Id = 0\n// objectbox: \(annotation)\nvar x: \(type)")
      #expect(found.flags == flags && found.indexID != nil, "\(annotation) of \(type)")
    }
  }

  @Test(.promise(191)) func aUniquePropertyHasAnIndex() async throws {
    let plain = try await property("x", "var id: Id = 0\n// objectbox: unique\nvar x = \"\"")
    #expect(plain.flags == [.unique, .indexed, .indexHash] && plain.indexID != nil)
    let chosen = try await property(
      "x", "var id: Id = 0\n// objectbox: unique\n// objectbox: index = \"value\"\nvar x = \"\"")
    #expect(chosen.flags == [.unique, .indexed])
    let replacing = try await property(
      "x", "var id: Id = 0\n// objectbox: unique = { \"onConflict\": \"replace\" }\nvar x = 1")
    #expect(replacing.flags == [.unique, .indexed, .uniqueOnConflictReplace])
  }

  @Test(.promise(168, 347, 402)) func otherMembersAreNotStored() async throws {
    let entity = try await entity(
      """
      var id: Id = 0
      static var shared = 1
      static let limit: [Int: Int] = [:]
      class var kind: Int { 1 }
      var computed: Int { 1 }
      lazy var cache = [1: 2]
      weak var parent: Note?
      // objectbox: transient
      var scratch: [String: Int] = [:]
      var text = ""
      """)
    #expect(entity.properties.map(\.name) == ["id", "text"])
  }

  /// The flags and the type are those of the format of model files, whose relations to one skip zero.
  @Test(.promise(74)) func aRelationToOneIsAnIndexedProperty() async throws {
    let source = """
      // objectbox: entity
      class Note { var id: Id = 0; var author: ToOne<Author> = nil; init() {} }
      // objectbox: entity
      class Author { var id: Id = 0; init() {} }
      """
    let model = try ModelDocument(parsing: #require(await generate(source).model)).model
    let note = try #require(model.entities.first { $0.name == "Note" })
    let author = try #require(note.properties.first { $0.name == "author" })
    #expect(author.type?.rawValue == 11 && author.flags.rawValue == 520)
    #expect(author.relationTarget == "Author" && author.indexID != nil)
  }

  @Test(.promise(80)) func variantsOfTypes() async throws {
    let flex = try await property("x", "var id: Id = 0\n// objectbox: flex\nvar x = Data()")
    #expect(flex.type?.rawValue == 13)
    let nanoseconds = try await property(
      "x", "var id: Id = 0\n// objectbox: date-nano\nvar x = Date()")
    #expect(nanoseconds.type == .dateNano)
    let companion = try await property(
      "x", "var id: Id = 0\n// objectbox: id-companion\nvar x = Date()")
    #expect(companion.flags.contains(.idCompanion))
  }

  @Test(.promise(28)) func anEntityCanBeSynchronized() async throws {
    #expect(try await entity("var id: Id = 0", annotation: "entity, sync").flags == .syncEnabled)
    #expect(try await entity("var id: Id = 0").flags.isEmpty)
  }

  /// The stored type is that of the annotation, or of the raw values of an enum.
  @Test(.promise(63)) func aConverterHasAStoredType() async throws {
    let role = "\n// objectbox: convert = {\"dbType\": \"Int\", \"converter\": \"RoleConverter\"}\n"
    #expect(
      try await property("role", "var id: Id = 0\(role)var role: Role = Role()").type == .long)
    for (spelling, type) in [
      ("String", PropertyType.string), ("UInt8", .byte), ("[Float]", .floatVector),
    ] {
      let annotation = "// objectbox: convert = { dbType: \(spelling), converter: C }"
      #expect(try await property("x", "var id: Id = 0\n\(annotation)\nvar x: X = X()").type == type)
    }
  }

  /// A conformance to `ValueConverter` is called as one, and static functions as before wherever there are any.
  @Test func aTypedConverterIsCalledAsOne() async throws {
    func bindings(_ converter: String, _ declared: String, fallback: String = "") async throws
      -> String
    {
      try #require(
        await generate(
          """
          class A: Entity {
            var id: Id = 0
            // objectbox: convert = {"dbType": "String", "converter": "\(converter)"\(fallback)}
            var x: X = X()
            required init() {}
          }
          \(declared)
          """
        ).bindings)
    }
    let typed = try await bindings("C", "struct C: ValueConverter {}")
    #expect(typed.contains("    propertyCollector.collect(entity.x, by: C(), at: 6)\n"))
    #expect(typed.contains("    entity.x = try entityReader.read(at: 6, by: C())\n"))
    #expect(typed.contains("store: Store) throws -> A {\n"))
    #expect(!typed.contains("import BoxConvert"))
    // The converter has a value for what is missing.
    #expect(!typed.contains("PropertyConstant"))
    let qualified = try await bindings("C", "struct C: BoxConvert.ValueConverter, Sendable {}")
    #expect(qualified.contains("by: C()"))
    let ours = try await bindings("BoxFoundation.URLConverter", "")
    #expect(ours.contains("import BoxStore\nimport BoxFoundation\n"))
    #expect(ours.contains("collect(entity.x, by: BoxFoundation.URLConverter(), at: 6)\n"))
    let withDefault = try await bindings(
      "C", "struct C: ValueConverter {}", fallback: ", \"default\": \".none\"")
    #expect(withDefault.contains("entity.x = try entityReader.read(at: 6, by: C()) ?? .none\n"))
    for (name, declared) in [
      ("C", "struct C: ValueConverter { static func convert(_ x: X) -> String { \"\" } }"),
      ("C", "enum C { static func convert(_ x: X) -> String { \"\" } }"), ("URLConverter", ""),
      ("C", "extension C: ValueConverter {}"),
    ] {
      let plain = try await bindings(name, declared)
      #expect(plain.contains("collect(\(name).convert(entity.x), at: 6)\n"), "\(declared)")
      #expect(
        plain.contains("entity.x = \(name).convert(entityReader.read(at: 6))\n"), "\(declared)")
      #expect(plain.contains("store: Store) -> A {\n"), "\(declared)")
    }
  }

  @Test(.promise(81)) func foundationIsImportedWhereATypeNeedsIt() async throws {
    let without = try #require(
      await generate("class A: Entity { var id: Id = 0; var x = 1; required init() {} }").bindings)
    #expect(!without.contains("Foundation"))
    let with = try #require(
      await generate("class A: Entity { var id: Id = 0; var x = Date(); required init() {} }")
        .bindings)
    #expect(with.contains("import Foundation\n"))
  }

  @Test(.promise(103)) func lintersLeaveGeneratedCodeAlone() async throws {
    let bindings = try #require(
      await generate("class A: Entity { var id: Id = 0; required init() {} }").bindings)
    #expect(bindings.contains("// swiftlint:disable all\n"))
    #expect(bindings.contains("// swift-format-ignore-file\n"))
  }

  @Test(.promise(19)) func theModuleNamesTheModel() async throws {
    let source = "class A: Entity { var id: Id = 0; required init() {} }"
    #expect(
      try #require(await generate(source, target: "Library").bindings).contains(
        "static let library = StoreModel("))
    #expect(
      try #require(await generate(source, target: "MyKit").bindings).contains(
        "static let myKit = StoreModel("))
  }

  /// Advice has the word that the run takes annotations by.
  @Test(arguments: [
    "var id: Id = 0\nlet x = 1", "var id: Id = 0\nprivate(set) var x = 1",
    "var id: Id = 0\nvar x: Kind = .a",
    "var id: Id = 0\nvar x: Other?", "var id: Id = 0\nvar x: ToOne<Missing> = nil",
    "var a: Id = 0\nvar b: Id = 0",
    "var id: Id = 0\n#if A\nvar x = 1\n#endif", "var id: Id = 0\nvar all: ToMany<Other> = nil",
  ])
  func adviceHasTheWordOfTheRun(_ members: String) async {
    let source = """
      // box: entity
      class Note {
      \(members)
      init() {}
      }
      class Other: Entity {
      var id: Id = 0
      var note: ToOne<Note> = nil
      init() {}
      }
      enum Kind { case a }
      """
    var request = GeneratorRequest(
      files: [SwiftFile(path: "A.swift", bytes: Array(source.utf8))], target: "App",
      modelPath: "model.json", model: nil, bindingsPath: "EntityInfo.generated.swift",
      bindings: nil)
    request.annotationPrefix = "box"
    let findings = await Generation(request).findings
    let advice = findings.compactMap(\.advice)
    #expect(advice.contains { $0.contains("// box: ") }, "\(findings)")
    #expect(!advice.contains { $0.contains("objectbox:") }, "\(findings)")
  }
}
