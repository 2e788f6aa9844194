import BoxDump
import BoxEngine
import BoxJSON
import BoxModel
import TestSupport
import Testing

/// Members of plain objects: the entries of relations to many, and those that the model does not know.
struct ObjectMembersTests {
  /// Objects that have the targets of their relations to many as members, as queries print them, come back with them.
  @Test func linksInObjectsComeBack() throws {
    var random = TestSeed.next()
    for number in 0..<TestSeed.count("BOXJOINT_SOAK_STORES", default: 60) {
      let fixture = try ImportFixture()
      var generated = GeneratedStore(
        store: try fixture.open("a"), random: SplitMix64(seed: random.next()))
      try generated.fill(objects: random.below(12))
      let expected = try fixture.objects(generated.store)
      let lines = expected.mapValues { $0.split(separator: "\n") }
      let copy = try fixture.open("b")
      // People first: an entry of another import cannot wait for its target.
      let names = expected.keys.filter { $0.split(separator: ".").count == 2 }.sorted()
      for name in names.reversed() {
        let entity = String(name.prefix { $0 != "." })
        var members: [Substring: String] = [:]
        for (file, links) in lines where file.hasPrefix(entity + ".") && file != name {
          for link in links {
            let parts = try #require(link.wholeMatch(of: /\{"source":(\d+),"targets":(.*)\}/))
            members[parts.1, default: ""] += ",\"\(file.split(separator: ".")[1])\":\(parts.2)"
          }
        }
        let objects = try (lines[name] ?? []).map { line in
          let id = try #require(line.firstMatch(of: /^\{"id":(\d+)/)).1
          return line.dropLast() + (members[id] ?? "") + "}"
        }
        try fixture.load(text: objects.joined(separator: "\n"), into: copy) {
          $0.entity = entity
          $0.dangling = .keep
        }
      }
      #expect(try fixture.objects(copy) == expected, "store \(number)")
      #expect(try copy.verify().isEmpty)
    }
  }

  @Test func aRelationNeedsTheIDOfItsObject() throws {
    let fixture = try ImportFixture()
    let refusal = try fixture.refusal(#"{"people":[1]}"#, into: fixture.open("s")) {
      $0.entity = "Everything"
    }
    #expect(
      refusal?.message == "Everything.people: a relation to many needs the id of its object")
  }

  @Test func ignoredElementsAreCounted() throws {
    let fixture = try ImportFixture()
    let store = try fixture.open("s")
    let text = (1...50).map { number in
      "{\"id\":\(number)\(number % 2 == 0 ? ",\"x\":[1]" : "")\(number % 5 == 0 ? ",\"y\":{\"x\":1}" : "")}"
    }
    let summary = try fixture.load(text: text.joined(separator: "\n"), into: store) {
      $0.entity = "Person"
      $0.unknown = .ignore
      $0.batch = 7
    }
    #expect(summary.ignored == ["Person.x": 25, "Person.y": 10])
    try fixture.directory.write("id,x,y\n60,1,2\n61,1,\n", to: "Person.csv")
    let table = try fixture.load(paths: [fixture.path("Person.csv")], InputForm(), into: store) {
      $0.unknown = .ignore
    }
    #expect(table.ignored == ["Person.x": 2, "Person.y": 2])
  }

  /// An empty field leaves the value of an object where the caller says so, and else it is null.
  @Test(arguments: [true, false]) func anEmptyFieldKeepsTheValue(_ keeps: Bool) throws {
    let fixture = try ImportFixture()
    let store = try fixture.open("s")
    try fixture.load(text: #"{"id":1,"int":5,"string":"a"}"#, into: store) {
      $0.entity = "Everything"
    }
    try fixture.directory.write("id,int,string,long\n1,,,7\n", to: "Everything.csv")
    var form = InputForm()
    form.keepsNull = keeps
    try fixture.load(paths: [fixture.path("Everything.csv")], form, into: store) {
      $0.mode = .upsert
    }
    let object = try #require(
      try store.read { try $0.get(store.entity(named: "Everything"), 1) })
    #expect(object["int"] == (keeps ? .integer(5) : .null))
    #expect(object["string"] == (keeps ? .string("a") : .null))
    #expect(object["long"] == .integer(7))
  }
}
