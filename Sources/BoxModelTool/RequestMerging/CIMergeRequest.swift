internal import BoxReport

/// Merges of branches or open requests, as a job of CI makes them.
package struct CIMergeRequest: Sendable {
  /// The branches or requests to merge.
  package enum Subject: Hashable, Sendable {
    /// Branches, into one base.
    case branches([String])
    /// Requests of a site, by their numbers.
    case requests([Int])
    /// All open requests of a site into the base.
    case allRequests
    /// The requests that an event in a file is about.
    case event(path: String)
  }

  /// The branches or requests to merge.
  package var subject: Subject
  /// The base of branches; nil for the branch that is checked out.
  ///
  /// Requests into another base are left out; nil leaves none out.
  package var base: String?
  /// Whether the merge commit of branches goes to their base; otherwise it goes to the branch.
  package var updatesBase = false
  /// The remote that branches are fetched from and pushed to; nil for the branches of the repository.
  package var remote: String?
  /// Whether nothing is written, neither to a branch nor to a site.
  package var isDryRun = false
  /// Whether comments and states of commits are left out.
  package var isSilent = false
  /// The site of requests.
  package var site = SiteSettings()
  /// The settings that override all others.
  package var configuration = EffectiveConfiguration.Options()
  /// The program that git starts as its merge driver.
  package var program: String

  /// Creates a request.
  package init(_ subject: Subject, program: String) {
    self.subject = subject
    self.program = program
  }

  /// Merges.
  ///
  /// The report includes merges that fail and sites that cannot be updated; the other merges are made.
  ///
  /// - Returns: The report.
  /// - Throws: ``CommandFailure`` of the kind `usage` if something is not named or there is no token,
  ///   `badInput` if a file is not one of an event, `inputOutput` outside of a repository, or if git is too
  ///   old, or git or the site cannot be reached.
  /// - Complexity: As two merges by git for each branch.
  package func run(in place: Workspace) async throws(CommandFailure) -> BranchMergeReport {
    guard try await place.git.repository() != nil else {
      throw CommandFailure(
        .inputOutput, "this is not inside a git repository" + place.git.bareHint)
    }
    try await place.git.requireTreeMerge()
    switch subject {
    case .branches(let names): return try await mergeBranches(names, place)
    case .requests(let numbers): return try await mergeRequests(numbers, nil, place)
    case .allRequests: return try await mergeRequests(nil, nil, place)
    case .event(let path):
      switch try SiteEvent.read(path) {
      case .nothing: return BranchMergeReport(isDryRun: isDryRun)
      case .request(let number): return try await mergeRequests([number], nil, place)
      case .push(let branch): return try await mergeRequests(nil, branch, place)
      case .group(let base, let head): return try await checkQueue(base, head, place)
      }
    }
  }

  // MARK: - Branches

  private func mergeBranches(
    _ names: [String], _ place: Workspace
  ) async throws(CommandFailure) -> BranchMergeReport {
    let base: String
    if let named = self.base { base = named } else { base = try await currentBranch(place.git) }
    let git = place.git.adding(["GIT_TERMINAL_PROMPT": "0"])
    let branches: any BranchPlace =
      if let remote {
        RemoteBranches(remote: remote, git: git, secrets: Secrets(of: place))
      } else {
        LocalBranches(git: git)
      }
    let merger = merger(branches, place, updatesBase ? .base : .branch)
    var report = BranchMergeReport(isDryRun: isDryRun)
    for name in names {
      if let refusal = try await refusal(of: [name, base], place.git) {
        report.items.append(BranchMergeItem(branch: name, base: base, failure: refusal))
      } else {
        var item = await merger.merge(name, base: base)
        item.remote = remote
        report.items.append(item)
      }
    }
    return report
  }

  private func currentBranch(_ git: GitClient) async throws(CommandFailure) -> String {
    let name = try await git.run(["symbolic-ref", "--quiet", "--short", "HEAD"])
    guard name.status == 0 else {
      throw CommandFailure(.usage, "no branch is checked out; name the base")
    }
    return name.text
  }

  /// The failure for a name that is not one of a branch; nil if all are.
  private func refusal(
    of names: [String], _ git: GitClient
  ) async throws(CommandFailure) -> CommandFailure? {
    for name in names where try await !git.isBranchName(name) {
      return CommandFailure(.usage, "'\(name)' is not the name of a branch")
    }
    return nil
  }

  private func merger(
    _ branches: any BranchPlace, _ place: Workspace, _ target: BranchMerger.Target
  ) -> BranchMerger {
    // No program that git starts in a merge needs a token.
    BranchMerger(
      branches: branches, target: target, isDryRun: isDryRun, configuration: configuration,
      program: program, place: place.with(place.git.adding(CurlTransport.withoutTokens)))
  }

  // MARK: - Requests

  private func mergeRequests(
    _ numbers: [Int]?, _ pushed: String?, _ place: Workspace
  ) async throws(CommandFailure) -> BranchMergeReport {
    guard let remote else {
      throw CommandFailure(
        .usage, "there is no remote with the branches of the requests; add one")
    }
    let site = try self.site.connect(in: place)
    let branches = RemoteBranches(
      remote: remote, git: try await self.site.client(for: remote, in: place),
      secrets: Secrets(of: place))
    var requests: [SiteRequest] = []
    if let numbers {
      for number in numbers { requests.append(try site.request(number)) }
    } else {
      requests = try site.requests(into: pushed ?? base, from: nil)
      if let pushed {
        let known = Set(requests.map(\.number))
        requests += try site.requests(into: base, from: pushed)
          .filter { !known.contains($0.number) }
      }
    }
    requests.removeAll { request in !request.isOpen || base.map { $0 != request.target } ?? false }
    let run = RequestMerger(
      site: site, remote: branches, merger: merger(branches, place, .branch),
      isSilent: isSilent || isDryRun)
    var report = BranchMergeReport(isDryRun: isDryRun)
    for request in requests.sorted(by: { $0.number < $1.number }) {
      report.items.append(await run.merge(request))
    }
    return report
  }

  // MARK: - A merge queue

  private func checkQueue(
    _ base: String, _ head: String, _ place: Workspace
  ) async throws(CommandFailure) -> BranchMergeReport {
    let check = QueueCheck(
      base: base, head: head, configuration: configuration, program: program)
    return BranchMergeReport(ofQueue: try await check.run(in: place), isDryRun: isDryRun)
  }
}

extension GitClient {
  /// Whether a text can be the name of a branch, and has no meaning to git as an option or a pattern.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  func isBranchName(_ name: String) async throws(CommandFailure) -> Bool {
    if name.isEmpty || name.hasPrefix("-") || name.utf8.contains(0) { return false }
    return try await run(["check-ref-format", "refs/heads/\(name)"]).status == 0
  }
}
