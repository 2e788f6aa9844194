package import BoxConvert

/// The catalogues of a change under review, and the state of the base that they are compared with.
package struct ReviewedCatalogues {
  /// The effective catalogue of the change, then the one at the base's place if that is another
  /// file.
  ///
  /// A change can name another catalogue in its settings, with another lock beside it, or none.
  package let files: [CatalogueFile]
  /// The converters of the base.
  private let converters: RevisionConverters
  /// The converters where the change began, if the base is later.
  private let earlier: RevisionConverters?
  /// The lock that was named; nil for the one beside a catalogue.
  private let lockPath: String?

  /// Finds the catalogues, and the lock beside the catalogue of the base.
  ///
  /// - Parameters:
  ///   - path: The catalogue that was named, the only one then; nil if none was.
  ///   - configuration: The configuration file that was named, which then names the only catalogue.
  ///   - lock: The lock that was named; nil for the one beside a catalogue.
  ///   - base: The base.
  /// - Throws: ``CatalogueFile/Problem`` if one is not a catalogue, ``CommandFailure`` of the kind
  ///   `inputOutput` if no catalogue exists, or if a file cannot be read or is outside of the repository,
  ///   `badInput` if the lock is not valid.
  package init(
    _ path: String?, configuration: String?, lock: String?, in base: ReviewBase
  ) async throws {
    var files: [CatalogueFile] = []
    // Before it is read: what is wrong with a catalogue is reported with its lines.
    if let place = try path
      ?? CatalogueFile.path(
        configuration: configuration, in: base.workspace)
    {
      try ReviewBase.requireInside(place)
    }
    let inForce = try CatalogueFile.find(
      path, configuration: configuration, in: base.workspace)
    let isNamed = path != nil || configuration != nil
    let place = isNamed ? nil : try await RevisionCatalogue.find(in: base)
    if let place, let file = try Self.read(place, base.workspace), file.path != inForce?.path {
      files.append(file)
    }
    guard let first = inForce ?? files.first else { throw CatalogueFile.missing }
    if let inForce {
      files.insert(inForce, at: 0)
    } else {
      // The settings of the change name no catalogue, so that nothing is converted after it.
      files.append(.empty(path: ConfigurationFile.name))
    }
    self.files = files
    lockPath = lock
    let named = isNamed ? RevisionCatalogue(named: first.path) : nil
    let known = place?.path ?? first.path
    converters = try await RevisionConverters(
      of: base, named ?? place, lock: lock, beside: known)
    if let begin = try await base.beginning() {
      // The base may have moved its catalogue since.
      let place = isNamed ? named : try await RevisionCatalogue.find(in: begin)
      earlier = try await RevisionConverters(of: begin, place, lock: lock, beside: known)
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
    guard var meaning = converters.meaning else {
      review.meaning = changeLock
      return review
    }
    var lock = converters.lock
    if let earlier {
      let none = ConverterLock(.empty)
      meaning = meaning.withoutAdditions(since: earlier.meaning ?? none, notIn: file.catalogue)
      lock = lock?.withoutAdditions(since: earlier.lock ?? none, notIn: .empty)
    }
    // A renamed property may not have been locked again.
    if let changeLock {
      review.changeLock = changeLock.completed(by: try await renamed(changeLock))
    }
    review.meaning = try await renamed(meaning)
    if let lock { review.baseLock = try await renamed(lock) }
    return review
  }

  /// The catalogue at the place where a revision has one; nil if the file does not exist.
  private static func read(
    _ place: RevisionCatalogue, _ workspace: Workspace
  ) throws -> CatalogueFile? {
    try ReviewBase.requireInside(place.path)
    if !CatalogueFile.isFile(place.path) { return nil }
    return try CatalogueFile.find(
      place.isPart ? nil : place.path, configuration: place.isPart ? place.path : nil,
      in: workspace)
  }
}
