internal import BoxEngine

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Bytes are compared one by one; of two values that begin alike, the shorter one comes first.

/// Matches objects whose bytes equal `rhs`.
public func == <E>(
  lhs: Property<E, Data, Void>, rhs: Data
) -> PropertyQueryCondition<E, Data> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.equal, QueryValue(rhs), ignoringCase: false))
}

/// Matches objects whose bytes sort before `rhs`.
public func < <E>(
  lhs: Property<E, Data, Void>, rhs: Data
) -> PropertyQueryCondition<E, Data> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.less, QueryValue(rhs), ignoringCase: false))
}

/// Matches objects whose bytes equal `rhs` or sort before them.
public func <= <E>(
  lhs: Property<E, Data, Void>, rhs: Data
) -> PropertyQueryCondition<E, Data> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.lessOrEqual, QueryValue(rhs), ignoringCase: false))
}

/// Matches objects whose bytes sort after `rhs`.
public func > <E>(
  lhs: Property<E, Data, Void>, rhs: Data
) -> PropertyQueryCondition<E, Data> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.greater, QueryValue(rhs), ignoringCase: false))
}

/// Matches objects whose bytes equal `rhs` or sort after them.
public func >= <E>(
  lhs: Property<E, Data, Void>, rhs: Data
) -> PropertyQueryCondition<E, Data> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.greaterOrEqual, QueryValue(rhs), ignoringCase: false))
}

/// Matches objects whose bytes equal `rhs`.
public func == <E>(
  lhs: Property<E, Data?, Void>, rhs: Data
) -> PropertyQueryCondition<E, Data?> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.equal, QueryValue(rhs), ignoringCase: false))
}

/// Matches objects whose bytes sort before `rhs`.
public func < <E>(
  lhs: Property<E, Data?, Void>, rhs: Data
) -> PropertyQueryCondition<E, Data?> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.less, QueryValue(rhs), ignoringCase: false))
}

/// Matches objects whose bytes sort after `rhs`.
public func > <E>(
  lhs: Property<E, Data?, Void>, rhs: Data
) -> PropertyQueryCondition<E, Data?> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.greater, QueryValue(rhs), ignoringCase: false))
}

// MARK: - Methods

extension Property where ValueType: DataPropertyType {
  /// Matches objects whose bytes equal `data`.
  public func isEqual(to data: Data) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.equal, QueryValue(data), ignoringCase: false))
  }

  /// Matches objects whose bytes sort before `data`.
  public func isLessThan(_ data: Data) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.less, QueryValue(data), ignoringCase: false))
  }

  /// Matches objects whose bytes equal `data` or sort before them.
  public func isLessThanEqual(_ data: Data) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.lessOrEqual, QueryValue(data), ignoringCase: false))
  }

  /// Matches objects whose bytes sort after `data`.
  public func isGreaterThan(_ data: Data) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.greater, QueryValue(data), ignoringCase: false))
  }

  /// Matches objects whose bytes equal `data` or sort after them.
  public func isGreaterThanEqual(_ data: Data) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.greaterOrEqual, QueryValue(data), ignoringCase: false))
  }
}

extension Property where ValueType == [UInt8] {
  /// Matches objects whose bytes equal `bytes`.
  public func isEqual(to bytes: [UInt8]) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.equal, .bytes(bytes), ignoringCase: false))
  }

  /// Matches objects whose bytes sort before `bytes`.
  public func isLessThan(_ bytes: [UInt8]) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.less, .bytes(bytes), ignoringCase: false))
  }

  /// Matches objects whose bytes equal `bytes` or sort before them.
  public func isLessThanEqual(_ bytes: [UInt8]) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.lessOrEqual, .bytes(bytes), ignoringCase: false))
  }

  /// Matches objects whose bytes sort after `bytes`.
  public func isGreaterThan(_ bytes: [UInt8]) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.greater, .bytes(bytes), ignoringCase: false))
  }

  /// Matches objects whose bytes equal `bytes` or sort after them.
  public func isGreaterThanEqual(_ bytes: [UInt8]) -> PropertyQueryCondition<EntityType, ValueType>
  {
    PropertyQueryCondition(self, .compare(.greaterOrEqual, .bytes(bytes), ignoringCase: false))
  }
}

extension Property where ValueType == [UInt8]? {
  /// Matches objects whose bytes equal `bytes`.
  public func isEqual(to bytes: [UInt8]) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.equal, .bytes(bytes), ignoringCase: false))
  }

  /// Matches objects whose bytes sort before `bytes`.
  public func isLessThan(_ bytes: [UInt8]) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.less, .bytes(bytes), ignoringCase: false))
  }

  /// Matches objects whose bytes equal `bytes` or sort before them.
  public func isLessThanEqual(_ bytes: [UInt8]) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.lessOrEqual, .bytes(bytes), ignoringCase: false))
  }

  /// Matches objects whose bytes sort after `bytes`.
  public func isGreaterThan(_ bytes: [UInt8]) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.greater, .bytes(bytes), ignoringCase: false))
  }

  /// Matches objects whose bytes equal `bytes` or sort after them.
  public func isGreaterThanEqual(_ bytes: [UInt8]) -> PropertyQueryCondition<EntityType, ValueType>
  {
    PropertyQueryCondition(self, .compare(.greaterOrEqual, .bytes(bytes), ignoringCase: false))
  }
}
