/// The files and types that a page of the docs names.
enum PageReferences {
  /// The text between backticks.
  private static func code(in text: String) -> [Substring] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map(\.element)
  }

  /// The paths in the repository that a page names: between backticks, and the targets of links.
  ///
  /// Names of Swift files are names, wherever the files are. Material outside of the repository, which starts with
  /// `../` between backticks, need not be there.
  static func paths(in text: String, at page: String) -> [String] {
    let names = code(in: text).map(String.init).filter { !$0.hasPrefix("../") }
    let directory = page.split(separator: "/").dropLast()
    let links = text.split(separator: "](").dropFirst().map { $0.prefix { $0 != ")" && $0 != "#" } }
      .filter { !$0.isEmpty && !$0.contains(":") }
      .map { joined(Array(directory), $0.split(separator: "/")) }
    return (names + links).filter { name in
      !name.contains { $0.isWhitespace || "(_:$*".contains($0) }
        && (name.contains("/") || name.hasSuffix(".swift") || name.hasSuffix(".md"))
    }
  }

  private static func joined(_ directory: [Substring], _ path: [Substring]) -> String {
    var parts = directory
    for part in path {
      if part == ".." { parts.removeLast() } else { parts.append(part) }
    }
    return parts.joined(separator: "/")
  }

  /// The types that a page names: those of code that begins with a capital letter, without targets.
  static func types(in text: String) -> [String] {
    let targets = Set(["Sources", "Tests"].flatMap(RepositoryFiles.names))
    return code(in: text).compactMap { code in
      let name = code.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
      guard let first = name.first, first.isUppercase, name.contains(where: \.isLowercase),
        code.dropFirst(name.count).first.map({ $0 == "." || $0 == "(" }) ?? true,
        !code.hasSuffix(".swift"), !code.hasSuffix(".md"), !targets.contains(String(name))
      else { return nil }
      return String(name)
    }
  }

  /// The names of all types that the sources and the tests declare.
  static var declaredTypes: Set<String> {
    get throws {
      let keywords: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]
      var names: Set<String> = []
      let paths =
        RepositoryFiles.paths(below: "Sources") + RepositoryFiles.paths(below: "Tests/TestSupport")
      for path in paths where path.hasSuffix(".swift") {
        for line in try RepositoryFiles.text(path).split(separator: "\n") {
          let words = line.split(separator: " ")
          guard let keyword = words.firstIndex(where: keywords.contains), keyword + 1 < words.count
          else { continue }
          names.insert(
            String(words[keyword + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" }))
        }
      }
      return names
    }
  }
}
