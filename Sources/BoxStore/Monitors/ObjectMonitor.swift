public import Dispatch

/// Follows one object: reports when it is inserted, updated or removed, and which properties have changed.
///
/// ```swift
/// let monitor = try books.monitor(book.id)
/// for try await event in monitor.changes {
///   if case .updated(let names) = event { print(names) }
/// }
/// ```
///
/// The monitor follows the commits of this process, and with ``HeardCommits`` the commits of other processes.
/// It ends with ``stop()``, when it is released with all of its subscriptions, when the store is closed, or
/// with the error with which the object cannot be read.
public final class ObjectMonitor<E: EntityInspectable & __EntityRelatable>: Sendable
where E == E.EntityBindingType.EntityType {
  /// The entity type.
  public typealias EntityType = E

  /// The id of the object.
  public let id: EntityId<E>
  let core: ObjectMonitorCore<E>

  init(_ box: Box<E>, _ id: EntityId<E>) throws {
    self.id = id
    core = try ObjectMonitorCore(box, id.value)
  }

  /// The object as it is in the store; nil if it does not exist.
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: O(log *n*).
  public func object() throws -> sending E? { try core.box.get(id) }

  /// Ends the monitor: no subscriber is called after that, and sequences end.
  public func stop() { core.end() }

  // MARK: - Subscribing

  /// Calls a function with each change.
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
    handler: @escaping @Sendable (Result<ObjectEvent, any Error>) -> Void
  ) -> MonitorSubscription {
    let subscriber = core.hub.call(on: dispatchQueue) { result in
      handler(result)
      return true
    }
    return MonitorSubscription { [core] in core.hub.remove(subscriber) }
  }

  /// Calls a function with an object and each change, as long as that object exists.
  ///
  /// The monitor does not keep the object, and forgets the function when the object is released.
  ///
  /// - Parameters:
  ///   - observer: The object.
  ///   - dispatchQueue: As ``subscribe(dispatchQueue:handler:)``.
  ///   - handler: The function.
  public func subscribe<O: AnyObject & Sendable>(
    weakly observer: O, dispatchQueue: DispatchQueue = .main,
    handler: @escaping @Sendable (O, Result<ObjectEvent, any Error>) -> Void
  ) {
    core.hub.call(weakly: observer, on: dispatchQueue, handler)
  }

  /// The changes from now on.
  ///
  /// A task that iterates slowly gets several commits as one change. The sequence ends with the task or
  /// with the monitor, and throws the error with which the monitor ends. Each sequence is for one task.
  public var changes: AsyncThrowingStream<ObjectEvent, any Error> {
    core.hub.sequence(keeping: core)
  }
}

extension ObjectMonitor: CustomDebugStringConvertible {
  /// The type and the id of the object.
  public var debugDescription: String { "ObjectMonitor<\(E.self)>(\(id))" }
}

extension Box {
  /// A monitor of an object, which need not exist.
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: O(log *n*).
  public func monitor(_ id: EntityId<E>) throws -> ObjectMonitor<E> { try ObjectMonitor(self, id) }

  /// A monitor of an object, which need not exist.
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: O(log *n*).
  public func monitor<I: UntypedIdBase>(_ id: I) throws -> ObjectMonitor<E> {
    try monitor(EntityId<E>(id.value))
  }
}
