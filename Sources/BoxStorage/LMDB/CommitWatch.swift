internal import BoxSystem

/// A watch over the commits to a storage, by this and other processes.
///
/// The system says that something was written to the file; where it does not, the watch looks four times a
/// second. The number of a new read transaction decides whether that was a commit. The watch has a thread
/// of its own, and takes a place for a reader while it looks.
package final class CommitWatch: Sendable {
  /// The time after a call in which further commits are left to come together: a process that commits without a
  /// break is not slowed down by a watch that wakes up for each.
  private static let restMicroseconds: UInt32 = 2000

  private let writes: FileWrites
  private let generation: Int
  nonisolated(unsafe) private let thread: WorkerThread
  private let joining = Lock()
  /// Only used while the lock is held.
  nonisolated(unsafe) private var isJoined = false

  /// Begins to watch.
  ///
  /// - Parameters:
  ///   - storage: The storage, which stays open until the watch is cancelled.
  ///   - number: The number of the last state that the caller knows.
  ///   - body: Called on the thread of the watch after read transactions have begun to see a later state than
  ///     at the call before, or than the given number. One call can stand for several commits.
  /// - Throws: ``StorageError`` of kind `usedAfterFork` or `other`.
  package init(
    _ storage: Storage, after number: UInt64, _ body: @escaping @Sendable () -> Void
  ) throws(StorageError) {
    try storage.requireSameProcess()
    generation = ForkGuard.generation
    let file = try storage.descriptor()
    do throws(SystemError) {
      let writes = try FileWrites(of: file)
      self.writes = writes
      unsafe thread = try WorkerThread {
        Self.watch(storage, file, writes, after: number, body)
      }
    } catch {
      throw systemError(error, .other, "watch \(storage.place)")
    }
  }

  deinit {
    cancel()
    // The thread itself can release the watch last, and cannot wait for itself.
    if generation == ForkGuard.generation, unsafe !isJoined { unsafe thread.detach() }
  }

  /// Ends the watch: waits for a call that is being made, and none follows.
  ///
  /// The function of the watch may call this, and is then not waited for. Otherwise the caller must not
  /// hold a lock that the function waits for. Does nothing the second time, and in a child process after
  /// a fork, where nothing is watched.
  package func cancel() {
    if generation != ForkGuard.generation { return }
    writes.end()
    if unsafe thread.isCurrent { return }
    joining.withLock {
      if unsafe !isJoined { unsafe thread.join() }
      unsafe isJoined = true
    }
  }

  /// Looks for commits until the watch is cancelled.
  ///
  /// An error only means that there is nothing to say yet, such as where all readers are taken.
  private static func watch(
    _ storage: Storage, _ file: Int32, _ writes: FileWrites, after number: UInt64,
    _ body: () -> Void
  ) {
    var known = number
    var waitStart: ContinuousClock.Instant?
    while !writes.hasEnded {
      if let seen = try? storage.beginRead().number, seen > known {
        known = seen
        body()
        waitStart = nil
        writes.pause(Self.restMicroseconds)
        continue
      }
      // The head is in the file before transactions begin with its state, and nothing is written after that.
      if storage.lastHead(of: file).map({ $0 <= known }) ?? false {
        waitStart = nil
        writes.wait(nil)
      } else {
        let start = waitStart ?? .now
        waitStart = start
        // Usually microseconds. But a sync can take long, and a killed writer never reports that it is done.
        let microseconds = (ContinuousClock.now - start) / .microseconds(8)
        writes.wait(min(max(Int(microseconds), 50), 250_000))
      }
    }
  }
}
