import BoxGenerator
import BoxHash
import BoxModel
import BoxReport
import BoxSources
import TestSupport
import Testing

/// The fingerprint of sources changes with each change that the generator can see, and not with others.
struct FingerprintLawTests {
  @Test func everyChangeThatIsSeenChangesIt() async {
    var random = TestSeed.next()
    var (seen, early) = (0, 0)
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_FINGERPRINTS", default: 400) {
      var program = WrittenProgram(&random)
      for _ in 0..<4 {
        let before = program
        program.edit(&random)
        let (old, new) = (before.files(&random), program.files(&random))
        let isSeen = await output(old) != output(new)
        let isChanged = await fingerprint(old) != fingerprint(new)
        #expect(isChanged || !isSeen, "\(text(old))\n---\n\(text(new))")
        seen += isSeen ? 1 : 0
        early += isChanged && !isSeen ? 1 : 0
      }
    }
    // More changes are seen than not, and few without effect change it.
    #expect(seen > early)
    print("seen: \(seen), changed without effect: \(early)")
  }

  @Test func otherCodeDoesNot() async {
    var random = TestSeed.next()
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_FINGERPRINTS", default: 400) {
      let program = WrittenProgram(&random)
      let (old, new) = (program.files(&random), program.files(&random))
      #expect(await output(old) == output(new), "\(text(old))\n---\n\(text(new))")
      #expect(await fingerprint(old) == fingerprint(new), "\(text(old))\n---\n\(text(new))")
    }
  }

  /// Extensions with code that the bindings do not have, of classes and of structs.
  @Test(arguments: [
    "extension Note { func f() -> Int { 1 } }",
    "extension Note: CustomStringConvertible { var description: String { title } }",
    "extension Note { convenience init(title: String) { self.init(); self.title = title } }",
    "extension Note { public convenience init?(_ text: [String: Int], b: Int = 2) { nil } }",
    "extension Note { static let shared = Note() }",
    "extension Note { subscript(i: Int) -> Int { i } }",
    "#if DEBUG\nextension Note { func g() {} }\n#endif",
    "extension Note {\n#if DEBUG\n  var x: Int { 1 }\n#else\n  func y() {}\n#endif\n}",
    "extension Note { enum CodingKeys: String, CodingKey { case title } }",
    "extension Note { @MainActor var shown: String { title } }", "extension Point { func g() {} }",
    "extension Point { init(_ x: Int) { self.init(id: 0, x: x) } }",
    "extension Point {\n#if DEBUG\n  init?(text: String = \"\") { nil }\n#endif\n}",
    "extension Note: Comparable { static func < (a: Note, b: Note) -> Bool { a.title < b.title } }",
  ])
  func anExtensionOfOtherCodeDoesNot(_ text: String) async {
    let entities = """
      final class Note: Entity {
        var id: Id = 0
        var title = ""
        init() {}
      }
      struct Point: Entity {
        var id: Id
        var x: Int
      }
      """
    let old = [SwiftFile(path: "Note.swift", bytes: Array(entities.utf8))]
    // One that bindings can call counts.
    let called = "extension Point { init(x: Int, id: Id, y: Int = 0) { self.init(id: id, x: x) } }"
    let more = old + [SwiftFile(path: "More.swift", bytes: Array(called.utf8))]
    #expect(await fingerprint(old) != fingerprint(more))
    let new = old + [SwiftFile(path: "More.swift", bytes: Array(text.utf8))]
    let together = [SwiftFile(path: "Note.swift", bytes: Array((entities + "\n" + text).utf8))]
    #expect(await output(old) == output(new))
    #expect(await fingerprint(old) == fingerprint(new))
    #expect(await fingerprint(old) == fingerprint(together))
  }

  /// Initializers in extensions that bindings may call.
  @Test(arguments: [
    "extension Note { convenience init() { self.init(title: \"\") } }",
    "extension Note { convenience init(a: Int = 1, b: [Int] = [1, 2]) { self.init(title: \"\") } }",
  ])
  func anInitializerThatBindingsCallChangesIt(_ text: String) async {
    let entity = """
      final class Note: Entity {
        var id: Id = 0
        var title = ""
        init(title: String) { self.title = title }
      }
      """
    let old = [SwiftFile(path: "Note.swift", bytes: Array(entity.utf8))]
    let new = old + [SwiftFile(path: "More.swift", bytes: Array(text.utf8))]
    #expect(await output(old) != output(new))
    #expect(await fingerprint(old) != fingerprint(new))
  }

  private func text(_ files: [SwiftFile]) -> String {
    files.map { "// \($0.path)\n" + String(decoding: $0.bytes, as: UTF8.self) }.joined()
  }

  private func fingerprint(_ files: [SwiftFile]) async -> Fingerprint {
    await SourceFingerprint.of(files, prefix: "objectbox")
  }

  /// The bindings and the catalogue, or the messages.
  private func output(_ files: [SwiftFile]) async -> [String] {
    var request = GeneratorRequest(
      files: files, target: "App",
      modelPath: "model-App.json", model: nil, bindingsPath: "EntityInfo-App.generated.swift",
      bindings: nil)
    request.uids = .sequential
    let generation = await Generation(request)
    let messages = generation.findings.map { "\($0.rule.id) \($0.message)" }.sorted()
    return [generation.bindings ?? "", generation.catalogue ?? "", generation.lock ?? ""] + messages
  }
}

