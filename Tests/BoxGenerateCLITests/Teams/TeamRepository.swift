import BoxSystem
import TestSupport

/// A repository with the driver, in which people build with the generator, and answer git's questions about sources at
/// random.
final class TeamRepository {
  /// The way in which a team builds.
  enum Generator: CaseIterable {
    /// The generator for Swift, which knows the repository.
    case asks
    /// One that knows the model file only, as those for other languages; `check --fix` runs before each commit.
    case takesWhatIsThere
  }

  let directory: TemporaryDirectory
  private let generator: Generator
  private let tool: String
  private let environment: [String: String?]
  private var random: SplitMix64
  private(set) var stops = 0
  private(set) var fixes = 0
  /// The elements that somebody began without data on purpose.
  private(set) var resets: Set<String> = []
  /// The commands so far.
  private(set) var log: [String] = []

  init(_ generator: Generator, tool: String, _ random: SplitMix64) async throws {
    self.generator = generator
    self.tool = tool
    self.random = random
    directory = try TemporaryDirectory()
    let home = directory.path
    environment = [
      "HOME": home, "GIT_CONFIG_NOSYSTEM": "1", "GIT_EDITOR": "true", "GIT_MERGE_AUTOEDIT": "no",
      "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_COMMITTER_NAME": "a",
      "GIT_COMMITTER_EMAIL": "a@example.com",
    ]
    try await git("init", "-q", "-b", "main", ".")
    try directory.write("Sources/App/generated\n*.bak\n", to: ".gitignore")
    _ = try await run(tool, ["git", "install", "--no-hooks"])
  }

  // MARK: - Commands

  @discardableResult
  private func run(_ program: String, _ arguments: [String]) async throws -> ProcessRun {
    let result = try await ProcessRun.of(
      program, arguments, in: directory.path, environment: environment)
    let name = program.split(separator: "/").last.map(String.init) ?? program
    let reason = result.status == 0 ? "" : "\n" + result.text + result.messages
    log.append("\(name) \(arguments.joined(separator: " ")): \(result.status)\(reason)")
    return result
  }

  @discardableResult
  func git(_ arguments: String...) async throws -> String {
    let result = try await run("git", arguments)
    guard result.status == 0 else {
      throw TestFailure("git \(arguments): \(result.text)\(result.messages)")
    }
    return result.text
  }

  // MARK: - Sources

  var sources: TeamSources {
    get throws {
      var texts: [String: String] = [:]
      let folder = directory.path(of: "Sources/App")
      for name in (try? entryNames(in: folder)) ?? [] where name.hasSuffix(".swift") {
        texts[name] = String(
          decoding: try directory.bytes(of: "Sources/App/\(name)"), as: UTF8.self)
      }
      return TeamSources(texts.reduce(into: [:]) { $0[String($1.key.dropLast(6))] = $1.value })
    }
  }

  private func write(_ sources: TeamSources) async throws {
    let texts = sources.texts
    for name in (try? entryNames(in: directory.path(of: "Sources/App"))) ?? []
    where name.hasSuffix(".swift") && texts[String(name.dropLast(6))] == nil {
      _ = try await run("rm", ["Sources/App/\(name)"])
    }
    for (name, text) in texts { try directory.write(text, to: "Sources/App/\(name).swift") }
  }

  func edit(_ number: Int) async throws {
    var sources = try sources
    sources.edit(number, &random)
    try await write(sources)
  }

  // MARK: - Steps

  /// Builds, and commits; what stops the build is answered by its first advice, or by a reset.
  func build(_ message: String) async throws {
    for _ in 0..<6 {
      let result = try await generate()
      if result.status == 0 { return try await commit(message) }
      let text = result.text + result.messages
      guard text.contains("BOX974") else {
        throw TestFailure("the generator ended with \(result.status): \(text)")
      }
      stops += 1
      try await answer(text)
    }
    throw TestFailure("the generator stops again and again")
  }

  private func generate() async throws -> ProcessRun {
    guard let program = builtProgram("boxjoint-generate") else {
      throw TestFailure("boxjoint-generate is not built: swift build")
    }
    let options = ["-q", "--allow-removals"]
    if generator == .asks { return try await run(program, options) }
    let copy = try TemporaryDirectory()
    let model = directory.path(of: "model-App.json")
    _ = try await run("cp", ["-R", directory.path(of: "Sources"), copy.path])
    _ = try await run("cp", [model, copy.path])
    _ = try await run("rm", ["-rf", "\(copy.path)/Sources/App/generated"])
    let result = try await ProcessRun.of(program, options, in: copy.path)
    if result.status == 0 { _ = try await run("cp", ["\(copy.path)/model-App.json", model]) }
    return result
  }

  /// Writes what the generator offers: mostly the UID that keeps the data.
  private func answer(_ text: String) async throws {
    var sources = try sources
    for part in text.split(separator: "BOX974").dropFirst().map(String.init) + [text] {
      guard let start = part.firstRange(of: "The "), let end = part.firstRange(of: " has the UID ")
      else { continue }
      let words = part[start.upperBound..<end.lowerBound].split(separator: " ").map(String.init)
      let numbers = part.split(separator: "uid = ").dropFirst().map {
        $0.prefix { $0.isNumber }
      }
      guard numbers.count >= 2 else { continue }
      let isReset = random.oneIn(5)
      let line = "// objectbox: uid = \(numbers[isReset ? 1 : 0])"
      if words.first == "property", words.count == 5 {
        sources.annotate(words[4], words[1], line)
        if isReset { resets.insert("\(words[4]).\(words[1])") }
      } else if words.first == "entity", words.count == 2 {
        sources.annotate(words[1], nil, line)
        if isReset { resets.insert(words[1]) }
      }
    }
    try await write(sources)
  }

