internal import BoxModel
internal import BoxReport

/// A pattern for files of a repository, as in `.gitattributes`.
///
/// A pattern without a slash matches file names in every directory; one with a slash starts at the
/// top of the repository. `*` matches within a directory, `**` across directories.
package struct FilePattern: Hashable, Sendable {
  package var text: String

  /// Creates a pattern that both `.gitattributes` and git's pathspecs understand alike.
  ///
  /// - Returns: nil, if ``problem(of:)`` names a reason against it.
  package init?(_ text: String) {
    guard Self.problem(of: text) == nil else { return nil }
    self.text = text
  }

  private init(builtIn text: String) { self.text = text }

  /// The longest pattern, and the stars in one: for attributes git tries every place for each star.
  private static let maximumLength = 1024
  private static let maximumStars = 8

  /// The problem with a pattern, in one sentence without a period; nil if the pattern is valid.
  package static func problem(of text: String) -> String? {
    if text.isEmpty { return "a file pattern is empty" }
    if text.hasPrefix("!") { return "a file pattern cannot start with '!'" }
    if text.hasPrefix("[attr]") { return "a file pattern cannot start with '[attr]'" }
    if text.hasSuffix("/") { return "a file pattern names files, and cannot end with '/'" }
    if text.split(separator: "/").contains("..") { return "a file pattern cannot contain '..'" }
    if text.utf8.count > maximumLength {
      return "a file pattern has at most \(maximumLength) bytes"
    }
    if text.count(where: { $0 == "*" }) > maximumStars {
      return "a file pattern has at most \(maximumStars) stars"
    }
    if text.unicodeScalars.contains(where: \.isHazardousForDisplay) {
      return "a file pattern cannot contain control characters"
    }
    if let character = text.unicodeScalars.first(where: shellCharacters.contains) {
      return "a file pattern cannot contain \(character), which means something to a shell; "
        + "? matches any character"
    }
    return nil
  }

  /// The characters with a meaning in a shell command, except blanks, which occur in names.
  ///
  /// A repository can contain patterns, which are written to files of git and to commands that
  /// users type.
  private static let shellCharacters = Set(#""'`$;&|<>(){}\"#.unicodeScalars)

  /// The names that the code generators of the five languages use.
  ///
  /// `default.json` is too common a name to claim everywhere; the directory makes it a model.
  package static let standard = [
    FilePattern(builtIn: "objectbox-model.json"),
    FilePattern(builtIn: "**/objectbox-models/*.json"),
    FilePattern(builtIn: "model-*.json"),
    FilePattern(builtIn: "model.json"),
  ]

  /// The pattern with the same meaning in a file of attributes in a directory.
  ///
  /// - Parameter directory: The path from the top of the repository; empty for the top.
  /// - Returns: The pattern; nil if it matches nothing there, or has stars in the names of directories.
  package func relative(to directory: String) -> FilePattern? {
    if directory.isEmpty || !text.contains("/") || text.hasPrefix("**/") { return self }
    let anchored = text.hasPrefix("/") ? text.dropFirst() : text[...]
    guard anchored.hasPrefix(directory + "/") else { return nil }
    return FilePattern("/" + anchored.dropFirst(directory.utf8.count + 1))
  }

  /// Whether it is for files of rules, and not for the model files that these are beside.
  package var isForRules: Bool { text.hasSuffix(Declarations.fileEnding) }

  /// The pattern at the start of a line of attributes, in quotes if necessary.
  package var attributePattern: String {
    text.hasPrefix("#") || text.contains(" ") ? "\"\(text)\"" : text
  }
}
