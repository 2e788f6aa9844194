internal import BoxEngine
public import Dispatch

extension Query {
  /// The objects of the query, as observers read them.
  var observed: ObservedResults<E> {
    // Other values of the conditions have the same links.
    ObservedResults(store: box.storeCore, entities: ready.ordered.entities) { [self] in
      try findContiguous()
    }
  }

  // MARK: - Callbacks

  /// Calls a function after commits that can have changed the results.
  ///
  /// These commits have changed objects of the entity type, or objects that a link of the condition reaches,
  /// or the relation between them. With ``HeardCommits`` the commits of other processes count too. The
  /// function may use the store, and write. It is called once for all commits since its last call.
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

  /// Calls a function with the results, after commits that can have changed them.
  ///
  /// ```swift
  /// let observer = query.subscribe(dispatchQueue: .main) { books, error in
  ///   print(books.map(\.title), error ?? "no error")
  /// }
  /// observer.unsubscribe()
  /// ```
  ///
  /// The query runs on the queue, in one transaction, with the values that its conditions have at that
  /// time; setting a value makes no call. If several commits are in what was read, the function is called
  /// once for them. It gets an error and no objects if they cannot be read.
  ///
  /// - Parameters:
  ///   - dispatchQueue: As ``subscribe(dispatchQueue:flags:changeHandler:)``.
  ///   - flags: Whether the function is called at the beginning too.
  ///   - resultHandler: The function; the objects are its own, in the order of the query.
  /// - Returns: The subscription; it ends when it is released.
  @preconcurrency
  public func subscribe(
    dispatchQueue: DispatchQueue = .main, flags: Observer.Flags = [.sendInitial],
    resultHandler: @escaping @Sendable (sending [E], ObjectBoxError?) -> Void
  ) -> Observer {
    observed.subscribe(dispatchQueue, flags, handing: resultHandler)
  }

  /// Calls a function with the results, next to each other in memory, after commits that can have
  /// changed them; as ``subscribe(dispatchQueue:flags:resultHandler:)``.
  @preconcurrency
  public func subscribeContiguous(
    dispatchQueue: DispatchQueue = .main, flags: Observer.Flags = [.sendInitial],
    resultHandler: @escaping @Sendable (sending ContiguousArray<E>, ObjectBoxError?) -> Void
  ) -> Observer {
    observed.subscribe(dispatchQueue, flags, handing: resultHandler)
  }

  // MARK: - Sequences

  /// The results now, and again after commits that can have changed them.
  ///
  /// ```swift
  /// for try await cheap in query.results { show(cheap) }
  /// ```
  ///
  /// A task that iterates slowly gets the newest results and not every state. The sequence ends with the
  /// task, when the store is closed, or with the error with which the objects cannot be read.
  public var results: AsyncThrowingStream<[E], any Error> { observed.sequence }
}
