internal import BoxEngine
internal import BoxReport
internal import BoxStorage

extension Store {
  /// The version of this library.
  public static var version: String { ToolInfo.currentVersion }

  /// The version of LMDB, which keeps the data.
  public static var versionLib: String { StorageLibrary.version }

  /// The version of the format of stores.
  public static var versionCore: String { "\(ObjectStore.formatVersion)" }

  /// The versions of this library, of LMDB and of the format of stores.
  public static var versionAll: String {
    "BoxJoint \(version), LMDB \(versionLib), format \(versionCore)"
  }

  /// The same as ``versionAll``.
  public static var versionFullInfo: String { versionAll }
}
