import BoxModel
import TestSupport
import Testing

@testable import BoxModelTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The snippets of `docs/ci.md` and the action, run as they stand there.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct DocumentedPlansTests {
  private static let package =
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  let sample: PlanSample
  /// A clone with a branch that has the change, whose base is only in `origin`.
  let clone: TemporaryRepository

  init() async throws {
    sample = try await PlanSample()
    let repository = sample.repository
    let model = "objectbox-model.json"
    try await repository.commit([model: PlanSample.released.text])
    try await repository.git("switch", "--quiet", "--create", "feature")
    try await repository.commit([model: PlanSample.changed.text])
    try await repository.git("switch", "--quiet", "--force", "main")
    clone = try await TemporaryRepository(cloning: repository)
    try await clone.git("switch", "--quiet", "feature")
    // As the checkouts of hosting sites: one branch, and no other.
    try await clone.git("update-ref", "-d", "refs/remotes/origin/main")
    _ = try await clone.tryGit(["update-ref", "-d", "refs/remotes/origin/HEAD"])
    _ = try await clone.tryGit(["branch", "--quiet", "-D", "main"])
  }

  private func text(of path: String) throws -> String {
    let source = try SourceFile.read("\(Self.package)/\(path)")
    return String(decoding: source.bytes, as: UTF8.self)
  }

  private func yaml(after heading: String) throws -> YAMLNode {
    let documentation = try text(of: "docs/ci.md")
    let place = try #require(documentation.firstRange(of: heading))
    let parts = documentation[place.upperBound...].split(
      separator: "```", maxSplits: 2, omittingEmptySubsequences: false)
    let body = try #require(parts.count == 3 ? parts[1] : nil)
    return try #require(try YAMLReader.read(Array(body.drop { $0 != "\n" }.utf8)))
  }

  private func shell(
    _ script: String, _ environment: [String: String?] = [:]
  ) async throws -> ProcessRun {
    let bin = clone.surroundings.path(of: "bin")
    mkdir(bin, 0o755)
    _ = symlink(Tool.path ?? "", bin + "/boxjoint")
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return try await ProcessRun.of(
      "bash", ["-eo", "pipefail", "-c", script], in: clone.path,
      environment: clone.environment.merging(environment) { $1 }
        .merging(["PATH": bin + ":" + path]) { $1 })
  }

  /// GitHub's use of the action: expressions are replaced, and the script runs in bash.
  @Test(arguments: ["", "none"])
  func theActionOfGitHub(_ failOn: String) async throws {
    let action = try #require(
      try YAMLReader.read(Array(text(of: ".github/actions/plan/action.yml").utf8)))
    let step = try #require(action["runs"]?["steps"]?.elements.first)
    let script = try #require(step["run"]?.text)
    let workflow = try yaml(after: "## Plans on GitHub")
    let used = try #require(
      workflow["jobs"]?["plan"]?["steps"]?.elements.first {
        $0["uses"]?.text == "./.github/actions/plan"
      })
    let release = try await LocalRelease(in: clone.surroundings)
    mkdir(clone.surroundings.path(of: "runner"), 0o755)
    var environment: [String: String?] = [
      "RUNNER_TEMP": clone.surroundings.path(of: "runner"),
      "GITHUB_OUTPUT": clone.surroundings.path(of: "output"),
      "GITHUB_STEP_SUMMARY": clone.surroundings.path(of: "summary"),
    ]
    for member in step["env"]?.members ?? [] {
      let expression = member.value.text ?? ""
      // The event is one of a pull request.
      var value = expression.contains("merge_group") ? "" : "main"
      if let name = expression.split(separator: "inputs.").last?.split(separator: " ").first,
        expression.contains("inputs.")
      {
        let given = used["with"]?[String(name)]?.text
        let standard = action["inputs"]?[String(name)]?["default"]?.text
        value = given ?? standard ?? ""
        if name == "fail-on", !failOn.isEmpty { value = failOn }
        // The address of the example does not exist.
        if name == "archive" { value = release.address }
        if name == "sha256" { value = release.sum }
      }
      if expression.contains("action_path") { value = Self.package + "/.github/actions/plan" }
      environment.updateValue(value, forKey: member.key)
    }
    let run = try await shell(script, environment)
    #expect(run.status == (failOn == "none" ? 0 : 1), "\(run.text)\(run.messages)")
    #expect(
      run.text.contains(failOn == "none" ? "::warning file=" : "::error file=objectbox-model.json"))
    let output = try clone.surroundings.text(of: "output")
    #expect(output.contains("result=" + (failOn == "none" ? "passed" : "stopped")))
    #expect(try clone.surroundings.text(of: "summary").hasPrefix("**Model change:"))
    for name in ["json", "sarif", "md", "html"] {
      #expect(try !clone.surroundings.text(of: "runner/boxjoint-plan/plan.\(name)").isEmpty)
    }
  }

  /// The template of the job installs the program of an archive, and refuses one with another sum.
  @Test func theInstallationOfGitLab() async throws {
    let template = try #require(try yaml(after: "## Plans on GitLab")[".boxjoint"])
    let lines = template["before_script"]?.elements.compactMap(\.text) ?? []
    let release = try await LocalRelease(in: clone.surroundings)
    let script = (lines + ["command -v boxjoint"]).joined(separator: "\n")
    var environment: [String: String?] = [
      "BOXJOINT_VERSION": template["variables"]?["BOXJOINT_VERSION"]?.text,
      "BOXJOINT_ARCHIVE": release.address.replacing("{version}", with: release.version),
      "BOXJOINT_SHA256": release.sum, "TMPDIR": clone.surroundings.path,
    ]
    let run = try await shell(script, environment)
    #expect(run.status == 0, "\(run.messages)")
    #expect(run.text.contains("/tmp."), "\(run.text)")
    environment["BOXJOINT_SHA256"] = String(release.sum.reversed())
    #expect(try await shell(script, environment).status != 0)
  }

  @Test func theJobOfGitLab() async throws {
    let job = try #require(try yaml(after: "## Plans on GitLab")["model plan"])
    #expect(job["extends"]?.text == ".boxjoint")
    let lines = job["script"]?.elements.compactMap(\.text) ?? []
    #expect(lines.count == 2)
    let run = try await shell(
      lines.joined(separator: "\n"), ["CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main"])
    #expect(run.status == 1, "\(run.messages)")
    #expect(try clone.text(of: "plan.xml").contains("<testsuites"))
    #expect(try clone.text(of: "plan.html").contains("</html>"))
    let artifacts = try #require(job["artifacts"])
    #expect(artifacts["paths"]?.elements.compactMap(\.text) == ["plan.html"])
    #expect(artifacts["reports"]?["junit"]?.text == "plan.xml")
    // What came to the target branch since is not part of the merge request.
    #expect(job["variables"]?["GIT_DEPTH"]?.text == "0")
    var later = PlanSample.released
    later.entities.append(SmallModel.Entity(id: 3, uid: 3000, name: "Later"))
    later.lastEntity = (3, 3000)
    try await sample.repository.commit(["objectbox-model.json": later.text])
    let behind = try await shell(
      lines.joined(separator: "\n"), ["CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main"])
    #expect(behind.status == 1, "\(behind.messages)")
    #expect(try !clone.text(of: "plan.xml").contains("Later"))
    #expect(try clone.text(of: "plan.xml").contains("entity-removed"))
  }

  @Test func theHookOfPreCommit() async throws {
    let hooks = [
      try yaml(after: "## Before a commit")["repos"]?.elements.first?["hooks"]?.elements.first,
      try YAMLReader.read(Array(text(of: ".pre-commit-hooks.yaml").utf8))?.elements.first {
        $0["id"]?.text == "boxjoint-plan"
      },
    ]
    // The sample's own file is not the one that is meant.
    try await clone.git("rm", "--quiet", PlanSample.file)
    try await clone.git("commit", "--quiet", "-m", "One model")
    for hook in hooks {
      let entry = try #require(hook?["entry"]?.text)
      #expect(hook?["pass_filenames"]?.text == "false")
      #expect(try await shell(entry).status == 0)
      try clone.write(PlanSample.released.text, to: "objectbox-model.json")
      let run = try await shell(entry)
      #expect(run.status == 1, "\(run.text)\(run.messages)")
      try await clone.git("checkout", "--quiet", "objectbox-model.json")
    }
  }
}
