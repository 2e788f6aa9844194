import TestSupport
import Testing

@testable import BoxModelTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `boxjoint ci merge` for the requests of a site.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct MergedRequestTests {
  static let kinds = SiteKind.allCases

  /// The base is merged into the branch, as `git merge` with the driver does it.
  @Test(arguments: kinds)
  func aDecidableRequestIsMergedAndPushed(_ kind: SiteKind) async throws {
    let world = try await RequestWorld(kind)
    let (main, feature) = try await (world.tip("main"), world.tip("feature"))
    let run = try await world.merge("--request", "5")
    #expect(run.status == 0, "\(run.text)\(run.messages)")
    #expect(run.text.hasPrefix("request 5: main into feature: merged, as "), "\(run.text)")
    let commit = try await world.tip("feature")
    #expect(try await world.inOrigin("log", "-1", "--format=%P", commit) == "\(feature) \(main)")
    #expect(try await world.tip("main") == main)
    let facts = try ModelFacts(try await world.inOrigin("show", "\(commit):\(world.file)"))
    #expect(facts.errors == [])
    #expect(facts.pairs["Ant"] != nil && facts.pairs["Bear"] != nil)
    // The same on somebody's machine.
    _ = try await world.clone.tool("git", "install")
    try await world.clone.git("switch", "--quiet", "--detach", feature)
    try await world.clone.git("merge", "--quiet", main)
    let local = try await world.clone.git("rev-parse", "HEAD^{tree}")
    #expect(try await world.inOrigin("rev-parse", "\(commit)^{tree}") == local)
    let state = try await world.site.state()
    #expect(state.comments.count == 1)
    #expect(state.comments[0].hasPrefix("<!-- boxjoint:merge -->\n**request 5"))
    #expect(state.comments[0].contains("| BOX410 renumbered |"), "\(state.comments)")
    #expect(state.status(of: commit) == "success")
    // A second run finds nothing to do, and leaves the table where it is.
    let again = try await world.merge("--request", "5")
    #expect(again.status == 0, "\(again.text)\(again.messages)")
    #expect(again.text.contains("there is nothing to merge"))
    #expect(try await world.tip("feature") == commit)
    #expect(try await world.site.state().comments == state.comments)
  }

  /// An open conflict becomes one comment, which is changed in its place.
  @Test(arguments: kinds)
  func anOpenConflictBecomesOneComment(_ kind: SiteKind) async throws {
    let (main, feature) = RequestWorld.contradicting
    let world = try await RequestWorld(kind, main: main, feature: feature)
    let before = try await world.tip("feature")
    for _ in 0..<2 {
      let run = try await world.merge("--all-requests")
      #expect(run.status == 1, "\(run.text)\(run.messages)")
    }
    #expect(try await world.tip("feature") == before)
    var state = try await world.site.state()
    #expect(state.status(of: before) == world.failedState)
    let comment = try #require(state.comments.first)
    #expect(state.comments.count == 1)
    #expect(state.writes.count { $0.hasPrefix("PATCH") || $0.hasPrefix("PUT") } == 0)
    for part in [
      "git switch feature\ngit merge origin/main\nboxjoint resolve\n",
      "| Open conflict | take ours: feature | take theirs: main |", "BOX501 edit-edit", "Memo",
      "Letter",
    ] {
      #expect(comment.contains(part), "\(part)\n\(comment)")
    }
    // Somebody takes a side, and the comment says that nothing is open.
    try await world.push([world.file: main.text], to: "feature")
    let run = try await world.merge("--request", "5")
    #expect(run.status == 0, "\(run.text)\(run.messages)")
    state = try await world.site.state()
    #expect(state.comments.count == 1)
    #expect(state.comments[0].contains("a merge by the site gives the right result"))
    #expect(state.status(of: try await world.tip("feature")) == "success")
  }

  @Test(arguments: kinds)
  func aDryRunWritesNothing(_ kind: SiteKind) async throws {
    let world = try await RequestWorld(kind)
    let before = try await world.tip("feature")
    let run = try await world.merge("--request", "5", "--dry-run", "--format", "json")
    #expect(run.status == 0, "\(run.messages)")
    #expect(run.text.contains(#""publication": "planned""#))
    try await expectSchema(of: run)
    #expect(try await world.site.state().writes == [])
    #expect(try await world.tip("feature") == before)
  }

  /// The branch of a fork is read and never written, and its owner gets the commands.
  @Test(arguments: kinds)
  func aForkGetsACommentOnly(_ kind: SiteKind) async throws {
    let world = try await RequestWorld(kind)
    let prefix = kind == .github ? "refs/pull" : "refs/merge-requests"
    let head = try await world.tip("feature")
    _ = try await world.inOrigin("update-ref", "\(prefix)/6/head", head)
    _ = try await world.inOrigin("update-ref", "-d", "refs/heads/feature")
    for fork in ["true", #""gone""#] {
      try await world.site.set(
        #"{"comments": [], "requests": [{"number": 6, "source": "its-main", "target": "main", "#
          + #""fork": \#(fork), "references": "\#(prefix)"}]}"#)
      let run = try await world.merge("--all-requests")
      #expect(run.status == 1, "\(run.text)\(run.messages)")
      let state = try await world.site.state()
      #expect(state.comments.count == 1)
      #expect(state.comments.first?.contains("git fetch REPOSITORY main") == true)
      #expect(state.status(of: head) == world.failedState)
      #expect(
        try await world.inOrigin("for-each-ref", "--format=%(refname)", "refs/heads")
          == "refs/heads/main")
    }
  }

  /// A mark does not make a stranger's comment one of the program.
  @Test(arguments: kinds)
  func aStrangersCommentStays(_ kind: SiteKind) async throws {
    let world = try await RequestWorld(kind)
    let words = "<!-- boxjoint:merge -->\\nmerge me"
    try await world.site.set(
      #"{"comments": [{"id": 1, "request": 5, "author": "stranger", "body": "\#(words)"}]}"#)
    #expect(try await world.merge("--request", "5").status == 0)
    let comments = try await world.site.state().comments
    #expect(comments.count == 2)
    #expect(comments.first?.hasSuffix("merge me") == true)
  }

  /// The token of a job of GitHub may not ask who it is.
  @Test func theTokenOfAJobFindsItsComments() async throws {
    let (main, feature) = RequestWorld.contradicting
    let world = try await RequestWorld(.github, main: main, feature: feature)
    try await world.site.set(#"{"user": null}"#)
    for _ in 0..<2 { #expect(try await world.merge("--request", "5").status == 1) }
    #expect(try await world.site.state().comments.count == 1)
  }

  /// Lists have pages.
  @Test func manyRequestsAndComments() async throws {
    let world = try await RequestWorld(.github)
    let requests = (1...101).map {
      #"{"number": \#($0), "source": "feature", "target": "\#($0 == 101 ? "main" : "other")"}"#
    }
    let comments = (1...101).map {
      #"{"id": \#($0), "request": 101, "author": "\#($0 == 101 ? "robot" : "stranger")", "#
        + #""body": "<!-- boxjoint:merge -->\nold"}"#
    }
    try await world.site.set(
      #"{"requests": [\#(requests.joined(separator: ","))], "#
        + #""comments": [\#(comments.joined(separator: ","))]}"#)
    // A site that ignores the filter: requests into other branches are left out all the same.
    let run = try await world.merge("--all-requests", "--into", "main")
    #expect(run.status == 0, "\(run.text)\(run.messages)")
    let state = try await world.site.state()
    #expect(state.comments.count == 101)
    #expect(state.comments.last?.contains("merged, as") == true)
  }

  /// An event says which requests.
  @Test func eventsOfSites() async throws {
    let world = try await RequestWorld(.github)
    let zeros = String(repeating: "0", count: 40)
    let events: [(String, Int32, String)] = [
      (#"{"number": 5, "pull_request": {"number": 5}}"#, 0, "request 5: "),
      (#"{"ref": "refs/heads/main", "after": "1"}"#, 0, "request 5: "),
      (#"{"ref": "refs/heads/feature", "after": "1"}"#, 0, "request 5: "),
      (#"{"ref": "refs/heads/feature", "after": "\#(zeros)"}"#, 0, "there is nothing to merge"),
      (#"{"ref": "refs/tags/v1", "after": "1"}"#, 0, "there is nothing to merge"),
      (#"{"object_kind": "merge_request", "object_attributes": {"iid": 5}}"#, 0, "request 5: "),
      (#"{"object_kind": "push", "ref": "refs/heads/main", "after": "1"}"#, 0, "request 5: "),
      (#"{"object_kind": "note"}"#, 65, ""), ("{", 65, ""),
      (#"{"merge_group": {"base_sha": "--output=x"}}"#, 65, ""),
    ]
    for (event, status, text) in events {
      try world.clone.surroundings.write(event, to: "event.json")
      let run = try await world.merge(
        "--event", world.clone.surroundings.path(of: "event.json"), "--dry-run")
      #expect(run.status == status, "\(event): \(run.text)\(run.messages)")
      #expect(run.text.hasPrefix(text), "\(event): \(run.text)")
    }
  }

  /// Git sends the token to a remote on the site, in place of the header of the job, and to no other.
  @Test func theTokenGoesToTheSiteAlone() async throws {
    let world = try await RequestWorld(.github)
    let site = "http://127.0.0.1:\(world.site.port)"
    try await world.clone.git("remote", "set-url", "origin", site + "/owner/app.git")
    try await world.clone.git("config", "http.\(site)/.extraheader", "AUTHORIZATION: basic job")
    let ours = "Basic eC1hY2Nlc3MtdG9rZW46c2VjcmV0"
    for (server, header) in [(site, ours), ("https://github.com", "basic job")] {
      try await world.site.set(#"{"log": []}"#)
      let run = try await world.merge(
        "--request", "5", environment: ["GITHUB_SERVER_URL": server, "no_proxy": "*"])
      #expect(run.status == 74, "\(run.text)\(run.messages)")
      #expect(!(run.text + run.messages).contains(ours))
      let asked = try await world.site.state().list("log")
        .first { $0["line"]?.contains("info/refs") ?? false }
      #expect(asked?["authorization"] == header)
    }
  }

  /// The token reaches curl by its standard input, and git by the environment.
  @Test func theTokenIsInNoArgumentAndNoOutput() async throws {
    let world = try await RequestWorld(.github)
    let directory = world.clone.surroundings.path(of: "bin")
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    for name in ["curl", "git"] {
      let real = try #require(RunningProgram.lookUp(name, in: path))
      try world.clone.surroundings.write(
        """
        #!/bin/sh
        echo "$@" >>'\(directory)/arguments'
        exec \(real) "$@"
        """, to: "bin/\(name)")
      chmod(directory + "/" + name, 0o755)
    }
    let run = try await world.merge(
      "--request", "5", environment: ["PATH": directory + ":" + path])
    #expect(run.status == 0, "\(run.messages)")
    let arguments = try world.clone.surroundings.text(of: "bin/arguments")
    #expect(arguments.contains("-q --config -\n"))
    for text in [arguments, run.text, run.messages] { #expect(!text.contains("secret")) }
    #expect(try await !world.site.state().comments.joined().contains("secret"))
  }
}
