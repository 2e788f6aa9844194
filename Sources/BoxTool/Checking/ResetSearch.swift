internal import BoxMerge
internal import BoxModel
internal import BoxSystem

/// The search for elements that have a new UID and else are those of an earlier version.
///
/// A merge of sources can keep what the merge of the model removes; the next build then begins it without data.
struct ResetSearch: Sendable {
  /// The place of a model file in git.
  struct Place: Sendable {
    var git: GitClient
    /// The path from the top of the repository.
    var path: String
    /// The revision that is checked; nil for the work tree, empty for the index.
    var revision: String?
  }

  /// An earlier version, and what was published since.
  private struct Version {
    var base: ResetBase
    var commit: String?
    /// The versions that were published after it, each with a name for people.
    var later: [(name: String, model: Model)] = []
  }

  /// A published ref other than the branch that is checked out.
  private struct PublishedTip {
    var name: String
    var commit: String
    var path: String
  }

  /// The maximum number of versions of a file that are read.
  private static let versionLimit = 500

  private let place: Place
  private var versions: [Version] = []
  private var published: [PublishedModel] = []
  /// The path of the approvals; nil without a work tree.
  private var approvalsPath: String?
  private var approvals = ApprovalList()
  private var top = ""
  /// The command that states a reset.
  private let approval: String

  /// Reads the earlier versions of a model file.
  ///
  /// These are the commit that the checked version follows, or the commits of a merge; the version that is named;
  /// and the published versions that it comes from.
  ///
  /// - Parameters:
  ///   - document: The model that is checked.
  ///   - place: Its place in git.
  ///   - earlier: The version that it is compared with, and its commit, if one is named.
  ///   - published: The published models that the checked version comes from.
  ///   - others: Called to read the models of the other published refs.
  ///   - approval: The command that states a reset.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run, `badInput` if the approvals are
  ///   damaged.
  /// - Complexity: O(*n*) in the size of the versions; two runs of git, and one for each published ref if there is
  ///   a reset.
  init(
    _ document: ModelDocument, at place: Place,
    earlier: (name: String, model: Model, commit: String?)?, published: PublishedModels,
    others: () async throws(CommandFailure) -> PublishedModels, approval: String
  ) async throws(CommandFailure) {
    self.place = place
    self.approval = approval
    self.published = published.published.models
    let preceding = try await PrecedingModels(
      of: place.path, revision: place.revision, place.git)
    versions = preceding.versions.map { Version(base: $0.base, commit: $0.commit) }
    if let earlier {
      versions.append(
        Version(
          base: ResetBase(name: earlier.name, model: earlier.model, siblings: preceding.merged),
          commit: earlier.commit))
    }
    var tips: [PublishedTip] = []
    let branch = try await place.git.currentBranch().map { "refs/heads/\($0.name)" }
    for (position, source) in (published.source?.places ?? []).enumerated() {
      guard position < published.published.models.count else { break }
      let name = published.published.models[position].name
      // A branch that is checked out is no release of itself.
      if place.revision?.isEmpty ?? true, name == branch {
        self.published.removeAll { $0.name == name }
        continue
      }
      for (commit, model) in zip(source.commits, source.models) {
        tips.append(PublishedTip(name: name, commit: commit, path: source.path))
        versions.append(
          Version(
            base: ResetBase(name: name, model: model, siblings: preceding.merged), commit: commit))
      }
    }
    // Of a file that was newly generated another rule speaks.
    let uids = Set(document.model.entities.map(\.pair.uid))
    versions.removeAll { uids.isDisjoint(with: $0.base.model.entities.map(\.pair.uid)) }
    if versions.allSatisfy({ document.model.resets(since: $0.base).isEmpty }) {
      versions = []
      return
    }
    try await readApprovals()
    self.published += try await others().published.models.filter { $0.name != branch }
    for position in versions.indices
    where !document.model.resets(since: versions[position].base).isEmpty {
      try await readLater(position, tips)
    }
  }

