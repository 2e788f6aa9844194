internal import BoxMerge
internal import BoxModel
internal import BoxReport
internal import BoxSystem

/// A check of a number of files, with its findings and the outcome that follows from them.
struct ModelCheck {
  let ignored: IgnoredRules
  let fixes: Bool
  let leavesOthersOut: Bool
  /// The least severity that counts for the outcome.
  let counting: Severity
  /// The maximum number of issues listed for each rule, severity and file; the rest is counted.
  let limit: Int
  var earlier: EarlierVersion?
  /// The argument that names ``earlier``.
  var against: String?
  /// The rules about removals.
  var rules = RulesChoice()
  /// Whether ``earlier`` counts as published; nil if what is published says that.
  var publishesEarlier: Bool?
  /// Whether resets are noted as intended instead of being reverted.
  var approvesResets = false
  /// The setting that says what is published.
  let publishedSetting: Setting
  /// The patterns of the model files.
  let patterns: [FilePattern]
  /// The file of settings that the command line names.
  var configurationPath: String?

  /// The published refs by what contains them.
  private var knownReferences: [String: KnownReferences] = [:]
  private let place: Workspace
  private var findings: [Finding] = []
  private var omitted: [OmittedFindings] = []
  private var checkedPaths: [String] = []
  /// The most severe outcome of all files.
  private(set) var outcome = ReportOutcome.success
  /// The content of standard input after fixes; nil if files are fixed in place.
  private(set) var fixedBytes: [UInt8]?

  package init(
    ignored: IgnoredRules, fixes: Bool, leavesOthersOut: Bool, counting: Severity, limit: Int,
    publishedSetting: Setting, patterns: [FilePattern], in place: Workspace
  ) {
    self.place = place
    self.publishedSetting = publishedSetting
    self.patterns = patterns
    self.ignored = ignored
    self.fixes = fixes
    self.leavesOthersOut = leavesOthersOut
    self.counting = counting
    self.limit = limit
  }

  /// All findings.
  var report: Report { report(of: findings, omitted) }

  /// The findings that count for the outcome.
  var countingReport: Report {
    report(
      of: findings.filter { $0.severity >= counting },
      omitted.map { $0.with(counting) }.filter { $0.total > 0 })
  }

  private func report(of findings: [Finding], _ omitted: [OmittedFindings]) -> Report {
    var report = Report(
      findings: findings, checkedPaths: checkedPaths,
      tool: .boxjoint)
    report.omitted = omitted
    return report
  }

  /// Refuses fixes of a source that cannot be written.
  ///
  /// - Throws: ``CommandFailure`` of the kind `usage`.
  func requireFixable(_ references: [SourceReference]) throws(CommandFailure) {
    guard fixes else { return }
    for case .revision(let name, let path) in references {
      throw CommandFailure(
        .usage, "a revision cannot be fixed; name the file itself", path: "\(name):\(path)")
    }
    for directory in references.compactMap(\.storeDirectory)
      + references.compactMap(\.unnamedStoreDirectory)
    {
      throw CommandFailure(
        .usage, "a store cannot be fixed; name the model file that it is opened with",
        path: directory)
    }
    for case .file(let path) in references where DescriptorPath.descriptor(of: path) != nil {
      throw CommandFailure(
        .usage, "fixes are written to a file; use - to read standard input", path: path)
    }
    if references.contains(.standardInput), references.count > 1 {
      throw CommandFailure(.usage, "fix standard input alone, without other files")
    }
  }

  /// Adds findings that are about no model.
  mutating func add(_ found: [Finding]) {
    findings += found
    for finding in found where finding.severity >= counting { count(.findings) }
  }

  /// Checks a file.
  ///
  /// One that cannot be read is a notice, and counts.
  mutating func check(_ reference: SourceReference) async {
    do throws(CommandFailure) {
      if earlier?.isInRevision ?? false, case .file(let path) = reference {
        try ReviewBase.requireInside(path)
      }
      try await check(try await reference.read(in: place), reference)
    } catch {
      place.observer.receive(Notice(.failure, error.line))
      count(.failed(error.kind))
    }
  }

