/// A watch over the commits to a storage: those of other processes, of other openings, and its own.
///
/// The system says that something was written to the file; where it does not, the watch looks four times a
/// second. The number of a new read transaction decides whether that was a commit. The watch has a thread
/// of its own.
package final class CommitWatch: Sendable {
  /// Begins to watch.
  ///
  /// - Parameters:
  ///   - storage: The storage, which stays open until the watch is cancelled.
  ///   - number: The number of the last state that the caller knows.
  ///   - body: Called on the thread of the watch after read transactions have begun to see a later state
  ///     than that of the call before, or than the given number. One call can stand for several commits.
  /// - Throws: ``StorageError`` of kind `usedAfterFork`, `closed` or `other`.
  package init(
    _ storage: Storage, after number: UInt64, _ body: @escaping @Sendable () -> Void
  ) throws(StorageError) {
  }

  deinit { cancel() }

  /// Ends the watch: waits for a call that is being made, and none follows.
  ///
  /// The function of the watch may call this, and is then not waited for. Otherwise the caller must not
  /// hold a lock that the function waits for. Does nothing the second time, and in a child process after
  /// a fork, where nothing is watched.
  package func cancel() {}
}
