internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Throws if a path is in the directory of a store, under whatever name: a file that is written
/// there could replace the store itself.
///
/// - Parameters:
///   - path: The path to be written; it need not exist yet.
///   - store: The directory of the store.
/// - Throws: ``CommandFailure`` of the kind `usage`.
package func requireOutside(_ path: String, ofStore store: String) throws(CommandFailure) {
  if isInside(path, directory: store) {
    throw CommandFailure(
      .usage, "this is in the directory of the store, where nothing else may be written", path: path
    )
  }
}

/// Throws where a symbolic link of a repository leads a store out of its work tree, as it does for files that
/// are written (``WriteTarget``): a store that is opened only to be read gets files of locks too.
///
/// - Parameter directory: The directory of the store, as the user named it; it need not be there yet.
/// - Throws: ``CommandFailure`` of the kind `inputOutput`.
package func requireStoreInWorkTree(_ directory: String) throws(CommandFailure) {
  // Links in a circle are refused when the store is opened, in the words for what is not a store.
  if (try? ResolvedPath(directory)) == nil { return }
  try WriteTarget.resolve(directory, refusal: "cannot be opened as a store")
}
