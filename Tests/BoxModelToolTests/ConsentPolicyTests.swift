import BoxJSON
import TestSupport
import Testing

@testable import BoxModelTool

/// The setting `safety.confirm`: of the user, never of a repository.
struct ConsentPolicyTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func load(_ variable: String? = nil, file: String? = nil) throws -> ConsentPolicy? {
    if let file { try directory.write(file, to: "home/.config/boxjoint.yml") }
    let environment: [String: String?] = [
      "HOME": directory.path(of: "home"), "BOXJOINT_CONFIRM": variable,
    ]
    let place = Workspace(
      git: GitClient(in: directory.path, environment: environment), directory: directory.path)
    return try ConsentPolicy.load(in: place)
  }

  @Test func theStricterOneCounts() throws {
    #expect(try load() == nil)
    #expect(try load("code") == .code)
    #expect(try load(file: "") == nil)
    #expect(try load(file: "safety:\n") == nil)
    #expect(try load(file: "safety:\n  confirm: never\n") == .never)
    #expect(try load("terminal", file: "safety:\n  confirm: code\n") == .terminal)
    #expect(try load("never", file: "safety:\n  confirm: code\n") == .code)
  }

  @Test(arguments: [
    "safety:\n  confirm: sometimes\n", "safety:\n  confirm: [code]\n", "safety: code\n",
    "confirm: code\n", "safety:\n  ask: code\n", "safety: {", "- code\n",
  ])
  func aWrongFileIsRefused(text: String) {
    let failure = #expect(throws: CommandFailure.self) { try load(file: text) }
    #expect(failure?.kind == .badConfiguration)
    #expect(failure?.path == directory.path(of: "home/.config/boxjoint.yml"))
  }

  @Test func aWrongVariableIsRefused() {
    let failure = #expect(throws: CommandFailure.self) { try load("yes") }
    #expect(failure?.message.contains("'yes' is not one of 'never', 'code', 'terminal'") == true)
  }

  @Test func aRepositoryCannotSetIt() throws {
    let text = Array("safety:\n  confirm: never\n".utf8)
    let failure = #expect(throws: CommandFailure.self) {
      try ConfigurationFile.parse(text, path: ".boxjoint.yml")
    }
    #expect(failure?.kind == .badConfiguration)
    #expect(failure?.message == ConsentPolicy.refusal)
    #expect(failure?.position?.line == 1)
    try directory.write("safety:\n  confirm: never\n", to: "changed.yml")
    let changes = ChangedSetting.all(
      from: nil, in: "main", to: directory.path(of: "changed.yml"))
    #expect(changes.map(\.finding.rule.id) == ["BOX901"])
  }
}
