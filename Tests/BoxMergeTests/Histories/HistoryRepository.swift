import BoxModel

/// A commit of a simulated repository.
struct HistoryCommit: Sendable {
  var parents: [Int]
  var tree: Tree
  /// This commit and all before it.
  var ancestors: Set<Int>
}

/// The commits and branches of a simulated repository, in the order in which they were made.
struct HistoryRepository: Sendable {
  private(set) var commits: [HistoryCommit] = []
  /// The tip of each branch, in the order of their making.
  var branches: [(name: String, tip: Int)] = []

  func tree(_ commit: Int) -> Tree { commits[commit].tree }

  func tip(_ branch: Int) -> Tree { commits[branches[branch].tip].tree }

  mutating func add(_ tree: Tree, parents: [Int]) -> Int {
    var ancestors: Set<Int> = [commits.count]
    for parent in parents { ancestors.formUnion(commits[parent].ancestors) }
    commits.append(HistoryCommit(parents: parents, tree: tree, ancestors: ancestors))
    return commits.count - 1
  }

  func isAncestor(_ a: Int, of b: Int) -> Bool { commits[b].ancestors.contains(a) }

  /// The best common ancestors, as git finds them.
  func mergeBases(_ a: Int, _ b: Int) -> [Int] {
    let common = commits[a].ancestors.intersection(commits[b].ancestors)
    return common.filter { candidate in
      !common.contains { $0 != candidate && isAncestor(candidate, of: $0) }
    }.sorted()
  }

  /// Whether a merge can be reached from a tip and not from another.
  func hasMerges(from excluded: Int, to tip: Int) -> Bool {
    commits[tip].ancestors.subtracting(commits[excluded].ancestors)
      .contains { commits[$0].parents.count > 1 }
  }

  /// The commits with one parent that can be reached from a tip and not from another, oldest first.
  func commits(from excluded: Int, to tip: Int) -> [Int] {
    commits[tip].ancestors.subtracting(commits[excluded].ancestors)
      .filter { commits[$0].parents.count == 1 }.sorted()
  }
}
