/// A store in the place of a file, named with a prefix.
///
/// A directory is never taken for a store because of what it contains: a change of a repository can
/// replace a file by a directory with a data file in it.
enum StoreReference {
  private static let prefix = "store:"

  /// The directory that an argument such as `store:data/` names; nil for any other argument.
  static func directory(_ argument: String) -> String? {
    argument.hasPrefix(prefix) ? String(argument.dropFirst(prefix.count)) : nil
  }

  /// The hint for a directory that may be meant as a store.
  static func hint(_ directory: String) -> String {
    "name a store as \(prefix)\(directory)"
  }
}
