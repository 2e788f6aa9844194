package import BoxMerge
package import BoxModel

/// The answers to the conflicts of a file, each of which can be undone.
struct ConflictSession {
  /// All answers so far.
  struct Answers: Hashable {
    var choices: [String: Resolution]
    /// The conflicts that stay open.
    var skipped: Set<String> = []
  }

  private(set) var answers: Answers
  /// The answers before each answer.
  private var earlier: [Answers] = []

  init(_ choices: [String: Resolution]) { answers = Answers(choices: choices) }

  /// The number of answers that can be undone.
  var count: Int { earlier.count }

  /// The conflicts of a result that the user did not skip.
  func open(in result: MergeResult) -> [Conflict] {
    result.conflicts.filter { !answers.skipped.contains($0.id) }
  }

  /// Begins an answer, which ``undo()`` undoes as a whole.
  mutating func begin() { earlier.append(answers) }

  /// Chooses a side for a conflict.
  mutating func choose(_ side: MergeSide, for conflict: Conflict) {
    answers.choices[conflict.id] = Resolution(side)
  }

  /// Leaves a conflict open.
  mutating func skip(_ conflict: Conflict) { answers.skipped.insert(conflict.id) }

  /// Undoes the last answer.
  mutating func undo() { answers = earlier.popLast() ?? answers }
}

extension Conflict {
  /// The text of the conflict's elements in a base, in lines.
  ///
  /// - Parameter base: The base, if any.
  /// - Returns: The lines, at most sixty of each element.
  package func lines(in base: ModelDocument?) -> [String] {
    guard let base else { return ["there is no base"] }
    let found = elements.compactMap { base.lookup[$0.kind, $0.uid] }
    if found.isEmpty { return ["the base does not have it"] }
    return found.flatMap { place in
      let lines = Self.outdented(base.text(at: place))
      let rest = lines.count - 60
      return ["\(base.model.label(place)) in the base:"] + lines.prefix(60).map { "  \($0)" }
        + (rest > 0 ? ["  … and \(rest) lines more"] : [])
    }
  }

  /// The lines of an element of a file, without the common indentation of all but the first.
  private static func outdented(_ text: String) -> [Substring] {
    let lines = text.split(whereSeparator: \.isNewline)
    guard let last = lines.last else { return [] }
    let margin = last.prefix { $0 == " " || $0 == "\t" }
    return lines.map { $0.hasPrefix(margin) ? $0.dropFirst(margin.count) : $0 }
  }
}
