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

  /// Whether a page that is changed for the first time in a transaction is copied to memory with each
  /// node at the place that it had, as ``CopiedLeaf`` needs it: known of the releases of 0.9.
  static var copiesPagesInPlace: Bool {
    let (major, minor, _) = numbers
    return major == 0 && minor == 9
  }
}