  private mutating func check(
    _ source: SourceFile, _ reference: SourceReference
  ) async throws(CommandFailure) {
    let document: ModelDocument
    do {
      document = try ModelDocument(
        parsing: source.bytes, issueLimit: max(limit, ModelDocument.formIssueLimit))
    } catch {
      let isPointer = error.rule == ModelRule.conflictMarkers && LFSPointer.isPointer(source.bytes)
      if leavesOthersOut, !isPointer, !error.isAboutModel(source.bytes),
        try await earlier?.wasModel(reference) != true
      {
        return
      }
      checkedPaths.append(source.path)
      findings.append(error.finding(path: source.path, bytes: source.bytes))
      return count(.failed(.badInput))
    }
    try await check(document, of: source, reference)
  }

  private mutating func check(
    _ read: ModelDocument, of file: SourceFile, _ reference: SourceReference
  ) async throws(CommandFailure) {
    var document = read
    let earlier = try await earlierVersion(of: file, document.model, reference)
    let ignored = ignored
    let source = try await published(document, reference)
    let publishesEarlier = try await publishesEarlier(source, reference)
    var resets = try await resets(document, earlier, source, reference)
    // A fix can restore a UID that only the published history has.
    let givesBack = fixes && !(resets?.issues(of: document).isEmpty ?? true)
    let published = try await settling(
      document, earlier, source?.models, publishesEarlier, withHistory: givesBack)
    if resets?.isCutOff ?? false {
      say(
        .warning,
        "\(file.path): the clone is shallow, so that elements which a merge removed may be missed; "
          + "run `git fetch --unshallow`")
    }
    if approvesResets, let names = try resets?.approve(document) {
      for name in names {
        say(.change, "\(file.path): noted that \(name) begins without data [BOX210]")
      }
    }
    let conversions = try await statedConversions(document, earlier, source, file)
    let approval = source.map { approvalCommand(for: reference, at: $0.place) }
    func issues(_ document: ModelDocument, limit: Int) -> ModelIssues {
      var found = document.check(limit: limit)
      if let earlier {
        let settled = published.flatMap {
          SettledModel(
            document, since: earlier, published: $0.published, publishesEarlier: publishesEarlier)
        }
        found.append(
          contentsOf: document.check(
            against: earlier, limit: limit, settled: settled?.numbers, conversions: conversions,
            approval: approval))
      }
      if let resets { found.append(contentsOf: resets.issues(of: document)) }
      found.removeAll(where: ignored.contains)
      return found
    }
    if fixes {
      let fixed = document.fixed { issues($0, limit: .max).listed }
      try write(fixed.document, of: file, reference)
      for issue in fixed.applied {
        if let fix = issue.fix {
          say(.change, "\(file.path): fixed: \(fix.summary) [\(issue.rule.id)]")
        }
      }
      document = fixed.document
    }
    checkedPaths.append(file.path)
    let found = issues(document, limit: limit)
    let command =
      !fixes && reference.isFixable && document.isChanged(byFixing: found.listed)
      ? fixCommand(for: reference) : nil
    for issue in found.listed {
      var finding = document.finding(issue, path: file.path)
      if command == nil { finding.fix = nil }
      if finding.fix != nil { finding.fixCommand = command }
      findings.append(finding)
      count(issue.rule, issue.severity)
    }
    if let rules = try await rules.file(for: document.model, reference, place) {
      for finding in rules.findings where !ignored.contains(finding.rule) {
        findings.append(finding)
        if finding == rules.error { count(.failed(.badInput)) }
        count(finding.rule, finding.severity)
      }
    }
    if found.omitted.isEmpty { return }
    var omitted = OmittedFindings(path: file.path)
    for kind in found.omitted {
      omitted.add(kind.count, kind.severity, fixable: command == nil ? 0 : kind.fixable)
      count(kind.rule, kind.severity)
    }
    self.omitted.append(omitted)
  }

  /// The published models that a file is held against, and its place.
  private struct PublishedSource {
    var place: ResetSearch.Place
    var references: KnownReferences
    var wanted: PublishedModels.Wanted
    /// The models in the versions that the file comes from.
    var models: PublishedModels
  }

