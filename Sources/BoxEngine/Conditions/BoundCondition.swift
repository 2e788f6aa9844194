internal import BoxJSON
internal import BoxModel

/// A condition that was checked against an entity: its meaning, written to be read.
///
/// A ``Predicate`` made of it is what runs.
struct BoundCondition: Sendable {
  /// The entity.
  let entity: EntitySchema
  /// The condition that was bound.
  let condition: Condition
  let node: Node
  /// The sets of ids that the nodes refer to.
  let sets: [SetSource]

  /// A field of a record; slot -1 is the id.
  struct Field: Sendable {
    var slot: Int
    var type: SlotType
    /// The position among the properties of the entity.
    var position: Int

    init(_ position: Int, _ entity: EntitySchema) {
      let access = entity.accesses[position]
      slot = access.slot
      // Ids are unsigned, whatever the model says of their property.
      type = access.slot < 0 ? .uint64 : access.type
      self.position = position
    }

    /// The id, even of an entity whose model has no property for it.
    init(idOf entity: EntitySchema) {
      (slot, type, position) = (-1, .uint64, entity.idPosition ?? 0)
    }
  }

  indirect enum Node: Sendable {
    case and([Node])
    case or([Node])
    case not(Node)
    case isNull(Field)
    case signed(Field, IntegerTest<Int64>)
    case unsigned(Field, IntegerTest<UInt64>)
    case number(Field, NumberTest)
    /// A string or bytes.
    case bytes(Field, BytesTest)
    /// An element of a vector.
    case element(Field, ElementTest)
    /// The id, or the id of the target, is in the set of a number.
    case isIn(Field, Int)
  }

  /// The origin of a set of ids of the entity, or of targets of a relation to one of it.
  struct SetSource: Sendable {
    enum Kind: Sendable {
      /// Objects that have a relation to ones which fulfil a condition; of a relation to one forwards,
      /// those objects themselves.
      case linked(Link, BoundCondition)
      /// The objects with the vectors that are nearest to one, at most so many.
      case nearest(Field, VectorMeasure, Int)
    }

    var kind: Kind
  }

  /// A relation in one of its directions.
  enum Link: Sendable {
    /// The position of a property of this entity.
    case toOne(Int)
    case toMany(RelationSchema)
    /// The position of a property of the other entity.
    case toOneBackward(EntitySchema, Int)
    case toManyBackward(RelationSchema)
  }

  init(entity: EntitySchema, condition: Condition, node: Node, sets: [SetSource]) {
    self.entity = entity
    self.condition = condition
    self.node = node
    self.sets = sets
  }

  /// Checks a condition against an entity.
  ///
  /// - Throws: ``ConditionError`` with the place of a name that the entity does not have, or whose
  ///   type is not that of its value: it says what to write.
  /// - Complexity: O(*n*) in the size of the condition.
  init(
    _ condition: Condition, _ entity: EntitySchema, _ schema: StoreSchema,
    _ converters: ConditionConverters? = nil, positions: [JSONPosition] = [],
    valuePositions: [JSONPosition] = []
  ) throws(ConditionError) {
    var binder = ConditionBinder(
      entity, schema, converters, positions: positions, valuePositions: valuePositions)
    self = try binder.bound(condition)
  }

  /// A test of an element of a vector.
  enum ElementTest: Sendable {
    case signed(IntegerTest<Int64>)
    case unsigned(IntegerTest<UInt64>)
    case number(NumberTest)
    case string(BytesTest)

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
  /// - Parameters:
  ///   - id: The id of the object.
  ///   - record: Its values.
  ///   - sets: The sets of ``sets``.
  /// - Returns: Whether it does.
  /// - Complexity: O(*n*) in the size of the condition and of the strings and vectors it looks at.
  func matches(_ id: UInt64, _ record: borrowing RecordView, _ sets: [IDSet] = []) -> Bool {
    Self.matches(node, id, record, sets)
  }

  private static func matches(
    _ node: Node, _ id: UInt64, _ record: borrowing RecordView, _ sets: [IDSet]
  ) -> Bool {
    switch node {
    case .and(let parts):
      for part in parts where !matches(part, id, record, sets) { return false }
      return true
    case .or(let parts):
      for part in parts where matches(part, id, record, sets) { return true }
      return false
    case .not(let part): return !matches(part, id, record, sets)
    case .isIn(let field, let number):
      if field.slot < 0 { return sets[number].contains(id) }
      return record.uint64(field.slot).map { sets[number].contains($0) } ?? false
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
    case .bytes(let field, let test):
      if record.isNull(field.slot) { return false }
      return unsafe test.matches(record.elements(field.slot).assumingMemoryBound(to: UInt8.self))
    case .element(let field, let test):
      return test.matches(record.value(field.slot, field.type))
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
