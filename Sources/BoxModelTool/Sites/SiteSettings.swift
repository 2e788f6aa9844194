internal import BoxConvert

/// The kind of a hosting site.
package enum SiteKind: String, Hashable, Sendable, CaseIterable {
  case github, gitlab

  /// The user by whose name git takes the token as a password, and the token, as a header has them.
  func gitCredentials(_ token: String) -> String {
    let user = self == .github ? "x-access-token" : "oauth2"
    return Base64.text(Array("\(user):\(token)".utf8))
  }
}

/// The place of the requests, as arguments and the variables of a CI job name it.
package struct SiteSettings: Hashable, Sendable {
  /// The kind of the site; nil for the site of the job.
  package var kind: SiteKind?
  /// The address of the API; nil for the API of the job, or else of the public site.
  package var api: String?
  /// The repository; nil for the repository of the job.
  package var repository: String?

  /// Creates settings that leave everything to the variables.
  package init(kind: SiteKind? = nil, api: String? = nil, repository: String? = nil) {
    self.kind = kind
    self.api = api
    self.repository = repository
  }

  /// Connects to the site, with the token of the environment.
  ///
  /// - Throws: ``CommandFailure`` of the kind `usage` if something is not named or there is no token,
  ///   `inputOutput` if the site cannot be reached or does not accept the token.
  func connect(in place: Workspace) throws(CommandFailure) -> any Site {
    let kind = try kind(in: place)
    let isGitHub = kind == .github
    let text =
      api ?? place.variable(isGitHub ? "GITHUB_API_URL" : "CI_API_V4_URL")
      ?? (isGitHub ? "https://api.github.com" : "https://gitlab.com/api/v4")
    guard let address = WebAddress(text) else {
      throw CommandFailure(
        .usage, "'\(text)' is not an address of an API that starts with https://")
    }
    let named =
      repository
      ?? (isGitHub
        ? place.variable("GITHUB_REPOSITORY")
        : place.variable("CI_PROJECT_ID") ?? place.variable("CI_PROJECT_PATH"))
    guard let named else {
      throw CommandFailure(.usage, "the repository on the site is not known; name it")
    }
    let token = try token(kind, place)
    return isGitHub
      ? try GitHubSite(api: address, repository: named, token: token, in: place)
      : try GitLabSite(api: address, project: named, token: token, in: place)
  }

  private func kind(in place: Workspace) throws(CommandFailure) -> SiteKind {
    if let kind { return kind }
    if place.variable("GITHUB_ACTIONS") != nil { return .github }
    if place.variable("GITLAB_CI") != nil { return .gitlab }
    throw CommandFailure(.usage, "the kind of the site is not known; name github or gitlab")
  }

  private func token(_ kind: SiteKind, _ place: Workspace) throws(CommandFailure) -> String {
    let names = kind == .github ? ["GITHUB_TOKEN", "GH_TOKEN"] : ["GITLAB_TOKEN"]
    guard let token = names.lazy.compactMap({ place.variable($0) }).first else {
      throw CommandFailure(
        .usage, "there is no token for the site; set the variable \(names[0])")
    }
    // It becomes a part of a header.
    guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw CommandFailure(
        .usage, "the variable \(names[0]) is not a token: it has characters that none has")
    }
    return token
  }

  /// A client of git that sends the token to the site, if a remote is hosted there.
  ///
  /// Git gets the token by the environment, in its settings alone: what a push starts has no variable with
  /// it. A header that the job has set for the site is replaced, since the site takes only one. Git would
  /// follow the first redirection, and send the header there.
  ///
  /// - Throws: ``CommandFailure`` of the kind `usage` as ``connect(in:)``, `inputOutput` if git cannot
  ///   be run.
  func client(
    for remote: String, in place: Workspace
  ) async throws(CommandFailure) -> GitClient {
    let git = place.git.adding(["GIT_TERMINAL_PROMPT": "0"])
    let kind = try kind(in: place)
    let server =
      place.variable(kind == .github ? "GITHUB_SERVER_URL" : "CI_SERVER_URL")
      ?? (kind == .github ? "https://github.com" : "https://gitlab.com")
    let url = try await git.run(["remote", "get-url", "--push", "--", remote])
    guard url.status == 0, let server = WebAddress(server), let address = WebAddress(url.text),
      address.origin == server.origin
    else { return git }
    let credentials = kind.gitCredentials(try token(kind, place))
    let key = "http.\(address.text)."
    return git.adding(CurlTransport.withoutTokens).overriding([
      (key + "extraHeader", ""),
      (key + "extraHeader", "Authorization: Basic \(credentials)"),
      ("http.followRedirects", "false"), (key + "followRedirects", "false"),
    ])
  }
}
