internal import BoxModel
internal import BoxRecovery
internal import BoxReport
internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The elements that a store hides: they were removed from its model.
struct HiddenElements: Sendable {
  /// The store, as an argument.
  var source: String
  /// The UIDs of the entities of its model.
  var entityUIDs: Set<UID>
  /// The elements.
  var facts: [HiddenFact]
}

/// A search for what is left of a model file.
struct RecoverySearch {
  let place: Workspace
  let sources: Set<SourceKind>
  private let facts: [StatedFact]
  /// The files of code that were found, and what they hold.
  private(set) var evidence: [Evidence] = []
  /// The model files that were found.
  var models: FoundModels
  /// The elements that stores hide.
  var hidden: [HiddenElements] = []
  /// The searched places, for the report: the kind, the place, and the number of finds.
  var searched: [(kind: SourceKind, place: String, count: Int)] = []
  /// Statements about sources that could not be used.
  private(set) var notes: [String] = []

  init(
    _ sources: Set<SourceKind>, facts: [StatedFact], in place: Workspace
  ) {
    self.place = place
    self.sources = sources
    self.facts = facts
    models = FoundModels(requirement: AgreementRequirement(), git: place.git)
  }

  /// Searches the arguments, or the work tree; then git.
  ///
  /// - Throws: ``CommandFailure`` if a named source cannot be read, or git fails.
  mutating func run(_ arguments: [String]) async throws(CommandFailure) {
    let top = place.git.location.isRepository ? place.git.location.directory : nil
    var roots: [String] = []
    var named: [SourceReference] = []
    for argument in arguments {
      let reference = SourceReference(argument)
      if case .file(let path) = reference, isDirectory(at: path) {
        roots.append(path)
      } else {
        named += try await filesOfCode(reference)
      }
    }
    if arguments.isEmpty {
      roots = [top.flatMap { $0 == workingDirectory() ? nil : pathFromHere($0) } ?? "."]
    }
    let walks = roots.map { ($0, DirectoryWalk($0)) }
    try await readCode(walks, named)
    models = FoundModels(
      requirement: AgreementRequirement(
        evidence: evidence.filter { $0.problems.isEmpty }.map { $0.stating(facts) }, facts: facts),
      git: place.git)
    for (place, model) in embedded {
      var origin = CandidateOrigin(kind: .code, place: place)
      origin.rules = model.rules
      models.add(model.bytes, origin)
    }
    embedded = []
    for (root, walk) in walks { readFiles(walk, in: root) }
    for root in arguments.isEmpty ? [] : roots { readDumpDirectory(root) }
    for reference in named { try await read(reference) }
    if sources.contains(.git), let top {
      let before = models.candidates.count
      try await models.addGit(top: top, place.observer)
      searched.append((.git, top, models.candidates.count - before))
      try await noteMissingHistory()
    }
  }

  /// Notes that git has only a part of the history.
  private mutating func noteMissingHistory() async throws(CommandFailure) {
    if try await place.git.isShallow() {
      notes.append(
        "the clone is shallow, and earlier versions are missing; 'git fetch --unshallow' brings them"
      )
    }
    if try await place.git.isPartial() {
      notes.append(
        "the clone is partial, and files that were never checked out are missing; a full clone has "
          + "them")
    }
  }

  /// The files of code in a directory of a revision; a source of another kind is one.
  private func filesOfCode(
    _ reference: SourceReference
  ) async throws(CommandFailure) -> [SourceReference] {
    guard case .revision(let revision, let path) = reference, !revision.isEmpty,
      let files = try await place.git.files(inDirectory: path, of: revision)
    else { return [reference] }
    let code = files.filter { CodeLanguage(path: $0) != nil }
    guard (1...Self.maximumFiles).contains(code.count) else {
      throw CommandFailure(
        .badInput,
        code.isEmpty ? "no file of this directory is code" : "the directory has too many files",
        path: reference.argument)
    }
    return code.map { .revision(revision, path: $0) }
  }

  /// The number of files of a revision that are read; each is several runs of git.
  private static let maximumFiles = 500

  // MARK: Files

