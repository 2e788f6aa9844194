internal import BoxJSON
internal import BoxMigration
internal import BoxModel
internal import BoxReport

/// The versions of a model file in git.
struct FileHistory {
  /// A commit that changed the file.
  struct Version {
    var commit: String
    /// When it was committed, as ISO 8601.
    var date: String
    /// The tags and branches at the commit.
    var names: [String]
    /// The path of the file in the commit.
    var path: String
    /// What the commit did to it; nil for the first version, and where one of the two is no model.
    var plan: MigrationPlan?
    /// Why there is no plan.
    var note: String?
  }

  var file: String
  /// The latest first.
  var versions: [Version]
  /// Whether the history was cut off when it was fetched, so that earlier versions are missing.
  var isCutOff = false

  /// Reads the history of a file by two runs of git, or three in a shallow clone.
  ///
  /// - Throws: ``CommandFailure`` with status 2 outside of a repository, 64 if the file has no
  ///   history, 74 if git cannot be run.
  static func read(
    _ path: String, limit: Int?, targets: Set<PlanTarget>
  ) async throws(CommandFailure) -> FileHistory {
    let git = GitClient(in: parentFolder(of: path))
    let name = path.split(separator: "/").last.map(String.init) ?? path
    // One more than is listed, to compare the last one with.
    let count = limit.map { ["--max-count=\($0 + 1)"] } ?? []
    let log = try await git.requireInside(
      ["log", "--follow", "-z", "--name-only", "--format=%x01%H%x00%cI%x00%D"] + count
        + ["--", name])
    var versions = parse(log.standardOutput)
    // What git calls the first commit of a shallow clone, among the names of branches and tags.
    let hasGraft = versions.contains { $0.names.contains(Self.graft) }
    let isCutOff = hasGraft ? try await git.isShallow() : false
    if isCutOff {
      for position in versions.indices { versions[position].names.removeAll { $0 == Self.graft } }
    }
    if versions.isEmpty {
      throw CommandFailure(.usage, "git has no history of the file", path: path)
    }
    let blobs = try await git.blobs(versions.map { "\($0.commit):\($0.path)" })
    var later: (position: Int, side: PlanSide)?
    for position in versions.indices {
      guard let bytes = blobs[position] else {
        versions[position].note = "the file was removed"
        continue
      }
      guard let document = try? ModelDocument(parsing: bytes) else {
        versions[position].note = "the file was no model"
        continue
      }
      let side = PlanSide(document, path: versions[position].path)
      if let last = later {
        versions[last.position].plan = MigrationPlan(from: side, to: last.side, for: targets)
      }
      later = (position, side)
    }
    if let first = later, limit == nil || versions.count <= (limit ?? 0) {
      versions[first.position].note = isCutOff ? "the first that was fetched" : "the first version"
    }
    if let limit, versions.count > limit { versions.removeLast(versions.count - limit) }
    return FileHistory(file: path, versions: versions, isCutOff: isCutOff)
  }

  private static let graft = "grafted"

  /// Takes the answer of git apart: records that start with U+0001, fields that end with U+0000.
  private static func parse(_ bytes: [UInt8]) -> [Version] {
    bytes.split(separator: 0x01).compactMap { record in
      let fields = record.split(separator: 0, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      guard fields.count >= 4 else { return nil }
      let path = fields[3].drop { $0 == "\n" }
      let names = fields[2].split(separator: ",").map { name -> String in
        let name = name.drop { $0 == " " }
        if name.hasPrefix("tag: ") { return String(name.dropFirst(5)) }
        return name.hasPrefix("HEAD -> ") ? String(name.dropFirst(8)) : String(name)
      }
      if path.isEmpty { return nil }
      return Version(commit: fields[0], date: fields[1], names: names, path: String(path))
    }
  }

  /// A table for people.
  var text: String {
    var rows = [["COMMIT", "DATE", "CLASS", "STEPS", "NAMES"]]
    for version in versions {
      rows.append(
        [
          String(version.commit.prefix(12)), String(version.date.prefix(10)),
          version.plan.map { $0.gravestClass?.rawValue ?? "no change" } ?? version.note ?? "",
          version.plan.map { "\($0.steps.count)" } ?? "", version.names.joined(separator: ", "),
        ].map(\.escapedForDisplay))
    }
    let widths = (0..<5).map { column in rows.map { $0[column].displayWidth }.max() ?? 0 }
    return rows.map { row in
      var line = ""
      for column in 0..<5 {
        line +=
          row[column] + String(repeating: " ", count: widths[column] - row[column].displayWidth + 2)
      }
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }

  /// The same for programs; `Schemas/history.schema.json` describes it.
  var json: JSONValue {
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
