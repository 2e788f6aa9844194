/// The kind of a JSON value.
public enum JSONKind: UInt8, Hashable, Sendable {
  case null, bool, number, string, array, object
}

/// A value, or a key, of a ``JSONDocument``: an index into it, without a meaning elsewhere.
public struct JSONNode: Hashable, Sendable {
  /// The position of the node in document order.
  public let index: Int32

  init(index: Int32) { self.index = index }
  init(_ index: Int) { self.index = Int32(truncatingIfNeeded: index) }
}
