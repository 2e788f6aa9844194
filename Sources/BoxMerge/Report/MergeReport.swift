package import BoxModel
package import BoxReport

/// A decision of a merge.
package struct Decision: Hashable, Sendable {
  /// The rule that decided.
  package var rule: Rule
  /// The element that it is about, if it is about one.
  package var element: ElementKey?
  /// The name of the element in the result.
  package var label: String
  /// The side whose version was taken, or whose element was changed, if it is one.
  package var side: MergeSide?
  /// The decision and its reason, in one sentence without a trailing period.
  package var message: String
  /// The consequence for databases or sources, if there is one.
  package var consequence: String?

  /// Creates a decision.
  package init(
    rule: Rule, element: ElementKey?, label: String, side: MergeSide? = nil, message: String,
    consequence: String? = nil
  ) {
    self.rule = rule
    self.element = element
    self.label = label
    self.side = side
    self.message = message
    self.consequence = consequence
  }
}

/// A conflict, which a merge cannot decide.
package struct Conflict: Hashable, Sendable {
  /// An identifier of the conflict.
  ///
  /// It is the same however often the merge is repeated, and whichever side is called ours.
  package var id: String
  /// The rule that makes it a conflict.
  package var rule: Rule
  /// The elements that it is about.
  package var elements: [ElementKey]
  /// The name of the first of them.
  package var label: String
  /// The problem, in one sentence without a trailing period.
  package var message: String
  /// The effect of taking ours, and its consequence for data.
  package var ours: String
  /// The effect of taking theirs, and its consequence for data.
  package var theirs: String
  /// A way to avoid the conflict other than a choice, if there is one.
  package var help: String?

  /// Creates a conflict.
  package init(
    id: String, rule: Rule, elements: [ElementKey], label: String, message: String, ours: String,
    theirs: String, help: String? = nil
  ) {
    self.id = id
    self.rule = rule
    self.elements = elements
    self.label = label
    self.message = message
    self.ours = ours
    self.theirs = theirs
    self.help = help
  }

  /// The effect of taking a side.
  package subscript(side: MergeSide) -> String { side == .ours ? ours : theirs }
}
