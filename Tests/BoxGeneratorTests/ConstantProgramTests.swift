import BoxGenerator
import BoxModel
import BoxReport
import BoxSources
import TestSupport
import Testing

/// Four versions of an app whose entity gets properties that are not optional, each on the store of the others.
@Suite(.serialized) struct ConstantProgramTests {
  private static func source(_ members: String) -> String {
    """
    import BoxStore

    enum Genre: Int { case other = 0, novel = 1 }
    struct Cents: Equatable { var value: Int; static let none = Cents(value: -1) }
    enum CentsConverter {
      static func convert(_ cents: Cents) -> Int { cents.value }
      static func convert(_ value: Int?) -> Cents { Cents(value: value ?? 99) }
    }

    final class Note: Entity {
      var id: Id = 0
      var title = ""
    \(members)
      init() {}
    }

    """
  }

  private static let members = """
      // objectbox: index
      var rating: Int = 5
      var isDone: Bool = false
      var colour = "red\\"\\n"
      // objectbox: convert = { "default": ".other" }
      var genre = Genre.novel
      // objectbox: convert = { "dbType": "Int", "converter": "CentsConverter" }
      var price: Cents = .none
      var limit: Int32 = .max
      var tags = ["a", "b"]
      var weight: Float = -1.5
      // objectbox: default = 1000
      var created: Int64 = Int64("5") ?? 0
    """

  private static func main(_ body: String) -> String {
    """
    import BoxStore

    let store = try Store(directoryPath: "store")
    let box = store.box(for: Note.self)
    \(body)
    store.close()

    """
  }

  @Test func eachVersionReadsTheStoresOfTheOthers() async throws {
    let optional = Self.members.replacing("rating: Int = 5", with: "rating: Int? = 5")
      .replacing("colour = \"red\\\"\\n\"", with: "colour = \"blue\"")
    let versions = [
      (
        Self.source(""),
        """
        let note = Note()
        note.title = CommandLine.arguments[1]
        print(try box.put(note))
        """
      ),
      (
        Self.source(Self.members),
        """
        for note in try box.all() {
          print(
            note.title, note.rating, note.isDone, note.colour == "red\\"\\n", note.genre,
            note.price.value, note.limit, note.tags, note.weight, note.created)
        }
        func count(_ query: QueryCondition<Note>) throws -> Int { try box.query { query }.build().count() }
        print(
          try count(Note.rating == 5), try count(Note.rating < 5), try count(Note.isDone == false),
          try count(Note.genre == 1), try count(Note.price == -1), try count(Note.colour.startsWith("red")))
        let other = Note()
        other.title = "two"
        other.rating = Int(CommandLine.arguments[1]) ?? 0
        try box.put(other)
        let order = try box.query().ordered(by: Note.rating).build().find()
        print(order.map(\\.rating), try box.query().build().property(Note.rating).average())
        """
      ),
      (
        Self.source(optional),
        """
        for note in try box.all() { print(note.title, note.rating as Any, note.colour == "blue") }
        print(try box.query { Note.rating.isNil() }.build().count())
        """
      ),
    ]
    var programs: [GeneratedProgram] = []
    var model: [UInt8]?
    for (source, body) in versions {
      let run = await generate(source, model: model)
      #expect(!run.hasErrors, "\(run.findings.map(\.message))")
      model = run.model
      programs.append(
        try await GeneratedProgram([
          "Entities.swift": source, "EntityInfo.generated.swift": try #require(run.bindings),
          "main.swift": Self.main(body),
        ]))
    }
    let place = try TemporaryDirectory()
    func run(_ version: Int, _ argument: String = "") async throws -> [String] {
      let run = try await ProcessRun.of(
        programs[version - 1].directory.path(of: "program"), [argument], in: place.path)
      #expect(run.status == 0, "\(run.messages)")
      return run.text.split(separator: "\n").map(String.init)
    }
    let old = #"5 false true novel -1 2147483647 ["a", "b"] -1.5 1000"#
    #expect(try await run(1, "one") == ["1"])
    #expect(
      try await run(2, "-1") == ["one \(old)", "1 0 1 1 1 1", "[-1, 5] 2.0"])
    // The first version knows nothing of it, and its objects have the values too.
    #expect(try await run(1, "three") == ["3"])
    #expect(
      try await run(2, "7") == [
        "one \(old)", "two -1 false true novel -1 2147483647 [\"a\", \"b\"] -1.5 5", "three \(old)",
        "2 1 3 3 3 3", "[-1, 5, 5, 7] 4.0",
      ])
    #expect(
      try await run(3) == [
        "one nil false", "two Optional(-1) false", "three nil false", "two Optional(7) false", "2",
      ])
    #expect(try await run(2, "0").prefix(1) == ["one \(old)"])
  }

  // MARK: - What the generator says

  @Test func aComputedValueIsNamedWhenItIsAdded() async throws {
    let first = await generate(Self.source(""))
    let added = Self.source("  var made: Int = Int.random(in: 0...9)")
    let run = await generate(added, model: first.model)
    let finding = try #require(run.findings.first { $0.rule.id == "BOX976" })
    #expect(finding.severity == .warning && finding.region?.line == 13)
    #expect(finding.message.contains("\"made\"") && finding.message.contains("\"Note\""))
    #expect(await generate(added, model: run.model).findings.isEmpty)
    #expect(await generate(added).findings.isEmpty)
    for value in [".distantPast", "Date.now", "Date()"] {
      let date = await generate(Self.source("  var made: Date = \(value)"), model: first.model)
      #expect(date.findings.map(\.rule.id) == ["BOX976"], "\(value)")
    }
    let stored = await generate(
      Self.source(
        """
          // objectbox: convert = { "dbType": "Int", "converter": "CentsConverter" }, default = 40
          var price: Cents = Cents(value: 7)
        """), model: first.model)
    #expect(stored.findings.isEmpty, "\(stored.findings.map(\.message))")
    #expect(stored.bindings?.contains("PropertyConstant(40 as Int)") ?? false)
    let given = Self.source("  // objectbox: default = 3\n  var made: Int = Int.random(in: 0...9)")
    let answered = await generate(given, model: first.model)
    #expect(answered.findings.isEmpty, "\(answered.findings.map(\.message))")
    #expect(answered.bindings?.contains("PropertyConstant(3 as Int)") ?? false)
  }

  @Test(arguments: [
    ("default = 300", "var a: UInt8 = 1"), ("default = -1", "var a: UInt = 1"),
    ("default = red", "var a: Int = 1"), ("default = 1", "var a: Int? = 1"),
    ("default = 1", "var a: [Int32] = []"), ("default = yes", "var a: Bool = true"),
    ("default = 1", "var a: ToOne<Note> = nil"), ("unique, default = 1", "var a: Int = 1"),
    ("default", "var a: Int = 1"), ("default = 2024-01-01", "var a: Int64 = 1"),
    ("default = 1e400", "var a: Double = 1"),
    ("convert = { \"default\": \".other\" }, default = \".nope\"", "var a = Genre.novel"),
  ])
  func aDefaultThatDoesNotFit(_ annotation: String, _ declaration: String) async throws {
    let run = await generate(
      Self.source("  // objectbox: \(annotation)\n  \(declaration)"))
    let finding = try #require(run.findings.first, "\(annotation)")
    #expect(finding.rule.id == "BOX954" || finding.severity == .error, "\(finding)")
    #expect(finding.message.contains("\"default\" does not fit"), "\(finding.message)")
    #expect(finding.region?.line == 13 && run.bindings == nil)
  }
}
