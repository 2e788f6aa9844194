import BoxModel
import TestSupport
import Testing

@testable import BoxRecovery

/// Broken and misleading code never gives an element that the model did not have.
struct HostileCodeTests {
  /// The elements of a model: their kinds, pairs, owners and names.
  private func elements(_ model: Model) -> Set<[String]> {
    var result: Set<[String]> = []
    for entity in model.entities {
      let owner = "\(entity.pair)"
      result.insert(["entity", owner, entity.name])
      for property in entity.properties {
        result.insert([
          "property", owner, "\(property.pair)", property.name, "\(property.type?.rawValue ?? -1)",
          "\(property.flags.rawValue)",
        ])
        if let index = property.indexID {
          result.insert(["index", "\(property.pair)", "\(index)"])
        }
      }
      for relation in entity.relations ?? [] {
        result.insert(["relation", owner, "\(relation.pair)", "\(relation.target)"])
      }
    }
    return result
  }

  /// Code that is cut off anywhere has a part of the elements, or is not used; it is never complete
  /// without all of them.
  @Test(arguments: CodeWriter.Shape.allCases)
  func codeThatIsCutOffHasNoOtherElements(_ shape: CodeWriter.Shape) {
    let seed = TestSeed.value("codeThatIsCutOffHasNoOtherElements \(shape)")
    var generator = ModelGenerator(seed: seed)
    let model = generator.model()
    let known = elements(model)
    var random = SplitMix64(seed: seed)
    for file in CodeWriter.files(model, shape) {
      for _ in 0..<300 {
        let cut = random.below(file.bytes.count)
        let part = CodeScan.File(path: file.path, bytes: Array(file.bytes[..<cut]))
        for found in CodeScan.evidence(in: [part]) where found.problems.isEmpty {
          let elements = elements(found.model)
          #expect(elements.isSubset(of: known), "\(shape), cut at \(cut)")
          if found.isComplete { #expect(elements == known, "\(shape), cut at \(cut)") }
        }
      }
    }
  }

  /// A byte that is changed in a number or a name gives another element; what has the same UIDs must
  /// keep its pair and its owner.
  @Test(arguments: CodeWriter.Shape.allCases)
  func damagedCodeDoesNotCrash(_ shape: CodeWriter.Shape) {
    var random = SplitMix64(seed: TestSeed.value("damagedCodeDoesNotCrash \(shape)"))
    var generator = ModelGenerator(seed: 7)
    for file in CodeWriter.files(generator.model(), shape) {
      for _ in 0..<200 {
        var bytes = file.bytes
        for _ in 0...random.below(4) {
          let position = random.below(bytes.count)
          switch random.below(3) {
          case 0: bytes[position] = UInt8(random.below(256))
          case 1: bytes.remove(at: position)
          default: bytes.insert(random.pick(Array("(){}[]<>\"'`\\/*#|,.:;=0".utf8)), at: position)
          }
        }
        _ = CodeScan.evidence(in: [CodeScan.File(path: file.path, bytes: bytes)])
        _ = EmbeddedModel.files(in: bytes)
      }
    }
  }

  @Test(arguments: CodeWriter.Shape.allCases)
  func oneLineIsReadLikeMany(_ shape: CodeWriter.Shape) {
    // Directives of C and comments to the end of a line need their lines.
    var generator = ModelGenerator(seed: 11)
    let model = generator.model()
    let files = CodeWriter.files(model, shape).map { file in
      let lines = String(decoding: file.bytes, as: UTF8.self).split(separator: "\n").filter {
        line in
        let text = line.drop { $0 == " " }
        return !text.hasPrefix("//") && !text.hasPrefix("#") && !text.contains("Left out")
      }
      return CodeScan.File(path: file.path, bytes: Array(lines.joined(separator: " ").utf8))
    }
    let found = CodeScan.evidence(in: files)
    #expect(found.map(\.problems) == [[]])
    #expect(
      found.first.map { elements($0.model) == elements(ComparableModel(model, shape).model) }
        ?? false)
  }

