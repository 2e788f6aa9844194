internal import BoxSystem
internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Does work on another thread, and reports the size of the file that it writes.
///
/// LMDB reports no progress while it copies; the size of the file shows it. The thread is not one of
/// Dispatch, whose first one ends the process where no descriptor is left.
///
/// - Parameters:
///   - path: The file; nothing is reported until it exists.
///   - progress: Called with the size of the file in bytes, on the calling thread.
///   - work: The work.
/// - Throws: ``StorageError`` if no thread can be created, and the error of `work`.
func watchingSize(
  of path: String, _ progress: (Int) -> Void, work: @escaping @Sendable () throws -> Void
) throws {
  let outcome = WorkOutcome()
  let done = DispatchSemaphore(value: 0)
  let thread: WorkerThread
  do throws(SystemError) {
    thread = try WorkerThread {
      outcome.failure.withLock { failure in
        do { try work() } catch { failure = error }
      }
      done.signal()
    }
  } catch {
    throw systemError(error, .other, "start a thread")
  }
  defer { thread.join() }
  while done.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
    if let attributes = try? fileAttributes(at: path) { progress(Int(attributes.st_size)) }
  }
  if let failure = outcome.failure.withLock({ $0 }) { throw failure }
}

extension StoreFiles {
  /// Does work that replaces the data file, on another thread, and reports the size of the new file.
  ///
  /// - Parameters:
  ///   - progress: Called with the number of bytes written, on the calling thread.
  ///   - work: The work.
  /// - Throws: ``StorageError`` if no thread can be created, and the error of `work`.
  package func watchingReplacement(
    _ progress: (_ written: Int) -> Void, work: @escaping @Sendable () throws -> Void
  ) throws {
    try watchingSize(of: newData, progress, work: work)
  }
}

private final class WorkOutcome: Sendable {
  let failure = Mutex<(any Error)?>(nil)
}
