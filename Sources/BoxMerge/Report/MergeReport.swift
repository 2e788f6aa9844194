public import BoxModel
public import BoxReport

/// Something that merging decided.
public struct Decision: Hashable, Sendable {
  /// The rule that decided.
  public var rule: Rule
  /// The element that it is about, if it is about one.
  public var element: ElementKey?
  /// The name of the element in the result.
  public var label: String
  /// The side whose version was taken, or whose element was changed, if it is one.
  public var side: MergeSide?
  /// What was decided and why, one sentence without a trailing period.
  public var message: String
  /// What it means for databases or sources, if anything.
  public var consequence: String?

  /// Creates a decision.
  public init(
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

/// Something that merging cannot decide.
public struct Conflict: Hashable, Sendable {
  /// What stays the same for the same conflict however often the merge is repeated, whichever side
  /// is called ours.
  public var id: String
  /// The rule that makes it a conflict.
  public var rule: Rule
  /// The elements that it is about.
  public var elements: [ElementKey]
  /// The name of the first of them.
  public var label: String
  /// What happened, one sentence without a trailing period.
  public var message: String
  /// What taking a side does, and what that means for data.
  public var ours: String
  /// The same for the other side.
  public var theirs: String
  /// What would make it no conflict, if something else than a choice does.
  public var help: String?

  /// Creates a conflict.
  public init(
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

  /// What taking a side does.
  public subscript(side: MergeSide) -> String { side == .ours ? ours : theirs }
}
