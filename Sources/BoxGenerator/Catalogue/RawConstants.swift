internal import BoxConvert
internal import BoxJSON
internal import BoxSources

extension SourceEntity {
  /// The entity with raw values instead of the cases, which later versions may not have.
  ///
  /// - Parameter enums: The enums of the sources, by the spellings of their types.
  /// - Returns: The entity.
  /// - Complexity: O(*n*) in the number of properties and cases.
  func withRawConstants(_ enums: [String: StoredEnum]) -> SourceEntity {
    var entity = self
    for position in entity.properties.indices {
      let property = entity.properties[position]
      guard property.hasConstant, property.declaredConstant == nil,
        case .rawValue(let type, let raw, _) = property.form,
        let name = property.initialText?.split(separator: ".").last?.description.withoutBackticks,
        let found = enums[type]?.cases.first(where: { $0.item.name.hasSameBytes(as: name) })
      else { continue }
      let literal =
        switch found.item.raw {
        case .integer(let number): "\(number)"
        case .text(let text): text.swiftLiteral
        }
      entity.properties[position].declaredConstant = .expression(
        "PropertyConstant(\(literal) as \(raw.rawValue))")
    }
    return entity
  }
}
