internal import BoxEngine
internal import BoxMigration
internal import BoxModel
internal import BoxReport
internal import BoxStoreTool
internal import BoxWorkspace

/// The model file that stores are compared with, and its versions in git.
///
/// The commands `boxjoint plan` and `boxjoint history` make the same requests, which run git as docs/security.md says.
/// A page waits for git for a limited time, and no transaction is open meanwhile.
final class ModelVersions: Sendable {
  /// The versions of a model.
  struct Versions: Sendable {
    /// The history in git.
    var history: FileHistory
    /// The model of the file in the work tree; nil if it is not there, or not a model.
    var current: Model?
  }

  /// The file, or `REF:PATH`, as the user named it; nil for the only model of the repository.
  let argument: String?
  private let configurationPath: String?
  private let place: Workspace
  private let changes = BackgroundWork<PlanReview?>()
  private let histories = BackgroundWork<Versions?>()

  init(_ argument: String?, configurationPath: String?, in place: Workspace) {
    self.argument = argument
    self.configurationPath = configurationPath
    self.place = place
  }

  /// A result that may not be there in time.
  enum Answer<Value> {
    case value(Value)
    /// There is no model to compare with.
    case none
    /// Git has not ended yet.
    case late
  }

  /// The change from the model of a store to the model file, without counts.
  ///
  /// - Throws: ``CommandFailure``, as `ChangeRequest`.
  func change(
    of store: BrowseStore, within limit: Duration, _ cancellation: BrowseCancellation
  ) throws -> Answer<PlanReview> {
    let (argument, configurationPath, place) = (argument, configurationPath, place)
    let (path, session) = (store.path, store.session)
    let found = try changes.result(
      path, within: limit, isCancelled: { cancellation.isRequested }
    ) { () -> PlanReview? in
      guard let model = try await Self.model(argument, configurationPath, place) else { return nil }
      var request = ChangeRequest([SourceReference.store(path).argument, model])
      request.access = StoreAccess(session: session)
      request.counts = false
      request.configurationPath = configurationPath
      return try await request.run(in: place)
    }
    return Self.answer(found)
  }

  /// The versions of the model file.
  ///
  /// - Parameters:
  ///   - count: The maximum number of versions.
  ///   - limit: The time for which the caller waits.
  ///   - cancellation: The request of the reader to end.
  /// - Returns: The versions, the latest first.
  /// - Throws: ``CommandFailure``, as `HistoryRequest`.
  func history(
    _ count: Int, within limit: Duration, _ cancellation: BrowseCancellation
  ) throws -> Answer<Versions> {
    let (argument, configurationPath, place) = (argument, configurationPath, place)
    let found = try histories.result(
      "\(count)", within: limit, isCancelled: { cancellation.isRequested }
    ) { () -> Versions? in
      guard let model = try await Self.model(argument, configurationPath, place) else { return nil }
      var request = HistoryRequest(Self.file(of: model, place))
      request.limit = count
      request.configuration.configurationPath = configurationPath
      guard let history = try await request.run(in: place) else { return nil }
      guard case .file(let path) = SourceReference(model) else {
        return Versions(history: history)
      }
      return Versions(
        history: history,
        current: (try? SourceFile.read(path)).flatMap { try? ModelDocument(parsing: $0.bytes) }?
          .model)
    }
    return Self.answer(found)
  }

  private static func answer<Value>(_ found: Value??) -> Answer<Value> {
    guard let found else { return .late }
    return found.map { .value($0) } ?? .none
  }

  /// The model that is named, or the only one of the repository, as `boxjoint plan` finds it.
  private static func model(
    _ argument: String?, _ configurationPath: String?, _ place: Workspace
  ) async throws(CommandFailure) -> String? {
    if let argument { return argument }
    let settings = try await EffectiveConfiguration.load(
      EffectiveConfiguration.Options(configurationPath: configurationPath), in: place)
    switch try await NewVersion.find([], settings, isRequired: false, in: place) {
    case .named(let path), .found(let path, _): return path
    case .onlyInBase, nil: return nil
    }
  }

  /// The file whose history an argument means: for `REF:PATH`, the file at this path.
  private static func file(of argument: String, _ place: Workspace) -> String {
    guard case .revision(_, let path) = SourceReference(argument) else { return argument }
    return joinPathHere(place.git.location.directory, (try? place.git.pathFromTop(path)) ?? path)
  }
}
