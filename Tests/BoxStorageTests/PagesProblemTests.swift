import BoxStorage
import CLMDB
import TestSupport
import Testing

/// Each promise of the format that is broken in one place has its own kind of problem.
struct PagesProblemTests {
  /// One way to break a file.
  struct Fault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let kinds: [PageProblem.Kind]
    let apply: @Sendable (inout PagesEditor) -> Void

    init(
      _ description: String, _ kinds: PageProblem.Kind...,
      apply: @escaping @Sendable (inout PagesEditor) -> Void
    ) {
      (testDescription, self.kinds, self.apply) = (description, kinds, apply)
    }
  }

  private static let faults: [Fault] = [
    Fault("another page's number", .misplacedPage) { $0[$0.root, 0] += 1 },
    Fault("a leaf for a branch", .pageKind) { $0[$0.root, 10] = 2 },
    Fault("a page below itself", .usedTwice) { $0.setChild(0, of: $0.root, to: $0.root) },
    Fault("a leaf in two places", .usedTwice) { $0.setChild(1, of: $0.root, to: $0.child(0)) },
    Fault("a meta page in a tree", .pageNumber) { $0.setChild(0, of: $0.root, to: 1) },
    Fault("a page behind the last one", .pageNumber) { $0.setChild(0, of: $0.root, to: $0.count) },
    Fault("one entry too many", .counts) { $0[$0.mainRoot, $0.record + 32] += 1 },
    Fault("one leaf too few", .counts) { $0[$0.mainRoot, $0.record + 16] -= 1 },
    Fault("a tree too deep", .databaseRecord) { $0[$0.mainRoot, $0.record + 6] = 40 },
    Fault("duplicates of one size without duplicates", .databaseRecord) {
      $0[$0.mainRoot, $0.record + 4] = 0x10
    },
    Fault("an odd lower bound", .pageBounds) { $0[$0.child(0), 12] += 1 },
    Fault("bounds that cross", .pageBounds) { $0[$0.child(0), 15] = 0 },
    Fault("two nodes in one place", .nodeBounds) {
      $0.setWord($0.child(0), 16, to: $0.word($0.child(0), 18))
    },
    Fault("a node behind the page", .nodeBounds) { $0.setWord($0.child(0), 16, to: 0xFFFE) },
    Fault("an unknown kind of node", .nodeKind) { $0[$0.child(0), $0.node(0) + 4] = 8 },
    Fault("duplicates where there are none", .nodeKind) { $0[$0.child(0), $0.node(0) + 4] = 4 },
    Fault("two entries exchanged", .keyOrder) {
      let (page, first) = ($0.child(0), $0.word($0.child(0), 16))
      $0.setWord(page, 16, to: $0.word(page, 18))
      $0.setWord(page, 18, to: first)
    },
    Fault("an empty key", .keySize) {
      let (page, node) = ($0.child(0), $0.node(0))
      $0[page, node + 6] = 0
      $0[page, node] += 4
    },
    Fault("a branch's key above the keys below it", .keyOrder) {
      let node = $0.word($0.root, 18)
      $0[$0.root, node + 8] = 0xFF
    },
    Fault("a chain too short", .overflow) { $0[$0.chain, 12] = 1 },
    Fault("a chain of another kind", .pageKind) { $0[$0.chain, 10] = 1 },
    Fault("a free meta page", .freelist, .lostPages) { $0[$0.freeRoot, $0.freeList + 8] = 1 },
    Fault("a page in use that is free", .freeInUse) { editor in
      let root = withUnsafeBytes(of: UInt64(editor.root).littleEndian) { Array($0) }
      for index in 0..<8 { editor[editor.freeRoot, editor.freeList + 8 + index] = root[index] }
    },
    Fault("a free page left out", .lostPages) { $0[$0.freeRoot, $0.freeList] -= 1 },
    Fault("free pages of a transaction to come", .freelist, .keyOrder) {
      $0[$0.freeRoot, $0.freeList - 8] = 200
    },
    Fault("a list too long for its room", .freelist) { $0[$0.freeRoot, $0.freeList + 2] = 1 },
    Fault("meta pages of the same transaction", .transaction) {
      $0[1 - $0.meta, 144] = $0[$0.meta, 144]
    },
    Fault("an older page that seems to be newer", .transaction) { $0[1 - $0.meta, 144] += 2 },
    Fault("a newer page that seems to be older", .transaction) { $0[$0.meta, 144] -= 2 },
    Fault("another version", .version) { $0[0, 20] = 2 },
    Fault("no such page size", .pageSize) { $0[0, 40] = 1 },
    Fault("other page sizes", .pageSize) { $0[1, 41] ^= 0x30 },
    Fault("a last page too high", .lostPages) { $0[$0.meta, 136] += 1 },
  ]

  @Test(arguments: faults)
  func isFound(_ fault: Fault) throws {
    var editor = try PagesEditor()
    #expect(try walk(editor).isSound)
    fault.apply(&editor)
    let report = try walk(editor)
    let kinds = Set(report.problems.map(\.kind))
    #expect(kinds == Set(fault.kinds), "\(report.problems)")
  }

  @Test func objectsHiddenByDamageAreNotLost() throws {
    var editor = try PagesEditor()
    editor[editor.root, 0] += 1
    let report = try walk(editor)
    #expect(report.problems.map(\.kind) == [.misplacedPage])
    #expect(report.problems.map(\.page) == [UInt64(editor.root)])
    #expect(report.problems.map(\.database) == ["tree"])
  }

  @Test func anOddOlderMetaPageIsANote() throws {
    var editor = try PagesEditor()
    // The depth of the main database.
    editor[1 - editor.meta, 95] = 0xFF
    let report = try walk(editor)
    #expect(report.isSound)
    #expect(report.notes.map(\.kind) == [.meta])
  }

  private func walk(_ editor: PagesEditor) throws -> PageReport {
    try PageWalker(PageSource(editor.bytes)).walk()
  }
}

