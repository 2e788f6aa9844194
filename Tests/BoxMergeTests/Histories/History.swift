import BoxMerge
import BoxModel
import TestSupport

/// One action of a person in a repository.
///
/// Its details follow from the salt and from the state of the repository, so a history can be
/// carried out without one of its steps.
struct HistoryStep: Hashable, Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case commit, branch
    /// A commit that somebody else pushed, a push of main, a release branch, and a commit on one.
    case colleague, push, release, hotfix
    case merge, squash, pick, pickRange, rebase, rebaseInteractive, rebaseOnto, stash, revert
    case revertRevert, revertMerge
    /// A merge of a published branch.
    case pull
  }

  var kind: Kind
  var salt: UInt64

  /// Whether the step joins what was done in two places.
  var isJoin: Bool {
    switch kind {
    case .commit, .branch, .colleague, .push, .release, .hotfix: false
    default: true
    }
  }

  /// The steps of a random history with so many joins.
  static func random(_ seed: UInt64, joins: Int = History.mergeLimit) -> [HistoryStep] {
    var random = SplitMix64(seed: seed)
    var steps: [HistoryStep] = []
    func step(_ kind: Kind) { steps.append(HistoryStep(kind: kind, salt: random.next())) }
    for kind in [Kind.commit, .branch, .commit, .branch, .commit] { step(kind) }
    let kinds = Kind.allCases.filter { HistoryStep(kind: $0, salt: 0).isJoin }
    var count = 0
    while count < joins {
      switch random.below(24) {
      case 0..<11: step(.commit)
      case 11: step(.branch)
      case 12, 13: step(.push)
      case 14: step(.colleague)
      case 15: step(random.oneIn(3) ? .release : .hotfix)
      default:
        step(random.pick(kinds))
        count += 1
      }
    }
    return steps
  }
}

/// A break of a law in a history.
struct HistoryViolation: Sendable {
  var law: String
  var message: String
}

/// A repository in which a history is carried out.
struct History {
  let merge: MergeFunction
  let dialect: TestDialect
  var repository = HistoryRepository()
  /// The actions so far, a line each.
  var log: [String] = []
  var violations: [HistoryViolation] = []
  /// The commands of git for the replay in a real repository.
  var actions: [HistoryAction] = []
  /// The number of decisions and conflicts of each rule.
  var counts: [String: Int] = [:]
  /// The number of times that the law did not apply, by the reason.
  var exemptions: [SourceLaw.Exemption: Int] = [:]
  /// The number of declarations for which the law asked for a UID.
  var demands = 0
  /// The number of merges of two versions.
  var merges = 0
  /// The number of rebases that were compared with a merge.
  var comparisons = 0
  /// The versions of the last merge.
  private(set) var lastMerge: [(String, Tree?)] = []
  /// The commits that revert another.
  var reverts: Set<Int> = []
  var random = SplitMix64(seed: 0)
  private var usedUIDs: Set<UID> = []
  private var nextNumber = 1
  private var formerNames: [(Int, String)] = []
  /// The published branches, and what databases know of them.
  var lines: PublishedLines
  /// The commits that were published as the tip of a branch.
  private var pushed: Set<Int> = []
  /// The number of ids of elements that come back from a commit which was never pushed by itself.
  private(set) var unpushedIDs = 0
  /// The commits of main that were published, one after the other.
  private(set) var published: [Int] = []
  /// The references of the last action that names them.
  private var namedReferences: [HistoryAction.Reference]?

  /// The number of merges of two versions after which a history ends.
  static let mergeLimit = 16

  /// Carries a history out.
  init(
    seed: UInt64, steps: [HistoryStep], arrangement: PublishedLines.Arrangement? = nil,
    merge: @escaping MergeFunction
  ) {
    self.merge = merge
    lines = PublishedLines(arrangement: arrangement ?? Self.arrangement(seed))
    dialect = seed & 2 == 0 ? .swift : .dart
    random = SplitMix64(seed: seed)
    start()
    for step in steps {
      random = SplitMix64(seed: step.salt)
      carryOut(step)
      // What comes after a break follows from it.
      if !violations.isEmpty || merges >= Self.mergeLimit { return }
    }
  }

