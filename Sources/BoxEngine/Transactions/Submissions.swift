internal import Dispatch
internal import Synchronization

/// Write transactions that are submitted from anywhere and run in order on a thread of the store's.
///
/// What waits when a transaction begins is done in that one, so that many small submissions share
/// one commit. Each has its own part of it: one that throws leaves nothing, and the others go on.
final class Submissions: Sendable {
  struct Job: Sendable {
    /// Does the work in a transaction, and keeps the result or the error.
    var run: @Sendable (Transaction) -> Bool
    /// Tells the submitter, once the transaction is committed or has failed.
    var finish: @Sendable ((any Error)?) -> Void
  }

  private let waiting = Mutex<[Job]>([])
  private let queue = DispatchQueue(label: "boxjoint.submissions")
  private static let maximumBatch = 1000

  func submit(_ job: Job, to store: ObjectStore) {
    let isFirst = waiting.withLock { jobs in
      jobs.append(job)
      return jobs.count == 1
    }
    if isFirst { queue.async { [self] in runBatch(on: store) } }
  }

  private func runBatch(on store: ObjectStore) {
    // The jobs stay in the list until they are done, so that the next submission does not start a
    // second run.
    let batch = waiting.withLock { Array($0.prefix(Self.maximumBatch)) }
    var failure: (any Error)?
    do {
      try store.write { transaction in
        for job in batch {
          // A job that throws has its own error; the part that it wrote is undone.
          try? transaction.savepoint {
            if !job.run(transaction) { throw SubmissionFailed() }
          }
        }
      }
    } catch {
      failure = error
    }
    let more = waiting.withLock { jobs in
      jobs.removeFirst(batch.count)
      return !jobs.isEmpty
    }
    for job in batch { job.finish(failure) }
    if more { queue.async { [self] in runBatch(on: store) } }
  }
}

private struct SubmissionFailed: Error {}

extension ObjectStore {
  /// Runs a function in a write transaction on a thread of the store's.
  ///
  /// Submissions run in the order in which they were made. Those that wait share one commit; one
  /// that throws leaves nothing of itself and does not disturb the others.
  ///
  /// - Returns: What the function returned, once it is on disk.
  /// - Throws: What the function throws, and what ``write(_:)`` throws.
  public func submit<R: Sendable>(
    _ body: @escaping @Sendable (Transaction) throws -> R
  ) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
      let outcome = Outcome<R>()
      let job = Submissions.Job(
        run: { transaction in
          outcome.result.withLock { $0 = Result { try body(transaction) } }
          return outcome.succeeded
        },
        finish: { failure in
          if let failure {
            // Its own error says more than that of the transaction.
            let own = outcome.result.withLock { $0 }
            if case .failure(let error) = own {
              continuation.resume(throwing: error)
            } else {
              continuation.resume(throwing: failure)
            }
          } else if let result = outcome.result.withLock({ $0 }) {
            continuation.resume(with: result)
          }
        })
      submissions.submit(job, to: self)
    }
  }
}

private final class Outcome<R: Sendable>: Sendable {
  let result = Mutex<Result<R, any Error>?>(nil)

  var succeeded: Bool {
    result.withLock { result in
      if case .success = result { true } else { false }
    }
  }
}
