import TestSupport
import Testing

@testable import BoxStoreTool

/// The words of the lines of `boxjoint shell`.
struct ShellWordsTests {
  @Test(arguments: [
    ("", []), ("  \t ", []), ("a b", ["a", "b"]), (" a\tb ", ["a", "b"]),
    ("'a b' c", ["a b", "c"]), ("\"a b\"c", ["a bc"]), ("a'b'\"c\"", ["abc"]), ("'' a", ["", "a"]),
    (#"a\ b"#, ["a b"]), (#""a\"b\\c\d""#, [#"a"b\c\d"#]), (#"'a\'"#, [#"a\"#]),
    ("a # b", ["a"]), ("a#b", ["a#b"]), ("# a", []), ("'#' a", ["#", "a"]),
    ("`a b`,`c'd` e", ["`a b`,`c'd`", "e"]), ("`a b", ["`a", "b"]), ("x`a b`", ["x`a", "b`"]),
    ("x=`a\\` b` c", ["x=`a\\` b`", "c"]), ("'`a'\\''b`'", ["`a'b`"]),
    ("a \\\n b", ["a", "b"]), ("'a\nb'", ["a\nb"]), ("# a\nb", ["b"]),
  ])
  func areSeparated(_ line: String, _ words: [String]) {
    let read = ShellWords(line)
    #expect(read.words == words)
    #expect(!read.isOpen)
  }

  @Test(arguments: ["'", "a \"b", "a \\", "'a\\"])
  func continueOnTheNextLine(_ line: String) {
    #expect(ShellWords(line).isOpen)
  }

  /// Each way of quoting gives the word again.
  @Test func aQuotedWordIsReadAsItWas() {
    var random = TestSeed.next()
    let characters = Array("ab \t\n'\"\\#$é€.-=")
    for _ in 0..<20_000 {
      let words = (0..<random.below(4)).map { _ in
        String((0..<random.below(6)).map { _ in random.pick(characters) })
      }
      let line = words.map { word in
        switch random.below(3) {
        case 0: "'" + word.replacing("'", with: "'\\''") + "'"
        case 1:
          "\"" + word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        default: word.map { $0 == "\n" ? "'\n'" : "\\\($0)" }.joined() + (word.isEmpty ? "''" : "")
        }
      }
      let read = ShellWords(line.joined(separator: random.oneIn(2) ? " " : " \t"))
      #expect(read.words == words, "\(line)")
      #expect(!read.isOpen)
    }
  }
}
