internal import BoxJSON

/// Pull requests of GitHub, by version 2022-11-28 of its API.
struct GitHubSite: Site {
  private let connection: SiteConnection
  /// The repository, as `OWNER/NAME`.
  private let repository: String
  /// The name of the user of the token; nil for the token of a job, which may not ask for it.
  private let user: String?

  /// Creates the site, and asks who the user is.
  ///
  /// - Throws: ``CommandFailure`` of the kind `usage` if the name is not one of a repository,
  ///   `inputOutput` if a request fails.
  init(
    api: WebAddress, repository: String, token: String, in place: Workspace
  ) throws(CommandFailure) {
    let parts = repository.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts.contains(where: { ["", ".", ".."].contains($0) }) else {
      throw CommandFailure(.usage, "'\(repository)' is not a repository of GitHub, OWNER/NAME")
    }
    self.repository = parts.map { WebAddress.encoded(String($0)) }.joined(separator: "/")
    let headers = [
      "Authorization: Bearer \(token)", "Accept: application/vnd.github+json",
      "X-GitHub-Api-Version: 2022-11-28",
    ]
    connection = SiteConnection(
      transport: CurlTransport(api: api, headers: headers, in: place), name: "GitHub",
      neededRight: "it needs contents, pull-requests and statuses, with the right to write",
      secrets: Secrets(of: place))
    let purpose = "say whose it is"
    let response = try connection.transport.send(HTTPRequest(path: "/user"))
    if response.status == 403 || response.status == 404 {
      user = nil
    } else {
      try connection.require(response, purpose)
      user = try connection.view(response, purpose)["login"]?.string
    }
  }

  func requests(into target: String?, from source: String?) throws(CommandFailure) -> [SiteRequest]
  {
    let purpose = "list pull requests"
    let base = target.map { "&base=\(WebAddress.encoded($0))" } ?? ""
    var found: [SiteRequest] = []
    for view in try connection.list("/repos/\(repository)/pulls?state=open\(base)", for: purpose) {
      let request = try self.request(view, purpose)
      // A fork can have a branch of the same name.
      if source == nil || request.source == source && !request.isFork { found.append(request) }
    }
    return found
  }

  func request(_ number: Int) throws(CommandFailure) -> SiteRequest {
    let purpose = "read pull request \(number)"
    let found = try request(
      try connection.get("/repos/\(repository)/pulls/\(number)", for: purpose), purpose)
    if found.number != number { throw connection.unexpected(purpose) }
    return found
  }

  private func request(_ view: JSONView, _ purpose: String) throws(CommandFailure) -> SiteRequest {
    guard let number = view["number"]?.int, let head = view["head"], let base = view["base"],
      let source = head["ref"]?.string, let commit = head["sha"]?.hash,
      let target = base["ref"]?.string, let home = base["repo"]?["full_name"]?.string,
      let state = view["state"]?.string
    else { throw connection.unexpected(purpose) }
    // A fork that was removed has no repository.
    return SiteRequest(
      number: number, source: source, commit: commit, target: target,
      isFork: head["repo"]?["full_name"]?.string != home, isOpen: state == "open")
  }

  func comments(on number: Int) throws(CommandFailure) -> [SiteComment] {
    let purpose = "read the comments on pull request \(number)"
    var comments: [SiteComment] = []
    let path = "/repos/\(repository)/issues/\(number)/comments"
    for view in try connection.list(path, for: purpose) {
      guard let id = view["id"]?.int else { throw connection.unexpected(purpose) }
      let author = view["user"]
      let isOwn = user.map { author?["login"]?.string == $0 } ?? (author?["type"]?.string == "Bot")
      comments.append(SiteComment(id: id, text: view["body"]?.string ?? "", isOwn: isOwn))
    }
    return comments
  }

  func comment(on number: Int, _ text: String) throws(CommandFailure) {
    try connection.write(
      .post, "/repos/\(repository)/issues/\(number)/comments", ["body": .string(text)],
      for: "comment on pull request \(number)")
  }

  func edit(_ comment: SiteComment, on number: Int, _ text: String) throws(CommandFailure) {
    try connection.write(
      .patch, "/repos/\(repository)/issues/comments/\(comment.id)", ["body": .string(text)],
      for: "change its comment on pull request \(number)")
  }

  func remove(_ comment: SiteComment, on number: Int) throws(CommandFailure) {
    try connection.write(
      .delete, "/repos/\(repository)/issues/comments/\(comment.id)", nil,
      for: "remove its comment on pull request \(number)")
  }

  func setStatus(
    of commit: String, _ status: SiteStatus, _ description: String
  ) throws(CommandFailure) {
    let state =
      switch status {
      case .success: "success"
      case .failure: "failure"
      case .error: "error"
      }
    try connection.write(
      .post, "/repos/\(repository)/statuses/\(commit)",
      [
        "state": .string(state), "context": .string(siteStatusName),
        "description": .string(String(description.prefix(140))),
      ], for: "set the status of a commit")
  }

  func reference(of number: Int) -> String { "refs/pull/\(number)/head" }
}
