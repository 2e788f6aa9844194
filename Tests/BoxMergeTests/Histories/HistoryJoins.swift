import BoxMerge
import BoxModel
import TestSupport

/// The joins, each as git carries it out: as merges of three versions.
extension History {
  mutating func join(_ kind: HistoryStep.Kind) {
    let ours = random.below(repository.branches.count)
    // Whoever rewrites a main that is published has other databases from then on.
    let isRewriting = [.rebase, .rebaseInteractive, .rebaseOnto].contains(kind)
    if lines.arrangement == .alone, ours == 0, isRewriting { return }
    let first = repository.commits.count
    let others = repository.branches.indices.filter { $0 != ours }
    guard !others.isEmpty else { return }
    let other = random.pick(others)
    let tip = repository.branches[ours].tip
    switch kind {
    case .merge, .squash:
      merge(ours, repository.branches[other].tip, name(other), squash: kind == .squash)
    case .pick: pick(ours, other, isRange: false)
    case .pickRange: pick(ours, other, isRange: true)
    case .rebase, .rebaseInteractive, .rebaseOnto: rebase(kind, ours, other)
    case .stash: stash(ours, other)
    case .revert, .revertRevert: revert(ours, again: kind == .revertRevert)
    case .revertMerge: revertMerge(ours)
    case .pull: pull(ours, random.pick(lines.lines))
    case .commit, .branch, .colleague, .push, .release, .hotfix: break
    }
    // After a fast-forward, against where the branch was.
    let isMoved = repository.branches[ours].tip < first && repository.branches[ours].tip != tip
    buildAfterJoin(ours, ofCommitsFrom: first, since: isMoved ? tip : nil)
  }

  /// Merges a published branch.
  mutating func pull(_ branch: Int, _ line: PublishedLines.Line) {
    merge(branch, line.tip, line.name, squash: false)
  }

  private func name(_ branch: Int) -> String { repository.branches[branch].name }

  /// The base of a merge: where there are several, they are merged first, as git does.
  private mutating func mergeBase(_ a: Int, _ b: Int, at place: Place) -> Tree? {
    let bases = repository.mergeBases(a, b)
    guard var tree = bases.first.map({ repository.tree($0) }) else { return nil }
    for (index, next) in bases.enumerated().dropFirst() {
      let before = repository.mergeBases(bases[index - 1], next).first
      let inner = TreeMerge(
        base: before.map { repository.tree($0) }, ours: tree, theirs: repository.tree(next),
        salt: random.next(), published: published(at: place)
      ).merged(merge)
      tree = inner.tree
      // Git puts a file with markers in the place of the base, and that is not a model.
      if !inner.asked.isEmpty { tree.isModelUsable = false }
    }
    return tree
  }

  private mutating func merge(
    _ branch: Int, _ theirs: Int, _ otherName: String, squash: Bool
  ) {
    let ours = repository.branches[branch].tip
    if repository.isAncestor(theirs, of: ours) { return }
    log.append("\(squash ? "squash" : "merge") \(otherName) into \(name(branch))")
    let place = Place(branch: branch, head: ours)
    if repository.isAncestor(ours, of: theirs), !squash {
      repository.branches[branch].tip = theirs
      actions.append(.move(branch: branch, commit: theirs))
      return
    }
    if repository.mergeBases(ours, theirs).count > 1 { actions.append(.crissCross) }
    let outcome = mergeTrees(
      base: mergeBase(ours, theirs, at: place), ours: repository.tree(ours),
      theirs: repository.tree(theirs), at: place, "c\(repository.commits.count)")
    if squash, outcome.tree.isSame(as: repository.tree(ours)) {
      actions.append(
        .merge(branch: branch, other: theirs, commit: nil, squash: true, outcome: outcome))
      return
    }
    let commit = repository.add(outcome.tree, parents: squash ? [ours] : [ours, theirs])
    repository.branches[branch].tip = commit
    actions.append(
      .merge(branch: branch, other: theirs, commit: commit, squash: squash, outcome: outcome))
  }

  // MARK: - One commit after the other

  /// Applies what a commit did, or undid, to a version.
  private mutating func replay(
    _ commit: Int, on tree: Tree, at place: Place, isRevert: Bool = false
  ) -> TreeMerge.Outcome {
    let before = repository.tree(repository.commits[commit].parents[0])
    let after = repository.tree(commit)
    return mergeTrees(
      base: isRevert ? after : before, ours: tree, theirs: isRevert ? before : after, at: place,
      "\(isRevert ? "revert" : "pick") c\(commit) as c\(repository.commits.count)")
  }

  private mutating func pick(_ branch: Int, _ other: Int, isRange: Bool) {
    let candidates = repository.commits(
      from: repository.branches[branch].tip, to: repository.branches[other].tip)
    guard !candidates.isEmpty else { return }
    let first = random.below(candidates.count)
    let count = isRange ? 2 + random.below(3) : 1
    log.append("cherry-pick from \(name(other)) onto \(name(branch))")
    replay(Array(candidates[first...].prefix(count)), on: branch, isRevert: false)
  }

