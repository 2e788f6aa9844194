internal import BoxDump
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
/// - Throws: ``CommandFailure`` with status 74 if there is no room for a thread, and the error of `work`.
package func watchingSize(
  of path: String, _ progress: (Int) -> Void, work: @escaping @Sendable () throws -> Void
) throws {
  let outcome = WorkOutcome()
  let done = DispatchSemaphore(value: 0)
  let thread: WorkerThread
  do throws(DumpError) {
    thread = try WorkerThread {
      outcome.failure.withLock { failure in
        do { try work() } catch { failure = error }
      }
      done.signal()
    }
  } catch {
    throw CommandFailure(.inputOutput, error.message, path: path)
  }
  defer { thread.join() }
  while done.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
    var attributes = stat()
    if stat(path, &attributes) == 0 { progress(Int(attributes.st_size)) }
  }
  if let failure = outcome.failure.withLock({ $0 }) { throw failure }
}

private final class WorkOutcome: Sendable {
  let failure = Mutex<(any Error)?>(nil)
}
