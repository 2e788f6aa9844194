internal import BoxSystem
internal import Dispatch
internal import Synchronization

/// Runs jobs on several threads, and passes their results on in the order in which the jobs were
/// added.
///
/// The work of a job before it waits for its ``Turn`` runs in parallel with other jobs. After the
/// first job that fails, in their order, no further results are passed on.
final class OrderedWorkers {
  typealias Job = @Sendable (Turn) throws -> Void

  /// The state that the threads share.
  private final class Board: Sendable {
    struct State {
      var jobs: [(job: Job, turn: Turn)] = []
      var isClosed = false
      var failure: (any Error)?
    }

    let state = Mutex(State())
    let hasFailed = Atomic(false)
    let room = DispatchSemaphore(value: 0)
    let filled = DispatchSemaphore(value: 0)

    /// Does jobs until the queue is closed.
    func work() {
      while true {
        filled.wait()
        let next = state.withLock { state in
          state.isClosed || state.jobs.isEmpty ? nil : state.jobs.removeFirst()
        }
        guard let (job, turn) = next else { return }
        room.signal()
        var failed = false
        do {
          try job(turn)
        } catch {
          failed = true
          if turn.wait() {
            state.withLock { $0.failure = error }
            hasFailed.store(true, ordering: .relaxed)
          }
        }
        turn.end(failed: failed)
      }
    }
  }

  private let board = Board()
  private var threads: [WorkerThread] = []
  private var last: Turn?

  /// Starts the threads.
  ///
  /// - Throws: ``DumpError`` if no thread can be created.
  init(threads count: Int) throws(DumpError) {
    // Not by its initial value: a semaphore must not go away with less than that.
    for _ in 0..<count { board.room.signal() }
    let board = board
    for _ in 0..<count { threads.append(try startThread { board.work() }) }
  }

  deinit {
    board.state.withLock {
      $0.isClosed = true
      $0.jobs = []
    }
    for _ in threads { board.filled.signal() }
    for thread in threads { thread.join() }
  }

  /// Adds a job after those before; blocks while too many are waiting.
  func submit(_ job: @escaping Job) {
    board.room.wait()
    let turn = Turn(after: last)
    last = turn
    board.state.withLock { $0.jobs.append((job, turn)) }
    board.filled.signal()
  }

  /// The error of the first job that failed, if that is known by now.
  func requireSuccess() throws {
    if !board.hasFailed.load(ordering: .relaxed) { return }
    if let failure = board.state.withLock({ $0.failure }) { throw failure }
  }

  /// Waits until all jobs are done.
  ///
  /// - Throws: The error of the first job that failed.
  func wait() throws {
    let end = Turn(after: last)
    _ = end.wait()
    end.end(failed: false)
    last = end
    try requireSuccess()
  }
}

/// The place of a job in the order of the jobs.
final class Turn: Sendable {
  private let previous: Mutex<Turn?>
  private let allSucceeded = Atomic(true)
  private let ended = DispatchSemaphore(value: 0)

  init(after previous: Turn?) { self.previous = Mutex(previous) }

  /// Waits until all jobs before are done.
  ///
  /// - Returns: Whether none of them failed.
  func wait() -> Bool {
    // Not kept: it would keep the one before it.
    if let previous = previous.withLock({ $0.take() }) {
      previous.ended.wait()
      allSucceeded.store(
        previous.allSucceeded.load(ordering: .relaxed), ordering: .relaxed)
    }
    return allSucceeded.load(ordering: .relaxed)
  }

  /// Lets the next job have its turn.
  fileprivate func end(failed: Bool) {
    _ = wait()
    if failed { allSucceeded.store(false, ordering: .relaxed) }
    ended.signal()
  }
}
