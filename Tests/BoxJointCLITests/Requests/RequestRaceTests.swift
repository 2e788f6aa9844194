import TestSupport
import Testing

@testable import BoxModelTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Changes while `boxjoint ci merge` works, and requests that want to be merged by rules of their own.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct RequestRaceTests {
  @Test func twoRunsAtOnce() async throws {
    let world = try await RequestWorld(.github)
    let other = try await TemporaryRepository(cloning: world.clone)
    try await other.git("remote", "set-url", "origin", world.origin)
    async let first = world.merge("--request", "5")
    async let second = runTool(
      ["ci", "merge", "--request", "5"], in: other.path,
      environment: other.environment.merging(world.environment) { $1 })
    for run in try await [first, second] {
      #expect(run.status == 0, "\(run.text)\(run.messages)")
    }
    #expect(try await world.inOrigin("rev-list", "--merges", "--count", "feature") == "1")
    #expect(try await world.site.state().comments.count == 1)
  }

  /// Somebody takes a commit away between reading and writing.
  @Test(arguments: ["commit-tree", "push"])
  func aBranchThatIsSetBack(before command: String) async throws {
    let world = try await RequestWorld(.github)
    let kept = try await world.tip("feature")
    try await world.push(["secret.txt": "a password\n"], to: "feature")
    let dropped = try await world.tip("feature")
    let path = try world.git(
      before: command,
      run: "git --git-dir '\(world.origin)' update-ref refs/heads/feature \(kept)")
    let run = try await world.merge("--request", "5", environment: path)
    #expect(run.status == 0, "\(run.text)\(run.messages)")
    #expect(world.clone.surroundings.exists("bin/hook.run"))
    let commits = try await world.inOrigin("rev-list", "feature").split(separator: "\n")
    // A plain push would bring the commit back that somebody took away.
    #expect(!commits.contains(dropped[...]))
    #expect(commits.contains(kept[...]))
    let main = try await world.tip("main")
    #expect(try await world.inOrigin("log", "-1", "--format=%P", "feature") == "\(kept) \(main)")
  }

  @Test(arguments: ["commit-tree", "push"])
  func aBranchThatIsReplaced(before command: String) async throws {
    let world = try await RequestWorld(.github)
    // Somebody rewrote the branch, with another entity.
    try await world.clone.git("switch", "--quiet", "--detach", "main~1")
    let rewritten = try await world.clone.commit([
      world.file: SmallModel.grown("Cat", uid: 4000).text
    ])
    try await world.clone.git("switch", "--quiet", "main")
    let path = try world.git(
      before: command,
      run: "cd '\(world.clone.path)'; git push --quiet --force origin \(rewritten):feature")
    let run = try await world.merge("--request", "5", environment: path)
    #expect(run.status == 0, "\(run.text)\(run.messages)")
    let main = try await world.tip("main")
    #expect(
      try await world.inOrigin("log", "-1", "--format=%P", "feature") == "\(rewritten) \(main)")
    let text = try await world.inOrigin("show", "feature:\(world.file)")
    #expect(text.contains("Cat") && !text.contains("Bear"))
  }

  @Test func aBaseThatMoves() async throws {
    let world = try await RequestWorld(.github)
    try await world.clone.git("switch", "--quiet", "--detach", "main")
    let later = try await world.clone.commit(["later.txt": "1\n"])
    try await world.clone.git("switch", "--quiet", "main")
    let path = try world.git(
      before: "commit-tree", run: "cd '\(world.clone.path)'; git push --quiet origin \(later):main")
    let run = try await world.merge("--request", "5", environment: path)
    #expect(run.status == 0, "\(run.text)\(run.messages)")
    let parents = try await world.inOrigin("log", "-1", "--format=%P", "feature")
    #expect(parents.hasSuffix(later), "\(parents)")
  }

  @Test func aProtectedBranch() async throws {
    let world = try await RequestWorld(.github)
    let before = try await world.tip("feature")
    let hook = world.origin + "/hooks/pre-receive"
    try world.site.directory.write("#!/bin/sh\necho 'protected: no pushes'\nexit 1\n", to: hook)
    chmod(hook, 0o755)
    let run = try await world.merge("--request", "5")
    #expect(run.status == 2, "\(run.text)\(run.messages)")
    #expect(run.text.contains("was not written: pre-receive hook declined; protected: no pushes"))
    #expect(try await world.tip("feature") == before)
    let state = try await world.site.state()
    #expect(state.comments.first?.contains("was not written") == true)
    #expect(state.status(of: before) == "failure")
  }

  /// The words of a remote are shown without the token and without control characters.
  @Test func aRemoteThatRepeatsTheToken() async throws {
    let world = try await RequestWorld(.github)
    let hook = world.origin + "/hooks/pre-receive"
    try world.site.directory.write(
      "#!/bin/sh\nprintf 'no \\033[31m: %s\\n' \"$GITHUB_TOKEN\" eC1hY2Nlc3MtdG9rZW46c2VjcmV0\nexit 1\n",
      to: hook)
    chmod(hook, 0o755)
    let run = try await world.merge("--request", "5")
    #expect(run.status == 2, "\(run.text)\(run.messages)")
    let state = try await world.site.state()
    let descriptions = state.list("statuses").compactMap { $0["description"] }
    #expect(!descriptions.isEmpty)
    for text in [run.text, run.messages] + state.comments + descriptions {
      #expect(!text.contains("secret"), "\(text)")
      #expect(!text.contains("eC1hY2Nlc3MtdG9rZW46c2VjcmV0"), "\(text)")
      #expect(!text.unicodeScalars.contains("\u{1B}"), "\(text)")
    }
    #expect(run.text.contains("***"))
  }

  /// A request cannot choose how it is merged: its attributes, settings, hooks and drivers do not count.
  @Test func theRulesComeFromTheBase() async throws {
    let world = try await RequestWorld(.github)
    // In the base, the model has a name that is not one by default.
    try await world.push(
      [".boxjoint.yml": "files: [schema.txt]\n", "schema.txt": SmallModel.base.text], to: "main")
    try await world.clone.git("fetch", "--quiet", "origin")
    try await world.clone.git("push", "--quiet", "--force", "origin", "origin/main:feature")
    try await world.push(["schema.txt": RequestWorld.resolvable.0.text], to: "main")
    let marker = world.clone.surroundings.path(of: "ran")
    try await world.clone.git(
      "config", "--global", "merge.evil.driver", "touch '\(marker)'; exit 0")
    try await world.push(
      [
        "schema.txt": RequestWorld.resolvable.1.text, ".boxjoint.yml": "files: [model.json]\n",
        ".gitattributes": "schema.txt merge=evil\n", ".boxjoint-approvals.json": "{}\n",
        ".github/workflows/model.yml": "on: push\n",
      ], to: "feature")
    let run = try await world.merge("--request", "5")
    #expect(run.status == 0, "\(run.text)\(run.messages)")
    #expect(run.text.contains("merged, as"))
    #expect(run.text.contains("feature changes .gitattributes; the version of main is in force"))
    #expect(run.text.contains("feature changes .boxjoint.yml; the version of main is in force"))
    #expect(!world.clone.surroundings.exists("ran"))
    let facts = try ModelFacts(try await world.inOrigin("show", "feature:schema.txt"))
    #expect(facts.errors == [])
    #expect(facts.pairs["Ant"] != nil && facts.pairs["Bear"] != nil)
  }
}
