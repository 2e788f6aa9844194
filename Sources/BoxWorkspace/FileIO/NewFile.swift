internal import BoxSystem

/// Throws if a file that is to be created exists, or anything else with its name.
///
/// - Throws: ``CommandFailure`` of the kind `usage`.
package func requireNewFile(_ path: String) throws(CommandFailure) {
  guard (try? entryExists(at: path)) ?? false else { return }
  throw CommandFailure(.usage, "the file exists already, and is not overwritten", path: path)
}
