extension Property {
  /// The condition that there is no value; for a relation, that it has no target.
  public func isNil() -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .isNil)
  }

  /// The condition that there is a value; for a relation, that it has a target.
  public func isNotNil() -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .isNotNil)
  }
}
