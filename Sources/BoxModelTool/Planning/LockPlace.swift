internal import BoxMigration
internal import BoxModel
internal import BoxReport
internal import BoxSystem

/// The place of the file of locks, and the directory that its paths start from.
struct LockPlace {
  /// The path of the file for people.
  let path: String
  /// The directory that the names of versions start from; nil for the working directory.
  private let top: String?
  private let workspace: Workspace

  /// Finds the place: the named file, else the file in the working directory if it exists, else the
  /// file at the top of the repository.
  static func find(_ named: String?, in workspace: Workspace) async -> LockPlace {
    if let named { return LockPlace(path: named, top: nil, workspace: workspace) }
    let path = joinPathHere(workspace.directory, LockFile.fileName)
    let here = LockPlace(path: path, top: nil, workspace: workspace)
    // Only from the working directory do paths start without more.
    let isHere = workspace.directory == "."
    if isHere && exists(path) { return here }
    // Without git, or outside of a repository, there is the directory only.
    let repository = (try? await workspace.git.repository()) ?? nil
    guard let top = repository?.topLevel.flatMap({ canonicalPath($0) }),
      !isHere || top != workingDirectory()
    else { return here }
    return LockPlace(path: joinPath(top, LockFile.fileName), top: top, workspace: workspace)
  }

  private static func exists(_ path: String) -> Bool {
    ((try? fileAttributes(at: path)) ?? nil) != nil
  }

  /// Finds the lock of a base, and its place in the work tree.
  ///
  /// - Returns: The place, and the content in the base; nil for the content if the base has no
  ///   lock.
  /// - Throws: ``CommandFailure`` of the kind `usage` if the named file is not in the repository,
  ///   `badInput` with the place of the error if the lock is not valid.
  static func find(
    _ named: String?, in base: ReviewBase
  ) async throws(CommandFailure) -> (place: LockPlace, locked: LockFile?) {
    let location = base.git.location
    var paths = [LockFile.fileName]
    if let named {
      guard let path = FileInRevisions.path(of: named, in: location).first else {
        throw CommandFailure(.usage, "this is not a file of the repository", path: named)
      }
      paths = [path]
    } else if !location.prefix.isEmpty {
      paths.insert(location.prefix + LockFile.fileName, at: 0)
    }
    for path in paths {
      guard let bytes = try await base.file(path) else { continue }
      let shown = RepositoryModels.path(of: path, in: location.directory, from: workingDirectory())
      // Only from the working directory do paths start without more.
      let isHere =
        base.workspace.directory == "." && path == location.prefix + LockFile.fileName
      let top = isHere ? nil : parentDirectory(of: joinPath(location.directory, path))
      let locked = try parse(bytes, path: "\(base.revision):\(path)")
      return (
        LockPlace(path: shown, top: named == nil ? top : nil, workspace: base.workspace), locked
      )
    }
    return (await find(named, in: base.workspace), nil)
  }

  private static func parse(_ bytes: [UInt8], path: String) throws(CommandFailure) -> LockFile {
    do {
      return try LockFile(parsing: bytes)
    } catch {
      throw CommandFailure(.badInput, error.message, path: path, position: error.position)
    }
  }

  /// The content of the file.
  ///
  /// - Parameters:
  ///   - isRequired: Whether it is an error that the file does not exist.
  ///   - named: The file as the user named it, for the message; nil for the default.
  /// - Returns: The content.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if a required file does not exist,
  ///   `badInput` with the place of the error if it is not valid.
  func file(isRequired: Bool, named: String? = nil) throws(CommandFailure) -> LockFile {
    if !Self.exists(path) {
      if !isRequired { return LockFile() }
      let command = named.map { "boxjoint lock --lock \(shellQuoted($0)) FILE" }
      throw CommandFailure(
        .inputOutput,
        "there is no lock yet; create one with \(quotedCommand(command ?? "boxjoint lock FILE"))",
        path: path)
    }
    return try Self.parse(try SourceFile.read(path).bytes, path: path)
  }

  /// The name of a version in the file, for an argument that starts from the working directory.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  func name(of argument: String) async throws(CommandFailure) -> String {
    guard let top else { return pathFromHere(argument) }
    switch SourceReference(argument) {
    case .standardInput, .store: return argument
    case .file(let path):
      guard let full = canonicalPath(path), full.hasPrefix(top + "/") else { return argument }
      return String(full.dropFirst(top.count + 1))
    case .revision(let reference, let path):
      // Git takes only such paths from the working directory.
      guard path.hasPrefix("./") || path.hasPrefix("../") else { return argument }
      return "\(reference):\(try workspace.git.pathFromTop(path))"
    }
  }

  /// Reads a version by the name that the file has for it.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if it cannot be read, `badInput` if the
  ///   name leads out of the repository.
  func read(_ source: String) async throws(CommandFailure) -> SourceFile {
    try Self.requireInside(source)
    let reference = SourceReference(source)
    guard case .file = reference else { return try await reference.read(in: workspace) }
    let path = top.map { joinPath($0, source) } ?? source
    let location = workspace.git.location
    if location.isRepository, !CommittedPath.leadsInside(path, of: location.directory) {
      throw Self.outside(source)
    }
    return try SourceFile.read(pathFromHere(path))
  }

  /// Refuses the name of a version that is not in the repository: a lock is part of a change, and must
  /// not have other files read.
  ///
  /// - Throws: ``CommandFailure`` of the kind `badInput`.
  static func requireInside(_ source: String) throws(CommandFailure) {
    let reference = SourceReference(source)
    let path = if case .revision(_, let path) = reference { path } else { source }
    // A version has one name, so that not even '..' that stays inside is one.
    if reference.storeDirectory != nil || !CommittedPath.staysInside(path)
      || path.split(separator: "/").contains("..")
    {
      throw outside(source)
    }
  }

  private static func outside(_ source: String) -> CommandFailure {
    CommandFailure(
      .badInput, "a locked version is a file of the repository, named from its top", path: source)
  }
}
