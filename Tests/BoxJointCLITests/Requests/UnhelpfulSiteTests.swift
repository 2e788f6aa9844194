import TestSupport
import Testing

@testable import BoxTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Sites that refuse, fail or do not answer, and a git that is too old.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built"))
struct UnhelpfulSiteTests {
  /// A fault of the site, and what the command says.
  private func expect(
    _ fault: String, status: Int32, _ words: String, kind: SiteKind = .github,
    environment: [String: String?] = [:], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let world = try await RequestWorld(kind)
    if !fault.isEmpty { try await world.site.set(#"{"faults": [{\#(fault)}]}"#) }
    let run = try await world.merge("--request", "5", environment: environment)
    #expect(run.status == status, "\(run.text)\(run.messages)", sourceLocation: sourceLocation)
    #expect(
      (run.text + run.messages).contains(words), "\(run.text)\(run.messages)",
      sourceLocation: sourceLocation)
  }

  @Test func noToken() async throws {
    try await expect(
      "", status: 64, "there is no token for the site; set the variable GITHUB_TOKEN",
      environment: ["GITHUB_TOKEN": nil])
    try await expect(
      "", status: 64, "set the variable GITLAB_TOKEN", kind: .gitlab,
      environment: ["GITLAB_TOKEN": ""])
    try await expect(
      "", status: 64, "is not a token", environment: ["GITHUB_TOKEN": "a\nheader = b"])
  }

  @Test(arguments: SiteKind.allCases)
  func aTokenThatIsNotAccepted(_ kind: SiteKind) async throws {
    try await expect(
      "", status: 74, "the token is not accepted: Bad credentials", kind: kind,
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

  @Test func rateLimits() async throws {
    // One that ends at once is waited for.
    try await expect(
      #""match": "GET /repos", "status": 429, "headers": {"Retry-After": "0"}"#, status: 0, "merged"
    )
    try await expect(
      #""match": "GET /repos", "status": 403, "headers": {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "32503680000"}"#,
      status: 74, "takes no more requests for this token, until 3000-01-01T00:00:00Z")
  }

  @Test func errorsOfTheSite() async throws {
    try await expect(#""match": "GET /repos", "status": 502"#, status: 0, "merged")
    try await expect(
      #""match": "GET /repos", "status": 502, "times": 9"#, status: 74,
      "status 502 when asked to read pull request 5: fault")
    try await expect(#""match": "GET /repos", "close": true"#, status: 0, "merged")
    try await expect(
      #""match": "GET /repos", "status": 200, "body": "<html>"#, status: 74,
      "gave an answer that is not one of GitHub")
    try await expect(
      #""match": "GET /repos", "status": 200, "body": {"number": "5"}"#, status: 74,
      "gave an answer that is not one of GitHub")
    try await expect(
      #""match": "GET /repos", "status": 301, "headers": {"Location": "http://127.0.0.1/"}"#,
      status: 74, "what was asked for is elsewhere")
  }

  @Test func aSiteThatDoesNotAnswer() async throws {
    try await expect(
      #""match": "GET /repos", "delay": 3"#, status: 0, "merged",
      environment: ["BOXJOINT_SITE_TIMEOUT": "1"])
    try await expect(
      "", status: 74, "cannot be reached", environment: ["GITHUB_API_URL": "http://127.0.0.1:9"])
  }

  @Test func anAddressThatIsNotSafe() async throws {
    for address in [
      "http://example.com", "ftp://example.com", "https://a b", "https://u@example.com",
    ] {
      try await expect(
        "", status: 64, "is not an address of an API that starts with https://",
        environment: ["GITHUB_API_URL": address])
    }
  }

  /// Names of a site are not options, refspecs or paths.
  @Test(arguments: ["--upload-pack=touch ran", "a:refs/heads/main", "../main", "a b", "", "x*"])
  func aBranchOfAName(_ name: String) async throws {
    let world = try await RequestWorld(.github)
    let before = try await world.inOrigin("for-each-ref")
    for member in ["source", "target"] {
      let other = member == "source" ? "target" : "source"
      try await world.site.set(
        #"{"requests": [{"number": 5, "\#(member)": "\#(name)", "\#(other)": "main"}]}"#)
      let run = try await world.merge("--request", "5")
      #expect(run.status >= 64, "\(run.text)\(run.messages)")
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
    #expect(run.messages.contains("requests need the remote"))
  }
}
