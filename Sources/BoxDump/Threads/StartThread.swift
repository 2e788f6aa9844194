internal import BoxSystem

/// Starts a thread for work that waits for other threads, which the few threads of Dispatch must not do.
///
/// - Parameter body: The work, with everything that it uses.
/// - Returns: The thread.
/// - Throws: ``DumpError`` if no thread can be created.
func startThread(_ body: sending @escaping () -> Void) throws(DumpError) -> WorkerThread {
  do throws(SystemError) {
    return try WorkerThread(body)
  } catch {
    throw DumpError("no thread can be started", kind: .inputOutput)
  }
}
