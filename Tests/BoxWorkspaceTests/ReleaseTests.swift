import BoxReport
import Testing

/// The version of the package, compared with what the docs and comments say about versions.
struct ReleaseTests {
  /// The version at the start of a text, such as `0.2.0`; nil if there is none.
  static func version(atStartOf text: some StringProtocol) -> String? {
    let characters = text.prefix { $0 == "." || "0"..."9" ~= $0 }
    let parts = characters.split(separator: ".", omittingEmptySubsequences: false).prefix(3)
    return parts.count == 3 && parts.allSatisfy { Int($0) != nil }
      ? parts.joined(separator: ".") : nil
  }

  /// The versions that follow a text somewhere in another.
  static func versions(after mark: String, in text: String) -> [String] {
    parts(after: mark, in: text).compactMap(version(atStartOf:))
  }

  /// The texts after each occurrence of a mark, up to the next one.
  private static func parts(after mark: String, in text: String) -> [String] {
    var parts: [String] = []
    var rest = text[...]
    while let range = rest.firstRange(of: mark) {
      rest = rest[range.upperBound...]
      parts.append(
        String(rest.prefix(upTo: rest.firstRange(of: mark)?.lowerBound ?? rest.endIndex)))
    }
    return parts
  }

  /// The deprecations in a text that name no version, or one that is not later than another.
  static func overdue(in text: String, at version: String) -> [String] {
    parts(after: "eprecated", in: text).filter { part in
      let removals = versions(after: "emoved in ", in: String(part.prefix(200)))
      guard let removal = removals.first else { return true }
      return !numbers(version).lexicographicallyPrecedes(numbers(removal))
    }
  }

  private static func numbers(_ version: String) -> [Int] {
    version.split(separator: ".").compactMap { Int($0) }
  }

  @Test func theChangelogHasASectionOfTheVersion() throws {
    let lines = try RepositoryFiles.text("docs/changelog.md").split(separator: "\n")
    // The first section: no later version is described before it is the version.
    #expect(lines.first { $0.hasPrefix("## ") } == "## \(ToolInfo.currentVersion)")
  }

  @Test(arguments: ["README.md", "docs/installing.md", "docs/ci.md"])
  func examplesOfPackagesHaveTheVersion(path: String) throws {
    let page = try RepositoryFiles.text(path)
    let marks = [
      "boxjoint-", "boxjoint_", "boxjoint==", "boxjoint-generate-", "version: ", "VERSION: ",
    ]
    let versions = marks.flatMap { Self.versions(after: $0, in: page) }
    #expect(!versions.isEmpty)
    #expect(versions.allSatisfy { $0 == ToolInfo.currentVersion }, "\(versions)")
  }

  @Test func whatIsDeprecatedIsRemovedInALaterVersion() throws {
    let sources = RepositoryFiles.paths(below: "Sources").filter { $0.hasSuffix(".swift") }
    #expect(sources.count > 500)
    for path in ["Package.swift"] + sources {
      let overdue = Self.overdue(in: try RepositoryFiles.text(path), at: ToolInfo.currentVersion)
      #expect(overdue.isEmpty, "\(path): say which later version removes it: \(overdue)")
    }
  }

  @Test func anOverdueDeprecationIsFound() {
    #expect(Self.overdue(in: "/// Deprecated: use x. Removed in 0.10.0.", at: "0.9.0") == [])
    #expect(Self.overdue(in: "/// Deprecated: use x. Removed in 0.9.0.", at: "0.9.0").count == 1)
    #expect(Self.overdue(in: "@available(*, deprecated)", at: "0.9.0").count == 1)
    #expect(Self.version(atStartOf: "1.2.3-linux") == "1.2.3")
    #expect(Self.version(atStartOf: "1.2") == nil)
  }
}
