import BoxMerge
import BoxModel
import TestSupport

/// One action of a person in a repository.
///
/// Its details follow from the salt and from the state of the repository, so a history can be
/// carried out without one of its steps.
struct HistoryStep: Hashable, Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case commit, branch, publish
    case merge, squash, pick, pickRange, rebase, rebaseInteractive, rebaseOnto, stash, revert
    case revertRevert
  }

  var kind: Kind
  var salt: UInt64

  /// Whether the step joins what was done in two places.
  var isJoin: Bool { kind != .commit && kind != .branch && kind != .publish }

  /// The steps of a random history with so many joins.
  static func random(_ seed: UInt64, joins: Int = History.mergeLimit) -> [HistoryStep] {
    var random = SplitMix64(seed: seed)
    var steps: [HistoryStep] = []
    func step(_ kind: Kind) { steps.append(HistoryStep(kind: kind, salt: random.next())) }
    for kind in [Kind.commit, .branch, .commit, .branch, .commit] { step(kind) }
    let kinds = Kind.allCases.filter { HistoryStep(kind: $0, salt: 0).isJoin }
    var count = 0
    while count < joins {
      switch random.below(20) {
      case 0..<11: step(.commit)
      case 11: step(.branch)
      case 12: step(.publish)
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
  /// How often the law did not ask for something, by the reason.
  var exemptions: [SourceLaw.Exemption: Int] = [:]
  /// Of how many declarations the law asked for a UID.
  var demands = 0
  /// How many merges of two versions there were.
  var merges = 0
  /// The number of rebases that were compared with a merge.
  var comparisons = 0
  /// The commits that revert another.
  var reverts: Set<Int> = []
  var random = SplitMix64(seed: 0)
  private var usedUIDs: Set<UID> = []
  private var nextNumber = 1
  private var formerNames: [(Int, String)] = []
  private var published = Published.nothing

  /// After how many merges of two versions a history ends.
  static let mergeLimit = 16

  /// Carries a history out.
  init(seed: UInt64, steps: [HistoryStep], merge: @escaping MergeFunction) {
    self.merge = merge
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

  private mutating func start() {
    let empty = Tree(sources: Sources(), model: document(Model()))
    let tree = edited(empty, count: 0) { editor, random in
      for _ in 0..<3 { editor.addEntity(&random) }
    }
    let root = repository.add(tree.tree, parents: [])
    repository.branches = [("main", root)]
    log.append("c\(root) on main: \(tree.log)")
    actions.append(.commit(branch: 0, commit: root))
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
    case .publish:
      let name = repository.branches[0].name
      log.append("publish \(name)")
      published = Published(
        models: [PublishedModel(name: name, model: repository.tip(0).model.model)], unresolved: [])
    default: join(step.kind)
    }
  }

  private mutating func commit() {
    let branch = random.below(repository.branches.count)
    let (tree, words) = edited(repository.tip(branch), count: 1 + random.below(3))
    if tree.isSame(as: repository.tip(branch)) { return }
    add(tree, to: branch, words)
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

  // MARK: - Joining

  /// Merges two versions as git does in one step of a join, and holds the result against the law.
  mutating func mergeTrees(base: Tree?, ours: Tree, theirs: Tree, _ name: String)
    -> TreeMerge.Outcome
  {
    let outcome = TreeMerge(
      base: base, ours: ours, theirs: theirs, salt: random.next(), published: published
    ).merged(merge)
    merges += 1
    for rule in outcome.rules { counts[rule, default: 0] += 1 }
    for rule in outcome.asked { counts[rule, default: 0] += 1 }
    exemptions.merge(outcome.exemptions, uniquingKeysWith: +)
    demands += outcome.demands
    let asked = outcome.answers.map { "\($0.key)=\($0.value)" }.sorted()
    log.append(
      "  \(name)" + (asked.isEmpty ? "" : ", answered \(asked.joined(separator: " "))"))
    violations += outcome.losses.map { HistoryViolation(law: "no loss", message: "\(name): \($0)") }
    return outcome
  }

  /// The developer builds after a join, and puts the result into its last commit.
  mutating func buildAfterJoin(_ branch: Int, ofCommitsFrom first: Int) {
    guard violations.isEmpty else { return }
    let tree = built(repository.tip(branch), offersUIDs: false, uidSource())
    let tip = repository.branches[branch].tip
    if tree.isSame(as: repository.tree(tip)) { return }
    guard tip >= first else { return add(tree, to: branch, "build") }
    let commit = repository.add(tree, parents: repository.commits[tip].parents)
    repository.branches[branch].tip = commit
    if reverts.contains(tip) { reverts.insert(commit) }
    log.append("  built, as c\(commit)")
    actions.append(.amend(branch: branch, commit: commit))
  }

  /// An uncommitted change of a version.
  mutating func uncommitted(_ tree: Tree) -> (tree: Tree, log: String) {
    edited(tree, count: 1 + random.below(3))
  }
}
