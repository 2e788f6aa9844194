internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Does work on another thread, and tells meanwhile how large the file is that it writes.
///
/// LMDB says nothing while it copies; the size of the file does.
///
/// - Parameters:
///   - path: The file; there is nothing to tell while it does not exist.
///   - progress: Is told the bytes of the file, on the calling thread.
///   - work: The work.
/// - Throws: What `work` throws.
func watchingSize(
  of path: String, _ progress: (Int) -> Void, work: @escaping @Sendable () throws -> Void
) throws {
  let outcome = WorkOutcome()
  let done = DispatchSemaphore(value: 0)
  DispatchQueue.global().async {
    outcome.failure.withLock { failure in
      do { try work() } catch { failure = error }
    }
    done.signal()
  }
  while done.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
    var attributes = stat()
    if stat(path, &attributes) == 0 { progress(Int(attributes.st_size)) }
  }
  if let failure = outcome.failure.withLock({ $0 }) { throw failure }
}

private final class WorkOutcome: Sendable {
  let failure = Mutex<(any Error)?>(nil)
}
