internal import BoxEngine
public import Dispatch

extension Box {
  /// All objects, as observers read them.
  var observed: ObservedResults<E> {
    ObservedResults(store: storeCore, entities: [core.schema]) { [self] in try read(.all) }
  }

  // MARK: - Callbacks

  /// Calls a function after commits that changed objects of the entity type.
  ///
  /// The function is called for commits of this process, in their order, and with ``HeardCommits`` for
  /// commits of other processes. The function may use the store, and write. If several commits were made
  /// before it can be called, it is called once for them.
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
    observed.subscribe(dispatchQueue, flags, changeHandler)
  }

  /// Calls a function with all objects, after commits that changed any.
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
    observed.subscribe(dispatchQueue, flags, handing: resultHandler)
  }

  /// Calls a function with all objects, next to each other in memory, after commits that changed any;
  /// as ``subscribe(dispatchQueue:flags:resultHandler:)``.
  @preconcurrency
  public func subscribeContiguous(
    dispatchQueue: DispatchQueue = .main, flags: Observer.Flags = [.sendInitial],
    resultHandler: @escaping @Sendable (sending ContiguousArray<E>, ObjectBoxError?) -> Void
  ) -> Observer {
    observed.subscribe(dispatchQueue, flags, handing: resultHandler)
  }

  // MARK: - Sequences

  /// The ids of the objects that each commit inserted, updated or removed; each id once in a commit.
  ///
  /// ```swift
  /// for await ids in box.changes { print("changed: \(ids)") }
  /// ```
  ///
  /// The sequence ends with the task that iterates over it, or when the store is closed. An element is
  /// empty if a transaction changed objects that was running when the sequence was made.
  public var changes: AsyncStream<[E.EntityBindingType.IdType]> {
    AsyncStream { continuation in
      let feed = try? CommitFeed(
        storeCore, [core.schema], .objects, for: "a sequence of changes",
        onClose: { continuation.finish() }
      ) { commit in
        for changes in commit.entities {
          continuation.yield(changes.coalesced.map { E.EntityBindingType.IdType($0.id) })
        }
      }
      guard let feed, !storeCore.isClosed else { return continuation.finish() }
      continuation.onTermination = { _ in feed.cancel() }
    }
  }

  /// All objects now, and again after commits that changed any.
  ///
  /// ```swift
  /// for try await notes in box.results { show(notes) }
  /// ```
  ///
  /// A task that iterates slowly gets the newest objects and not every state. The sequence ends with the
  /// task, when the store is closed, or with the error with which the objects cannot be read.
  public var results: AsyncThrowingStream<[E], any Error> { observed.sequence }
}
