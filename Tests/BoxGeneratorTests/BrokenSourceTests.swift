import BoxGenerator
import BoxHash
import BoxModel
import BoxReport
import BoxSources
import TestSupport
import Testing

/// Sources that are not correct Swift, as an editor saves them in the middle of a change.
struct BrokenSourceTests {
  private func generate(_ files: [String], model: [UInt8]? = nil) async -> Generation {
    var request = GeneratorRequest(
      files: files.enumerated().map {
        SwiftFile(path: "F\($0.offset).swift", bytes: Array($0.element.utf8))
      }, target: "A", modelPath: "model-A.json", model: model,
      bindingsPath: "EntityInfo-A.generated.swift", bindings: nil)
    request.uids = .sequential
    return await Generation(request)
  }

  private func source(_ random: inout SplitMix64) -> String {
    var text = "import BoxStore\n"
    for entity in 0...random.below(3) {
      text += "final class E\(entity): Entity {\n  var id: Id = 0\n"
      for property in 0...random.below(4) {
        text += random.pick([
          "  // objectbox: index\n  var p\(property): String = \"\"\n",
          "  var p\(property): [Int32] = [1, 2]\n", "  var p\(property): Int? { didSet {} }\n",
          "  var p\(property): ToOne<E0> = nil\n",
          "  // A comment.\n  func f\(property)(a: Int) { print(\"\\(a)\", [a]) }\n",
        ])
      }
      text += "  init() {}\n}\n\n"
    }
    return text
  }

  /// The positions outside of comments, which are free text: a changed annotation is none any more.
  private static func positionsOfCode(_ text: [UInt8]) -> [Int] {
    var isComment = false
    return text.indices.filter { position in
      if text[position] == 10 { isComment = false }
      if text[position...].starts(with: "//".utf8) { isComment = true }
      return !isComment
    }
  }

  /// Either the run stops, or the mistake changed nothing that is stored.
  @Test func noMistakeRetiresAnything() async throws {
    var random = TestSeed.next()
    var stopped = 0
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_BROKEN_SOURCES", default: 1500) {
      let text = source(&random)
      let model = try #require(await generate([text]).model)
      var broken = Array(text.utf8)
      let position = random.pick(Self.positionsOfCode(broken))
      if random.oneIn(3) {
        let signs = broken.indices.filter { "{}()[]\"".utf8.contains(broken[$0]) }
        broken.remove(at: random.pick(signs))
      } else {
        broken.insert(
          contentsOf: random.pick(["{", "}", "(", ")", "[", "]", "/*", "\"", "\"\"\"", "#if A\n"])
            .utf8,
          at: position)
      }
      let run = await generate([String(decoding: broken, as: UTF8.self)], model: model)
      if run.hasErrors {
        stopped += 1
        #expect(run.bindings == nil)
      } else {
        #expect(run.model == model, "\(String(decoding: broken, as: UTF8.self))")
      }
    }
    #expect(stopped > 0)
  }

  @Test(arguments: [
    ("class A: Entity {\n  var id: Id = 0\n  /* var x = 1\n  init() {}\n}\n", 3),
    ("class A: Entity {\n  var id: Id = 0\n  }\n  var x = 1\n  init() {}\n}\n", 6),
    ("class A: Entity {\n  var id: Id = 0\n  var x = \"\n  init() {}\n}\n", 3),
    ("class A: Entity {\n  var id: Id = 0\n  init() {}\n", 1),
    ("class A: Entity {\n  var id: Id = 0\n  vr x = 1\n  init() {}\n}\n", 3),
    ("class A: Entity {\n  var id: Id = 0\n  var x = 1 2\n  init() {}\n}\n", 3),
    ("class A: Entity {\n  var id: Id = 0\n  var x: = 1\n  init() {}\n}\n", 3),
    ("class A: Entity {\n  var id: Id = 0\n  init( {}\n}\n", 4),
    ("import BoxStore\nclas A: Entity {\n  var id: Id = 0\n}\n", 2),
    ("import BoxStore\n// objectbox: entity\nA {\n  id = 0\n}\n", 3),
    ("class B: Entity {\n  var id: Id = 0\n}\nfunc f() {\n  class A: {\n  }\n}\n", 5),
    ("class A: Entity {\n  var id: Id = 0\n#if X\n  var x = 1\n}\n#endif\n", 5),
  ])
  func aMistakeHasItsPlace(source: String, line: Int) async throws {
    let run = await generate([source])
    let finding = try #require(run.findings.first)
    #expect(finding.rule.name == "source-not-parsed")
    #expect(finding.region?.line == line, "\(finding)")
    #expect(run.model == nil && run.bindings == nil)
  }

  @Test(arguments: [
    ("enum N {", "}"), ("Optional<", ">"), ("[", "]"), ("#if A\n", "\n#endif\n"), ("(", ")"),
    ("foo<", ">"), ("\"\\(", ")\""), ("{", "}"),
  ])
  func aDeepFileIsAnError(opening: String, closing: String) async {
    let count = 20_000
    let deep =
      String(repeating: opening, count: count) + "1" + String(repeating: closing, count: count)
    let text =
      opening.hasPrefix("enum") || opening.hasPrefix("#")
      ? deep : "class A: Entity { var id: Id = 0; var x: T = \(deep); init() {} }"
    let files = ["class B: Entity { var id: Id = 0; init() {} }\n" + text]
    // Arguments that are too deep for a type are operators, and no type is known.
    let rule = closing == ">" ? "type-not-storable" : "source-not-parsed"
    #expect(await generate(files).findings.map(\.rule.name) == [rule])
    let swift = files.map { SwiftFile(path: "F.swift", bytes: Array($0.utf8)) }
    #expect(
      await SourceFingerprint.of(swift, prefix: "objectbox")
        == SourceFingerprint.of(swift, prefix: "objectbox"))
  }

  /// A type that an extension of another file makes an entity, where its own file has no word of it.
  @Test(arguments: [
    ": Entity {}", ": BoxStore.Entity {}", ": Sendable, Entity {}", ": Entity & Sendable {}",
    ": (Entity) {}", ": `Entity` {}",
  ])
  func anExtensionElsewhereMakesAnEntity(head: String) async throws {
    let type = "final class A {\n  var id: Id = 0\n  var x = 1\n  init() {}\n}\n"
    let here = await generate([type + "extension A\(head)\n"])
    let elsewhere = await generate([type, "import BoxStore\nextension A\(head)\n"])
    let direct = await generate([type.replacing("class A {", with: "class A\(head.dropLast(1))")])
    let model = try ModelDocument(parsing: try #require(elsewhere.model)).model
    #expect(model.entities.map(\.name) == ["A"])
    #expect(here.model == elsewhere.model && direct.model == elsewhere.model)
    func fingerprint(_ type: String) async -> String {
      await SourceFingerprint.of(
        [type, "extension A\(head)\n"].enumerated().map {
          SwiftFile(path: "F\($0.offset).swift", bytes: Array($0.element.utf8))
        }, prefix: "objectbox"
      ).hexadecimal
    }
    #expect(await fingerprint(type) != fingerprint(type.replacing("x = 1", with: "x = 1.5")))
  }
}
