import BoxMerge
import BoxModel
import TestSupport

/// Carries out a history in a real repository, with the built program as the merge driver, and
/// compares every commit with that of the simulation.
///
/// The sources are merged by a driver of the test: it knows the result of each merge of the
/// simulation, and holds it against git's own merge of the lines where that has no conflict. What
/// people commit themselves is imported, all that there is up to the next join at once.
struct GitReplay {
  let history: History
  let repository: TemporaryRepository
  private let model = "model.json"
  private let sources = "sources.txt"
  /// The hash of each commit of the simulation that is in a branch.
  private var hashes: [Int: String] = [:]
  private var branches: [String] = ["main"]
  /// The remote refs that are there.
  private var publishedNames: [String] = []
  /// The commits to import before the next join.
  private var pending = FastImport()
  /// Seconds that went by: two commits of one second with the same content would be one.
  private var clock = 0
  /// The number of questions that `resolve` answered.
  private(set) var resolved = 0

  init(_ history: History) async throws {
    self.history = history
    repository = try await TemporaryRepository()
    try repository.surroundings.write(Self.sourceDriver, to: "driver.sh")
    let directory = repository.surroundings.path
    try repository.write("sources.txt merge=lines\n", to: ".git/info/attributes")
    try repository.write(".boxjoint.yml\n", to: ".git/info/exclude")
    // What the simulation does not do: look into the past of a field.
    try repository.write("published: []\nmerge:\n  history-limit: 0\n", to: ".boxjoint.yml")
    try repository.surroundings.write(
      """
      [merge "lines"]
        driver = sh '\(directory)/driver.sh' '\(directory)' %O %A %B
      [gc]
        auto = 0
      [core]
        fsync = none

      """, to: "home/.gitconfig")
    let installed = try await repository.tool("git", "install", "--no-hooks")
    guard installed.status == 0 else { throw TestFailure(installed.messages) }
  }

  /// The driver of the sources: a known merge is looked up, and compared with `git merge-file`.
  private static let sourceDriver = """
    for known in "$1"/known/*; do
      if cmp -s "$known/0" "$2" && cmp -s "$known/1" "$3" && cmp -s "$known/2" "$4"; then
        if [ -s "$known/clean" ] && git merge-file -p -q "$3" "$2" "$4" > "$1/merged"; then
          cmp -s "$1/merged" "$known/result" || echo "$known" >> "$1/mismatches"
        fi
        cp "$known/result" "$3"
        exit 0
      fi
    done
    exit 1

    """

  /// Carries out what was done up to the first criss-cross merge.
  mutating func run() async throws {
    for action in history.actions {
      if case .crissCross = action { break }
      try await carryOut(action)
    }
    if repository.surroundings.exists("mismatches") {
      throw TestFailure("git merges the lines of the sources in another way")
    }
  }

  private mutating func carryOut(_ action: HistoryAction) async throws {
    switch action {
    case .commit(let branch, let commit), .amend(let branch, let commit):
      clock += 1
      let tree = history.repository.tree(commit)
      pending.commit(
        commit, on: branches[branch],
        [(model, tree.model.bytes), (sources, Array(tree.sources.text.utf8))],
        parents: history.repository.commits[commit].parents.map(reference),
        time: 1_700_000_000 + clock)
    case .branch(let name, let commit):
      branches.append(name)
      pending.move(name, to: reference(commit))
    case .remoteCommit(let commit):
      clock += 1
      let tree = history.repository.tree(commit)
      pending.commit(
        commit, on: "pushed/c\(commit)",
        [(model, tree.model.bytes), (sources, Array(tree.sources.text.utf8))],
        parents: history.repository.commits[commit].parents.map(reference),
        time: 1_700_000_000 + clock)
    case .publish(let references, let arrangement): try await publish(references, arrangement)
    case .move(let branch, let commit): pending.move(branches[branch], to: reference(commit))
    case .merge(let branch, let other, let commit, let squash, let outcome):
      try await merge(branch, other, commit, squash, outcome)
    case .replay(let branch, let steps, let isRevert):
      try await replay(branch, steps, isRevert)
    case .rebase(let branch, let onto, let steps): try await rebase(branch, onto, steps)
    case .stash(let branch, let from, let change, let commit, let outcome):
      try await stash(branch, from, change, commit, outcome)
    case .crissCross: break
    }
  }

  /// Moves the remote refs, and says in the settings what is published.
  private mutating func publish(
    _ references: [HistoryAction.Reference], _ arrangement: PublishedLines.Arrangement
  ) async throws {
    try await importPending()
    for name in publishedNames { try await repository.git("update-ref", "-d", name) }
    publishedNames = references.map(\.name)
    for reference in references {
      try await repository.git("update-ref", reference.name, try hash(reference.commit))
    }
    var settings = "merge:\n  history-limit: 0\n"
    switch arrangement {
    case .unknown: settings += "published: []\n"
    case .releases:
      settings += "published: [\(references.map(\.name).joined(separator: ", "))]\n"
    case .alone, .remote, .fork: break
    }
    try repository.write(settings, to: ".boxjoint.yml")
  }

