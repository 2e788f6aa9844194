package import BoxJSON
package import BoxMigration
package import BoxModel
internal import BoxReport

/// The versions of a model file in git.
package struct FileHistory: Sendable {
  /// A commit that changed the file.
  package struct Version: Sendable {
    /// The hash of the commit.
    package var commit: String
    /// The commit date, as ISO 8601.
    package var date: String
    /// The tags and branches at the commit, and the tags of later ones that have this version.
    package var names: [String]
    /// The path of the file in the commit, from the top of the repository.
    package var path: String
    /// The plan of the commit's change.
    ///
    /// Nil for the first version, for a removal, and if one of the two versions is not a model.
    ///
    /// A merge is compared with the branch that it was made on.
    package var plan: MigrationPlan?
    /// The reason why there is no plan; nil for the first version, which needs none.
    package var note: String?
    /// The model; nil for a removal, and where the file was not a model.
    package var model: Model?
  }

  package var file: String
  /// The latest first.
  package var versions: [Version]
  /// Whether the history was cut off when it was fetched, so that earlier versions are missing.
  package var isCutOff = false

  /// Reads the history of a file by a handful of runs of git, however long it is.
  ///
  /// - Throws: ``CommandFailure`` of the kind `impossible` outside of a repository, `usage` if the
  ///   file has no history, `inputOutput` if git cannot be run.
  package static func read(
    _ path: String, limit: Int?, targets: Set<PlanTarget>, git: GitClient
  ) async throws(CommandFailure) -> FileHistory {
    let file = try await FileInRevisions.find(path, git)
    let git = file.git
    let paths = try await git.pathsOverTime(of: file.name)
    let commits = try await git.commits(changing: paths, limit: limit)
    if commits.isEmpty {
      throw CommandFailure(.usage, "git has no history of the file", path: path)
    }
    let reader = try await VersionReader(commits, paths: paths, git: git)
    var versions: [Version] = []
    var hashes: [String?] = []
    var isCutOff = false
    for commit in commits {
      let after = reader.place(in: commit.hash)
      let before = commit.parent.flatMap { reader.place(in: $0) }
      // One of the paths was another file's at that time.
      if after == before { continue }
      var version = Version(
        commit: commit.hash, date: commit.date, names: commit.names,
        path: after?.path ?? before?.path ?? paths[0])
      if commit.parent == nil { isCutOff = try await git.isShallow() }
      (version.plan, version.note) = reader.change(from: before, to: after, for: targets)
      version.model = after.flatMap { reader.model($0) }
      if before == nil && after != nil && version.note == nil {
        version.note =
          commit.parent == nil && isCutOff ? "the first that was fetched" : "the first version"
      }
      versions.append(version)
      hashes.append(after?.hash)
    }
    // A removed file can be added again.
    let first = versions.lastIndex { $0.note == "the first version" }
    for position in versions.indices
    where position != first && versions[position].note == "the first version" {
      versions[position].note = "the file was added again"
    }
    for (name, position) in try await reader.tags(of: versions.map(\.commit), hashes)
    where !versions[position].names.contains(name) {
      versions[position].names.append(name)
    }
    return FileHistory(file: path, versions: versions, isCutOff: isCutOff)
  }

  /// The position of the latest version that has a model; nil if none has it.
  ///
  /// - Complexity: O(*n*) in the sizes of the models.
  package func position(of model: Model) -> Int? { versions.firstIndex { $0.model == model } }

  /// A table for people.
  package var text: String {
    var rows = [["COMMIT", "DATE", "CLASS", "STEPS", "NAMES"]]
    for version in versions {
      rows.append(
        [
          String(version.commit.prefix(12)), String(version.date.prefix(10)),
          version.plan.map { $0.gravestClass?.rawValue ?? "no change" } ?? version.note ?? "",
          version.plan.map { "\($0.steps.count)" } ?? "", Self.few(version.names),
        ].map(\.escapedForDisplay))
    }
    return TextTable(rows).lines().map { $0 + "\n" }.joined()
  }

  /// Names in a cell of a table; of many names the last ones, which are the latest releases.
  private static func few(_ names: [String]) -> String {
    let shown = names.count > 4 ? Array(names.prefix(1) + names.suffix(2)) : names
    let rest = names.count - shown.count
    return shown.joined(separator: ", ") + (rest > 0 ? ", \(rest) more" : "")
  }

  /// The same for programs; `Schemas/history.schema.json` describes it.
  package var json: JSONValue {
    [
      "schemaVersion": 1,
      "file": .string(file),
      "shallow": .bool(isCutOff),
      "versions": .array(
        versions.map { version in
          .compact([
            ("commit", .string(version.commit)), ("date", .string(version.date)),
            ("path", .string(version.path)),
            ("names", .array(version.names.map { .string($0) })),
            ("class", version.plan?.gravestClass.map { .string($0.rawValue) }),
            ("note", version.note.map { .string($0) }),
            (
              "steps",
              version.plan.map { plan in
                .array(plan.steps.map(\.summaryJSON))
              }
            ),
          ])
        }),
    ]
  }
}
