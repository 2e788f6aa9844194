public import BoxModel

/// What is merged, and how.
public struct MergeInput: Sendable {
  /// The version that both sides come from; nil if there is none, or none that is a model.
  public var base: ModelDocument?
  /// The side whose file is written.
  public var ours: ModelDocument
  /// The other side.
  public var theirs: ModelDocument
  /// What keeps its ids.
  public var published: Published
  /// What was decided about conflicts, by their ids.
  public var choices: [String: Resolution]
  /// The side that wins every other conflict; nil leaves them open.
  public var favor: MergeSide?

  /// Creates the input of a merge.
  public init(
    base: ModelDocument?, ours: ModelDocument, theirs: ModelDocument,
    published: Published = .nothing, choices: [String: Resolution] = [:], favor: MergeSide? = nil
  ) {
    self.base = base
    self.ours = ours
    self.theirs = theirs
    self.published = published
    self.choices = choices
    self.favor = favor
  }
}

/// What came of a merge.
public struct MergeResult: Sendable {
  /// The merged file. Where conflicts are open it has ours.
  public var bytes: [UInt8]
  /// What was decided, in the order of the model.
  public var decisions: [Decision]
  /// What is open.
  public var conflicts: [Conflict]
  /// Where conflicts are open: the file with all of them resolved as each side has it, and as the
  /// base has it. Each side's passes the check, or has no issue that the inputs did not have.
  public var resolved: [Resolution: [UInt8]]

  /// Whether nothing is open.
  public var isClean: Bool { conflicts.isEmpty }
}

/// Why two files are not merged.
public enum MergeRefusal: Error, Hashable, Sendable {
  /// Elements of the file could not be read: `check` says which.
  case incomplete(MergeSide)
  /// The side has no UID in common with the base: it was generated anew.
  case regenerated(MergeSide)
  /// Without a base, the sides have no UID in common.
  case unrelated
}