  /// The arrangement of the team of a seed: a third each have forks and release branches.
  static func arrangement(_ seed: UInt64) -> PublishedLines.Arrangement {
    switch (seed >> 3) % 12 {
    case 0..<4: .fork
    case 4..<8: .releases
    case 8: .unknown
    case 9: .remote
    default: .alone
    }
  }

  private mutating func start() {
    let empty = Tree(sources: Sources(), model: document(Model()))
    let tree = edited(empty, count: 0) { editor, random in
      for _ in 0..<3 { editor.addEntity(&random) }
    }
    let root = repository.add(tree.tree, parents: [])
    repository.branches = [("main", root)]
    log.append("c\(root) on main: \(tree.log)")
    actions.append(.commit(branch: 0, commit: root))
    lines.lines = [PublishedLines.Line(name: "refs/remotes/origin/main", tip: root)]
    lines.forkTip = root
    publish(0, root)
  }

  func document(_ model: Model) -> ModelDocument {
    var model = model
    // The dialect writes the notes itself.
    model.otherMembers = []
    do {
      return try ModelDocument(parsing: dialect.file(model))
    } catch {
      fatalError("the test writes no model: \(error)")
    }
  }

  /// A UID that nobody had: small, so that a history can be read.
  mutating func newUID() -> UID {
    while true {
      let uid = UID(1000 + random.below(900_000))
      if usedUIDs.insert(uid).inserted { return uid }
    }
  }

  /// Some UIDs for an edit or a build, which takes them one by one.
  private mutating func uidSource() -> () -> UID {
    var uids: [UID] = []
    for _ in 0..<40 { uids.append(newUID()) }
    let list = uids
    var next = 0
    return {
      next += 1
      return list[next - 1]
    }
  }

  /// A version after a few edits and a build.
  private mutating func edited(
    _ tree: Tree, count: Int, _ body: (inout SourceEditor, inout SplitMix64) -> Void = { _, _ in }
  ) -> (tree: Tree, log: String) {
    let uids = uidSource()
    var editor = SourceEditor(
      tree, nextNumber: nextNumber, formerNames: formerNames, newUID: uids)
    body(&editor, &random)
    for _ in 0..<count { editor.edit(&random) }
    nextNumber = editor.nextNumber
    formerNames += editor.removedNames.map { ($0.owner, $0.name) }
    let result = built(
      Tree(sources: editor.sources, model: tree.model), offersUIDs: true, uids)
    return (result, editor.log.joined(separator: "; "))
  }

  private mutating func built(
    _ tree: Tree, offersUIDs: Bool, _ uids: @escaping () -> UID
  ) -> Tree {
    let build = SourceBuild(
      tree.model.model, tree.sources, offersUIDs: offersUIDs, newUID: uids)
    if build.model == tree.model.model {
      return Tree(sources: build.sources, model: tree.model)
    }
    return Tree(sources: build.sources, model: document(build.model))
  }

  private mutating func carryOut(_ step: HistoryStep) {
    switch step.kind {
    case .commit: commit()
    case .branch: branch()
    case .colleague: commitRemotely(0)
    case .push: push()
    case .release: release()
    case .hotfix:
      if lines.lines.count == 1 { release() }
      if lines.lines.count > 1 { commitRemotely(1 + random.below(lines.lines.count - 1)) }
    default: join(step.kind)
    }
  }

  private mutating func commit() {
    let branch = random.below(repository.branches.count)
    let (tree, words) = edited(repository.tip(branch), count: 1 + random.below(3))
    if tree.isSame(as: repository.tip(branch)) { return }
    add(tree, to: branch, words)
    publishMain()
  }

  /// Commits a version on a branch.
  mutating func add(_ tree: Tree, to branch: Int, _ words: String) {
    let commit = repository.add(tree, parents: [repository.branches[branch].tip])
    repository.branches[branch].tip = commit
    log.append("c\(commit) on \(repository.branches[branch].name): \(words)")
    actions.append(.commit(branch: branch, commit: commit))
  }

