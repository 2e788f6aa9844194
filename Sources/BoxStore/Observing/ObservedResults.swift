internal import BoxEngine
internal import Dispatch

/// Objects that are read again after each commit that can have changed them.
struct ObservedResults<E>: Sendable {
  /// The store.
  let store: StoreCore
  /// The entities on which the objects depend.
  let entities: [EntitySchema]
  /// Reads the objects.
  let read: @Sendable () throws -> ContiguousArray<E>

  // MARK: - Callbacks

  /// Calls a function without reading the objects.
  func subscribe(
    _ queue: DispatchQueue, _ flags: Observer.Flags, _ handler: @escaping @Sendable () -> Void
  ) -> Observer {
    Observer(store, entities, queue, flags) { [store] in
      let number = store.lastCommit
      handler()
      return number
    }
  }

  /// Calls a function with the objects of one state, or with the error of reading them.
  ///
  /// - Parameters:
  ///   - queue: The queue on which the objects are read and the function is called.
  ///   - flags: The options.
  ///   - isTerminated: Whether the function is called with an error when the store is closed.
  ///   - isReady: Whether the function can be called now; ``Observer/resume()`` asks again.
  ///   - handler: The function.
  /// - Returns: The subscription.
  func observe(
    _ queue: DispatchQueue, _ flags: Observer.Flags, isTerminated: Bool = false,
    isReady: @escaping @Sendable () -> Bool = { true },
    _ handler: @escaping @Sendable (ContiguousArray<E>, ObjectBoxError?) -> Void
  ) -> Observer {
    Observer(
      store, entities, queue, flags, isTerminated: isTerminated, isReady: isReady
    ) { [self] in
      let (result, number) = store.observed(read)
      switch result {
      case .success(let objects): handler(objects, nil)
      case .failure(let error): handler([], error)
      }
      return number
    }
  }

  /// Calls a function with an array of the objects, which are its own.
  func subscribe(
    _ queue: DispatchQueue, _ flags: Observer.Flags,
    handing handler: @escaping @Sendable (sending [E], ObjectBoxError?) -> Void
  ) -> Observer {
    observe(queue, flags) { objects, error in
      nonisolated(unsafe) let handed = Array(objects)
      unsafe handler(handed, error)
    }
  }

  /// Calls a function with the objects next to each other in memory, which are its own.
  func subscribe(
    _ queue: DispatchQueue, _ flags: Observer.Flags,
    handing handler: @escaping @Sendable (sending ContiguousArray<E>, ObjectBoxError?) -> Void
  ) -> Observer {
    observe(queue, flags) { objects, error in
      nonisolated(unsafe) let handed = objects
      unsafe handler(handed, error)
    }
  }

  // MARK: - Sequences

  /// The objects now and after each commit, the newest only for a slow task.
  var sequence: AsyncThrowingStream<[E], any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let queue = DispatchQueue(label: "boxjoint.results")
      let wasClosed = store.isClosed
      let observer = observe(queue, [.sendInitial], isTerminated: true) { objects, error in
        if let error {
          // The end of the store is the end of the sequence, and not a failure.
          continuation.finish(throwing: store.isClosed && !wasClosed ? nil : error)
          return
        }
        nonisolated(unsafe) let handed = Array(objects)
        unsafe continuation.yield(handed)
      }
      continuation.onTermination = { _ in observer.unsubscribe() }
    }
  }
}

extension StoreCore {
  /// The number of the last commit, or 0 if the store is closed.
  fileprivate var lastCommit: UInt64 { (try? reading { try $0.number }) ?? 0 }

  /// Reads something in one transaction, with the number of the last commit that it sees.
  ///
  /// - Returns: The value or the error, and the number; 0 for an error.
  fileprivate func observed<R>(_ read: () throws -> R) -> (Result<R, ObjectBoxError>, UInt64) {
    do {
      return try reading { transaction in
        let number = try transaction.number
        return (.success(try read()), number)
      }
    } catch {
      return (.failure((error as? ObjectBoxError) ?? .unexpected(error: error)), 0)
    }
  }
}
