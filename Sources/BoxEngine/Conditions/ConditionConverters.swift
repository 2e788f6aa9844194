public import BoxModel

/// The converters by which conditions look up the names of values.
///
/// In `genre == novel` the word is a name that the converter of the property knows. A string is looked
/// up too; any other value is the stored one.
public struct ConditionConverters: Sendable {
  /// The converter of a property; nil for none.
  public var converter:
    @Sendable (_ entity: EntitySchema, _ property: PropertySchema) throws(ConditionError)
      -> (any JSONConverter)?

  /// Creates converters from a function.
  public init(
    _ converter:
      @escaping @Sendable (_ entity: EntitySchema, _ property: PropertySchema)
      throws(ConditionError) -> (any JSONConverter)?
  ) {
    self.converter = converter
  }

  /// Creates the converters of a catalogue.
  ///
  /// One that does not fit the type of its property is an error of binding.
  public init(_ catalogue: some ConverterSource) {
    self.init { (entity, property) throws(ConditionError) in
      do throws(IncompatibleConverter) {
        return try catalogue.converter(
          entity: entity.name, property: property.name, type: property.modelType,
          flags: property.flags)
      } catch {
        throw ConditionError("\(error)")
      }
    }
  }
}
