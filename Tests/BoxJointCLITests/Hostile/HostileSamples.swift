import TestSupport

/// Sound files of every kind, made by the program itself, to be damaged.
struct HostileSamples: Sendable {
  /// The bytes of each file by its path in the working directory.
  let files: [String: [UInt8]]
  /// The statuses that the help of each command names.
  let statuses: [String: Set<Int32>]

  private static let examples =
    "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/docs/examples/"

  init() async throws {
    let directory = try TemporaryDirectory()
    try Self.writeTexts(to: directory)
    for command in Self.commands {
      let run = try await runTool(
        command.split(separator: " ").map(String.init), in: directory.path)
      if run.status != 0 { throw TestFailure("\(command): \(run.status) \(run.messages)") }
    }
    for command in Self.gitCommands {
      let run = try await ProcessRun.of(
        "git", command.split(separator: " ").map(String.init), in: directory.path)
      if run.status != 0 { throw TestFailure("git \(command): \(run.messages)") }
    }
    var files: [String: [UInt8]] = [:]
    func add(_ name: String) throws {
      let children = directory.names(in: name)
      if children.isEmpty { files[name] = try? directory.bytes(of: name) }
      for child in children { try add(name == "." ? child : name + "/" + child) }
    }
    try add(".")
    for name in ["lock.mdb", "store.lock"] {
      (files["S/" + name], files["U/" + name]) = (nil, nil)
    }
    self.files = files
    statuses = try await Self.documentedStatuses()
  }

  /// The files at a path and below it.
  func files(at path: String) -> [String: [UInt8]] {
    files.filter { $0.key == path || $0.key.hasPrefix(path + "/") }
  }

  private static func writeTexts(to directory: TemporaryDirectory) throws {
    let copies = [
      "model.json": "people/model.json", "v2.json": "people/v2.json",
      "released.json": "people/model.json", "other.json": "notes/changed.json",
      "users.json": "users/model.json", "users.ndjson": "users/users.ndjson",
      "converters.yml": "users/converters.yml", "films.json": "films/model.json",
      "films.yml": "films/converters.yml",
    ]
    for (name, source) in copies {
      try directory.write(directory.bytes(of: examples + source), to: name)
    }
    // Some values are long enough for pages of their own.
    let people = (1...300).map { id in
      let name = String(repeating: "Ann", count: id % 60 == 0 ? 2500 : id % 30)
      return #"{"id":\#(id),"name":"\#(name)","email":"p\#(id)@example.org","age":\#(id % 90)}"#
    }
    try directory.write(people.joined(separator: "\n") + "\n", to: "people.ndjson")
    try directory.write("[\(people.joined(separator: ","))]", to: "people.json")
    let orders = (1...200).map { #"{"id":\#($0),"customer":\#($0 % 40 + 1),"total":1.5}"# }
    try directory.write(orders.joined(separator: "\n") + "\n", to: "orders.ndjson")
    let films = ["Ann", "Bo"].map {
      #"{"title":"\#($0)","year":1999,"genres":["a","b"],"cast":["\#($0)","Cy"],"thumbnail":"b.png"}"#
    }
    try directory.write(films.joined(separator: "\n"), to: "films.ndjson")
    try directory.write("properties: {}\n", to: "empty.yml")
    try directory.write(
      """
      published: [origin/main, v*]
      files: [model.json]
      check: { ignore: [BOX105] }
      plan: { fail-on: [data-loss], ignore: [BOX311:Log], severity: [BOX312=error] }
      converters: converters.yml

      """, to: ".boxjoint.yml")
    let mapping = #"""
      {"types": {"Level": {"type": "enum", "values": {"low": 0, "high": 9}}}, "mappings": [
        {"from": "model", "to": "v2", "entities": [{"copy": "Order"}, {"transform": "Person",
          "make": [{"to": "Person", "when": [{"property": "age", "isNot": [null, 7]}],
            "properties": {"age": {"from": "age", "default": 3}, "score": {"value": 1.5}}}]}]}]}
      """#
    // JSON is YAML too.
    for name in ["mapping.json", "mapping.yml"] { try directory.write(mapping, to: name) }
    try directory.write(
      """
      {"schemaVersion": 1, "approvals": [{"fingerprint": "0123456789abcdef0124",
        "reason": "none", "author": "a", "until": "2999-01-01", "change": "c"}]}
      """, to: ".boxjoint-approvals.json")
  }

  private static let commands = [
    "import --store S --model model.json --entity Person --batch 40 --raw people.ndjson",
    "import --store S --entity Order --batch 30 --raw orders.ndjson",
    // Free pages.
    "import --store S --entity Order --mode replace --batch 20 --raw orders.ndjson",
    "import --store U --model users.json users.ndjson",
    "export --store S --raw --output dump.ndjson", "export --store S --raw --output dump.ndjson.gz",
    "export --store S --raw --output dump.ndjson.zst",
    "export --store S --raw --shape document --output dump.json",
    "export --store S --raw --shape directory --output D",
    "converters lock --catalogue converters.yml --lock converters.lock",
    "lock write model.json",
  ]

  private static let gitCommands = [
    "init --quiet --template= --initial-branch=main", "add model.json",
    "-c user.name=a -c user.email=a@example.org commit --quiet --message=a",
  ]

  /// The statuses behind "Exit status:" in the help of each command that is run.
  private static func documentedStatuses() async throws -> [String: Set<Int32>] {
    var statuses: [String: Set<Int32>] = [:]
    for command in HostileKind.all.flatMap(\.commands) {
      let name = self.name(of: command)
      if statuses[name] != nil { continue }
      let help = try await runTool(["help"] + name.split(separator: " ").map(String.init)).text
      let text = help.replacing("\n", with: " ")
      guard let start = text.firstRange(of: "Exit status:")?.upperBound else {
        statuses[name] = [0, 64, 74, 78]
        continue
      }
      let end = text.firstRange(of: "USAGE:")?.lowerBound ?? text.endIndex
      let numbers = text[start..<end].split { !$0.isNumber }.compactMap { Int32($0) }
      statuses[name] = Set(numbers).union([64])
    }
    return statuses
  }

  /// The words of a command line that name the command.
  static func name(of command: String) -> String {
    let words = command.split(separator: " ")
    let groups: Set<Substring> = ["store", "dump", "converters", "lock"]
    let isGroup = groups.contains(words[0]) || words[0] == "plan" && words[1] == "approve"
    let defaults: [Substring: String] = ["plan": "plan show", "migrate": "migrate run"]
    return isGroup ? "\(words[0]) \(words[1])" : defaults[words[0]] ?? String(words[0])
  }
}
