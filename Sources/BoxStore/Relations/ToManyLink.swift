internal import BoxEngine
internal import BoxStorage

/// The way in which the targets of a to-many relation are noted in a store.
@usableFromInline enum ToManyKind: Hashable, Sendable {
  /// The targets of a standalone relation.
  case relation(obx_schema_id)
  /// The sources of a standalone relation.
  case backlink(obx_schema_id)
  /// The objects whose to-one relation has the object as its target.
  case toOne(obx_schema_id)
}

/// The place of a to-many relation: the store, the object that has it, and where its targets are noted.
@usableFromInline struct ToManyPlace: Sendable {
  /// The number of the store.
  var store: UInt32
  var kind: ToManyKind
  /// The id of the object that has the relation.
  var owner: Id
}

extension ToManyPlace {
  /// A store and a kind in four bytes: the number of the store in 16 bits, the id in 14, and the kind from 1
  /// on in 2; 0 if a number is too large, and for none.
  @usableFromInline typealias Code = UInt32

  @inlinable @inline(__always) static func code(_ kind: ToManyKind, _ store: UInt32) -> Code {
    let (id, kind): (obx_schema_id, UInt32) =
      switch kind {
      case .relation(let id): (id, 1)
      case .backlink(let id): (id, 2)
      case .toOne(let id): (id, 3)
      }
    return store < 1 << 16 && id < 1 << 14 ? store << 16 | id << 2 | kind : 0
  }

  var code: Code { Self.code(kind, store) }

  /// The place of a code; nil for 0.
  init?(_ code: Code, _ owner: Id) {
    let id = code >> 2 & (1 << 14 - 1)
    switch code & 3 {
    case 1: kind = .relation(id)
    case 2: kind = .backlink(id)
    case 3: kind = .toOne(id)
    default: return nil
    }
    store = code >> 16
    self.owner = owner
  }
}