  /// The issues of a model.
  ///
  /// - Complexity: O(*n*) in the number of elements, for each version.
  func issues(of document: ModelDocument) -> [ModelIssue] {
    open(in: document).compactMap { found in
      document.issue(of: found.reset, since: found.base, found.verdict, approval: approval)
    }
  }

  /// Notes in the approvals that the resets of a model are meant.
  ///
  /// - Returns: The names of the elements.
  /// - Throws: ``CommandFailure`` of the kind `impossible` without a work tree, `inputOutput` if the file cannot be
  ///   written.
  mutating func approve(_ document: ModelDocument) throws(CommandFailure) -> [String] {
    let found = open(in: document)
    if found.isEmpty { return [] }
    guard let approvalsPath else {
      throw CommandFailure(
        .impossible, "approvals are written to the work tree of a repository, and there is none")
    }
    var names: [String] = []
    for (reset, _, _) in found {
      guard let element = document.lookup[reset.new.kind, reset.new.uid] else { continue }
      let name = document.model.label(element)
      names.append(name)
      approvals.add(
        StatedReset(element: name, from: reset.old.uid, to: reset.new.uid, file: place.path))
    }
    try AtomicFile.write(Array(approvals.text.utf8), to: approvalsPath, within: top)
    return names
  }

  // MARK: - Answers

  /// The resets that nobody has stated, each with the version that says most about it.
  private func open(
    in document: ModelDocument
  ) -> [(reset: RenameFix, base: ResetBase, verdict: ResetVerdict)] {
    var order: [RenameFix] = []
    var found: [RenameFix: (base: ResetBase, verdict: ResetVerdict)] = [:]
    for version in versions {
      for reset in document.model.resets(since: version.base)
      where !approvals.states(reset, modelAt: [place.path]) {
        let verdict = self.verdict(on: reset, since: version)
        if found[reset] == nil { order.append(reset) }
        if found[reset] == nil || verdict == .open && found[reset]?.verdict != .open {
          found[reset] = (version.base, verdict)
        }
      }
    }
    // One element has one answer: that of the version which it was in last.
    var answered: Set<ElementKey> = []
    return order.compactMap { reset in
      guard let (base, verdict) = found[reset], answered.insert(reset.new).inserted else {
        return nil
      }
      return (reset, base, verdict)
    }
  }

  private func verdict(on reset: RenameFix, since version: Version) -> ResetVerdict {
    if let model = published.first(where: { $0.has(reset.new) }) {
      return .settled("\(model.name) has it under the new one")
    }
    if let between = version.later.first(where: { $0.model.lacksBoth(of: reset) }) {
      return .settled("\(between.name) had neither, so the removal was published by itself")
    }
    return .open
  }

  // MARK: - Reading

  /// Reads what was published after a version.
  private mutating func readLater(
    _ position: Int, _ tips: [PublishedTip]
  ) async throws(CommandFailure) {
    guard let commit = versions[position].commit else { return }
    var seen: Set<String> = []
    for tip in tips where tip.commit != commit && seen.insert(tip.commit).inserted {
      let found = try await place.git.versions(
        of: [tip.path], from: [commit], to: tip.commit, limit: Self.versionLimit,
        alongFirstParents: true)
      for version in found {
        guard let bytes = version.bytes, let model = (try? ModelDocument(parsing: bytes))?.model
        else { continue }
        versions[position].later.append(("\(tip.name) (\(version.commit.prefix(12)))", model))
      }
    }
  }

  private mutating func readApprovals() async throws(CommandFailure) {
    let name = ApprovalList.fileName
    if let revision = place.revision {
      if let bytes = try await place.git.blobs(["\(revision):\(name)"]).first ?? nil {
        approvals = try ReviewBase.parse(bytes, path: "\(revision):\(name)")
      }
      return
    }
    guard let directory = try await place.git.repository()?.topLevel else { return }
    top = directory
    let path = pathFromHere(joinPath(top, name))
    approvalsPath = path
    if ((try? fileAttributes(at: path)) ?? nil) != nil {
      approvals = try ReviewBase.parse(try SourceFile.read(path).bytes, path: path)
    }
  }
}
