import BoxGenerator
import BoxModel
import BoxSources
import TestSupport
import Testing

/// Programs with embedded structs, compiled and run.
@Suite(.serialized) struct EmbeddedProgramTests {
  private func program(_ source: String, _ run: Generation, _ main: String) async throws
    -> GeneratedProgram
  {
    try await GeneratedProgram([
      "Entities.swift": source,
      "EntityInfo.generated.swift": #require(run.bindings, "\(run.findings)"),
      "main.swift": main,
    ])
  }

  private static let person = """
    final class Person: Entity {
      var id: Id = 0
      // objectbox: embedded
      var home = Address()
      // objectbox: embedded = "office_"
      var work: Address?
    }

    """

  @Test func aMemberThatIsNewHasItsInitialValueInOlderObjects() async throws {
    let first = "import BoxStore\nstruct Address {\n  var street = \"\"\n}\n" + Self.person
    let then = """
      import BoxStore
      struct Steps { var count: Int }
      enum StepsConverter {
        static func convert(_ steps: Steps) -> Int { steps.count }
        static func convert(_ count: Int) -> Steps { Steps(count: count) }
      }
      struct Address {
        enum Kind: Int { case unknown = 0, flat = 1, house = 2 }
        var country = "DE"
        // objectbox: convert = { "default": ".unknown" }
        var kind = Kind.house
        // objectbox: default = 7
        var floor = 0
        // objectbox: convert = { "dbType": "Int", "converter": "StepsConverter" }, default = 12
        var steps = Steps(count: 0)
        var note: String?
        var street = ""
      }

      """
    let old = await generate(first)
    let writer = try await program(
      first, old,
      """
      import BoxStore
      let store = try Store(directoryPath: CommandLine.arguments[1])
      let box: Box<Person> = store.box()
      let both = Person()
      both.home = Address(street: "Elm")
      both.work = Address(street: "")
      try box.put([both, Person()])
      """)
    let reader = try await program(
      then + Self.person, await generate(then + Self.person, model: old.model),
      """
      import BoxStore
      let store = try Store(directoryPath: CommandLine.arguments[1])
      let box: Box<Person> = store.box()
      func show(_ a: Address?) {
        print(a.map { "\\($0.street) \\($0.country) \\($0.kind) \\($0.floor) \\($0.steps.count) \\($0.note ?? "-")" } ?? "nil")
      }
      for person in try box.all() {
        show(person.home)
        show(person.work)
      }
      print(try box.query { Person.home.country == "DE" }.build().count())
      print(try box.query { Person.work.country.isNil() }.build().count())
      """)
    let store = try TemporaryDirectory()
    _ = try await writer.run(store.path(of: "store"))
    let text = try await reader.run(store.path(of: "store"))
    #expect(
      text == """
        Elm DE house 7 12 -
         DE house 7 12 -
         DE house 7 12 -
        nil
        2
        2

        """)
  }

  @Test func aCaseOfAnEnumInATypeIsTheInitialValue() async throws {
    let source = """
      import BoxStore
      final class Note: Entity {
        enum Mood: Int { case none = 0, good = 1 }
        var id: Id = 0
        // objectbox: convert = { "default": ".none" }
        var mood = Mood.good
      }
      """
    let main = """
      import BoxStore
      let store = try Store(directoryPath: "memory:notes")
      let box: Box<Note> = store.box()
      try box.put(Note())
      print(try box.get(1)!.mood)
      """
    #expect(try await program(source, await generate(source), main).run() == "good\n")
  }

  @Test func propertiesOfStructsAreFoundInQueries() async throws {
    let source =
      """
      import BoxStore
      struct Geo {
        var lat = 0.0
        var lon: Double?
      }
      struct Address {
        var street = ""
        // objectbox: index
        var city: String?
        // objectbox: embedded
        var at: Geo?
      }

      """ + Self.person + """
        // objectbox: entity
        struct Firm {
          let id: EntityId<Firm>
          // objectbox: embedded
          let seat: Address
        }
        """
    let main = """
      import BoxStore
      let store = try Store(directoryPath: "memory:people")
      let box: Box<Person> = store.box()
      for (street, city) in [("Elm", "Bonn"), ("Oak", nil), ("Ash", "Bonn")] {
        let person = Person()
        person.home = Address(street: street, city: city, at: city.map { Geo(lat: Double($0.count)) })
        try box.put(person)
      }
      func ids(_ query: Query<Person>) throws -> [UInt64] { try query.findIds().map { $0.value } }
      print(try ids(box.query { Person.home.street == "Elm" }.build()))
      print(try ids(box.query { .home.city == "Bonn" && .home.street > "B" }.build()))
      print(try ids(box.query { .work.street.isNil() }.ordered(by: Person.home.street).build()))
      print(try box.query { .home.at.lat.isNotNil() }.build().property(Person.home.street).findStrings())
      let street = try box.query { Person.home.street == "" }.build()
      street.setParameter(Person.home.street, to: "Oak")
      print(try ids(street))
      let named = try box.query { "city" .= (.home.city == "") }.build()
      named.setParameter("city", to: "Bonn")
      print(try ids(named))
      let firms: Box<Firm> = store.box()
      let firm = try firms.put(struct: Firm(id: 0, seat: try box.get(1)!.home))
      print(firm.id.value, try firms.query { Firm.seat.at.lat > 3 }.build().findFirst()!.seat.city ?? "")
      """
    let text = try await program(source, await generate(source), main).run()
    #expect(
      text == """
        [1]
        [1]
        [3, 1, 2]
        ["Elm", "Ash"]
        [2]
        [1, 3]
        1 Bonn

        """)
  }
}
