internal import BoxEngine
internal import BoxModel
internal import BoxStorage
internal import Synchronization

#if Vectors
  internal import BoxVector
#endif

/// An open store, shared by its handles, boxes and relations.
///
/// It is closed with the last handle; boxes and relations that live on find it closed.
final class StoreCore: Sendable {
  let engine: ObjectStore
  /// The path or `memory:` name that the store was opened with.
  let directoryPath: String
  /// The number by which relations know the store.
  let number = StoreNumbers.next()
  /// Those who use the store; nil except for tests.
  let holders: OpenHolders?

  private struct State: Sendable {
    /// The number of handles that are open.
    var handles = 0
    var isClosed = false
    var boxes: [ObjectIdentifier: any AnyObject & Sendable] = [:]
    var entities: [UInt32: __EntityCore] = [:]
    var attached: [String: Attached] = [:]
    var asyncFailure: (@Sendable (ObjectBoxError) -> Void)?
    var failedRead: (@Sendable (ObjectBoxError, String) -> Void)?
    var logger: (any StoreLogger)?
    var hasFailedAsync = false
    var closing = ClosingNotices()
  }

  /// An object of the application, which knows whether it can be used from several threads.
  private struct Attached: @unchecked Sendable {
    var object: AnyObject
  }

  private let state = Mutex(State())
  #if Vectors
    /// The graphs of its vector indexes; nil if the model has none.
    private let graphs: VectorGraphs?
    /// Updates the graphs after commits of other processes, if the store hears of them.
    private let graphHearing: Observation?
  #endif

  init(_ engine: ObjectStore, directoryPath: String, holders: OpenHolders? = nil) {
    self.engine = engine
    self.directoryPath = directoryPath
    self.holders = holders
    #if Vectors
      graphs = VectorGraphs.attach(to: engine)
      // Without a place for a reader they compare vectors after such a commit, as they do where none is heard.
      graphHearing = graphs == nil ? nil : try? engine.keepHearing()
    #endif
    StoreNumbers.add(self)
  }

  deinit { StoreNumbers.remove(number) }

  // MARK: - Handles

  /// Counts a new handle.
  func addHandle() { state.withLock { $0.handles += 1 } }

  /// Ends a handle; the last one closes the store.
  func removeHandle() {
    let isLast = state.withLock { state in
      state.handles -= 1
      return state.handles == 0
    }
    if isLast { close() }
  }

  /// Closes the store for all handles, when what was handed over to it is stored.
  func close() {
    if !engine.isClosed { engine.finishSubmissions() }
    let (wasOpen, released) = state.withLock { state in
      defer {
        state.isClosed = true
        state.boxes = [:]
        state.attached = [:]
      }
      // Released after the lock: an object of the application can use the store at its end.
      return (!state.isClosed, (state.boxes, state.attached, state.closing.removeAll()))
    }
    #if Vectors
      graphs?.close()
    #endif
    engine.close()
    StoreRegistry.remove(self)
    StoreNumbers.close(self)
    for body in released.2 { body() }
    withExtendedLifetime(released) {}
    if wasOpen { log(.notice, "the store in \(directoryPath) was closed") }
  }

  /// Whether the store was closed.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Calls a function when the store is closed; never if it is closed already.
  ///
  /// - Returns: The registration; it ends when it is released.
  func whenClosed(_ body: @escaping @Sendable () -> Void) -> ClosingNotice {
    let number = state.withLock { $0.isClosed ? nil : $0.closing.add(body) }
    return ClosingNotice { [weak self] in
      // Released after the lock.
      _ = number.flatMap { number in self?.state.withLock { $0.closing.remove(number) } }
    }
  }

  // MARK: - Entities and boxes

  /// The box of an entity type: the same one until the store is closed.
  func box<E>(for type: E.Type) -> Box<E> {
    let key = ObjectIdentifier(type)
    if let known = state.withLock({ $0.boxes[key] }) {
      return unsafe unsafeDowncast(known, to: Box<E>.self)
    }
    let box = Box<E>(self, entity(E.entityInfo, E.self))
    return state.withLock { state in
      if let known = state.boxes[key] { return unsafe unsafeDowncast(known, to: Box<E>.self) }
      if !state.isClosed { state.boxes[key] = box }
      return box
    }
  }

  /// The entity that a type names; traps if the model lacks it.
  private func entity(_ info: EntityInfo, _ type: (some EntityInspectable).Type) -> __EntityCore {
    if let known = state.withLock({ $0.entities[info.entitySchemaId] }) { return known }
    BindingVersion.require(type)
    guard let entity = engine.entity(info) else {
      fatalError(
        "the model of the store in \(directoryPath) has no entity \(info.entityName) "
          + "with id \(info.entitySchemaId). "
          + "Open the store with the model of the target that declares \(type): "
          + "`Store(directoryPath:)` of that target, or `Store(model:directory:)`. "
          + "If the type is new, generate the bindings again and build.")
    }
    let core = __EntityCore(entity, in: engine)
    state.withLock { $0.entities[info.entitySchemaId] = core }
    return core
  }

  /// The relation with an id; traps if the model does not have it.
  func relation(_ id: UInt32) -> RelationSchema {
    for entity in engine.model.entities {
      guard let relation = entity.relations?.first(where: { $0.pair.id == id }) else { continue }
      let schema = engine.entity(entity.pair.uid)
      if let found = schema?.relations.first(where: { $0.uid == relation.pair.uid }) {
        return found
      }
    }
    fatalError(
      "the model of the store in \(directoryPath) has no to-many relation with id \(id). "
        + "Generate the bindings again with the model of the store.")
  }

