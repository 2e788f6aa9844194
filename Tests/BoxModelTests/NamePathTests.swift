import BoxModel
import TestSupport
import Testing

/// Names and paths as options, conditions and files have them.
struct NamePathTests {
  @Test(arguments: [
    ("title", ["title"]), ("author.name", ["author", "name"]), ("first name", ["first name"]),
    ("`first name`", ["first name"]), ("`x.y`", ["x.y"]), ("a.`x.y`.b", ["a", "x.y", "b"]),
    (" `a` . `b` ", ["a", "b"]), ("a`b", ["a`b"]), ("`a\\`b`", ["a`b"]), ("`a\\\\`", ["a\\"]),
    ("`\\u{e9}\\n`", ["é\n"]), ("", [""]), ("``", [""]), (".", ["", ""]), ("a.", ["a", ""]),
    // What is not between backquotes stands for itself.
    ("`open", ["`open"]), ("`a`b", ["`a`b"]), ("`a\\x`", ["`a\\x`"]), ("a.`b", ["a", "`b"]),
    ("`a.b", ["`a", "b"]), ("x`a.b`", ["x`a", "b`"]),
  ])
  func areRead(_ text: String, _ names: [String]) {
    #expect(NamePath(reading: text).names == names)
  }

  @Test(arguments: [
    ("a", "a"), ("first name", "`first name`"), ("x.y", "`x.y`"), ("a`b\\", "`a\\`b\\\\`"),
    ("", "``"),
    ("1st", "`1st`"), ("null", "`null`"), ("NULL", "`NULL`"), ("desc", "desc"), ("été", "été"),
    ("a\nb\0", "`a\\nb\\u{0}`"), ("\u{202E}", "`\\u{202e}`"), ("\u{301}m", "`\\u{301}m`"),
  ])
  func areWritten(_ name: String, _ text: String) {
    #expect(NamePath.quoted(name) == text)
  }

  /// A written path is read as the same names, alone, in a path and in a list.
  @Test func writtenTextIsReadAgain() {
    var random = TestSeed.next()
    func name() -> String {
      random.oneIn(2) ? random.pick(HostileName.all) : HostileName.text(&random)
    }
    for name in HostileName.all {
      #expect(
        NamePath.name(NamePath.quoted(name)).unicodeScalars.elementsEqual(name.unicodeScalars))
    }
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_NAMES", default: 5_000) {
      let paths = (0..<(1 + random.below(3))).map { _ in
        (0..<(1 + random.below(3))).map { _ in name() }
      }
      let texts = paths.map { random.oneIn(3) ? NamePath($0).shortText : "\(NamePath($0))" }
      for (text, names) in zip(texts, paths) {
        #expect(NamePath(reading: text).names == names, "\(text.debugDescription)")
      }
      let list = paths.map { "\(NamePath($0))" }
      let parts = NamePath.parts(of: list.joined(separator: ","), at: ",")
      #expect(parts == list)
      #expect(NamePath.parts(of: "`a b`=\(list[0])", at: "=", maxSplits: 1) == ["`a b`", list[0]])
    }
  }

  /// Any text is read, nothing of it is lost, and text without backquotes is split as ever.
  @Test func everyTextIsRead() {
    var random = TestSeed.next()
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_NAMES", default: 5_000) {
      let text = HostileName.text(&random)
      for separator in [",", ".", "="] as [Character] {
        let parts = NamePath.parts(of: text, at: separator)
        #expect(parts.joined(separator: String(separator)) == text, "\(text.debugDescription)")
        if !text.utf8.contains(UInt8(ascii: "`")) {
          // By scalars: a separator before a mark that combines with it is one.
          let wanted = text.unicodeScalars.split(omittingEmptySubsequences: false) {
            Character($0) == separator
          }
          #expect(parts == wanted.map { String(String.UnicodeScalarView($0)) })
        }
      }
      let path = NamePath(reading: text)
      #expect(NamePath(reading: "\(path)").names == path.names, "\(text.debugDescription)")
      #expect(path.text(from: 0) == text)
      _ = (path.title, path.member?.name, NamePath.nearest(to: text, among: HostileName.all))
    }
  }

  /// The work grows with the text, whatever it consists of.
  @Test(.growth, arguments: ["`", "`.", "\\`", "`\\", ".`\\`", "`a`,", "`\\x,", ","])
  func growthOfLongTexts(_ piece: String) throws {
    let power = try growth(of: 10_000) { size in
      let text = String(repeating: piece, count: size)
      return {
        let parts = NamePath.parts(of: text, at: ",")
        #expect(parts.joined(separator: ",").utf8.count == text.utf8.count)
        #expect(!NamePath(reading: text).names.isEmpty)
      }
    }
    #expect(power < 1.75)
  }

  @Test func theReadingThatExistsIsMeant() {
    #expect(NamePath.name("`x`") { $0 == "x" } == "x")
    #expect(NamePath.name("`x`") { $0 == "`x`" } == "`x`")
    #expect(NamePath.name("`x`") { _ in true } == "x")
    #expect(NamePath.nearest(to: "a", among: ["b", "a,b"]) == "`a,b`")
    #expect(NamePath.nearest(to: "titel", among: ["title", "x y"]) == "title")
    #expect(NamePath.nearest(to: "", among: ["x y", "title"]) == nil)
  }
}
