internal import BoxModel
internal import BoxRecovery
internal import BoxReport
internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Finds model files that a repository has lost: files of HEAD that are missing or were generated again,
/// generated code whose model file is not there, and files that a commit removed, where no model is left; and
/// model files that were begun again under another name.
///
/// In a CI job the loss is committed already, so there the commit before HEAD counts too.
struct LostModels {
  private let place: Workspace
  private let top: String
  /// The UIDs of the entities of the models in the work tree, in use or retired.
  private var presentUIDs: Set<UID> = []
  /// The models of the work tree.
  private var present: [RenamedModels.Entry] = []
  private var findings: [Finding] = []
  /// The paths that have a finding.
  private var reported: Set<String> = []

  /// The findings about the model files of a repository.
  ///
  /// - Parameters:
  ///   - patterns: The patterns of model files.
  ///   - place: The place whose repository is checked.
  ///   - readsHistory: Whether all commits are read where no model is left and nothing else is found.
  /// - Returns: The findings, the files of HEAD first; none outside of a repository and before the first
  ///   commit.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git fails.
  /// - Complexity: O(*n*) in the size of the models and of the generated code, and three runs of git; where
  ///   history is read, in the number of commits too.
  static func findings(
    _ patterns: [FilePattern], in place: Workspace, readsHistory: Bool
  ) async throws(CommandFailure) -> [Finding] {
    guard place.git.isInstalled(), let top = try await place.git.repository()?.topLevel else {
      return []
    }
    var search = LostModels(place: place, top: top)
    try await search.run(patterns, readsHistory)
    return search.findings
  }

  private init(place: Workspace, top: String) {
    self.place = place
    self.top = top
  }

  private mutating func run(
    _ patterns: [FilePattern], _ readsHistory: Bool
  ) async throws(CommandFailure) {
    let tracked = try await place.git.trackedFiles()
    for path in patterns.matching(tracked) {
      guard let model = addPresent(joinPath(top, path)) else { continue }
      present.append(RenamedModels.Entry(path: path, model: model))
    }
    try await compare(with: "HEAD", "HEAD", patterns, tracked)
    if place.isUnattended {
      try await compare(with: "HEAD^1", "the commit before HEAD", patterns, tracked)
    }
    findGenerated(in: tracked)
    if readsHistory && presentUIDs.isEmpty && findings.isEmpty {
      guard let removed = try await RemovedModel.last(patterns, top: top, place.git) else { return }
      let extent = counted(removed.entities.count, "entity", "entities")
      add(
        removed.path, removed.entities.first.map(\.name),
        "the model file is missing, and \(removed.place), with its \(extent)")
    }
  }

  /// Notes the UIDs of a model in the work tree.
  ///
  /// - Returns: The model; nil if the file is not a model.
  @discardableResult private mutating func addPresent(_ path: String) -> Model? {
    guard let source = try? SourceFile.read(path), let model = ModelText.model(source.bytes) else {
      return nil
    }
    presentUIDs.formUnion(model.entities.map(\.pair.uid))
    presentUIDs.formUnion(model.retiredEntityUIDs ?? [])
    return model
  }

  // MARK: History