  private func reference(_ commit: Int) -> String { hashes[commit] ?? FastImport.mark(commit) }

  /// Carries out what is still to be imported.
  private mutating func importPending() async throws {
    if pending.stream.isEmpty { return }
    let marks = repository.surroundings.path(of: "marks")
    let run = try await repository.tryGit(
      ["fast-import", "--quiet", "--force", "--export-marks=\(marks)"], input: pending.stream)
    guard run.status == 0 else { throw TestFailure("git fast-import: \(run.messages)") }
    for (commit, hash) in FastImport.hashes(marks: try repository.surroundings.text(of: "marks")) {
      hashes[commit] = hash
    }
    pending = FastImport()
  }

  private func hash(_ commit: Int) throws -> String {
    guard let hash = hashes[commit] else { throw TestFailure("c\(commit) is not in git") }
    return hash
  }

  /// Runs git a second later.
  private mutating func git(
    _ arguments: [String], environment: [String: String?] = [:]
  ) async throws -> ProcessRun {
    clock += 1
    let date = "\(1_700_000_000 + clock) +0000"
    return try await repository.tryGit(
      arguments, environment: environment.merging(["GIT_COMMITTER_DATE": date]) { $1 })
  }

  /// Commits what is staged.
  private mutating func commitStaged() async throws {
    let run = try await git(["commit", "--quiet", "--allow-empty", "-m", "change"])
    guard run.status == 0 else { throw TestFailure("git commit: \(run.messages)") }
  }

  /// Checks a branch out as it is after all commits so far.
  private mutating func switchTo(_ branch: Int) async throws {
    try await importPending()
    try await repository.git("switch", "--quiet", "--discard-changes", branches[branch])
  }

  private func write(_ tree: Tree) throws {
    try repository.write(tree.model.bytes, to: model)
    try repository.write(tree.sources.text, to: sources)
  }

  /// Tells the driver of the sources what merges come to.
  private func expect(_ outcomes: [TreeMerge.Outcome]) throws {
    for (number, outcome) in outcomes.enumerated() {
      let directory = "known/\(number)/"
      for (position, input) in outcome.inputs.enumerated() {
        try repository.surroundings.write(input.text, to: directory + "\(position)")
      }
      try repository.surroundings.write(outcome.tree.sources.text, to: directory + "result")
      try repository.surroundings.write(
        outcome.hasCleanSources ? "yes" : "", to: directory + "clean")
    }
    // What is known from before has another number of merges.
    for number in outcomes.count..<outcomes.count + 16
    where repository.surroundings.exists("known/\(number)/0") {
      try repository.surroundings.write("", to: "known/\(number)/0")
    }
  }

  // MARK: - Comparing

  /// Holds HEAD and the commits before it against those of the simulation.
  private mutating func compare(_ commit: Int) async throws {
    var unknown: [Int] = []
    var next: Int? = commit
    while let commit = next, hashes[commit] == nil {
      unknown.append(commit)
      next = history.repository.commits[commit].parents.first
    }
    let names = unknown.indices.flatMap { back in
      ["HEAD~\(back)", "HEAD~\(back):\(model)", "HEAD~\(back):\(sources)"]
    }
    let objects = try await repository.objects(names)
    for (position, commit) in unknown.enumerated() {
      let found = Array(objects[position * 3..<position * 3 + 3])
      hashes[commit] = found[0].hash
      let expected = history.repository.tree(commit)
      if found[1].bytes != expected.model.bytes {
        let text = String(decoding: found[1].bytes, as: UTF8.self)
        throw TestFailure("c\(commit): git has another model than the simulation:\n\(text)")
      }
      if found[2].bytes != Array(expected.sources.text.utf8) {
        throw TestFailure("c\(commit): git has other sources than the simulation")
      }
    }
  }

  /// Answers what the driver left open as the simulation did, and stages the result.
  private mutating func resolve(_ outcome: TreeMerge.Outcome, _ messages: String) async throws {
    if !outcome.answers.isEmpty {
      let decisions = outcome.answers.map { "\"\($0.key)\": \"\($0.value)\"" }
        .joined(separator: ", ")
      try repository.surroundings.write(
        "{\"schemaVersion\": 1, \"decisions\": {\(decisions)}}", to: "decisions.json")
      let run = try await repository.tool(
        "resolve", "--decisions", repository.surroundings.path(of: "decisions.json"), model)
      guard run.status == 0 else {
        throw TestFailure("resolve: \(run.messages)\(run.text)\n\(messages)")
      }
      resolved += 1
    }
    if try repository.text(of: model) != String(decoding: outcome.tree.model.bytes, as: UTF8.self) {
      throw TestFailure("the model is another one than in the simulation\n\(messages)")
    }
    try await repository.git("add", model, sources)
  }

