internal import BoxReport
internal import BoxStoreTool
internal import BoxTerminal

/// A question to the user before something is changed.
enum Confirmation {
  /// Asks on the terminal, and returns if the answer is yes.
  ///
  /// - Parameters:
  ///   - question: The question, without a question mark.
  ///   - path: The path that a failure is about.
  /// - Throws: ``CommandFailure`` of the kind `usage` without a terminal, `impossible` for any
  ///   other answer.
  static func ask(_ question: String, about path: String) throws(CommandFailure) {
    guard Terminal.isTerminal(.input), Terminal.isTerminal(.error) else {
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
    if Terminal.isTerminal(.error) { StandardError.write(proposal.examples) }
    let objects = counted(proposal.count, "object")
    let all = ["\(objects) of \(proposal.entity)"] + proposal.others
    try ask("\(proposal.action.rawValue) \(all.listed)", about: store)
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