/// A small file whose places are found by the layout of the format alone.
///
/// It has one named database, `tree`: a root with leaves of keys of 4 bytes, and a long value.
struct PagesEditor {
  private(set) var bytes: [UInt8]
  private let pageSize: Int

  init() throws {
    let directory = try TemporaryDirectory()
    do {
      let file = try PagesFile(directory.path(of: "data.mdb"))
      for round in 0..<3 {
        try file.write { transaction in
          let database = try transaction.open("tree", MDB_CREATE)
          for number in 0..<600 {
            let key = withUnsafeBytes(of: UInt32(number).bigEndian) { Array($0) }
            try transaction.put(database, key, Array(repeating: UInt8(round), count: 100))
          }
          try transaction.put(database, [0xFE], Array(repeating: 1, count: 90_000))
        }
      }
    }
    bytes = try directory.bytes(of: "data.mdb")
    pageSize = Int(bytes[40]) | Int(bytes[41]) << 8
  }

  subscript(page: Int, offset: Int) -> UInt8 {
    get { bytes[page * pageSize + offset] }
    set { bytes[page * pageSize + offset] = newValue }
  }

  func word(_ page: Int, _ offset: Int) -> Int {
    Int(self[page, offset]) | Int(self[page, offset + 1]) << 8
  }

  mutating func setWord(_ page: Int, _ offset: Int, to word: Int) {
    self[page, offset] = UInt8(word & 0xFF)
    self[page, offset + 1] = UInt8(word >> 8)
  }

  /// The current meta page.
  var meta: Int { self[0, 144] > self[1, 144] ? 0 : 1 }
  /// Pages up to the last one.
  var count: Int { word(meta, 136) + 1 }
  var freeRoot: Int { word(meta, 80) }
  var mainRoot: Int { word(meta, 128) }
  /// The start of the only record in the main database: behind a node's header and the name.
  var record: Int { word(mainRoot, 16) + 8 + 4 }
  var root: Int { word(mainRoot, record + 40) }
  /// The start of the first list of free pages: behind a node's header and the transaction.
  var freeList: Int { word(freeRoot, 16) + 8 + 8 }
  /// The page below a node of the root.
  func child(_ index: Int) -> Int { word(root, word(root, 16 + 2 * index)) }
  /// The offset of a node of the first leaf.
  func node(_ index: Int) -> Int { word(child(0), 16 + 2 * index) }
  /// The first page of the long value: that of the last node of the last leaf.
  var chain: Int {
    let leaf = child((word(root, 12) - 16) / 2 - 1)
    let node = word(leaf, word(leaf, 12) - 2)
    return word(leaf, node + 8 + 1)
  }

  mutating func setChild(_ index: Int, of page: Int, to child: Int) {
    setWord(page, word(page, 16 + 2 * index), to: child)
  }
}
