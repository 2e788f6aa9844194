internal import BoxModel

/// A condition that was checked against an entity and can be evaluated for its objects.
///
/// It gives the same answer for a record and for the ``DynamicObject`` that was read from it.
public struct BoundCondition: Sendable {
  /// The entity.
  public let entity: EntitySchema
  /// The condition that was bound.
  public let condition: Condition
  let node: Node

  /// A field of a record; slot -1 is the id.
  struct Field: Sendable {
    var slot: Int
    var type: SlotType
    /// The position among the properties of the entity.
    var position: Int
  }

  indirect enum Node: Sendable {
    case and([Node])
    case or([Node])
    case not(Node)
    case isNull(Field)
    case signed(Field, IntegerTest<Int64>)
    case unsigned(Field, IntegerTest<UInt64>)
    case number(Field, NumberTest)
    case string(Field, StringTest)
    /// An element of a vector.
    case element(Field, ElementTest)
  }

  /// A test of an element of a vector.
  enum ElementTest: Sendable {
    case signed(IntegerTest<Int64>)
    case unsigned(IntegerTest<UInt64>)
    case number(NumberTest)
    case string(StringTest)

    func matches(_ vector: Value) -> Bool {
      switch (self, vector) {
      case (.signed(let test), .integers(let elements)): elements.contains { test.matches($0) }
      case (.unsigned(let test), .unsignedIntegers(let elements)):
        elements.contains { test.matches($0) }
      case (.unsigned(let test), .bools(let elements)):
        elements.contains { test.matches($0 ? 1 : 0) }
      case (.number(let test), .floats(let elements)):
        elements.contains { test.matches(Double($0)) }
      case (.number(let test), .doubles(let elements)): elements.contains { test.matches($0) }
      case (.string(let test), .strings(let elements)):
        elements.contains { element in
          var element = element
          return element.withUTF8 { unsafe test.matches($0) }
        }
      default: false
      }
    }
  }

  /// Whether an object fulfils the condition.
  ///
  /// - Complexity: O(*n*) in the size of the condition and of the strings and vectors it looks at.
  public func matches(_ id: UInt64, _ record: borrowing RecordView) -> Bool {
    Self.matches(node, id, record)
  }

  private static func matches(
    _ node: Node, _ id: UInt64, _ record: borrowing RecordView
  ) -> Bool {
    switch node {
    case .and(let parts):
      for part in parts where !matches(part, id, record) { return false }
      return true
    case .or(let parts):
      for part in parts where matches(part, id, record) { return true }
      return false
    case .not(let part): return !matches(part, id, record)
    case .isNull(let field): return field.slot >= 0 && record.isNull(field.slot)
    case .signed(let field, let test):
      return record.signed(field).map { test.matches($0) } ?? false
    case .unsigned(let field, let test):
      if field.slot < 0 { return test.matches(id) }
      return record.unsigned(field).map { test.matches($0) } ?? false
    case .number(let field, let test):
      let number: Double? =
        field.type == .float
        ? record.float(field.slot).map { Double($0) } : record.double(field.slot)
      return number.map { test.matches($0) } ?? false
    case .string(let field, let test):
      return unsafe record.withUTF8(field.slot) { unsafe test.matches($0) } ?? false
    case .element(let field, let test):
      return test.matches(record.value(field.slot, field.type))
    }
  }

  /// Whether a dynamic object fulfils the condition.
  ///
  /// A value of another kind than its property fulfils nothing, as if it were null.
  ///
  /// - Complexity: O(*n*) in the size of the condition and of the strings and vectors it looks at.
  public func matches(_ object: DynamicObject) -> Bool { Self.matches(node, object) }

  private static func matches(_ node: Node, _ object: DynamicObject) -> Bool {
    switch node {
    case .and(let parts): return parts.allSatisfy { matches($0, object) }
    case .or(let parts): return parts.contains { matches($0, object) }
    case .not(let part): return !matches(part, object)
    case .isNull(let field): return field.slot >= 0 && object.values[field.position] == .null
    case .signed(let field, let test):
      return object.values[field.position].wide.flatMap { Int64(exactly: $0) }
        .map { test.matches($0) } ?? false
    case .unsigned(let field, let test):
      if field.slot < 0 { return test.matches(object.id) }
      return object.values[field.position].wide.flatMap { UInt64(exactly: $0) }
        .map { test.matches($0) } ?? false
    case .number(let field, let test):
      switch object.values[field.position] {
      case .float(let value): return test.matches(Double(value))
      case .double(let value): return test.matches(value)
      default: return false
      }
    case .string(let field, let test):
      guard case .string(var text) = object.values[field.position] else { return false }
      return text.withUTF8 { unsafe test.matches($0) }
    case .element(let field, let test): return test.matches(object.values[field.position])
    }
  }
}

extension Value {
  /// An integer or a boolean as an integer of any kind.
  fileprivate var wide: Int128? {
    switch self {
    case .bool(let value): value ? 1 : 0
    case .integer(let value): Int128(value)
    case .unsigned(let value): Int128(value)
    default: nil
    }
  }
}

extension RecordView {
  @inline(__always)
  fileprivate func signed(_ field: BoundCondition.Field) -> Int64? {
    switch field.type {
    case .int8: int8(field.slot).map { Int64($0) }
    case .int16: int16(field.slot).map { Int64($0) }
    case .int32: int32(field.slot).map { Int64($0) }
    case .int64: int64(field.slot)
    default: nil
    }
  }

  @inline(__always)
  fileprivate func unsigned(_ field: BoundCondition.Field) -> UInt64? {
    switch field.type {
    case .bool: bool(field.slot).map { $0 ? 1 : 0 }
    case .uint8: uint8(field.slot).map { UInt64($0) }
    case .uint16: uint16(field.slot).map { UInt64($0) }
    case .uint32: uint32(field.slot).map { UInt64($0) }
    case .uint64: uint64(field.slot)
    default: nil
    }
  }
}
