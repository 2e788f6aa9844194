package import BoxConvert

/// The catalogues of a change under review, and the state of the base that they are compared with.
package struct ReviewedCatalogues {
  /// The effective catalogue of the change, then the one at the base's place if that is another
  /// file.
  ///
  /// A change can name another catalogue in its settings, with another lock beside it, or none.
  package let files: [CatalogueFile]
  /// The lock of the base; nil if there is none.
  private let lock: ConverterLock?
  /// The meaning of stored values in the base; nil if it has neither a lock nor a catalogue.
  private let meaning: ConverterLock?
  /// The same where the change began, if the base is later.
  private let earlier: (lock: ConverterLock, meaning: ConverterLock)?
  /// The value of `--lock`.
  private let lockPath: String?

  /// Finds the catalogues, and the lock beside the catalogue of the base.
  ///
  /// - Parameters:
  ///   - path: The value of `--catalogue`, the only catalogue then.
  ///   - configuration: The value of `--config`, which then names the only catalogue.
  ///   - lock: The value of `--lock`.
  ///   - base: The base.
  /// - Throws: ``CatalogueFile/Problem`` if one is not a catalogue, ``CommandFailure`` of the kind
  ///   `inputOutput` if there is none, or if a file cannot be read or is outside of the repository,
  ///   `badInput` if the lock is not valid.
  package init(
    _ path: String?, configuration: String?, lock: String?, in base: ReviewBase
  ) async throws {
    var files: [CatalogueFile] = []
    var known: String?
    // Before it is read: what is wrong with a catalogue is reported with its lines.
    if let place = try path
      ?? CatalogueFile.path(
        configuration: configuration, in: base.workspace)
    {
      try ReviewBase.requireInside(place)
    }
    let inForce = try CatalogueFile.find(
      path, configuration: configuration, in: base.workspace)
    if path == nil, configuration == nil, let place = try await Self.place(in: base) {
      known = place.path
      let file = try Self.read(place.path, isPart: place.isPart, base.workspace)
      if let file, file.path != inForce?.path { files.append(file) }
    }
    guard let first = inForce ?? files.first else { throw CatalogueFile.missing }
    if let inForce {
      files.insert(inForce, at: 0)
    } else {
      // The settings of the change name none, so that nothing is converted any more.
      files.append(.empty(path: ConfigurationFile.name))
    }
    self.files = files
    let place = known ?? first.path
    self.lock = try await Self.lock(lock, beside: place, in: base)
    lockPath = lock
    let named = path == nil && configuration == nil ? nil : place
    meaning = try await Self.meaning(named, self.lock, in: base)
    if let begin = try await base.beginning() {
      let begun = try await Self.lock(lock, beside: place, in: begin)
      let meant = try await Self.meaning(named, begun, in: begin)
      earlier = (begun ?? ConverterLock(.empty), meant ?? ConverterLock(.empty))
    } else {
      earlier = nil
    }
  }

  /// The states that a catalogue is compared with.
  ///
  /// - Parameters:
  ///   - file: One of the catalogues.
  ///   - renamed: Gives the properties of a lock the names that they have in the change.
  /// - Returns: The states of the base and of the change.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if the lock of the change cannot be
  ///   read, `badInput` if it is not valid.
  package func review(
    of file: CatalogueFile, renamed: (ConverterLock) async throws(CommandFailure) -> ConverterLock
  ) async throws(CommandFailure) -> LockReview {
    let place = file.lockPath(lockPath)
    var changeLock: ConverterLock?
    if CatalogueFile.isFile(place) {
      try ReviewBase.requireInside(place)
      changeLock = try file.lock(lockPath)
    }
    var review = LockReview(meaning: nil, baseLock: nil, changeLock: changeLock)
    guard var meaning else {
      review.meaning = changeLock
      return review
    }
    var lock = lock
    if let earlier {
      meaning = meaning.withoutAdditions(since: earlier.meaning, notIn: file.catalogue)
      lock = lock?.withoutAdditions(since: earlier.lock, notIn: .empty)
    }
    // Whoever renamed a property may not have locked it again.
    if let changeLock {
      review.changeLock = changeLock.completed(by: try await renamed(changeLock))
    }
    review.meaning = try await renamed(meaning)
    if let lock { review.baseLock = try await renamed(lock) }
    return review
  }

  /// The meaning of stored values in a revision: that of its lock, and of its catalogue for what was not
  /// locked.
  ///
  /// - Parameters:
  ///   - path: The catalogue, if one was named.
  ///   - lock: The lock of the revision.
  ///   - base: The revision.
  /// - Returns: The meaning; nil if there is neither a lock nor a catalogue.
  /// - Throws: ``CommandFailure`` if a file cannot be read.
  private static func meaning(
    _ path: String?, _ lock: ConverterLock?, in base: ReviewBase
  ) async throws(CommandFailure) -> ConverterLock? {
    let state = try await catalogue(path, in: base).map { ConverterLock($0) }
    guard let lock else { return state }
    return state.map { lock.completed(by: $0) } ?? lock
  }

  /// The catalogue of a revision; nil if it has none, or one that is not valid.
  private static func catalogue(
    _ named: String?, in base: ReviewBase
  ) async throws(CommandFailure) -> Catalogue? {
    var place = named
    if named == nil {
      guard let found = try await self.place(in: base) else { return nil }
      if found.isPart {
        let node = try await base.nearestConfiguration()?.file.converters
        return node.flatMap { try? Catalogue($0) }
      }
      place = found.path
    }
    guard let place, let name = FileInRevisions.path(of: place, in: base.git.location).first,
      let bytes = try await base.file(name)
    else { return nil }
    return CatalogueFile.catalogue(bytes, path: place)
  }

  /// The catalogue at the place where a revision has one; nil if the file does not exist.
  private static func read(
    _ path: String, isPart: Bool, _ workspace: Workspace
  ) throws -> CatalogueFile? {
    try ReviewBase.requireInside(path)
    if !CatalogueFile.isFile(path) { return nil }
    return try CatalogueFile.find(
      isPart ? nil : path, configuration: isPart ? path : nil, in: workspace)
  }

  /// The place of a revision's catalogue, as a path from the working directory; nil if it has none.
  private static func place(
    in base: ReviewBase
  ) async throws(CommandFailure) -> (path: String, isPart: Bool)? {
    let found = try await base.nearestConfiguration()
    let folder = parentDirectory(
      of: found?.path ?? base.git.location.prefix + ConfigurationFile.name)
    func shown(_ path: String) -> String {
      RepositoryModels.path(
        of: path, in: base.git.location.directory, from: workingDirectory())
    }
    switch found?.file.converters?.content {
    case nil:
      let beside = joinPathHere(folder, CatalogueFile.name)
      return try await base.file(beside) == nil ? nil : (shown(beside), false)
    case .text(let path):
      try CatalogueFile.requireInside(
        path, from: folder, at: found?.file.converters?.position,
        of: found?.file.path ?? ConfigurationFile.name)
      return (shown(joinPathHere(folder, path)), false)
    default: return (shown(found?.path ?? ConfigurationFile.name), true)
    }
  }

  /// The locked state in a revision; nil if it has none.
  private static func lock(
    _ path: String?, beside catalogue: String, in base: ReviewBase
  ) async throws(CommandFailure) -> ConverterLock? {
    let place = path ?? joinPathHere(parentDirectory(of: catalogue), CatalogueFile.lockName)
    guard let name = FileInRevisions.path(of: place, in: base.git.location).first else {
      throw CommandFailure(.usage, "this is not a file of the repository", path: place)
    }
    if let bytes = try await base.file(name) {
      return try CatalogueFile.parseLock(bytes, path: "\(base.revision):\(name)")
    }
    // What was named has to exist, if only in the change.
    if path != nil { _ = try SourceFile.read(place) }
    return nil
  }
}
