/// What an argument stands for where a file is expected.
enum SourceReference: Hashable, Sendable {
  /// `-`.
  case standardInput
  /// A path.
  case file(String)
  /// `REF:PATH`; an empty reference means git's index.
  case revision(String, path: String)

  /// Tells what an argument means.
  ///
  /// A file that exists is always meant, also with a colon in its name; `./REF:PATH` can only be
  /// one. A colon in the first place of anything else makes a revision of what stands before it.
  init(_ argument: String) {
    if argument == "-" {
      self = .standardInput
    } else if let colon = argument.firstIndex(of: ":"), !argument.hasPrefix("/"),
      !argument.hasPrefix("./"), !argument.hasPrefix("../"),
      ((try? fileAttributes(at: argument)) ?? nil) == nil
    {
      self = .revision(
        String(argument[..<colon]), path: String(argument[argument.index(after: colon)...]))
    } else {
      self = .file(argument)
    }
  }

  /// Reads the content, under the name that the user gave it.
  ///
  /// - Throws: ``CommandFailure`` with status 74 if it is not there or cannot be read.
  /// - Complexity: O(*n*) in the size of the content.
  func read(git: GitClient = GitClient()) async throws(CommandFailure) -> SourceFile {
    switch self {
    case .standardInput: return try SourceFile.readStandardInput()
    case .file(let path): return try SourceFile.read(path)
    case .revision(let reference, let path):
      let bytes = try await git.show(reference, path: path)
      return SourceFile(path: "\(reference):\(path)", bytes: bytes)
    }
  }
}
