extension Query {
  /// Changes the id that the first condition on a property compares with.
  public func setParameter<I>(_ property: Property<EntityType, Id, I>, to id: Id) where I: IdBase {
    change(ParameterTarget(property), .one(QueryValue(id)))
  }

  /// Changes the id that the first condition on an id or a to-one relation compares with.
  public func setParameter<T, R>(
    _ property: Property<EntityType, EntityId<T>, R>, to id: EntityId<T>
  ) {
    change(ParameterTarget(property), .one(QueryValue(id.value)))
  }

  /// Changes the ids of the first condition on a property.
  public func setParameters<I>(
    _ property: Property<EntityType, Id, I>, to collection: [Id]
  ) where I: IdBase {
    change(ParameterTarget(property), .list(collection.map { QueryValue($0) }))
  }

  /// Changes the ids of the first condition on an id or a to-one relation.
  public func setParameters<T, R>(
    _ property: Property<EntityType, EntityId<T>, R>, to collection: [EntityId<T>]
  ) {
    change(ParameterTarget(property), .list(collection.map { QueryValue($0.value) }))
  }
}
