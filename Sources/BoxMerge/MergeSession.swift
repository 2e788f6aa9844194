/// A merge of one model file that asks for what can change its result.
///
/// Published models and histories are expensive to read, and most merges have no contested id and no field that
/// both sides changed. So a session merges without them, and again with each answer. It is a function of its
/// input and the answers.
package struct MergeSession: Sendable {
  /// Knowledge that can change the result.
  package enum Question: Hashable, Sendable {
    /// The earlier versions of both sides.
    case history
    /// The published models.
    case published
    /// The published models with their history.
    case publishedHistory
  }

  /// The versions, with the answers.
  package private(set) var input: MergeInput
  /// The merge of what is known.
  package private(set) var result: MergeResult
  /// The questions that are not asked again.
  private var answered: Set<Question>

  /// Begins with a merge of what is known.
  ///
  /// - Parameters:
  ///   - input: The versions.
  ///   - answered: The questions that the input answers.
  /// - Throws: ``MergeRefusal`` as ``MergeInput/merged()``.
  /// - Complexity: As ``MergeInput/merged()``.
  package init(_ input: MergeInput, answered: Set<Question> = []) throws(MergeRefusal) {
    self.input = input
    self.answered = answered
    result = try input.merged()
  }

  /// The next question; nil if no answer can change the result.
  package var question: Question? {
    let open: [(Question, Bool)] = [
      (.history, result.asksForHistory), (.published, result.dependsOnPublished),
      (.publishedHistory, result.asksForPublishedHistory),
    ]
    return open.first { $0.1 && !answered.contains($0.0) }?.0
  }

  /// Merges with the earlier versions of both sides.
  ///
  /// - Parameter history: The versions; nil if they are not known, which leaves the result as it is.
  /// - Complexity: As ``MergeInput/merged()``.
  package mutating func answer(history: FieldHistory?) {
    answered.insert(.history)
    guard let history else { return }
    input.history = history
    remerge()
  }

  /// Merges with what is published.
  ///
  /// - Parameters:
  ///   - question: The question about it.
  ///   - published: The models; nil if they are not known, which leaves the result as it is.
  /// - Complexity: As ``MergeInput/merged()``.
  package mutating func answer(_ question: Question, published: Published?) {
    answered.insert(question)
    guard let published else { return }
    input.published = published
    remerge()
  }

  /// The merge of what is known, before anybody decided about conflicts.
  ///
  /// - Complexity: As ``MergeInput/merged()``.
  package var undecided: MergeResult {
    var input = input
    input.choices = [:]
    input.favor = nil
    return (try? input.merged()) ?? result
  }

  /// A merge is refused for its versions alone, so none is refused after the first one.
  private mutating func remerge() { result = (try? input.merged()) ?? result }
}
