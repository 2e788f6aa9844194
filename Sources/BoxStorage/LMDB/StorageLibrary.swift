internal import CLMDB

/// The library that keeps the data.
package enum StorageLibrary {
  /// Its version, such as `0.9.24`.
  package static var version: String {
    var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
    _ = unsafe mdb_version(&major, &minor, &patch)
    return "\(major).\(minor).\(patch)"
  }
}
