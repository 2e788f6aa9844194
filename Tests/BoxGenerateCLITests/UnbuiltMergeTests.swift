import BoxModel
import TestSupport
import Testing

/// Builds that come after a merge, and commits later, with the sources in git.
struct UnbuiltMergeTests {
  private let package: GeneratedPackage

  init() throws { package = try GeneratedPackage() }

  private func git(_ arguments: String) async throws {
    let run = try await ProcessRun.of(
      "sh", ["-e", "-c", "git -c user.name=n -c user.email=n@example.com \(arguments)"],
      in: package.directory.path)
    try #require(run.status == 0, "git \(arguments): \(run.messages)\(run.text)")
  }

  private func write(_ members: String...) throws {
    let text = members.map { "  var \($0): Int = 0\n\n  func \($0)More() {}\n\n" }.joined()
    try package.directory.write(
      "// objectbox: entity\nfinal class Note {\n  var id: Id = 0\n\n" + text + "  init() {}\n}\n",
      to: "Sources/App/Note.swift")
  }

  private func commit(_ message: String) async throws {
    try await git("add --all")
    try await git("commit --quiet --allow-empty -m '\(message)'")
  }

  private func uid(_ name: String) throws -> UID? {
    try ModelDocument(parsing: package.directory.bytes(of: GeneratedPackage.model)).model
      .entities.first { $0.name == "Note" }?.properties.first { $0.name == name }?.pair.uid
  }

  /// The ways in which a model without the element comes to stand in front of a build.
  enum Way: CaseIterable {
    case merge, squash, pick, rebase
  }

  /// Two branches: main moves the line of p, and f removes p, and goes on.
  ///
  /// - Returns: The UID of p.
  private func divide() async throws -> UID {
    try write("p", "a", "b", "c", "d")
    try package.directory.write("generated/\n*.bak\n", to: ".gitignore")
    #expect(try await package.generate().status == 0)
    let p = try #require(try uid("p"))
    try await git("init --quiet -b main")
    try await commit("base")
    try await git("switch --quiet -c f")
    try write("a", "b", "c", "d")
    #expect(try await package.generate().status == 0)
    try await commit("f removes p")
    try package.directory.write("f", to: "f.txt")
    try await commit("f goes on")
    try await git("switch --quiet main")
    try write("a", "b", "c", "d", "p")
    try await commit("main moves p")
    return p
  }

  @Test(arguments: Way.allCases, [0, 1, 3]) func theElementIsMissed(_ way: Way, later: Int)
    async throws
  {
    let p = try await divide()
    switch way {
    case .merge: try await git("merge --quiet --no-edit f")
    case .squash:
      try await git("merge --quiet --squash f")
      try await commit("squashed")
    case .pick: try await git("cherry-pick main..f")
    case .rebase: try await git("rebase --quiet main f")
    }
    for number in 0..<later {
      try package.directory.write("\(number)", to: "other.txt")
      try await commit("commit \(number)")
    }
    try #require(try uid("p") == nil)
    let source = try package.text("Sources/App/Note.swift")
    try #require(source.contains("var p: Int"))
    // A clone has no generated code.
    _ = try await ProcessRun.of(
      "rm", ["-rf", "Sources/App/generated"], in: package.directory.path)
    let stopped = try await package.generate()
    #expect(stopped.status == 1 && stopped.text.contains("BOX974"), "\(stopped.text)")
    #expect(stopped.text.contains("has the UID \(p) in "), "\(stopped.text)")
    try package.directory.write(
      source.replacing("  var p: Int", with: "  // objectbox: uid = \(p)\n  var p: Int"),
      to: "Sources/App/Note.swift")
    #expect(try await package.generate().status == 0)
    #expect(try uid("p") == p)
  }

  /// An element that somebody removed, built, and adds later is new.
  @Test(arguments: [2, 4]) func whatIsAddedLaterIsNew(_ later: Int) async throws {
    try write("p", "a")
    try package.directory.write("generated/\n*.bak\n", to: ".gitignore")
    #expect(try await package.generate().status == 0)
    let p = try #require(try uid("p"))
    try await git("init --quiet -b main")
    try await commit("base")
    try write("a")
    #expect(try await package.generate().status == 0)
    for number in 0..<later { try await commit("commit \(number)") }
    try write("a", "p")
    let run = try await package.generate()
    #expect(run.status == 0, "\(run.text)")
    #expect(try uid("p") != p)
  }

  /// A merge that keeps the line of p in the sources, and removes it from the model.
  ///
  /// - Returns: The UID that p had.
  private func mergeUnbuilt() async throws -> UID {
    let p = try await divide()
    try await git("merge --quiet --no-edit f")
    _ = try await ProcessRun.of(
      "rm", ["-rf", "Sources/App/generated"], in: package.directory.path)
    return p
  }

  /// A step between a merge and the next build.
  enum Change: CaseIterable {
    case modelIsMoved, modelIsMovedAndCommitted, entityIsRenamed, entityIsRenamedAndCommitted
  }

  @Test(arguments: Change.allCases) func aChangeInBetweenHidesNothing(_ change: Change) async throws
  {
    let p = try await mergeUnbuilt()
    var options: [String] = []
    switch change {
    case .modelIsMoved, .modelIsMovedAndCommitted:
      try await git("mv model-App.json model-Other.json")
      options = ["--model-json", "model-Other.json"]
    case .entityIsRenamed, .entityIsRenamedAndCommitted:
      let note =
        try ModelDocument(parsing: package.directory.bytes(of: GeneratedPackage.model))
        .model.entities.first { $0.name == "Note" }?.pair.uid ?? 0
      try package.directory.write(
        try package.text("Sources/App/Note.swift").replacing(
          "final class Note {", with: "// objectbox: uid = \(note)\nfinal class Memo {"),
        to: "Sources/App/Note.swift")
    }
    if [.modelIsMovedAndCommitted, .entityIsRenamedAndCommitted].contains(change) {
      try await commit("changed")
    }
    let stopped = try await ProcessRun.of(
      GeneratedPackage.program(), options + ["--allow-renumbering"], in: package.directory.path)
    #expect(
      stopped.status == 1 && stopped.text.contains("has the UID \(p) in "),
      "\(stopped.text)\(stopped.messages)")
  }

  @Test func missingHistoryOfAShallowCloneIsReported() async throws {
    _ = try await mergeUnbuilt()
    for number in 1...3 { try await commit("commit \(number)") }
    let clone = try TemporaryDirectory()
    let made = try await ProcessRun.of(
      "git", ["clone", "--quiet", "--depth=1", "file://\(package.directory.path)", "clone"],
      in: clone.path)
    try #require(made.status == 0, "\(made.messages)")
    let run = try await ProcessRun.of(
      GeneratedPackage.program(), [], in: clone.path(of: "clone"))
    #expect(run.status == 0, "\(run.text)")
    #expect(run.text.contains("warning: The property p of entity Note is new"), "\(run.text)")
    #expect(run.text.contains("git fetch --unshallow"))
  }

  @Test func whatGitCannotTellIsReported() async throws {
    _ = try await mergeUnbuilt()
    // A search path with a shell and without git.
    let tools = try TemporaryDirectory()
    _ = try await ProcessRun.of("sh", ["-c", "ln -s $(command -v sh) sh"], in: tools.path)
    let run = try await ProcessRun.of(
      GeneratedPackage.program(), [], in: package.directory.path,
      environment: ["PATH": tools.path])
    #expect(run.status == 0, "\(run.text)\(run.messages)")
    #expect(run.text.contains("git is not installed"), "\(run.text)")
  }
}
