internal import BoxModel
internal import BoxRecovery
internal import BoxReport

/// The looks at a model file before it is changed.
enum ModelSafety {
  /// The reason why a model file must not be changed; nil if it may be.
  ///
  /// - Parameters:
  ///   - request: The run.
  ///   - names: The names of the entities of the sources.
  /// - Returns: The finding.
  /// - Complexity: O(*n*) in the size of the model files and the generated files.
  static func finding(_ request: GeneratorRequest, _ names: [String]) -> Finding? {
    if let finding = conflict(request) ?? lostUIDs(request) { return finding }
    if names.isEmpty { return nil }
    return lostFile(request) ?? RenamedModel(request, names)?.finding
  }

  /// The bindings of ObjectBox's generator that stay beside the new ones, which declare the same.
  ///
  /// - Parameters:
  ///   - request: The run, with a model file that may be changed.
  ///   - names: The names of the entities of the sources.
  /// - Returns: A finding for each file.
  /// - Complexity: O(*n*) in the number of files.
  static func leftBindings(_ request: GeneratorRequest, _ names: [String]) -> [Finding] {
    if names.isEmpty { return [] }
    return request.leftBindings.map { path in
      Finding(
        GeneratorRule.leftBindings, at: SourcePlace(path: path, line: 1, column: 1),
        "The bindings of ObjectBox's generator are beside \"\(request.bindingsPath)\", which"
          + " declares the same",
        advice: "Delete the file, and generate again; if the target does not compile it, leave it"
          + " out by --exclude-sources")
    }
  }

  /// A model file with conflict markers would be taken for one that is broken.
  private static func conflict(_ request: GeneratorRequest) -> Finding? {
    let lines = (request.model ?? []).split(separator: 10, omittingEmptySubsequences: false)
    guard let line = lines.firstIndex(where: { $0.starts(with: "<<<<<<<".utf8) }) else {
      return nil
    }
    return Finding(
      GeneratorRule.model,
      at: SourcePlace(path: request.modelPath, line: line + 1, column: 1),
      "The model file has conflict markers",
      advice: "Run \"boxjoint resolve \(shellOperand(request.modelPath))\", or resolve the conflict"
        + " by hand")
  }

  /// A file that is missing, and that history has: the run would start a new one.
  private static func lostFile(_ request: GeneratorRequest) -> Finding? {
    guard request.model == nil, let place = request.earlierModel else { return nil }
    return loss(
      request, "The model file is missing, and \(place)", restart: "add --new-model")
  }

  private static func loss(
    _ request: GeneratorRequest, _ message: String, restart: String
  ) -> Finding {
    let path = shellQuoted(request.modelPath)
    // A file that is there is replaced on demand only.
    let command =
      request.model == nil
      ? "boxjoint recover --output \(path)" : "boxjoint recover --force --output \(path)"
    return Finding(
      GeneratorRule.lostUIDs, at: SourcePlace(path: request.modelPath, line: 1, column: 1),
      message,
      advice: "Restore the model file from version control, or run \"\(command)\"; to begin with"
        + " new data, \(restart)")
  }

  /// Generated code that has UIDs which the model file lacks says that the file was lost or replaced.
  private static func lostUIDs(_ request: GeneratorRequest) -> Finding? {
    guard let bindings = request.bindings else { return nil }
    let file = CodeScan.File(path: request.bindingsPath, bytes: bindings)
    guard CodeScan.isGenerated(file) else { return nil }
    var known: Set<UID> = []
    let document = try? ModelDocument(parsing: request.model ?? ModelDocument.newFile)
    guard let model = document?.model else { return nil }
    model.forEachElement { _, pair in known.insert(pair.uid) }
    for kind in ElementKind.allCases { known.formUnion(model[retired: kind] ?? []) }
    var lost: Set<UID> = []
    var name: String?
    for model in CodeScan.evidence(in: [file]).map(\.model) {
      model.forEachElement { _, pair in
        if pair.uid != 0, !known.contains(pair.uid) { lost.insert(pair.uid) }
      }
      name = name ?? model.entities.first { !known.contains($0.pair.uid) }?.name
    }
    if lost.isEmpty { return nil }
    let example = name.map { ", such as the UID of the entity \"\($0)\"" } ?? ""
    let uids = counted(lost.count, "UID")
    let message =
      request.model == nil
      ? "The model file is missing, and \"\(request.bindingsPath)\" has \(uids)\(example)"
      : "The model file lacks \(uids) of \"\(request.bindingsPath)\"\(example)"
    return loss(request, message, restart: "delete \"\(request.bindingsPath)\"")
  }
}
