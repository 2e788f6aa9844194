import ArgumentParser
import BoxJSON
import BoxModel
import BoxStoreTool
import TestSupport
import Testing

@testable import BoxJointCLI
@testable import BoxModelTool

/// Every command that can lose stored values is in the table of lossy operations, and has what consent needs.
struct LossyCommandsTests {
  /// The commands that lose no stored values: they read, add, write files that are no stores, or keep the file that they
  /// replace.
  private static let harmless: Set<String> = [
    "check", "ci comment", "ci merge", "completions", "config", "converters check",
    "converters lock", "converters scan",
    "diagram", "diff", "dump diff", "dump verify", "export", "git hook", "git install",
    "git status", "git uninstall",
    "browse", "history", "lock check", "lock write", "merge", "merge-driver", "migrate test", "new",
    "plan approve",
    "plan show",
    "plan verify", "plan", "query",
    "recover", "resolve", "show", "store backup", "store get", "store info", "store link",
    "store orphans", "store repair", "store verify",
    "store watch",
  ]

  /// The commands by their words without the name of the program, apart from those that have others.
  private static var leaves: [(name: String, type: any ParsableCommand.Type)] {
    HelpTests.commands().filter { $0.type.configuration.subcommands.isEmpty }
      .map { ($0.words.dropFirst().joined(separator: " "), $0.type) }
  }

  @Test func everyCommandLosesNothingOrHasARow() {
    let lossy = Set(LossyOperation.allCases.map(\.rawValue))
    for (name, _) in Self.leaves where !lossy.contains(name) && !name.hasPrefix("model ") {
      // The lines of a shell are these commands.
      #expect(Self.harmless.contains(name) || name == "shell", "\(name)")
    }
    #expect(lossy.isSubset(of: Self.leaves.map(\.name)))
    #expect(lossy.isDisjoint(with: Self.harmless))
  }

  @Test(arguments: LossyOperation.allCases)
  func aLossyCommandTakesConsent(operation: LossyOperation) throws {
    let type = try #require(Self.leaves.first { $0.name == operation.rawValue }).type
    var needed: Set<String> = ["--dry-run", "--yes", "--expect", "--confirm"]
    // A dump has no hidden data; these have a copy of the store instead.
    if operation != .compact && operation != .migrate { needed.insert("--save") }
    #expect(declaredOptions(of: type).isSuperset(of: needed), "\(operation.rawValue)")
  }

  @Test func thePageHasTheTable() throws {
    let page = try SourceFile.read(DocumentedStoresTests.root + "/docs/agents.md").bytes
    let text = String(decoding: page, as: UTF8.self)
      .replacing("[delete rules](delete-rules.md)", with: "delete rules")
    for operation in LossyOperation.allCases {
      #expect(text.contains("| \(operation.loss) |"), "\(operation.rawValue)")
    }
  }
}

