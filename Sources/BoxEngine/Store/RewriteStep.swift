/// The decision about an object that ``Transaction/rewrite(_:from:_:)`` visits.
public enum RewriteStep: Hashable, Sendable {
  /// The new values replace the old ones, and the visit continues.
  case replace
  /// The object stays as it is, and the visit continues.
  case keep
  /// The object stays as it is, and the visit ends.
  case stop
}
