internal import Synchronization

/// The task that iterates over the events of a monitor.
final class MonitorReceiver<S: MonitoredState>: Sendable {
  private let hub: MonitorHub<S>
  private let subscriber: MonitorSubscriber<S>
  private let signal: Signal
  /// The monitor, which is kept as long as the task iterates.
  private let monitor: any AnyObject & Sendable

  init(_ hub: MonitorHub<S>, keeping monitor: any AnyObject & Sendable) {
    self.hub = hub
    self.monitor = monitor
    let signal = Signal()
    self.signal = signal
    subscriber = MonitorSubscriber { _ in signal.send() }
    hub.add(subscriber)
  }

  deinit { hub.remove(subscriber) }

  /// The next event; nil at the end.
  ///
  /// - Throws: The error with which the monitor ended.
  func next() async throws -> S.Event? {
    while !Task.isCancelled {
      switch subscriber.nextEvent() {
      case .event(let event): return event
      case .failure(let error): throw error
      case .end: return nil
      case nil: await signal.wait()
      }
    }
    return nil
  }
}

extension MonitorHub {
  /// The events, for one task.
  func sequence(
    keeping monitor: any AnyObject & Sendable
  ) -> AsyncThrowingStream<S.Event, any Error> {
    let receiver = MonitorReceiver(self, keeping: monitor)
    return AsyncThrowingStream { try await receiver.next() }
  }
}

/// Lets one task wait until something happens.
private final class Signal: Sendable {
  private struct State: Sendable {
    var isSent = false
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  /// Ends a wait, or the next one if none is under way.
  func send() {
    let waiting = state.withLock { state in
      defer { state.waiting = nil }
      state.isSent = state.waiting == nil
      return state.waiting
    }
    waiting?.resume()
  }

  /// Waits until something was sent, or the task is cancelled.
  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isSent = state.withLock { state in
          defer { state.isSent = false }
          if !state.isSent { state.waiting = continuation }
          return state.isSent
        }
        if isSent { continuation.resume() }
      }
    } onCancel: {
      send()
    }
  }
}
