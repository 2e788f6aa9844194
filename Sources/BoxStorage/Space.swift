/// The types of the keys and the values of a space.
public enum SpaceKind: UInt8, Hashable, Sendable {
  /// Integer keys in numerical order, each with one value of bytes.
  case records
  /// Integer keys in numerical order, each with a set of integers in numerical order.
  case integerSets
  /// Keys of bytes in the order of the bytes, each with a set of integers in numerical order.
  case byteSets
  /// Keys of bytes in the order of the bytes, each with one value of bytes.
  case bytes
}

/// An ordered collection of entries in a storage, by the handle that the storage gave it.
public struct Space: Hashable, Sendable {
  /// The storage's own number of the space.
  package var handle: UInt32
  /// The types of the keys and the values.
  public var kind: SpaceKind

  package init(handle: UInt32, kind: SpaceKind) {
    self.handle = handle
    self.kind = kind
  }
}

/// An integer under an integer key.
public struct IntegerEntry: Hashable, Sendable, Comparable {
  /// The key.
  public var key: UInt64
  /// A member of the key's set.
  public var member: UInt64

  /// Creates an entry.
  public init(key: UInt64, member: UInt64) {
    self.key = key
    self.member = member
  }

  /// Whether the first is ordered before the second: by key, then by member.
  public static func < (a: IntegerEntry, b: IntegerEntry) -> Bool {
    a.key != b.key ? a.key < b.key : a.member < b.member
  }
}

/// The direction of a visit.
public enum VisitDirection: Hashable, Sendable {
  case forward, backward
}

/// The decision whether a visit continues.
public enum VisitStep: Hashable, Sendable {
  case next, stop
}

/// The way in which a value is put under a key.
package enum PutKind {
  /// Replaces the existing value.
  case replace
  /// Adds the key at the end: it must be above every other key. Faster than `replace`.
  case append
}

/// Sizes of a space.
public struct SpaceStatistics: Hashable, Sendable {
  /// Entries; every member of a set counts.
  public var entries: Int
  /// Bytes of the pages that the space takes, except for members of large sets.
  public var bytes: Int
  /// Levels of the tree.
  public var depth: Int
}