/// Declarations of a target that can be written in many ways.
private struct WrittenProgram {
  struct Property {
    var name: String
    var type: String
    var value: String
    var annotations: [String] = []
    var keyword = "var"
    var attribute = ""
    var directive = Directive.none
  }

  /// The place of a directive, which parts annotations from what follows.
  enum Directive: CaseIterable { case none, first, between }

  struct Entity {
    var name: String
    var isClass: Bool
    var annotations: [String]
    var conforms: Bool
    var properties: [Property]
    var initializer = "required init() {}"
    /// Whether it conforms in an extension, which can be in another file.
    var isExtended = false
    var directive = Directive.none
    /// The spelling of the protocol.
    var conformance = "Entity"
  }

  var entities: [Entity]
  /// The cases of the enums, with their raw values.
  var enums = [[("none", "0"), ("one", "1")], [("none", "0"), ("two", "2")]]
  var enumType = "Int"
  var alias = "Double"
  var converter = "Int"
  /// The members of a struct that may be embedded, and of one in it.
  var place = ["var lat: Double = 0", "// objectbox: index\n  var text: String? = nil"]
  var spot = ["var x: Int = 0"]
  /// The type that entities embed by the name of an alias.
  var placeAlias = "Place"

  init(_ random: inout SplitMix64) {
    entities = []
    for index in 0...random.below(3) { entities.append(Self.entity("E\(index)", &random)) }
  }

  private static let kinds: [(type: String, value: String, annotation: String?)] = [
    ("Int", "0", nil), ("String", "\"a } { b\"", nil), ("String?", "nil", "index"),
    ("[Float]", "[]", "hnswIndex: dimensions=3"), ("Date?", "nil", nil),
    ("Mood0", ".none", "convert = { \"default\": \".none\" }"), ("Mood1?", "nil", "convert"),
    ("Price", "0", nil),
    ("Weight", "Weight()", "convert = { \"dbType\": \"Int\", \"converter\": \"WeightConverter\" }"),
    ("ToOne<E0>", "nil", nil), ("ToMany<E0>", "nil", nil), ("Bool", "false", "transient"),
    ("Where", "Where()", "embedded"), ("Where?", "nil", "embedded = \"w_\""),
    ("Spot", "Spot()", "embedded"), ("UInt8", "1", "unique"),
    ("[String]", "[\n    \"a\",\n  ]", nil),
  ]

