import BoxStore
import BoxStoreTesting
import TestSupport
import Testing

// The examples of docs/testing.md, as they are there, and a test that they are.

@Suite(.store(.library))
struct ShelfTests {
  @Test func empty() throws {
    #expect(try Store.current.box(for: Book.self).isEmpty())
  }

  @Test(.store(.library, seed: "../../Fixtures/testing/people.ndjson")) func many() throws {
    #expect(try Store.current.box(for: Person.self).count() == 3)
  }
}

@Suite(.store(.library))
struct ShelfContentsTests {
  @Test func contents() throws {
    let store = try Store.current
    try Shelf(store).add("Eden", by: "Stanisław Lem")
    #expect(
      try store.contents() == #"""
        {"Author":{"id":1,"name":"Stanisław Lem"}}
        {"Book":{"id":1,"title":"Eden","author":1}}
        """# + "\n")
  }

  @Test(.store(.library)) func aFullDisk() throws {
    let store = try Store.current
    store.fail(next: .put, with: .dbFull)
    #expect(throws: ObjectBoxError.self) { try Shelf(store).add("Eden") }
    #expect(try store.contents() == "")
  }
}

/// The examples that are not tests themselves.
struct DocumentedTests {
  /// The part of `XCTestCase` that the example uses.
  private final class Teardown {
    private var blocks: [() throws -> Void] = []

    func addTeardownBlock(_ block: @escaping () throws -> Void) { blocks.append(block) }
    func run() throws { for block in blocks { try block() } }
  }

  @Test func aStoreWithoutTraits() throws {
    let teardown = Teardown()
    let addTeardownBlock = teardown.addTeardownBlock
    let store = try Store.test(.library)
    addTeardownBlock { try store.finishTest() }
    #expect(try store.box(for: Book.self).isEmpty())
    try teardown.run()
    #expect(store.isClosed)
  }

  /// All lines of the page's blocks of Swift are in this file, each block in one piece.
  @Test func theExamplesAreThoseOfThePage() throws {
    let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    func lines(_ path: String) throws -> [String] {
      String(decoding: try TemporaryDirectory.bytes(ofFile: path), as: UTF8.self)
        .split(separator: "\n", omittingEmptySubsequences: false)
        .map { String($0.drop { $0 == " " }) }
    }
    let source = try lines(#filePath)
    let page = try lines(root + "/docs/testing.md")
    let blocks = page.split(omittingEmptySubsequences: false) { $0.hasPrefix("```") }
      .enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    // The others are a part of a manifest, a message, and what scripts/check-examples compiles.
    let ofSwift = blocks.filter { page[$0.startIndex - 1] == "```" }.map { block in
      block.filter { !$0.hasPrefix("import ") }.drop { $0.isEmpty }.map {
        $0.replacing("\"people.ndjson\"", with: "\"../../Fixtures/testing/people.ndjson\"")
      }
    }.filter { $0.first.map { $0.hasPrefix("@") || $0.hasPrefix("let ") } ?? false }
    #expect(ofSwift.count == 4)
    for block in ofSwift {
      #expect(source.firstRange(of: block) != nil, "\(block.joined(separator: "\n"))")
    }
  }
}
