internal import BoxEngine
internal import BoxJSON
internal import BoxModel
internal import BoxStorage

// Ids and integers are stored as bits, and the engine shows them as the model has them.
extension Box {
  /// An error of a put with the numbers as the types of the app have them.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - entity: The object that was put.
  ///   - transaction: The transaction of the put.
  /// - Returns: An error about a negative id, or with an unsigned number that the model calls signed; any other error
  ///   as it is.
  func withNumbersOfApp(
    _ error: any Error, _ entity: E, _ transaction: EngineTransaction
  ) -> any Error {
    switch error as? StoreError {
    case .idTooLarge(let name, let id)?:
      let own = "\(E.EntityBindingType.IdType(id))"
      if own == "\(id)" { return error }
      return ObjectBoxError.illegalArgument(
        message: "\(name) \(own) cannot be put: ids are 1 to \(ObjectStore.maximumID), and 0 for a "
          + "new object")
    case .uniqueViolation(let name, let property, .integer(let value), let existing)?
    where value < 0:
      guard let found = core.schema.properties.first(where: { $0.name.hasSameBytes(as: property) }),
        let bits = BitSign.width(of: found), isUnsigned(found, in: entity, transaction)
      else { return error }
      let number = UInt64(bitPattern: value) & (.max >> (64 - UInt64(bits)))
      return StoreError.uniqueViolation(
        entity: name, property: property, value: .unsigned(number), existing: existing)
    default: return error
    }
  }

  /// Whether the binding of an object collects an unsigned integer for a property.
  private func isUnsigned(
    _ property: PropertySchema, in entity: E, _ transaction: EngineTransaction
  ) -> Bool {
    let peek = SignPeek()
    try? unsafe transaction.withRecordWriter { writer in
      let collector = unsafe PropertyCollector(
        core, writer, EntityFields(core.schema, hiding: property.id), peek)
      collector.begin(binding.entityId(of: entity))
      try collect(entity, binding.entityId(of: entity), collector, transaction)
    }
    return peek.isUnsigned
  }
}
