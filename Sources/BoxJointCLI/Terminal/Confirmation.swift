internal import BoxReport
internal import BoxStoreTool
internal import BoxTerminal

/// A question to the user before something is changed.
enum Confirmation {
  /// Whether there is a terminal to ask on.
  static var isPossible: Bool { Terminal.isTerminal(.input) && Terminal.isTerminal(.error) }

  /// Asks on the terminal, and returns if the answer is yes.
  ///
  /// - Parameters:
  ///   - question: The question, without a question mark.
  ///   - path: The path that a failure is about.
  /// - Throws: ``CommandFailure`` of the kind `usage` without a terminal, `impossible` for any
  ///   other answer.
  static func ask(_ question: String, about path: String) throws(CommandFailure) {
    guard isPossible else {
      throw CommandFailure(.usage, "pass --yes when not running on a terminal")
    }
    StandardError.write("\(question.escapedForDisplay)? [y/N] ")
    let answer = readLine()?.lowercased() ?? ""
    if !["y", "yes"].contains(answer) {
      throw CommandFailure(.impossible, "nothing was done", path: path)
    }
  }

  /// Shows some of the objects that a change is about, and asks on the terminal.
  ///
  /// - Throws: As ``ask(_:about:)-(String,_)``.
  static func ask(_ proposal: EditProposal, about store: String) throws(CommandFailure) {
    if Terminal.isTerminal(.error) {
      StandardError.write(proposal.examples + (proposal.loss?.text ?? ""))
    }
    let objects =
      proposal.action == .unlink
      ? counted(proposal.count, "entry", "entries") : counted(proposal.count, "object")
    let all = ["\(objects) of \(proposal.entity)"] + proposal.others
    let verb = proposal.action == .put ? "overwrite" : proposal.action.rawValue
    try ask("\(verb) \(all.listed)", about: store)
  }

  /// A function that shows a loss and asks on the terminal; nil without a terminal.
  ///
  /// - Parameters:
  ///   - question: The question, without a question mark.
  ///   - path: The path that a failure is about.
  /// - Returns: The function.
  static func about(_ question: String, _ path: String) -> ((Loss) throws -> Void)? {
    if !isPossible { return nil }
    return { loss in
      StandardError.write(loss.text)
      try ask(question, about: path)
    }
  }

  /// Asks on the terminal; Enter alone means yes.
  ///
  /// - Parameter question: The question, without a question mark.
  /// - Returns: Whether the answer is yes; false where the input has ended.
  static func isYes(_ question: String) -> Bool {
    StandardError.write("\(question.escapedForDisplay)? [Y/n] ")
    guard let answer = readLine()?.lowercased() else { return false }
    return ["", "y", "yes"].contains(answer)
  }
}
