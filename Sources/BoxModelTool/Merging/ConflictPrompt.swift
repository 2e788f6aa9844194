internal import BoxMerge
internal import BoxReport

/// Asks a user about conflicts.
package struct ConflictPrompt: Sendable {
  /// An answer of the user about a conflict.
  enum Answer: Hashable, Sendable {
    case take(MergeSide)
    /// The side for this conflict and all that follow in the file.
    case takeAll(MergeSide)
    case skip
    case undo
    case quit
  }

  /// An answer of the user after all questions.
  enum Confirmation: Hashable, Sendable {
    case write
    case undo
    case quit
  }

  /// A conflict, with its number in the file.
  struct Question: Sendable {
    var conflict: Conflict
    var number: Int
    var count: Int
    /// Whether an earlier answer can be undone.
    var canUndo: Bool
    /// The text of the conflict's elements in the base, in lines.
    var base: [String]
  }

  /// Reads a line from the user; returns nil at the end of the input.
  package var readAnswer: @Sendable () -> String?
  /// Shows a text to the user.
  package var show: @Sendable (String) -> Void

  /// Creates a prompt.
  ///
  /// - Parameters:
  ///   - readAnswer: Reads a line from the user; returns nil at the end of the input.
  ///   - show: Shows a text to the user.
  package init(
    readAnswer: @escaping @Sendable () -> String?, show: @escaping @Sendable (String) -> Void
  ) {
    self.readAnswer = readAnswer
    self.show = show
  }

  /// Asks about one conflict until the answer is valid; the end of the input means to quit.
  func ask(_ question: Question) -> Answer {
    show(
      MergeRecord.lines(question.conflict, number: question.number, indented: false)
        .joined(separator: "\n"))
    while true {
      show(
        "conflict \(question.number) of \(question.count): take [o]urs, [t]heirs, [oo] or [tt] for all "
          + "that follow, [b]ase view, [s]kip, " + (question.canUndo ? "[u]ndo, " : "")
          + "[q]uit, [?] help")
      guard let word = word() else { return .quit }
      switch word {
      case "o", "ours": return .take(.ours)
      case "t", "theirs": return .take(.theirs)
      case "oo": return .takeAll(.ours)
      case "tt": return .takeAll(.theirs)
      case "s", "skip": return .skip
      case "u", "undo":
        if question.canUndo { return .undo }
        show("there is no answer in this file to take back")
      case "q", "quit": return .quit
      case "b", "base": show(question.base.joined(separator: "\n"))
      default: show(Self.help(question.conflict))
      }
    }
  }

  /// Asks whether to write the file with several answers.
  func confirm(taken: Int, skipped: Int) -> Confirmation {
    while true {
      show("\(taken) decided, \(skipped) left open: [w]rite the file, [u]ndo, [q]uit")
      guard let word = word() else { return .quit }
      switch word {
      case "w", "write", "": return .write
      case "u", "undo": return .undo
      case "q", "quit": return .quit
      default:
        show(
          """
          w  writes the file; so does Enter
          u  takes the last answer back
          q  leaves this file and those after it as they are
          """)
      }
    }
  }

  private func word() -> String? { readAnswer()?.lowercased().filter { !$0.isWhitespace } }

  private static func help(_ conflict: Conflict) -> String {
    """
    o   takes ours: \(conflict.ours)
    t   takes theirs: \(conflict.theirs)
    oo  takes ours for this conflict and all that follow in this file
    tt  takes theirs for this conflict and all that follow in this file
    b   shows what the base has
    s   leaves this conflict between markers in the file
    u   takes the last answer back, and asks again
    q   leaves this file and those after it as they are
    """
  }
}
