internal import BoxSystem

/// A file, a revision of one, or a store that an argument stands for where a file is expected.
package enum SourceReference: Hashable, Sendable {
  /// `-`.
  case standardInput
  /// A path.
  case file(String)
  /// `REF:PATH`; an empty reference means git's index.
  case revision(String, path: String)
  /// `store:DIR`: the model of a store.
  case store(String)

  private static let storePrefix = "store:"

  /// The directory of a store; nil for anything else.
  package var storeDirectory: String? {
    if case .store(let directory) = self { directory } else { nil }
  }

  /// The hint for a directory that may be meant as a store.
  package static func hint(_ directory: String) -> String {
    "name a store as \(SourceReference.store(directory).argument)"
  }

  /// Parses an argument.
  ///
  /// The text before a colon is a revision, whatever files exist: a change that adds a file with
  /// the name `REF:PATH` must not replace the revision. `./REF:PATH` is a file. For the same reason
  /// a store needs its prefix; the file of a branch `store` is `refs/heads/store:PATH`.
  package init(_ argument: String) {
    if argument == "-" {
      self = .standardInput
    } else if argument.hasPrefix(Self.storePrefix) {
      self = .store(String(argument.dropFirst(Self.storePrefix.count)))
    } else if let colon = argument.firstIndex(of: ":"), !argument.hasPrefix("/"),
      !argument.hasPrefix("./"), !argument.hasPrefix("../")
    {
      self = .revision(
        String(argument[..<colon]), path: String(argument[argument.index(after: colon)...]))
    } else {
      self = .file(argument)
    }
  }

  /// An argument with this meaning, which may differ from the user's.
  package var argument: String {
    switch self {
    case .standardInput: "-"
    case .file(let path): SourceReference(path) == self ? path : "./" + path
    case .revision(let reference, let path): "\(reference):\(path)"
    case .store(let directory): Self.storePrefix + directory
    }
  }

  /// Whether an argument that could also name a revision names something else: `REF:PATH`, `-`, a
  /// store, an open descriptor, or an existing file whose path starts with `./`, `../` or `/` or
  /// ends with `.json`.
  ///
  /// Other files do not count: a change may add one with the name of a branch.
  package var isNoRevision: Bool {
    guard case .file(let path) = self else { return true }
    if DescriptorPath.descriptor(of: path) != nil { return true }
    let isPath = ["/", "./", "../"].contains { path.hasPrefix($0) } || path.hasSuffix(".json")
    return isPath && ((try? fileAttributes(at: path)) ?? nil)?.isRegularFile ?? false
  }
}
