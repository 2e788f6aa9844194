#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A thread for work that waits for other threads, which the few threads of Dispatch must not do.
package final class WorkerThread {
  private let thread: pthread_t

  /// The body of a thread, which only the thread uses.
  private final class Body {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
  }

  /// The number of processors that are online; at least 1.
  package static var processors: Int { max(1, Int(sysconf(numericCast(_SC_NPROCESSORS_ONLN)))) }

  /// Starts it.
  ///
  /// - Parameter body: The work, with everything that it uses.
  /// - Throws: ``SystemError`` if no thread can be created.
  package init(_ body: sending @escaping () -> Void) throws(SystemError) {
    let argument = unsafe Unmanaged.passRetained(Body(body))
    #if canImport(Darwin)
      var created: pthread_t?
    #else
      var created = pthread_t()
    #endif
    let status = unsafe pthread_create(
      &created, nil,
      { argument in
        #if canImport(Darwin)
          unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        #else
          if let argument = unsafe argument {
            unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
          }
        #endif
        return nil
      }, argument.toOpaque())
    #if canImport(Darwin)
      guard status == 0, let created else {
        unsafe argument.release()
        throw SystemError(code: status)
      }
    #else
      if status != 0 {
        unsafe argument.release()
        throw SystemError(code: status)
      }
    #endif
    thread = created
  }

  /// Whether this is the thread that calls.
  package var isCurrent: Bool {
    #if canImport(Darwin)
      unsafe pthread_equal(thread, pthread_self()) != 0
    #else
      pthread_equal(thread, pthread_self()) != 0
    #endif
  }

  /// Gives up waiting for the body; ``join()`` must not be called after it.
  package func detach() {
    #if canImport(Darwin)
      unsafe pthread_detach(thread)
    #else
      pthread_detach(thread)
    #endif
  }

  /// Waits until the body has returned.
  package func join() {
    #if canImport(Darwin)
      unsafe pthread_join(thread, nil)
    #else
      pthread_join(thread, nil)
    #endif
  }
}
