import BoxMerge
import BoxModel
import TestSupport
import Testing

struct ConflictedTextTests {
  /// The sides between git's markers are the texts that git writes when it takes a side.
  @Test(arguments: ["--merge", "--diff3", "--zdiff3"])
  func readsWhatGitWrites(style: String) async throws {
    var generator = TextGenerator(TestSeed.next())
    let directory = try TemporaryDirectory()
    let options = style == "--merge" ? [] : [style]
    for round in 0..<60 {
      let lines = generator.lines(30)
      let newline = round % 4 == 0 ? "\r\n" : "\n"
      let base = generator.bytes(lines, newline: newline)
      let ours = generator.bytes(generator.edited(lines, edits: 4), newline: newline)
      let theirs = generator.bytes(generator.edited(lines, edits: 4), newline: newline)
      let size = 7 + round % 3
      let marked = try await gitMergeFile(
        ours: ours, base: base, theirs: theirs, options + ["--marker-size=\(size)"], in: directory)
      guard let parsed = try ConflictedText(parsing: marked.output) else {
        #expect(marked.status == 0)
        continue
      }
      #expect(Int(marked.status) == parsed.conflictCount)
      #expect(parsed.markerSize == size)
      #expect(parsed.labels.ours == "ours")
      #expect(parsed.labels.theirs == "theirs")
      #expect(parsed.labels.base == (options.isEmpty ? nil : "base"))
      let takingOurs = try await gitMergeFile(
        ours: ours, base: base, theirs: theirs, ["--ours"], in: directory)
      #expect(parsed.ours == takingOurs.output)
      let takingTheirs = try await gitMergeFile(
        ours: ours, base: base, theirs: theirs, ["--theirs"], in: directory)
      #expect(parsed.theirs == takingTheirs.output)
      #expect((parsed.base != nil) == !options.isEmpty)
      if style != "--diff3" { #expect(!parsed.isBaseExact) }
    }
  }

  /// If everything conflicts, the base section holds the whole base.
  @Test func basesOfGitComeBack() async throws {
    let directory = try TemporaryDirectory()
    let base = Array("{\na\nb\n}\n".utf8)
    let ours = Array("{\nsame\nx\n}\n".utf8)
    let theirs = Array("{\nsame\ny\n}\n".utf8)
    let diff3 = try await gitMergeFile(
      ours: ours, base: base, theirs: theirs, ["--diff3"], in: directory)
    let exact = try #require(try ConflictedText(parsing: diff3.output))
    #expect(exact.base == base)
    #expect(exact.isBaseExact)
    // Git moves the line that both added out of the conflict.
    let zdiff3 = try await gitMergeFile(
      ours: ours, base: base, theirs: theirs, ["--zdiff3"], in: directory)
    let inexact = try #require(try ConflictedText(parsing: zdiff3.output))
    #expect(inexact.base == Array("{\nsame\na\nb\n}\n".utf8))
    #expect(!inexact.isBaseExact)
    #expect(inexact.ours == ours)
    #expect(inexact.theirs == theirs)
  }

  @Test func aFileWithoutMarkersIsNotAConflict() throws {
    for text in ["", "{\n}", "a <<<<<<< b\n", "<<<<<< six\n", "<<<<<<<x\n", "  =======\n"] {
      #expect(try ConflictedText(parsing: Array(text.utf8)) == nil)
    }
  }

  /// A merge of several bases leaves its own conflicts in the base.
  @Test(arguments: [7, 9])
  func conflictsInABaseMakeItUnusable(inner: Int) throws {
    func mark(_ mark: Character) -> String { String(repeating: mark, count: inner) }
    let text = """
      <<<<<<< HEAD
      a
      ||||||| merged common ancestors
      \(mark("<")) one
      b
      \(mark("|")) none
      \(mark("="))
      c
      \(mark(">")) two
      =======
      d
      >>>>>>> topic
      end
      """
    let parsed = try #require(try ConflictedText(parsing: Array(text.utf8)))
    #expect(parsed.base == nil)
    #expect(parsed.ours == Array("a\nend".utf8))
    #expect(parsed.theirs == Array("d\nend".utf8))
  }

  @Test(arguments: [
    ("x\n<<<<<<< a\n1\n", 2), ("<<<<<<< a\n1\n=======\n2\n", 1), ("=======\n", 1),
    (">>>>>>> b\n", 1), ("<<<<<<< a\n<<<<<<< b\n", 2), ("<<<<<<< a\n>>>>>>> b\n", 2),
    ("<<<<<<< a\n=======\n=======\n>>>>>>> b\n", 3), ("<<<<<<<\n=======\n|||||||\n>>>>>>>\n", 3),
    ("<<<<<<<\n||||||| b\n|||||||\n=======\n>>>>>>>\n", 3),
    ("<<<<<<<\n=======\n>>>>>>>\n\n||||||| x\n", 5), ("<<<<<<<\n|||||||\n>>>>>>>\n", 3),
  ])
  func misplacedMarkersAreErrors(text: String, line: Int) throws {
    let error = #expect(throws: ConflictedTextError.self) {
      try ConflictedText(parsing: Array(text.utf8))
    }
    #expect(error?.line == line)
  }

  /// Any bytes are read without a trap.
  @Test func anyTextIsReadOrRefused() throws {
    var random = TestSeed.next()
    let pieces = [
      "<<<<<<<", "|||||||", "=======", ">>>>>>>", "<<<<<<<<<", ">>>>>>>>>", "\n", "\n", "\r\n",
      " ", "x", "\u{0}",
    ]
    for _ in 0..<20_000 {
      let text = (0..<random.below(24)).map { _ in random.pick(pieces) }.joined()
      _ = try? ConflictedText(parsing: Array(text.utf8))
    }
  }

  /// Real files that were committed with markers: each has two conflicts, and two versions.
  @Test(.enabled(if: Corpus.isAvailable, "../shared/corpus is not there"))
  func readsCommittedConflicts() throws {
    let files = try #require(Corpus.shared).conflicted
    for file in files {
      let parsed = try #require(try ConflictedText(parsing: file.bytes), "\(file)")
      #expect(parsed.conflictCount == 2, "\(file)")
      #expect(parsed.base == nil)
      #expect(parsed.ours != parsed.theirs)
      for version in [parsed.ours, parsed.theirs] {
        #expect(try ConflictedText(parsing: version) == nil)
        #expect(version.suffix(2) == Array("\n}".utf8)[...])
      }
    }
    #expect(files.count == 3)
  }
}
