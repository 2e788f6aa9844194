import BoxJSON
import BoxModel
import TestSupport
import Testing

/// Every option that takes names takes those that `NamePath` writes.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct NamesInOptionsTests {
  private let directory: TemporaryDirectory

  private static let names = HostileName.all
  /// The name of an entity that has to be in backquotes in a path.
  private static let odd = "odd, entity.`x`"

  /// One object, each of whose properties has its position as value.
  init() async throws {
    directory = try TemporaryDirectory()
    let numbers = Self.names.map { TestModel.Property(name: $0, type: .long, flags: .indexed) }
    let vectors = Self.names.map { TestModel.Property(name: $0, type: .floatVector) }
    let relations = Self.names.map { TestModel.Relation("to " + $0, to: "Thing") }
    func fields(_ fields: [TestModel.Property]) -> [TestModel.Property] { [.id()] + fields }
    let model = TestModel(
      .init(name: "Thing", uid: 1000, properties: fields(numbers), relations: relations),
      .init(name: "Vector", uid: 2000, properties: fields(vectors)),
      .init(name: Self.odd, uid: 3000, properties: fields(numbers)))
    try directory.write(model.text, to: "model.json")
    let members = Self.names.enumerated().map { JSONValue.Member($1, .int($0)) }
    try directory.write(JSONValue.object(members).text(indent: 0) + "\n", to: "in.ndjson")
    try directory.write(
      JSONValue.object(Self.names.map { .init($0, .string("v")) }).text(indent: 0) + "\n",
      to: "texts.ndjson")
    try directory.write(
      JSONValue.object(Self.names.map { .init($0, .int(1)) }).text(indent: 0) + "\n",
      to: "ids.ndjson")
    try directory.write(
      JSONValue.object(Self.names.map { .init($0, .array([.int(1)])) }).text(indent: 0) + "\n",
      to: "vectors.ndjson")
    try directory.write("1,5\n", to: "row.csv")
    try directory.write(#"{"source":1,"target":1}"# + "\n", to: "pairs.ndjson")
    for entity in ["Thing", Self.odd] {
      let run = try await tool([
        "import", "--store", "data", "--model", "model.json", "--entity", entity, "in.ndjson",
      ])
      #expect(run.status == 0, "\(run.messages)")
      #expect(run.text.hasPrefix(NamePath.quoted(entity) + ": 1 added\n"), "\(run.text)")
    }
    let loaded = try await tool([
      "import", "--store", "data", "--entity", "Vector", "vectors.ndjson",
    ])
    #expect(loaded.status == 0, "\(loaded.messages)")
  }

  private func tool(_ arguments: [String]) async throws -> ProcessRun {
    try await runTool(arguments, in: directory.path)
  }

  /// A command line with a name, and what its answer ends with.
  private struct Use: Sendable {
    /// The command and the option, or the argument.
    let option: String
    /// The arguments for the text of a name.
    let arguments: @Sendable (_ name: String) -> [String]
    /// The end of the answer for a name and its value; nil for any.
    var end: (@Sendable (_ value: Int) -> String)?

    init(
      _ option: String, end: (@Sendable (_ value: Int) -> String)? = nil,
      _ arguments: @escaping @Sendable (_ name: String) -> [String]
    ) {
      (self.option, self.end, self.arguments) = (option, end, arguments)
    }
  }

  private static func query(_ words: String...) -> [String] {
    ["query", "data", "Thing", "--format", "csv"] + words
  }

  private static func infer(_ words: String...) -> [String] {
    ["model", "infer", "--entity", "T", "texts.ndjson"] + words
  }

  private static func load(_ words: String...) -> [String] {
    ["import", "--store", "data", "--mode", "upsert", "--dry-run"] + words
  }

  private static func pairs(of relation: String) -> [String] {
    let relation = "Thing." + NamePath.quoted(relation)
    return ["import", "--store", "data", "--dry-run", "--relation", relation, "pairs.ndjson"]
  }

  private static let uses: [Use] = [
    Use("query --select", end: { "\r\n\($0)\r\n" }) { query("--select", $0) },
    Use("query --select Entity", end: { "\r\n\($0)\r\n" }) { query("--select", "Thing.\($0)") },
    Use("query --select list", end: { "\r\n1,\($0)\r\n" }) { query("--select", "id,\($0)") },
    Use("query --fields", end: { "\r\n\($0)\r\n" }) { query("--fields", $0) },
    Use("query --where", end: { _ in "\r\n1\r\n" }) { query("--where", "\($0) >= 0", "--count") },
    Use("query --order-by") { query("--order-by", "\($0) desc nulls last, id") },
    Use("query --order-by sum") {
      query("--group-by", "id", "--sum", $0, "--order-by", "sum(\($0)) desc")
    },
    Use("query --order-by group", end: { "\r\n\($0),1\r\n" }) {
      query("--group-by", $0, "--order-by", "\($0) desc, count")
    },
    Use("query --group-by", end: { "\r\n\($0),1\r\n" }) { query("--group-by", $0) },
    Use("query --sum", end: { "\r\n\($0)\r\n" }) { query("--sum", $0) },
    Use("query --min", end: { "\r\n\($0)\r\n" }) { query("--min", $0) },
    Use("query --max", end: { "\r\n\($0)\r\n" }) { query("--max", $0) },
    Use("query --avg", end: { "\r\n\($0).0\r\n" }) { query("--avg", $0) },
    Use("query --nearest") { ["query", "data", "Vector", "--nearest", "\($0)=[1]"] },
    Use("query --nearest --of", end: { _ in "\r\n1,0.0\r\n" }) {
      [
        "query", "data", "Vector", "--nearest", $0, "--of", "1", "--select", "id", "--format",
        "csv",
      ]
    },
    Use("export --fields") {
      ["export", "--store", "data", "--entities", "Thing", "--fields", "id,Thing.\($0)"]
    },
    Use("export --fields alone") {
      ["export", "--store", "data", "--entities", "Thing", "--fields", "\($0),id"]
    },
    Use("export --redact") { ["export", "--store", "data", "--redact", "Thing.\($0)=null"] },
    Use("export --where") {
      ["export", "--store", "data", "--entities", "Thing", "--where", "\($0) >= 0"]
    },
    Use("export --entities") { _ in
      ["export", "--store", "data", "--entities", "Thing,\(NamePath.quoted(odd))"]
    },
    Use("import --match") { load("--entity", "Thing", "--match", "Thing.\($0)", "in.ndjson") },
    Use("import --columns") { load("--entity", "Thing", "--columns", "id,\($0)", "row.csv") },
    Use("import --relation") { _ in Self.pairs(of: "to a,b") },
    Use("import --entity") { _ in load("--entity", NamePath.quoted(odd), "in.ndjson") },
    Use("model infer --entity") { ["model", "infer", "--entity", $0, "texts.ndjson"] },
    Use("model infer --unique") { infer("--unique", $0) },
    Use("model infer --index") { infer("--index", $0) },
    Use("model infer --id") {
      ["model", "infer", "--entity", "T", "ids.ndjson", "--id", $0]
    },
    Use("model infer --type") { infer("--type", "\($0)=string") },
    Use("model infer --link") { infer("--link", "\($0)=Other.\($0)") },
    Use("store duplicates", end: { _ in "" }) { ["store", "duplicates", "data", "Thing.\($0)"] },
    Use("store duplicates --order-by") {
      ["store", "duplicates", "data", "Thing.\($0)", "--keep", "first", "--order-by", "\($0) desc"]
    },
    Use("store duplicates of an odd entity") {
      ["store", "duplicates", "data", "\(NamePath.quoted(odd)).\($0)"]
    },
    Use("store set") { ["store", "set", "data", "Thing", "1", "\($0)=7", "--dry-run"] },
    Use("store set json") { ["store", "set", "data", "Thing", "1", "\($0):=7", "--dry-run"] },
    Use("store set --where") {
      ["store", "set", "data", "Thing", "--where", "\($0) >= 0", "--yes", "plain=1", "--dry-run"]
    },
    Use("store watch --where") {
      ["store", "watch", "data", "Thing", "--where", "\($0) >= 0", "--timeout", "0s"]
    },
    Use("store info") { _ in ["store", "info", "data", NamePath.quoted(odd)] },
    Use("model remove") { ["model", "remove", "model.json", "Thing.\($0)", "--dry-run"] },
    Use("model rename") { ["model", "rename", "model.json", "Thing.\($0)", "new", "--dry-run"] },
    Use("model set-type") {
      ["model", "set-type", "model.json", "Thing.\($0)", "int", "--convert", "--dry-run"]
    },
  ]

  /// The options without names.
  private static let others: Set<String> = [
    "--after", "--batch", "--bytes", "--compress", "--config", "--confirm", "--converters",
    "--dangling",
    "--dates",
    "--delimiter",
    "--empty", "--expect", "--format", "--header", "--ids", "--input-format", "--integers",
    "--keep", "--limit",
    "--max-element", "--max-errors", "--max-ratio", "--max-size", "--mode", "--model", "--nested",
    "--null", "--offset", "--on-error", "--output", "--progress", "--quotes", "--records",
    "--rejects", "--rows-per-file", "--rules", "--save",
    "--schema", "--shape", "--skip-lines", "--store", "--types", "--unknown", "--vectors",
    "--zone",
  ]

  /// A new option is in the table, or has no names.
  @Test func everyOptionIsThere() async throws {
    let used = Set(Self.uses.flatMap { $0.option.split(separator: " ").map(String.init) })
    for command in [
      "query", "export", "import", "model infer", "store duplicates", "store set", "store remove",
    ] {
      let help = try await tool(command.split(separator: " ").map(String.init) + ["--help"]).text
      let options = help.matches(of: #/(--[a-z-]+) </#).map { String($0.output.1) }
      #expect(!options.isEmpty, "\(command)")
      for option in options where !used.contains(option) && !Self.others.contains(option) {
        Issue.record("add \(option) of \(command) to the table, or to the options without names")
      }
    }
  }

  @Test(arguments: uses.indices)
  func theNameIsFound(_ position: Int) async throws {
    let use = Self.uses[position]
    var random = TestSeed.next("\(use.option)")
    for index in random.shuffled(Array(Self.names.indices)).prefix(14) {
      let arguments = use.arguments(NamePath.quoted(Self.names[index]))
      let run = try await tool(arguments)
      #expect(run.status == 0, "\(use.option): \(arguments): \(run.messages)")
      if let end = use.end?(index) {
        #expect(run.text.hasSuffix(end), "\(use.option): \(arguments): \(run.text)")
      }
    }
  }

  /// Without backquotes a name is found, or the message says how it is written.
  @Test(arguments: ["--select", "--order-by", "--group-by", "--sum", "--where"])
  func withoutBackquotesTheMessageSaysSo(option: String) async throws {
    // A name that is a list of nothing, or like an option, is not even looked for.
    for name in Self.names where !name.contains("\0") && name != "," && !name.hasPrefix("-") {
      let text = option == "--where" ? name + " >= 0" : name
      let run = try await tool(Self.query(option, text))
      if run.status == 0 { continue }
      #expect(
        run.messages.contains("`") || run.messages.contains("backquotes"),
        "\(option) \(name.debugDescription): \(run.messages)")
    }
  }

  /// A relation with the name is linked, and unlinked.
  @Test func relationsAreFound() async throws {
    var random = TestSeed.next()
    for name in random.shuffled(Self.names).prefix(14) {
      let relation = "Thing." + NamePath.quoted("to " + name)
      let loaded = try await tool(Self.pairs(of: "to " + name))
      #expect(loaded.status == 0, "\(relation): \(loaded.messages)")
      for command in ["link", "unlink"] {
        let run = try await tool(["store", command, "data", relation, "1", "1"])
        #expect(run.status == 0, "\(command) \(relation): \(run.messages)")
        #expect(run.text.hasPrefix(relation + ": "), "\(run.text)")
        #expect(run.text.hasSuffix(command == "link" ? "1 entry added\n" : "1 entry removed\n"))
      }
    }
  }
}