  @Test(arguments: [
    (
      "a.dart", "// ModelEntity(id: const IdUid(1, 2000), name: 'A', lastPropertyId: IdUid(1, 3))\n"
    ),
    ("a.dart", "final s = '''ModelEntity(id: IdUid(1, 2000), name: \"A\")''';"),
    ("a.dart", "ModelEntity(id: IdUid(1, 2000), name: '$name', lastPropertyId: IdUid(1, 3000));"),
    ("a.dart", "ModelEntity(id: IdUid(1, 1000 + 1), name: 'A', lastPropertyId: IdUid(1, 3000));"),
    (
      "a.swift",
      "/* /* */ try entityBuilder.addProperty(name: \"a\", type: PropertyType.long, id: 1, uid: 2) */"
    ),
    ("a.swift", "let s = #\"modelBuilder.entityBuilder(for: A.self, id: 1, uid: 2000)\"#\n"),
    ("a.java", "class A { ModelBuilder m; String s = \"m.entity(\\\"A\\\").id(1, 2L)\"; }"),
    ("a.go", "var s = `model.Entity(\"A\", 1, 2000)`\nvar o objectbox.Model\n"),
    ("a.h", "#if 0\nobx_model_entity(model, \"A\", 1, 2000);\n#endif\n"),
    ("a.h", "#define A \\\nobx_model_entity(model, \"A\", 1, 2000);\nint x;\n"),
    ("a.cpp", "auto s = R\"x(obx_model_entity(model, \"A\", 1, 2000);)x\";"),
    ("a.c", "obx_model_entity(model, \"A\", 1, uid);"),
    ("a.h", "#if (1)\n#else\nobx_model_entity(model, \"A\", 1, 2000);\n#endif\n"),
    ("a.h", "#if A\n#elif 0\nobx_model_entity(model, \"A\", 1, 2000);\n#endif\n"),
    ("a.h", "#if 0 /*\n#endif */\nobx_model_entity(model, \"A\", 1, 2000);\n#endif\n"),
    ("a.h", "#define A /*\nobx_model_entity(model, \"A\", 1, 2000); */\nint x;\n"),
    ("a.h", "// a \\\nobx_model_entity(model, \"A\", 1, 2000);\nint x;\n"),
    ("a.h", "// a \\\r\nobx_model_entity(model, \"A\", 1, 2000);\nint x;\n"),
    ("a.h", "const char *s = \"\\\r\nobx_model_entity(model, 'A', 1, 2000);\";\n"),
    ("a.cpp", "auto s = u8R\"(\" obx_model_entity(model, \"A\", 1, 2000);)\";"),
    ("a.cpp", "auto s = LR\"(\" obx_model_entity(model, \"A\", 1, 2000);)\";"),
    ("a.swift", "#if false\nmodelBuilder.entityBuilder(for: A.self, id: 1, uid: 2000)\n#endif\n"),
    (
      "a.swift",
      "#if A\n#elseif false\nmodelBuilder.entityBuilder(for: A.self, id: 1, uid: 2000)\n#endif\n"
    ),
    (
      "a.swift",
      "let s = \"\\(f(\")\")) modelBuilder.entityBuilder(for: A.self, id: 1, uid: 2000)\"\n"
    ),
    ("a.dart", "final s = '${f('}')} ModelEntity(id: IdUid(1, 2000), name: \"A\")';"),
  ])
  func whatOnlyLooksLikeACallIsNoElement(_ path: String, _ code: String) {
    for found in CodeScan.evidence(in: [CodeScan.File(path: path, bytes: Array(code.utf8))]) {
      #expect(found.model.entities.isEmpty || !found.problems.isEmpty, "\(code)")
      #expect(!found.isComplete, "\(code)")
    }
  }

