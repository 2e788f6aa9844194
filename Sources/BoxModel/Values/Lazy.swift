import Synchronization

/// A value that is computed on first use and then kept, also for copies of its owner.
final class Lazy<Value: Sendable>: Sendable {
  private let made = Mutex<Value?>(nil)

  /// The value; `make` must return the same one each time.
  func value(_ make: () -> Value) -> Value {
    made.withLock { value in
      if let value { return value }
      let new = make()
      value = new
      return new
    }
  }
}
