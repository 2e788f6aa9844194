import BoxEngine
import BoxJSON
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxDump

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Directories of parts as Spark writes them.
struct PartsImportTests {
  private let fixture: ImportFixture
  private static let job = "8b45c5d1-0f6e-4c60-9d3c-5f1e2a7b9c00"

  init() throws { fixture = try ImportFixture() }

  private func name(_ number: Int, _ job: String = job) -> String {
    let digits = String(number)
    return "part-" + String(repeating: "0", count: 5 - digits.count) + digits + "-\(job)-c000.json"
  }

  /// Writes lines to parts of random sizes, one of which is empty.
  private func write(
    _ lines: [String], to directory: String, _ random: inout SplitMix64
  ) throws {
    var (rest, number) = (lines[...], 0)
    try fixture.directory.write("", to: directory + "/" + name(99_999))
    try fixture.directory.write("", to: directory + "/_SUCCESS")
    while !rest.isEmpty {
      let part = rest.prefix(1 + random.below(7))
      rest = rest.dropFirst(part.count)
      try fixture.directory.write(
        part.map { $0 + "\n" }.joined(), to: directory + "/" + name(number))
      number += 1
    }
  }

  @discardableResult
  private func load(
    _ path: String, into store: ObjectStore, _ change: (inout ImportOptions) -> Void
  ) throws -> ImportSummary {
    var options = ImportOptions()
    options.batch = nil
    change(&options)
    let input = try DumpInput(paths: [fixture.path(path)])
    return try Importer(input, into: store, options: options).run()
  }

  /// A line as Spark writes it: without nulls, and with an exponent in capitals.
  private func spark(_ line: Substring) throws -> String {
    let document = try JSONDocument(parsing: Array(line.utf8))
    guard case .object(let members) = document.exactValue(of: document.root) else { return "" }
    let kept = members.filter { $0.value != .null }.map { member in
      "\(JSONValue.string(member.key).text(indent: 0)):\(number(member.value))"
    }
    return "{" + kept.joined(separator: ",") + "}"
  }

  private func number(_ value: JSONValue) -> String {
    switch value {
    case .double, .number:
      value.text(indent: 0).uppercased().replacing("E+", with: "E")
    case .array(let elements): "[" + elements.map(number).joined(separator: ",") + "]"
    default: value.text(indent: 0)
    }
  }

  /// Parts as Spark would write them of a store make the same store again.
  @Test func partsMakeTheStoreAgain() throws {
    var random = TestSeed.next()
    for run in 0..<TestSeed.count("BOXJOINT_SOAK_EXPORTS", default: 8) {
      var generated = GeneratedStore(store: try fixture.open("a\(run)"), random: random)
      try generated.fill(objects: 20)
      random = generated.random
      var options = ExportOptions()
      (options.shape, options.dates) = (.directory, .iso)
      options.bytes = random.pick(BytesForm.allCases)
      try fixture.export(generated.store, to: "dump\(run)", options)
      generated.store.close()
      let copy = try fixture.open("b\(run)")
      for entity in ["Person", "Everything"] {
        let lines = try fixture.directory.text(of: "dump\(run)/\(entity).ndjson").split(
          separator: "\n")
        try write(lines.map(spark), to: "parts\(run)/\(entity)", &random)
        try load("parts\(run)/\(entity)", into: copy) { $0.entity = entity }
      }
      for relation in ["Person.friends", "Everything.people"] {
        let lines = try fixture.directory.text(of: "dump\(run)/\(relation).ndjson").split(
          separator: "\n")
        var pairs: [String] = []
        for line in lines {
          let entry = try JSONDocument(parsing: Array(line.utf8))
          let value = entry.exactValue(of: entry.root)
          guard case .object(let members) = value, case .array(let targets) = members[1].value
          else {
            Issue.record("\(line)")
            continue
          }
          if random.oneIn(2) {
            pairs.append(String(line))
          } else {
            pairs += targets.map {
              "{\"source\":\(members[0].value.text(indent: 0)),\"target\":\($0.text(indent: 0))}"
            }
          }
        }
        try write(random.shuffled(pairs), to: "parts\(run)/\(relation)", &random)
        let summary = try load("parts\(run)/\(relation)", into: copy) { $0.relation = relation }
        #expect(summary.relations.allSatisfy { $0.name == relation && $0.leftOut == 0 })
      }
      copy.close()
      var found: [DumpDifference.Item] = []
      _ = try DumpDifference.between(
        .init(fixture.path("a\(run)"), .store), .init(fixture.path("b\(run)"), .store)
      ) { found.append($0) }
      #expect(found.isEmpty)
    }
  }

  private static let ann = #"{"id":1,"email":"ann@example.org","age":1.0E1}"#
  private static let bo = #"{"id":2,"email":"bo@example.org"}"#