  private mutating func branch() {
    guard repository.branches.count < 4 else { return }
    let from = random.below(repository.branches.count)
    var tip = repository.branches[from].tip
    // Sometimes an older version, where there is one.
    for _ in 0..<random.below(3) { tip = repository.commits[tip].parents.first ?? tip }
    let name = "topic\(repository.branches.count)"
    repository.branches.append((name, tip))
    log.append("branch \(name) at c\(tip)")
    actions.append(.branch(name: name, commit: tip))
  }

  // MARK: - Publishing

  /// Moves a published branch, and holds the new version against what databases know.
  private mutating func publish(_ line: Int, _ commit: Int) {
    let before = lines.lines[line].tip
    lines.lines[line].tip = commit
    pushed.insert(commit)
    if line == 0, published.last != commit { published.append(commit) }
    if lines.arrangement == .unknown { return }
    let breaks = lines.lines[line].ledger.publish(repository.tree(commit).model.model)
    // Whoever answered a question about ids has decided for some of the databases.
    if counts["BOX505"] != nil { return }
    for found in breaks {
      if isOfUnpushed(found.place, before) {
        unpushedIDs += 1
      } else {
        violations.append(
          HistoryViolation(
            law: found.law, message: "\(lines.lines[line].name) at c\(commit): \(found.message)"))
      }
    }
  }

  /// Whether an element comes back that a published branch had in a commit which was never pushed by itself:
  /// git does not tell that from one that was.
  private func isOfUnpushed(_ place: PublishedPlace, _ tip: Int) -> Bool {
    func has(_ commit: Int) -> Bool {
      let document = repository.tree(commit).model
      return document.lookup[place.key.kind, place.key.uid]
        .map { document.model.counter(of: $0) == place.counter } ?? false
    }
    return !has(tip)
      && repository.commits[tip].ancestors.contains { !pushed.contains($0) && has($0) }
  }

  /// Without a remote, what main has is published.
  mutating func publishMain() {
    let tip = repository.branches[0].tip
    if lines.arrangement == .alone, lines.lines[0].tip != tip { publish(0, tip) }
  }

  private var hasRemote: Bool { lines.arrangement != .unknown && lines.arrangement != .alone }

  /// Pushes main, after a merge of what others pushed.
  private mutating func push() {
    guard hasRemote else { return }
    let first = repository.commits.count
    if !repository.isAncestor(lines.lines[0].tip, of: repository.branches[0].tip) {
      pull(0, lines.lines[0])
      buildAfterJoin(0, ofCommitsFrom: first)
    }
    guard violations.isEmpty else { return }
    log.append("push main")
    publish(0, repository.branches[0].tip)
  }

  /// Somebody else commits on a published branch, and pushes.
  private mutating func commitRemotely(_ line: Int) {
    guard hasRemote else { return }
    let before = repository.tree(lines.lines[line].tip)
    let (tree, words) = edited(before, count: 1 + random.below(2))
    if tree.isSame(as: before) { return }
    let commit = repository.add(tree, parents: [lines.lines[line].tip])
    log.append("c\(commit) on \(lines.lines[line].name): \(words)")
    actions.append(.remoteCommit(commit: commit))
    publish(line, commit)
  }

  private mutating func release() {
    guard lines.arrangement == .releases, lines.lines.count < 3 else { return }
    var line = lines.lines[0]
    line.name = "refs/remotes/origin/release/\(lines.lines.count)"
    log.append("branch \(line.name) at c\(line.tip)")
    lines.lines.append(line)
  }

  /// Tells git what is published before a join.
  private mutating func nameReferences(onMain isOnMain: Bool) {
    let references = lines.references(onMain: isOnMain, main: repository.branches[0].tip)
      .filter { $0.name.hasPrefix("refs/remotes/") }
      .map { HistoryAction.Reference(name: $0.name, commit: $0.commit) }
    if references == namedReferences { return }
    namedReferences = references
    actions.append(.publish(references, lines.arrangement))
  }

  // MARK: - Joining

  /// The place in which a version is merged: a branch with the commit that it has then, or none in a rebase.
  struct Place {
    var branch: Int
    var head: Int?
  }