  private mutating func replay(_ commits: [Int], on branch: Int, isRevert: Bool) {
    var steps: [HistoryAction.Replayed] = []
    for commit in commits {
      let tip = repository.branches[branch].tip
      let outcome = replay(
        commit, on: repository.tree(tip), at: Place(branch: branch, head: tip), isRevert: isRevert)
      var made: Int?
      if !outcome.tree.isSame(as: repository.tree(tip)) {
        let new = repository.add(outcome.tree, parents: [tip])
        repository.branches[branch].tip = new
        if isRevert { reverts.insert(new) }
        made = new
      }
      steps.append(.init(original: commit, commit: made, outcome: outcome))
      if !violations.isEmpty { break }
    }
    actions.append(.replay(branch: branch, steps: steps, isRevert: isRevert))
  }

  private mutating func revert(_ branch: Int, again: Bool) {
    let tip = repository.branches[branch].tip
    let candidates = repository.commits[tip].ancestors
      .filter { repository.commits[$0].parents.count == 1 && (!again || reverts.contains($0)) }
      .sorted()
    guard !candidates.isEmpty else { return }
    log.append("revert on \(name(branch))")
    replay([random.pick(candidates.suffix(8))], on: branch, isRevert: true)
  }

  /// Reverts a merge, so that the branch is as its first parent was.
  private mutating func revertMerge(_ branch: Int) {
    let tip = repository.branches[branch].tip
    let candidates = repository.commits[tip].ancestors
      .filter { repository.commits[$0].parents.count == 2 }.sorted()
    guard !candidates.isEmpty else { return }
    log.append("revert -m 1 on \(name(branch))")
    replay([random.pick(candidates.suffix(4))], on: branch, isRevert: true)
  }

  // MARK: - Rebase

  private mutating func rebase(_ kind: HistoryStep.Kind, _ branch: Int, _ other: Int) {
    let tip = repository.branches[branch].tip
    var onto = repository.branches[other].tip
    var commits = repository.commits(from: onto, to: tip)
    if kind == .rebaseOnto, commits.count > 1 {
      commits.removeFirst(1 + random.below(commits.count - 1))
    }
    if kind == .rebaseInteractive, random.oneIn(2) {
      // In its place, or on what it began from.
      guard let base = repository.mergeBases(tip, onto).first else { return }
      onto = base
      commits = repository.commits(from: base, to: tip)
    }
    guard !commits.isEmpty, commits.count < 12 else { return }
    var steps = commits.map { (HistoryAction.Replayed.Command.pick, $0) }
    if kind == .rebaseInteractive { rearrange(&steps) }
    log.append("\(kind) \(name(branch)) onto c\(onto)")
    let before = log.count
    let questions = counts.filter { $0.key >= "BOX5" }
    replay(steps, of: branch, onto: onto)
    let isSilent = counts.filter { $0.key >= "BOX5" } == questions
    if kind == .rebase, violations.isEmpty, isSilent, log.count > before {
      compareWithMerge(branch, tip, onto)
    }
  }

  /// Another order, and commits that become one.
  private mutating func rearrange(_ steps: inout [(HistoryAction.Replayed.Command, Int)]) {
    for _ in 0..<random.below(3) where steps.count > 1 {
      let position = random.below(steps.count - 1)
      steps.swapAt(position, position + 1 + random.below(steps.count - position - 1))
    }
    for position in steps.indices.dropFirst() where random.oneIn(4) {
      steps[position].0 = random.oneIn(2) ? .squash : .fixup
    }
    if steps.count > 2, random.oneIn(5) { steps.remove(at: random.below(steps.count)) }
    steps[0].0 = .pick
  }

  private mutating func replay(
    _ steps: [(HistoryAction.Replayed.Command, Int)], of branch: Int, onto: Int
  ) {
    var tip = onto
    var replayed: [HistoryAction.Replayed] = []
    for (command, commit) in steps {
      // What there is to squash into may have been empty, and then it is not there.
      let command = tip == onto ? .pick : command
      if command == .pick, repository.commits[commit].parents == [tip] {
        // Git goes forward over what stays where it is.
        tip = commit
        replayed.append(.init(original: commit, commit: commit))
        continue
      }
      let outcome = replay(
        commit, on: repository.tree(tip), at: Place(branch: branch, head: nil))
      var made: Int?
      if !outcome.tree.isSame(as: repository.tree(tip)) {
        let parents = command == .pick ? [tip] : repository.commits[tip].parents
        tip = repository.add(outcome.tree, parents: parents)
        made = tip
      }
      replayed.append(.init(command: command, original: commit, commit: made, outcome: outcome))
      if !violations.isEmpty { break }
    }
    repository.branches[branch].tip = tip
    actions.append(.rebase(branch: branch, onto: onto, steps: replayed))
  }

