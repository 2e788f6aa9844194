internal import BoxGenerator

/// The name of a package that is written, and of its target and its module.
struct NewPackageName {
  /// The name.
  let text: String

  /// Checks a name.
  ///
  /// - Throws: ``CommandFailure`` of the kind `usage`, with a name that can be used.
  init(_ text: String) throws(CommandFailure) {
    self.text = text
    if !Self.isIdentifier(text) {
      throw CommandFailure(
        .usage,
        "'\(text)' cannot be the name of a Swift module, which has at most \(Self.maximumLength) "
          + "letters from A to Z, digits and underscores, and begins with a letter; "
          + "pass \(Self.usable(text))")
    }
    if Self.isTaken(text) {
      throw CommandFailure(
        .usage,
        "'\(text)' is a word of Swift, or the name of a module that the package needs; "
          + "pass \(Self.usable(text))")
    }
  }

  /// The longest name, whose files have names that every file system takes.
  static let maximumLength = 100

  private static func isIdentifier(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, isLetter(first) else { return false }
    return text.utf8.count <= maximumLength && text.unicodeScalars.allSatisfy(isPart)
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
  }

  private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    isLetter(scalar) || ("0"..."9").contains(scalar) || scalar == "_"
  }

  /// Whether a module cannot have the name, as it is a word of the language, or as another module has it.
  private static func isTaken(_ text: String) -> Bool {
    if text.isSwiftKeyword || others.contains(text) { return true }
    // The libraries of this package.
    let rest = text.dropFirst(3)
    return text.hasPrefix("Box") && rest.first?.isUppercase ?? false
  }

  /// A package manager takes no two targets of one name, whether or not they are used.
  private static let others: Set = [
    "Any", "Builtin", "ObjectBox", "Self", "Swift", "main",
    "Combine", "Darwin", "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Observation",
    "PackageDescription", "PackagePlugin", "Synchronization", "Testing", "XCTest",
    "ArgumentParser", "ArgumentParserToolInfo", "Logging", "OpenCombine", "Subprocess",
    "CChecksum", "CDistance", "CEdit", "CJSONC", "CLMDB", "CNettle", "CSQLite", "CYAML", "CZlib",
    "CZstd", "CheckEntities", "EngineFaultsChild", "Fuzz", "GenerateBindings", "ImportFaultsChild",
    "MigrationFaultsChild", "StorageWriter", "TestSupport", "ToolTestSupport",
    "VectorFaultsChild", "VectorPeer",
  ]

  /// A name that can be used, as like the given one as possible: `MyNotes` for `apps/my-notes`.
  private static func usable(_ text: String) -> String {
    let last = text.split(separator: "/").last ?? ""
    let words = last.unicodeScalars.split { !isPart($0) }.map { String($0) }
    let joined = words.count > 1 ? words.map(capitalized).joined() : words.first ?? ""
    let name = String(joined.drop { !$0.isLetter }.prefix(maximumLength - 2))
    if name.isEmpty { return "Notes" }
    return isTaken(name) ? "My" + capitalized(name) : name
  }

  private static func capitalized(_ word: String) -> String {
    word.prefix(1).uppercased() + word.dropFirst()
  }
}
