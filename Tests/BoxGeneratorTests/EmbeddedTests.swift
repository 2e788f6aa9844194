import BoxGenerator
import BoxModel
import BoxReport
import BoxSources
import TestSupport
import Testing

/// Structs that are embedded: the documentation of the annotation, and what it refuses.
struct EmbeddedTests {
  static let address = """
    struct Address {
      var street = ""
      // objectbox: index
      var city: String?
    }

    """

  private func person(_ members: String) -> String {
    "final class Person: Entity {\nvar id: Id = 0\n\(members)\n}\n"
  }

  private func properties(_ run: Generation) throws -> [Property] {
    try ModelDocument(parsing: #require(run.model, "\(run.findings)")).model.entities[0].properties
  }

  @Test func membersHaveNoKeysAndEnumsOfTheEntity() async throws {
    let run = await generate(
      """
      enum Kind: Int { case a, b }
      struct Contact {
        // objectbox: unique
        var mail = ""
        // objectbox: convert = {"default": ".a"}
        var kind: Kind = .a
      }

      """
        + person(
          """
          // objectbox: embedded
          var home = Contact()
          // objectbox: embedded
          var work = Contact()
          // objectbox: unique
          var code = ""
          // objectbox: convert = {"default": ".a"}
          var own: Kind = .a
          """))
    let bindings = try #require(run.bindings, "\(run.findings)")
    func declared(_ type: String) -> [Substring] {
      bindings.split(separator: "\n").filter {
        $0.contains("static var") && $0.contains(": \(type)<")
      }
      .map { $0.split(separator: ":")[0].split(separator: " ").last ?? "" }
    }
    #expect(declared("UniqueKey") == ["code"])
    #expect(declared("EnumProperty") == ["own"])
  }

  @Test func oneEarlierNameGoesToOneProperty() async throws {
    let before = await generate(person("var road = \"\""))
    let run = await generate(
      person(
        """
        // objectbox: was = "road"
        var street = ""
        // objectbox: was = "road"
        var path = ""
        """), model: before.model)
    #expect(
      run.findings.map(\.message) == [
        "was = \"road\": street of Person has the same earlier name; remove one"
      ])
  }

