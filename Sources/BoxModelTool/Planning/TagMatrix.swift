package import BoxMigration
internal import BoxModel
internal import BoxReport
internal import BoxSystem

/// The versions of a model under the tags of a repository.
package struct TagMatrix {
  /// The pattern of the tags; `*` for all.
  var pattern: String
  /// The new version.
  var file: String
  /// The rules about removals of the new version.
  var rules = RulesChoice()
  /// Whether a tag whose model is not valid is an error; otherwise it is left out with a notice.
  package var requiresValidModels = false

  /// Names the versions.
  ///
  /// - Parameters:
  ///   - pattern: The pattern of the tags; `*` for all.
  ///   - file: The new version.
  ///   - rules: The rules about removals of the new version.
  package init(pattern: String, file: String, rules: RulesChoice = RulesChoice()) {
    (self.pattern, self.file, self.rules) = (pattern, file, rules)
  }

  /// Reads the model under each tag by one run of git, and plans all ways.
  ///
  /// - Throws: As ``versions(in:)``.
  func matrix(
    for targets: Set<PlanTarget>, in workspace: Workspace
  ) async throws -> PlanMatrix {
    let (new, versions) = try await versions(in: workspace)
    return PlanMatrix(versions, to: new, for: targets)
  }

  /// The tag that is nearest to the pattern; nil if a tag matches, and where none is near.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  package func nearestTag(in workspace: Workspace) async throws -> (
    isMatched: Bool, nearest: String?
  ) {
    let git = try await place(workspace).git
    if try await !git.references(matching: pattern == "*" ? "refs/tags" : pattern).isEmpty {
      return (true, nil)
    }
    let names = try await git.references(matching: "refs/tags").map { Self.shortName($0.name) }
    return (false, nearestName(to: pattern, among: names))
  }

  /// The path of the model from the top of its repository, which approvals name.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  package func pathFromTop(in workspace: Workspace) async throws -> String {
    try await place(workspace).name
  }

  private static func shortName(_ name: String) -> String {
    name.hasPrefix("refs/tags/") ? String(name.dropFirst(10)) : name
  }

  /// Reads the new version, and the model under each tag, by one run of git.
  ///
  /// A tag without the file is left out, with a notice.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if no tag matches, or none has the
  ///   file, and of the kind `badInput` for a model that is not valid, of the new version or where that is required.
  /// - Complexity: O(*n*) in the sizes of the models.
  package func versions(
    in workspace: Workspace
  ) async throws -> (new: PlanSide, versions: [(name: String, side: PlanSide)]) {
    let (git, name) = try await place(workspace)
    let tags = try await git.references(matching: pattern == "*" ? "refs/tags" : pattern)
    if tags.isEmpty {
      let hasRemotes = try await !git.remotes().isEmpty
      let help = hasRemotes ? "; git fetch --tags may bring some" : ""
      throw CommandFailure(.inputOutput, "no tag matches '\(pattern)'\(help)")
    }
    let source = try await SourceReference(file).read(in: workspace)
    var new = try PlanSource.side(source)
    new.declarations = try await rules.declarations(
      of: new.model, in: source, SourceReference(file), workspace)
    var paths = tags.map { _ in name }
    var contents = try await git.blobs(tags.map { "\($0.commit):\(name)" })
    // The file may have had another path then.
    let lacking = tags.indices.filter { contents[$0] == nil }
    if !lacking.isEmpty {
      for path in try await git.pathsOverTime(of: name).dropFirst() {
        let earlier = try await git.blobs(lacking.map { "\(tags[$0].commit):\(path)" })
        for (position, bytes) in zip(lacking, earlier)
        where contents[position] == nil && bytes != nil {
          (contents[position], paths[position]) = (bytes, path)
        }
      }
    }
    let rules = try await git.blobs(
      zip(tags, paths).map { "\($0.commit):\(Declarations.path(beside: $1))" })
    var versions: [(name: String, side: PlanSide)] = []
    let known = await Self.sides(contents.compactMap(\.self))
    for ((tag, bytes), rules) in zip(zip(tags, contents), rules) {
      let short = Self.shortName(tag.name)
      guard let bytes else {
        workspace.observer.receive(Notice(.note, "\(short): note: the tag has no \(file)"))
        continue
      }
      let path = "\(short):\(file)"
      let contents = FileContents(bytes)
      do throws(CommandFailure) {
        // Read once more for the error.
        var side =
          if let side = known[contents] { side } else {
            try PlanSource.side(SourceFile(path: path, bytes: bytes))
          }
        side.path = path
        side.declarations = try rules.map { (rules) throws(CommandFailure) in
          let source = SourceFile(path: Declarations.path(beside: path), bytes: rules)
          return try RulesFile(source, side.model, path).declarations(nil)
        }
        versions.append((short, side))
      } catch {
        if requiresValidModels { throw error }
        workspace.observer.receive(Notice(.failure, "\(error.line); the tag is left out"))
      }
    }
    if versions.isEmpty {
      throw CommandFailure(
        .inputOutput, "no tag that matches '\(pattern)' has the file", path: file)
    }
    return (new, versions)
  }

  /// The models of files, each read once, on all processors; those that cannot be read are left out.
  private static func sides(_ contents: [[UInt8]]) async -> [FileContents: PlanSide] {
    let contents = Array(Set(contents.map { FileContents($0) }))
    let sides = await contents.mapConcurrently {
      try? PlanSource.side(SourceFile(path: "", bytes: $0.bytes))
    }
    return zip(contents, sides).reduce(into: [:]) { $0[$1.0] = $1.1 }
  }

  /// The repository of the file, and its path there.
  private func place(_ workspace: Workspace) async throws -> (git: GitClient, name: String) {
    switch SourceReference(file) {
    case .standardInput:
      throw CommandFailure(.usage, "standard input has no path under a tag; name the file")
    case .store(let directory):
      throw CommandFailure(
        .usage, "a store has no path under a tag; name the file", path: directory)
    case .revision(_, let path):
      return (workspace.git, try workspace.git.pathFromTop(path))
    case .file(let path):
      let file = try await FileInRevisions.find(path, workspace.git)
      return (file.git, file.name)
    }
  }
}
