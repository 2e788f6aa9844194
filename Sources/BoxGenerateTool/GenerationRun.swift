package import BoxGenerator
internal import BoxHash
internal import BoxModel
internal import BoxReport
internal import BoxSources
internal import BoxSystem
package import BoxWorkspace

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Reads the files of a target, generates, and writes what has changed.
package struct GenerationRun {
  let layout: TargetLayout
  let module: String
  /// The access level of what is generated.
  package var visibility = Visibility.internal
  /// The word before the colon of an annotation.
  package var annotationPrefix = "objectbox"
  /// Whether the UIDs are a sequence that is always the same.
  package var usesSequence = false
  /// Whether entities are removed from the model file even if most of them are.
  package var allowsRemovals = false
  /// Whether enums may change so that stored values get another meaning.
  package var allowsRenumbering = false
  /// The name under which the version is kept; nil for none.
  package var keptVersion: String?
  /// The place in history that has the model file, if it is missing.
  private var earlierModel: String?
  /// Whether a file that is missing is looked for in history.
  private var looksBack = false
  /// The models that a missing model file may continue, and the generated files among the sources.
  private var others: (models: [OtherModel], bindings: [SwiftFile]) = ([], [])

  /// Creates a run with the usual settings.
  ///
  /// - Parameters:
  ///   - layout: The files of the target.
  ///   - module: The name of the Swift module.
  package init(_ layout: TargetLayout, module: String) {
    self.layout = layout
    self.module = module
  }

  /// Finds out if git has the model file, or if there is one of another name, where the file is missing: a new
  /// one would have new UIDs.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git fails.
  package mutating func readHistory() async throws(CommandFailure) {
    looksBack = true
    guard try content(layout.model) == nil else { return }
    let git = GitClient()
    earlierModel = try await RemovedModel.at(layout.model, git)?.place
    let search = try await OtherModelSearch(layout, git)
    others = (search.models, search.bindings)
  }

  /// The lock of the enums that one which is missing had before: in git, or beside a model file that was moved.
  private func findLock() async throws(CommandFailure) -> EarlierFile? {
    let file = await Self.repository(of: layout.lock)
    if let file, let place = try await file.git.placeOfMissingFile(file.name) {
      return EarlierFile(place: place, advice: "Restore it from version control")
    }
    if try content(layout.model) == nil { return nil }
    let directory = parentDirectory(of: layout.lock)
    var paths = ((try? entryNames(in: directory)) ?? []).map {
      PathArithmetic.join(directory, $0)
    }
    var tracked: Set<String> = []
    if let git = file?.git {
      tracked = Set(
        try await git.trackedFiles().map { pathFromHere(joinPath(git.location.directory, $0)) })
      paths += tracked.sorted()
    }
    func exists(_ path: String) -> Bool { ((try? fileAttributes(at: path)) ?? nil) != nil }
    let orphan = paths.first { path in
      guard let model = CataloguePaths.model(ofLock: path), exists(path) else { return false }
      return normal(path) != normal(layout.lock) && !exists(model)
    }
    return orphan.map { path in
      let move =
        (tracked.contains(path) ? "git mv " : "mv ") + shellOperands([path, layout.lock])
      return EarlierFile(
        place: "\"\(path)\" has no model file beside it",
        advice: "If the target was renamed or moved, run \"\(move)\"")
    }
  }

  /// Generates without writing.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if a file cannot be read, `usage` if a file
  ///   would be overwritten that was not generated, `impossible` if the model file belongs to other sources.
  package func check() async throws(CommandFailure) -> GenerationResult {
    var inputs = try read()
    let head = await head(&inputs)
    return try await generate(inputs, head)
  }

  /// Generates, and writes the files that change: the model file first, as its UIDs are what must not be
  /// lost.
  ///
  /// - Throws: ``CommandFailure``, as ``check()``, and if a file cannot be written.
  package func write() async throws(CommandFailure) -> GenerationResult {
    let lock = try ModelDirectoryLock(layout.model)
    defer { lock.release() }
    for _ in 1...3 {
      var inputs = try read()
      let head = await self.head(&inputs)
      if keptVersion == nil, try versionChanges().isEmpty,
        let result = unchanged(inputs, head)
      {
        return result
      }
      let result = try await generate(inputs, head)
      // An editor or git may have written the file meanwhile.
      if try content(layout.model) != inputs.model { continue }
      for change in result.changes { try await write(change) }
      return result
    }
    throw CommandFailure(
      .inputOutput, "the file changes while the bindings are generated; nothing was written",
      path: layout.model)
  }

  private func write(_ change: GenerationResult.Change) async throws(CommandFailure) {
    // Git has what it tracks.
    if change.path == layout.model, let old = change.old, !(await isTracked(layout.model)) {
      try AtomicFile.write(old, to: layout.model + ".bak")
    }
    do throws(CreatedDirectories.Failure) {
      _ = try CreatedDirectories(parentDirectory(of: change.path), mode: 0o777)
    } catch {
      throw CommandFailure(
        .inputOutput, "the directory cannot be created: \(error.error.reason)", path: error.path)
    }
    try AtomicFile.write(change.new, to: change.path)
  }

  /// The repository of a file; nil outside of one, and without git.
  private static func repository(of path: String) async -> FileInRevisions? {
    let git = GitClient()
    guard git.isInstalled() else { return nil }
    let file = FileInRevisions.underReview(path, git)
    return (try? await file.git.repository()) ?? nil == nil ? nil : file
  }

  /// Whether git tracks a file; if it cannot tell, it does not.
  private func isTracked(_ path: String) async -> Bool {
    guard let file = await Self.repository(of: path) else { return false }
    let entry = try? await file.git.run(
      ["ls-files", "--error-unmatch", "--", HardenedCommand.pathspec(file.name)])
    return entry?.status == 0
  }

  // MARK: - Generation

  /// The files as they were before the run.
  struct Inputs {
    var tree: SourceTree
    /// The declarations of the sources that the head was made from.
    var declarations: [String: SourceDeclarations] = [:]
    var model: [UInt8]?
    var bindings: [UInt8]?
    var catalogue: [UInt8]?
    var lock: [UInt8]?
    var rules: [UInt8]?
  }

  private func generate(
    _ inputs: Inputs, _ head: @escaping @Sendable ([UInt8]) -> BindingHead
  ) async throws(CommandFailure) -> GenerationResult {
    var request = GeneratorRequest(
      files: inputs.tree.files,
      target: module, modelPath: layout.model, model: inputs.model, bindingsPath: layout.output,
      bindings: inputs.bindings)
    request.declarations = inputs.declarations
    request.earlierModel = earlierModel
    // Only enums have a lock, and a property is one by this annotation.
    if looksBack, inputs.lock == nil,
      inputs.tree.files.contains(where: { $0.contains("convert") })
    {
      request.earlierLock = try await findLock()
    }
    (request.otherModels, request.otherBindings) = others
    let output = normal(layout.output)
    request.leftBindings = inputs.tree.files.filter(\.isOfObjectBox).map(\.path)
      .filter { normal($0) != output }
    request.visibility = visibility
    request.annotationPrefix = annotationPrefix
    if usesSequence { request.uids = .sequential }
    request.allowsRemovals = allowsRemovals
    request.catalogue = inputs.catalogue
    (request.lockPath, request.lock) = (layout.lock, inputs.lock)
    request.rules = inputs.rules
    request.allowsRenumbering = allowsRenumbering
    request.head = { model in head(model).lines }
    request.past = past
    let generation = await Generation(request)
    var result = GenerationResult(
      findings: generation.findings, paths: inputs.tree.files.map(\.path))
    try requireOwnModel(inputs, generation.removedEntities)
    result.entities = generation.entityCount
    (result.retired, result.conversions) = (generation.retired, generation.conversions)
    result.recordChange(layout.model, inputs.model, generation.model)
    result.recordChange(
      layout.catalogue, inputs.catalogue, generation.catalogue.map { Array($0.utf8) })
    result.recordChange(layout.lock, inputs.lock, generation.lock.map { Array($0.utf8) })
    result.recordChange(layout.rules, inputs.rules, generation.rules)
    try await state(generation, in: &result)
    if var version = generation.version {
      version.name = keptVersion ?? ""
      result.changes += try versionChanges(
        keeping: keptVersion == nil ? nil : version, rules: generation.rules)
    }
    if let bindings = generation.bindingBytes {
      // A run that has findings generates again, to print them.
      let isFinal = !generation.hasLastingFindings
      result.recordChange(
        layout.output, inputs.bindings, isFinal ? sealed(bindings, result, inputs) : bindings)
    }
    return result
  }

  /// The earlier versions of the model file.
  private var past: @Sendable () async -> PastModels {
    let path = layout.model
    return {
      let file = FileInRevisions.underReview(path, GitClient())
      if !file.git.location.isRepository { return PastModels() }
      do throws(CommandFailure) {
        guard file.git.isInstalled() else { return PastModels(gap: "git is not installed") }
        guard try await file.git.repository() != nil else {
          return PastModels(gap: "git does not take the directory for a repository")
        }
        let found = try await PrecedingModels(of: file.name, revision: nil, file.git)
        if found.head == nil, try await file.git.resolve("HEAD") == nil { return PastModels() }
        return PastModels(head: found.head, versions: found.versions.map(\.base)) {
          (elements, model) in
          await Self.unbuilt(elements, model, file)
        }
      } catch {
        return PastModels(gap: "git cannot tell: \(error.message)")
      }
    }
  }

  private static func unbuilt(
    _ elements: [(name: DeclaredElement, owner: UID?)], _ model: Model, _ file: FileInRevisions
  ) async -> (versions: [ResetBase], gap: String?) {
    do throws(CommandFailure) {
      let unbuilt = try await UnbuiltRemovals(
        of: elements.map { .init($0.name, owner: $0.owner) }, modelAt: file.name, model,
        in: "HEAD", file.git)
      return (
        unbuilt.versions.map(\.base),
        unbuilt.isCutOff
          ? "the clone is shallow, so that earlier versions are missing (git fetch --unshallow)"
          : nil
      )
    } catch {
      return ([], "git cannot tell: \(error.message)")
    }
  }

  /// Notes in the approvals of the repository which elements begin without their data, and which are converted.
  private func state(
    _ generation: Generation, in result: inout GenerationResult
  ) async throws(CommandFailure) {
    if generation.resets.isEmpty, generation.conversions.isEmpty { return }
    guard let file = await Self.repository(of: layout.model),
      let top = try await file.git.repository()?.topLevel
    else { return }
    var approvals = try ApprovalFile(top: top)
    for (element, fix) in generation.resets {
      approvals.list.add(
        StatedReset(element: element, from: fix.old.uid, to: fix.new.uid, file: file.name))
    }
    for change in generation.conversions {
      approvals.list.add(StatedConversion(change, file: file.name))
    }
    result.recordChange(approvals.path, approvals.content, approvals.bytes)
  }

  private func read() throws(CommandFailure) -> Inputs {
    let tree: SourceTree
    do throws(SourceTree.Failure) {
      tree = try SourceTree(layout.roots, excluding: layout.excluded)
    } catch {
      throw CommandFailure(
        error.isMissing ? .usage : .inputOutput, error.message, path: error.path)
    }
    let inputs = Inputs(
      tree: tree, model: try content(layout.model), bindings: try content(layout.output),
      catalogue: try content(layout.catalogue), lock: try content(layout.lock),
      rules: try content(layout.rules))
    if let bindings = inputs.bindings, !bindings.isEmpty, !Generation.isGenerated(bindings) {
      throw CommandFailure(
        .usage, "the file was not generated, and is not replaced; name another one by --output",
        path: layout.output)
    }
    if let catalogue = inputs.catalogue, !catalogue.isEmpty,
      !catalogue.starts(with: "# Generated by boxjoint-generate".utf8)
    {
      throw CommandFailure(
        .usage,
        "the file was not generated, and is not replaced; name another one by --converters",
        path: layout.catalogue)
    }
    if let rules = inputs.rules { try requireRules(rules) }
    return inputs
  }

  /// Requires that a file is one of rules, and of no newer version: it is replaced.
  ///
  /// Either side of a conflict is in the sources.
  private func requireRules(_ bytes: [UInt8]) throws(CommandFailure) {
    do throws(DeclarationsError) {
      _ = try DeclarationsDocument(parsing: bytes)
    } catch {
      if error.isConflict { return }
      throw CommandFailure(
        .usage, "\(error.message); the file is not replaced", path: layout.rules,
        position: error.position)
    }
  }

  /// The bytes of a file; nil if it does not exist.
  func content(_ path: String) throws(CommandFailure) -> [UInt8]? {
    if ((try? fileAttributes(at: path)) ?? nil) == nil { return nil }
    return try SourceFile.read(path).bytes
  }

  /// Reads the declarations of the sources, and makes of them the head of the bindings of a model file, whose paths
  /// are relative to their directory.
  private func head(_ inputs: inout Inputs) async -> @Sendable ([UInt8]) -> BindingHead {
    var (roots, excluded) = (layout.roots.map(relative), layout.excluded.map(relative))
    let (path, prefix) = (relative(layout.model), annotationPrefix)
    let reading = await SourceFingerprint.reading(inputs.tree.files, prefix: prefix)
    inputs.declarations = reading.declarations
    let sources = reading.fingerprint.hexadecimal
    // Another target with the same entities may share the bindings. Its directories stay in them; otherwise
    // each target would make the bindings of the other out of date.
    if let old = inputs.bindings.flatMap({ BindingHead(parsing: $0) }), old.sources == sources,
      old.prefix == prefix, old.roots.allSatisfy(exists)
    {
      (roots, excluded) = (old.roots, old.excluded)
    }
    return { [roots, excluded] model in
      BindingHead(
        sources: sources, model: model, modelPath: path, roots: roots, excluded: excluded,
        prefix: prefix)
    }
  }

  /// Whether there is something at a path that the bindings name.
  private func exists(_ path: String) -> Bool {
    let path = PathArithmetic.join(parentDirectory(of: layout.output), path)
    return ((try? fileAttributes(at: path)) ?? nil) != nil
  }

  /// The path from the working directory.
  private func normal(_ path: String) -> String {
    PathArithmetic.path(path, from: ".", here: workingDirectory())
  }

  /// A path as the directory of the bindings sees it.
  private func relative(_ path: String) -> String {
    PathArithmetic.path(
      path, from: parentDirectory(of: layout.output), here: workingDirectory())
  }

  // MARK: - The model of other sources

  /// Refuses to retire entities that the bindings of these sources never had.
  private func requireOwnModel(
    _ inputs: Inputs, _ removed: [String]
  ) throws(CommandFailure) {
    guard !allowsRemovals, let first = removed.first else { return }
    let known = inputs.bindings.flatMap { BindingHead(parsing: $0) }?.roots
    if let bindings = inputs.bindings, !bindings.isEmpty,
      known == nil || known == layout.roots.map(relative)
    {
      return
    }
    throw CommandFailure(
      .impossible,
      "the sources lack \(counted(removed.count, "entity", "entities")) of the model file, such "
        + "as \"\(first)\", and its bindings are not from these sources; name a model file of "
        + "their own by --model-json, all sources by --sources, or remove the entities by "
        + "--allow-removals", path: layout.model)
  }
}

extension GenerationResult {
  /// Records the change of a file, unless it stays as it is.
  mutating func recordChange(_ path: String, _ old: [UInt8]?, _ new: [UInt8]?) {
    if let new, new != old { changes.append(Change(path: path, old: old, new: new)) }
  }
}

/// The lock on the directory of a model file, which runs wait for that write the same one.
private struct ModelDirectoryLock {
  private let descriptor: Int32

  init(_ model: String) throws(CommandFailure) {
    let directory = parentDirectory(of: model)
    descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // A directory that is missing has no other run.
    if descriptor < 0 { return }
    do throws(SystemError) {
      // A run takes less than a second; a minute is for very large ones.
      for _ in 0..<6000 {
        if try lockFile(descriptor, .exclusive) { return }
        usleep(10_000)
      }
    } catch {
      // A file system without locks.
      return
    }
    close(descriptor)
    throw CommandFailure(
      .inputOutput, "another run has held the directory for a minute; try again", path: directory)
  }

  func release() { if descriptor >= 0 { unlockAndClose(descriptor) } }
}