  @Test func membersArePropertiesWithTheNameOfTheStruct() async throws {
    let run = await generate(
      Self.address
        + person(
          """
          // objectbox: embedded
          var home = Address()
          // objectbox: embedded = "office_"
          var work: Address?
          // objectbox: embedded = ""
          var other = Address()
          """))
    let properties = try properties(run)
    #expect(
      properties.map(\.name) == [
        "id", "home_street", "home_city", "office_street", "office_city", "street", "city",
      ])
    #expect(properties.dropFirst().allSatisfy { $0.type == .string })
    #expect(
      properties.filter { $0.indexID != nil }.map(\.name).sorted() == [
        "city", "home_city", "office_city",
      ])
    #expect(run.findings.isEmpty)
  }

  @Test func annotationsOfMembersHoldWhereverTheStructIsEmbedded() async throws {
    let run = await generate(
      """
      enum Kind: Int { case none = 0, one = 1 }
      struct Span {
        // objectbox: date-nano
        var start: Date?
        // objectbox: name = "finish", unique
        var end: Int64
        // objectbox: convert = { "default": ".none" }
        var kind: Kind
        // objectbox: transient
        var cache = 1
      }
      struct Plan {
        // objectbox: embedded
        let first: Span
        // objectbox: embedded = "then_"
        let second: Span
      }

      """
        + person("// objectbox: embedded\nvar plan = Plan(first: .init(), second: .init())"))
    let properties = try properties(run)
    #expect(
      properties.map(\.name) == [
        "id", "plan_first_start", "plan_first_finish", "plan_first_kind", "plan_then_start",
        "plan_then_finish", "plan_then_kind",
      ])
    #expect(properties[1].type == .dateNano && properties[4].type == .dateNano)
    #expect(properties[2].flags.contains(.unique) && properties[5].flags.contains(.unique))
    #expect(run.catalogue?.contains("Person.plan_then_kind") == true, "\(run.catalogue ?? "")")
  }

  /// Sources with a mistake, and the message about it at a line.
  @Test(arguments: [
    (
      "// objectbox: embedded\nvar home: Address", "",
      "Address is not declared in the sources of App; use a converter", 4
    ),
    (
      "// objectbox: embedded\nvar home = Address()", "final class Address { var street = \"\" }",
      "Address is a class, which two objects could share; make it a struct", 4
    ),
    (
      "// objectbox: embedded\nvar home = Address()\nvar home_city = \"\"", address,
      "home_city is the name of home.city and of Person.home_city; rename one", 5
    ),
    (
      "// objectbox: embedded\nvar work: Address?", "struct Address { var street: String? }",
      "work is optional and Address has only optional members, so nil could not be told from an empty one",
      4
    ),
    (
      "// objectbox: embedded\nvar home: Address",
      "struct Address {\n// objectbox: embedded\nvar other: Address? }", "Address holds itself", 8
    ),
    (
      "// objectbox: embedded\nvar home: Address\n// objectbox: embedded = \"home_\"\nvar work: Address",
      "struct Address { var street: Int }",
      "home_street is the name of home.street and of work.street; rename one", 6
    ),
    (
      "// objectbox: embedded\nvar home: Address<Int>", "struct Address<T> { var street: T }",
      "Address is generic, and its members have no one type", 4
    ),
    (
      "// objectbox: embedded\nvar home: Address", "private struct Address { var street = \"\" }",
      "Address is private, so that bindings cannot reach it", 4
    ),
    (
      "// objectbox: embedded\nvar home: Address", "enum Address: Int { case a = 1 }",
      "Address is an enum; use the annotation \"convert\"", 4
    ),
    (
      "// objectbox: embedded\nvar home: Address", "struct Address {\nvar to: ToOne<Person> }",
      "The property \"to\" of \"Address\" is a relation, which an embedded struct cannot have", 7
    ),
    (
      "// objectbox: embedded\nvar home: Address", "struct Address {\nvar to: Id }",
      "The property \"to\" of \"Address\" is an id, which an embedded struct cannot have", 7
    ),
    (
      "// objectbox: embedded\nvar home: Address",
      "struct Address {\n// objectbox: hnswIndex: dimensions=3\nvar at: [Float] }",
      "The annotation \"hnswIndex\" does not fit the type of \"at\"", 7
    ),
    (
      "// objectbox: embedded\nvar home: Address", "struct Address { var a = 1\ninit(b: Int) {} }",
      "The struct \"Address\" has no initializer of all its persisted properties", 6
    ),
    (
      "// objectbox: embedded\nvar home = \"\"", "",
      "The annotation \"embedded\" does not fit the type of \"home\"", 3
    ),
    (
      "// objectbox: embedded, index\nvar home: Address", address,
      "The annotation \"index\" does not fit the type of \"home\"", 3
    ),
    (
      "// objectbox: embedded, was = {\"road\": \"x\"}\nvar home: Address", address,
      "There is no option \"road\" here", 3
    ),
    (
      "// objectbox: embedded\nvar home: Address",
      "struct Address {\n// objectbox: embedded\nvar kind: Kind }\nclass Kind {}",
      "Kind is a class, which two objects could share; make it a struct", 8
    ),
    (
      "// objectbox: embedded\nvar home: Address\n// objectbox: embedded\nvar work: Address",
      "struct Address {\n// objectbox: uid = 5\nvar a: Int }",
      "One annotation \"uid\" is for Person.home_a and for Person.work_a", 9
    ),
    (
      "// objectbox: embedded\nvar home: Address\n",
      "struct Address { var street: Int }\nstruct Address { var road: Int }",
      "The type \"Address\" of \"home\" is declared differently at A.swift:7 and A.swift:8", 4
    ),
  ])
  func aMistakeHasAMessage(
    _ members: String, _ others: String, _ message: String, _ line: Int
  ) async throws {
    let run = await generate(person(members) + others)
    let found = run.findings.filter { $0.severity == .error }
    #expect(found.map(\.message) == [message], "\(run.findings)")
    #expect(found.first?.region?.line == line)
    #expect(run.bindings == nil)
  }

  @Test func depthAndNumberAreBounded() async throws {
    func structs(_ depth: Int, members: Int) -> String {
      (0..<depth).map { level in
        "struct S\(level) {\n"
          + (0..<members).map { number in
            level + 1 == depth
              ? "var m\(number): Int\n" : "// objectbox: embedded\nvar m\(number): S\(level + 1)\n"
          }.joined() + "}\n"
      }.joined()
    }
    let source = person("// objectbox: embedded\nvar home: S0")
    let deep = await generate(source + structs(8, members: 2))
    #expect(try properties(deep).count == 1 + 256)
    let large = await generate(source + structs(3, members: 19))
    #expect(try properties(large).count == 1 + 6859)
    let deeper = await generate(source + structs(9, members: 1))
    #expect(deeper.findings.map(\.message) == ["S8 is more than 8 structs deep"])
    // 20 to the power of 8 members would never end.
    let wide = await generate(source + structs(8, members: 20))
    let messages = Set(wide.findings.map(\.message))
    #expect(messages.contains("S3 has more than 8000 embedded structs and members"), "\(messages)")
    // A circle of structs, and a long line of them.
    let ring =
      "struct A {\n// objectbox: embedded\nvar b: B? }\nstruct B {\n// objectbox: embedded\nvar a: A? }"
    let round = await generate(person("// objectbox: embedded\nvar home: A") + ring)
    #expect(round.findings.map(\.message).contains("A holds itself"), "\(round.findings)")
    let long = await generate(source + structs(3000, members: 1))
    #expect(long.findings.map(\.message) == ["S8 is more than 8 structs deep"])
  }

  // MARK: - Renames

  private func renamed(
    _ before: String, _ after: String
  ) async throws -> (old: [Property], run: Generation) {
    let first = await generate(before)
    return (try properties(first), await generate(after, model: first.model))
  }

  @Test func aMemberIsRenamedWhereverItIsEmbedded() async throws {
    let members = person(
      "// objectbox: embedded\nvar home: Address\n// objectbox: embedded = \"\"\nvar work: Address?"
    )
    let (old, run) = try await renamed(
      members + "struct Address { var road: String }",
      members + "struct Address {\n// objectbox: was = \"road\"\nvar street: String }")
    let new = try properties(run)
    #expect(new.map(\.name) == ["id", "home_street", "street"])
    #expect(new.map(\.pair) == old.map(\.pair))
    // Once the new name is there, the line does nothing.
    let again = await generate(
      members + "struct Address {\n// objectbox: was = \"road\"\nvar street: String }",
      model: run.model)
    #expect(again.model == run.model && again.findings.isEmpty)
  }

  @Test func aPropertyMovesIntoAStructAndOut() async throws {
    let struc = "struct Address { var street: String }\n"
    let flat = person("var street = \"\"")
    let (old, run) = try await renamed(
      flat,
      person(
        "// objectbox: embedded, was = {\"street\": \"street\"}\nvar home: Address") + struc)
    let inside = try properties(run)
    #expect(inside.map(\.name) == ["id", "home_street"] && inside.map(\.pair) == old.map(\.pair))
    let out = await generate(
      person("// objectbox: was = \"home_street\"\nvar street = \"\""), model: run.model)
    let outside = try properties(out)
    #expect(outside.map(\.name) == ["id", "street"] && outside.map(\.pair) == old.map(\.pair))
    // Without the annotation one is removed, and one is new.
    let lost = await generate(
      person("// objectbox: embedded\nvar home: Address") + struc, model: out.model)
    #expect(try properties(lost).last?.pair.uid != old.last?.pair.uid)
  }

  @Test func twoNamesOfOnePropertyAreRefused() async throws {
    let both = person("// objectbox: embedded\nvar home: Address")
    let message = "was = \"road\": Person has both home_road and home_street; remove one"
    let annotated = "struct Address {\n// objectbox: was = \"road\"\nvar street: String"
    for (before, after) in [
      ("struct Address { var road: String }", annotated + "\nvar road: String }"),
      ("struct Address { var road: String; var street: String }", annotated + " }"),
      ("struct Address { var street: String }", annotated + "\nvar road: String }"),
    ] {
      let (_, run) = try await renamed(both + before, both + after)
      #expect(run.findings.map(\.message) == [message], "\(after)")
      #expect(run.findings.first?.region?.line == 7 && run.model == nil)
    }
  }

  @Test func theFingerprintCoversMembersOfStructs() async {
    func fingerprint(_ files: [String]) async -> String {
      let files = files.enumerated().map {
        SwiftFile(path: "F\($0.offset).swift", bytes: Array($0.element.utf8))
      }
      return "\(await SourceFingerprint.of(files, prefix: "objectbox"))"
    }
    let entity = person("// objectbox: embedded\nvar home: Home")
    let alias = "typealias Home = Address"
    let address = "struct Address { var geo: Geo\nvar street: String }"
    let geo = "struct Geo { var lat: Double }"
    let base = await fingerprint([entity, alias, address, geo])
    #expect(await fingerprint([entity, alias + "\n" + address, geo]) == base)
    let outer = "struct Address { var geo: Geo\nvar street: Int }"
    #expect(await fingerprint([entity, alias, outer, geo]) != base)
    #expect(await fingerprint([entity, alias, address, "struct Geo { var lat: Float }"]) == base)
    let embedding = "struct Address {\n// objectbox: embedded\nvar geo: Geo }"
    let inner = await fingerprint([entity, alias, embedding, geo])
    #expect(
      await fingerprint([entity, alias, embedding, "struct Geo { var lat: Float }"]) != inner)
    #expect(
      await fingerprint([entity, alias, embedding, geo, "extension Geo { func f() {} }"]) == inner)
    #expect(
      await fingerprint([
        entity, alias, embedding, geo, "extension Geo { init(lat: Double, x: Int = 1) {} }",
      ]) != inner)
  }
}
