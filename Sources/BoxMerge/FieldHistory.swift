public import BoxModel

/// The earlier versions of a model on both sides of a merge.
///
/// A field that both sides changed differently is a conflict by itself. If the line of one side had
/// the value of the other side earlier, that line replaced it, and its own value is the newer one.
/// History decides nothing else: whether an element lives follows from the three versions alone.
public struct FieldHistory: Sendable {
  /// The line of ours.
  public var ours: SideLine
  /// The line of theirs.
  public var theirs: SideLine

  /// Creates a history from the lines of both sides.
  public init(ours: SideLine, theirs: SideLine) {
    self.ours = ours
    self.theirs = theirs
  }

  subscript(side: MergeSide) -> SideLine { side == .ours ? ours : theirs }
}

/// The commits that are reachable from the commit of a side and not from the merge base, as far as
/// they changed the model.
public struct SideLine: Sendable {
  /// The model as of one commit of a line.
  public struct Version: Sendable {
    /// The commit as a reader is to see it, such as an abbreviated hash.
    public var commit: String
    /// The model in that commit.
    public var model: Model

    /// Creates a version.
    public init(commit: String, model: Model) {
      self.commit = commit
      self.model = model
    }
  }

  /// The versions before the tip of the line, the newest first.
  ///
  /// Versions that are not models are left out. Whether the tip itself is in the list makes no
  /// difference.
  public var versions: [Version]
  /// Whether the list has every version: false in a shallow clone, beyond a limit, or where a version
  /// is not a model.
  ///
  /// A line that is not complete answers nothing.
  public var isComplete: Bool

  /// Creates a line.
  public init(versions: [Version], isComplete: Bool) {
    self.versions = versions
    self.isComplete = isComplete
  }
}
