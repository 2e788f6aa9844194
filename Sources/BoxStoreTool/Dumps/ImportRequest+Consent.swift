internal import BoxDump
internal import BoxEngine
internal import BoxStorage
internal import Synchronization

/// Consent to what an import overwrites.
extension ImportRequest {
  /// The loss of an import, once it is known.
  final class FoundLoss: Sendable {
    private let loss = Mutex<Loss?>(nil)
    private let saved = Mutex<SavedLoss?>(nil)

    /// The loss; nil before it is known.
    var value: Loss? {
      get { loss.withLock { $0 } }
      set { loss.withLock { $0 = newValue } }
    }

    /// The file of what is lost; nil before it is complete.
    var file: SavedLoss? {
      get { saved.withLock { $0 } }
      set { saved.withLock { $0 = newValue } }
    }
  }

  /// Whether the import replaces objects, and nobody has agreed to what exactly is lost.
  package var isBlind: Bool { !options.isDryRun && options.mode == .replace && consent.isBlind }

  /// The request with the consent of the user to exactly the loss that a trial has found, if it needs one.
  ///
  /// A trial is made on a copy. It comes first where the real import has to write something before its objects: a model,
  /// or the place for its progress. So a code that is refused leaves every byte of the store as it was.
  ///
  /// - Throws: ``CommandFailure`` of the kind `usage` without the consent, or if it cannot be checked; of the kind
  ///   `impossible` if something else would be lost.
  func agreed(in place: Workspace) throws -> ImportRequest {
    if let rejects, let save = consent.savePath {
      try requireDifferent([rejects, RejectsFile.reasonsPath(rejects), save])
    }
    let hasStore = StorageLocation.directory(store).exists
    if hasStore { try consent.requireSavable(fromStore: store) }
    if options.isDryRun { return self }
    if !hasStore {
      if consent.isChecked { try consent.require(.none) }
      return self
    }
    if options.resumes {
      if !consent.isChecked && consent.savePath == nil && !consent.isStrict { return self }
      throw CommandFailure(
        .usage,
        "the first batches of an interrupted import are stored, so consent to it can no longer be checked",
        path: store)
    }
    var request = self
    let asks = consent.isStrict ? try canLose(in: place) : options.mode == .replace
    var loss: Loss?
    if asks {
      request.consent = try consent.agreed(asking: ask) {
        let found = try request.tried(in: place)
        loss = found
        return found
      }
    }
    if loss == nil, request.consent.isChecked, try writesFirst(in: place) {
      loss = try request.tried(in: place)
    }
    if let loss { try request.consent.require(loss) }
    return request
  }

  /// The loss that a trial finds.
  private mutating func tried(in place: Workspace) throws -> Loss {
    guard paths.count == 1 || !paths.contains("-") else {
      throw CommandFailure(
        .usage,
        "standard input can be read once, and consent needs to read it twice; name files alone")
    }
    if paths.count == 1, kept == nil { kept = try kept(paths[0], in: place) }
    var trial = self
    trial.options.isDryRun = true
    trial.rejects = nil
    var found = Loss.none
    var quiet = place
    // The import itself tells what is odd.
    quiet.observer = SilentObserver()
    _ = try trial.carryOut(in: quiet, check: { _ in }, lost: { found = $0 }, report: { _ in })
    return found
  }

  /// Whether the import can lose something: it overwrites objects that exist, or removes those whose unique values it
  /// takes over.
  private func canLose(in place: Workspace) throws -> Bool {
    if options.mode != .insert || model != nil { return true }
    return try look(in: place) { $0.displaces }
  }

  /// Whether the import has to write something to the store before its objects.
  private func writesFirst(in place: Workspace) throws -> Bool {
    if model != nil { return true }
    return try look(in: place) { try !Importer.hasProgress(in: $0) }
  }

  /// Opens the store for a look.
  func look<R>(in place: Workspace, _ body: (ObjectStore) throws -> R) throws -> R {
    let opened = try ObjectStore.open(
      .directory(store), options: access.options(isReadOnly: true, place.observer))
    defer { opened.close() }
    return try body(opened)
  }

  /// Makes the import compare and save its loss before it is committed, where that is wanted.
  ///
  /// - Returns: The loss, once the import has ended.
  func examine(_ options: inout ImportOptions) -> FoundLoss {
    let found = FoundLoss()
    let (consent, path, isDryRun) = (consent, store, options.isDryRun)
    // Nobody can agree to the rest of an interrupted import, so a dry run of it has no code.
    let isWanted = isDryRun ? !options.resumes : consent.isChecked || consent.savePath != nil
    if !isWanted || !StorageLocation.directory(store).exists { return found }
    options.batch = nil
    let words =
      [
        LossyOperation.load.rawValue, options.mode.rawValue, options.match ?? "",
        options.ids.rawValue,
        options.dangling.rawValue, options.entity ?? "",
      ] + (options.relation.map { [$0] } ?? []) + paths
    options.examining = { transaction, mark in
      try transaction.store.readCommitted { old in
        let lost = try LostObjects(
          from: old, to: transaction, since: mark, LossHash(words, onStore: path))
        let loss = lost.loss
        found.value = loss
        if isDryRun { return }
        try consent.require(loss)
        if let file = consent.savePath, !loss.isEmpty {
          found.file = try lost.save(to: file, in: old)
        }
      }
    }
    return found
  }
}
