package import BoxStorage

/// The functions of a transaction with integers as keys.
extension StorageTransaction {
  /// The value under a key, copied.
  package func value(_ space: Space, _ key: UInt64) throws -> [UInt8]? {
    try bytes(key) { try value(space, $0).map { [UInt8]($0) } }
  }

  /// Puts a value under a key.
  package func put(
    _ space: Space, _ key: UInt64, _ value: UnsafeRawBufferPointer, _ kind: PutKind = .replace
  ) throws {
    try bytes(key) { try put(space, $0, value, kind) }
  }

  /// Removes a key.
  package func remove(_ space: Space, _ key: UInt64) throws -> Bool {
    try bytes(key) { try remove(space, $0) }
  }

  /// Adds a member to the set of a key.
  package func insert(_ space: Space, _ key: UInt64, _ member: UInt64) throws -> Bool {
    try bytes(key) { try insert(space, $0, member) }
  }

  /// Removes a member from the set of a key.
  package func remove(_ space: Space, _ key: UInt64, _ member: UInt64) throws -> Bool {
    try bytes(key) { try remove(space, $0, member) }
  }

  /// Whether the set of a key has a member.
  package func contains(_ space: Space, _ key: UInt64, _ member: UInt64) throws -> Bool {
    try bytes(key) { try contains(space, $0, member) }
  }

  /// The number of members of the set of a key.
  package func memberCount(_ space: Space, _ key: UInt64) throws -> Int {
    try bytes(key) { try memberCount(space, $0) }
  }

  /// Visits the members of the set of a key.
  package func members(
    _ space: Space, _ key: UInt64, _ body: (UInt64) throws -> VisitStep
  ) throws {
    try bytes(key) { try members(space, $0, body) }
  }

  private func bytes<R>(
    _ key: UInt64, _ body: (UnsafeRawBufferPointer) throws -> R
  ) throws -> R {
    try withUnsafeBytes(of: key) { try body($0) }
  }
}
