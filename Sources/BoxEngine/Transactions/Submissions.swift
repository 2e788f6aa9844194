internal import Dispatch
internal import Synchronization

/// Write transactions that are submitted from any thread and run in order on a thread of the store.
///
/// All submissions that wait when a transaction begins run in it, so that many small ones share one
/// commit. Each has its own savepoint: one that throws leaves no changes, and the others continue.
final class Submissions: Sendable {
  struct Job: Sendable {
    /// Does the work in a transaction, and stores the result.
    var run: @Sendable (Transaction) throws -> Void
    /// Notifies the submitter once the transaction is committed or has failed.
    var finish: @Sendable ((any Error)?) -> Void
  }

  private let waiting = Mutex<[Job]>([])
  private let queue = DispatchQueue(label: "boxjoint.submissions")
  /// The invariant behind `@unchecked Sendable`: a key is a constant without state, of a class that does not
  /// conform in every version of Dispatch.
  private struct Key: @unchecked Sendable { let ofQueue = DispatchSpecificKey<ObjectIdentifier>() }
  private static let key = Key()
  private static let maximumBatch = 1000
  /// The free places for jobs whose submitter does not wait for the end.
  private let places = DispatchSemaphore(value: maximumWaiting)
  private static let maximumWaiting = 1 << 16

  /// Whether the queue has its mark.
  private let isMarked = Mutex(false)

  /// Whether the calling thread runs jobs at the moment.
  var isOnItsThread: Bool {
    DispatchQueue.getSpecific(key: Self.key.ofQueue) == ObjectIdentifier(self)
  }

  /// Whether no job waits or runs.
  var isEmpty: Bool { waiting.withLock { $0.isEmpty } }

  /// Submits a job when there is a place for it; returns whether there was one in time.
  func submit(_ job: Job, to store: ObjectStore, within seconds: Double) -> Bool {
    guard places.wait(timeout: .now() + seconds) == .success else { return false }
    var job = job
    let finish = job.finish
    job.finish = { [places] failure in
      places.signal()
      finish(failure)
    }
    submit(job, to: store)
    return true
  }

  func submit(_ job: Job, to store: ObjectStore) {
    let isFirst = waiting.withLock { jobs in
      jobs.append(job)
      return jobs.count == 1
    }
    guard isFirst else { return }
    markQueue()
    queue.async { [self] in runBatch(on: store) }
  }

  /// Marks the queue, so that a function that runs on it can be told from others.
  ///
  /// Not before the first submission: the mark starts a thread of Dispatch, which takes three descriptors.
  private func markQueue() {
    isMarked.withLock { isMarked in
      if isMarked { return }
      queue.setSpecific(key: Self.key.ofQueue, value: ObjectIdentifier(self))
      isMarked = true
    }
  }

  private func runBatch(on store: ObjectStore) {
    // The jobs stay in the list until they are done, so that the next submission does not start a
    // second run.
    let batch = waiting.withLock { Array($0.prefix(Self.maximumBatch)) }
    var failures = [(any Error)?](repeating: nil, count: batch.count)
    do {
      try store.write { transaction in
        for (position, job) in batch.enumerated() {
          // What a job wrote is undone if it throws, or if what it held back cannot be written.
          do {
            try transaction.savepoint {
              try job.run(transaction)
              try transaction.endCapturedTransaction()
            }
          } catch {
            failures[position] = error
          }
        }
      }
    } catch {
      // The error of a job says more than that of the transaction.
      for position in failures.indices where failures[position] == nil {
        failures[position] = error
      }
    }
    let more = waiting.withLock { jobs in
      jobs.removeFirst(batch.count)
      return !jobs.isEmpty
    }
    for (job, failure) in zip(batch, failures) { job.finish(failure) }
    if more { queue.async { [self] in runBatch(on: store) } }
  }
}

extension ObjectStore {
  /// Runs a function in a write transaction on a thread of the store.
  ///
  /// Submissions run in the order in which they were made. Waiting submissions share one commit.
  /// One that throws leaves no changes and does not affect the others.
  ///
  /// - Returns: The value of the function, once its changes are on disk.
  /// - Throws: The error of the function, and the errors of ``write(_:)``.
  public func submit<R: Sendable>(
    _ body: @escaping @Sendable (Transaction) throws -> R
  ) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
      let outcome = Outcome<R>()
      let job = Submissions.Job(
        run: { transaction in
          let value = try body(transaction)
          outcome.value.withLock { $0 = value }
        },
        finish: { failure in
          if let failure {
            continuation.resume(throwing: failure)
          } else if let value = outcome.value.withLock({ $0 }) {
            continuation.resume(returning: value)
          }
        })
      submissions.submit(job, to: self)
    }
  }
}

extension ObjectStore {
  /// Runs a function in a write transaction on a thread of the store, as ``submit(_:)`` does, without
  /// waiting for it.
  ///
  /// - Parameters:
  ///   - seconds: The time to wait for a place: 65,536 submissions can wait.
  ///   - body: The function.
  ///   - completion: Called on a thread of the store, with the error of the function or of the commit; nil
  ///     once the changes are on disk.
  /// - Returns: Whether there was a place in time; otherwise the function is not called.
  /// - Throws: ``StoreError/closed``.
  package func enqueue(
    within seconds: Double, _ body: @escaping @Sendable (Transaction) throws -> Void,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) throws(StoreError) -> Bool {
    _ = try storage
    return submissions.submit(
      Submissions.Job(run: body, finish: completion), to: self, within: seconds)
  }

  /// Waits until everything that was submitted before has run.
  ///
  /// - Returns: False, without waiting, in a write transaction, for which the submissions wait.
  package func waitForSubmissions() -> Bool {
    if currentTransaction?.isWritable == true { return false }
    let end = DispatchSemaphore(value: 0)
    submissions.submit(Submissions.Job(run: { _ in }, finish: { _ in end.signal() }), to: self)
    end.wait()
    return true
  }

  /// Waits for everything that was submitted, before the store is closed.
  ///
  /// It returns at once in a write transaction of the thread, and in a function that the store calls when a
  /// submission has ended: what waits then fails.
  package func finishSubmissions() {
    if hasSubmissions && !submissions.isOnItsThread { _ = waitForSubmissions() }
  }

  /// Whether submissions wait or run.
  package var hasSubmissions: Bool { !submissions.isEmpty }
}

private final class Outcome<R: Sendable>: Sendable {
  let value = Mutex<R?>(nil)
}
