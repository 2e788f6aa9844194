internal import BoxMerge
internal import BoxModel
internal import BoxSystem

/// The search for elements of an earlier version that have a new UID.
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

    /// The approvals in the version that is checked, and their file if it is in a work tree.
    ///
    /// - Throws: ``CommandFailure`` of the kind `inputOutput` if they cannot be read, `badInput` if they are damaged.
    func approvals() async throws(CommandFailure) -> (list: ApprovalList, file: ApprovalFile?) {
      let name = ApprovalList.fileName
      if let revision {
        guard let bytes = try await git.blobs(["\(revision):\(name)"]).first ?? nil else {
          return (ApprovalList(), nil)
        }
        return (try ApprovalFile.list(bytes, path: "\(revision):\(name)"), nil)
      }
      guard let top = try await git.repository()?.topLevel else { return (ApprovalList(), nil) }
      let file = try ApprovalFile(top: top)
      return (file.list, file)
    }
  }

  /// An earlier version, and what was published since.
  private struct Version {
    var base: ResetBase
    var commit: String?
    /// The removals that were published after it by themselves, each with a name of the version for people.
    var released: [RenameFix: String] = [:]
  }

  /// A published ref other than the branch that is checked out.
  private struct PublishedTip {
    var name: String
    var commit: String
    var path: String
  }

  /// The maximum number of versions of a file that are read.
  private static let versionLimit = 20_000
  /// The maximum number of published refs whose merge base is looked at.
  private static let otherLimit = 8
  /// The maximum number of versions whose sources are searched.
  private static let sourceLimit = 50

  private let place: Place
  private var versions: [Version] = []
  private var published: [PublishedModel] = []
  /// Whether elements may be in versions that a shallow clone lacks.
  private(set) var isCutOff = false
  private var approvals = ApprovalList()
  /// The UIDs of new elements that the UID pool of an earlier version had, so that a developer has asked for
  /// them.
  private var offered: Set<UID> = []
  /// The file of the approvals; nil without a work tree.
  private var file: ApprovalFile?
  /// The command that states a reset.
  private let approval: String

  /// Reads the earlier versions of a model file.
  ///
  /// These are the commit that the checked version follows, or the commits of a merge; the version that is named;
  /// the published versions that it comes from; and the last ones with elements that commits in between have in
  /// their sources alone.
  ///
  /// - Parameters:
  ///   - document: The model that is checked.
  ///   - place: Its place in git.
  ///   - earlier: The version that it is compared with, and its commit, if one is named.
  ///   - published: The published models that the checked version comes from.
  ///   - otherTips: The other published refs with their commits.
  ///   - others: Called to read the models of the other published refs.
  ///   - approval: The command that states a reset.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run, `badInput` if the approvals are
  ///   damaged.
  /// - Complexity: O(*n*) in the size of the versions; two runs of git, and one for each published ref if there is
  ///   a reset.
  init(
    _ document: ModelDocument, at place: Place,
    earlier: (name: String, model: Model, commit: String?)?, published: PublishedModels,
    otherTips: [(name: String, commit: String)],
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
      // The checked-out branch does not count as a release.
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
    try await addMergeBases(with: otherTips, siblings: preceding.merged, &tips)
    // Of a file that was newly generated another rule speaks; one that was not has retired what it lacks.
    let uids = Set(document.model.entities.map(\.pair.uid)).union(
      document.model.retiredEntityUIDs ?? [])
    versions.removeAll { uids.isDisjoint(with: $0.base.model.entities.map(\.pair.uid)) }
    try await addUnbuilt(document.model)
    if versions.allSatisfy({ document.model.resets(since: $0.base).isEmpty }) {
      versions = []
      return
    }
    (approvals, file) = try await place.approvals()
    self.published += try await others().published.models.filter { $0.name != branch }
    for position in versions.indices {
      let resets = document.model.resets(since: versions[position].base)
      if !resets.isEmpty { try await findReleases(of: resets, since: position, tips) }
    }
    try await findOffers(document)
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
    guard var file else {
      throw CommandFailure(
        .impossible, "there is no work tree to write approvals to; run the command in one")
    }
    var names: [String] = []
    for (reset, _, _) in found {
      guard let element = document.lookup[reset.new.kind, reset.new.uid] else { continue }
      let name = document.model.label(element)
      names.append(name)
      file.list.add(
        StatedReset(element: name, from: reset.old.uid, to: reset.new.uid, file: place.path))
    }
    try file.write()
    approvals = file.list
    self.file = file
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
      where !approvals.states(reset, modelAt: [place.path]) && !offered.contains(reset.new.uid) {
        let verdict = self.verdict(on: reset, since: version)
        if found[reset] == nil { order.append(reset) }
        if found[reset] == nil || verdict == .open && found[reset]?.verdict != .open {
          found[reset] = (version.base, verdict)
        }
      }
    }
    // One element has one answer: from the last version that had it.
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
    if let release = version.released[reset] {
      return .settled("\(release) had neither, so the removal was published by itself")
    }
    return .open
  }

  // MARK: - Reading

  /// Adds the versions that the checked one has in common with published refs that it does not come from.
  private mutating func addMergeBases(
    with others: [(name: String, commit: String)], siblings: [Model], _ tips: inout [PublishedTip]
  ) async throws(CommandFailure) {
    let tip = place.revision.flatMap { $0.isEmpty ? nil : $0 } ?? "HEAD"
    var bases: [(name: String, commit: String)] = []
    for (name, commit) in others.prefix(Self.otherLimit) {
      tips.append(PublishedTip(name: name, commit: commit, path: place.path))
      for base in try await place.git.mergeBases(of: tip, and: commit)
      where !bases.contains(where: { $0.commit == base }) {
        bases.append(("the merge base with \(name)", base))
      }
    }
    let contents = try await place.git.blobs(bases.map { "\($0.commit):\(place.path)" })
    for ((name, commit), bytes) in zip(bases, contents) {
      guard let model = bytes.flatMap(Self.model) else { continue }
      versions.append(
        Version(base: ResetBase(name: name, model: model, siblings: siblings), commit: commit))
    }
  }

  /// Finds the removals that were published by themselves after a version.
  ///
  /// One whose sources still have the element is of a merge that nobody has built.
  private mutating func findReleases(
    of resets: [RenameFix], since position: Int, _ tips: [PublishedTip]
  ) async throws(CommandFailure) {
    guard let commit = versions[position].commit else { return }
    let base = versions[position].base.model
    let lookup = ModelLookup(base)
    var seen: Set<String> = []
    for tip in tips where tip.commit != commit && seen.insert(tip.commit).inserted {
      var open = resets
      var looks = 0
      var released: [RenameFix: String] = [:]
      try await place.git.visitVersions(
        of: [tip.path], from: [commit], to: tip.commit, limit: Self.versionLimit,
        alongFirstParents: true
      ) { version throws(CommandFailure) in
        guard let model = version.bytes.flatMap(Self.model) else { return true }
        let live = ModelLookup(model)
        // A removal before the element came back does not count.
        open.removeAll { live[$0.old.kind, $0.old.uid] != nil }
        let removed = open.filter { model.lacksBoth(of: $0) }
        if removed.isEmpty { return !open.isEmpty }
        func names(_ reset: RenameFix) -> DeclaredElement? {
          lookup[reset.old.kind, reset.old.uid].flatMap(base.declared)
        }
        let kept = try await place.git.declared(removed.compactMap(names), in: version.commit)
        for reset in removed where names(reset).map({ !kept.contains($0) }) ?? true {
          released[reset] = "\(tip.name) (\(version.commit.prefix(12)))"
        }
        open.removeAll { released[$0] != nil }
        looks += 1
        return !open.isEmpty && looks < Self.sourceLimit
      }
      versions[position].released.merge(released) { first, _ in first }
    }
  }

  /// Finds the UIDs of new elements that were on offer in a commit since the versions that lack them.
  private mutating func findOffers(_ document: ModelDocument) async throws(CommandFailure) {
    let found = open(in: document)
    if found.isEmpty { return }
    let bases = versions.filter { version in
      found.contains { $0.base.name == version.base.name }
    }.compactMap(\.commit)
    if bases.isEmpty { return }
    let wanted = Set(found.map(\.reset.new.uid))
    let tip = place.revision.flatMap { $0.isEmpty ? nil : $0 } ?? "HEAD"
    var offered: Set<UID> = []
    try await place.git.visitVersions(
      of: [place.path], from: bases, to: tip, limit: Self.versionLimit
    ) { version throws(CommandFailure) in
      let pool = version.bytes.flatMap(Self.model)?.newUIDPool ?? []
      offered.formUnion(wanted.intersection(pool))
      return offered.count < wanted.count
    }
    self.offered = offered
  }

  /// Adds the versions with elements that are new here, and that the sources of a commit had while its model had
  /// removed them.
  private mutating func addUnbuilt(_ model: Model) async throws(CommandFailure) {
    let near = versions.compactMap { version in
      version.commit.map { ($0, ModelLookup(version.base.model)) }
    }
    // The commits that lack an element, with all elements that they lack.
    var groups: [Set<String>: [(key: ElementKey, wanted: UnbuiltRemovals.Wanted)]] = [:]
    model.forEachElement { element, pair in
      guard let name = model.declared(element), !(model[retired: element.kind] ?? []).isEmpty else {
        return
      }
      let key = ElementKey(element.kind, pair.uid)
      let owner = model.entities[element.entity].pair.uid
      let lacking = near.filter { _, lookup in
        lookup[key.kind, key.uid] == nil && (key.kind == .entity || lookup.entity(owner) != nil)
      }
      if lacking.isEmpty { return }
      let wanted = UnbuiltRemovals.Wanted(name, owner: key.kind == .entity ? nil : owner)
      groups[Set(lacking.map(\.0)), default: []].append((key, wanted))
    }
    let tip = place.revision.flatMap { $0.isEmpty ? nil : $0 } ?? "HEAD"
    for (commits, elements) in groups.sorted(by: { $0.key.sorted()[0] < $1.key.sorted()[0] }) {
      // The last commit without each of them.
      var open = elements
      var origins: [String: [UnbuiltRemovals.Wanted]] = [:]
      var last = tip
      try await place.git.visitVersions(
        of: [place.path], from: commits.sorted(), to: tip, limit: Self.versionLimit,
        alongFirstParents: true
      ) { version throws(CommandFailure) in
        let lookup = version.bytes.flatMap(Self.model).map { ModelLookup($0) }
        let new = open.filter { lookup?[$0.key.kind, $0.key.uid] == nil }
        if !new.isEmpty { origins[last, default: []] += new.map(\.wanted) }
        open.removeAll { lookup?[$0.key.kind, $0.key.uid] == nil }
        last = version.commit + "^1"
        return !open.isEmpty
      }
      if !open.isEmpty { origins[last, default: []] += open.map(\.wanted) }
      for (commit, wanted) in origins.sorted(by: { $0.key < $1.key }) {
        let unbuilt = try await UnbuiltRemovals(
          of: wanted, modelAt: place.path, model, in: commit, place.git)
        versions += unbuilt.versions.map { Version(base: $0.base, commit: $0.commit) }
        isCutOff = isCutOff || unbuilt.isCutOff
      }
    }
  }

  private static func model(_ bytes: [UInt8]) -> Model? {
    (try? ModelDocument(parsing: bytes))?.model
  }
}