  private static let placeMembers = [
    "// objectbox: embedded\n  var spot: Spot = Spot()",
    "// objectbox: embedded, was = {\"x\": \"x\"}\n  var other: Spot? = nil",
    "// objectbox: convert = { \"default\": \".none\" }\n  var mood: Mood0 = .none",
    "// objectbox: transient\n  var left = 1", "var more: Price = 0", "var to: ToOne<E0> = nil",
  ]

  private static func property(_ name: String, _ random: inout SplitMix64) -> Property {
    let kind = random.pick(kinds)
    return Property(
      name: name, type: kind.type, value: kind.value,
      annotations: kind.annotation.map { [$0] } ?? [])
  }

  private static func entity(_ name: String, _ random: inout SplitMix64) -> Entity {
    let conforms = random.oneIn(2)
    return Entity(
      name: name, isClass: true, annotations: conforms ? [] : ["entity"], conforms: conforms,
      properties: (0...random.below(4)).map { property("p\($0)", &random) },
      isExtended: random.oneIn(3),
      conformance: random.pick([
        "Entity", "Entity", "BoxStore.Entity", "Entity & Sendable", "`Entity`", "Sendable, Entity",
      ]))
  }

  // MARK: - Changes

  /// Changes one thing.
  mutating func edit(_ random: inout SplitMix64) {
    let e = random.below(entities.count)
    let p = random.below(entities[e].properties.count)
    switch random.below(28) {
    case 0: entities.append(Self.entity("E\(entities.count)", &random))
    case 1: entities[e].name += "x"
    case 2: entities[e].properties.append(Self.property("q\(random.below(9))", &random))
    case 3: entities[e].properties[p].name += "x"
    case 4: entities[e].properties[p] = Self.property(entities[e].properties[p].name, &random)
    case 5: entities[e].properties[p].annotations = []
    case 6: entities[e].properties[p].annotations.append("name = \"n\(random.below(3))\"")
    case 7: entities[e].annotations.append("name = \"N\(random.below(3))\"")
    case 8: entities[e].properties[p].value = random.pick(["nil", ".one", "3", "\"x\""])
    case 9:
      entities[e].properties[p].keyword = random.pick(["let", "lazy var", "static var", "weak var"])
    case 10:
      entities[e].properties[p].attribute = random.pick([
        "@Published", "private", "@Trimmed(by: 3)",
      ])
    case 11: entities[e].isClass.toggle()
    case 12: entities[e].conforms.toggle()
    case 13: entities[e].isExtended.toggle()
    case 14:
      entities[e].initializer = random.pick(["", "init(a: Int) {}", "required init() { print(1) }"])
    case 15: enums[random.below(2)].append(("more\(random.below(3))", String(3 + random.below(3))))
    case 16: enums[random.below(2)][1].1 = random.pick(["7", ""])
    case 17: enumType = random.pick(["Int", "Int8", "String", "UInt32"])
    case 18: alias = random.pick(["Double", "Float", "Int", "Other"])
    case 19: converter = random.pick(["Int", "Int?", "String"])
    case 20: entities[e].properties.swapAt(p, 0)
    case 21: entities[e].directive = random.pick(Directive.allCases)
    case 22: entities[e].properties[p].directive = random.pick(Directive.allCases)
    case 23: place.append(random.pick(Self.placeMembers))
    case 24: place.removeLast(place.count > 1 ? 1 : 0)
    case 25:
      spot = [
        random.pick(["var x: Int = 0", "var x: Int? = 0", "let x: Double", "init(y: Int) {}"])
      ]
    case 26: placeAlias = random.pick(["Place", "Spot", "Weight"])
    default:
      entities[e].properties[p].annotations = [random.pick(["index", "unkown", "uid", "flex"])]
    }
  }

  // MARK: - Text