  private func isUnmerged() async throws -> Bool {
    try await repository.git("ls-files", "--unmerged") != ""
  }

  // MARK: - Joins

  private mutating func merge(
    _ branch: Int, _ other: Int, _ commit: Int?, _ squash: Bool, _ outcome: TreeMerge.Outcome
  ) async throws {
    try await switchTo(branch)
    try expect([outcome])
    let run = try await git(
      ["merge", squash ? "--squash" : "--no-ff", "--no-commit", try hash(other)])
    guard (run.status == 0) == outcome.asked.isEmpty else {
      throw TestFailure("merge ended with \(run.status), asked \(outcome.asked): \(run.messages)")
    }
    try await resolve(outcome, run.messages)
    guard let commit else {
      try await repository.git("reset", "--quiet", "--hard")
      return
    }
    try await commitStaged()
    try await compare(commit)
  }

  private mutating func replay(
    _ branch: Int, _ steps: [HistoryAction.Replayed], _ isRevert: Bool
  ) async throws {
    try await switchTo(branch)
    try expect(steps.compactMap(\.outcome))
    let command = isRevert ? "revert" : "cherry-pick"
    let isMerge = steps.contains { history.repository.commits[$0.original].parents.count > 1 }
    let run = try await git(
      [command] + (isRevert ? ["--no-edit"] : [])
        + (isMerge ? ["-m", "1"] : []) + steps.map { try hash($0.original) })
    try await goOn(steps, command, isRevert ? "REVERT_HEAD" : "CHERRY_PICK_HEAD", run)
    if let last = steps.last(where: { $0.commit != nil })?.commit { try await compare(last) }
  }

  /// Answers, goes on or skips until git has nothing more to do.
  private mutating func goOn(
    _ steps: [HistoryAction.Replayed], _ command: String, _ head: String, _ first: ProcessRun
  ) async throws {
    var run = first
    // Git stops where a revert changes nothing, and leaves nothing to go on with.
    if run.status != 0, command == "revert", steps.allSatisfy({ $0.commit == nil }),
      try await repository.tryGit(["rev-parse", "--verify", "--quiet", head]).status != 0
    {
      return
    }
    for _ in 0...steps.count where run.status != 0 {
      let stopped = try await repository.tryGit(["rev-parse", "--verify", "--quiet", head])
      let hash = stopped.text.filter { $0 != "\n" }
      guard let step = try steps.first(where: { try self.hash($0.original) == hash }) else {
        throw TestFailure("\(command) ended with \(run.status): \(run.messages)\(run.text)")
      }
      guard let outcome = step.outcome else { throw TestFailure("nothing was to be merged") }
      try await resolve(outcome, run.messages)
      let isEmpty =
        try await repository.tryGit(["diff", "--cached", "--quiet", "HEAD"]).status == 0
      if isEmpty, step.command == .pick {
        run = try await git([command, "--skip"])
      } else {
        run = try await git([command, "--continue"])
      }
    }
    guard run.status == 0 else {
      throw TestFailure("\(command) ended with \(run.status): \(run.messages)\(run.text)")
    }
  }

  private mutating func rebase(
    _ branch: Int, _ onto: Int, _ steps: [HistoryAction.Replayed]
  ) async throws {
    try await switchTo(branch)
    try expect(steps.compactMap(\.outcome))
    let todo = try steps.map { "\($0.command.rawValue) \(try hash($0.original))\n" }.joined()
    try repository.surroundings.write(todo, to: "todo")
    let editor = "cp '\(repository.surroundings.path(of: "todo"))'"
    let target = try hash(onto)
    let run = try await git(
      ["rebase", "--interactive", "--empty=drop", "--onto", target, target],
      environment: ["GIT_SEQUENCE_EDITOR": editor])
    try await goOn(steps, "rebase", "REBASE_HEAD", run)
    guard let tip = steps.last(where: { $0.commit != nil })?.commit else { return }
    try await compare(tip)
  }

  private mutating func stash(
    _ branch: Int, _ from: Int, _ change: Tree, _ commit: Int?, _ outcome: TreeMerge.Outcome
  ) async throws {
    try await importPending()
    try await repository.git("switch", "--quiet", "--discard-changes", "--detach", try hash(from))
    try write(change)
    _ = try await git(["stash", "--quiet"])
    try await switchTo(branch)
    try expect([outcome])
    let run = try await repository.tryGit(["stash", "pop"])
    if try await isUnmerged() == outcome.asked.isEmpty {
      throw TestFailure(
        "stash pop ended with \(run.status), asked \(outcome.asked): \(run.messages)")
    }
    try await resolve(outcome, run.messages)
    if run.status != 0 { try await repository.git("stash", "drop", "--quiet") }
    guard let commit else {
      try await repository.git("reset", "--quiet", "--hard")
      return
    }
    try await commitStaged()
    try await compare(commit)
  }
}
