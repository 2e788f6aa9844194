internal import ArgumentParser

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Runs asynchronous work on the thread that asks for it.
///
/// An asynchronous `main` starts the threads of the default executor, which takes about as long as
/// merging a model does. The tool does one thing after the other, so its own thread can do it all.
///
/// `@unchecked Sendable` holds because `jobs` and `outcome` are read and written only while
/// `mutex` is locked, and the two pointers never change.
final class CallerThreadExecutor: TaskExecutor, @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var jobs: [UnownedJob] = []
  private var outcome: Result<Void, any Error>?

  init() {
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

  /// Runs a command to its end, with everything that it awaits, on this thread as far as nothing asks for another one.
  ///
  /// - Throws: The error of the command.
  func run(_ command: sending any AsyncParsableCommand) throws {
    Task(executorPreference: self) {
      var command = command
      do {
        try await command.run()
        self.end(.success(()))
      } catch {
        self.end(.failure(error))
      }
    }
    while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    try locked { outcome }?.get()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    locked { jobs.append(job) }
  }

  private func end(_ result: Result<Void, any Error>) {
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