  /// Compares the models of a commit with the work tree.
  private mutating func compare(
    with revision: String, _ name: String, _ patterns: [FilePattern], _ tracked: [String]
  ) async throws(CommandFailure) {
    guard let head = try await place.git.resolve(revision) else { return }
    let paths = patterns.matching(try await place.git.files(in: head))
    let contents = try await place.git.blobs(paths.map { "\(head):\($0)" })
    try await findRenamed(since: revision, name, paths, contents)
    var leftOut: Set<String>?
    for (path, bytes) in zip(paths, contents) {
      guard let bytes, let earlier = ModelText.model(bytes), !earlier.entities.isEmpty,
        presentUIDs.isDisjoint(with: earlier.entities.map(\.pair.uid))
      else { continue }
      if !reported.insert(path).inserted { continue }
      let isThere = ((try? fileAttributes(at: joinPath(top, path))) ?? nil) != nil
      if !isThere {
        // Who removes a whole directory means it.
        if revision != "HEAD",
          !tracked.contains(where: { parentDirectory(of: $0) == parentDirectory(of: path) })
        {
          continue
        }
        let names: Set<String>
        if let leftOut {
          names = leftOut
        } else {
          names = Set(try await place.git.filesLeftOut(matching: patterns))
          leftOut = names
        }
        if names.contains(path) { continue }
      } else if let source = try? SourceFile.read(joinPath(top, path)),
        ModelText.model(source.bytes) == nil
      {
        // The check reports a file that cannot be read.
        continue
      }
      let extent = counted(earlier.entities.count, "entity", "entities")
      add(
        path, isThere ? earlier.entities.first.map(\.name) : nil,
        isThere
          ? "the model was generated again: no model file has a UID of the version in \(name), with "
            + "its \(extent)"
          : "the model file is missing, and \(name) has it with \(extent)")
    }
  }

  /// Finds new model files that continue models of a commit, without their UIDs.
  private mutating func findRenamed(
    since revision: String, _ name: String, _ paths: [String], _ contents: [[UInt8]?]
  ) async throws(CommandFailure) {
    let earlier = zip(paths, contents).compactMap { path, bytes in
      bytes.flatMap(ModelText.model).map { RenamedModels.Entry(path: path, model: $0) }
    }
    let renamed = RenamedModels(
      paths: Set(paths), earlier: earlier, present: present, git: place.git, top: top)
    for (found, targets) in try await renamed.found() {
      guard reported.insert(found.new).inserted else { continue }
      // It is not lost, if it is missing.
      reported.insert(found.old)
      findings.append(renamed.finding(found, targets, in: revision, name))
    }
  }

  // MARK: Generated code

  /// The names of files in which generators write the model.
  private static func isGenerated(_ path: String) -> Bool {
    let name = lastComponent(of: path)
    return ["objectbox.g.dart", "MyObjectBox.java", "objectbox-model.go", "objectbox-model.h"]
      .contains(name) || name.hasSuffix(".obx.go")
      || name.hasPrefix("EntityInfo") && name.hasSuffix(".generated.swift")
  }

  private mutating func findGenerated(in tracked: [String]) {
    var files: [CodeScan.File] = []
    for path in tracked where Self.isGenerated(path) {
      let full = joinPath(top, path)
      guard let size = ((try? fileAttributes(at: full)) ?? nil)?.st_size,
        size <= CodeScan.maximumSize, let source = try? SourceFile.read(full)
      else { continue }
      files.append(CodeScan.File(path: path, bytes: source.bytes))
    }
    for found in CodeScan.evidence(in: files) where found.isComplete {
      let uids = found.model.entities.map(\.pair.uid)
      guard presentUIDs.isDisjoint(with: uids) else { continue }
      // The setting may not match the file beside the code.
      let directory =
        found.source.hasSuffix(".go") || CodeLanguage(path: found.source) != nil
        ? parentDirectory(of: joinPath(top, found.source)) : joinPath(top, found.source)
      for name in namesInDirectory(directory) where name.hasSuffix(".json") {
        addPresent(joinPath(directory, name))
      }
      guard presentUIDs.isDisjoint(with: uids) else { continue }
      add(
        found.source, nil,
        "the code has the UIDs of \(counted(uids.count, "entity", "entities")), and no model file has "
          + "one of them")
    }
  }

  private mutating func add(_ path: String, _ name: String?, _ message: String) {
    findings.append(
      Finding(
        rule: ModelRule.lost, message: message + (name.map { ", such as \($0)" } ?? ""),
        advice: RemovedModel.advice,
        path: RepositoryModels.path(of: path, in: top, from: workingDirectory())))
  }
}
