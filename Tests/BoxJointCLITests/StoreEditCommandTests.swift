import BoxModel
import TestSupport
import Testing

@testable import BoxModelTool

/// The statuses, streams and questions of the commands that show and change objects.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct StoreEditCommandTests {
  private let repository: TemporaryRepository

  /// Three people in the store `data`.
  init() async throws {
    repository = try await TemporaryRepository()
    let model = TestModel(
      .init(
        name: "Person", uid: 1000,
        fields: [.init("name", 1010, .string), .init("age", 1020, .int)],
        relations: [.init("friends", 1900, to: "Person")]))
    try repository.write(model.text, to: "model.json")
    try repository.write("{\"age\":1}\n{\"age\":2}\n{\"age\":3}\n", to: "people.ndjson")
    let run = try await self.run(
      "import --store data --model model.json --entity Person people.ndjson")
    #expect(run.status == 0, "\(run.messages)")
  }

  private func run(_ words: String, input: String = "") async throws -> ProcessRun {
    try await runTool(
      words.split(separator: " ").map(String.init), in: repository.path,
      environment: repository.environment, input: Array(input.utf8))
  }

  private func ages() async throws -> String {
    try await run("query data Person --select age --format ndjson").text.filter(\.isNumber)
  }

  @Test func eachCommandHasItsResultOnStandardOutput() async throws {
    for (words, input, text) in [
      ("store put data Person -", "{\"age\":4}\n{\"age\":5}\n", "4\n5\n"),
      ("store put data Person {\"age\":6} [{},{}]", "", "6\n7\n8\n"),
      ("store set data Person 7 8 age=7", "", "Person: 2 objects changed\n"),
      ("store set data Person --all --yes --expect 8 age:=9", "", "Person: 8 objects changed\n"),
      ("store remove data Person 4 5 6 7 8", "", "Person: 5 objects removed\n"),
      ("store link data Person.friends 1 2 3", "", "Person.friends: 2 entries added\n"),
      ("store unlink data Person.friends 1 3 --yes", "", "Person.friends: 1 entry removed\n"),
      (
        "store get data Person 1 --format ndjson", "",
        "{\"id\":1,\"name\":null,\"age\":9,\"friends\":[2]}\n"
      ),
      (
        "store remove data Person --where age==9 --yes --expect 3", "",
        "Person: 3 objects removed\n"
      ),
    ] {
      let run = try await run(words, input: input)
      #expect(run.status == 0, "\(words): \(run.messages)")
      #expect(run.text == text, "\(words)")
      #expect(run.messages.isEmpty, "\(words): \(run.messages)")
    }
    #expect(try await run("store verify data").status == 0)
  }

  /// A mistake on the command line changes nothing; without a selection nothing is ever "all".
  @Test(arguments: [
    ("set data Person age=1", 64, "Pass the ids of the objects, --where or --all"),
    ("remove data Person", 64, "Pass the ids of the objects, --where or --all"),
    ("set data Person 1 --all age=1", 64, "one of them alone"),
    ("remove data Person --all --where age>1 --yes", 64, "one of them alone"),
    ("set data Person 1 2", 64, "Pass a new value, as name=value"),
    ("set data Person x age=1", 64, "'x' is not an id"),
    ("get data Person 0", 64, "'0' is not an id"),
    ("get data Person -1", 64, "Missing expected argument"),
    ("get data Person", 64, "Missing expected argument"),
    ("link data Person.friends 1", 64, "Missing expected argument"),
    ("set data Person --all age=1", 64, "pass --yes when not running on a terminal"),
    ("remove data Person --where age>1", 64, "pass --yes when not running on a terminal"),
    ("remove data Person --where agee>1 --yes", 64, "--where:1:1: Person has no property agee"),
    ("set data Person 1 agee=1", 64, "did you mean age?"),
    ("put data Person {\"agee\":1}", 65, "JSON:1:2: Person has no property agee"),
    ("put data Person {\"id\":1}", 2, "exists already; pass --mode replace, upsert or update"),
    ("put data Person - -", 64, "pass - once"),
    ("get data Person 9", 2, "there is no Person with id 9"),
    ("get data Persn 1", 64, "did you mean Person?"),
    ("info data Persn", 64, "did you mean Person?"),
    ("get nowhere Person 1", 74, "there is no store in nowhere"),
    ("duplicates nowhere Person.age", 74, "there is no store in nowhere"),
    ("duplicates data Person", 64, "'Person' is not a property; write Entity.property, such as"),
    ("duplicates data Persn.age", 64, "did you mean Person?"),
    ("duplicates data Person.agee", 64, "Person has no property agee; did you mean age?"),
    ("duplicates data Person.friends", 64, "Person.friends is a relation to many"),
    ("duplicates data Person.id", 64, "Person.id is the id, which no two objects have in common"),
    ("duplicates data Person.age --keep first", 64, "--keep first needs --order-by"),
    ("duplicates data Person.age --order-by name", 64, "--order-by needs --keep first"),
    ("duplicates data Person.age --keep first --order-by agee", 64, "did you mean age?"),
    ("duplicates data Person.age --dry-run", 64, "--dry-run needs --remove"),
    ("duplicates data Person.age --yes", 64, "--yes needs --remove"),
    ("duplicates data Person.age --limit 0", 64, "--limit must be at least 1"),
    ("put nowhere Person {}", 74, "there is no store in nowhere"),
  ])
  func aMistakeIsAStatus(words: String, status: Int32, message: String) async throws {
    let run = try await run("store " + words)
    #expect(run.status == status, "\(run.messages)\(run.text)")
    #expect(run.text.isEmpty)
    #expect(run.messages.contains(message), "\(run.messages)")
    #expect(try await ages() == "123")
    let left = try await ProcessRun.of("test", ["-e", "nowhere"], in: repository.path)
    #expect(left.status == 1)
  }

  /// A mistake that is found after parsing is followed by the usage of its own command.
  @Test(arguments: [
    ("get", "data Person x"), ("link", "data Person.friends 1 x"), ("set", "data Person x age=1"),
    ("unlink", "data Person.friends x 1"), ("remove", "data Person x"),
  ])
  func aMistakeHasTheUsageOfItsCommand(command: String, words: String) async throws {
    let run = try await run("store \(command) \(words)")
    #expect(run.status == 64)
    #expect(run.messages.contains("'x' is not an id"), "\(run.messages)")
    #expect(run.messages.contains("Usage: boxjoint store \(command) "), "\(run.messages)")
    #expect(run.messages.contains("See 'boxjoint store \(command) --help'"), "\(run.messages)")
  }

  @Test(
    .enabled("needs python3", { try await ProcessRun.of("python3", ["-V"]).status == 0 }),
    arguments: [("y", 0, "7723"), ("n", 2, "123"), ("", 2, "123")])
  func aTerminalIsAsked(answer: String, status: Int32, ages: String) async throws {
    let asked = try await repository.toolOnTerminal(
      ["store", "set", "data", "Person", "--where", "age < 2", "age=77"], typing: answer + "\n")
    #expect(asked.status == status, "\(asked.text)")
    #expect(asked.text.contains("set 1 object of Person? [y/N] "), "\(asked.text)")
    // The object is shown before the question.
    #expect(asked.text.contains(" 1          1"), "\(asked.text)")
    #expect(try await self.ages() == ages)
    let named = try await repository.toolOnTerminal(
      ["store", "remove", "data", "Person", "3"], typing: "")
    #expect(named.text.contains("1 object removed"), "\(named.text)")
  }

  @Test(.enabled("needs python3", { try await ProcessRun.of("python3", ["-V"]).status == 0 }))
  func duplicatesAreListedAndRemoved() async throws {
    #expect(try await run("store duplicates data Person.age").status == 0)
    #expect(try await run("store set data Person 1 3 age=7").status == 0)
    let list = try await run("store duplicates data Person.age")
    #expect(list.status == 1)
    #expect(
      list.text == """
        Person.age: 1 value of several objects; 1 object would be removed
        value  stays  goes
        7          1  3

        """)
    let unasked = try await run("store duplicates data Person.age --remove")
    #expect(unasked.status == 64)
    #expect(unasked.messages.contains("pass --yes when not running on a terminal"))
    #expect(try await ages() == "727")
    let refused = try await repository.toolOnTerminal(
      ["store", "duplicates", "data", "Person.age", "--remove"], typing: "n\n")
    #expect(refused.status == 2)
    #expect(refused.text.contains("remove 1 object of Person? [y/N] "), "\(refused.text)")
    #expect(refused.text.contains("7          1  3"), "\(refused.text)")
    #expect(try await ages() == "727")
    let dry = try await run("store duplicates data Person.age --remove --dry-run")
    #expect(dry.status == 0)
    #expect(
      dry.text.contains("7          1  3\ndry run: nothing was kept\nPerson: 1 would be removed"))
    #expect(try await ages() == "727")
    let removed = try await repository.toolOnTerminal(
      ["store", "duplicates", "data", "Person.age", "--remove", "--keep", "newest"],
      typing: "y\n")
    #expect(removed.status == 0)
    #expect(removed.text.contains("Person.age: 1 object removed"), "\(removed.text)")
    #expect(try await ages() == "27")
    let none = try await run("store duplicates data Person.age --remove")
    #expect(none.status == 0)
    #expect(none.text == "Person.age: no two objects have one value\n")
  }

  @Test(.enabled("needs jsonschema", { await SchemaValidator.isAvailable() }))
  func reportsFollowTheirSchemas() async throws {
    #expect(try await run("store set data Person 1 2 3 name='x'").status == 0)
    for (words, schema) in [
      ("info data Person", "store-entity"), ("put data Person {} [{}]", "store-edit"),
      ("put data Person {\"age\":3} --dry-run", "store-edit"),
      ("set data Person 1 age=5 --dry-run", "store-edit"),
      ("set data Person 1 age=5", "store-edit"),
      ("remove data Person --all --dry-run", "store-edit"),
      ("duplicates data Person.age", "store-duplicates"),
      ("duplicates data Person.name --remove --dry-run --repoint", "store-duplicates"),
      ("link data Person.friends 1 2 --dry-run", "store-edit"),
      ("unlink data Person.friends 1 2", "store-edit"), ("get data Person 1 2", "query-result"),
    ] {
      let run = try await run("store \(words) --format json")
      #expect(run.status == 0, "\(words): \(run.messages)")
      let violations = try await SchemaValidator.violations(
        of: Array(run.text.utf8), against: schema + ".schema.json")
      #expect(violations == "", "\(words): \(run.text)")
    }
  }
}
