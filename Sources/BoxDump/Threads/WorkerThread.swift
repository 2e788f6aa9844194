#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A thread for work that waits for other threads: those of Dispatch are few.
///
/// The invariant behind `@unchecked Sendable`: what the body uses is its own until it is joined.
package final class WorkerThread: @unchecked Sendable {
  private var thread: pthread_t?
  private let body: () -> Void

  /// The number of processors that are online; at least 1.
  static var processors: Int { max(1, Int(sysconf(numericCast(_SC_NPROCESSORS_ONLN)))) }

  /// Starts it.
  ///
  /// - Throws: ``DumpError`` if there is no room for another one.
  package init(_ body: @escaping () -> Void) throws(DumpError) {
    self.body = body
    #if canImport(Darwin)
      var created: pthread_t?
    #else
      var created = pthread_t()
    #endif
    let status = pthread_create(
      &created, nil,
      { argument in
        #if canImport(Darwin)
          Unmanaged<WorkerThread>.fromOpaque(argument).takeRetainedValue().body()
        #else
          if let argument {
            Unmanaged<WorkerThread>.fromOpaque(argument).takeRetainedValue().body()
          }
        #endif
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    if status != 0 {
      Unmanaged.passUnretained(self).release()
      throw DumpError("no thread can be started", kind: .inputOutput)
    }
    thread = created
  }

  /// Waits until the body has returned.
  package func join() {
    if let thread { pthread_join(thread, nil) }
  }
}