/// Consent on the command line.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct ConsentCommandTests {
  private let repository: TemporaryRepository

  init() async throws {
    repository = try await TemporaryRepository()
    let model = TestModel(
      .init(
        name: "Person", uid: 1000, fields: [.init("age", 1020, .int)],
        relations: [.init("friends", 1900, to: "Person")]))
    try repository.write(model.text, to: "model.json")
    try repository.write("{\"age\":1}\n{\"age\":2}\n{\"age\":3}\n", to: "people.ndjson")
    let run = try await self.run(
      "import --store data --model model.json --entity Person people.ndjson")
    #expect(run.status == 0, "\(run.messages)")
  }

  private func run(_ words: String, _ variables: [String: String] = [:]) async throws -> ProcessRun
  {
    try await runTool(
      words.split(separator: " ").map(String.init), in: repository.path,
      environment: repository.environment.merging(variables) { $1 }, input: [])
  }

  @Test func aDryRunPrintsTheCodeThatTheCommandTakes() async throws {
    let dry = try await run("store remove data Person --where age>1 --dry-run")
    #expect(dry.text.contains("\nPerson: 2 would be removed, of 3\n"), "\(dry.text)")
    let line = try #require(dry.text.split(separator: "\n").first { $0.contains("--confirm") })
    let code = try #require(line.split(separator: " ").last)
    let other = try await run("store remove data Person --where age>0 --confirm \(code)")
    #expect(other.status == 2)
    #expect(
      other.messages.contains(
        "3 objects would be removed; nothing was changed; run it with --dry-run, and pass"),
      "\(other.messages)")
    let done = try await run(
      "store remove data Person --where age>1 --confirm \(code) --save lost.ndjson")
    #expect(done.status == 0, "\(done.messages)")
    #expect(done.text == "Person: 2 objects removed\n")
    #expect(done.messages == "boxjoint: what was lost is in lost.ndjson\n")
    let back = try await run("import --store data --mode replace lost.ndjson")
    #expect(back.status == 0, "\(back.messages)")
    #expect(try await run("query data Person --count").text == "3\n")
  }

  @Test func blindConsentWarns() async throws {
    let warning = "version 0.3 requires one of them here"
    for words in [
      "store set data Person --all --yes age=4", "store link data Person.friends 1 2",
      "store unlink data Person.friends 1 2", "store remove data Person 3",
      "store remove data Person --where age==4 --yes --expect 2",
    ] {
      let run = try await run(words)
      #expect(run.status == 0, "\(words): \(run.messages)")
      let warns = words.contains("--all") || words.contains("unlink")
      #expect(run.messages.contains(warning) == warns, "\(words): \(run.messages)")
    }
  }

  @Test(arguments: [
    ("store remove data Person --all --expect 3", "--expect needs --yes"),
    (
      "store remove data Person --all --yes --confirm 7f3k-9q2m",
      "--confirm and --yes exclude each other"
    ),
    ("store remove data Person --all --confirm 7f3k", "'7f3k' is not a code"),
    ("store compact data --dry-run", "--dry-run needs --purge"),
    ("store remove data Person --all --yes --save -", "--save needs a file"),
    ("store remove data Person --all --yes --save people.ndjson", "the file exists already"),
  ])
  func aMistakeChangesNothing(words: String, message: String) async throws {
    let run = try await run(words)
    #expect(run.status == 64, "\(run.messages)")
    #expect(run.messages.contains(message), "\(run.messages)")
    #expect(try await self.run("query data Person --count").text == "3\n")
  }

  @Test func theUserCanAskForACode() async throws {
    let refused = try await run("store remove data Person 1", ["BOXJOINT_CONFIRM": "code"])
    #expect(refused.status == 64)
    #expect(
      refused.messages.contains("1 object would be removed; run it with --dry-run"),
      "\(refused.messages)")
    let wrong = try await run("store remove data Person 1", ["BOXJOINT_CONFIRM": "no"])
    #expect(wrong.status == 78, "\(wrong.messages)")
    let never = try await run("store remove data Person --all", ["BOXJOINT_CONFIRM": "never"])
    #expect(never.status == 0, "\(never.messages)")
    #expect(never.messages.isEmpty)
  }

  /// Two orders, of which the second one takes the number of the first over where it is set to 5.
  private func fillOrders() async throws {
    let model = TestModel(
      .init(
        name: "Order", uid: 1000,
        fields: [
          .init(
            name: "number", type: .long, flags: [.indexed, .unique, .uniqueOnConflictReplace],
            uid: 1010)
        ]))
    try repository.write(model.text, to: "orders.json")
    try repository.write("{\"number\":5}\n{\"number\":null}\n", to: "orders.ndjson")
    let filled = try await run(
      "import --store orders --model orders.json --entity Order orders.ndjson")
    #expect(filled.status == 0, "\(filled.messages)")
  }

  @Test(arguments: ["code", "terminal"])
  func aTransactionOfTheShellRefusesWhatDisplaces(policy: String) async throws {
    try await fillOrders()
    let input = "begin\nput Order '{\"number\":5}'\ncommit\n"
    let shell = try await runTool(
      ["shell", "orders"], in: repository.path,
      environment: repository.environment.merging(["BOXJOINT_CONFIRM": policy]) { $1 },
      input: Array(input.utf8))
    #expect(shell.messages.contains("commit it or roll it back first"), "\(shell.messages)")
    let order = try await run("query orders Order --where number==5 --format ndjson")
    #expect(order.text == "{\"id\":1,\"number\":5}\n")
  }

  @Test func anImportThatOnlyDisplacesWarns() async throws {
    try await fillOrders()
    try repository.write("{\"id\":2,\"number\":5}\n", to: "new.ndjson")
    let load = try await run(
      "import --store orders --entity Order --mode replace --yes new.ndjson")
    #expect(load.status == 0)
    #expect(load.messages.contains("version 0.3 requires one of them here"), "\(load.messages)")
    #expect(try await run("query orders Order --count").text == "1\n")
  }

  @Test func whatIsHiddenIsNamedWhereItIsLost() async throws {
    let smaller = TestModel(
      .init(name: "Person", uid: 1000, fields: []), retired: [.property: [1020], .relation: [1900]])
    try repository.write(smaller.text, to: "small.json")
    #expect(try await run("store link data Person.friends 1 2").status == 0)
    let light = try await run("migrate --store data --to small.json --yes")
    #expect(light.status == 0, "\(light.messages)")
    let dry = try await run("store remove data Person 1 --dry-run")
    #expect(
      dry.text.contains("Person.age: 1 hidden value would be removed, which no file can hold\n"),
      "\(dry.text)")
    #expect(dry.text.contains("put it back, except for what is hidden: add --save FILE\n"))
    let done = try await run("store remove data Person 1 --save lost.ndjson")
    #expect(
      done.messages
        == "boxjoint: what was lost is in lost.ndjson, except for 1 hidden value and 1 hidden entry, which no "
        + "file can hold\n")
  }

  @Test func aMigrationThatThrowsValuesAwayNeedsConsent() async throws {
    let texts = TestModel(
      .init(
        name: "Person", uid: 1000, fields: [.init("age", 1020, .bool)],
        relations: [.init("friends", 1900, to: "Person")]))
    try repository.write(texts.text, to: "new.json")
    try repository.write(
      """
      mappings:
        - entities:
            - transform: Person
              properties:
                age: { from: age, unfit: "null" }

      """, to: "mapping.yml")
    let words = "migrate --store data --to new.json --mapping mapping.yml"
    let dry = try await run("\(words) --dry-run")
    // 2 and 3 are no truth values.
    #expect(dry.text.contains("Person.age: 2 values would be removed\n"), "\(dry.text)")
    let line = try #require(dry.text.split(separator: "\n").first { $0.contains("--confirm") })
    let code = try #require(line.split(separator: " ").last)
    let refused = try await run("\(words) --yes", ["BOXJOINT_CONFIRM": "code"])
    #expect(refused.status == 64, "\(refused.messages)")
    #expect(try await run("\(words) --confirm 0000-0000").status == 2)
    #expect(try await run("\(words) --yes --expect 1").status == 2)
    let done = try await run("\(words) --confirm \(code)")
    #expect(done.status == 0, "\(done.messages)")
    #expect(try await run("query data Person --where age==null --count").text == "2\n")
  }

  @Test(.enabled("needs jsonschema", { await SchemaValidator.isAvailable() }))
  func aCompactionFollowsItsSchema() async throws {
    for words in ["", " --purge --dry-run", " --purge --yes"] {
      let run = try await run("store compact data --format json\(words)")
      #expect(run.status == 0, "\(run.messages)")
      let violations = try await SchemaValidator.violations(
        of: run.output, against: "store-compact.schema.json")
      #expect(violations == "", "\(run.text)")
    }
  }

  @Test(.enabled("needs jsonschema", { await SchemaValidator.isAvailable() }))
  func theLossFollowsItsSchema() async throws {
    let run = try await run("store remove data Person --all --dry-run --format json")
    let document = try JSONDocument(parsing: Array(run.text.utf8))
    let loss = try #require(document.exactValue(of: document.root)["loss"])
    let violations = try await SchemaValidator.violations(
      of: Array(loss.text().utf8), against: "loss.schema.json")
    #expect(violations == "", "\(run.text)")
  }

  @Test(.enabled("needs python3", { try await ProcessRun.of("python3", ["-V"]).status == 0 }))
  func aTerminalShowsTheLoss() async throws {
    #expect(try await run("store link data Person.friends 1 2").status == 0)
    let asked = try await repository.toolOnTerminal(
      ["store", "unlink", "data", "Person.friends", "1", "2"], typing: "n\n")
    #expect(asked.status == 2)
    #expect(asked.text.contains("Person.friends: 1 entry would be removed"), "\(asked.text)")
    #expect(asked.text.contains("unlink 1 entry of Person.friends? [y/N] "), "\(asked.text)")
  }
}
