internal import BoxDump
internal import BoxStorage
internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A new directory with a random name, for a store that is removed at the end of a function, and by an interrupt.
struct TemporaryStoreDirectory {
  private let path: String
  private let watch: InterruptRemoval
  /// The directory for the store, which does not exist yet.
  var store: String { path + "/store" }

  /// Creates the directory.
  ///
  /// - Parameter parent: The directory that it is created in.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput`.
  init(in parent: String) throws(CommandFailure) {
    try self.init(prefix: parent + "/boxjoint-", for: parent)
  }

  /// Creates the directory for a copy of a store beside it.
  ///
  /// - Parameter store: The directory of the store.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput`.
  init(beside store: String) throws(CommandFailure) {
    try self.init(prefix: store.withoutLastSlashes + ".dry-run-", for: store)
  }

  private init(prefix: String, for place: String) throws(CommandFailure) {
    do throws(SystemError) {
      path = try createTemporaryDirectory(prefix: prefix)
    } catch {
      throw CommandFailure(
        .inputOutput, "cannot create a directory: \(error.reason)", path: place)
    }
    let store = path + "/store"
    watch = InterruptRemoval(
      of: [store + "/" + ImportLock.fileName] + StoreFiles(store).pathsOfChanges + [path])
  }

  /// Whether a copy of a store can be created beside it.
  static func hasRoom(beside store: String) -> Bool {
    isWritable(at: parentDirectory(of: store.withoutLastSlashes))
  }

  /// Removes the directory with the files of a store in it.
  func remove() {
    StoreFiles(store).remove()
    rmdir(path)
    watch.end()
  }
}
