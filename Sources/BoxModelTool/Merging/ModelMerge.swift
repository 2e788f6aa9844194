internal import BoxMerge
internal import BoxModel

/// A merge of one model file, with the places of what it asks for.
///
/// The driver, `merge`, `resolve`, `ci merge` and the check of a queue merge by it. Git and the settings are
/// read only if the ``MergeSession`` asks, and once, however often the answers to conflicts change.
struct ModelMerge: Sendable {
  /// The versions, and the answers to conflicts.
  var input: MergeInput
  /// The file, from the top of the repository.
  var path: String
  var git: GitClient
  /// The settings that say what is published and how many earlier versions are read.
  var settings: Settings
  /// The words of a refusal.
  var words = RefusalWords()
  /// The earlier versions of both sides in git.
  var lines: Lines
  /// The published models, if they are known before; nil if they are looked up.
  var given: PublishedModels?
  /// Whether reports say how old what was fetched is.
  var isDated = false

  private var found: PublishedModels?
  private var foundWithHistory: PublishedModels?
  private var isHistoryRead = false

  /// The place of the earlier versions of both sides.
  struct Lines: Sendable {
    /// The contents of the sides as they are in git.
    var ours: [UInt8]
    var theirs: [UInt8]
    /// Whether the merge is known to be the merge of the tips; nil if git's configuration decides.
    var isOuterMerge: Bool? = true
    /// Finds the commits of the sides; nil if they are not known.
    var commits: @Sendable () async throws(CommandFailure) -> SideCommits?
  }

  /// The settings, loaded once.
  enum Settings: Sendable {
    case loaded(EffectiveConfiguration)
    /// The lines of a workspace.
    case of(Workspace)
  }

  /// The reason for a failed merge.
  enum Failure: Error {
    /// The files are not merged, for a reason that the record has.
    case refused(MergeRecord)
    case failed(CommandFailure)
  }

  init(
    _ input: MergeInput, path: String, git: GitClient, settings: Settings, lines: Lines,
    published: PublishedModels? = nil
  ) {
    self.input = input
    self.path = path
    self.git = git
    self.settings = settings
    self.lines = lines
    given = published
  }

  /// Merges with all that can change the result.
  ///
  /// A history that cannot be read leaves its conflicts open.
  ///
  /// - Throws: ``Failure`` if the merge was refused or something cannot be read.
  mutating func run() async throws(Failure) -> MergeRun {
    var session = try session()
    var published = given
    do throws(CommandFailure) {
      while let question = session.question {
        switch question {
        case .history: session.answer(history: await history())
        case .published:
          published = try await lookUp()
          session.answer(question, published: published?.published)
        case .publishedHistory:
          let models = try await withHistory(published)
          published = models ?? published
          session.answer(question, published: models?.published)
        }
      }
    } catch {
      throw .failed(error)
    }
    return MergeRun(session: session, published: published)
  }

  private func session() throws(Failure) -> MergeSession {
    var input = input
    if let given { input.published = given.published }
    do throws(MergeRefusal) {
      return try MergeSession(input, answered: given == nil ? [] : [.published])
    } catch {
      throw .refused(words.record(of: error, input, given))
    }
  }

  private mutating func history() async -> FieldHistory? {
    if !isHistoryRead {
      isHistoryRead = true
      input.history = try? await readHistory()
    }
    return input.history
  }

  private mutating func readHistory() async throws(CommandFailure) -> FieldHistory? {
    guard let commits = try await lines.commits() else { return nil }
    let reader = SideLines(
      commits: commits, limit: try await settings.load().historyLimit, git: git,
      isOuterMerge: lines.isOuterMerge)
    return try await reader.read(path, ours: lines.ours, theirs: lines.theirs)
  }

  private mutating func lookUp() async throws(CommandFailure) -> PublishedModels {
    if let found { return found }
    let settings = try await settings.load()
    let wanted = PublishedModels.Wanted(
      path: path, model: input.ours.model, patterns: settings.filePatterns)
    let models = try await PublishedModels.lookUp(
      wanted, settings[.published], git: git, dated: isDated)
    found = models
    return models
  }

  private mutating func withHistory(
    _ models: PublishedModels?
  ) async throws(CommandFailure) -> PublishedModels? {
    if foundWithHistory == nil { foundWithHistory = try await models?.withHistory() }
    return foundWithHistory
  }
}

extension ModelMerge.Settings {
  fileprivate mutating func load() async throws(CommandFailure) -> EffectiveConfiguration {
    switch self {
    case .loaded(let settings): return settings
    case .of(let place):
      let settings = try await EffectiveConfiguration.load(in: place)
      self = .loaded(settings)
      return settings
    }
  }
}

/// The end of a merge, with the published models that decided it.
struct MergeRun: Sendable {
  var session: MergeSession
  /// The published models; nil if the merge did not depend on them, so that they were not looked up.
  var published: PublishedModels?

  var result: MergeResult { session.result }

  /// The record for reports.
  func record(notes: [String] = []) -> MergeRecord {
    MergeRecord(
      status: result.isClean ? .merged : .conflicts, decisions: result.decisions,
      conflicts: result.conflicts, published: published?.published.sources ?? [],
      notes: notes + (published?.notes ?? []))
  }
}
