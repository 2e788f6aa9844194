import BoxStorage
import Synchronization

/// The calls of a storage, of which one fails.
///
/// It counts every function of a storage and of its transactions that can throw, except for sharing
/// the lock after the work is done.
final class FailingCalls: Sendable {
  private struct State {
    var failing = Int.max
    var calls = 0
  }

  private let state = Mutex(State())

  /// Lets the n-th call from now on fail, and no other.
  func fail(at call: Int) { state.withLock { $0 = State(failing: call) } }

  /// Lets no call fail.
  func failNever() { fail(at: .max) }

  /// Whether the call that was to fail was made.
  var hasFailed: Bool { state.withLock { $0.calls >= $0.failing } }

  /// Storages with these calls.
  var faults: StorageFaults {
    StorageFaults { (_) throws(StorageError) in
      let call = self.state.withLock { state in
        state.calls += 1
        return state.calls == state.failing ? state.calls : nil
      }
      if let call { throw StorageError(.other, "call \(call) fails") }
    }
  }
}
