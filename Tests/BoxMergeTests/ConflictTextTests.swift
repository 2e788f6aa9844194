import BoxMerge
import TestSupport
import Testing

struct ConflictTextTests {
  private let labels = ConflictLabels(ours: "HEAD", base: "1a2b3c4", theirs: "topic")

  /// Taking a side everywhere gives that side, in every style and size.
  @Test func takingASideGivesThatSide() throws {
    var generator = TextGenerator(TestSeed.next())
    for round in 0..<TestSeed.count("BOXJOINT_TEXTS", default: 4_000) {
      let base = generator.lines(generator.random.below(40))
      let newline = round % 5 == 0 ? "\r\n" : "\n"
      let endsInNewline = round % 3 != 0
      let ours = generator.bytes(
        generator.edited(base, edits: generator.random.below(6)), newline: newline,
        endsInNewline: endsInNewline)
      let theirs = generator.bytes(
        generator.edited(base, edits: generator.random.below(6)), newline: newline,
        endsInNewline: round % 7 == 0 ? !endsInNewline : endsInNewline)
      let style = generator.random.pick(ConflictStyle.allCases)
      let size = 7 + generator.random.below(5)
      let text = conflictText(
        ours: ours, base: generator.bytes(base, newline: newline), theirs: theirs, style: style,
        markerSize: size, labels: labels)
      guard let parsed = try ConflictedText(parsing: text) else {
        #expect(ours == theirs)
        #expect(text == ours)
        continue
      }
      #expect(ours != theirs)
      #expect(parsed.markerSize == size)
      #expect(parsed.labels.ours == labels.ours)
      #expect(parsed.labels.theirs == labels.theirs)
      #expect(parsed.labels.base == (style == .merge ? nil : labels.base))
      #expect((parsed.base != nil) == (style != .merge))
      if parsed.endsInConflict {
        // Git adds the line ending that the markers have.
        #expect(isEqual(parsed.ours, ours))
        #expect(isEqual(parsed.theirs, theirs))
      } else {
        #expect(parsed.ours == ours)
        #expect(parsed.theirs == theirs)
      }
    }
  }

  private func isEqual(_ parsed: [UInt8], _ side: [UInt8]) -> Bool {
    parsed == side || parsed == side + Array("\n".utf8) || parsed == side + Array("\r\n".utf8)
  }

  /// The base comes back too, if both sides change no line in the same way.
  @Test func basesComeBack() throws {
    var generator = TextGenerator(TestSeed.next())
    for _ in 0..<1_000 {
      var sides: (base: [String], ours: [String], theirs: [String]) = ([], [], [])
      for _ in 0..<generator.random.below(60) {
        let line = generator.freshLine()
        let (other, third) = (generator.freshLine(), generator.freshLine())
        let change = generator.random.below(12)
        sides.base.append(line)
        // The lines of one side alone, the lines of the other alone, or different ones of both.
        sides.ours += change == 0 ? [] : change == 1 || change == 2 ? [other] : [line]
        sides.theirs += change == 3 ? [] : change == 4 || change == 2 ? [third] : [line]
        if change == 5 { sides.ours.append(other) }
        if change == 6 { sides.theirs.append(third) }
      }
      let text = conflictText(
        ours: generator.bytes(sides.ours), base: generator.bytes(sides.base),
        theirs: generator.bytes(sides.theirs), style: .diff3, labels: labels)
      guard let parsed = try ConflictedText(parsing: text) else { continue }
      #expect(parsed.base == generator.bytes(sides.base))
    }
  }

  /// Without a base, git too does nothing but compare the sides.
  @Test func isWhatGitWritesWithoutABase() async throws {
    var generator = TextGenerator(TestSeed.next())
    let directory = try TemporaryDirectory()
    for round in 0..<60 {
      // Lines that differ from each other leave one way to compare, and git joins conflicts that
      // are closer than four lines, whatever these are.
      let shared = (0..<60).map { _ in generator.freshLine() }
      func edit() -> [String] {
        var lines: [String] = []
        for (number, line) in shared.enumerated() {
          switch number % 6 == 0 ? generator.random.below(6) : 6 {
          case 0: break
          case 1: lines += [generator.freshLine(), line]
          case 2: lines.append(generator.freshLine())
          default: lines.append(line)
          }
        }
        return lines
      }
      let ours = generator.bytes(edit(), endsInNewline: round % 3 != 0)
      let theirs = generator.bytes(edit(), endsInNewline: round % 4 != 0)
      let size = round % 2 == 0 ? 7 : 9
      let named = round % 5 != 0
      let git = try await gitMergeFile(
        ours: ours, base: [], theirs: theirs,
        ["--marker-size=\(size)", "-L", named ? "HEAD" : "", "-L", "base"]
          + ["-L", named ? "topic" : ""], in: directory)
      let text = conflictText(
        ours: ours, base: nil, theirs: theirs, style: .merge, markerSize: size,
        labels: named ? ConflictLabels(ours: "HEAD", theirs: "topic") : ConflictLabels())
      // Git leaves the blank before an empty label in some versions; a label of no length is none.
      #expect(String(decoding: text, as: UTF8.self) == git.text.replacing(" \n", with: "\n"))
    }
  }

