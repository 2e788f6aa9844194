import TestSupport
import Testing

@testable import BoxModelTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Sites that refuse, fail or do not answer, and a git that is too old.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct UnhelpfulSiteTests {
  /// Runs a dry run with a fault of the site, and expects a status and words.
  private func expect(
    _ world: RequestWorld, _ fault: String = "", status: Int32, _ words: String,
    environment: [String: String?] = [:], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    if !fault.isEmpty { try await world.site.set(#"{"faults": [{\#(fault)}]}"#) }
    let run = try await world.merge("--request", "5", "--dry-run", environment: environment)
    #expect(run.status == status, "\(run.text)\(run.messages)", sourceLocation: sourceLocation)
    #expect(
      (run.text + run.messages).contains(words), "\(run.text)\(run.messages)",
      sourceLocation: sourceLocation)
  }

  /// The words of a dry run that had an answer in the end.
  private let success = "would be written"

  @Test func noToken() async throws {
    let world = try await RequestWorld(.github)
    try await expect(
      world, status: 64, "there is no token for the site; set the variable GITHUB_TOKEN",
      environment: ["GITHUB_TOKEN": nil])
    try await expect(
      world, status: 64, "is not a token", environment: ["GITHUB_TOKEN": "a\nheader = b"])
    try await expect(
      world, status: 64, "set the variable GITLAB_TOKEN",
      environment: ["GITHUB_ACTIONS": nil, "GITLAB_CI": "true", "CI_PROJECT_ID": "1"])
    try await expect(
      world, status: 64, "name github or gitlab", environment: ["GITHUB_ACTIONS": nil])
  }

  @Test(arguments: SiteKind.allCases)
  func aTokenThatIsNotAccepted(_ kind: SiteKind) async throws {
    try await expect(
      RequestWorld(kind), status: 74, "the token is not accepted: Bad credentials",
      environment: ["GITHUB_TOKEN": "wrong", "GITLAB_TOKEN": "wrong"])
  }

  /// The merge is pushed; that the site was not told is an error that says which right is missing.
  @Test func aTokenWithoutRights() async throws {
    let world = try await RequestWorld(.github)
    try await world.site.set(
      #"{"faults": [{"match": "^POST", "status": 403, "times": 9, "body": {"message": "Resource not accessible"}}]}"#
    )
    let run = try await world.merge("--request", "5")
    #expect(run.status == 74)
    #expect(run.messages.contains("the token may not comment on pull request 5"))
    #expect(run.messages.contains("Resource not accessible; it needs contents, pull-requests"))
    #expect(run.text.contains("merged, as"))
  }

  /// A list goes on as long as the site says so, also where its pages are shorter than was asked for.
  @Test(arguments: SiteKind.allCases)
  func shortPages(_ kind: SiteKind) async throws {
    let world = try await RequestWorld(kind)
    try await world.site.set(
      #"{"page_limit": 1, "requests": [{"number": 5, "source": "feature", "target": "main"}, "#
        + #"{"number": 6, "source": "feature", "target": "main"}], "#
        + #""comments": [{"id": 1, "request": 5, "author": "stranger", "body": "x"}]}"#)
    let run = try await world.merge("--all-requests")
    #expect(run.text.contains("request 5:") && run.text.contains("request 6:"), "\(run.text)")
    _ = try await world.merge("--request", "5")
    let own = try await world.site.state().list("comments").filter {
      $0["request"] == "5" && $0["author"] == "robot"
    }
    #expect(own.count == 1)
  }

  /// A redirection of git's would take the token to another host.
  @Test func gitFollowsNoRedirection() async throws {
    let world = try await RequestWorld(.github)
    let other = try await FakeSite()
    let address = "http://127.0.0.1:\(world.site.port)"
    try await world.clone.git("remote", "set-url", "origin", address + "/owner/app.git")
    try await world.site.set(
      #"{"faults": [{"match": "info/refs", "times": 9, "status": 302, "headers": "#
        + #"{"Location": "http://127.0.0.1:\#(other.port)/owner/app.git/info/refs?service=git-upload-pack"}}]}"#
    )
    let run = try await world.merge("--request", "5", environment: ["GITHUB_SERVER_URL": address])
    #expect(run.status == 74, "\(run.text)\(run.messages)")
    let asked = try await world.site.state().list("log").filter {
      $0["line"]?.contains("info/refs") == true
    }
    #expect(asked.contains { $0["authorization"]?.hasPrefix("Basic ") == true })
    #expect(try await other.state().list("log").isEmpty)
  }

  @Test func rateLimits() async throws {
    let world = try await RequestWorld(.github)
    // One that ends at once is waited for.
    try await expect(
      world, #""match": "GET /repos", "status": 429, "headers": {"Retry-After": "0"}"#, status: 0,
      success)
    try await expect(
      world,
      #""match": "GET /repos", "status": 403, "#
        + #""headers": {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "32503680000"}"#,
      status: 74, "takes no more requests for this token, until 3000-01-01T00:00:00Z")
  }

  @Test func errorsOfTheSite() async throws {
    let world = try await RequestWorld(.github)
    let faults: [(String, Int32, String)] = [
      (#""status": 502"#, 0, success),
      (#""status": 502, "times": 9"#, 74, "status 502 when asked to read pull request 5: fault"),
      (#""close": true"#, 0, success),
      (#""status": 200, "body": "<html>""#, 74, "gave an answer that is not one of GitHub"),
      (#""status": 200, "body": {"number": "5"}"#, 74, "gave an answer that is not one of GitHub"),
      (
        #""status": 301, "headers": {"Location": "http://127.0.0.1/"}"#, 74,
        "what was asked for is elsewhere"
      ),
    ]
    for (fault, status, words) in faults {
      try await expect(world, #""match": "GET /repos", "# + fault, status: status, words)
    }
  }

  @Test func aSiteThatDoesNotAnswer() async throws {
    let world = try await RequestWorld(.github)
    try await expect(
      world, #""match": "GET /repos", "delay": 3"#, status: 0, success,
      environment: ["BOXJOINT_SITE_TIMEOUT": "1"])
    try await expect(
      world, status: 74, "cannot be reached",
      environment: ["GITHUB_API_URL": "http://127.0.0.1:9"])
  }

  @Test func anAddressThatIsNotSafe() async throws {
    let world = try await RequestWorld(.github)
    for address in [
      "http://example.com", "ftp://example.com", "https://a b", "https://u@example.com",
    ] {
      try await expect(
        world, status: 64, "is not an address of an API that starts with https://",
        environment: ["GITHUB_API_URL": address])
    }
  }

  /// Names of a site are not options, refspecs or paths.
  @Test func branchesOfStrangeNames() async throws {
    let world = try await RequestWorld(.github)
    let before = try await world.inOrigin("for-each-ref")
    for name in ["--upload-pack=touch ran", "a:refs/heads/main", "../main", "a b", "", "x*"] {
      for member in ["source", "target"] {
        let other = member == "source" ? "target" : "source"
        try await world.site.set(
          #"{"requests": [{"number": 5, "\#(member)": "\#(name)", "\#(other)": "main"}]}"#)
        let run = try await world.merge("--request", "5")
        #expect(run.status >= 64, "\(name): \(run.text)\(run.messages)")
      }
    }
    #expect(try await world.inOrigin("for-each-ref") == before)
    #expect(!world.clone.surroundings.exists(world.clone.path + "/ran"))
  }

  @Test func aGitThatIsTooOld() async throws {
    let world = try await RequestWorld(.github)
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    let git = try #require(RunningProgram.lookUp("git", in: path))
    try world.clone.surroundings.write(
      """
      #!/bin/sh
      case "$*" in *--version) echo "git version 2.37.9"; exit 0;; esac
      exec \(git) "$@"
      """, to: "bin/git")
    chmod(world.clone.surroundings.path(of: "bin/git"), 0o755)
    let environment = ["PATH": world.clone.surroundings.path(of: "bin") + ":" + path]
    for arguments in [["ci", "merge", "--request", "5"], ["merge", "feature"]] {
      let run = try await world.run(arguments, environment: environment)
      #expect(run.status == 74)
      #expect(
        run.messages.contains(
          "git 2.37 cannot merge without a work tree, which takes 2.38 or later"))
    }
  }

  @Test func noRemote() async throws {
    let world = try await RequestWorld(.github)
    try await world.clone.git("remote", "remove", "origin")
    let run = try await world.merge("--request", "5")
    #expect(run.status == 64)
    #expect(run.messages.contains("no remote with the branches of the requests"))
  }
}
