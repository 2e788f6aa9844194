internal import BoxConvert
internal import BoxSystem

/// The catalogue of a revision, where its own settings have it.
struct RevisionCatalogue {
  /// The file, as a path from the working directory.
  let path: String
  /// The catalogue in a configuration file; nil if the file is a catalogue.
  private let part: CatalogueNode?
  /// Whether the file is a configuration file that contains the catalogue.
  var isPart: Bool { part != nil }

  /// Creates the catalogue of a file that was named.
  init(named path: String) {
    self.init(path: path, part: nil)
  }

  private init(path: String, part: CatalogueNode?) {
    self.path = path
    self.part = part
  }

  /// Finds the catalogue of a revision.
  ///
  /// - Returns: The catalogue; nil if the revision has none.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if a file cannot be read,
  ///   `badConfiguration` if the settings are wrong, or name a file outside of the repository.
  static func find(in base: ReviewBase) async throws(CommandFailure) -> RevisionCatalogue? {
    let found = try await base.nearestConfiguration()
    let directory = parentDirectory(
      of: found?.path ?? base.git.location.prefix + ConfigurationFile.name)
    func shown(_ path: String) -> String {
      RepositoryModels.path(
        of: path, in: base.git.location.directory, from: workingDirectory())
    }
    guard let found, let node = found.file.converters else {
      let beside = joinPathHere(directory, CatalogueFile.name)
      return try await base.file(beside) == nil
        ? nil : RevisionCatalogue(path: shown(beside), part: nil)
    }
    if case .text(let path) = node.content {
      try CatalogueFile.requireInside(path, from: directory, at: node.position, of: found.path)
      return RevisionCatalogue(path: shown(joinPathHere(directory, path)), part: nil)
    }
    return RevisionCatalogue(path: shown(found.path), part: node)
  }

  /// The catalogue as it is in a revision; nil if the revision has none there, or one that is not valid.
  ///
  /// - Throws: ``CommandFailure`` if a file cannot be read.
  func catalogue(in base: ReviewBase) async throws(CommandFailure) -> Catalogue? {
    if let part { return try? Catalogue(part) }
    guard let name = FileInRevisions.path(of: path, in: base.git.location).first,
      let bytes = try await base.file(name)
    else { return nil }
    return CatalogueFile.catalogue(bytes, path: path)
  }
}

/// The state of converters in a revision, by its lock and its catalogue.
struct RevisionConverters {
  /// The locked state; nil if there is no lock.
  let lock: ConverterLock?
  /// The meaning of stored values: by the lock, and for values that were not locked by the catalogue; nil
  /// without both.
  let meaning: ConverterLock?

  /// Reads the state.
  ///
  /// - Parameters:
  ///   - base: The revision.
  ///   - catalogue: Its catalogue; nil if it has none.
  ///   - lock: The lock that was named; nil for the one beside the catalogue.
  ///   - path: The catalogue beside which the lock is if the revision has none.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if a file cannot be read, `badInput` if
  ///   the lock is not valid, `usage` if it is not a file of the repository.
  init(
    of base: ReviewBase, _ catalogue: RevisionCatalogue?, lock: String?, beside path: String
  ) async throws(CommandFailure) {
    let locked = try await Self.lock(lock, beside: catalogue?.path ?? path, in: base)
    let state = try await catalogue?.catalogue(in: base).map { ConverterLock($0) }
    self.lock = locked
    meaning = state.map { locked?.completed(by: $0) ?? $0 } ?? locked
  }

  private static func lock(
    _ path: String?, beside catalogue: String, in base: ReviewBase
  ) async throws(CommandFailure) -> ConverterLock? {
    if let path {
      if let lock = try await Self.lock(at: path, in: base) { return lock }
      // A named lock has to exist, if only in the change.
      _ = try SourceFile.read(path)
      return nil
    }
    let places = CatalogueFile.LockPlaces(of: catalogue)
    if let lock = try await Self.lock(at: places.own, in: base) { return lock }
    guard let earlier = places.earlier, try await file(places.owner, in: base) == nil else {
      return nil
    }
    return try await Self.lock(at: earlier, in: base)
  }

  private static func lock(
    at place: String, in base: ReviewBase
  ) async throws(CommandFailure) -> ConverterLock? {
    guard let (name, bytes) = try await file(place, in: base) else { return nil }
    return try CatalogueFile.parseLock(bytes, path: "\(base.revision):\(name)")
  }

  /// A file in a revision, by its path from the top; nil if it does not exist.
  private static func file(
    _ place: String, in base: ReviewBase
  ) async throws(CommandFailure) -> (name: String, bytes: [UInt8])? {
    guard let name = FileInRevisions.path(of: place, in: base.git.location).first else {
      throw CommandFailure(.usage, "this is not a file of the repository", path: place)
    }
    return try await base.file(name).map { (name, $0) }
  }
}