  /// Compares a rebase with a merge: if no question was asked, both give the declarations the same
  /// UIDs and the same names.
  ///
  /// What has no declaration goes at the next build, and may be there after one and not the other. A
  /// rebase leaves merges out with what was decided in them, so a branch with merges is not compared; nor
  /// is one with a commit that nobody built.
  private mutating func compareWithMerge(_ branch: Int, _ oldTip: Int, _ onto: Int) {
    guard repository.mergeBases(oldTip, onto).count == 1,
      !repository.hasMerges(from: onto, to: oldTip), areBuilt(from: onto, to: oldTip)
    else { return }
    let rebased = repository.tip(branch)
    let place = Place(branch: branch, head: nil)
    let base = mergeBase(onto, oldTip, at: place)
    let merged = TreeMerge(
      base: base, ours: repository.tree(onto), theirs: repository.tree(oldTip),
      salt: random.next(), published: published(at: place)
    ).merged(merge)
    guard merged.asked.isEmpty, merged.tree.sources == rebased.sources,
      haveSameUIDs(repository.tree(oldTip), repository.tree(onto)),
      !bothReset(base, repository.tree(oldTip), repository.tree(onto))
    else { return }
    comparisons += 1
    let (a, b) = (liveNames(merged.tree), liveNames(rebased))
    if a != b {
      let difference = a.symmetricDifference(b).sorted()
      violations.append(
        HistoryViolation(
          law: "merge is rebase", message: "merge and rebase differ in \(difference)"))
    }
  }

  /// Whether a build would change nothing after each commit of a branch, and before the first.
  private func areBuilt(from excluded: Int, to tip: Int) -> Bool {
    let commits = repository.commits(from: excluded, to: tip)
    let before = commits.flatMap { repository.commits[$0].parents }
    return Set(commits + before + [excluded]).allSatisfy { commit in
      let tree = repository.tree(commit)
      let match = SourceMatch(tree.model.model, tree.sources)
      return match.surplus.isEmpty
        && tree.sources.numbers.allSatisfy { match.uids[$0] != nil && match.isInStep($0) }
    }
  }

  /// Whether two versions gave no declaration two UIDs, and none of theirs waits for a build.
  private func haveSameUIDs(_ a: Tree, _ b: Tree) -> Bool {
    let matches = [a, b].map { SourceMatch($0.model.model, $0.sources) }
    return a.sources.numbers.allSatisfy { number in
      let first = matches[0].uids[number]
      return first != nil && (b.sources.groups[number] == nil || first == matches[1].uids[number])
    }
  }

  /// Whether two versions each gave an element of the base a new UID, by removing it and adding another
  /// one of its name: a rebase sees the removal, and a merge does not.
  private func bothReset(_ base: Tree?, _ a: Tree, _ b: Tree) -> Bool {
    guard let base else { return false }
    let (first, second) = (uidsByName(a), uidsByName(b))
    return uidsByName(base).contains { name, uid in
      guard let one = first[name], let other = second[name] else { return false }
      return one != uid && other != uid && one != other
    }
  }

  private func uidsByName(_ tree: Tree) -> [String: UID] {
    let model = tree.model.model
    let declared = Set(SourceMatch(model, tree.sources).uids.values)
    var result: [String: UID] = [:]
    model.forEachElement { place, pair in
      if declared.contains(pair.uid) { result["\(place.kind) \(model.label(place))"] = pair.uid }
    }
    return result
  }

  private func liveNames(_ tree: Tree) -> Set<String> {
    let model = tree.model.model
    let declared = Set(SourceMatch(model, tree.sources).uids.values)
    var result: Set<String> = []
    model.forEachElement { place, pair in
      if declared.contains(pair.uid) {
        result.insert("\(place.kind) \(pair.uid) \(model.label(place))")
      }
    }
    return result
  }

  // MARK: - Stash

  /// A change that is begun on one branch and taken to another: `stash pop`, or `checkout -m`.
  private mutating func stash(_ branch: Int, _ other: Int) {
    let from = repository.branches[other].tip
    let tip = repository.branches[branch].tip
    let change = uncommitted(repository.tree(from))
    if change.tree.isSame(as: repository.tree(from)) { return }
    log.append("stash from \(name(other)) (\(change.log)), popped on \(name(branch))")
    let outcome = mergeTrees(
      base: repository.tree(from), ours: repository.tree(tip), theirs: change.tree,
      at: Place(branch: branch, head: tip), "c\(repository.commits.count)")
    var made: Int?
    if !outcome.tree.isSame(as: repository.tree(tip)) {
      let commit = repository.add(outcome.tree, parents: [tip])
      repository.branches[branch].tip = commit
      made = commit
    }
    actions.append(
      .stash(branch: branch, from: from, change: change.tree, commit: made, outcome: outcome))
  }
}