  private func commit(_ message: String) async throws {
    try await git("add", "-A")
    if generator == .takesWhatIsThere {
      let staged = try await run(tool, ["check", "--staged"])
      if staged.status != 0 {
        fixes += 1
        let fixed = try await run(tool, ["check", "--fix"])
        guard fixed.status == 0 else {
          throw TestFailure(
            "check --fix ended with \(fixed.status): \(fixed.text)\(fixed.messages)")
        }
        try await git("add", "-A")
      }
    }
    try await git("commit", "-q", "--allow-empty", "-m", message)
    let check = try await run(tool, ["check"])
    if check.status != 0 {
      throw TestFailure("check ended with \(check.status): \(check.text)\(check.messages)")
    }
  }

  /// Merges a branch into the current one, and builds, unless that is left to whoever comes later.
  func merge(_ branch: String, builds: Bool = true) async throws {
    // The first parents of main are its releases, so that it is never moved onto a branch that has merged it.
    let result = try await run("git", ["merge", "--no-edit", "--no-ff", branch])
    if result.status != 0 {
      try await settleAll()
      let left = try await run("git", ["commit", "-q", "--no-edit"])
      guard left.status == 0 else {
        throw TestFailure("the merge is not over: \(result.text)\(left.text)\(left.messages)")
      }
    }
    try await correct(builds, "the merge of \(branch)")
  }

  /// Moves the commits of the current branch onto another one, and builds.
  func rebase(_ branch: String, builds: Bool) async throws {
    var result = try await run("git", ["rebase", branch])
    for _ in 0..<40 where result.status != 0 {
      try await settleAll()
      result = try await run("git", ["rebase", "--continue"])
      // A commit of which nothing is left is skipped.
      if result.status != 0, try await git("status", "--porcelain").isEmpty {
        result = try await run("git", ["rebase", "--skip"])
      }
    }
    guard result.status == 0 else {
      throw TestFailure("the rebase is not over: \(result.text)\(result.messages)")
    }
    try await correct(builds, "the rebase onto \(branch)")
  }

  /// Commits something that is no source.
  func note(_ number: Int) async throws {
    try directory.write("\(number)\n", to: "NOTES")
    try await git("add", "NOTES")
    try await git("commit", "-q", "-m", "note \(number)")
  }

  private func settleAll() async throws {
    for line in try await git("status", "--porcelain").split(separator: "\n") {
      try await settle(String(line.prefix(2)), String(line.dropFirst(3)))
    }
  }

  /// Corrects what does not compile.
  private func correct(_ builds: Bool, _ step: String) async throws {
    try await write(try sources)
    if builds { return try await build("build after \(step)") }
    try await git("add", "-A")
    try await git("commit", "-q", "--allow-empty", "-m", "after \(step)")
  }

  private func settle(_ state: String, _ path: String) async throws {
    let path = path.trimmingQuotes
    switch state {
    case "UU", "AA":
      if path.hasSuffix(".json") {
        _ = try await run(tool, ["resolve", "--take", random.oneIn(2) ? "ours" : "theirs", path])
      } else {
        let text = String(decoding: try directory.bytes(of: path), as: UTF8.self)
        try directory.write(resolved(text), to: path)
      }
      try await git("add", path)
    case "DU", "UD", "DD", "AU", "UA":
      let isThere = (try? directory.bytes(of: path)) != nil
      if isThere, random.oneIn(2) {
        try await git("add", path)
      } else {
        _ = try await run("git", ["rm", "-q", "-f", path])
      }
    default: break
    }
  }

  /// A text in which each conflict is answered by a side, or by both.
  private func resolved(_ text: String) -> String {
    var lines: [Substring] = []
    var keeps = true
    var (ours, theirs) = (true, true)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("<<<<<<<") {
        let choice = random.below(3)
        (ours, theirs) = (choice != 1, choice != 0)
        keeps = ours
      } else if line.hasPrefix("=======") {
        keeps = theirs
      } else if line.hasPrefix(">>>>>>>") {
        keeps = true
      } else if keeps {
        lines.append(line)
      }
    }
    return lines.joined(separator: "\n")
  }

  // MARK: - Published versions

  /// Pushes the current commit.
  func publish() async throws {
    try await git("update-ref", "refs/remotes/origin/main", "HEAD")
  }

  /// The UID of each entity and property of the sources, by name and type.
  func uids() throws -> [String: String] {
    let model = try ModelText(try directory.bytes(of: "model-App.json"))
    var result: [String: String] = [:]
    for entity in try sources.entities {
      guard let known = model.entities[entity.name] else { continue }
      result[entity.name] = known.uid
      for member in entity.members {
        result["\(entity.name).\(member.name)"] = known.properties[member.name]
      }
    }
    return result
  }
}

extension [TeamSources.Entity] {
  /// The names of entities and properties, as those of ``TeamRepository/uids()``.
  var elementNames: Set<String> {
    Set(map(\.name) + flatMap { entity in entity.members.map { "\(entity.name).\($0.name)" } })
  }
}

extension String {
  fileprivate var trimmingQuotes: String {
    hasPrefix("\"") ? String(dropFirst().dropLast()) : self
  }
}
