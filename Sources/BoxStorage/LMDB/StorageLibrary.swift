internal import CLMDB

/// The library that keeps the data.
package enum StorageLibrary {
  /// Its version, such as `0.9.24`.
  package static var version: String {
    let (major, minor, patch) = numbers
    return "\(major).\(minor).\(patch)"
  }

  private static var numbers: (major: Int32, minor: Int32, patch: Int32) {
    var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
    _ = unsafe mdb_version(&major, &minor, &patch)
    return (major, minor, patch)
  }
}
