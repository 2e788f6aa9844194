internal import BoxEngine

/// The target of a relation, once it is known.
///
/// A separate object, so that a relation of any type has the same small fields, and is created and released
/// without its target's type. Of a million objects with a relation, few are followed.
@usableFromInline final class KnownTarget<T> {
  let target: T

  init(_ target: T) { self.target = target }
}

/// A relation to one object, which is read when it is first asked for.
///
/// ```swift
/// final class Order: Entity {
///   var id: Id = 0
///   var customer: ToOne<Customer> = nil
/// }
///
/// order.customer.target = Customer(name: "Ada")
/// try orders.put(order)  // puts the customer too, as it is new
/// ```
///
/// A change of the relation is stored when the object that has it is put. A target that is stored
/// already is not put with it. A new target that is a struct is put at each relation that has it, as
/// structs have no identity. Nothing removes a target.
///
/// Several threads can use a relation; whether they can use its target depends on the type of that.
public final class ToOne<T: EntityInspectable & __EntityRelatable>: ExpressibleByNilLiteral
where T == T.EntityBindingType.EntityType {
  /// The target type.
  public typealias Target = T

  // Ordered to avoid padding: 40 bytes including the object header, which malloc rounds to 48. Another field
  // would take it to 64.
  /// The id, where the target is not known or was read by it; 0 for none.
  @usableFromInline @safe @exclusivity(unchecked) var id: Id = 0
  @usableFromInline @safe @exclusivity(unchecked) var known: KnownTarget<T>?
  /// The number of the store; 0 for none.
  @usableFromInline @safe @exclusivity(unchecked) var store: UInt32 = 0
  private let lock = RelationLock()
  private var cached: T? {
    get { known?.target }
    set { known = newValue.map { KnownTarget($0) } }
  }

  /// Creates a relation without a target.
  public required init(nilLiteral: ()) {}

  deinit { if known != nil { BoundedRelease.release(&known) } }

  /// Creates a relation to an object, which may be new; nil for none.
  public required init(_ entity: T?) { cached = entity }

  /// Creates a relation to an object, which may be new; nil for none.
  public convenience init(target: T?) { self.init(target) }

  @usableFromInline
  init(stored id: Id, in store: Store) {
    self.id = id
    self.store = store.number
  }

  // All of it in the binding, without a call: the check of access to the property is left out then, and a count
  // of references too.

  /// Turns the relation of a new object into the relation of an object that is read; called by generated
  /// bindings.
  ///
  /// - Parameters:
  ///   - id: The id of the target, 0 for none.
  ///   - relation: The relation.
  ///   - store: The store of the object.
  /// - Returns: Whether the relation belongs to the object alone, and has no target. The object needs another
  ///   one else.
  @inlinable @inline(__always) public static func load(
    _ id: EntityId<T>, into relation: inout ToOne<T>, store: Store
  ) -> Bool {
    guard isKnownUniquelyReferenced(&relation), relation.known == nil else { return false }
    relation.id = id.value
    relation.store = store.number
    return true
  }

  // MARK: - The target

  /// Whether there is a target, or the id of one.
  ///
  /// The target of an id can have been removed.
  public var hasValue: Bool { lock.withLock { cached != nil || id != 0 } }

  /// The target object.
  ///
  /// ```swift
  /// book.author.target = Author("Ada")
  /// try books.put(book)  // puts the author too
  /// print(book.author.target?.name ?? "nobody")
  /// ```
  ///
  /// It is read once, in the transaction of the thread or one of its own, and kept. It is nil, and looked
  /// up again the next time, if it was removed, if the relation belongs to an object that was never put,
  /// or if it cannot be read: ``resolve()`` throws the reason, and ``Store/onFailedRead(_:)`` reports it.
  ///
  /// - Complexity: O(log *n*) when it is read.
  public var target: T? {
    get {
      do { return try resolve() } catch {
        let (id, store) = lock.withLock { (currentID, self.store) }
        StoreNumbers.core(store)?.reportFailedRead(
          "the \(T.entityInfo.entityName) \(id) of a relation to one", error)
        return nil
      }
    }
    set {
      lock.withLock {
        cached = newValue
        id = 0
      }
    }
  }

  /// The id of the target; nil without one, and for a target that was not put yet.
  ///
  /// Setting it forgets a target of another id.
  public var targetId: EntityId<T>? {
    get {
      let id = lock.withLock { currentID }
      return id == 0 ? nil : EntityId(id)
    }
    set {
      lock.withLock {
        let new = newValue?.value ?? 0
        if cached == nil || currentID != new || new == 0 {
          cached = nil
          id = new
        }
      }
    }
  }

  /// The id of the target as it is now: an object can have been put since it was set.
  private var currentID: Id { cached.map { T.entityBinding.entityId(of: $0) } ?? id }

  /// The target, as ``target``.
  ///
  /// - Throws: ``ObjectBoxError`` if it cannot be read.
  /// - Complexity: O(log *n*) if it is read, and O(1) later.
  public func resolve() throws -> T? {
    let (known, id, store) = lock.withLock { (self.cached, self.id, self.store) }
    if let known { return known }
    guard id != 0, store != 0 else { return nil }
    // Read without the lock: its holder must not wait for a transaction.
    let box = try StoreNumbers.requireCore(store).box(for: T.self)
    guard let found = try box.get(EntityId<T>(id)) else { return nil }
    return lock.withLock { () -> T? in
      if let known = cached { return known }
      if self.id == id { cached = found }
      return found
    }
  }

  /// Ties the relation to a store, so that its target can be read.
  public func attach(to box: Box<T>) {
    lock.withLock { store = box.storeCore.number }
  }

  /// Ties the relation to a store, as ``attach(to:)-(Box<T>)``; generated bindings do.
  public func attach(to store: Store) {
    lock.withLock { self.store = store.number }
  }

  /// Forgets the target that was read, and keeps its id; it is read again when it is asked for.
  ///
  /// A target that was set and not put is lost.
  public func reset() {
    lock.withLock {
      id = currentID
      cached = nil
    }
  }

  // MARK: - Putting

  /// The target that a put would store now.
  var setTarget: RelationTarget {
    lock.withLock { () -> RelationTarget in
      let (known, id, store) = (known, id, store)
      let object = T.self is AnyObject.Type ? cached.map { $0 as AnyObject } : nil
      return RelationTarget(id: currentID, object: object, isSet: cached != nil && id == 0) {
        [self] now in
        lock.withLock {
          if currentID == now { (self.known, self.id, self.store) = (known, id, store) }
        }
      }
    }
  }

  /// The id to store, 0 for none, and whether the relation has the target itself; a new target is put now.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` for an id of another store, ``UnstoredTarget`` if a
  ///   target would have to be put and `putsTargets` is false, and as `Box.put(_:mode:)`.
  func idForPut(
    in store: Store, _ context: PutContext?, putsTargets: Bool = true
  ) throws -> (id: Id, isObject: Bool) {
    let number = store.core.number
    // Bindings of ObjectBox's generator tie no relation that an object was given after it was put.
    let (target, id, isOther) = lock.withLock { () -> (T?, Id, Bool) in
      let isOther = self.id != 0 && self.store != 0 && self.store != number
      if !isOther { self.store = number }
      return (self.cached, self.id, isOther)
    }
    // One that was set afterwards has no id here.
    if isOther {
      throw ObjectBoxError.illegalArgument(
        message: "the \(T.entityInfo.entityName) \(id) of a relation to one is of another store; "
          + "set the target in this one")
    }
    guard let target else { return (id, false) }
    return (try idForPut(of: target, in: store, context, putsTargets), true)
  }

  private func idForPut(
    of target: T, in store: Store, _ context: PutContext?, _ putsTargets: Bool
  ) throws -> Id {
    let current = T.entityBinding.entityId(of: target)
    let engine = store.core.engine
    // One whose transaction was undone is not stored, although it has its id.
    if current != 0 && !engine.hasUndoneIDs { return current }
    let box = store.core.box(for: T.self)
    if current != 0 && !engine.isUndone(box.core.schema, current) { return current }
    if !putsTargets { throw UnstoredTarget() }
    func put() throws -> Id {
      if box.isClass { return try box.put(target).value }
      // A struct that is put has another value than the one that was set.
      var stored = target
      let id = try box.put(&stored).value
      let with = stored
      lock.withLock { cached = with }
      context?.transaction.onUndo(
        .call(inPart: true) { [self] in lock.withLock { cached = target } })
      return id
    }
    guard let transaction = engine.currentTransaction else { return try put() }
    return try transaction.interruptingCoding(put)
  }
}

/// The error of a look at values that puts nothing, where the target of a to-one relation would have to be put.
struct UnstoredTarget: Error {}

extension ToOne: CustomStringConvertible {
  /// The id of the target.
  public var description: String {
    targetId.map { "ToOne<\(T.self)>(\($0))" } ?? (hasValue ? "ToOne<\(T.self)>(new)" : "nil")
  }
}

extension ToOne: CustomDebugStringConvertible {
  /// The id of the target.
  public var debugDescription: String { description }
}