  /// The first half of one model and the second half of another are told by their methods.
  @Test(arguments: [CodeWriter.Shape.java])
  func halvesOfTwoModelsAreNoModel(_ shape: CodeWriter.Shape) {
    let seed = TestSeed.value("halvesOfTwoModelsAreNoModel \(shape)")
    for number in 0..<100 {
      var generator = ModelGenerator(seed: seed &+ UInt64(number))
      let (first, second) = (generator.model(), generator.model())
      let (known, others) = (elements(first), elements(second))
      for (a, b) in zip(CodeWriter.files(first, shape), CodeWriter.files(second, shape)) {
        let upper = String(decoding: a.bytes, as: UTF8.self).split(separator: "\n")
        let lower = String(decoding: b.bytes, as: UTF8.self).split(separator: "\n")
        let text = upper.prefix(upper.count / 2) + lower.suffix(lower.count / 2)
        let file = CodeScan.File(path: a.path, bytes: Array(text.joined(separator: "\n").utf8))
        for found in CodeScan.evidence(in: [file]) where found.isComplete {
          let elements = elements(found.model)
          #expect(
            elements.isDisjoint(with: known) || elements.isDisjoint(with: others),
            "\(shape) \(number)")
        }
      }
    }
  }

  /// A package of Go whose file is missing, and Swift code from its middle, are parts of a model.
  @Test func codeWithoutOneOfItsEntitiesIsAPart() throws {
    var model = Model()
    for id in 1...3 {
      var entity = Entity(pair: IDPair(id: UInt32(id), uid: UID(1000 * id)), name: "E\(id)")
      let key = IDPair(id: 1, uid: UID(1000 * id + 1))
      entity.properties = [Property(pair: key, name: "id", type: .long, flags: .id)]
      entity.lastPropertyID = key
      model.entities.append(entity)
    }
    model.lastEntityID = model.entities[2].pair
    let files = CodeWriter.files(model, .go)
    for number in files.indices where !files[number].path.hasSuffix("objectbox-model.go") {
      var rest = files
      rest.remove(at: number)
      let found = CodeScan.evidence(in: rest)
      #expect(found.map(\.isComplete) == [false] && found[0].problems.isEmpty, "\(found)")
    }
    let swift = try #require(CodeWriter.files(model, .swift).first)
    let lines = String(decoding: swift.bytes, as: UTF8.self).split(separator: "\n")
    for (number, line) in lines.enumerated()
    where number > 0 && line.hasPrefix("extension") && line.hasSuffix("EntityInspectable {") {
      let rest = lines.dropFirst(number).joined(separator: "\n") + "\n"
      let found = CodeScan.evidence(
        in: [CodeScan.File(path: swift.path, bytes: Array(rest.utf8))])
      // The first of them is that of the whole model.
      let count = found.first?.model.entities.count
      #expect(found.map(\.isComplete) == [count == 3], "\(found)")
    }
  }

  /// Calls whose property is missing belong to the one before it, in languages of one call a line.
  @Test(arguments: [
    ("a.go", "model.Property(\"b\", 9, 2, 300)\nmodel.PropertyFlags(4)\nmodel.PropertyFlags(4)\n"),
    (
      "a.go",
      "model.Property(\"b\", 10, 2, 300)\nmodel.PropertyFlags(2048)\nmodel.PropertyIndex(1, 400)\n"
    ),
    ("a.go", "model.Property(\"b\", 9, 2, 300)\nmodel.PropertyFlags(1)\n"),
    ("a.go", "model.Property(\"b\", 11, 2, 300)\n"),
  ])
  func callsWithoutTheirPropertyAreRefused(_ path: String, _ calls: String) {
    let code = """
      var ABinding = a_EntityInfo{Entity: objectbox.Entity{Id: 1}, Uid: 100}
      model.Entity("A", 1, 100)
      model.Property("id", 6, 1, 200)
      model.PropertyFlags(1)
      \(calls)model.EntityLastPropertyId(2, 300)
      model.RegisterBinding(ABinding)
      model.LastEntityId(1, 100)
      model.LastIndexId(1, 400)

      """
    let found = CodeScan.evidence(in: [CodeScan.File(path: path, bytes: Array(code.utf8))])
    #expect(found.count == 1 && found.allSatisfy { !$0.problems.isEmpty && !$0.isComplete })
  }

  /// A merge that was not finished has elements of both sides.
  @Test(arguments: CodeWriter.Shape.allCases)
  func codeWithConflictMarkersIsRefused(_ shape: CodeWriter.Shape) throws {
    let seed = TestSeed.value("codeWithConflictMarkersIsRefused \(shape)")
    var generator = ModelGenerator(seed: seed)
    var random = SplitMix64(seed: seed)
    let files = CodeWriter.files(generator.model(), shape)
    for number in files.indices {
      var lines = String(decoding: files[number].bytes, as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: false)
      let place = random.below(lines.count)
      lines.insert(contentsOf: ["<<<<<<< HEAD", "=======", ">>>>>>> theirs"], at: place)
      var broken = files
      broken[number].bytes = Array(lines.joined(separator: "\n").utf8)
      for found in CodeScan.evidence(in: broken) {
        #expect(!found.isComplete, "\(shape), line \(place + 1)")
        #expect(
          found.problems.first?.place.hasSuffix(":\(place + 1)") ?? false, "\(found.problems)")
      }
    }
  }

  /// Lines of Java and C that were moved or lost their beginning or end.
  @Test(arguments: [
    // The call belongs to a property that has ended.
    (
      "c.h(2, 7000000000002); PB q = e.j(\"c\", 5); q.h(3, 7000000000003); p.f(8);",
      "p is called after its element has ended"
    ),
    // The rest of the statement is missing.
    ("c.h(2, 7000000000002)", "a statement does not end"),
    // A generator writes relations after properties.
    (
      "c.h(2, 7000000000002); e.m(\"r\", 1, 7000000000009, 1, 7000000000000); e.j(\"d\", 5).h(3, 7000000000003);",
      "the property d follows a relation"
    ),
  ])
  func linesOfJavaThatWereMovedAreRefused(_ lines: String, _ message: String) throws {
    let code = """
      class A { void b() { ModelBuilder m = new ModelBuilder();
      m.lastEntityId(1, 7000000000000);
      EntityBuilder e = m.entity("A"); e.id(1, 7000000000000).lastPropertyId(3, 7000000000003);
      PB p = e.j("id", 6); p.h(1, 7000000000001); p.f(1);
      PB c = e.j("b", 5);
      \(lines)
      e.entityDone(); } }

      """
    let found = CodeScan.evidence(in: [CodeScan.File(path: "A.java", bytes: Array(code.utf8))])
    #expect(found.count == 1)
    #expect(
      found.first?.problems.contains { $0.message.hasPrefix(message) } ?? false,
      "\(found.map(\.problems))")
  }

  /// The name of an entity is that of its own type, also where another one has the same id.
  @Test func halvesOfSwiftCodeDoNotLendTheirNames() {
    let code = """
      extension A: ObjectBox.EntityInspectable {
          static let entityInfo = ObjectBox.EntityInfo(name: "A", id: 1)
          let entityBuilder = try modelBuilder.entityBuilder(for: B.self, id: 1, uid: 2000)
          try entityBuilder.addProperty(name: "id", type: PropertyType.long, flags: [.id], id: 1, uid: 2001)
          try entityBuilder.lastProperty(id: 1, uid: 2001)
      }
      modelBuilder.lastEntity(id: 1, uid: 2000)

      """
    let found = CodeScan.evidence(in: [CodeScan.File(path: "E.swift", bytes: Array(code.utf8))])
    #expect(
      found.first?.problems.first?.message == "the name of the entity of B is not in the code")
  }

  /// Time and memory grow with the size of the code and not faster.
  @Test(
    .timeLimit(.minutes(15)),
    arguments: [
      "(", "[", "f(", "f(a,", "{", "<", "a<", "\"", "/*", "a.", "#", "m.e(\"x\").h(1,2", "|", "'",
    ])
  func repetitionsAreReadInTime(_ part: String) {
    let code = String(repeating: part, count: (1 << 20) / part.utf8.count)
    for start in [
      ("a.dart", "ModelEntity("), ("a.swift", "modelBuilder.entityBuilder("),
      ("a.java", "ModelBuilder m = new ModelBuilder(); m."), ("a.go", "model.Entity("),
      ("a.c", "obx_model_entity("),
    ] {
      let bytes = Array((start.1 + code).utf8)
      _ = CodeScan.evidence(in: [CodeScan.File(path: start.0, bytes: bytes)])
      _ = EmbeddedModel.files(in: bytes)
    }
  }
}