  /// One conflict in the middle of a file with CRLF, in the style that shows the base.
  @Test func markersFollowTheLineEndings() async throws {
    let directory = try TemporaryDirectory()
    for newline in ["\n", "\r\n"] {
      func bytes(_ lines: String...) -> [UInt8] { Array(lines.joined(separator: newline).utf8) }
      let (ours, base, theirs) = (
        bytes("{", "a: 1", "}"), bytes("{", "a: 0", "}"), bytes("{", "a: 2", "}")
      )
      let git = try await gitMergeFile(
        ours: ours, base: base, theirs: theirs,
        ["--diff3", "-L", "HEAD", "-L", "1a2b3c4", "-L", "topic"], in: directory)
      let text = conflictText(
        ours: ours, base: base, theirs: theirs, style: .diff3, labels: labels)
      #expect(text == git.output)
    }
  }

  /// The last line of a section ends before the next marker, whether it had an end or not.
  @Test func aLastLineWithoutNewlineGetsOne() async throws {
    let directory = try TemporaryDirectory()
    let (ours, base, theirs) = (Array("x\na".utf8), Array("x\nb".utf8), Array("x\nc\n".utf8))
    let git = try await gitMergeFile(
      ours: ours, base: base, theirs: theirs,
      ["--diff3", "-L", "HEAD", "-L", "1a2b3c4"] + ["-L", "topic"], in: directory)
    let text = conflictText(ours: ours, base: base, theirs: theirs, style: .diff3, labels: labels)
    #expect(text == git.output)
    #expect(try ConflictedText(parsing: text)?.endsInConflict == true)
  }

  /// Conflicts with nothing but brackets between them are one.
  @Test func bracketsJoinConflicts() throws {
    let ours = Array("a\n  },\n  {\nb\nend\n".utf8)
    let theirs = Array("c\n  },\n  {\nd\nend\n".utf8)
    let text = conflictText(
      ours: ours, base: nil, theirs: theirs, style: .merge, labels: ConflictLabels())
    #expect(
      String(decoding: text, as: UTF8.self) == """
        <<<<<<<
        a
          },
          {
        b
        =======
        c
          },
          {
        d
        >>>>>>>
        end

        """)
  }

  /// An added element starts with its bracket, although the one before it starts alike.
  @Test func addedElementsAreShownWhole() throws {
    let theirs = "  [\n    {\n      1\n    },\n    {\n      3\n    }\n  ]\n"
    let ours = "  [\n    {\n      1\n    },\n    {\n      2\n    },\n    {\n      3\n    }\n  ]\n"
    let text = conflictText(
      ours: Array(ours.utf8), base: nil, theirs: Array(theirs.utf8), style: .merge,
      labels: ConflictLabels())
    #expect(
      String(decoding: text, as: UTF8.self).contains(
        "<<<<<<<\n    {\n      2\n    },\n=======\n>>>>>>>\n"))
  }

  /// A million lines with few differences, and many lines without a rare one.
  @Test func largeFilesAreCompared() throws {
    var generator = TextGenerator(TestSeed.next())
    var base: [String] = []
    for id in 0..<250_000 {
      base += ["    {", "      \"id\": \"\(id)\",", "      \"type\": 9", "    },"]
    }
    var (ours, theirs) = (base, base)
    for _ in 0..<20 {
      ours.insert(generator.freshLine(), at: generator.random.below(ours.count))
      theirs[generator.random.below(theirs.count)] = "changed"
    }
    try expectRoundTrip(ours, base, theirs, generator)
    let few = (0..<20_000).map { _ in generator.random.pick(["{", "}", "[", "]"]) }
    let others = (0..<20_000).map { _ in generator.random.pick(["{", "}", "[", "]"]) }
    try expectRoundTrip(few, [], others, generator)
  }

  private func expectRoundTrip(
    _ ours: [String], _ base: [String], _ theirs: [String], _ generator: TextGenerator
  ) throws {
    let text = conflictText(
      ours: generator.bytes(ours), base: generator.bytes(base), theirs: generator.bytes(theirs),
      style: .diff3, labels: labels)
    let parsed = try #require(try ConflictedText(parsing: text))
    // Not in an expectation: a failure would print the texts.
    let isSame = parsed.ours == generator.bytes(ours) && parsed.theirs == generator.bytes(theirs)
    #expect(isSame)
  }
}
