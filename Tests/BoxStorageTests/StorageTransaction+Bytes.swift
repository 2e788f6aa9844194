import TestSupport

@testable import BoxStorage

extension StorageTransaction {
  /// Puts an array of bytes in the place of what is there.
  func put(_ value: [UInt8], at key: UInt64, in space: Space) throws {
    try value.withUnsafeBytes { try put(space, key, $0, .replace) }
  }
}
