import BoxJSON
import BoxMerge
import BoxModel
import TestSupport
import Testing

/// Random criss-cross histories, merged once more in every way that there is.
///
/// `BOXJOINT_SOAK_CRISS_CROSS` says how many.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct CrissCrossLawTests {
  /// The driver, `merge`, `ci merge` and `resolve` ask the same, and give the same result.
  @Test func everyWayGivesTheSameAnswers() async throws {
    let count = TestSeed.count("BOXJOINT_SOAK_CRISS_CROSS", default: 30)
    let seed = TestSeed.value()
    var counts: [String: Int] = [:]
    for index in 0..<count {
      let one = LawRun.seed(index, of: seed)
      do {
        counts[try await CrissCross(seed: one).compare(), default: 0] += 1
      } catch {
        Issue.record("BOXJOINT_SEED=0x\(String(one, radix: 16)): \(error)")
      }
    }
    print("\(count) histories: \(counts.sorted { $0.key < $1.key })")
    if count >= 30 { #expect(counts["merged", default: 0] > 0 && counts["open", default: 0] > 0) }
  }
}

/// Two branches that each merged the other, and went on.
private struct CrissCross {
  private let repository: TemporaryRepository
  private let file = "model.json"
  /// The names that both sides choose from.
  private static let names = ["q", "r", "s"]

  init(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    var made = CaseGenerator.make(seed: seed)
    while made.kind != .sound || !made.isOfOneDialect {
      made = CaseGenerator.make(seed: random.next())
    }
    repository = try await TemporaryRepository()
    var stream = FastImport()
    var number = 0
    func commit(_ branch: String, _ bytes: [UInt8], _ parents: [Int]) -> Int {
      stream.commit(
        number, on: branch, [("model.json", bytes)], parents: parents.map(FastImport.mark),
        time: 1_700_000_000 + number)
      number += 1
      return number - 1
    }
    let base = try document(made.baseModel, made.baseDialect)
    let start = commit("main", base.bytes, [])
    var tips: [MergeSide: (commit: Int, document: ModelDocument)] = [:]
    var rests: [MergeSide: ArraySlice<ToolEdit>] = [:]
    // Ours is the branch, theirs is main.
    for side in MergeSide.allCases {
      let script = made.script(side)
      let cut = random.below(script.count + 1)
      // A commit of its own, so that the merges are no fast-forwards.
      let edits = script.prefix(cut) + [.setOther("\(side)", "1")]
      let model = ModelTool.run(Array(edits), on: base.model)
      let next = try ModelDocument(parsing: base.rendered(model))
      tips[side] = (commit(side == .ours ? "feature" : "main", next.bytes, [start]), next)
      rests[side] = script.dropFirst(cut)
    }
    let before = tips
    for side in MergeSide.allCases {
      guard let (mine, ours) = before[side], let (other, theirs) = before[side.other] else {
        continue
      }
      let input = MergeInput(
        base: base, ours: ours, theirs: theirs, favor: random.pick(MergeSide.allCases))
      let merged = try ModelDocument(parsing: try input.merged().bytes)
      tips[side] = (
        commit(side == .ours ? "feature" : "main", merged.bytes, [mine, other]), merged
      )
    }
    // Names that one side took over from the other, and that the other replaced since.
    let property = base.model.entities.flatMap { $0.properties }
      .first { !$0.flags.contains(.id) }?.pair.uid
    for side in MergeSide.allCases {
      guard var (tip, current) = tips[side] else { continue }
      var edits = Array(rests[side] ?? [])
      if let property {
        for _ in 0..<random.below(3) {
          edits.append(.renameProperty(property, random.pick(Self.names)))
        }
      }
      for edit in edits {
        let model = ModelTool.run([edit], on: current.model)
        if model == current.model { continue }
        current = try ModelDocument(parsing: current.rendered(model))
        tip = commit(side == .ours ? "feature" : "main", current.bytes, [tip])
      }
    }
    let run = try await repository.tryGit(
      ["fast-import", "--quiet", "--force"], input: stream.stream)
    guard run.status == 0 else { throw TestFailure("git fast-import: \(run.messages)") }
    _ = try await repository.tool("git", "install", "--no-hooks")
    if random.oneIn(2) {
      try await repository.git("update-ref", "refs/remotes/upstream/main", "main")
    }
    try await repository.git("switch", "--quiet", "--force", "--detach", "feature")
  }

