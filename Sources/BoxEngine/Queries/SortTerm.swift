internal import BoxJSON
internal import BoxModel

/// The order of values, whatever they are of.
struct SortRule: Sendable {
  let isDescending: Bool
  let ignoresCase: Bool
  /// Whether null comes first; nil if it is taken for zero.
  let nullsFirst: Bool?

  init(_ order: QueryOrder) {
    isDescending = order.isDescending
    ignoresCase = order.ignoresCase
    nullsFirst =
      switch order.nulls {
      case .smallest: !order.isDescending
      case .first: true
      case .last: false
      case .zero: nil
      }
  }
}

/// An order that was checked against an entity.
struct SortTerm: Sendable {
  let field: RecordField
  let domain: PropertyTypeTraits.Domain
  let rule: SortRule
  /// Whether signed integers are in the order of their bits.
  let takesBitsAsUnsigned: Bool

  /// Checks an order.
  ///
  /// - Throws: ``ConditionError`` if the entity has no such property, or its values have no order.
  init(_ order: QueryOrder, _ entity: EntitySchema) throws(ConditionError) {
    let found = entity.properties.firstIndex { $0.name.hasSameBytes(as: order.property) }
    // As in conditions, the name of the entity may precede it.
    let own = order.property.withoutPrefix("\(entity.name).")
    guard
      let position = found
        ?? own.flatMap({ own in entity.properties.firstIndex { $0.name.hasSameBytes(as: own) } })
    else {
      if order.property.contains(".") {
        throw ConditionError(
          "\(order.property) cannot be ordered by; name a property of \(entity.name) itself")
      }
      if entity.relation(named: order.property) != nil {
        throw ConditionError(
          "\(entity.name).\(order.property) is a relation to many, which has no order; "
            + "order by a property")
      }
      throw entity.unknown("property", order.property, entity.properties.map(\.name))
    }
    let property = entity.properties[position]
    let name = "\(entity.name).\(property.name)"
    field = RecordField(position, entity)
    domain = field.type.traits.domain
    let isText = field.type == .string
    if field.type.isVector {
      throw ConditionError(
        "\(name) has the type \(property.modelType), which has no order; order by another property")
    }
    if order.ignoresCase, !isText {
      throw ConditionError(
        "\(name) has the type \(property.modelType), and ignoringCase is for strings")
    }
    if order.nulls == .zero, field.type.elementWidth > 0 {
      throw ConditionError(
        "\(name) has the type \(property.modelType), and nulls zero is for numbers")
    }
    rule = SortRule(order)
    takesBitsAsUnsigned = order.takesBitsAsUnsigned
  }
}
