#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Runs asynchronous work on the thread that asks for it.
///
/// An asynchronous `main` starts the threads of the default executor, which takes about as long as
/// merging a model does. The tool does one thing after the other, so its own thread can do it all. A
/// server has threads of its own, too, which may wait for git as the few of that executor must not.
///
/// `@unchecked Sendable` holds because `jobs` and `outcome` are read and written only while
/// `mutex` is locked, and the two pointers never change.
package final class CallerThreadExecutor<Value: Sendable>: TaskExecutor, @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var jobs: [UnownedJob] = []
  private var outcome: Result<Value, any Error>?

  /// Creates an executor, for one call of ``run(_:)``.
  package init() {
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Does work to its end, with everything that it awaits, on this thread as far as nothing asks for another one.
  ///
  /// - Returns: The result of the work.
  /// - Throws: The error of the work.
  package func run(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    Task(executorPreference: self) {
      do {
        self.end(.success(try await work()))
      } catch {
        self.end(.failure(error))
      }
    }
    while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    guard let outcome = locked({ outcome }) else { throw CancellationError() }
    return try outcome.get()
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    locked { jobs.append(job) }
  }

  private func end(_ result: Result<Value, any Error>) {
    locked { outcome = result }
  }

  /// The next job, waited for; nil when the work is done.
  private func next() -> UnownedJob? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while jobs.isEmpty && outcome == nil { pthread_cond_wait(condition, mutex) }
    return jobs.isEmpty ? nil : jobs.removeFirst()
  }

  private func locked<R>(_ body: () -> R) -> R {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_signal(condition)
      pthread_mutex_unlock(mutex)
    }
    return body()
  }
}