  /// Looks up what is published where a version is merged.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - tip: The commit that has to contain what counts; nil where everything counts.
  /// - Returns: A function that looks it up.
  func published(
    at place: Place, containedIn tip: Int? = nil
  ) -> @Sendable (_ hasHistory: Bool) -> Published {
    let (lines, repository) = (lines, repository)
    let isOnMain = place.branch == 0
    return { hasHistory in
      lines.published(
        repository, main: repository.branches[0].tip, head: place.head,
        isOnMain: isOnMain && place.head != nil, containedIn: tip, hasHistory: hasHistory)
    }
  }

  /// Merges two versions as git does in one step of a join, and holds the result against the law.
  mutating func mergeTrees(
    base: Tree?, ours: Tree, theirs: Tree, at place: Place, _ name: String
  ) -> TreeMerge.Outcome {
    nameReferences(onMain: place.branch == 0 && place.head != nil)
    let outcome = TreeMerge(
      base: base, ours: ours, theirs: theirs, salt: random.next(), published: published(at: place)
    ).merged(merge)
    merges += 1
    lastMerge = [("base", base), ("ours", ours), ("theirs", theirs), ("merged", outcome.tree)]
    for rule in outcome.rules { counts[rule, default: 0] += 1 }
    for rule in outcome.asked { counts[rule, default: 0] += 1 }
    exemptions.merge(outcome.exemptions, uniquingKeysWith: +)
    demands += outcome.demands
    let asked = outcome.answers.map { "\($0.key)=\($0.value)" }.sorted()
    log.append(
      "  \(name)" + (asked.isEmpty ? "" : ", answered \(asked.joined(separator: " "))"))
    violations += outcome.losses.map { HistoryViolation(law: "no loss", message: "\(name): \($0)") }
    violations += outcome.asymmetries.map {
      HistoryViolation(law: "the same ids in either direction", message: "\(name): \($0)")
    }
    return outcome
  }

  /// The developer builds after a join, and puts the result into its last commit.
  mutating func buildAfterJoin(_ branch: Int, ofCommitsFrom first: Int, since before: Int? = nil) {
    defer { publishMain() }
    guard violations.isEmpty else { return }
    let tip = repository.branches[branch].tip
    let tree = built(checked(tip, branch, since: before), offersUIDs: false, uidSource())
    if tree.isSame(as: repository.tree(tip)) { return }
    guard tip >= first else { return add(tree, to: branch, "build") }
    let commit = repository.add(tree, parents: repository.commits[tip].parents)
    repository.branches[branch].tip = commit
    if reverts.contains(tip) { reverts.insert(commit) }
    log.append("  built, as c\(commit)")
    actions.append(.amend(branch: branch, commit: commit))
  }

  /// A version after the hook of git, which checks it against the one before, as git takes files without a
  /// merge.
  private func checked(_ tip: Int, _ branch: Int, since before: Int?) -> Tree {
    var tree = repository.tree(tip)
    let parents = repository.commits[tip].parents
    guard lines.arrangement != .unknown, let base = before ?? parents.first else { return tree }
    // What the driver has merged is as the rules want it.
    let isTakenWhole = parents.contains { repository.tree($0).model.bytes == tree.model.bytes }
    if parents.count > 1, before == nil, !isTakenWhole { return tree }
    let earlier = repository.tree(base)
    // Only a branch has other versions: the ids of their elements may have been changed by merges.
    let isPublished =
      branch == 0 || reverts.contains(tip)
      || lines.references(onMain: false, main: repository.branches[0].tip)
        .contains { repository.isAncestor(base, of: $0.commit) }
    let published = published(at: Place(branch: branch, head: tip), containedIn: tip)
    func fixed(_ published: Published) -> ModelDocument {
      tree.model.fixed { document in
        let settled = SettledModel(
          document, since: earlier.model, published: published, publishesEarlier: isPublished)
        return document.check()
          + document.check(
            against: earlier.model, limit: .max, settled: settled?.numbers
          ).listed
      }.document
    }
    let first = SettledModel(
      tree.model, since: earlier.model, published: published(false), publishesEarlier: isPublished)
    tree.model = fixed(published(first?.asksForPublishedHistory ?? false))
    return tree
  }

  /// An uncommitted change of a version.
  mutating func uncommitted(_ tree: Tree) -> (tree: Tree, log: String) {
    edited(tree, count: 1 + random.below(3))
  }
}
