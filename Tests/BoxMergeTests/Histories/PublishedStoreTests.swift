import BoxMerge
import BoxModel
import TestSupport
import Testing

/// Published versions of random teams, with what their users have: the generator of bindings, and stores.
///
/// `BOXJOINT_SOAK_PUBLISHED_STORES` says how many teams.
@Suite(
  .enabled(
    if: Tool.path != nil && builtProgram("boxjoint-generate") != nil,
    "a program is not built: swift build"))
struct PublishedStoreTests {
  @Test func everyPublishedVersionOpensTheStoresOfTheOneBefore() async throws {
    let count = TestSeed.count("BOXJOINT_SOAK_PUBLISHED_STORES", default: 20)
    let seed = TestSeed.value()
    var (teams, migrations, builds, index) = (0, 0, 0, 0)
    while teams < count {
      let one = LawRun.seed(index, of: seed)
      index += 1
      let history = History(
        seed: one, steps: HistoryStep.random(one), arrangement: .remote, merge: { try $0.merged() })
      // A break of a law is the matter of another test.
      guard history.violations.isEmpty, history.published.count > 2 else { continue }
      teams += 1
      do {
        let team = try TeamStore()
        for commit in history.published {
          let tree = history.repository.tree(commit)
          if try await team.build(tree) { builds += 1 }
          if try await team.migrate(to: tree.model) { migrations += 1 }
        }
      } catch {
        Issue.record("BOXJOINT_SEED=0x\(String(one, radix: 16)): \(error)")
      }
    }
    print("\(teams) teams: \(builds) builds, \(migrations) migrations")
    #expect(builds > count && migrations > count)
  }
}

/// The store of a user, and the sources of a developer.
private final class TeamStore {
  private let directory: TemporaryDirectory
  private var model: Model?
  private var versions = 0
  private var values: [UID: String] = [:]

  init() throws { directory = try TemporaryDirectory() }

  private func tool(_ arguments: String...) async throws -> ProcessRun {
    let run = try await runTool(arguments, in: directory.path)
    if run.status != 0 {
      throw TestFailure("\(arguments) ended with \(run.status): \(run.text)\(run.messages)")
    }
    return run
  }

  /// Runs the generator on the sources and the model of a version: it changes no id and no UID.
  ///
  /// - Returns: Whether the version is one that somebody built, in forms that the generator has.
  func build(_ tree: Tree) async throws -> Bool {
    let match = SourceMatch(tree.model.model, tree.sources)
    let isBuilt =
      match.surplus.isEmpty
      && tree.sources.numbers.allSatisfy { number in
        let index = tree.sources.groups[number]?.index
        return match.uids[number] != nil && match.isInStep(number)
          && match.isIndexInStep(number, index) && index != .hash64
      }
    guard isBuilt else { return false }
    let package = try TemporaryDirectory()
    try package.write(tree.model.bytes, to: "model-App.json")
    try package.write(tree.sources.swift, to: "Sources/App/Entities.swift")
    guard let program = builtProgram("boxjoint-generate") else { return false }
    let run = try await ProcessRun.of(program, in: package.path)
    guard run.status == 0 else {
      throw TestFailure("generate ended with \(run.status): \(run.messages)\n\(tree.sources.swift)")
    }
    let after = try ModelDocument(parsing: package.bytes(of: "model-App.json")).model
    let (before, now) = (Self.pairs(tree.model.model), Self.pairs(after))
    if before != now {
      throw TestFailure("the generator gave other ids:\n\(before)\n\(now)\n\(tree.sources.swift)")
    }
    return true
  }

  private static func pairs(_ model: Model) -> [String] {
    var pairs: [String] = []
    model.forEachElement { pairs.append("\($0.kind) \($1)") }
    return pairs.sorted()
  }

