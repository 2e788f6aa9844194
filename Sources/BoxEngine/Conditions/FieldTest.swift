internal import BoxModel

/// A field of a record, as conditions, columns and orders read it; slot -1 is the id.
struct RecordField: Sendable {
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

/// A test of one field, with values in the form of its type: a step of a ``Predicate`` runs it, and an
/// index may answer it.
struct FieldTest: Sendable {
  enum Kind: Sendable {
    case isNull
    case signed(IntegerTest<Int64>)
    case unsigned(IntegerTest<UInt64>)
    case number(NumberTest)
    /// Of a string or bytes.
    case bytes(BytesTest)
    /// The id, or the id of the target, is in the set of a number.
    case isIn(Int)
  }

  let field: RecordField
  let kind: Kind
  /// Whether some element of the vector has to pass, and not the value.
  let isOfElement: Bool

  init(_ field: RecordField, _ kind: Kind, ofElement: Bool = false) {
    self.field = field
    self.kind = kind
    isOfElement = ofElement
  }
}