  /// The published models in the versions that a file comes from; nil outside of a repository.
  ///
  /// The merge that brings what others have published since settles that.
  private mutating func published(
    _ document: ModelDocument, _ reference: SourceReference
  ) async throws(CommandFailure) -> PublishedSource? {
    guard place.git.isInstalled() else { return nil }
    let location: ResetSearch.Place
    switch reference {
    case .file(let path):
      if DescriptorPath.descriptor(of: path) != nil { return nil }
      let file = FileInRevisions.underReview(path, place.git)
      location = ResetSearch.Place(git: file.git, path: file.name, revision: nil)
    case .revision(let named, let path):
      location = ResetSearch.Place(
        git: place.git, path: try place.git.pathFromTop(path), revision: named)
    case .standardInput, .store: return nil
    }
    guard let references = try await references(containedIn: location.revision, location.git)
    else { return nil }
    let wanted = PublishedModels.Wanted(
      path: location.path, model: document.model, patterns: patterns)
    let models = try await PublishedModels.lookUp(
      wanted, references.contained, isDefault: false, git: location.git)
    return PublishedSource(
      place: location, references: references, wanted: wanted, models: models)
  }

  /// Whether the earlier version is a published one; true if that is not known.
  ///
  /// All of its elements keep their ids then, also those that only a branch has.
  private func publishesEarlier(
    _ source: PublishedSource?, _ reference: SourceReference
  ) async throws(CommandFailure) -> Bool {
    if let publishesEarlier { return publishesEarlier }
    guard let source, !source.references.all.isEmpty,
      let commit = try await earlier?.commit(since: source.place.revision, source.place.git)
    else { return true }
    return try await !source.place.git.ancestors(among: [commit], of: source.references.all).isEmpty
  }

  /// The published models by which the ids of a file are settled; nil if it is compared with nothing.
  private func settling(
    _ document: ModelDocument, _ earlier: ModelDocument?, _ models: PublishedModels?,
    _ publishesEarlier: Bool, withHistory: Bool
  ) async throws(CommandFailure) -> PublishedModels? {
    guard let earlier else { return nil }
    let models = models ?? PublishedModels()
    let settled = SettledModel(
      document, since: earlier, published: models.published, publishesEarlier: publishesEarlier)
    guard withHistory || settled?.asksForPublishedHistory ?? false else { return models }
    return try await models.withHistory() ?? models
  }

  /// The search for resets; nil outside of a repository.
  private func resets(
    _ document: ModelDocument, _ earlier: ModelDocument?, _ source: PublishedSource?,
    _ reference: SourceReference
  ) async throws(CommandFailure) -> ResetSearch? {
    guard let source, document.isComplete else { return nil }
    var version: (name: String, model: Model, commit: String?)?
    if let earlier, let against {
      version = (
        against, earlier.model,
        try await self.earlier?.commit(since: source.place.revision, source.place.git)
      )
    }
    return try await ResetSearch(
      document, at: source.place, earlier: version, published: source.models,
      otherTips: source.references.others.resolved.map { ($0.name, $0.commit) },
      others: { () async throws(CommandFailure) in
        try await PublishedModels.lookUp(
          source.wanted, source.references.others, isDefault: false, git: source.place.git)
      },
      approval: approvalCommand(for: reference, at: source.place))
  }

  /// The changes of types since an earlier version that are stated, and with `--approve` all of them.
  private func statedConversions(
    _ document: ModelDocument, _ earlier: ModelDocument?, _ source: PublishedSource?,
    _ file: SourceFile
  ) async throws(CommandFailure) -> Set<TypeDifference> {
    let changes = earlier.map { document.model.typeDifferences(since: $0.model) } ?? []
    guard !changes.isEmpty, let place = source?.place else { return [] }
    let (list, approvals) = try await place.approvals()
    let open = changes.filter { !list.states($0, modelAt: [place.path]) }
    guard approvesResets, !open.isEmpty else { return Set(changes).subtracting(open) }
    guard var approvals else {
      throw CommandFailure(
        .impossible, "there is no work tree to write approvals to; run the command in one")
    }
    for change in open {
      approvals.list.add(StatedConversion(change, file: place.path))
      say(
        .change,
        "\(file.path): noted that stores convert \(change.element) from \(change.before) to "
          + "\(change.after) [BOX205]")
    }
    try approvals.write()
    return Set(changes)
  }

  /// The command line that notes what is meant.
  private func approvalCommand(
    for reference: SourceReference, at place: ResetSearch.Place
  ) -> String {
    fixCommand(for: workTreeFile(reference), approvesResets: true)
      + (place.revision == "" ? " && git add :/\(ApprovalList.fileName)" : "")
  }