  /// The result of one way to merge.
  private struct Answer: Hashable {
    /// The ids of the open conflicts.
    var open: Set<String>
    /// The hash of the merged file; nil while conflicts are open.
    var file: String?
  }

  /// Merges main into the branch in each way.
  ///
  /// - Returns: A word for the outcome.
  func compare() async throws -> String {
    let bases = try await repository.git("merge-base", "--all", "feature", "main").split(
      separator: "\n")
    let driver = try await merge([])
    let dryRun = try await ids(["resolve", "--dry-run", "--format", "json"])
    if driver.file == nil, dryRun.open != driver.open {
      throw TestFailure("the driver asks \(driver.open), resolve \(dryRun.open)")
    }
    try await repository.git("reset", "--quiet", "--hard", "feature")
    let byBranch = try await ids(["merge", "main", "--format", "json"])
    let byCI = try await ids([
      "ci", "merge", "feature", "--into", "main", "--local", "--dry-run", "--format", "json",
    ])
    for (name, answer) in [("merge", byBranch), ("ci merge", byCI)] where answer != driver {
      throw TestFailure("\(bases.count) bases: the driver: \(driver)\n\(name): \(answer)")
    }
    // Git alone leaves the file to `resolve`.
    _ = try await repository.tryGit([
      "-c", "merge.boxjoint.driver=false", "merge", "--no-edit", "main",
    ])
    if try await repository.git("ls-files", "--unmerged") != "" {
      let open = try await ids(["resolve", "--format", "json"])
      let resolved = Answer(
        open: open.open,
        file: open.open.isEmpty ? try await repository.git("hash-object", file) : nil)
      if resolved != driver { throw TestFailure("the driver: \(driver)\nresolve: \(resolved)") }
    }
    if bases.count < 2 { return "one base" }
    return driver.file == nil ? "open" : "merged"
  }

  /// The merge by git with the driver.
  private func merge(_ options: [String]) async throws -> Answer {
    let run = try await repository.tryGit(options + ["merge", "--no-ff", "--no-edit", "main"])
    let mark = "     id: "
    let ids = run.messages.split(separator: "\n").filter { $0.hasPrefix(mark) }
      .map { String($0.dropFirst(mark.count)) }
    return Answer(
      open: Set(ids),
      file: run.status == 0 ? try await repository.git("rev-parse", "HEAD:" + file) : nil)
  }

  /// The answer of a command in its JSON.
  private func ids(_ arguments: [String]) async throws -> Answer {
    let run = try await runTool(
      arguments, in: repository.path, environment: repository.environment)
    let json: JSONValue
    do {
      let report = try JSONDocument(parsing: Array(run.text.utf8))
      json = report.value(of: report.root)
    } catch {
      throw TestFailure("\(arguments): \(run.text)\(run.messages)")
    }
    var answer = Answer(open: [], file: nil)
    var tree: String?
    collect(json, &answer.open, &tree)
    if let tree { answer.file = try await repository.git("rev-parse", "\(tree):\(file)") }
    return answer
  }

  private func collect(_ value: JSONValue, _ ids: inout Set<String>, _ tree: inout String?) {
    switch value {
    case .array(let elements): for element in elements { collect(element, &ids, &tree) }
    case .object(let members):
      for member in members {
        if member.key == "tree", case .string(let hash) = member.value { tree = hash }
        if member.key == "conflicts", case .array(let conflicts) = member.value {
          for conflict in conflicts {
            if case .string(let id)? = conflict["id"] { ids.insert(id) }
          }
        }
        collect(member.value, &ids, &tree)
      }
    default: break
    }
  }
}
