internal import BoxReport

/// Merges open requests of a site, and tells the site.
struct RequestMerger: Sendable {
  var site: any Site
  var remote: RemoteBranches
  var merger: BranchMerger
  /// Whether the site is not updated.
  var isSilent: Bool

  /// The mark of the comments about merges.
  static let mark = "merge"
  /// A line of comments that say that something is open, which is not shown.
  private static let openMark = "<!-- boxjoint:open -->"

  /// Merges the base into the branch of a request, and tells the site.
  ///
  /// - Returns: The result; its failure if the site could not be updated.
  func merge(_ request: SiteRequest) async -> BranchMergeItem {
    var item = await merged(request)
    item.number = request.number
    item.isFromFork = request.isFork
    item.remote = remote.remote
    if isSilent { return item }
    do throws(CommandFailure) {
      try postResult(item, request)
    } catch {
      item.failure = item.failure ?? error
    }
    return item
  }

  private func merged(_ request: SiteRequest) async -> BranchMergeItem {
    var item = BranchMergeItem(branch: request.source, base: request.target)
    do throws(CommandFailure) {
      // A branch of a fork has any name, and is only shown.
      let names = request.isFork ? [request.target] : [request.source, request.target]
      for name in names where try await !merger.place.git.isBranchName(name) {
        throw CommandFailure(.badInput, "the site names a branch '\(name)', which is not a name")
      }
      if !request.isFork { return await merger.merge(request.source, base: request.target) }
      item.result = try await fork(request)
      if item.result?.outcome == .merged { item.publication = .fork }
    } catch {
      item.failure = error
    }
    return item
  }

  /// The result for the branch of a fork, whose commits are read and never written.
  private func fork(_ request: SiteRequest) async throws(CommandFailure) -> BranchMergeResult {
    try await remote.fetch([site.reference(of: request.number)])
    let tips = try await remote.tips(of: [request.target])
    guard let base = tips[request.target] else {
      throw CommandFailure(.inputOutput, "there is no branch '\(request.target)'")
    }
    guard let commit = try await merger.place.git.resolve(request.commit) else {
      throw CommandFailure(
        .inputOutput, "the branch has moved while it was fetched; try again")
    }
    return try await merger.result(
      of: BranchTip(name: request.source, commit: commit),
      BranchTip(name: request.target, commit: base))
  }

  /// Writes the comment and the state of the commit.
  private func postResult(_ item: BranchMergeItem, _ request: SiteRequest) throws(CommandFailure) {
    // Where nothing is to be said there is no comment, unless an earlier one has to be corrected.
    let hasNews = item.outcome != .success || item.result?.outcome == .merged
    let text = (item.outcome == .success ? "" : Self.openMark + "\n") + item.markdown
    try site.putComment(
      text, mark: Self.mark, on: request.number, correcting: hasNews ? nil : Self.openMark)
    var commit = item.result?.ours.commit ?? request.commit
    if case .written(let hash) = item.publication { commit = hash }
    let status: SiteStatus =
      switch item.outcome {
      case .success: .success
      case .findings, .failed(.impossible): .failure
      case .failed: .error
      }
    try site.setStatus(of: commit, status, item.sentence.escapedForDisplay)
  }
}
