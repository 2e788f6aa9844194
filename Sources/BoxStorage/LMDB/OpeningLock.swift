#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The lock under which one store is opened, or its indexes are built.
///
/// Other stores are opened meanwhile: LMDB keeps what it knows of spaces for each environment
/// (docs/decisions/0020). The lock belongs to a location, not to an environment, because opening a store may
/// have to open the environment twice.
package enum OpeningLock {
  private static let locks = KeyedLocks<String>()

  /// Calls a function that opens the store of a location, or spaces in it.
  ///
  /// - Throws: The error of the function.
  /// - Complexity: O(1), apart from the function and the wait for others that open the same store.
  package static func hold<R, E: Error>(
    _ location: StorageLocation, _ body: () throws(E) -> R
  ) throws(E) -> R {
    try locks.withLock(location.openingKey, body)
  }
}

extension StorageLocation {
  /// The same for all paths of a directory, also before it exists.
  fileprivate var openingKey: String {
    guard case .directory(let path) = self else { return "\(self)" }
    var (existing, missing): (Substring, Substring) = (path[...], "")
    while true {
      if let real = unsafe realpath(existing.isEmpty ? "." : String(existing), nil) {
        defer { unsafe free(real) }
        return unsafe String(cString: real) + "/" + missing
      }
      guard let slash = existing.lastIndex(of: "/"), slash > existing.startIndex else {
        return String(existing) + "/" + missing
      }
      missing = existing[existing.index(after: slash)...] + (missing.isEmpty ? "" : "/" + missing)
      existing = existing[..<slash]
    }
  }
}
