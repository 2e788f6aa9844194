/// The treatment of existing and missing objects by a put.
public enum PutMode: Hashable, Sendable {
  /// Inserts the object or replaces it.
  case put
  /// Inserts the object; fails if it exists.
  case insert
  /// Replaces the object; fails if it does not exist.
  case update
}
