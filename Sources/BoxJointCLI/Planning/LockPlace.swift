internal import BoxMigration

/// Where the file of locks is, and what the paths in it start from.
struct LockPlace {
  /// The file as people read it.
  let path: String
  /// The folder that the names of versions start from; nil for the working folder.
  private let top: String?

  /// Finds the place: the one that is named, that of the working folder if there is one, and else the
  /// top of the repository.
  static func find(_ named: String?) async -> LockPlace {
    if let named { return LockPlace(path: named, top: nil) }
    let here = LockPlace(path: LockFile.fileName, top: nil)
    if exists(LockFile.fileName) { return here }
    // Without git, or outside of a repository, there is the folder only.
    let repository = (try? await GitClient().repository()) ?? nil
    guard let top = repository?.topLevel.flatMap({ canonicalPath($0) }), top != workingFolder()
    else { return here }
    return LockPlace(path: joinPath(top, LockFile.fileName), top: top)
  }

  private static func exists(_ path: String) -> Bool {
    ((try? fileAttributes(at: path)) ?? nil) != nil
  }

  /// The content of the file.
  ///
  /// - Throws: ``CommandFailure`` with status 74 if it is not there and has to be, 65 with the place of
  ///   what is wrong in it.
  func file(isRequired: Bool) throws(CommandFailure) -> LockFile {
    if !Self.exists(path) {
      if !isRequired { return LockFile() }
      throw CommandFailure(
        .inputOutput, "there is no lock yet; 'boxjoint lock FILE' makes one", path: path)
    }
    let bytes = try SourceFile.read(path).bytes
    do {
      return try LockFile(parsing: bytes)
    } catch {
      throw CommandFailure(.badInput, error.message, path: path, position: error.position)
    }
  }

  /// What the file calls a version that somebody named from the working folder.
  ///
  /// - Throws: ``CommandFailure`` with status 74 if git cannot be run.
  func name(of argument: String) async throws(CommandFailure) -> String {
    guard let top else { return argument }
    switch SourceReference(argument) {
    case .standardInput: return argument
    case .file(let path):
      guard let full = canonicalPath(path), full.hasPrefix(top + "/") else { return argument }
      return String(full.dropFirst(top.count + 1))
    case .revision(let reference, let path):
      // Git takes only such paths from the working folder.
      guard path.hasPrefix("./") || path.hasPrefix("../") else { return argument }
      let prefix = try await GitClient().require(["rev-parse", "--show-prefix"]).text
      var parts: [Substring] = []
      for part in (prefix + path).split(separator: "/") where part != "." {
        if part == ".." { _ = parts.popLast() } else { parts.append(part) }
      }
      return "\(reference):\(parts.joined(separator: "/"))"
    }
  }

  /// Reads a version by the name that the file has for it.
  ///
  /// - Throws: ``CommandFailure`` with status 74 if it cannot be read.
  func read(_ source: String) async throws(CommandFailure) -> SourceFile {
    guard let top else { return try await SourceReference(source).read() }
    let path = joinPath(top, source)
    if !Self.exists(path), case .revision = SourceReference(source) {
      return try await SourceReference(source).read(git: GitClient(in: top))
    }
    return try SourceFile.read(pathFromHere(path))
  }
}
