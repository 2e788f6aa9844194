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

  /// Reads a model file at every ref that the setting names, by few runs of git.
  ///
  /// A ref at which the file does not exist (it may have been renamed) or is not a model publishes
  /// nothing, and a note says so. The tags of one pattern count as one. The path starts at the top
  /// of the repository. Only `dated` finds out how old what was fetched is, since that takes more
  /// runs of git.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  static func lookUp(
    _ path: String, _ setting: Setting, git: GitClient, dated: Bool
  ) async throws(CommandFailure) -> PublishedModels {
    var groups: [Group] = []
    var unresolved: [BoxMerge.UnresolvedReference] = []
    for part in parts(of: setting) {
      let found = try await PublishedReferences.resolve(part, git: git, dated: dated)
      if let pattern = part.entries.first?.text, PublishedReferences.isPattern(pattern) {
        groups.append(Group(name: pattern, references: found.resolved))
      } else {
        groups += found.resolved.map { Group(name: $0.name, references: [$0]) }
      }
      unresolved += found.unresolved.map {
        BoxMerge.UnresolvedReference(name: $0.name, help: $0.remedies.first)
      }
    }
    if groups.isEmpty, setting.isStandard, let base = git.location.variable(baseVariable) {
      let reference = PublishedReference(
        name: "the base", commit: base, lastUpdate: nil, origin: .standard)
      groups.append(Group(name: reference.name, references: [reference]))
    }
    var result = try await read(groups, path: path, git: git)
    result.areKnown = !groups.isEmpty || !unresolved.isEmpty
    result.published.unresolved = unresolved
    return result
  }

  private struct Group {
    var name: String
    var references: [PublishedReference]
  }

  /// The setting in stretches that are looked up by one run each: a pattern is one of its own.
  private static func parts(of setting: Setting) -> [Setting] {
    var parts: [Setting] = []
    for entry in setting.entries {
      let isPattern = PublishedReferences.isPattern(entry.text)
      if !isPattern, let last = parts.last?.entries.last,
        !PublishedReferences.isPattern(last.text)
      {
        parts[parts.count - 1].entries.append(entry)
      } else {
        parts.append(Setting(entries: [entry], isStandard: setting.isStandard))
      }
    }
    return parts
  }

  private static func read(
    _ groups: [Group], path: String, git: GitClient
  ) async throws(CommandFailure) -> PublishedModels {
    let references = groups.flatMap(\.references)
    let contents = try await git.blobs(references.map { "\($0.commit):\(path)" })
    var result = PublishedModels()
    // Most tags have the file of their neighbour.
    var known: [FileContents: Model?] = [:]
    var next = 0
    for group in groups {
      var models: [Model] = []
      for reference in group.references {
        let bytes = contents[next]
        next += 1
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
      }
      if !models.isEmpty {
        result.published.models.append(
          PublishedModel(name: group.name, detail: detail(of: group), models: models))
      }
    }
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
