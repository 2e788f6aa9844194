internal import BoxMerge
internal import BoxReport

/// Asks about conflicts on a terminal.
struct ConflictPrompt: Sendable {
  /// What the user said.
  enum Answer: Hashable, Sendable {
    case take(MergeSide)
    case skip
    case quit
  }

  /// Reads a line of the user's; nil at the end of the input.
  var readAnswer: @Sendable () -> String? = { readLine() }
  /// Shows a text to the user.
  var show: @Sendable (String) -> Void = { text in
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      StandardError.writeLine(String(line).escapedForDisplay)
    }
  }

  /// Asks about one conflict until the answer can be understood; the end of the input is to quit.
  func ask(_ conflict: Conflict, number: Int, of count: Int) -> Answer {
    let lines = MergeRecord.lines(conflict, number: number, indented: false)
    show(lines.joined(separator: "\n"))
    while true {
      show("conflict \(number) of \(count): take [o]urs, [t]heirs, [s]kip, [q]uit, [?] help")
      guard let line = readAnswer() else { return .quit }
      switch line.lowercased().filter({ !$0.isWhitespace }) {
      case "o", "ours": return .take(.ours)
      case "t", "theirs": return .take(.theirs)
      case "s", "skip": return .skip
      case "q", "quit": return .quit
      default:
        show(
          """
          o  takes ours: \(conflict.ours)
          t  takes theirs: \(conflict.theirs)
          s  leaves this conflict between markers in the file
          q  leaves this file and those after it as they are
          """)
      }
    }
  }
}
