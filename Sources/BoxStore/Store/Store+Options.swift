package import BoxEngine
internal import BoxStorage

// Parts that all ways to open a store share.
extension Store {
  /// The options of the engine for the parameters of a store.
  package static func options(
    maxDbSizeInKByte: UInt64, fileMode: UInt32, maxReaders: UInt32
  ) -> StoreOptions {
    var options = StoreOptions()
    options.keepsIssuedIDs = true
    options.storage.maximumSize = bytes(maxDbSizeInKByte)
    options.storage.fileMode = fileMode
    if maxReaders > 0 { options.storage.maximumReaders = Int(maxReaders) }
    return options
  }

  private static func bytes(_ kibibytes: UInt64) -> Int {
    let (bytes, overflows) = kibibytes.multipliedReportingOverflow(by: 1024)
    return max(1 << 20, overflows ? Int.max : Int(clamping: bytes))
  }

  /// The error of a path that the system cannot take.
  package static var nulInPath: ObjectBoxError {
    .illegalArgument(message: "the path of a store cannot have a NUL character; remove it")
  }

  /// The error of a store that this process has opened before.
  package static func openAlready(_ directory: String) -> ObjectBoxError {
    .illegalState(
      message: "the store in \(directory) is open in this process; "
        + "share it, or call Store.attachTo(directory:)")
  }
}