  // MARK: - Transactions

  /// Runs a function in a read transaction, or in the transaction of this thread.
  ///
  /// - Throws: ``ObjectBoxError`` for errors of the engine, and the errors of `body`.
  func reading<R>(_ body: (EngineTransaction) throws -> R) throws -> R {
    try ObjectBoxError.wrapping { try engine.read(body) }
  }

  /// Runs one operation in a write transaction of its own, or in the one of this thread, which stays usable
  /// after an error of the operation.
  ///
  /// - Parameters:
  ///   - scope: The way in which a failure is rolled back in a transaction that is open already.
  ///   - body: Called with the transaction.
  /// - Returns: The result of the function.
  /// - Throws: ``ObjectBoxError`` for errors of the engine, and the errors of `body`.
  func writing<R>(
    _ scope: PutScope = .nothing, _ body: (EngineTransaction) throws -> R
  ) throws -> R {
    guard let current = engine.currentTransaction else {
      do {
        return try engine.write { transaction in
          if scope == .savepoint { return try transaction.displacing { try body(transaction) } }
          return try body(transaction)
        }
      } catch {
        throw ObjectBoxError.wrapped(error)
      }
    }
    if current.isCoding { throw ObjectBoxError(StoreError.usedWhileCoding) }
    if !current.isWritable { throw ObjectBoxError(StoreError.readTransaction) }
    do {
      if scope == .savepoint {
        return try current.savepoint { try current.displacing { try body(current) } }
      }
      return try body(current)
    } catch {
      // The storage may have written a part of the operation.
      if case StoreError.storage = error { current.markFailed("\(error)") }
      throw ObjectBoxError.wrapped(error)
    }
  }

  // MARK: - Asynchronous operations

  /// Runs a function in a write transaction on a thread of the store; an error is reported.
  ///
  /// - Parameters:
  ///   - seconds: The time to wait for a place.
  ///   - body: The function.
  ///   - onFailure: Called before the error is reported.
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` if the store is closed, or too much waits.
  func enqueue(
    within seconds: Double, _ body: @escaping @Sendable (EngineTransaction) throws -> Void,
    onFailure: @escaping @Sendable () -> Void = {}
  ) throws {
    try enqueue(within: seconds, body) { [self] error in
      guard let error else { return }
      onFailure()
      failAsync((error as? ObjectBoxError) ?? .unexpected(error: error))
    }
  }

  /// Runs a function in a write transaction on a thread of the store, and calls another one at its end.
  ///
  /// - Parameters:
  ///   - seconds: The time to wait for a place.
  ///   - body: The function.
  ///   - completion: Called with the error of the function or of the commit; nil once the changes are on
  ///     disk.
  /// - Throws: As ``enqueue(within:_:)``.
  func enqueue(
    within seconds: Double = 10, _ body: @escaping @Sendable (EngineTransaction) throws -> Void,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) throws {
    let isQueued = try ObjectBoxError.wrapping {
      try engine.enqueue(within: seconds, body) { error in
        completion((error as? StoreError).map { ObjectBoxError($0) } ?? error)
      }
    }
    if !isQueued {
      throw ObjectBoxError.illegalState(
        message: "too many asynchronous operations wait; put arrays instead of single objects")
    }
  }

  private func failAsync(_ error: ObjectBoxError) {
    let handler = state.withLock { state in
      state.hasFailedAsync = true
      return state.asyncFailure
    }
    handler?(error)
    log(.error, "an asynchronous operation in \(directoryPath) failed: \(error.message)")
  }

  /// Whether an operation failed since this was last asked.
  func takeAsyncFailure() -> Bool {
    state.withLock { state in
      defer { state.hasFailedAsync = false }
      return state.hasFailedAsync
    }
  }

  func setAsyncFailure(_ handler: (@Sendable (ObjectBoxError) -> Void)?) {
    state.withLock { $0.asyncFailure = handler }
  }

  // MARK: - Failed reads

  func setFailedRead(_ handler: (@Sendable (ObjectBoxError, String) -> Void)?) {
    state.withLock { $0.failedRead = handler }
  }

  /// Reports an error that no call can throw.
  func reportFailedRead(_ subject: String, _ error: any Error) {
    let (handler, logger) = state.withLock { ($0.failedRead, $0.logger) }
    if handler == nil && logger == nil { return }
    let known = (error as? ObjectBoxError) ?? .unexpected(error: error)
    let message = "cannot read \(subject) in \(directoryPath): \(known.message)"
    handler?(known, message)
    log(.error, message)
  }

  // MARK: - Messages

  func setLogger(_ logger: (any StoreLogger)?) { state.withLock { $0.logger = logger } }

  /// The logger, which is called outside of the lock.
  var logger: (any StoreLogger)? { state.withLock { $0.logger } }

  // MARK: - Attached objects

  /// The object of a key, made when it is first asked for.
  func attachedObject<T: AnyObject>(_ key: String, _ make: () -> T) -> T {
    if let known = state.withLock({ $0.attached[key] })?.object as? T { return known }
    let made = Attached(object: make())
    let kept = state.withLock { state in
      if let known = state.attached[key], known.object is T { return known }
      if !state.isClosed { state.attached[key] = made }
      return made
    }
    guard let object = kept.object as? T else {
      fatalError("the key \(key) has an object of another type")
    }
    return object
  }
}
