/// The fate of a merge of branches: its result, and whether it was written.
package struct BranchMergeItem: Sendable {
  /// The fate of the merge commit.
  package enum Publication: Hashable, Sendable {
    /// There is no commit to write.
    case none
    /// It would be written, and this is a dry run.
    case planned
    /// The branch is at the commit.
    case written(commit: String)
    /// It cannot be written to the branch of another repository.
    case fork
    /// It was refused, for a reason in one sentence without a trailing period.
    case refused(String)
  }

  /// The number of the request; nil for a branch that is not one of a request.
  package var number: Int?
  /// The branch.
  package var branch: String
  /// The branch that it is to be merged into.
  package var base: String
  /// The result of the merge; nil if it could not be made.
  package var result: BranchMergeResult?
  /// The reason why the merge failed, or why the site could not be updated.
  package var failure: CommandFailure?
  /// Whether the branch is in another repository.
  package var isFromFork = false
  /// The remote that has the branches; nil for local branches.
  package var remote: String?
  /// The fate of the merge commit.
  package var publication = Publication.none

  /// Creates the item of a merge that is not made yet.
  package init(
    number: Int? = nil, branch: String, base: String, result: BranchMergeResult? = nil,
    failure: CommandFailure? = nil
  ) {
    self.number = number
    self.branch = branch
    self.base = base
    self.result = result
    self.failure = failure
  }

  /// The outcome.
  package var outcome: ReportOutcome {
    if let failure { return .failed(failure.kind) }
    switch result?.outcome {
    case nil: return .success
    case .upToDate: return .success
    case .conflicts: return .findings
    case .refused: return .failed(.impossible)
    case .clean, .merged:
      switch publication {
      case .none, .planned, .written: return .success
      case .fork: return .findings
      case .refused: return .failed(.impossible)
      }
    }
  }

  /// The branches and the number of the request, for people.
  var title: String {
    let names = result.map { "\($0.theirs.name) into \($0.ours.name)" } ?? "\(branch) and \(base)"
    return (number.map { "request \($0): " } ?? "") + names
  }

  /// The outcome in one sentence without a trailing period.
  var sentence: String {
    if let result { return Self.sentence(result, publication) }
    return failure.map { "not merged: \($0.message)" } ?? "nothing to do"
  }

  private static func sentence(_ result: BranchMergeResult, _ publication: Publication) -> String {
    switch result.outcome {
    case .upToDate: return "there is nothing to merge"
    case .clean where publication == .none:
      return "a merge by the site gives the right result"
    case .conflicts: return "conflicts are open"
    case .refused: return "a side of a model was generated again"
    case .clean, .merged: break
    }
    switch publication {
    case .none: return "everything can be merged" + siteWords(result)
    case .planned: return "everything can be merged, and would be written" + siteWords(result)
    case .written(let commit): return "merged, as \(commit.prefix(12))"
    case .fork: return "everything can be merged, but the branch is in another repository"
    case .refused(let reason): return "everything can be merged, but was not written: \(reason)"
    }
  }

  private static func siteWords(_ result: BranchMergeResult) -> String {
    switch result.siteMerge {
    case .conflicts: "; a site without the driver sees conflicts"
    case .different: "; a site without the driver would make another model of it"
    case .same, nil: ""
    }
  }
}
