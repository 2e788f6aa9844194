internal import BoxModel

extension DynamicObject {
  /// The names of the properties that have another value in another object of the entity, in the order of
  /// the model.
  ///
  /// Values are compared as they are stored: strings by their bytes, and numbers by their bits.
  ///
  /// - Complexity: O(*n*) in the bytes of the values.
  package func propertiesDiffering(from other: DynamicObject) -> [String] {
    zip(entity.properties, zip(values, other.values)).compactMap { property, values in
      values.0.isIdentical(to: values.1) ? nil : property.name
    }
  }

  /// A hash of the values as they are stored, which is the same until the program ends.
  ///
  /// - Complexity: O(*n*) in the bytes of the values.
  package var storedHash: Int {
    var hasher = Hasher()
    for value in values { value.hashStored(into: &hasher) }
    return hasher.finalize()
  }
}

extension Value {
  /// Adds the bytes that a record has for the value.
  fileprivate func hashStored(into hasher: inout Hasher) {
    switch self {
    case .float(let value): hasher.combine(value.bitPattern)
    case .double(let value): hasher.combine(value.bitPattern)
    case .floats(let values): hasher.combine(values.map(\.bitPattern))
    case .doubles(let values): hasher.combine(values.map(\.bitPattern))
    case .string(let value): hasher.combine(Array(value.utf8))
    case .strings(let values): hasher.combine(values.map { Array($0.utf8) })
    default: hasher.combine(self)
    }
  }
}
