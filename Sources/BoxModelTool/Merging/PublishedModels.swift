internal import BoxMerge
internal import BoxModel

/// The published versions of one model file, with what there is to say about them.
struct PublishedModels: Sendable {
  var published: Published = .nothing
  /// Whether the repository has, or is configured to have, a ref that counts as published.
  var areKnown = true
  /// One sentence each without a trailing period.
  var notes: [String] = []

  /// The variable with the commit of the branch that requests are merged into, which counts as published
  /// where nothing else does.
  static let baseVariable = "BOXJOINT_MERGE_BASE"

  /// The versions that were read, for what is read later.
  var source: Source?

  /// The place of the versions in git.
  struct Source: Sendable {
    var git: GitClient
    /// The commits of each model of ``published``, the model in each, and the path of the file there.
    var places: [(commits: [String], models: [Model], path: String)] = []
  }

  /// The file that is looked for, in case it has another path at a ref.
  struct Wanted: Sendable {
    /// The path from the top of the repository.
    var path: String
    /// The model, by whose UIDs a file of another name is recognised.
    var model: Model
    /// The patterns that such a file matches.
    var patterns: [FilePattern]
  }

  /// Reads a model file at every ref that the setting names, by few runs of git.
  ///
  /// A ref that has the file under another path is read there. One at which the file does not exist or is not a
  /// model publishes nothing. A note says either. The tags of one pattern count as one. Only `dated` finds out how old what was fetched is, since that takes more
  /// runs of git.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  static func lookUp(
    _ wanted: Wanted, _ setting: Setting, git: GitClient, dated: Bool
  ) async throws(CommandFailure) -> PublishedModels {
    try await lookUp(
      wanted, try await PublishedReferences.resolve(setting, git: git, dated: dated),
      isDefault: setting.isDefault, git: git)
  }

  /// Reads a model file at published refs.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  static func lookUp(
    _ wanted: Wanted, _ found: PublishedReferences, isDefault: Bool, git: GitClient
  ) async throws(CommandFailure) -> PublishedModels {
    var groups = groups(of: found.resolved)
    if groups.isEmpty, isDefault, let base = git.location.variable(baseVariable) {
      let reference = PublishedReference(
        name: "the base", commit: base, lastUpdate: nil, origin: .default)
      groups.append(Group(name: reference.name, references: [reference]))
    }
    var result = try await read(groups, wanted, git: git)
    result.areKnown = !groups.isEmpty || !found.unresolved.isEmpty
    result.published.unresolved = found.unresolved.map {
      BoxMerge.UnresolvedReference(name: $0.name, help: $0.remedies.first)
    }
    if let head = found.head,
      let bytes = try await git.blobs(["\(head.commit):\(wanted.path)"]).first ?? nil,
      let model = (try? ModelDocument(parsing: bytes))?.model
    {
      result.published.head = PublishedModel(
        name: head.name, detail: "commit \(head.commit.prefix(12)), not pushed", model: model)
    }
    return result
  }

  /// Notes the commit of the last model, so that its history can be read.
  mutating func setCommit(_ commit: String, path: String, git: GitClient) {
    var source = self.source ?? Source(git: git)
    while source.places.count < published.models.count - 1 { source.places.append(([], [], "")) }
    source.places.append(([commit], [], path))
    self.source = source
  }

  /// A published version of the file.
  struct Version {
    var commit: String
    var path: String
    var model: Model
  }

  private struct Group {
    var name: String
    var references: [PublishedReference]
  }

  /// The refs in the order of the setting; those that a pattern matched are one.
  private static func groups(of references: [PublishedReference]) -> [Group] {
    var groups: [Group] = []
    for reference in references {
      guard let pattern = reference.pattern else {
        groups.append(Group(name: reference.name, references: [reference]))
        continue
      }
      if let position = groups.firstIndex(where: { $0.name == pattern }) {
        groups[position].references.append(reference)
      } else {
        groups.append(Group(name: pattern, references: [reference]))
      }
    }
    return groups
  }

  private static func read(
    _ groups: [Group], _ wanted: Wanted, git: GitClient
  ) async throws(CommandFailure) -> PublishedModels {
    let references = groups.flatMap(\.references)
    let path = wanted.path
    let contents = try await git.blobs(references.map { "\($0.commit):\(path)" })
    var result = PublishedModels()
    var source = Source(git: git)
    var versions: [Version] = []
    // Most tags have the file of their neighbour.
    var known: [FileContents: Model?] = [:]
    var next = 0
    for group in groups {
      var models: [Model] = []
      var commits: [String] = []
      var place = path
      for reference in group.references {
        var bytes = contents[next]
        next += 1
        if bytes == nil, group.references.count == 1,
          let moved = try await git.model(
            like: wanted.model, matching: wanted.patterns, in: reference.commit)
        {
          (place, bytes) = moved
          result.notes.append("in \(reference.name), \(path) is \(place)")
        }
        guard let bytes else {
          if group.references.count == 1 {
            result.notes.append("\(reference.name) has no \(path), so it publishes nothing")
          }
          continue
        }
        let contents = FileContents(bytes)
        let model = known[contents] ?? (try? ModelDocument(parsing: bytes))?.model
        known[contents] = .some(model)
        guard let model else {
          result.notes.append(
            "\(path) at \(reference.name) is not a model, so it publishes nothing")
          continue
        }
        models.append(model)
        commits.append(reference.commit)
        versions.append(Version(commit: reference.commit, path: place, model: model))
      }
      if !models.isEmpty {
        result.published.models.append(
          PublishedModel(name: group.name, detail: detail(of: group), models: models))
        source.places.append((commits, models, place))
      }
    }
    result.source = source
    try await result.settle(versions)
    return result
  }

  private static func detail(of group: Group) -> String {
    guard group.references.count == 1, let reference = group.references.first else {
      return "\(group.references.count) tags"
    }
    let commit = "commit \(reference.commit.prefix(12))"
    return commit + (reference.lastUpdate.map { ", up to date at \(utcTime($0))" } ?? "")
  }
}
