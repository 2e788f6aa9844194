internal import Dispatch
internal import Synchronization

/// The calls of one receiver: on any queue one at a time, and no more than one that waits.
///
/// A receiver that is slower than the writers is not called for every commit. All observers, monitors and
/// publishers are called by way of this type.
final class Delivery: Sendable {
  private let queue: DispatchQueue
  /// Whether a call waits on the queue or runs.
  private let isScheduled = Mutex(false)

  init(_ queue: DispatchQueue) { self.queue = queue }

  /// Makes a call if it is due and none waits or runs, and looks again after the call.
  ///
  /// - Parameters:
  ///   - isDue: Whether there is something to do. It must not call this delivery, nor release who does.
  ///   - call: Does all that there is to do.
  func resume(if isDue: @escaping @Sendable () -> Bool, _ call: @escaping @Sendable () -> Void) {
    let begins = isScheduled.withLock { isScheduled in
      if isScheduled || !isDue() { return false }
      isScheduled = true
      return true
    }
    if !begins { return }
    queue.async { [self] in
      call()
      isScheduled.withLock { $0 = false }
      resume(if: isDue, call)
    }
  }
}
