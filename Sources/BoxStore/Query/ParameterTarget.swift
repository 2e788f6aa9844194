internal import BoxEngine

/// The condition whose values are to be changed.
enum ParameterTarget {
  /// The first condition with values on a property, by the ids of its entity and its own.
  case property(entity: obx_schema_id, obx_schema_id)
  case alias(String)

  init(_ property: Property<some Any, some EntityPropertyTypeConvertible, some Any>) {
    self = .property(entity: Self.entity(of: property), property.propertyId)
  }

  private static func entity<E>(
    of property: Property<E, some EntityPropertyTypeConvertible, some Any>
  ) -> obx_schema_id {
    E.entityInfo.entitySchemaId
  }

  /// Whether a test is meant.
  func matches(_ test: PropertyTest) -> Bool {
    switch self {
    case .property(let entity, let id):
      test.entity == entity && test.property == id && test.hasParameters
    case .alias(let alias): test.alias == alias
    }
  }

  /// The condition in a message.
  func words(_ core: __EntityCore) -> String {
    switch self {
    case .property(_, let id):
      let name = core.schema.property(withID: id)?.name
      return "a condition on \(core.schema.name).\(name ?? "property \(id)")"
    case .alias(let alias): return "a condition with the alias \"\(alias)\""
    }
  }
}
