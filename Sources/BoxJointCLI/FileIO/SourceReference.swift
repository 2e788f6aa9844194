/// The meaning of an argument that names a file.
enum SourceReference: Hashable, Sendable {
  /// `-`.
  case standardInput
  /// A path.
  case file(String)
  /// `REF:PATH`; an empty reference means git's index.
  case revision(String, path: String)

  /// Tells what an argument means.
  ///
  /// A colon makes a revision of what stands before it, whatever files there are: a change that adds
  /// one by the name `REF:PATH` must not take the place of the revision. `./REF:PATH` is a file.
  init(_ argument: String) {
    if argument == "-" {
      self = .standardInput
    } else if let colon = argument.firstIndex(of: ":"), !argument.hasPrefix("/"),
      !argument.hasPrefix("./"), !argument.hasPrefix("../")
    {
      self = .revision(
        String(argument[..<colon]), path: String(argument[argument.index(after: colon)...]))
    } else {
      self = .file(argument)
    }
  }

  /// Whether an argument that may be the name of a revision too stands for something else: `REF:PATH`,
  /// `-`, or a file that exists and whose path starts with `./`, `../` or `/` or ends with `.json`.
  ///
  /// Other files do not count: a change may add one by the name of a branch.
  var isNoRevision: Bool {
    guard case .file(let path) = self else { return true }
    let isPath = ["/", "./", "../"].contains { path.hasPrefix($0) } || path.hasSuffix(".json")
    return isPath && ((try? fileAttributes(at: path)) ?? nil)?.isRegularFile ?? false
  }

  /// Reads the content, under the name that the user gave it.
  ///
  /// - Parameters:
  ///   - git: A client for the repository of a revision.
  ///   - decides: Whether the content decides about a change, as settings do.
  /// - Returns: The content.
  /// - Throws: ``CommandFailure`` with status 74 if it is not there or cannot be read, and 64 if it decides
  ///   and the revision is ambiguous in CI.
  /// - Complexity: O(*n*) in the size of the content.
  func read(
    git: GitClient = GitClient(), decides: Bool = false
  ) async throws(CommandFailure) -> SourceFile {
    switch self {
    case .standardInput: return try SourceFile.readStandardInput()
    case .file(let path): return try SourceFile.read(path)
    case .revision(let reference, let path):
      let bytes = try await git.show(reference, path: path)
      try await git.judgeAmbiguity(of: reference, decides: decides)
      return SourceFile(path: "\(reference):\(path)", bytes: bytes)
    }
  }
}
