// Functions that generated bindings call when an object is read or was put. Bindings pass the store, so that no
// box is looked up for a relation that is never used.
extension ToMany {
  // MARK: - Of a struct

  /// A standalone relation of an object that is read.
  @inlinable public static func relation<OwningType: EntityInspectable>(
    sourceId: EntityId<OwningType>, store: Store, relationId: obx_schema_id
  ) -> ToMany<S> {
    ToMany(store, .relation(relationId), owner: sourceId.value)
  }

  /// The backlink of a to-one relation, of an object that is read.
  @inlinable public static func backlink<OwningType>(
    store: Store, sourceProperty: Property<S, EntityId<OwningType>, OwningType>,
    targetId: EntityId<OwningType>
  ) -> ToMany<S> {
    ToMany(store, .toOne(sourceProperty.propertyId), owner: targetId.value)
  }

  /// The backlink of a standalone relation, of an object that is read.
  @inlinable public static func backlink<OwningType: EntityInspectable>(
    store: Store, targetId: EntityId<OwningType>, relationId: obx_schema_id
  ) -> ToMany<S> {
    ToMany(store, .backlink(relationId), owner: targetId.value)
  }

  // MARK: - Of a class

  /// Makes the relation that a new object has the standalone relation of an object that is read.
  ///
  /// - Returns: Whether the relation belongs to the object alone, and is not used. The object needs another one
  ///   else.
  @inlinable @inline(__always) public static func relation<OwningType: EntityInspectable>(
    loading relation: inout ToMany<S>, sourceId: EntityId<OwningType>, store: Store,
    relationId: obx_schema_id
  ) -> Bool {
    load(&relation, store, .relation(relationId), owner: sourceId.value)
  }

  /// Makes the relation that a new object has the backlink of a to-one relation, as
  /// ``relation(loading:sourceId:store:relationId:)``.
  ///
  /// - Returns: Whether the relation belongs to the object alone, and is not used.
  @inlinable @inline(__always) public static func backlink<OwningType>(
    loading relation: inout ToMany<S>, store: Store,
    sourceProperty: Property<S, EntityId<OwningType>, OwningType>, targetId: EntityId<OwningType>
  ) -> Bool {
    load(&relation, store, .toOne(sourceProperty.propertyId), owner: targetId.value)
  }

  /// Makes the relation that a new object has the backlink of a standalone relation, as
  /// ``relation(loading:sourceId:store:relationId:)``.
  ///
  /// - Returns: Whether the relation belongs to the object alone, and is not used.
  @inlinable @inline(__always) public static func backlink<OwningType: EntityInspectable>(
    loading relation: inout ToMany<S>, store: Store, targetId: EntityId<OwningType>,
    relationId: obx_schema_id
  ) -> Bool {
    load(&relation, store, .backlink(relationId), owner: targetId.value)
  }

  // All of it in the binding, without a call, as in `ToOne.load(_:into:store:)`.
  @inlinable @inline(__always)
  static func load(
    _ relation: inout ToMany<S>, _ store: Store, _ kind: ToManyKind, owner: Id
  ) -> Bool {
    let code = ToManyPlace.code(kind, store.number)
    guard isKnownUniquelyReferenced(&relation), relation.contents == nil, code != 0 else {
      return false
    }
    relation.owner = owner
    relation.code = code
    return true
  }

  /// Makes the relation that a new object has its standalone relation, or gives it another one if that is
  /// used elsewhere too.
  @inlinable public static func relation<OwningType: EntityInspectable>(
    into relation: inout ToMany<S>, sourceId: EntityId<OwningType>, store: Store,
    relationId: obx_schema_id
  ) {
    if load(&relation, store, .relation(relationId), owner: sourceId.value) { return }
    relation = .relation(sourceId: sourceId, store: store, relationId: relationId)
  }

  /// Makes the relation that a new object has the backlink of a to-one relation, as
  /// ``relation(into:sourceId:store:relationId:)``.
  @inlinable public static func backlink<OwningType>(
    into relation: inout ToMany<S>, store: Store,
    sourceProperty: Property<S, EntityId<OwningType>, OwningType>, targetId: EntityId<OwningType>
  ) {
    if load(&relation, store, .toOne(sourceProperty.propertyId), owner: targetId.value) { return }
    relation = .backlink(store: store, sourceProperty: sourceProperty, targetId: targetId)
  }

  /// Makes the relation that a new object has the backlink of a standalone relation, as
  /// ``relation(into:sourceId:store:relationId:)``.
  @inlinable public static func backlink<OwningType: EntityInspectable>(
    into relation: inout ToMany<S>, store: Store, targetId: EntityId<OwningType>,
    relationId: obx_schema_id
  ) {
    if load(&relation, store, .backlink(relationId), owner: targetId.value) { return }
    relation = .backlink(store: store, targetId: targetId, relationId: relationId)
  }

  // MARK: - After a put

  /// Ties the standalone relation of an object to the store, as
  /// ``attach(sourceId:targetBox:relationId:)``.
  ///
  /// - Throws: As ``applyToDb()``.
  /// - Complexity: O(1), or as ``applyToDb()`` for a new object.
  public func attach<OwningType: EntityInspectable>(
    sourceId: EntityId<OwningType>, store: Store, relationId: obx_schema_id
  ) throws {
    try attach(ToManyLink(store: store.core, kind: .relation(relationId), owner: sourceId.value))
  }

  /// Ties the backlink of a to-one relation to the store, as
  /// ``attach(sourceId:targetBox:relationId:)``.
  ///
  /// - Throws: As ``applyToDb()``.
  /// - Complexity: O(1), or as ``applyToDb()`` for a new object.
  public func attach<OwningType>(
    targetId: EntityId<OwningType>, store: Store,
    sourceProperty: Property<S, EntityId<OwningType>, OwningType>
  ) throws {
    try attach(
      ToManyLink(
        store: store.core, kind: .toOne(sourceProperty.propertyId), owner: targetId.value))
  }

  /// Ties the backlink of a standalone relation to the store, as
  /// ``attach(sourceId:targetBox:relationId:)``.
  ///
  /// - Throws: As ``applyToDb()``.
  /// - Complexity: O(1), or as ``applyToDb()`` for a new object.
  public func attach<OwningType: EntityInspectable>(
    targetId: EntityId<OwningType>, store: Store, relationId: obx_schema_id
  ) throws {
    try attach(ToManyLink(store: store.core, kind: .backlink(relationId), owner: targetId.value))
  }
}
