/// What a put does where the object exists, and where it does not.
public enum PutMode: Hashable, Sendable {
  /// Inserts it or replaces it.
  case put
  /// Inserts it; it is an error if it exists.
  case insert
  /// Replaces it; it is an error if it does not exist.
  case update
}
