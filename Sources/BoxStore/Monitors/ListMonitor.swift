public import Dispatch

/// The list of the objects that a query finds, kept up to date, with the differences from state to state.
///
/// ```swift
/// let monitor = try books.query().ordered(by: .ascending(Book.genre)).build()
///   .monitor(sectionedBy: Book.genre) { "genre \($0)" }
/// let subscription = monitor.subscribe(dispatchQueue: queue) { result in
///   for event in (try? result.get())?.events ?? [] { print(event) }
/// }
/// ```
///
/// The monitor follows the commits of this process, and with ``HeardCommits`` the commits of other processes.
/// The cost of a commit depends on the objects that were changed, and not on the length of the list; if the
/// condition has links, the query runs again. The monitor keeps the values that the query's conditions had
/// when it was made: ``refetch(_:)`` takes new ones.
///
/// It keeps ids, so objects are always read as they are in the store. It ends with ``stop()``, when it is
/// released with all of its subscriptions, when the store is closed, or with an error: of reading, of the
/// closure that names sections, or an order that splits a section.
public final class ListMonitor<E: EntityInspectable & __EntityRelatable>: Sendable
where E == E.EntityBindingType.EntityType {
  /// The entity type.
  public typealias EntityType = E

  let core: ListMonitorCore<E>
  private let sections: SectionNames<E>?

  init(_ query: Query<E>, _ sections: SectionNames<E>?) throws {
    self.sections = sections
    core = try ListMonitorCore(query.box, try query.monitorQuestion(sections))
  }

  // MARK: - The list

  /// The list as of the last commit that the monitor has seen.
  ///
  /// - Throws: The error with which the monitor ended.
  /// - Complexity: O(1).
  public func list() throws -> MonitoredList<E> { MonitoredList(state: try core.hub.latest().list) }

  /// The object at a position of the whole list; nil outside of the list, and if it was removed meanwhile.
  ///
  /// - Throws: The errors of ``list()``.
  public subscript(position: Int) -> E? {
    get throws { try list()[position].flatMap { try core.box.get($0) } }
  }

  /// The object at a position of a section; nil outside of the section, and if the object was removed
  /// meanwhile.
  ///
  /// - Throws: The errors of ``list()``.
  public subscript(section: Int, item: Int) -> E? {
    get throws { try list()[section, item].flatMap { try core.box.get($0) } }
  }

  // MARK: - Controls

  /// Stops following commits until ``resume()``; then all that was changed meanwhile is one change.
  public func pause() { core.setPaused(true) }

  /// Follows commits again.
  public func resume() { core.setPaused(false) }

  /// Reads the whole list again, with the values that the conditions of a query have now.
  ///
  /// The difference is delivered as a change. Objects whose place was computed by another order can be
  /// reported as updated.
  ///
  /// - Parameter query: The query.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` for a query that cannot be monitored, as
  ///   ``Query/monitor()``, and the error with which the monitor ended.
  /// - Complexity: O(1); the list is read on a thread of the monitor.
  public func refetch(_ query: Query<E>) throws {
    try core.refetch(try query.monitorQuestion(sections))
  }

  /// Ends the monitor: no subscriber is called after that, and sequences end.
  public func stop() { core.end() }

  // MARK: - Subscribing

  /// Calls a function with the list at first, and then with each change.
  ///
  /// One call is made at a time. Commits that were made before the function can be called are one change.
  /// With a failure, the monitor has ended.
  ///
  /// - Parameters:
  ///   - dispatchQueue: The queue on which the function is called. The main queue needs something that
  ///     runs it: the event loop of an app, or `dispatchMain()`.
  ///   - handler: The function.
  /// - Returns: The subscription; it ends when it is released, and keeps the monitor until then.
  public func subscribe(
    dispatchQueue: DispatchQueue = .main,
    handler: @escaping @Sendable (Result<ListChange<E>, any Error>) -> Void
  ) -> MonitorSubscription {
    let subscriber = core.hub.call(on: dispatchQueue) { result in
      handler(result)
      return true
    }
    return MonitorSubscription { [core] in core.hub.remove(subscriber) }
  }

  /// Calls a function with an object and each change, as long as the object exists.
  ///
  /// The monitor does not keep the object, and forgets the function when the object is released.
  ///
  /// - Parameters:
  ///   - observer: The object.
  ///   - dispatchQueue: As ``subscribe(dispatchQueue:handler:)``.
  ///   - handler: The function.
  public func subscribe<O: AnyObject & Sendable>(
    weakly observer: O, dispatchQueue: DispatchQueue = .main,
    handler: @escaping @Sendable (O, Result<ListChange<E>, any Error>) -> Void
  ) {
    core.hub.call(weakly: observer, on: dispatchQueue, handler)
  }

  /// The list at first, and then each change.
  ///
  /// ```swift
  /// for try await change in monitor.changes { print(change.list.count) }
  /// ```
  ///
  /// A task that iterates slowly gets several commits as one change. The sequence ends with the task or
  /// with the monitor, and throws the error with which the monitor ends. Each sequence is for one task.
  public var changes: AsyncThrowingStream<ListChange<E>, any Error> {
    core.hub.sequence(keeping: core)
  }
}

extension ListMonitor: CustomDebugStringConvertible {
  /// The list, or the error with which the monitor ended.
  public var debugDescription: String {
    do {
      return "ListMonitor(\(try list().debugDescription))"
    } catch {
      return "ListMonitor<\(E.self)>(ended: \(error))"
    }
  }
}
