internal import BoxEngine

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Bytes are compared one by one; of two values that begin alike, the shorter one comes first.

/// The condition that the value equals another one.
public func == <E>(
  lhs: Property<E, Data, Void>, rhs: Data
) -> PropertyQueryCondition<E, Data> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.equal, QueryValue(rhs), ignoringCase: false))
}

/// The condition that the value is less than another one.
public func < <E>(
  lhs: Property<E, Data, Void>, rhs: Data
) -> PropertyQueryCondition<E, Data> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.less, QueryValue(rhs), ignoringCase: false))
}

/// The condition that the value is at most another one.
public func <= <E>(
  lhs: Property<E, Data, Void>, rhs: Data
) -> PropertyQueryCondition<E, Data> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.lessOrEqual, QueryValue(rhs), ignoringCase: false))
}

/// The condition that the value is greater than another one.
public func > <E>(
  lhs: Property<E, Data, Void>, rhs: Data
) -> PropertyQueryCondition<E, Data> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.greater, QueryValue(rhs), ignoringCase: false))
}

/// The condition that the value is at least another one.
public func >= <E>(
  lhs: Property<E, Data, Void>, rhs: Data
) -> PropertyQueryCondition<E, Data> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.greaterOrEqual, QueryValue(rhs), ignoringCase: false))
}

/// The condition that the value equals another one.
public func == <E>(
  lhs: Property<E, Data?, Void>, rhs: Data
) -> PropertyQueryCondition<E, Data?> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.equal, QueryValue(rhs), ignoringCase: false))
}

/// The condition that the value is less than another one.
public func < <E>(
  lhs: Property<E, Data?, Void>, rhs: Data
) -> PropertyQueryCondition<E, Data?> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.less, QueryValue(rhs), ignoringCase: false))
}

/// The condition that the value is greater than another one.
public func > <E>(
  lhs: Property<E, Data?, Void>, rhs: Data
) -> PropertyQueryCondition<E, Data?> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.greater, QueryValue(rhs), ignoringCase: false))
}

// MARK: - Methods

extension Property where ValueType: DataPropertyType {
  /// The condition that the value equals another one.
  public func isEqual(to data: Data) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.equal, QueryValue(data), ignoringCase: false))
  }

  /// The condition that the value is less than another one.
  public func isLessThan(_ data: Data) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.less, QueryValue(data), ignoringCase: false))
  }

  /// The condition that the value is at most another one.
  public func isLessThanEqual(_ data: Data) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.lessOrEqual, QueryValue(data), ignoringCase: false))
  }

  /// The condition that the value is greater than another one.
  public func isGreaterThan(_ data: Data) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.greater, QueryValue(data), ignoringCase: false))
  }

  /// The condition that the value is at least another one.
  public func isGreaterThanEqual(_ data: Data) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.greaterOrEqual, QueryValue(data), ignoringCase: false))
  }
}

extension Property where ValueType == [UInt8] {
  /// The condition that the value equals another one.
  public func isEqual(to bytes: [UInt8]) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.equal, .bytes(bytes), ignoringCase: false))
  }

  /// The condition that the value is less than another one.
  public func isLessThan(_ bytes: [UInt8]) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.less, .bytes(bytes), ignoringCase: false))
  }

  /// The condition that the value is at most another one.
  public func isLessThanEqual(_ bytes: [UInt8]) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.lessOrEqual, .bytes(bytes), ignoringCase: false))
  }

  /// The condition that the value is greater than another one.
  public func isGreaterThan(_ bytes: [UInt8]) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.greater, .bytes(bytes), ignoringCase: false))
  }

  /// The condition that the value is at least another one.
  public func isGreaterThanEqual(_ bytes: [UInt8]) -> PropertyQueryCondition<EntityType, ValueType>
  {
    PropertyQueryCondition(self, .compare(.greaterOrEqual, .bytes(bytes), ignoringCase: false))
  }
}

extension Property where ValueType == [UInt8]? {
  /// The condition that the value equals another one.
  public func isEqual(to bytes: [UInt8]) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.equal, .bytes(bytes), ignoringCase: false))
  }

  /// The condition that the value is less than another one.
  public func isLessThan(_ bytes: [UInt8]) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.less, .bytes(bytes), ignoringCase: false))
  }

  /// The condition that the value is at most another one.
  public func isLessThanEqual(_ bytes: [UInt8]) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.lessOrEqual, .bytes(bytes), ignoringCase: false))
  }

  /// The condition that the value is greater than another one.
  public func isGreaterThan(_ bytes: [UInt8]) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.greater, .bytes(bytes), ignoringCase: false))
  }

  /// The condition that the value is at least another one.
  public func isGreaterThanEqual(_ bytes: [UInt8]) -> PropertyQueryCondition<EntityType, ValueType>
  {
    PropertyQueryCondition(self, .compare(.greaterOrEqual, .bytes(bytes), ignoringCase: false))
  }
}
