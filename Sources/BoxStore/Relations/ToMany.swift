internal import BoxEngine

/// The objects of a to-many relation that is used.
@usableFromInline final class ToManyContents<S> {
  /// Nil for an object that was not put yet.
  var place: ToManyPlace?
  /// The objects with the changes; nil before they are read.
  var items: [S]?
  /// The objects as they are stored.
  var stored: [S] = []
  /// Counts the changes, so that one made while others are written is not lost.
  var changes = 0
  /// The reason why the objects could not be read when they were first changed.
  var failure: (any Error)?

  init(_ place: ToManyPlace?) { self.place = place }
}

/// A relation to many objects: a collection that is read when it is first used, and then kept.
///
/// ```swift
/// student.teachers.append(teacher)
/// try student.teachers.applyToDb()
/// ```
///
/// There are three kinds: a relation of its own, the same one seen from its targets, and the backlink of
/// a to-one relation. All are read and changed in the same way. The objects come in the order of their
/// ids.
///
/// Changes stay in memory until ``applyToDb()`` writes them, or until a new object that has the relation
/// is put. Only what was added and removed since the relation was read is written. Call ``reset()`` to see
/// changes that were made elsewhere. Changing the relation never removes an object.
///
/// Several threads can use a relation; whether they can use its objects depends on the type of these.
public final class ToMany<S: EntityInspectable & __EntityRelatable>: ExpressibleByNilLiteral
where S == S.EntityBindingType.EntityType {
  /// The target type.
  public typealias ReferencedType = S

  // Ordered to avoid padding: 40 bytes including the object header, which malloc rounds to 48. Another field
  // would take it to 64.
  /// The objects; nil before the relation is used, which it is not in most objects that are read.
  @usableFromInline @safe @exclusivity(unchecked) var contents: ToManyContents<S>?
  /// The owner of a relation that is not used.
  @usableFromInline @safe @exclusivity(unchecked) var owner: Id = 0
  /// The rest of the place of a relation that is not used; 0 for one of an object that was not put yet.
  @usableFromInline @safe @exclusivity(unchecked) var code: ToManyPlace.Code = 0
  private let lock = RelationLock()

  private var place: ToManyPlace? {
    get { if let contents { contents.place } else { ToManyPlace(code, owner) } }
    set {
      if let contents {
        contents.place = newValue
      } else if let newValue {
        (code, owner) = (newValue.code, newValue.owner)
        if code == 0 { contents = ToManyContents(newValue) }
      } else {
        code = 0
      }
    }
  }

  /// Creates an empty relation of an object that was not put yet.
  public required init(nilLiteral: ()) {}

  deinit { if contents != nil { BoundedRelease.release(&contents) } }

  @usableFromInline
  init(_ store: Store, _ kind: ToManyKind, owner: Id) {
    place = ToManyPlace(store: store.number, kind: kind, owner: owner)
  }

  private init(_ link: ToManyLink<S>) { place = link.place }

  private var items: [S]? {
    get { contents?.items }
    set { usedContents.items = newValue }
  }
  private var stored: [S] {
    get { contents?.stored ?? [] }
    set { usedContents.stored = newValue }
  }
  private var changes: Int { contents?.changes ?? 0 }

  private var usedContents: ToManyContents<S> {
    if let contents { return contents }
    let made = ToManyContents<S>(place)
    contents = made
    return made
  }

  // MARK: - For bindings

  /// The backlink of a to-one relation: the objects whose relation has an object as its target.
  public static func backlink<OwningType>(
    sourceBox: Box<S>, sourceProperty: Property<S, EntityId<OwningType>, OwningType>,
    targetId: EntityId<OwningType>
  ) -> ToMany<S> {
    ToMany(
      ToManyLink(
        store: sourceBox.storeCore, kind: .toOne(sourceProperty.propertyId), owner: targetId.value))
  }

  /// A standalone relation of an object.
  public static func relation<OwningType: EntityInspectable>(
    sourceId: EntityId<OwningType>, targetBox: Box<S>, relationId: obx_schema_id
  ) -> ToMany<S> {
    ToMany(
      ToManyLink(store: targetBox.storeCore, kind: .relation(relationId), owner: sourceId.value))
  }

  /// The backlink of a standalone relation: the objects that it leads from to an object.
  public static func backlink<OwningType: EntityInspectable>(
    sourceBox: Box<S>, targetId: EntityId<OwningType>, relationId: obx_schema_id
  ) -> ToMany<S> where OwningType == OwningType.EntityBindingType.EntityType {
    ToMany(
      ToManyLink(store: sourceBox.storeCore, kind: .backlink(relationId), owner: targetId.value))
  }

  /// Ties the standalone relation of an object to the store, after the object was put.
  ///
  /// If the object is new, what was added to the relation is written with it.
  ///
  /// - Throws: As ``applyToDb()``.
  /// - Complexity: O(1), or as ``applyToDb()`` for a new object.
  public func attach<OwningType: EntityInspectable>(
    sourceId: EntityId<OwningType>, targetBox: Box<S>, relationId: obx_schema_id
  ) throws {
    try attach(
      ToManyLink(store: targetBox.storeCore, kind: .relation(relationId), owner: sourceId.value))
  }

  /// Ties the backlink of a to-one relation to the store, as ``attach(sourceId:targetBox:relationId:)``.
  ///
  /// - Throws: As ``applyToDb()``.
  /// - Complexity: O(1), or as ``applyToDb()`` for a new object.
  public func attach<OwningType>(
    targetId: EntityId<OwningType>, sourceBox: Box<S>,
    sourceProperty: Property<S, EntityId<OwningType>, OwningType>
  ) throws {
    try attach(
      ToManyLink(
        store: sourceBox.storeCore, kind: .toOne(sourceProperty.propertyId), owner: targetId.value))
  }

  /// Ties the backlink of a standalone relation to the store, as
  /// ``attach(sourceId:targetBox:relationId:)``.
  ///
  /// - Throws: As ``applyToDb()``.
  /// - Complexity: O(1), or as ``applyToDb()`` for a new object.
  public func attach<OwningType: EntityInspectable>(
    targetId: EntityId<OwningType>, sourceBox: Box<S>, relationId: obx_schema_id
  ) throws {
    try attach(
      ToManyLink(store: sourceBox.storeCore, kind: .backlink(relationId), owner: targetId.value))
  }

  func attach(_ link: ToManyLink<S>) throws {
    let context = currentPut(link)
    if context == nil, let search = UnwrittenRelations.current, hasPendingDbChanges {
      return search.markFound()
    }
    let (isTouched, before) = lock.withLock {
      defer { place = link.place }
      return (items != nil, place)
    }
    // An object whose put is undone is new again, or has to be put again.
    link.store.engine.currentTransaction?.onUndo(
      .call { [self] in lock.withLock { place = before } })
    guard isTouched, let context, let owner = try link.ownerEntity(),
      context.inserted(owner, link.owner)
    else { return }
    context.whenWritten { [self] in try writeChanges(link) }
  }

  private func currentPut(_ link: ToManyLink<S>) -> PutContext? {
    TransactionState.put(in: link.store.engine.currentTransaction)
  }

  // MARK: - State

  /// Whether the objects were read, so that nothing that uses them reads from the store.
  public var resolved: Bool { lock.withLock { items != nil } }

  /// Whether ``applyToDb()`` would write anything.
  ///
  /// - Complexity: O(*n*) if the relation was changed.
  public var hasPendingDbChanges: Bool {
    let difference = lock.withLock { self.difference() }
    return !difference.added.isEmpty || !difference.removed.isEmpty
  }

  /// Whether the relation belongs to an object that was put or read, so that it can be written.
  public var canInteractWithDb: Bool { lock.withLock { place != nil } }

  /// Forgets the objects and all changes; the objects are read again when they are asked for.
  ///
  /// ```swift
  /// author.books.reset()
  /// print(author.books.count)  // read again
  /// ```
  public func reset() {
    lock.withLock {
      guard let contents else { return }
      contents.items = nil
      contents.stored = []
      contents.failure = nil
      contents.changes += 1
    }
  }

  // MARK: - Reading

  /// The objects, which are read at the first use.
  ///
  /// Empty if they cannot be read, which ``Store/onFailedRead(_:)`` reports.
  var elements: [S] {
    if let known = lock.withLock({ items }) { return known }
    do { try resolveFromDb() } catch {
      let store = lock.withLock { place?.store }
      store.flatMap { StoreNumbers.core($0) }?.reportFailedRead(
        "a relation to many \(S.entityInfo.entityName) objects", error)
    }
    return lock.withLock { items ?? [] }
  }

  /// Reads the objects, unless they were read before.
  ///
  /// - Throws: ``ObjectBoxError`` if they cannot be read.
  /// - Complexity: O(log *n*) for each object.
  public func resolveFromDb() throws {
    guard let place = lock.withLock({ items == nil ? place : nil }) else { return }
    // Read without the lock: its holder must not wait for a transaction.
    let loaded = try ToManyLink<S>(place).load()
    lock.withLock {
      if items == nil {
        items = loaded
        stored = loaded
      }
    }
  }

  /// The objects as they are stored now; the relation and its changes stay as they are.
  ///
  /// - Throws: ``ObjectBoxError/cannotRelateToUnsavedEntities(message:)`` if the object was not put yet,
  ///   and ``ObjectBoxError`` if they cannot be read.
  /// - Complexity: O(log *n*) for each object.
  public func getUncachedFromDb() throws -> [S] { try requireLink().load() }

  /// The ids of the objects as they are stored now, in order.
  ///
  /// - Throws: As ``getUncachedFromDb()``.
  /// - Complexity: O(log *n*), and O(1) for each object.
  public func getUncachedIdsFromDb() throws -> [S.EntityBindingType.IdType] {
    let link = try requireLink()
    return try link.store.reading { transaction in
      try link.ids(transaction).map { S.EntityBindingType.IdType($0) }
    }
  }

  private func requireLink() throws -> ToManyLink<S> {
    guard let place = lock.withLock({ place }) else {
      throw ObjectBoxError.cannotRelateToUnsavedEntities(
        message:
          "a to-many relation to \(S.entityInfo.entityName) belongs to an object that was not "
          + "put yet; put the object first")
    }
    return try ToManyLink(place)
  }

  // MARK: - Changing

  /// Changes the objects in memory.
  ///
  /// - Complexity: O(1) beside the function, and once O(*n*) after the objects were read or written.
  func change<R>(_ body: (inout [S]) -> R) -> R {
    var reason: (any Error)?
    do { try resolveFromDb() } catch { reason = error }
    return lock.withLock {
      let contents = usedContents
      if contents.items == nil { contents.failure = reason }
      // Taken out, so that it is changed where it is.
      var items = contents.items ?? []
      contents.items = nil
      defer {
        contents.items = items
        contents.changes += 1
      }
      return body(&items)
    }
  }

  /// The objects that were added and removed since the relation was read or written, each once.
  private func difference() -> (added: [S], positions: [Int], removed: [S]) {
    guard let items else { return ([], [], []) }
    let binding = S.entityBinding
    let before = Set(stored.map { binding.entityId(of: $0) })
    var now: Set<Id> = []
    var objects: Set<ObjectIdentifier> = []
    var added: [S] = []
    var positions: [Int] = []
    for (position, item) in items.enumerated() {
      let id = binding.entityId(of: item)
      let isFirst =
        id != 0
        ? now.insert(id).inserted
        : !(S.self is AnyObject.Type)
          || objects.insert(ObjectIdentifier(item as AnyObject)).inserted
      if isFirst && !before.contains(id) {
        added.append(item)
        positions.append(position)
      }
    }
    var removed: [S] = []
    for item in stored {
      let id = binding.entityId(of: item)
      if id != 0 && now.insert(id).inserted { removed.append(item) }
    }
    return (added, positions, removed)
  }

  /// Writes what was added and removed, in one transaction.
  ///
  /// ```swift
  /// book.related.append(other)
  /// try book.related.applyToDb()
  /// ```
  ///
  /// New objects are put. The backlink of a to-one relation sets that relation in the objects that were
  /// added, takes it from those that were removed, and puts both. Without changes it does nothing, also if the
  /// object that has the relation was not put yet.
  ///
  /// - Throws: ``ObjectBoxError/cannotRelateToUnsavedEntities(message:)`` if there are changes, and the object
  ///   was not put yet, ``ObjectBoxError/notFound(message:)`` if it or a target was removed, and the errors
  ///   of `Box.put(_:mode:)`. The changes stay pending then.
  /// - Complexity: O(*n*) in the objects, and O(log *n*) in the store for each change.
  public func applyToDb() throws {
    if !canInteractWithDb && !hasPendingDbChanges { return }
    if let search = UnwrittenRelations.current {
      if hasPendingDbChanges { search.markFound() }
      return
    }
    let link = try requireLink()
    if let context = currentPut(link) {
      context.whenWritten { [self] in try writeChanges(link) }
    } else {
      try writeChanges(link)
    }
  }

  private func writeChanges(_ link: ToManyLink<S>) throws {
    let (difference, count) = try lock.withLock {
      if let failure = contents?.failure { throw failure }
      return (self.difference(), changes)
    }
    if difference.added.isEmpty && difference.removed.isEmpty { return }
    pendAgainIfUndone(link)
    let ids = try link.write(added: difference.added, removed: difference.removed)
    let box = link.box
    lock.withLock {
      if !box.isClass && changes == count { setIDs(ids, at: difference.positions, box) }
      // A change that another thread made meanwhile stays pending.
      if changes == count {
        stored = items ?? []
      } else {
        let gone = Set(difference.removed.map { box.binding.entityId(of: $0) })
        stored = stored.filter { !gone.contains(box.binding.entityId(of: $0)) }
        stored += difference.added
      }
    }
  }

  /// Makes the changes pending again if the transaction is undone in which they are written.
  private func pendAgainIfUndone(_ link: ToManyLink<S>) {
    guard let transaction = link.store.engine.currentTransaction else { return }
    let before = lock.withLock { (items: items, stored: stored, changes: changes) }
    transaction.onUndo(
      .call { [self] in
        lock.withLock {
          if items == nil { return }
          stored = before.stored
          // Structs that were put have ids; those that were set have none.
          if !link.box.isClass && changes == before.changes { items = before.items }
        }
      })
  }

  /// Gives new structs their ids.
  private func setIDs(_ ids: [Id], at positions: [Int], _ box: Box<S>) {
    for (position, id) in zip(positions, ids) {
      guard var item = items?[position] else { continue }
      box.binding.setStructEntityId(of: &item, to: id)
      items?[position] = item
    }
  }
}
