import BoxMerge
import BoxModel
import TestSupport
import Testing

/// Random histories whose branches are joined twice: by `boxjoint ci merge` in a bare repository, and by
/// `git merge` with the driver in a work tree.
///
/// `BOXJOINT_SOAK_BRANCH_MERGES` says how many.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct MergedBranchLawTests {
  /// Both give the same tree, or both leave something open.
  @Test func theCommandGivesTheTreeOfALocalMerge() async throws {
    let count = TestSeed.count("BOXJOINT_SOAK_BRANCH_MERGES", default: 16)
    let seed = TestSeed.value()
    var counts: [String: Int] = [:]
    for index in 0..<count {
      let one = LawRun.seed(index, of: seed)
      do {
        for outcome in try await Self.join(one) { counts[outcome, default: 0] += 1 }
      } catch {
        Issue.record("BOXJOINT_SEED=0x\(String(one, radix: 16)): \(error)")
      }
    }
    print("\(count) histories: \(counts.sorted { $0.key < $1.key })")
    #expect(counts["merged", default: 0] > 0)
  }

  /// Joins pairs of branches of a history, and returns how each ended.
  private static func join(_ seed: UInt64) async throws -> [String] {
    var random = SplitMix64(seed: seed)
    let steps = HistoryStep.random(seed, joins: random.below(3))
    let history = History(
      seed: seed, steps: steps, arrangement: .unknown, merge: { try $0.merged() })
    let world = try await Repositories(history, withSources: random.below(4) == 0)
    if random.oneIn(2) { try await world.publishMain() }
    let names = history.repository.branches.map(\.name)
    var outcomes: [String] = []
    for _ in 0..<2 {
      let branch = random.pick(names)
      let base = random.pick(names)
      if branch != base { outcomes.append(try await world.compare(branch, base)) }
    }
    return outcomes
  }
}

/// A history in a bare repository and in a clone of it with a work tree and the driver.
private struct Repositories {
  let clone: TemporaryRepository
  let bare: String

  init(_ history: History, withSources: Bool) async throws {
    clone = try await TemporaryRepository()
    bare = clone.surroundings.path(of: "bare.git")
    try await clone.git("init", "--quiet", "--bare", "--initial-branch=none", bare)
    var stream = FastImport()
    for (number, commit) in history.repository.commits.enumerated() {
      var files = [("model.json", commit.tree.model.bytes)]
      // Lines of sources conflict more often than models.
      if withSources { files.append(("sources.txt", Array(commit.tree.sources.text.utf8))) }
      stream.commit(
        number, on: "c\(number)", files, parents: commit.parents.map(FastImport.mark),
        time: 1_700_000_000 + number)
    }
    for branch in history.repository.branches {
      stream.move(branch.name, to: FastImport.mark(branch.tip))
    }
    let run = try await clone.tryGit(
      ["--git-dir", bare, "fast-import", "--quiet"], input: stream.stream)
    guard run.status == 0 else { throw TestFailure("git fast-import: \(run.messages)") }
    try await clone.git("remote", "add", "origin", bare)
    try await clone.git(
      "fetch", "--quiet", "--update-head-ok", "origin", "+refs/heads/*:refs/heads/*")
    let installed = try await clone.tool("git", "install", "--no-hooks")
    guard installed.status == 0 else { throw TestFailure(installed.messages) }
  }

  /// Makes main a published branch of a remote in both repositories.
  func publishMain() async throws {
    let reference = "refs/remotes/upstream/main"
    try await clone.git("update-ref", reference, "main")
    try await clone.git("--git-dir", bare, "update-ref", reference, "main")
  }

  /// Merges a base into a branch in both repositories.
  ///
  /// - Returns: The outcome of the command.
  func compare(_ branch: String, _ base: String) async throws -> String {
    try await clone.git("switch", "--quiet", "--force", "--detach", branch)
    let before = try await clone.git("rev-parse", branch)
    let local = try await clone.tryGit(["merge", "--quiet", "--no-ff", "--no-edit", base])
    let tree = local.status == 0 ? try await clone.git("rev-parse", "HEAD^{tree}") : nil
    try await clone.git("reset", "--quiet", "--hard", branch)
    let run = try await runTool(
      ["ci", "merge", branch, "--into", base, "--local", "--format", "json"], in: clone.path,
      environment: clone.environment.merging(["GIT_DIR": bare]) { $1 })
    let outcome =
      run.text.components(separatedBy: #""outcome": ""#).dropFirst().first?
      .prefix { $0 != "\"" } ?? ""
    let after = try await clone.git("--git-dir", bare, "rev-parse", branch)
    let mergedTree = try await clone.git("--git-dir", bare, "rev-parse", "\(branch)^{tree}")
    try await clone.git("--git-dir", bare, "update-ref", "refs/heads/\(branch)", before)
    let words =
      "\(branch) and \(base): \(outcome)\n\(run.text)\(run.messages)\n\(local.text)\(local.messages)"
    switch outcome {
    case "merged":
      if tree != mergedTree { throw TestFailure("another tree, \(words)") }
    case "clean":
      let told = run.text.components(separatedBy: #""tree": ""#).dropFirst().first?
        .prefix { $0 != "\"" }
      if tree.map({ $0[...] }) != told || after != before {
        throw TestFailure("not clean, \(words)")
      }
    case "up-to-date":
      if local.status != 0 || after != before { throw TestFailure("not up to date, \(words)") }
    case "conflicts", "refused":
      if tree != nil || after != before { throw TestFailure("git leaves nothing open, \(words)") }
    default: throw TestFailure(words)
    }
    return String(outcome)
  }
}

extension String {
  fileprivate func components(separatedBy mark: String) -> [Substring] {
    var result: [Substring] = []
    var rest = self[...]
    while let range = rest.firstRange(of: mark) {
      result.append(rest[..<range.lowerBound])
      rest = rest[range.upperBound...]
    }
    return result + [rest]
  }
}
