import TestSupport
import Testing

/// The pages about the code, compared with the files and the declarations of the repository.
struct ArchitecturePageTests {
  private static let pages = [
    "docs/architecture.md", "docs/architecture-model.md", "docs/architecture-database.md",
    "docs/architecture-data.md",
  ]

  @Test(.promise(4), arguments: pages) func everyPathExists(page: String) throws {
    let text = try RepositoryFiles.text(page)
    let paths = PageReferences.paths(in: text, at: page)
    let names = Set(
      RepositoryFiles.paths(below: "Sources").compactMap { $0.split(separator: "/").last })
    #expect(paths.count >= 5)
    for path in paths {
      let exists =
        path.contains("/") ? RepositoryFiles.exists(path) : names.contains(Substring(path))
      #expect(exists, "\(path) does not exist")
    }
  }

  @Test(.promise(2, 10)) func everyTargetIsOnThePage() throws {
    let texts = try Self.pages.map(RepositoryFiles.text)
    for target in RepositoryFiles.names(in: "Sources") {
      #expect(texts.contains { $0.contains("`\(target)`") }, "\(target) is on no page")
    }
  }

  @Test func everyTypeIsDeclared() throws {
    // Those of Swift itself that the pages name.
    let known = try PageReferences.declaredTypes.union(["Optional", "String", "UInt64"])
    let named = try Self.pages.flatMap { PageReferences.types(in: try RepositoryFiles.text($0)) }
    #expect(named.count >= 100)
    let missing = named.filter { !known.contains($0) }
    #expect(missing.isEmpty, "types that are not declared")
  }

  @Test(arguments: pages) func aPageHasAtMost150Lines(page: String) throws {
    #expect(
      try RepositoryFiles.text(page).split(separator: "\n", omittingEmptySubsequences: false).count
        <= 151)
  }

  @Test func aMissingFileIsFound() {
    let text = "See `Tests/Nowhere`, `Gone.swift` and [this](gone.md#part), not `../elsewhere/x`."
    let paths = PageReferences.paths(in: text, at: "docs/page.md")
    #expect(paths == ["Tests/Nowhere", "Gone.swift", "docs/gone.md"])
    #expect(!paths.contains(where: RepositoryFiles.exists))
    #expect(
      PageReferences.paths(in: "[x](../Sources/X.swift)", at: ".github/x.md") == ["Sources/X.swift"]
    )
    #expect(
      PageReferences.types(in: "`Merger` and `run`, `CZlib`, `Box.put`") == ["Merger", "Box"])
  }
}
