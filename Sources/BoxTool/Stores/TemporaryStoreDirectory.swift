internal import BoxStorage
internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A new directory with a random name, for a store that is removed at the end of a function.
struct TemporaryStoreDirectory {
  private let path: String
  /// The directory for the store, which does not exist yet.
  var store: String { path + "/store" }

  /// Creates the directory.
  ///
  /// - Parameter parent: The directory that it is created in.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput`.
  init(in parent: String) throws(CommandFailure) {
    do throws(SystemError) {
      path = try createTemporaryDirectory(prefix: parent + "/boxjoint-")
    } catch {
      throw CommandFailure(
        .inputOutput, "cannot create a directory: \(error.reason)", path: parent)
    }
  }

  /// Removes the directory with the files of a store in it.
  func remove() {
    StoreFiles(store).remove()
    rmdir(path)
  }
}
