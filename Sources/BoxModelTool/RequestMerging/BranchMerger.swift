/// Merges branches, and moves a branch to the merge commit.
struct BranchMerger: Sendable {
  /// The side that gets the merge commit.
  enum Target: Hashable, Sendable {
    /// The branch itself: its base is merged into it, and a site can merge it afterwards.
    case branch
    /// The base.
    case base
  }

  var branches: any BranchPlace
  var target = Target.branch
  var isDryRun: Bool
  var configuration: EffectiveConfiguration.Options
  var program: String
  var place: Workspace

  /// A branch keeps moving only while people push to it.
  private static let attempts = 4

  /// Merges a branch and its base, and writes the merge commit if nothing is open.
  ///
  /// If one of them moves meanwhile, everything begins again with the new commits, so that nothing is
  /// written that was not made of what is there.
  ///
  /// - Returns: The result, or the failure.
  func merge(_ branch: String, base: String) async -> BranchMergeItem {
    var item = BranchMergeItem(branch: branch, base: base)
    do throws(CommandFailure) {
      for _ in 0..<Self.attempts {
        let tips = try await branches.tips(of: [branch, base])
        let result = try await result(of: tip(branch, tips), tip(base, tips))
        item.result = result
        if !isWritten(result.outcome) { return item }
        if isDryRun {
          item.publication = .planned
          return item
        }
        switch try await write(result, branch, base, tips) {
        case .done(let commit):
          item.publication = .written(commit: commit)
          return item
        case .refused(let reason):
          item.publication = .refused(reason)
          return item
        case .moved: continue
        }
      }
      throw CommandFailure(
        .inputOutput, "'\(branch)' or '\(base)' moves again and again; try again when they rest")
    } catch {
      item.result = nil
      item.failure = error
    }
    return item
  }

  /// Whether an outcome produces a merge commit.
  ///
  /// A merge that the site makes correctly is left to the site; a base that is written here has none.
  private func isWritten(_ outcome: BranchMergeResult.Outcome) -> Bool {
    outcome == .merged || outcome == .clean && target == .base
  }

  /// The result for the commits of a branch and its base, of which neither changes.
  ///
  /// - Throws: ``CommandFailure`` as ``BranchMerge/run(in:)``.
  func result(
    of branch: BranchTip, _ base: BranchTip
  ) async throws(CommandFailure) -> BranchMergeResult {
    let sides = target == .branch ? (branch, base) : (base, branch)
    return try await BranchMerge(
      ours: sides.0, theirs: sides.1, base: base, configuration: configuration, program: program
    ).run(in: place)
  }

  private enum Written {
    case done(String)
    case moved
    case refused(String)
  }

  private func write(
    _ result: BranchMergeResult, _ branch: String, _ base: String, _ tips: [String: String]
  ) async throws(CommandFailure) -> Written {
    let commit = try await MergeCommit(result: result).write(place.git)
    if try await branches.currentTips(of: [branch, base]) != tips { return .moved }
    let written = target == .branch ? branch : base
    switch try await branches.update(written, from: result.ours.commit, to: commit) {
    case .done: return .done(commit)
    case .moved: return .moved
    case .refused(let reason): return .refused(reason)
    }
  }

  private func tip(
    _ name: String, _ tips: [String: String]
  ) throws(CommandFailure) -> BranchTip {
    guard let commit = tips[name] else {
      throw CommandFailure(.inputOutput, "there is no branch '\(name)'")
    }
    return BranchTip(name: name, commit: commit)
  }
}
