internal import BoxGenerator
internal import BoxModel
internal import BoxReport
internal import BoxSources
internal import BoxSystem
internal import BoxWorkspace

/// The search for the models that a model file which is missing may continue under another name.
///
/// It looks at the model files of the repository, of HEAD and of the directory of the model file, and at the
/// generated files among the sources. All paths are those from the working directory.
struct OtherModelSearch {
  /// The models.
  private(set) var models: [OtherModel] = []
  /// The generated files of other names among the sources.
  private(set) var bindings: [SwiftFile] = []

  private let layout: TargetLayout
  private let git: GitClient?
  private let here = workingDirectory()
  /// The tracked files, and the files of HEAD.
  private var tracked: Set<String> = []
  private var head: Set<String> = []
  private var owners = BindingOwners([])
  private var known: Set<UID> = []

  /// The patterns of this generator's model files; generators of other languages, whose models can have the
  /// same entities, use other names.
  private static let patterns = FilePattern.standard.filter { $0.text.hasPrefix("model") }
  /// The largest file that can be a model, in bytes.
  private static let maximumSize = 1 << 24

  /// Searches.
  ///
  /// - Parameters:
  ///   - layout: The files of the target, without a model file.
  ///   - git: A client for the repository of the working directory.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git fails.
  /// - Complexity: O(*n*) in the size of the sources, of the model files and of the bindings.
  init(_ layout: TargetLayout, _ git: GitClient) async throws(CommandFailure) {
    self.layout = layout
    let isUsable = git.isInstalled() && git.location.isRepository
    let repository = isUsable ? try await git.repository() : nil
    self.git = repository?.topLevel == nil ? nil : git
    findBindings()
    if let git = self.git {
      tracked = Set(try await git.trackedFiles().map(shown))
      if try await git.resolve("HEAD") != nil {
        head = Set(try await git.files(in: "HEAD").map(shown))
      }
    }
    owners = BindingOwners(bindings + (try await otherBindings()))
    findModels()
    try await findRemovedModels()
  }

  // MARK: - Paths

  /// The path of a file of the repository.
  private func shown(_ path: String) -> String {
    guard let git else { return path }
    return PathArithmetic.path(joinPath(git.location.directory, path), from: ".", here: here)
  }

  private func normal(_ path: String) -> String {
    PathArithmetic.path(path, from: ".", here: here)
  }

  private func exists(_ path: String) -> Bool {
    ((try? fileAttributes(at: path)) ?? nil) != nil
  }

  // MARK: - Bindings

  private mutating func findBindings() {
    // The run itself reports sources that cannot be read.
    let files = (try? SourceTree(layout.roots, excluding: layout.excluded))?.files ?? []
    bindings = files.filter { isOther($0.path) && Generation.isGenerated($0.bytes) }
  }

  private func isOther(_ path: String) -> Bool { normal(path) != normal(layout.output) }

  /// The bindings of other targets.
  private func otherBindings() async throws(CommandFailure) -> [SwiftFile] {
    var paths: Set<String> = []
    if let git {
      let found = try await git.filesWithLine(SwiftFile.generatedMark, in: nil)
      paths.formUnion(found.map(shown))
    }
    // Those beside the target, which git may not know yet.
    for root in layout.roots {
      let parent = parentDirectory(of: root)
      for name in (try? entryNames(in: parent)) ?? [] where !name.hasPrefix(".") {
        let directory = PathArithmetic.join(parent, "\(name)/generated")
        for file in (try? entryNames(in: directory)) ?? []
        where file.hasSuffix(".generated.swift") {
          paths.insert(normal("\(directory)/\(file)"))
        }
      }
    }
    paths.subtract(bindings.map { normal($0.path) })
    return paths.sorted().compactMap { path in
      guard isOther(path), let source = try? SourceFile.read(path) else { return nil }
      return SwiftFile(path: path, bytes: source.bytes)
    }
  }

  // MARK: - Models

  private mutating func findModels() {
    var paths = Set(Self.patterns.matching(Array(tracked)))
    let directory = parentDirectory(of: layout.model)
    for name in (try? entryNames(in: directory)) ?? [] where name.hasSuffix(".json") {
      paths.insert(normal(PathArithmetic.join(directory, name)))
    }
    paths.formUnion(BindingOwners(bindings).owners.map { normal($0.model) })
    paths.remove(normal(layout.model))
    let roots = layout.roots.map(normal)
    for path in paths.sorted() {
      guard let source = try? SourceFile.read(path), source.bytes.count <= Self.maximumSize,
        let model = Self.model(source.bytes)
      else { continue }
      known.formUnion(model.entities.map(\.pair.uid))
      models.append(
        OtherModel(
          path: path, model: model,
          hasTarget: owners.hasTarget(path, besides: roots, isThere: exists),
          command: command(for: path, model, restoring: nil)))
    }
  }

