internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A new directory with a random name, for a store that is removed at the end of a function.
struct TemporaryStoreFolder {
  private let path: String
  /// The directory for the store, which does not exist yet.
  var store: String { path + "/store" }

  /// Creates the directory.
  ///
  /// - Parameter parent: The directory that it is created in.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput`.
  init(in parent: String) throws(CommandFailure) {
    var template = Array((parent + "/boxjoint-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw CommandFailure(
        .inputOutput, "no folder can be made: \(SystemError.last.reason)", path: parent)
    }
    path = template.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { String(cString: $0) } ?? parent
    }
  }

  /// Removes the directory with the files of a store in it.
  func remove() {
    for name in ["data.mdb", "lock.mdb", "store.lock"] { unlink(store + "/" + name) }
    rmdir(store)
    rmdir(path)
  }
}
