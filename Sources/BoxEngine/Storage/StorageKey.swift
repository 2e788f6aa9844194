internal import BoxStorage

/// A key of a space: an integer, or bytes.
protocol StorageKey {
  /// Calls a function with the bytes of the key.
  func withBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R
}

/// A key whose type says which one it is, so that a visit can give it.
protocol VisitedKey: StorageKey {
  /// Reads a key that a visit has reached; pointers to its bytes stay valid for the body of the visit.
  init(keyBytes: UnsafeRawBufferPointer)
}

extension UInt64: VisitedKey {
  @inline(__always)
  init(keyBytes: UnsafeRawBufferPointer) { self = unsafe keyBytes.integer }

  @inline(__always)
  func withBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try unsafe withUnsafeBytes(of: self, body)
  }
}

extension UnsafeRawBufferPointer: @unsafe VisitedKey {
  @inline(__always)
  init(keyBytes: UnsafeRawBufferPointer) { unsafe self = keyBytes }

  @inline(__always)
  func withBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try unsafe body(self)
  }
}

extension [UInt8]: StorageKey {
  @inline(__always)
  func withBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try unsafe withUnsafeBufferPointer { (bytes) throws(E) in
      try unsafe body(UnsafeRawBufferPointer(bytes))
    }
  }
}

extension IndexKey: StorageKey {
  @inline(__always)
  func withBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    switch self {
    case .integer(let key): try unsafe key.withBytes(body)
    case .bytes(let key): try unsafe key.withBytes(body)
    }
  }
}

extension Optional where Wrapped: StorageKey {
  /// Calls a function with the bytes of the key, or with nil without a key.
  @inline(__always)
  func withBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer?) throws(E) -> R
  ) throws(E) -> R {
    guard let key = self else { return try unsafe body(nil) }
    return try unsafe key.withBytes { (bytes) throws(E) in try unsafe body(bytes) }
  }
}