  /// Migrates the store to a version: each value of a property that is still there is as before.
  ///
  /// - Returns: Whether there was a store.
  func migrate(to document: ModelDocument) async throws -> Bool {
    versions += 1
    let file = "v\(versions).json"
    try directory.write(document.bytes, to: file)
    let former = model
    model = document.model
    // A type that changed under its UID is refused, as it should be.
    guard let former, !Self.hasOtherTypes(former, document.model) else {
      try await fill(document.model, file)
      return false
    }
    _ = try await tool("migrate", "--store", "store", "--to", file, "--yes")
    let found = try await read(document.model)
    for (uid, value) in values where found[uid] != nil && found[uid] != value {
      throw TestFailure("\(uid) was \(value), and is \(found[uid] ?? "") in \(file)")
    }
    let lost = values.keys.filter { uid in
      found[uid] == nil && document.lookup[.property, uid] != nil
    }
    if !lost.isEmpty { throw TestFailure("\(lost) have no values in \(file)") }
    values = found
    return true
  }

  private static func hasOtherTypes(_ a: Model, _ b: Model) -> Bool {
    var types: [UID: PropertyType?] = [:]
    for property in a.entities.flatMap(\.properties) { types[property.pair.uid] = property.type }
    return b.entities.flatMap(\.properties).contains { property in
      types[property.pair.uid].map { $0 != property.type } ?? false
    }
  }

  /// Makes a new store with an object of each entity.
  private func fill(_ model: Model, _ file: String) async throws {
    _ = try await ProcessRun.of("rm", ["-rf", "store"], in: directory.path)
    var lines: [String] = []
    for entity in model.entities {
      var fields: [String] = []
      for property in entity.properties {
        let isText = property.type == .string
        if property.flags.contains(.id) {
          fields.append("\"\(property.name)\":1")
        } else if property.type != .relation {
          let value = property.pair.uid % 1000
          fields.append("\"\(property.name)\":\(isText ? "\"t\(value)\"" : "\(value)")")
        }
      }
      lines.append("{\"\(entity.name)\":{\(fields.joined(separator: ","))}}\n")
    }
    try directory.write(lines.joined(), to: "data.ndjson")
    _ = try await tool("import", "--raw", "--store", "store", "--model", file, "data.ndjson")
    values = try await read(model)
  }

  /// The value of each property that is no relation, by its UID.
  private func read(_ model: Model) async throws -> [UID: String] {
    let run = try await tool("export", "--raw", "--store", "store")
    var result: [UID: String] = [:]
    for line in run.text.split(separator: "\n").map(String.init) {
      for entity in model.entities where line.hasPrefix("{\"\(entity.name)\":") {
        for property in entity.properties where property.type != .relation {
          let mark = "\"\(property.name)\":"
          guard let start = line.firstRange(of: mark) else { continue }
          let value = line[start.upperBound...].prefix { $0 != "," && $0 != "}" }
          if value != "null" { result[property.pair.uid] = String(value) }
        }
      }
    }
    return result
  }
}

extension Sources {
  /// The sources as a file of Swift.
  fileprivate var swift: String {
    numbers(of: .entity).map { number in
      var lines = ["// objectbox: entity", "final class \(groups[number]?.head.name ?? "") {"]
      for member in members(of: number) {
        guard let group = groups[member] else { continue }
        let name = group.head.name
        let target = group.target.flatMap { groups[$0]?.head.name } ?? ""
        switch (group.kind, group.type) {
        case (.relation, _): lines.append("  var \(name): ToMany<\(target)> = nil")
        case (_, .relation): lines.append("  var \(name): ToOne<\(target)> = nil")
        default:
          if let index = group.index { lines.append("  // objectbox: index = \"\(index)\"") }
          let type =
            switch group.type {
            case .string: "String"
            case .int: "Int32"
            case .double: "Double"
            default: group.isID ? "Id" : "Int"
            }
          let value = group.type == .string ? "\"\"" : "0"
          lines.append("  var \(name): \(type) = \(value)")
        }
      }
      return (lines + ["  init() {}", "}"]).joined(separator: "\n") + "\n"
    }.joined(separator: "\n")
  }
}
