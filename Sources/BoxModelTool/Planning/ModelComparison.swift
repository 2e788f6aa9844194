package import BoxJSON
package import BoxModel
internal import BoxReport

/// Two versions of a model and the differences between them.
package struct ModelComparison {
  /// The old version, as people name it.
  package let oldPath: String
  /// The new version, as people name it.
  package let newPath: String
  /// The differences.
  package let changes: ModelChanges
  /// The differences of their rules about removals; none where a file without any is compared with an older store,
  /// which would keep its own.
  package let rules: [DeclarationChange]

  /// Compares two versions.
  ///
  /// - Parameters:
  ///   - first: The old version, or the only file or revision.
  ///   - second: The new version; nil for the file on disk if `first` is a revision, and for `first`
  ///     itself, compared with its version in HEAD, if it is a file.
  ///   - rules: The file of rules of the new version.
  ///   - place: The place of the versions.
  /// - Throws: ``CommandFailure`` of the kind `usage` if `second` is needed, `badInput` if a
  ///   version is not a model that can be read completely, `inputOutput` if a version cannot be
  ///   read.
  package init(
    _ first: String, _ second: String?, rules: RulesChoice = RulesChoice(), in place: Workspace
  ) async throws(CommandFailure) {
    let (earlier, later) = try await Self.versions(first, second, place)
    let new = try Self.model(later)
    let old = try Self.model(earlier)
    (oldPath, newPath) = (earlier.path, later.path)
    changes = ModelChanges(from: old, to: new)
    let before = try await RulesChoice().declarations(
      of: old, in: earlier, SourceReference(earlier.path), place, warns: false)
    let after = try await rules.declarations(
      of: new, in: later, SourceReference(later.path), place)
    let staysAsStored = after == nil && earlier.declarations != nil
    self.rules =
      staysAsStored ? [] : (after ?? Declarations()).changes(since: before ?? Declarations())
  }

  /// Whether nothing is different.
  package var isEmpty: Bool { changes.isEmpty && rules.isEmpty }

  /// The differences as text for people; empty without any.
  package var text: String {
    let text = changes.text()
    if rules.isEmpty { return text }
    return (text.isEmpty ? "" : text + "\n") + "Rules about removals\n"
      + rules.map { "  ~ \($0.message)".escapedForDisplay + "\n" }.joined()
  }

  /// The differences as Markdown.
  package var markdown: String {
    if rules.isEmpty { return changes.markdown() }
    return (changes.isEmpty ? "" : changes.markdown() + "\n") + "### Rules about removals\n\n"
      + rules.map { "- \($0.message.escapedForMarkdown)\n" }.joined()
  }

  /// The differences for programs.
  package var json: JSONValue {
    let json = changes.json(from: oldPath, to: newPath)
    guard !rules.isEmpty, case .object(let members) = json else { return json }
    return .object(members + [.init("rules", .array(rules.map(\.json)))])
  }

  private static func versions(
    _ first: String, _ second: String?, _ place: Workspace
  ) async throws(CommandFailure) -> (old: SourceFile, new: SourceFile) {
    let named = try await NamedVersion(first, in: place)
    if let second {
      let both = try await NamedVersion.read(
        [named, try await NamedVersion(second, in: place)], in: place)
      return (both[0], both[1])
    }
    switch named {
    case .revision:
      let path = try await NamedVersion.modelPath([], in: place)
      let both = try await NamedVersion.read([named, .source(.file(path))], in: place)
      return (both[0], both[1])
    case .source(let source):
      guard case .file(let path) = source, source.unnamedStoreDirectory == nil else {
        throw CommandFailure(.usage, "name the version to compare with too", path: first)
      }
      let new = try await source.read(in: place)
      return (try await committed(path, try model(new), place.git), new)
    }
  }

  /// The version of a file in HEAD, where it may have had another path.
  private static func committed(
    _ path: String, _ new: Model, _ git: GitClient
  ) async throws(CommandFailure) -> SourceFile {
    let file = try await FileInRevisions.find(path, git)
    for name in file.names {
      if let bytes = try await file.git.blobs(["HEAD:\(name)"])[0] {
        return SourceFile(path: "HEAD:\(path)", bytes: bytes)
      }
    }
    if let moved = try await file.git.movedModel(new, in: "HEAD") {
      return SourceFile(path: "HEAD:\(moved.path)", bytes: moved.bytes)
    }
    // The file does not exist: git reports what is missing.
    do throws(CommandFailure) {
      return SourceFile(path: path, bytes: try await file.git.show("HEAD", path: file.name))
    } catch {
      throw CommandFailure(error.kind, error.message, path: "HEAD:\(path)")
    }
  }

  private static func model(_ source: SourceFile) throws(CommandFailure) -> Model {
    let document = try ModelDocument(of: source)
    if let failure = document.partialReading(path: source.path) { throw failure }
    return document.model
  }
}

extension ModelDocument {
  /// Parses a file.
  ///
  /// - Throws: ``CommandFailure`` of the kind `badInput` and the place if the file is not a model.
  /// - Complexity: O(*n*) in the size of the file.
  package init(of source: SourceFile) throws(CommandFailure) {
    do throws(ModelError) {
      self = try ModelDocument(parsing: source.bytes)
    } catch {
      throw CommandFailure(error, path: source.path, source.bytes)
    }
  }

  /// The failure where only a part of the file could be read; nil if all of it was.
  package func partialReading(path: String) -> CommandFailure? {
    guard let issue = formIssues.first(where: { $0.severity == .error }) else { return nil }
    return CommandFailure(
      .badInput, "not all of the file could be read: \(issue.message)", path: path,
      position: json.position(at: issue.range.lowerBound))
  }
}
