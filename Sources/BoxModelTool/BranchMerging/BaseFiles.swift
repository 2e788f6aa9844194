internal import BoxSystem

/// The files of a base that decide how a merge is made: attributes and settings.
///
/// They are read from the base alone: a change under review could have a model merged by another
/// program, or not at all.
struct BaseFiles: Sendable {
  /// The contents of the files `.gitattributes`, by their paths from the top of the repository.
  var attributes: [String: [UInt8]]
  /// The content of the settings; empty without settings.
  var settings: [UInt8]
  /// The settings.
  var configuration: ConfigurationFile

  static let attributesName = ".gitattributes"

  /// Reads the files of a commit.
  ///
  /// - Parameters:
  ///   - base: The tip whose files count.
  ///   - options: The settings that override the settings of the base.
  ///   - place: The place of the repository.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git fails or a link of the base leads out
  ///   of the repository, `badConfiguration` if the settings are wrong.
  /// - Complexity: O(*n*) in the number of files of the commit.
  init(
    of base: BranchTip, options: EffectiveConfiguration.Options, in place: Workspace
  ) async throws(CommandFailure) {
    attributes = try await place.git.attributesFiles(of: base.commit)
    let name = ConfigurationFile.name
    if let named = options.configurationPath ?? place.variable("BOXJOINT_CONFIG") {
      settings = try await SourceReference(named).read(in: place, decides: true).bytes
      configuration = try ConfigurationFile.parse(settings, path: named)
    } else {
      settings =
        try await place.git.content(at: name, in: base.commit, called: base.name) ?? []
      configuration = try ConfigurationFile.parse(settings, path: "\(base.name):\(name)")
    }
  }
}

extension GitClient {
  /// The files `.gitattributes` of a commit.
  ///
  /// - Returns: The contents by their paths from the top of the repository.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  /// - Complexity: O(*n*) in the number of files of the commit; two runs of git.
  fileprivate func attributesFiles(
    of commit: String
  ) async throws(CommandFailure) -> [String: [UInt8]] {
    let entries = try await treeEntries(of: commit).filter { entry in
      // Git does not follow a link to attributes.
      entry.kind == .file && lastComponent(of: entry.path) == BaseFiles.attributesName
        && entry.isPlain
    }
    let contents = try await blobs(entries.map(\.hash))
    var result: [String: [UInt8]] = [:]
    for (entry, bytes) in zip(entries, contents) { result[entry.path] = bytes }
    return result
  }

  /// All files of a commit.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  /// - Complexity: O(*n*) in the number of files; one run of git.
  func treeEntries(of commit: String) async throws(CommandFailure) -> [TreeEntry] {
    try await require(["ls-tree", "-r", "-z", "--full-tree", commit])
      .standardOutput.split(separator: 0)
      .compactMap { TreeEntry(String(decoding: $0, as: UTF8.self)) }
  }
}

extension TreeEntry {
  /// Whether no part of the path has a meaning of its own; git refuses to check others out.
  fileprivate var isPlain: Bool {
    path.split(separator: "/", omittingEmptySubsequences: false)
      .allSatisfy { !["", ".", ".."].contains($0) && $0.lowercased() != ".git" }
  }
}
