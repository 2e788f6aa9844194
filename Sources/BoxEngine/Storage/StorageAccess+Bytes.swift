internal import BoxStorage

/// Entries by copied bytes, where an entry is no record: nothing points into the storage.
extension StorageAccess {
  /// Whether there is a value under a key.
  @inline(__always)
  func hasValue(_ space: Space, _ key: UInt64) throws(StoreError) -> Bool {
    try unsafe value(space, key) != nil
  }

  func bytes(_ space: Space, _ key: UInt64) throws(StoreError) -> [UInt8]? {
    try unsafe value(space, key).map { unsafe [UInt8]($0) }
  }

  func bytes(_ space: Space, _ key: [UInt8]) throws(StoreError) -> [UInt8]? {
    try unsafe key.withBytes { (key) throws(StoreError) in
      try unsafe value(space, key).map { unsafe [UInt8]($0) }
    }
  }

  func put(_ space: Space, _ key: UInt64, _ bytes: [UInt8]) throws(StoreError) {
    try unsafe bytes.withBytes { (bytes) throws(StoreError) in
      try unsafe put(space, key, bytes, .replace)
    }
  }

  func put(_ space: Space, _ key: [UInt8], _ bytes: [UInt8]) throws(StoreError) {
    try unsafe key.withBytes { (key) throws(StoreError) in
      try unsafe bytes.withBytes { (bytes) throws(StoreError) in try unsafe put(space, key, bytes) }
    }
  }

  func remove(_ space: Space, _ key: [UInt8]) throws(StoreError) -> Bool {
    try unsafe key.withBytes { (key) throws(StoreError) in try unsafe remove(space, key) }
  }

  func insert(_ space: Space, _ key: [UInt8], _ member: UInt64) throws(StoreError) -> Bool {
    try unsafe key.withBytes { (key) throws(StoreError) in try unsafe insert(space, key, member) }
  }

  func contains(_ space: Space, _ key: [UInt8], _ member: UInt64) throws(StoreError) -> Bool {
    try unsafe key.withBytes { (key) throws(StoreError) in try unsafe contains(space, key, member) }
  }

  func remove(_ space: Space, _ key: [UInt8], _ member: UInt64) throws(StoreError) -> Bool {
    try unsafe key.withBytes { (key) throws(StoreError) in try unsafe remove(space, key, member) }
  }

  func memberCount(_ space: Space, _ key: [UInt8]) throws(StoreError) -> Int {
    try unsafe key.withBytes { (key) throws(StoreError) in try unsafe memberCount(space, key) }
  }

  func members(
    _ space: Space, _ key: [UInt8], _ body: (UInt64) throws(StoreError) -> VisitStep
  ) throws(StoreError) {
    try unsafe key.withBytes { (key) throws(StoreError) in try unsafe members(space, key, body) }
  }

  func visitMembers(
    _ space: Space, _ key: [UInt8], _ body: (UInt64) throws -> VisitStep
  ) throws {
    try unsafe key.withUnsafeBytes { try unsafe visitMembers(space, $0, body) }
  }

  /// Visits the keys of the records in ascending order.
  func keys(
    _ space: Space, from: UInt64? = nil, _ body: (UInt64) throws(StoreError) -> VisitStep
  ) throws(StoreError) {
    try unsafe records(space, from: from, .forward) { (key, _) throws(StoreError) in try body(key) }
  }

  /// Visits the entries of a space whose keys and values are bytes.
  func values(
    _ space: Space, _ body: (_ key: [UInt8], _ value: [UInt8]) throws(StoreError) -> VisitStep
  ) throws(StoreError) {
    try StoreError.only {
      try unsafe base.values(space) { key, value in try unsafe body([UInt8](key), [UInt8](value)) }
    }
  }
}
