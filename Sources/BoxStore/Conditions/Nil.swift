extension Property {
  /// Matches objects without a value; for a relation, without a target.
  public func isNil() -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .isNil)
  }

  /// Matches objects with a value; for a relation, with a target.
  public func isNotNil() -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .isNotNil)
  }
}