  /// Models that HEAD has, or that a commit removed last, but the work tree lacks.
  private mutating func findRemovedModels() async throws(CommandFailure) {
    guard let git, let top = try await git.repository()?.topLevel,
      try await git.resolve("HEAD") != nil
    else { return }
    let gone = Self.patterns.matching(try await git.files(in: "HEAD"))
      .filter { !exists(joinPath(top, $0)) }
    for (path, bytes) in zip(gone, try await git.blobs(gone.map { "HEAD:\($0)" })) {
      guard let model = bytes.flatMap(Self.model) else { continue }
      append(model, path, place: "HEAD has it", object: "HEAD:\(path)")
    }
    if let last = try await RemovedModel.last(Self.patterns, top: top, git) {
      var model = Model()
      model.entities = last.entities
      append(model, last.path, place: last.place, object: last.blob)
    }
  }

  private mutating func append(_ model: Model, _ path: String, place: String, object: String) {
    guard known.isDisjoint(with: model.entities.map(\.pair.uid)) else { return }
    let shown = shown(path)
    models.append(
      OtherModel(
        path: shown, model: model, place: place,
        command: command(for: shown, model, restoring: object)))
  }

  private static func model(_ bytes: [UInt8]) -> Model? {
    guard let model = (try? ModelDocument(parsing: bytes))?.model, !model.entities.isEmpty else {
      return nil
    }
    return model
  }

  // MARK: - Commands

  /// The command line after which the target continues a model.
  ///
  /// - Parameters:
  ///   - path: The model file.
  ///   - model: The model.
  ///   - object: The object of git that has the file; nil if the work tree has the file.
  /// - Returns: The command line.
  private func command(for path: String, _ model: Model, restoring object: String?) -> String {
    var directories: [String] = []
    var lines: [String] = []
    func add(_ line: String, to path: String) {
      let directory = parentDirectory(of: path)
      if !exists(directory), !directories.contains(directory) { directories.append(directory) }
      lines.append(line)
    }
    add(
      object.map { "git cat-file blob \(shellQuoted($0)) > \(shellQuoted(layout.model))" }
        ?? move(path, layout.model), to: layout.model)
    for (old, new) in zip(
      CataloguePaths.beside(path), [layout.catalogue, layout.lock, layout.rules])
    where !exists(new) {
      if exists(old) {
        add(move(old, new), to: new)
      } else if object?.hasPrefix("HEAD:") ?? false, head.contains(old) {
        let name = repositoryPath(old)
        add("git cat-file blob \(shellQuoted("HEAD:\(name)")) > \(shellQuoted(new))", to: new)
      }
    }
    if let old = TargetLayout.versions(ofModel: path), exists(old), !exists(layout.versions) {
      let isTracked = tracked.contains { $0.hasPrefix(normal(old) + "/") }
      add(
        (isTracked ? "git mv " : "mv ") + shellOperands([old, layout.versions]),
        to: layout.versions)
    }
    var isTaken = exists(layout.output)
    for file in bindings where isOf(model, path, file) {
      if isTaken {
        lines.append(
          (tracked.contains(normal(file.path)) ? "git rm --force " : "rm ")
            + shellOperand(file.path))
      } else {
        add(move(file.path, layout.output), to: layout.output)
        isTaken = true
      }
    }
    return (directories.map { "mkdir -p \(shellOperand($0))" } + lines)
      .joined(separator: " && ")
  }

  /// The path of a file from the top of the repository.
  private func repositoryPath(_ path: String) -> String {
    guard let git else { return path }
    return PathArithmetic.path(path, from: git.location.directory, here: here)
  }

  private func move(_ old: String, _ new: String) -> String {
    (tracked.contains(normal(old)) ? "git mv " : "mv ") + shellOperands([old, new])
  }

  /// Whether bindings were generated from a model.
  private func isOf(_ model: Model, _ path: String, _ file: SwiftFile) -> Bool {
    BindingOwners([file]).owners.contains { normal($0.model) == path }
      || model.entities.contains { file.contains("\($0.pair.uid)") }
  }
}
