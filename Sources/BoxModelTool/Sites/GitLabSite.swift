internal import BoxJSON

/// Merge requests of GitLab, by version 4 of its API.
struct GitLabSite: Site {
  private let connection: SiteConnection
  /// The path of the project in the API.
  private let project: String
  /// The id of the user of the token.
  private let user: Int?

  /// Creates the site, and asks who the user is.
  ///
  /// - Parameters:
  ///   - api: The address of the API.
  ///   - project: The number of the project, or its path.
  ///   - token: The token.
  ///   - place: The place whose variables count.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if a request fails.
  init(
    api: WebAddress, project: String, token: String, in place: Workspace
  ) throws(CommandFailure) {
    self.project = "/projects/\(WebAddress.encoded(project))"
    connection = SiteConnection(
      transport: CurlTransport(api: api, headers: ["PRIVATE-TOKEN: \(token)"], in: place),
      name: "GitLab",
      neededRight: "it needs the scopes api and write_repository, and the role of a developer",
      secrets: Secrets(of: place))
    let purpose = "say whose it is"
    user = try connection.get("/user", for: purpose)["id"]?.int
  }

  func requests(into target: String?, from source: String?) throws(CommandFailure) -> [SiteRequest]
  {
    let purpose = "list merge requests"
    var query = "?state=opened"
    if let target { query += "&target_branch=\(WebAddress.encoded(target))" }
    if let source { query += "&source_branch=\(WebAddress.encoded(source))" }
    var found: [SiteRequest] = []
    for view in try connection.list("\(project)/merge_requests\(query)", for: purpose) {
      let request = try self.request(view, purpose)
      if source == nil || !request.isFork { found.append(request) }
    }
    return found
  }

  func request(_ number: Int) throws(CommandFailure) -> SiteRequest {
    let purpose = "read merge request \(number)"
    let found = try request(
      try connection.get("\(project)/merge_requests/\(number)", for: purpose), purpose)
    if found.number != number { throw connection.unexpected(purpose) }
    return found
  }

  private func request(_ view: JSONView, _ purpose: String) throws(CommandFailure) -> SiteRequest {
    guard let number = view["iid"]?.int, let source = view["source_branch"]?.string,
      let commit = view["sha"]?.hash, let target = view["target_branch"]?.string,
      let home = view["target_project_id"]?.int, let state = view["state"]?.string
    else { throw connection.unexpected(purpose) }
    return SiteRequest(
      number: number, source: source, commit: commit, target: target,
      isFork: view["source_project_id"]?.int != home, isOpen: state == "opened")
  }

  func comments(on number: Int) throws(CommandFailure) -> [SiteComment] {
    let purpose = "read the comments on merge request \(number)"
    var comments: [SiteComment] = []
    let path = "\(project)/merge_requests/\(number)/notes?sort=asc&order_by=created_at"
    for view in try connection.list(path, for: purpose) {
      guard let id = view["id"]?.int else { throw connection.unexpected(purpose) }
      let author = view["author"]?["id"]?.int
      comments.append(
        SiteComment(
          id: id, text: view["body"]?.string ?? "", isOwn: user != nil && author == user))
    }
    return comments
  }

  func comment(on number: Int, _ text: String) throws(CommandFailure) {
    try connection.write(
      .post, "\(project)/merge_requests/\(number)/notes", ["body": .string(text)],
      for: "comment on merge request \(number)")
  }

  func edit(_ comment: SiteComment, on number: Int, _ text: String) throws(CommandFailure) {
    try connection.write(
      .put, "\(project)/merge_requests/\(number)/notes/\(comment.id)", ["body": .string(text)],
      for: "change its comment on merge request \(number)")
  }

  func remove(_ comment: SiteComment, on number: Int) throws(CommandFailure) {
    try connection.write(
      .delete, "\(project)/merge_requests/\(number)/notes/\(comment.id)", nil,
      for: "remove its comment on merge request \(number)")
  }

  func setStatus(
    of commit: String, _ status: SiteStatus, _ description: String
  ) throws(CommandFailure) {
    let purpose = "set the status of a commit"
    let response = try connection.transport.send(
      HTTPRequest(
        method: .post, path: "\(project)/statuses/\(commit)",
        body: [
          "state": .string(status == .success ? "success" : "failed"),
          "name": .string(siteStatusName), "description": .string(String(description.prefix(255))),
        ]))
    // GitLab refuses a state that the commit already has.
    if response.status == 400, response.complaint.hasPart("Cannot transition") { return }
    try connection.require(response, purpose)
  }

  func reference(of number: Int) -> String { "refs/merge-requests/\(number)/head" }
}
