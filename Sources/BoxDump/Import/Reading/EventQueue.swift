internal import BoxEngine
internal import Dispatch
internal import Synchronization

/// Hands events from the thread that reads to the one that writes; a few wait in between.
final class EventQueue: Sendable {
  private struct State {
    var events: [ImportEvent] = []
    var chunks: [Owned<PreparedChunk>] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  private let room = DispatchSemaphore(value: 0)
  private let filled = DispatchSemaphore(value: 0)

  init(capacity: Int) {
    // Not by its initial value: a semaphore must not go away with less than that.
    for _ in 0..<capacity { room.signal() }
  }

  /// Adds an event, and waits while the queue is full; false if the reader has ended.
  func put(_ event: ImportEvent) -> Bool {
    room.wait()
    let isOpen = state.withLock { state in
      if !state.isClosed { state.events.append(event) }
      return !state.isClosed
    }
    filled.signal()
    if !isOpen { room.signal() }
    return isOpen
  }

  /// The next event; waits for it.
  func next() -> ImportEvent {
    filled.wait()
    let event = state.withLock { $0.events.removeFirst() }
    room.signal()
    return event
  }

  /// Closes the queue, so that the reader stops.
  func close() {
    state.withLock {
      $0.isClosed = true
      $0.events = []
    }
    room.signal()
  }

  /// Gives the memory of a chunk back.
  func recycle(_ chunk: Owned<PreparedChunk>) {
    // A large object would keep its memory for good.
    if chunk.buffer.objects.byteCount > 1 << 20 { return }
    chunk.buffer.removeAll()
    state.withLock { if $0.chunks.count < 4 { $0.chunks.append(chunk) } }
  }

  /// A chunk of the plan to reuse, if any.
  func recycledChunk(_ plan: EntityPlan) -> Owned<PreparedChunk>? {
    state.withLock { state in
      guard let position = state.chunks.lastIndex(where: { $0.buffer.plan === plan }) else {
        state.chunks = []
        return nil
      }
      return state.chunks.remove(at: position)
    }
  }
}
