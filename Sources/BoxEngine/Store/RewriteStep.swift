/// What happens to an object that ``Transaction/rewrite(_:from:_:)`` visits.
public enum RewriteStep: Hashable, Sendable {
  /// The values that were set take the place of the old ones, and the visit goes on.
  case replace
  /// The object stays as it is, and the visit goes on.
  case keep
  /// The object stays as it is, and the visit ends.
  case stop
}
