package import BoxConvert
internal import BoxJSON
package import BoxModel
package import BoxReport
internal import BoxSystem

/// A catalogue of converters and the file that it comes from.
package struct CatalogueFile {
  /// The name of the file that is looked for.
  package static let name = "converters.yml"

  /// The file as the user named it.
  package let path: String
  package let catalogue: Catalogue
  private let bytes: [UInt8]

  /// A catalogue that could not be taken.
  package struct Problem: Error {
    package var path: String
    package var error: CatalogueError
    package var bytes: [UInt8]

    /// The problem as the reason why a command ends.
    package var failure: CommandFailure {
      CommandFailure(.badConfiguration, error.message, path: path, position: error.position)
    }

    package var finding: Finding { error.finding(path: path).withSourceLine(of: SourceText(bytes)) }
  }

  /// The failure of a missing catalogue.
  package static let missing = CommandFailure(
    .inputOutput,
    "there is no catalogue: 'converters' in .boxjoint.yml names none, and there is no " + name,
    remedy: .nameCatalogue)

  /// The place of a catalogue.
  private enum Place {
    case file(String)
    /// A part of a configuration file.
    case part(CatalogueNode, path: String, bytes: [UInt8])
  }

  /// Reads the catalogue that is in force.
  ///
  /// That is the named file; else the catalogue that the key `converters` of the configuration file
  /// holds or names; else `converters.yml` in the directory of the configuration file, or without
  /// one in the working directory.
  ///
  /// - Parameters:
  ///   - path: The file that the user named.
  ///   - configuration: The value of `--config`.
  ///   - workspace: The place of the files.
  /// - Returns: The catalogue, if any.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if a file cannot be read, or if a file that is
  ///   not named is reached by a link out of its repository; `badConfiguration` if it is not a catalogue, or
  ///   if the settings name a file outside of the repository.
  package static func load(
    _ path: String?, configuration: String?, in workspace: Workspace
  ) throws -> CatalogueFile? {
    do {
      return try find(path, configuration: configuration, in: workspace)
    } catch let problem as Problem {
      throw problem.failure
    }
  }

  /// Reads the catalogue that is in force, and says what is wrong with it.
  ///
  /// - Throws: ``Problem`` if it is not a catalogue, ``CommandFailure`` if it cannot be read.
  package static func find(
    _ path: String?, configuration: String?, in workspace: Workspace
  ) throws -> CatalogueFile? {
    switch try place(path, configuration: configuration, workspace) {
    case nil: return nil
    case .file(let path): return try read(path)
    case .part(let node, let path, let bytes):
      do throws(CatalogueError) {
        return try make(node, path, bytes)
      } catch {
        throw Problem(path: path, error: error, bytes: bytes)
      }
    }
  }

  /// The file of the effective catalogue, even if it does not contain a catalogue.
  ///
  /// - Parameters:
  ///   - configuration: The value of `--config`.
  ///   - workspace: The place of the files.
  /// - Returns: The path, if any.
  /// - Throws: ``CommandFailure`` as ``load(_:configuration:in:)``.
  package static func path(configuration: String?, in workspace: Workspace) throws -> String? {
    switch try place(nil, configuration: configuration, workspace) {
    case nil: nil
    case .file(let path), .part(_, let path, _): path
    }
  }

  private static func place(
    _ path: String?, configuration: String?, _ workspace: Workspace
  ) throws -> Place? {
    if let path { return .file(path) }
    let explicit = configuration ?? workspace.variable("BOXJOINT_CONFIG")
    guard let file = explicit ?? EffectiveConfiguration.nearestFile(from: workspace.directory)
    else {
      let beside = joinPathHere(workspace.directory, name)
      return isFile(beside) ? .file(try found(beside)) : nil
    }
    if case .revision = SourceReference(file) {
      throw CommandFailure(
        .usage, "a catalogue cannot be read from a revision; name its file",
        path: file)
    }
    let source = try SourceFile.read(file)
    let parsed = try ConfigurationFile.parse(source.bytes, path: file)
    guard let node = parsed.converters else {
      let beside = joinPathHere(parentDirectory(of: file), name)
      return isFile(beside) ? .file(try found(beside)) : nil
    }
    if case .text(let path) = node.content {
      return .file(try setting(path, at: node.position, of: file))
    }
    return .part(node, path: file, bytes: source.bytes)
  }

  /// A file that nobody named on the command line: a link must not lead out of the repository.
  private static func found(_ path: String) throws(CommandFailure) -> String {
    try ReviewBase.requireInside(path)
    return path
  }

  /// The file that settings name, which is in the repository or in the directory of the settings.
  ///
  /// Another person may have written the settings, and the program shows lines of what it reads.
  private static func setting(
    _ path: String, at position: JSONPosition?, of file: String
  ) throws(CommandFailure) -> String {
    let directory = absolutePath(parentDirectory(of: file))
    let location = [RepositoryLocation.working, .containing(directory)].first {
      $0.isRepository && RepositoryLocation.path(directory, from: $0.directory) != nil
    }
    let top = location?.directory ?? directory
    try requireInside(
      path, from: RepositoryLocation.path(directory, from: top) ?? "", at: position, of: file)
    let place = try found(joinPathHere(parentDirectory(of: file), path))
    guard CommittedPath.leadsInside(place, of: top) else {
      throw outside(path, at: position, of: file)
    }
    let attributes = (try? fileAttributes(at: place)) ?? nil
    guard attributes?.isRegularFile ?? true else {
      throw CommandFailure(
        .badConfiguration, "'converters' names '\(path)', which is not a file; name a catalogue",
        path: file, position: position)
    }
    return place
  }

  /// Refuses the path of a catalogue in settings that leaves the repository by its words.
  ///
  /// - Parameters:
  ///   - path: The value of `converters`.
  ///   - prefix: The path of the directory of the settings, from the top of the repository.
  ///   - position: The place of the value.
  ///   - file: The settings.
  /// - Throws: ``CommandFailure`` of the kind `badConfiguration` and the place.
  static func requireInside(
    _ path: String, from prefix: String, at position: JSONPosition?, of file: String
  ) throws(CommandFailure) {
    guard CommittedPath.staysInside(path, from: prefix) else {
      throw outside(path, at: position, of: file)
    }
  }

  private static func outside(
    _ path: String, at position: JSONPosition?, of file: String
  ) -> CommandFailure {
    CommandFailure(
      .badConfiguration,
      "'converters' names '\(path)', which is outside of the repository or in .git; put the "
        + "catalogue into the repository, or name it on the command line", path: file,
      position: position)
  }

  /// A catalogue without converters, for findings about a file that should name one.
  static func empty(path: String) -> CatalogueFile {
    CatalogueFile(path: path, catalogue: .empty, bytes: [])
  }

  /// The catalogue in the bytes of a file; nil if they are not a catalogue.
  static func catalogue(_ bytes: [UInt8], path: String) -> Catalogue? {
    try? Catalogue(try node(bytes, path: path))
  }

  private static func read(_ path: String) throws -> CatalogueFile {
    let source = try SourceFile.read(path)
    do throws(CatalogueError) {
      return try make(try node(of: source), path, source.bytes)
    } catch {
      throw Problem(path: path, error: error, bytes: source.bytes)
    }
  }

  /// The content of a file in the form of a catalogue: JSON if its name says so, otherwise YAML.
  package static func node(of source: SourceFile) throws(CatalogueError) -> CatalogueNode {
    try node(source.bytes, path: source.path)
  }

  private static func node(
    _ bytes: [UInt8], path: String
  ) throws(CatalogueError) -> CatalogueNode {
    path.hasSuffix(".json") ? try CatalogueNode(parsingJSON: bytes) : try yaml(bytes)
  }

  private static func yaml(_ bytes: [UInt8]) throws(CatalogueError) -> CatalogueNode {
    do throws(YAMLError) {
      return try YAMLReader.read(bytes)?.catalogueNode ?? CatalogueNode(.null)
    } catch {
      throw CatalogueError(error.message, at: error.position)
    }
  }

  private static func make(
    _ node: CatalogueNode, _ path: String, _ bytes: [UInt8]
  ) throws(CatalogueError) -> CatalogueFile {
    CatalogueFile(path: path, catalogue: try Catalogue(node), bytes: bytes)
  }

  /// The path of the lock: the one that is named, else the one beside the catalogue.
  package func lockPath(_ path: String?) -> String {
    if let path { return path }
    let places = LockPlaces(of: self.path)
    if let earlier = places.earlier, !Self.isFile(places.own), !Self.isFile(places.owner),
      Self.isFile(earlier)
    {
      return earlier
    }
    return places.own
  }

  /// The paths at which the lock of a catalogue may be.
  struct LockPlaces {
    /// The path with the name of the catalogue.
    let own: String
    /// `converters.lock` beside it, under which earlier versions wrote the lock of any catalogue.
    let earlier: String?
    /// The catalogue to which `converters.lock` belongs, if that exists.
    let owner: String

    init(of catalogue: String) {
      own = ConverterLock.path(beside: catalogue)
      owner = joinPathHere(parentDirectory(of: catalogue), CatalogueFile.name)
      let place = ConverterLock.path(beside: owner)
      earlier = place == own ? nil : place
    }
  }

  /// The locked state; nil if no lock is named and none exists.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if it cannot be read, `badInput` if it
  ///   is not a lock.
  package func lock(_ path: String?) throws(CommandFailure) -> ConverterLock? {
    let place = lockPath(path)
    if path == nil, !Self.isFile(place) { return nil }
    return try Self.parseLock(try SourceFile.read(place).bytes, path: place)
  }

  /// Reads the locked state.
  ///
  /// - Throws: ``CommandFailure`` of the kind `badInput` and the place of what is wrong.
  static func parseLock(_ bytes: [UInt8], path: String) throws(CommandFailure) -> ConverterLock {
    do throws(CatalogueError) {
      return try ConverterLock(parsing: bytes)
    } catch {
      throw CommandFailure(.badInput, error.message, path: path, position: error.position)
    }
  }

  /// Reports the places where the catalogue does not fit a model, as `converters check` does.
  ///
  /// Refuses a catalogue that was named. One that was found may belong to a newer, an older or another model,
  /// so that one warning is enough.
  ///
  /// - Throws: ``CommandFailure`` of the kind `badConfiguration` and the place of what is wrong.
  package func requireFit(
    for model: Model, isNamed: Bool, _ observer: any WorkObserver
  ) throws(CommandFailure) {
    let errors = catalogue.check(model: model, path: path).filter { $0.severity == .error }
    guard let finding = errors.first else { return }
    var failure = CommandFailure(
      .badConfiguration, finding.message, path: path,
      position: finding.region.map { JSONPosition(line: $0.line, column: $0.column) })
    if isNamed { throw failure }
    let others = errors.count - 1
    failure.message =
      "warning: " + failure.message
      + (others == 0
        ? ""
        : ", and \(counted(others, "more entry", "more entries")) of the catalogue "
          + (others == 1 ? "does" : "do") + " not fit the model")
    observer.receive(Notice(.warning, failure.line))
  }

  /// Findings about the catalogue, with the lines of the file.
  package func findings(_ findings: [Finding]) -> [Finding] {
    let text = SourceText(bytes)
    return findings.map { $0.withSourceLine(of: text) }
  }

  package static func isFile(_ path: String) -> Bool {
    ((try? fileAttributes(at: path)) ?? nil)?.isRegularFile ?? false
  }
}

/// A path in a directory, without the `./` of the working directory.
package func joinPathHere(_ directory: String, _ path: String) -> String {
  directory == "." ? path : joinPath(directory, path)
}

extension Finding {
  /// The finding with the line of the file that it is in.
  fileprivate func withSourceLine(of text: SourceText) -> Finding {
    guard let region else { return self }
    var result = self
    let line = text.line(at: JSONPosition(line: region.line, column: region.column))
    result.sourceLine = line
    // A place points to its first character, but people look for the word.
    let word = line.text.unicodeScalars.dropFirst(max(0, region.column - line.column))
      .prefix { !$0.properties.isWhitespace && !":,{}[]\"'".unicodeScalars.contains($0) }
    result.region?.endColumn = region.column + max(1, word.count)
    return result
  }
}
