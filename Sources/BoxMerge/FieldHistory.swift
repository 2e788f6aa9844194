package import BoxModel

/// The earlier versions of a model on both sides of a merge.
///
/// A field that both sides changed differently is a conflict by itself. If the line of one side had
/// the value of the other side earlier, that line replaced it, and its own value is the newer one.
/// History decides nothing else: whether an element lives follows from the three versions alone.
package struct FieldHistory: Sendable {
  /// The line of ours.
  package var ours: SideLine
  /// The line of theirs.
  package var theirs: SideLine

  /// Creates a history from the lines of both sides.
  package init(ours: SideLine, theirs: SideLine) {
    self.ours = ours
    self.theirs = theirs
  }

  subscript(side: MergeSide) -> SideLine { side == .ours ? ours : theirs }
}

/// The commits that are reachable from the commit of a side and not from the merge base, as far as
/// they changed the model.
package struct SideLine: Sendable {
  /// The model as of one commit of a line.
  package struct Version: Sendable {
    /// The commit as a reader is to see it, such as an abbreviated hash.
    package var commit: String
    /// The model in that commit.
    package var model: Model

    /// Creates a version.
    package init(commit: String, model: Model) {
      self.commit = commit
      self.model = model
    }
  }

  /// The versions before the tip of the line, the newest first.
  ///
  /// Versions that are not models are left out. Whether the tip itself is in the list makes no
  /// difference.
  package var versions: [Version]
  /// Whether the list has every version: false in a shallow clone, beyond a limit, or where a version
  /// is not a model.
  ///
  /// A line that is not complete answers nothing.
  package var isComplete: Bool

  /// Creates a line.
  package init(versions: [Version], isComplete: Bool) {
    self.versions = versions
    self.isComplete = isComplete
  }
}
