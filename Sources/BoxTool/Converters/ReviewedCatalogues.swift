package import BoxConvert

/// The catalogues of a change under review, and the lock that they are compared with.
package struct ReviewedCatalogues {
  /// The effective catalogue of the change, then the one at the base's place if that is another
  /// file.
  ///
  /// A change can name another catalogue in its settings, with another lock beside it, or none.
  package let files: [CatalogueFile]
  /// The locked state; nil if there is none.
  package let lock: ConverterLock?

  /// Finds the catalogues, and the lock beside the catalogue of the base.
  ///
  /// - Parameters:
  ///   - path: The value of `--catalogue`, the only catalogue then.
  ///   - configuration: The value of `--config`, which then names the only catalogue.
  ///   - lock: The value of `--lock`.
  ///   - base: The base.
  /// - Throws: ``CatalogueFile/Problem`` if one is not a catalogue, ``CommandFailure`` with status
  ///   74 if there is none, or if a file cannot be read or is outside of the repository, 65 if the
  ///   lock is not valid.
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
    if let inForce { files.insert(inForce, at: 0) }
    guard let first = files.first else { throw CatalogueFile.missing }
    self.files = files
    self.lock = try await Self.lock(lock, beside: known ?? first.path, in: base)
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
    let folder = parentFolder(
      of: found?.path ?? base.git.location.prefix + ConfigurationFile.name)
    func shown(_ path: String) -> String {
      RepositoryModels.path(
        of: path, in: base.git.location.directory, from: workingFolder())
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

  /// The locked state in a revision; that of the work tree if the revision has no lock.
  private static func lock(
    _ path: String?, beside catalogue: String, in base: ReviewBase
  ) async throws(CommandFailure) -> ConverterLock? {
    let place = path ?? joinPathHere(parentFolder(of: catalogue), CatalogueFile.lockName)
    guard let name = FileInRevisions.path(of: place, in: base.git.location).first else {
      throw CommandFailure(.usage, "this is no file of the repository", path: place)
    }
    if let bytes = try await base.file(name) {
      return try CatalogueFile.parseLock(bytes, path: "\(base.revision):\(name)")
    }
    if path == nil {
      if !CatalogueFile.isFile(place) { return nil }
      try ReviewBase.requireInside(place)
    }
    return try CatalogueFile.parseLock(try SourceFile.read(place).bytes, path: place)
  }
}
