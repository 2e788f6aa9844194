import Testing

/// The table of `.github/CONTRIBUTING.md`, compared with the files that it leads to.
struct ContributingPageTests {
  private static let page = ".github/CONTRIBUTING.md"
  private let text: String

  init() throws { text = try RepositoryFiles.text(Self.page) }

  /// The cells of the rows of the table.
  private var rows: [[Substring]] {
    text.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().map { row in
      // In a table of Markdown a bar of a cell has a backslash.
      row.split(separator: "| ").map { $0 }
    }
  }

  @Test func everyRowNamesAFileAndATest() {
    #expect(rows.count >= 20)
    for row in rows {
      guard row.count == 4 else {
        Issue.record("\(row) has \(row.count) cells")
        continue
      }
      for cell in row[1...2] {
        let paths = PageReferences.paths(in: String(cell), at: Self.page)
        #expect(!paths.isEmpty, "\(cell) has no link")
      }
      #expect(row[3].hasPrefix("`"), "\(row[3]) is not a command")
    }
  }

  @Test func everyPathExists() {
    for path in PageReferences.paths(in: text, at: Self.page) {
      #expect(RepositoryFiles.exists(path), "\(path) does not exist")
    }
  }

  @Test func everyFilterFindsATest() throws {
    let tests = RepositoryFiles.paths(below: "Tests").filter { $0.hasSuffix("Tests.swift") }
    for row in rows {
      guard let command = row.last, let range = command.firstRange(of: "--filter ") else {
        continue
      }
      let words = command[range.upperBound...].split { "'`\\| ".contains($0) }
      for word in words { #expect(tests.contains { $0.contains(word) }, "--filter \(word)") }
    }
  }
}
