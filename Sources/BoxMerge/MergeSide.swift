/// One of the two versions that are merged.
///
/// In `git merge` ours is the branch that is checked out; in a rebase it is the one that the commits
/// are moved onto. No rule of merging asks which.
package enum MergeSide: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  case ours, theirs

  /// The name of the side for people and programs: `ours` or `theirs`.
  package var description: String { rawValue }

  /// The other one.
  package var other: MergeSide { self == .ours ? .theirs : .ours }
}

/// The resolution of a conflict.
package enum Resolution: String, Hashable, Sendable, CaseIterable {
  /// The version of the side.
  case ours, theirs
  /// The version before either side changed it, to be shown in git's `diff3` style.
  case base

  /// Creates the resolution that takes a side.
  package init(_ side: MergeSide) { self = side == .ours ? .ours : .theirs }

  /// The side that is taken, if one is.
  package var side: MergeSide? {
    switch self {
    case .ours: .ours
    case .theirs: .theirs
    case .base: nil
    }
  }
}

/// A value for each side.
struct BySide<Value> {
  var ours: Value
  var theirs: Value

  subscript(side: MergeSide) -> Value {
    get { side == .ours ? ours : theirs }
    // In place: a set that is taken out, grown by one and put back would be copied for each element.
    _modify {
      switch side {
      case .ours: yield &ours
      case .theirs: yield &theirs
      }
    }
  }
}
extension BySide: Sendable where Value: Sendable {}
extension BySide: Equatable where Value: Equatable {}