/// The place of a to-many relation in an open store.
struct ToManyLink<S: EntityInspectable & __EntityRelatable>
where S == S.EntityBindingType.EntityType {
  var store: StoreCore
  var place: ToManyPlace
  private var kind: ToManyKind { place.kind }
  /// The id of the object that has the relation.
  var owner: Id { place.owner }

  init(store: StoreCore, kind: ToManyKind, owner: Id) {
    self.store = store
    place = ToManyPlace(store: store.number, kind: kind, owner: owner)
  }

  /// The place in its store.
  ///
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` if the store is closed, and nobody has it.
  init(_ place: ToManyPlace) throws {
    store = try StoreNumbers.requireCore(place.store)
    self.place = place
  }

  /// The box of the targets, which is looked up when it is used: most relations that are read never are.
  var box: Box<S> { store.box(for: S.self) }

  /// The property of a to-one relation.
  private func property(_ id: obx_schema_id) throws -> PropertySchema {
    let box = box
    guard let property = box.core.schema.property(withID: id) else {
      throw ObjectBoxError.schema(
        message:
          "\(box.core.schema.name) has no property with id \(id), which a backlink refers to; "
          + "generate the bindings again with the model of the store")
    }
    return property
  }

  /// The entity of the object that has the relation.
  func ownerEntity() throws -> EntitySchema? {
    let engine = store.engine
    switch kind {
    case .relation(let id): return engine.entity(store.relation(id).source)
    case .backlink(let id): return engine.entity(store.relation(id).target)
    case .toOne(let id): return try property(id).target.flatMap { engine.entity($0) }
    }
  }

  // MARK: - Reading

  /// The ids of the targets, in order.
  func ids(_ transaction: EngineTransaction) throws -> [Id] {
    let box = box
    switch kind {
    case .relation(let id):
      return try transaction.targets(store.relation(id), of: owner)
    case .backlink(let id):
      return try transaction.sources(store.relation(id), of: owner)
    case .toOne(let id):
      let property = try property(id)
      if property.index != nil {
        return try transaction.sources(box.core.schema, property, of: owner)
      }
      var ids: [Id] = []
      try transaction.visit(box.core.schema) { id, record in
        if record.integerBits(property.slot) == owner { ids.append(id) }
        return .next
      }
      return ids
    }
  }

  /// The targets, in the order of their ids; an id without an object is left out.
  func load() throws -> [S] {
    let box = box
    return try store.reading { transaction in
      Array(try box.read(.ids(try ids(transaction))))
    }
  }

  // MARK: - Writing

  /// Writes changes; new objects are put.
  ///
  /// - Returns: The id of each added object, in order.
  func write(added: [S], removed: [S]) throws -> [Id] {
    try box.inContext(.savepoint) { context in
      let ids =
        switch kind {
        case .relation(let id):
          try change(store.relation(id), added, removed, context) { (owner, $0) }
        case .backlink(let id):
          try change(store.relation(id), added, removed, context) { ($0, owner) }
        case .toOne(let id):
          try move(try property(id), added, removed, context)
        }
      try context.runDeferred()
      return ids
    }
  }

  private func change(
    _ relation: RelationSchema, _ added: [S], _ removed: [S], _ context: PutContext,
    _ ends: (Id) -> (source: Id, target: Id)
  ) throws -> [Id] {
    let box = box
    for object in removed {
      let (source, target) = ends(box.binding.entityId(of: object))
      try context.transaction.unlink(relation, source, target)
    }
    return try added.map { object in
      let given = box.binding.entityId(of: object)
      let isMissing = given == 0 || context.transaction.isUndone(box.core.schema, given)
      let id = isMissing ? try box.putOnce(object, .put, context) : given
      // It can be one that another one of these has led to.
      try context.runPostponed()
      let (source, target) = ends(id)
      if box.core.replacesOthers && !isMissing {
        try context.noteTarget(given, of: box.core.schema.position)
      }
      do throws(StoreError) {
        try context.transaction.link(relation, source, target)
      } catch {
        try context.requireNoneReplaced(of: box.core.schema)
        if !isMissing { try context.requireNotReplaced(box.core.schema, given, error) }
        throw error
      }
      return id
    }
  }

  /// Changes the to-one relations of objects, and puts them.
  private func move(
    _ property: PropertySchema, _ added: [S], _ removed: [S], _ context: PutContext
  ) throws -> [Id] {
    let box = box
    for object in added {
      let before = try box.target(of: property, in: object, context)
      try requireNoOtherTarget(than: before, property, object, context)
      lead(object, property, from: before, to: owner, context)
    }
    for object in removed {
      // One that was removed from the store meanwhile stays removed, and one that leads elsewhere by now stays there.
      let id = box.binding.entityId(of: object)
      guard
        try context.transaction.get(box.core.schema, id, { $0.integerBits(property.slot) }) == owner
      else { continue }
      let before = try box.target(of: property, in: object, context)
      lead(object, property, from: before, to: 0, context)
      try putMoved(object, property, nil, context)
    }
    return try added.map { try putMoved($0, property, owner, context) }
  }

  /// Sets the relation to one of an object until the write is undone; 0 for no target.
  private func lead(
    _ object: S, _ property: PropertySchema, from before: RelationTarget?, to id: Id,
    _ context: PutContext
  ) {
    let binding = box.binding
    binding.setToOneRelation(property.id, of: object, to: id == 0 ? nil : id)
    let restore =
      before?.restore ?? { _ in binding.setToOneRelation(property.id, of: object, to: nil) }
    context.transaction.onUndo(.call { restore(id) })
  }

  /// Requires that the relation to one of an object that is added does not lead elsewhere, as it was set.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)``.
  private func requireNoOtherTarget(
    than before: RelationTarget?, _ property: PropertySchema, _ object: S, _ context: PutContext
  ) throws {
    let box = box
    guard let set = before else { return }
    if set.id == 0 && !set.isSet { return }
    let target = set.object.flatMap { context.id(of: $0) } ?? set.id
    if target == owner { return }
    let id = box.binding.entityId(of: object)
    let isStored = id != 0 && !context.inserted(box.core.schema, id)
    // One that is stored moves; what it had read may be older than the store.
    if isStored && !set.isSet { return }
    if isStored, target != 0,
      try context.transaction.get(box.core.schema, id, { $0.integerBits(property.slot) }) == target
    {
      return
    }
    // The put in progress has written one that it has met, and compares that.
    if box.isClass, context.id(of: object as AnyObject) != nil { return }
    throw twoTargets(property, target == 0 ? "a new object" : "\(target)")
  }

  private func twoTargets(_ property: PropertySchema, _ other: String) -> ObjectBoxError {
    .illegalArgument(
      message:
        "\(box.core.schema.name).\(property.name) refers to \(other) and, by a to-many relation of "
        + "\(owner), to that; in one put, change one of them")
  }

  /// Puts an object whose to-one relation was changed, unless the put in progress has written it like that.
  @discardableResult
  private func putMoved(
    _ object: S, _ property: PropertySchema, _ target: Id?, _ context: PutContext
  ) throws -> Id {
    let box = box
    guard box.isClass, let id = context.id(of: object as AnyObject) else {
      return try box.putOnce(object, .put, context)
    }
    try context.runPostponed()
    // The put in progress has written it, perhaps with another target.
    let stored = try context.transaction.get(box.core.schema, id) {
      $0.integerBits(property.slot) ?? 0
    }
    if stored == target ?? 0 { return id }
    if target != nil, let stored, stored != 0 { throw twoTargets(property, "\(stored)") }
    try box.putAgain(object, context)
    return id
  }
}
