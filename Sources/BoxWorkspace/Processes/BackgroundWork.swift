internal import BoxSystem
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Work for which callers wait for a limited time, such as runs of git for a server.
///
/// Work of a name is done once at a time: a caller that asks for it meanwhile waits for the same result. It has a thread
/// of its own, so that callers may be tasks, whose threads are few.
package final class BackgroundWork<Value: Sendable>: Sendable {
  /// Work that was begun, and its result.
  private final class Run: Sendable {
    private let result = Mutex<(value: Result<Value, any Error>, time: ContinuousClock.Instant)?>(
      nil)

    func end(_ value: Result<Value, any Error>) { result.withLock { $0 = (value, .now) } }
    var value: Result<Value, any Error>? { result.withLock { $0?.value } }

    /// Whether the result is too old for a new caller.
    var isOver: Bool {
      result.withLock { $0.map { ContinuousClock.now - $0.time > .seconds(10) } ?? false }
    }
  }

  /// The runs whose results nobody has yet.
  private let runs = Mutex<[String: Run]>([:])

  /// Creates a place for work.
  package init() {}

  /// The result of work that is begun now, or that was begun under the name before.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - limit: The time after which the caller stops waiting. The work continues, and another call with the name
  ///     gets its result.
  ///   - isCancelled: Called while the caller waits; returns whether it stops.
  ///   - work: The work.
  /// - Returns: The result; nil if the caller stopped before.
  /// - Throws: The error of the work, or `SystemError` if there can be no thread for it.
  package func result(
    _ name: String, within limit: Duration, isCancelled: () -> Bool = { false },
    _ work: @escaping @Sendable () async throws -> Value
  ) throws -> Value? {
    let end = ContinuousClock.now + limit
    let run = try run(name, work)
    while true {
      if let value = run.value {
        runs.withLock { if $0[name] === run { $0[name] = nil } }
        return try value.get()
      }
      if ContinuousClock.now >= end || isCancelled() { return nil }
      usleep(2000)
    }
  }

  private func run(
    _ name: String, _ work: @escaping @Sendable () async throws -> Value
  ) throws(SystemError) -> Run {
    let (run, isNew) = runs.withLock { runs in
      if let run = runs[name], !run.isOver { return (run, false) }
      let run = Run()
      runs[name] = run
      return (run, true)
    }
    if !isNew { return run }
    do throws(SystemError) {
      try WorkerThread {
        run.end(Result { try CallerThreadExecutor().run(work) })
      }.detach()
    } catch {
      runs.withLock { $0[name] = nil }
      throw error
    }
    return run
  }
}