  /// The program as files, with other code and comments that change from call to call.
  func files(_ random: inout SplitMix64) -> [SwiftFile] {
    var declarations = entities.flatMap { text($0, &random) }
    for (index, cases) in enums.enumerated() {
      let lines = cases.map {
        "  case \($0.0)\($0.1.isEmpty ? "" : " = \(enumType == "String" ? "\"\($0.1)\"" : $0.1)")"
      }
      declarations.append(
        "enum Mood\(index): \(enumType) {\n\(noise(&random))" + lines.joined(separator: "\n")
          + "\n\(member(&random))}\n")
    }
    declarations.append("typealias Price = \(alias)\n")
    declarations.append("typealias Other = Float\n")
    for (name, members) in [("Place", place), ("Spot", spot)] {
      let lines = members.map { "  \($0)\n\(member(&random))" }
      declarations.append("struct \(name) {\n\(noise(&random))\(lines.joined())}\n")
    }
    declarations.append("typealias Where = \(placeAlias)\n")
    declarations.append("struct Weight { \(random.pick(["", "var grams = 0; "])) }\n")
    declarations.append(
      """
      enum WeightConverter {
        static func convert(_ weight: Weight) -> \(converter) { \(statement(&random)) }
        static func convert(_ value: \(converter)) -> Weight { \(statement(&random)) }
      \(member(&random))}

      """)
    if random.oneIn(2) {
      declarations.append("extension E0 {\n\(member(&random))}\n")
      declarations.append(
        "struct Unrelated\(random.below(9)) {\n  var entity: Int\n\(member(&random))}\n")
    }
    var files: [SwiftFile] = []
    let count = 1 + random.below(3)
    for index in 0..<count {
      let part = random.shuffled(declarations.indices.filter { $0 % count == index })
      let text = part.map { noise(&random) + declarations[$0] }.joined(separator: "\n")
      files.append(
        SwiftFile(
          path: "F\(random.below(5))\(index).swift", bytes: Array(("import BoxStore\n" + text).utf8)
        ))
    }
    return random.shuffled(files)
  }

  private func text(_ entity: Entity, _ random: inout SplitMix64) -> [String] {
    var text = annotations(entity.annotations, entity.directive)
    let keyword = entity.isClass ? "class" : "struct"
    let head = entity.conforms && !entity.isExtended ? ": \(entity.conformance)" : ""
    text += "\(keyword) \(entity.name)\(head) {\n  var id: Id = 0\n"
    for property in entity.properties {
      text += noise(&random)
      text += annotations(property.annotations, property.directive)
      text +=
        "  \(property.attribute) \(property.keyword) \(property.name): \(property.type) = \(property.value)"
      text += random.pick(["\n", " // note\n", "\n\n", " { didSet { \(statement(&random)) } }\n"])
      text += member(&random)
    }
    text += "  \(entity.initializer)\n}\n"
    if entity.conforms, entity.isExtended {
      return [text, "extension \(entity.name): \(entity.conformance) {}\n"]
    }
    return [text]
  }

  private func annotations(_ annotations: [String], _ directive: Directive) -> String {
    let mark = "#sourceLocation(file: \"a\", line: 1)\n"
    return (directive == .first ? mark : "")
      + annotations.map { "  // objectbox: \($0)\n" }.joined() + (directive == .between ? mark : "")
  }

  private func noise(_ random: inout SplitMix64) -> String {
    random.pick([
      "", "\n", "  // A comment { with \" signs\n", "/* more /* } */ */\n", "  /// Docs.\n",
    ])
  }

  private func statement(_ random: inout SplitMix64) -> String {
    random.pick([
      "fatalError()", "let x = \"\\(1 + 2) }\"; _ = x; fatalError()",
      "if true { fatalError() } else { fatalError() }",
      "fatalError(#\"}\"#)", "/* { */ fatalError()",
    ])
  }

  /// A member that is not stored.
  private func member(_ random: inout SplitMix64) -> String {
    random.pick([
      "", "  func f\(random.below(99))(a: Int) -> Int { \(statement(&random)) }\n",
      "  var c\(random.below(99)): Int { \(statement(&random)) }\n",
      "  static let s\(random.below(99)) = 3\n",
      "  subscript(i: Int) -> Int { get { 1 } set { \(statement(&random)) } }\n",
    ])
  }
}
