import TestSupport
import Testing

@testable import BoxModelTool

/// The actions and the job that `docs/ci.md` shows, run as their sites run them.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct MergeActionTests {
  private static let package =
    "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

  private static func text(of path: String) throws -> String {
    String(decoding: try SourceFile.read("\(package)/\(path)").bytes, as: UTF8.self)
  }

  private static func steps(of action: String) throws -> [YAMLNode] {
    let root = try YAMLReader.read(
      Array(try text(of: ".github/actions/\(action)/action.yml").utf8))
    return try #require(root?["runs"]?["steps"]).elements
  }

  /// An expression in a script is text that a stranger writes into it.
  @Test(arguments: ["plan", "merge"])
  func scriptsHaveNoExpressions(_ action: String) throws {
    let scripts = try Self.steps(of: action).compactMap { $0["run"]?.text }
    #expect(!scripts.isEmpty)
    for script in scripts { #expect(!script.contains("${{")) }
  }

  @Test(arguments: ["docs/ci.md", "docs/git.md"])
  func documentedScriptsHaveNoExpressions(_ page: String) throws {
    for block in try Self.text(of: page).components(between: "```yaml\n", and: "```") {
      let root = try YAMLReader.read(Array(block.utf8))
      for job in root?["jobs"]?.members ?? [] {
        for step in job.value["steps"]?.elements ?? [] {
          #expect(step["run"]?.text?.contains("${{") != true)
        }
      }
    }
  }

  private func run(
    _ step: YAMLNode, _ world: RequestWorld, _ values: [String: String]
  ) async throws -> ProcessRun {
    var environment = world.clone.environment.merging(world.environment) { $1 }
    for member in step["env"]?.members ?? [] {
      environment.updateValue(values[member.key] ?? "", forKey: member.key)
    }
    environment.merge(
      [
        "PATH": world.pathWithProgram, "RUNNER_TEMP": world.clone.surroundings.path,
        "GITHUB_OUTPUT": world.clone.surroundings.path(of: "output"),
        "GITHUB_STEP_SUMMARY": world.clone.surroundings.path(of: "summary"),
        "GITHUB_EVENT_PATH": world.clone.surroundings.path(of: "event.json"),
        "GITHUB_EVENT_NAME": values["event"] ?? "pull_request_target",
      ]) { $1 }
    return try await ProcessRun.of(
      "bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", try #require(step["run"]?.text)],
      in: world.clone.path, environment: environment)
  }

  @Test(arguments: ["pull_request_target", "push"])
  func theActionMerges(_ event: String) async throws {
    for isOpen in [false, true] {
      let models = isOpen ? RequestWorld.contradicting : RequestWorld.resolvable
      let world = try await RequestWorld(.github, main: models.0, feature: models.1)
      try world.clone.surroundings.write(
        event == "push"
          ? #"{"ref": "refs/heads/main", "after": "1"}"# : #"{"pull_request": {"number": 5}}"#,
        to: "event.json")
      let step = try #require(try Self.steps(of: "merge").first)
      let run = try await run(
        step, world,
        [
          "GITHUB_TOKEN": "secret", "INPUT_PROGRAM": "boxjoint", "INPUT_DRY_RUN": "false",
          "ACTION_PATH": "\(Self.package)/.github/actions/merge", "event": event,
        ])
      #expect(run.status == (isOpen && event != "push" ? 1 : 0), "\(run.text)\(run.messages)")
      let output = try world.clone.surroundings.text(of: "output")
      #expect(output.contains("result=\(isOpen ? "open" : "merged")\n"))
      #expect(try world.clone.surroundings.text(of: "summary").hasPrefix("**request 5: "))
      #expect(try await world.site.state().comments.count == 1)
    }
  }

  /// The plan becomes a comment, and a job that may not comment is not failed by it.
  @Test func theActionComments() async throws {
    let world = try await RequestWorld(.github)
    try world.clone.surroundings.write(#"{"pull_request": {"number": 5}}"#, to: "event.json")
    try world.clone.surroundings.write("**Model change**\n", to: "plan/plan.md")
    let step = try #require(try Self.steps(of: "plan").last)
    var values = [
      "GITHUB_TOKEN": "secret", "PROGRAM": "boxjoint",
      "PLAN_FOLDER": world.clone.surroundings.path(of: "plan"), "event": "pull_request",
    ]
    for text in ["**Model change**\n", "**Model change: none**\n"] {
      try world.clone.surroundings.write(text, to: "plan/plan.md")
      #expect(try await run(step, world, values).status == 0)
      #expect(try await world.site.state().comments == ["<!-- boxjoint:plan -->\n" + text])
    }
    values["GITHUB_TOKEN"] = "wrong"
    let refused = try await run(step, world, values)
    #expect(refused.status == 0)
    #expect(refused.text.contains("::notice::The plan is not a comment"))
    values["event"] = "push"
    #expect(try await run(step, world, values).text.isEmpty)
  }

  /// The job of GitLab, by its variables.
  @Test func theJobOfGitLab() async throws {
    let page = try Self.text(of: "docs/ci.md")
    let block = try #require(
      page.components(between: "```yaml\n", and: "```").first { $0.contains("model merge:") })
    let job = try #require(try YAMLReader.read(Array(block.utf8))?["model merge"])
    let script = try #require(job["script"]).elements.compactMap(\.text).joined(separator: "\n")
    let world = try await RequestWorld(.gitlab)
    let run = try await ProcessRun.of(
      "bash", ["-ec", script], in: world.clone.path,
      environment: world.clone.environment.merging(world.environment) { $1 }.merging([
        "PATH": world.pathWithProgram, "CI_MERGE_REQUEST_IID": "5",
      ]) { $1 })
    #expect(run.status == 0, "\(run.text)\(run.messages)")
    #expect(try await world.inOrigin("rev-list", "--merges", "--count", "feature") == "1")
  }
}

extension String {
  /// The texts between two marks, in order.
  func components(between start: String, and end: String) -> [String] {
    var result: [String] = []
    var rest = self[...]
    while let begin = rest.firstRange(of: start) {
      rest = rest[begin.upperBound...]
      guard let stop = rest.firstRange(of: end) else { break }
      result.append(String(rest[..<stop.lowerBound]))
      rest = rest[stop.upperBound...]
    }
    return result
  }
}
