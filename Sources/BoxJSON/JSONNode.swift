/// The kind of a JSON value.
package enum JSONKind: UInt8, Hashable, Sendable {
  case null, bool, number, string, array, object
}

/// A value, or a key, of a ``JSONDocument``: an index into it, without a meaning elsewhere.
package struct JSONNode: Hashable, Sendable {
  /// The position of the node in document order.
  package let index: Int32

  init(index: Int32) { self.index = index }
  init(_ index: Int) { self.index = Int32(truncatingIfNeeded: index) }
}
