import TestSupport
import Testing

@testable import BoxModelTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The examples about stores in `docs/commands.md`, `docs/querying.md`, `docs/browsing.md`, `docs/editing.md`
/// and `docs/inferring.md`, run one after the other as they stand there.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct DocumentedStoresTests {
  /// A command and what it prints.
  private struct Example {
    var command: String
    var output: String
  }

  @Test func theExamplesAboutPeople() async throws {
    try await run(from: "## A store to play with", to: "## converters:", in: ".")
  }

  @Test func theExampleOfAConverter() async throws {
    try await run(
      from: "## converters:", to: "## import with a catalogue", in: "docs/examples/users")
  }

  @Test(.enabled(if: hasFilms, "../shared/data is not there"))
  func theExampleOfFilms() async throws {
    try await run(
      from: "## import with a catalogue", to: "## config:", in: "docs/examples/films",
      with: "cp \"$films\" films.json")
  }

  @Test func theExamplesOfTables() async throws {
    try await run(
      from: "## CSV\n", to: "## Values", of: "docs/dumps.md", in: "docs/examples/people",
      with: "boxjoint import --store data --model model.json people.ndjson > /dev/null")
    try await run(
      from: "## CSV and TSV", to: "## Several files", of: "docs/importing.md",
      in: "docs/examples/tags")
  }

  @Test(.enabled(if: hasFilms, "../shared/data is not there"))
  func theExampleWithoutAModel() async throws {
    try await run(
      from: "## From existing JSON", to: "## A store to play with", in: ".",
      with: "cp \"$films\" films.json")
  }

  @Test func theExamplesOfInferences() async throws {
    try await run(
      from: "# From JSON to a model", to: "## Editing a model file", of: "docs/inferring.md",
      in: "docs/examples/shop")
  }

  @Test func theExamplesOfQueries() async throws {
    let examples = try await run(
      from: "# Querying", to: nil, of: "docs/querying.md", in: "docs/examples/library")
    let cookbook = try Self.examples(from: "## Cookbook", to: nil, of: "docs/querying.md")
    #expect(cookbook.count >= 20)
    #expect(cookbook.allSatisfy { $0.command.contains("boxjoint query data ") })
    #expect(examples > cookbook.count)
  }

  @Test func theExampleOfAPage() async throws {
    try await run(
      from: "## A view is an address", to: "## Pages by key", of: "docs/browsing.md",
      in: "docs/examples/library",
      with: "boxjoint import --store data --model model.json library.ndjson > /dev/null")
  }

  @Test func theExamplesOfVectors() async throws {
    try await run(
      from: "## A search by meaning", to: "## Many objects", of: "docs/vectors.md",
      in: "docs/examples/cinema")
  }

  @Test func theExamplesOfEditing() async throws {
    try await run(
      from: "# Looking at objects", to: nil, of: "docs/editing.md", in: "docs/examples/library")
  }

  @Test func theExampleOfADryRun() async throws {
    try await run(
      from: "## Look, then do exactly that", to: "### What a code proves", of: "docs/agents.md",
      in: "docs/examples/library",
      with: "boxjoint import --store data --model model.json library.ndjson > /dev/null")
  }

  /// The films that the examples name, which are not part of the package.
  private static let films = root + "/../shared/data/movies-2010s.json"
  private static var hasFilms: Bool { access(films, R_OK) == 0 }

  /// Runs the examples of a part in a copy of the examples' directory.
  @discardableResult
  private func run(
    from start: String, to end: String?, of page: String = "docs/commands.md", in directory: String,
    with preparation: String = ""
  ) async throws -> Int {
    let examples = try Self.examples(from: start, to: end, of: page)
    #expect(!examples.isEmpty)
    let surroundings = try TemporaryDirectory()
    let top = surroundings.path(of: "project")
    let copied = try await ProcessRun.of(
      "bash",
      [
        "-c",
        #"mkdir -p project/docs bin && cp -R "$0/docs/examples" project/docs && ln -s "$1" bin/boxjoint"#,
        Self.root, Tool.path ?? "",
      ],
      in: surroundings.path)
    #expect(copied.status == 0, "\(copied.messages)")
    // Marks between the commands, all of which run in one shell: some of them change the directory.
    let script = examples.enumerated().map { "echo '@@\($0.offset)'\n\($0.element.command)\n" }
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    let run = try await ProcessRun.of(
      "bash", ["-c", "exec 2>&1\n\(preparation)\n" + script.joined()], in: top + "/" + directory,
      environment: ["PATH": surroundings.path(of: "bin") + ":" + path, "films": Self.films])
    let outputs = run.text.split(separator: "@@", omittingEmptySubsequences: false).dropFirst()
      .map { $0.drop { $0 != "\n" }.dropFirst() }
    #expect(outputs.count == examples.count)
    for (example, output) in zip(examples, outputs) {
      #expect(
        Self.comparable(String(output)) == Self.comparable(example.output), "\(example.command)")
    }
    return examples.count
  }

  /// Sizes are those of pages, which another system has larger, and of a compression, of which there
  /// are versions.
  private static func comparable(_ text: String) -> String {
    // Records of CSV end with both.
    text.replacing("\r\n", with: "\n").split(separator: "\n").map { line in
      let words = line.split(separator: " ")
      return words.indices.map { position in
        let isSize = position + 1 < words.count && words[position + 1].hasPrefix("KiB")
        // Each store has codes of its own.
        if position > 0, words[position - 1] == "--confirm" { return "CODE" }
        return isSize ? "N" : String(words[position])
      }.joined(separator: " ")
    }.joined(separator: "\n")
  }

  private static func examples(
    from start: String, to end: String?, of page: String
  ) throws -> [Example] {
    let text = String(decoding: try SourceFile.read(root + "/" + page).bytes, as: UTF8.self)
    let first = try #require(text.firstRange(of: start), "\(start)")
    var last = text.endIndex..<text.endIndex
    if let end { last = try #require(text[first.upperBound...].firstRange(of: end), "\(end)") }
    var examples: [Example] = []
    let parts = text[first.upperBound..<last.lowerBound].split(
      separator: "```", omittingEmptySubsequences: false)
    for block in parts.enumerated().filter({ $0.offset % 2 == 1 }).map(\.element) {
      var isCommand = false
      let first = examples.count
      for line in block.split(separator: "\n") {
        if line.hasPrefix("$ ") {
          examples.append(Example(command: String(line.dropFirst(2)), output: ""))
          isCommand = true
        } else if let position = examples[first...].indices.last {
          if isCommand {
            examples[position].command += "\n" + line
          } else {
            examples[position].output += line + "\n"
          }
        }
        isCommand = isCommand && line.hasSuffix("\\")
      }
    }
    return examples
  }

  /// The top of the package, two directories above this file.
  static var root: String {
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  }
}