  /// The file of the work tree that a version in a revision belongs to, for advice.
  private func workTreeFile(_ reference: SourceReference) -> SourceReference {
    guard case .revision(_, let path) = reference, let name = try? place.git.pathFromTop(path),
      place.git.location.isRepository
    else { return reference }
    let top = place.git.location.directory
    return .file(RepositoryModels.path(of: name, in: top, from: workingDirectory()))
  }

  /// The published refs that a version contains, and the commits of all of them.
  private struct KnownReferences {
    var contained: PublishedReferences
    var others: PublishedReferences
    var all: [String]
  }

  /// The published refs that a revision, or what is checked out, contains; nil outside of a repository.
  private mutating func references(
    containedIn revision: String?, _ git: GitClient
  ) async throws(CommandFailure) -> KnownReferences? {
    let key = git.location.directory + "\n" + (revision ?? "")
    if let known = knownReferences[key] { return known }
    guard try await git.repository() != nil else { return nil }
    var references = try await PublishedReferences.resolve(
      publishedSetting, git: git, dated: false)
    // The index becomes the commit after HEAD.
    let named = revision.flatMap { $0.isEmpty ? nil : [$0] }
    let tips = try await git.resolve(all: named ?? ["HEAD", "MERGE_HEAD"])
      .compactMap(\.self)
    let all = (references.resolved + [references.head].compactMap(\.self)).map(\.commit)
    let contained = try await git.ancestors(among: references.resolved.map(\.commit), of: tips)
    var others = references
    others.resolved.removeAll { contained.contains($0.commit) }
    others.unresolved = []
    others.head = nil
    references.resolved.removeAll { !contained.contains($0.commit) }
    // An id is a question only where two sides have it.
    references.unresolved = []
    references.head = nil
    let known = KnownReferences(contained: references, others: others, all: all)
    knownReferences[key] = known
    return known
  }

  /// The command line that applies the fixes of a file, or notes that its resets are meant.
  private func fixCommand(for reference: SourceReference, approvesResets: Bool = false) -> String {
    let file = shellOperand(reference.argument)
    let settings = configurationPath.map { " --config \(shellQuoted($0))" } ?? ""
    guard let against else {
      return approvesResets
        ? "boxjoint check --fix --approve\(settings) \(file)"
        : "boxjoint check --fix\(settings) \(file)"
    }
    let version = shellQuoted(against)
    return approvesResets
      ? "boxjoint check --against \(version) --fix --approve\(settings) \(file)"
      : "boxjoint check --against \(version) --fix\(settings) \(file)"
  }

  private mutating func count(_ rule: Rule, _ severity: Severity) {
    if rule == ModelRule.versionTooNew {
      count(.failed(.badInput))
    } else if severity >= counting {
      count(.findings)
    }
  }

  private func earlierVersion(
    of file: SourceFile, _ model: Model, _ reference: SourceReference
  ) async throws(CommandFailure) -> ModelDocument? {
    switch try await earlier?.read(of: reference, model) {
    case nil: return nil
    case .document(let document): return document
    case .nothing(let reason):
      say(.note, "\(file.path): note: \(reason)")
      return nil
    }
  }

  /// Writes a fixed file, if there was something to fix.
  private mutating func write(
    _ document: ModelDocument, of source: SourceFile, _ reference: SourceReference
  ) throws(CommandFailure) {
    guard case .file(let path) = reference else {
      fixedBytes = document.bytes
      return
    }
    guard document.bytes != source.bytes else { return }
    guard try SourceFile.read(path).bytes == source.bytes else {
      throw CommandFailure(
        .inputOutput, "the file was changed during the check and was not written; try again",
        path: path)
    }
    try AtomicFile.write(document.bytes, to: path)
  }

  private mutating func count(_ outcome: ReportOutcome) {
    self.outcome = max(self.outcome, outcome)
  }

  private func say(_ kind: Notice.Kind, _ line: String) {
    place.observer.receive(Notice(kind, line))
  }
}

extension SourceReference {
  /// Whether fixes can be written to what it stands for.
  fileprivate var isFixable: Bool {
    switch self {
    case .standardInput: true
    case .file(let path):
      DescriptorPath.descriptor(of: path) == nil && unnamedStoreDirectory == nil
    case .revision, .store: false
    }
  }
}