  /// A directory that is not what one job has written is refused, and nothing of it is imported.
  @Test(arguments: [
    (
      ["part-00000-J-c000.json": ann, "_temporary-0": ""], "has neither manifest.json nor _SUCCESS"
    ),
    (
      ["part-00000-J-c000.json": ann, "part-00000-K-c000.json": bo, "_SUCCESS": ""],
      "has parts of several jobs, such as \"part-00000-"
    ),
    (
      [
        "part-00000-tid-77-J-3-1-c000.json": ann, "part-00001-tid-78-K-3-1-c000.json": bo,
        "_SUCCESS": "",
      ], "has parts of several jobs"
    ),
    (
      ["part-00000-J-c000.json": ann, "part-00001-J-c000.json": #"{"id":2,"em"#, "_SUCCESS": ""],
      "the string ends"
    ),
    (
      [
        "part-00000-J-c000.json": ann, "part-00001-J-c000.json": #"{"id":2,"total":7}"#,
        "_SUCCESS": "",
      ],
      "total"
    ),
    (
      [
        "part-00000-J-c000.json": ann, "part-00001-J-c000.json": #"{"id":2,"email":7}"#,
        "_SUCCESS": "",
      ],
      "expected a string"
    ),
    (
      ["part-00000-J-c000.json": ann, "a\nb\u{1B}[2J.json": #"{"id":"x"}"#, "_SUCCESS": ""],
      "expected an id"
    ),
    (["_SUCCESS": ""], "has no parts"),
  ])
  func wrongDirectories(_ files: [String: String], _ message: String) throws {
    for (name, text) in files {
      let name = name.replacing("J", with: Self.job)
        .replacing("K", with: "00000000-0f6e-4c60-9d3c-5f1e2a7b9c00")
      let isPart = !text.isEmpty && name.hasPrefix("part")
      try fixture.directory.write(
        text + (isPart && text.hasSuffix("}") ? "\n" : ""), to: "parts/" + name)
    }
    let store = try fixture.open("store")
    defer { store.close() }
    func refusal() throws -> String? {
      do {
        try load("parts", into: store) { $0.entity = "Person" }
        return nil
      } catch let error as DumpError {
        return error.description
      } catch let issue as ImportIssue {
        return issue.description
      }
    }
    let refused = try refusal()
    #expect(refused?.contains(message) == true, "\(refused ?? "imported")")
    #expect(try store.read { try $0.count(store.entity(named: "Person")) } == 0)
  }

  /// Parts that are no files, or lead to other places, are not read.
  @Test func partsThatAreNotFiles() throws {
    try fixture.directory.write(Self.ann + "\n", to: "outside.json")
    try fixture.directory.write("", to: "parts/_SUCCESS")
    let store = try fixture.open("store")
    defer { store.close() }
    let part = fixture.path("parts/part-0.json")
    #expect(symlink("../outside.json", part) == 0)
    #expect(throws: DumpError.self) { try load("parts", into: store) { $0.entity = "Person" } }
    #expect(unlink(part) == 0 && mkfifo(part, 0o600) == 0)
    #expect(throws: DumpError.self) { try load("parts", into: store) { $0.entity = "Person" } }
    #expect(unlink(part) == 0 && mkdir(part, 0o700) == 0)
    #expect(throws: DumpError.self) { try load("parts", into: store) { $0.entity = "Person" } }
    #expect(try store.read { try $0.count(store.entity(named: "Person")) } == 0)
  }

  @Test func entriesOfARelation() throws {
    let store = try fixture.open("store")
    defer { store.close() }
    try fixture.load(
      text: #"{"Person":{"id":1,"email":"a"}}"# + "\n" + #"{"Person":{"id":2,"email":"b"}}"#,
      into: store)
    let friends = try store.entity(named: "Person").relations[0]
    func refusal(
      _ text: String, to name: String = "pairs.json",
      _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> String? {
      try fixture.directory.write(text, to: name)
      do {
        try load(name, into: store) {
          $0.relation = "Person.friends"
          change(&$0)
        }
        return nil
      } catch let error as DumpError {
        return error.description
      } catch let issue as ImportIssue {
        return issue.description
      }
    }
    #expect(
      try refusal(#"{"source":1,"target":2}"# + "\n" + #"{"source":2,"targets":[1,2]}"#) == nil)
    #expect(try refusal(#"[{"source":1,"target":1}]"#) == nil)
    #expect(try refusal(#"{"source":1,"target":2,"device":"x"}"#) { $0.unknown = .ignore } == nil)
    #expect(try store.read { try $0.targets(friends, of: 1) } == [1, 2])
    #expect(try store.read { try $0.targets(friends, of: 2) } == [1, 2])
    for (text, message) in [
      (#"{"source":1,"target":2,"targets":[1]}"#, "and not both"),
      (#"{"source":1}"#, "\"source\" and \"targets\" are needed"),
      (#"{"target":1}"#, "\"source\" and \"targets\" are needed"),
      (#"{"source":1,"target":0}"#, "expected an id"),
      (#"{"source":1,"target":2,"device":"x"}"#, "device"),
    ] {
      let refused = try refusal(text)
      #expect(refused?.contains(message) == true, "\(text): \(refused ?? "imported")")
    }
    let table = try refusal("source,target\n1,2\n", to: "pairs.csv")
    #expect(
      table?.hasSuffix("the entries of a relation are read from JSON only") == true,
      "\(table ?? "")")
    let unknown = try refusal(#"{"source":1,"target":2}"#) { $0.relation = "Person.foes" }
    #expect(
      unknown
        == "the model has no relation to many \"Person.foes\"; it has Everything.people, Person.friends"
    )
    let mode = try refusal(#"{"source":1,"target":2}"#) { $0.mode = .replace }
    #expect(mode?.hasPrefix("the entries of a relation are added to those that exist") == true)
    let missing = try refusal(#"{"source":1,"target":9}"#) { $0.dangling = .fail }
    #expect(missing?.contains("9") == true, "\(missing ?? "imported")")
  }
}
