internal import BoxEngine
public import Dispatch

extension Box {
  // MARK: - Callbacks

  /// Calls a function after each commit that changed objects of the entity type.
  ///
  /// Commits of this process are told, in their order. The function may use the store, and write.
  ///
  /// - Parameters:
  ///   - dispatchQueue: The queue on which the function is called. The main queue needs something that
  ///     runs it: the event loop of an app, or `dispatchMain()`.
  ///   - flags: Whether the function is called at the beginning too.
  ///   - changeHandler: The function.
  /// - Returns: The subscription; it ends when it is released.
  @preconcurrency
  public func subscribe(
    dispatchQueue: DispatchQueue = .main, flags: Observer.Flags = [.sendInitial],
    changeHandler: @escaping @Sendable () -> Void
  ) -> Observer {
    let store = storeCore
    return Observer(store, [core.schema], dispatchQueue, flags) {
      let number = store.lastCommit
      changeHandler()
      return number
    }
  }

  /// Calls a function with all objects, after each commit that changed any.
  ///
  /// The objects are read on the queue, in one transaction. If several commits are in what was read, the
  /// function is called once for them. It gets an error and no objects if they cannot be read.
  ///
  /// - Parameters:
  ///   - dispatchQueue: As ``subscribe(dispatchQueue:flags:changeHandler:)``.
  ///   - flags: Whether the function is called at the beginning too.
  ///   - resultHandler: The function; the objects are its own.
  /// - Returns: The subscription; it ends when it is released.
  @preconcurrency
  public func subscribe(
    dispatchQueue: DispatchQueue = .main, flags: Observer.Flags = [.sendInitial],
    resultHandler: @escaping @Sendable (sending [E], ObjectBoxError?) -> Void
  ) -> Observer {
    observe(dispatchQueue, flags) { objects, error in
      nonisolated(unsafe) let handed = Array(objects)
      unsafe resultHandler(handed, error)
    }
  }

  /// Calls a function with all objects, next to each other in memory, after each commit that changed any;
  /// as ``subscribe(dispatchQueue:flags:resultHandler:)``.
  @preconcurrency
  public func subscribeContiguous(
    dispatchQueue: DispatchQueue = .main, flags: Observer.Flags = [.sendInitial],
    resultHandler: @escaping @Sendable (sending ContiguousArray<E>, ObjectBoxError?) -> Void
  ) -> Observer {
    observe(dispatchQueue, flags) { objects, error in
      nonisolated(unsafe) let handed = objects
      unsafe resultHandler(handed, error)
    }
  }

  private func observe(
    _ queue: DispatchQueue, _ flags: Observer.Flags,
    _ handler: @escaping @Sendable (ContiguousArray<E>, ObjectBoxError?) -> Void
  ) -> Observer {
    Observer(storeCore, [core.schema], queue, flags) { [self] in
      let (result, number) = storeCore.observed { try read(.all) }
      switch result {
      case .success(let objects): handler(objects, nil)
      case .failure(let error): handler([], error)
      }
      return number
    }
  }

  // MARK: - Sequences

  /// The ids of the objects that each commit inserted, updated or removed; each id once in a commit.
  ///
  /// ```swift
  /// for await ids in box.changes { print("changed: \(ids)") }
  /// ```
  ///
  /// The sequence ends with the task that iterates over it. An element is empty if a transaction changed
  /// objects that was running when the sequence was made.
  public var changes: AsyncStream<[E.EntityBindingType.IdType]> {
    AsyncStream { continuation in
      let observation = try? storeCore.engine.observe([core.schema]) { commit in
        for changes in commit.entities {
          continuation.yield(changes.coalesced.map { E.EntityBindingType.IdType($0.id) })
        }
      }
      guard let observation else { return continuation.finish() }
      continuation.onTermination = { _ in observation.cancel() }
    }
  }

  /// All objects now, and again after each commit that changed any.
  ///
  /// ```swift
  /// for try await notes in box.results { show(notes) }
  /// ```
  ///
  /// Who iterates slowly gets the newest objects and not every state. The sequence ends with the task
  /// that iterates over it, or with the error with which the objects cannot be read.
  public var results: AsyncThrowingStream<[E], any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let queue = DispatchQueue(label: "boxjoint.results")
      let observer = observe(queue, [.sendInitial]) { objects, error in
        if let error { return continuation.finish(throwing: error) }
        nonisolated(unsafe) let handed = Array(objects)
        unsafe continuation.yield(handed)
      }
      continuation.onTermination = { _ in observer.unsubscribe() }
    }
  }
}
