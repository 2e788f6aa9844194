import BoxDump
import BoxEngine
import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxStoreTool

/// Random sequences of requests that change a store, compared with a dictionary after each.
struct EditLawTests {
  /// The objects of the store as they should be.
  private struct Expected {
    struct Person: Hashable {
      var name: String?
      var code: String?
      var age: Int?
      var tags: [String]?
      var boss: UInt64?
    }

    var people: [UInt64: Person] = [:]
    var friends: [UInt64: Set<UInt64>] = [:]
    var lastID: UInt64 = 0
    /// Whether the model has been given another property.
    var hasNote = false

    /// The objects as dumps have them, without the relation to many.
    var objects: [String] {
      people.sorted { $0.key < $1.key }.map { id, person in
        let tags = person.tags.map { "[" + $0.map { "\"\($0)\"" }.joined(separator: ",") + "]" }
        return
          "{\"id\":\(id),\"name\":\(Self.text(person.name)),\"code\":\(Self.text(person.code)),"
          + "\"age\":\(person.age.map { "\($0)" } ?? "null"),\"tags\":\(tags ?? "null"),"
          + "\"boss\":\(person.boss.map { "\($0)" } ?? "null")\(hasNote ? ",\"note\":null" : "")}"
      }
    }

    /// The entries of the relation to many as dumps have them.
    var entries: [String] {
      friends.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.map { source, targets in
        let targets = targets.sorted().map { "\($0)" }.joined(separator: ",")
        return "{\"Person.friends\":{\"source\":\(source),\"targets\":[\(targets)]}}"
      }
    }

    private static func text(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "null" }

    /// Whether a code belongs to another object.
    func isTaken(_ code: String?, except id: UInt64) -> Bool {
      code != nil && people.contains { $0.key != id && $0.value.code == code }
    }

    mutating func remove(_ id: UInt64) {
      people[id] = nil
      friends[id] = nil
      for source in friends.keys { friends[source]?.remove(id) }
    }
  }

  private let directory: TemporaryDirectory
  private static let fields: [TestModel.Property] = [
    .init("name", 1010, .string), .init("code", 1020, .string, [.unique, .indexHash]),
    .init("age", 1030, .int, .indexed), .init("tags", 1040, .stringVector),
    .init("boss", 1050, .relation, target: "Person"),
  ]

  init() throws { directory = try TemporaryDirectory() }

  private static func model(_ more: TestModel.Property...) -> TestModel {
    TestModel(
      .init(
        name: "Person", uid: 1000, fields: fields + more,
        relations: [.init("friends", 1900, to: "Person")]))
  }

  private func begin() throws {
    directory.removeEverything("data")
    let store = try ObjectStore.open(
      .directory(directory.path(of: "data")), model: Self.model().document())
    store.close()
  }

  /// Compares the store with the dictionary, by a query and by an export.
  private func compare(_ expected: Expected, _ step: String) async throws -> Bool {
    let query = try await directory.query("Person") { $0.format = .ndjson }
    let isSame = query.text == expected.objects.map { $0 + "\n" }.joined()
    #expect(isSame, "\(step): \(query.text) instead of \(expected.objects)")
    let export = try await directory.export(to: "dump.ndjson")
    #expect(export.outcome == .success, "\(step): \(export.messages)")
    let lines = try directory.text(of: "dump.ndjson").split(separator: "\n").dropFirst().dropLast()
    let wanted = expected.objects.map { "{\"Person\":\($0)}" } + expected.entries
    #expect(lines.map(String.init) == wanted, "\(step)")
    return isSame && lines.map(String.init) == wanted
  }

  @Test func aStoreIsWhatADictionarySays() async throws {
    var random = TestSeed.next()
    var counts: [String: Int] = [:]
    for sequence in 0..<TestSeed.count("BOXJOINT_SOAK_EDITS", default: 300) {
      try begin()
      var expected = Expected()
      for step in 0..<6 {
        let (name, isDone) = try await change(&expected, &random)
        counts[name + (isDone ? "" : " refused"), default: 0] += 1
        guard try await compare(expected, "\(sequence).\(step) \(name)") else { return }
      }
    }
    print(counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    for kind in ["put", "set", "remove", "link", "unlink", "import", "migrate"] {
      #expect(counts[kind, default: 0] > 20, "\(kind)")
    }
    for kind in ["put", "set", "remove", "link"] {
      #expect(counts[kind + " refused", default: 0] > 20, "\(kind)")
    }
  }

  // MARK: - Steps

  /// Carries a random request out, on the store and on the dictionary.
  ///
  /// - Returns: The kind of the request, and whether it was carried out.
  private func change(
    _ expected: inout Expected, _ random: inout SplitMix64
  ) async throws -> (String, Bool) {
    let before = expected
    let (kind, run): (String, RequestRun)
    var isAllowed = true
    switch random.below(13) {
    case 0...4: (kind, run) = ("put", try await put(&expected, &isAllowed, &random))
    case 5...7: (kind, run) = ("set", try await set(&expected, &isAllowed, &random))
    case 8: (kind, run) = ("remove", try await remove(&expected, &isAllowed, &random))
    case 9, 10: (kind, run) = ("link", try await link(&expected, &isAllowed, &random))
    case 11: (kind, run) = ("unlink", try await unlink(&expected, &random))
    default:
      if expected.hasNote || random.oneIn(2) {
        (kind, run) = ("import", try await load(&expected, &random))
      } else {
        try directory.write(Self.model(.init("note", 1060, .string)).text, to: "model.json")
        (kind, run) = ("migrate", try await directory.migrate(to: "model.json"))
        expected.hasNote = true
      }
    }
    #expect((run.outcome == .success) == isAllowed, "\(kind): \(run.messages)\(run.text)")
    if !isAllowed { expected = before }
    return (kind, isAllowed)
  }

  private func anyID(_ expected: Expected, _ random: inout SplitMix64) -> UInt64 {
    let ids = expected.people.keys.sorted()
    return ids.isEmpty || random.oneIn(6)
      ? UInt64(1 + random.below(Int(expected.lastID) + 1)) : random.pick(ids)
  }

  /// A random person, as JSON with some of the members and as its values.
  private func person(
    _ expected: Expected, _ random: inout SplitMix64
  ) -> (members: [String], change: (inout Expected.Person) -> Void) {
    var members: [String] = []
    var changes: [(inout Expected.Person) -> Void] = []
    if random.oneIn(2) {
      let name = random.oneIn(4) ? nil : random.pick(["Ann", "Bo", "Cy"])
      members.append("\"name\":" + (name.map { "\"\($0)\"" } ?? "null"))
      changes.append { $0.name = name }
    }
    if random.oneIn(3) {
      let code = random.oneIn(4) ? nil : "c\(random.below(5))"
      members.append("\"code\":" + (code.map { "\"\($0)\"" } ?? "null"))
      changes.append { $0.code = code }
    }
    if random.oneIn(2) {
      let age = random.below(90)
      members.append("\"age\":\(age)")
      changes.append { $0.age = age }
    }
    if random.oneIn(3) {
      let tags = (0..<random.below(3)).map { _ in random.pick(["x", "y"]) }
      members.append("\"tags\":[" + tags.map { "\"\($0)\"" }.joined(separator: ",") + "]")
      changes.append { $0.tags = tags }
    }
    if random.oneIn(4) {
      let boss = anyID(expected, &random)
      members.append("\"boss\":\(boss)")
      changes.append { $0.boss = boss }
    }
    return (members, { person in for change in changes { change(&person) } })
  }

  private func put(
    _ expected: inout Expected, _ isAllowed: inout Bool, _ random: inout SplitMix64
  ) async throws -> RequestRun {
    let mode = random.pick(ImportMode.allCases)
    var (objects, ids): ([String], [UInt64]) = ([], [])
    var bosses: [UInt64] = []
    for _ in 0..<1 + random.below(3) {
      let id = random.oneIn(2) ? 0 : anyID(expected, &random)
      let (members, change) = person(expected, &random)
      objects.append(
        "{" + ((id == 0 ? [] : ["\"id\":\(id)"]) + members).joined(separator: ",") + "}")
      let exists = expected.people[id] != nil
      let isPossible =
        switch mode {
        case .insert: !exists
        case .update: exists
        case .replace, .upsert: true
        }
      if !isPossible || id > expected.lastID {
        isAllowed = false
        continue
      }
      var new = exists && mode != .replace ? expected.people[id] ?? .init() : .init()
      let old = new
      change(&new)
      let place = id == 0 ? expected.lastID + 1 : id
      if expected.isTaken(new.code, except: place) {
        isAllowed = false
        continue
      }
      if let boss = new.boss, boss != old.boss || members.contains(where: { $0.contains("boss") }) {
        bosses.append(boss)
      }
      expected.people[place] = new
      expected.lastID = max(expected.lastID, place)
      ids.append(place)
    }
    if bosses.contains(where: { [people = expected.people] in people[$0] == nil }) {
      isAllowed = false
    }
    let isArray = random.oneIn(2)
    let text = objects.joined(separator: isArray ? "," : "\n")
    let run = try await directory.put("Person", isArray ? "[\(text)]" : text, mode: mode)
    if isAllowed { #expect(run.text == ids.map { "\($0)\n" }.joined()) }
    return run
  }

  private func set(
    _ expected: inout Expected, _ isAllowed: inout Bool, _ random: inout SplitMix64
  ) async throws -> RequestRun {
    let selection: ObjectSelection
    var ids = expected.people.keys.sorted()
    switch random.below(4) {
    case 0: selection = .all
    case 1:
      let age = random.below(90)
      ids = ids.filter { [people = expected.people] in people[$0]?.age.map { $0 > age } ?? false }
      selection = .condition("age > \(age)")
    default:
      ids = (0..<1 + random.below(3)).map { _ in anyID(expected, &random) }
      selection = .ids(ids)
    }
    let (text, change): (String, (inout Expected.Person) -> Void)
    switch random.below(7) {
    case 0:
      let code = "c\(random.below(5))"
      (text, change) = ("code='\(code)'", { $0.code = code })
      for id in ids {
        if expected.people[id] != nil, expected.isTaken(code, except: id) { isAllowed = false }
        expected.people[id]?.code = code
      }
    case 1: (text, change) = ("tags:=[\"z\"]", { $0.tags = ["z"] })
    case 2:
      let boss = anyID(expected, &random)
      (text, change) = ("boss=\(boss)", { $0.boss = boss })
      if expected.people[boss] == nil { isAllowed = false }
    case 3: (text, change) = ("name=null", { $0.name = nil })
    case 4: (text, change) = (random.pick(["nme=1", "age='x'", "id=7"]), { _ in })
    default: (text, change) = ("age=44", { $0.age = 44 })
    }
    if ["nme=1", "age='x'", "id=7"].contains(text) { isAllowed = false }
    for id in ids {
      if expected.people[id] == nil { isAllowed = false }
      if var person = expected.people[id] {
        change(&person)
        expected.people[id] = person
      }
    }
    return try await directory.set("Person", selection, text)
  }

  private func remove(
    _ expected: inout Expected, _ isAllowed: inout Bool, _ random: inout SplitMix64
  ) async throws -> RequestRun {
    var ids = expected.people.keys.sorted()
    let selection: ObjectSelection
    switch random.below(8) {
    case 0: selection = .all
    case 1, 2:
      selection = .condition("age <= 44")
      ids = ids.filter { [people = expected.people] in people[$0]?.age.map { $0 <= 44 } ?? false }
    default:
      ids = (0..<1 + random.below(2)).map { _ in anyID(expected, &random) }
      selection = .ids(ids)
    }
    for id in Set(ids) {
      if expected.people[id] == nil { isAllowed = false }
      expected.remove(id)
    }
    return try await directory.remove("Person", selection)
  }

  private func link(
    _ expected: inout Expected, _ isAllowed: inout Bool, _ random: inout SplitMix64
  ) async throws -> RequestRun {
    let (source, target) = (anyID(expected, &random), anyID(expected, &random))
    if expected.people[source] == nil || expected.people[target] == nil { isAllowed = false }
    expected.friends[source, default: []].insert(target)
    if random.oneIn(3), isAllowed {
      // The same by a put: the list is all that there is.
      expected.friends[source] = [target]
      return try await directory.put(
        "Person", "{\"id\":\(source),\"friends\":[\(target)]}", mode: .update)
    }
    return try await directory.link("Person.friends", source, target)
  }

  private func unlink(
    _ expected: inout Expected, _ random: inout SplitMix64
  ) async throws -> RequestRun {
    let (source, target) = (anyID(expected, &random), anyID(expected, &random))
    expected.friends[source]?.remove(target)
    return try await directory.link("Person.friends", source, target, isRemoval: true)
  }

  private func load(
    _ expected: inout Expected, _ random: inout SplitMix64
  ) async throws -> RequestRun {
    var lines: [String] = []
    for _ in 0..<1 + random.below(4) {
      let age = random.below(90)
      lines.append("{\"age\":\(age)}\n")
      expected.lastID += 1
      expected.people[expected.lastID] = .init(age: age)
    }
    try directory.write(lines.joined(), to: "new.ndjson")
    return try await directory.load("new.ndjson") {
      $0.options.entity = "Person"
      $0.options.restarts = true
    }
  }
}