  private mutating func readCode(
    _ walks: [(String, DirectoryWalk)], _ named: [SourceReference]
  ) async throws(CommandFailure) {
    guard sources.contains(.code) else { return }
    var packages: [CodeScan.File] = []
    for reference in named {
      guard case .revision(_, let path) = reference, CodeLanguage(path: path) != nil else {
        continue
      }
      let source = try await reference.read(in: place)
      readCode(CodeScan.File(path: source.path, bytes: source.bytes), &packages)
    }
    var paths = walks.flatMap { $0.1.code }
    for case .file(let path) in named where CodeLanguage(path: path) != nil { paths.append(path) }
    for (number, path) in paths.enumerated() {
      if number % 100 == 0 {
        place.observer.update("reading code", number, of: paths.count, unit: "files")
      }
      guard let size = ((try? fileAttributes(at: path)) ?? nil)?.st_size,
        size <= CodeScan.maximumSize, let source = try? SourceFile.read(path)
      else { continue }
      readCode(CodeScan.File(path: path, bytes: source.bytes), &packages)
    }
    place.observer.finish()
    evidence += CodeScan.evidence(in: packages)
    searched.append((.code, walks.map(\.0).joined(separator: ", "), evidence.count))
  }

  private var embedded: [(place: String, model: EmbeddedModel)] = []

  /// Reads a file of code; a package of Go has several, and is read when all are known.
  private mutating func readCode(_ file: CodeScan.File, _ packages: inout [CodeScan.File]) {
    guard CodeScan.isGenerated(file) else { return }
    let language = CodeLanguage(path: file.path)
    if language == .go { return packages.append(file) }
    evidence += CodeScan.evidence(in: [file])
    guard language == .swift else { return }
    embedded += EmbeddedModel.files(in: file.bytes).map { ("\(file.path):\($0.line)", $0) }
  }

  private mutating func readFiles(_ walk: DirectoryWalk, in root: String) {
    if sources.contains(.file) {
      let before = models.candidates.count
      for path in walk.models { readModel(path, kind: .file, of: path) }
      searched.append((.file, root, models.candidates.count - before))
    }
    if sources.contains(.backup) {
      let before = models.candidates.count
      for path in walk.backups { readModel(path, kind: .backup, of: String(path.dropLast(4))) }
      searched.append((.backup, root, models.candidates.count - before))
    }
    for directory in walk.databases {
      notes.append("\(directory): \(Self.databaseAdvice(directory))")
    }
    if walk.isCutOff { notes.append("\(root) has too many files; name the directories to search") }
  }

  private mutating func readModel(_ path: String, kind: SourceKind, of original: String) {
    guard let attributes = (try? fileAttributes(at: path)) ?? nil,
      ModelText.sizes.contains(Int(attributes.st_size)), let source = try? SourceFile.read(path),
      ModelText.isLikely(source.bytes)
    else { return }
    models.add(
      source.bytes,
      CandidateOrigin(
        kind: kind, place: path, path: absolutePath(original),
        time: Int(attributes.modified.seconds)))
  }

  // MARK: Named sources

  private mutating func read(_ reference: SourceReference) async throws(CommandFailure) {
    switch reference {
    case .store(let directory): try readStore(directory)
    case .file(let path) where CodeLanguage(path: path) != nil:
      // Code was read before everything else.
      _ = try SourceFile.read(path)
    case .revision(_, let path) where CodeLanguage(path: path) != nil: return
    case .file(let path) where path.hasSuffix(".smali"):
      throw CommandFailure(
        .badInput,
        "smali is not read; decompile the application to Java, and name MyObjectBox.java",
        path: path)
    case .file(let path) where StoredModel.isDataFile(path):
      throw CommandFailure(
        .badInput, Self.databaseAdvice(parentDirectory(of: path)), path: path)
    case .file(let path):
      let source = try SourceFile.read(path)
      // The header of a dump has the keys of a model too.
      if ModelText.isLikely(source.bytes), (try? ModelDocument(parsing: source.bytes)) != nil {
        let original = path.hasSuffix(".bak") ? String(path.dropLast(4)) : path
        models.add(
          source.bytes,
          CandidateOrigin(
            kind: path.hasSuffix(".bak") ? .backup : .file, place: path,
            path: absolutePath(original)))
      } else {
        try readDump(path)
      }
    case .revision, .standardInput:
      let source = try await reference.read(in: place)
      guard ModelText.isLikely(source.bytes) else {
        throw CommandFailure(.badInput, "this is not a model file", path: source.path)
      }
      var origin = CandidateOrigin(kind: .git, place: source.path)
      if case .revision(let revision, let path) = reference {
        origin.version = "\(revision):\(try place.git.pathFromTop(path))"
      }
      models.add(source.bytes, origin)
    }
  }

  /// Advice about a database file of another program.
  static let foreignDatabase =
    "an ObjectBox database is not read, because its format is not documented; read its UIDs from the "
    + "error message of the application, or with ObjectBox's own tools, and state them"

  private static func databaseAdvice(_ directory: String) -> String {
    "a store of BoxJoint is read if it is named as store:\(directory); \(foreignDatabase)"
  }
}
