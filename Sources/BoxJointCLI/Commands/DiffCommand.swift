internal import ArgumentParser
internal import BoxJSON
internal import BoxModel
internal import BoxReport
internal import BoxTool

/// `boxjoint diff`: says what is different between two versions of a model.
struct DiffCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare two versions of a model, element by element.",
    discussion: """
      Elements are matched by UID: one with a new name, id or position is still the same element. \
      For each change, diff shows what it means for stored data. The versions, unknown keys, last \
      ids and retired UIDs of the model are compared too.

      In place of a path, pass REF:PATH to read from git, - for standard input, or store:DIR for \
      the model of a store. A revision alone means the file that is named as the other argument, \
      or the only model file of the repository. With one file, diff compares the version in HEAD \
      with it. With one revision, diff compares it with the file on disk.

      Examples:
        boxjoint diff objectbox-model.json
        boxjoint diff HEAD~1
        boxjoint diff main feature
        boxjoint diff store:data/ objectbox-model.json
        boxjoint diff v1.0:app/model.json main:app/model.json --format markdown
        boxjoint diff old.json new.json

      Exit status:
        0   no differences
        1   differences
        65  a file is not a model, or only a part of it is readable
        74  a file cannot be read
      """)

  /// The formats of the command.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, markdown
  }

  @Argument(
    help: ArgumentHelp("The old version, or the only file or revision.", valueName: "old"))
  var first: String

  @Argument(help: ArgumentHelp("The new version.", valueName: "new"))
  var second: String?

  @Option(help: "The output format.")
  var format: Format = .text

  func validate() throws {
    if first == "-" && (second == "-" || second == nil) {
      throw ValidationError("Standard input can be one of the two versions, not both.")
    }
  }

  func run() async throws {
    let (earlier, later) = try await versions()
    let (newPath, new) = try Self.model(later)
    let (oldPath, old) = try Self.model(earlier)
    let changes = ModelChanges(from: old, to: new)
    let text =
      switch format {
      case .text: changes.text()
      case .json: changes.json(from: oldPath, to: newPath).displayText
      case .markdown: changes.markdown()
      }
    try StandardOutput.write(text)
    if !changes.isEmpty { throw ExitStatus.findings.exitCode }
  }

  /// The old version and the new one.
  private func versions() async throws -> (old: SourceFile, new: SourceFile) {
    let named = try await NamedVersion(first)
    if let second {
      let both = try await NamedVersion.read([named, try await NamedVersion(second)])
      return (both[0], both[1])
    }
    switch named {
    case .revision:
      let path = try await NamedVersion.modelPath([])
      let both = try await NamedVersion.read([named, .source(.file(path))])
      return (both[0], both[1])
    case .source(let source):
      guard case .file(let path) = source, source.unnamedStoreDirectory == nil else {
        throw CommandFailure(.usage, "name the version to compare with too", path: first)
      }
      let new = try await source.read()
      return (try await committed(path, try Self.model(new).model), new)
    }
  }

  /// The version of a file in HEAD, where it may have had another path.
  private func committed(_ path: String, _ new: Model) async throws(CommandFailure) -> SourceFile {
    let file = try await FileInRevisions.find(path)
    for name in file.names {
      if let bytes = try await file.git.blobs(["HEAD:\(name)"])[0] {
        return SourceFile(path: "HEAD:\(path)", bytes: bytes)
      }
    }
    if let moved = try await file.git.movedModel(new, in: "HEAD") {
      return SourceFile(path: "HEAD:\(moved.path)", bytes: moved.bytes)
    }
    // Nothing is there: git says what is missing.
    do throws(CommandFailure) {
      return SourceFile(path: path, bytes: try await file.git.show("HEAD", path: file.name))
    } catch {
      throw CommandFailure(error.status, error.message, path: "HEAD:\(path)")
    }
  }

  private static func model(_ source: SourceFile) throws -> (path: String, model: Model) {
    let document: ModelDocument
    do {
      document = try ModelDocument(parsing: source.bytes)
    } catch {
      throw CommandFailure(error, path: source.path)
    }
    if let issue = document.formIssues.first(where: { $0.severity == .error }) {
      throw CommandFailure(
        .badInput, "not all of the file could be read: \(issue.message)", path: source.path,
        position: document.json.position(at: issue.range.lowerBound))
    }
    return (source.path, document.model)
  }
}
