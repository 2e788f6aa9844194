import BoxStore
import Dispatch
import Synchronization

/// An observer of the books, which reports their number after each commit that changes them.
///
/// The observer runs on a queue of its own: on Linux nothing runs the main queue of a command.
final class Watcher: Sendable {
  private let counts = Mutex<[Int]>([])
  private let arrived = DispatchSemaphore(value: 0)
  private let observer = Mutex<Observer?>(nil)

  init(_ books: Box<Book>) {
    let queue = DispatchQueue(label: "watcher")
    let subscription = books.subscribe(dispatchQueue: queue, flags: []) {
      [weak self] (found: [Book], _: ObjectBoxError?) in
      self?.counts.withLock { $0.append(found.count) }
      self?.arrived.signal()
    }
    observer.withLock { $0 = subscription }
  }

  /// Waits for the next change, and returns the number of books after it.
  func next() -> Int {
    arrived.wait()
    return counts.withLock { $0.removeFirst() }
  }

  func stop() { observer.withLock { $0?.unsubscribe() } }
}
