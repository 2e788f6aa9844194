/// The converters of properties by their names: a catalogue, or another list of bindings.
///
/// A store asks it for converters, and knows nothing else of catalogues.
public protocol ConverterSource: Sendable {
  /// A property and its converter, as the source has them.
  associatedtype Binding: ConverterBinding
  /// The converters of the source.
  associatedtype Converter: JSONConverter

  /// The bound properties, in the order in which the source lists them.
  var bindings: [Binding] { get }

  /// The converter of a property; nil if none is bound.
  ///
  /// - Throws: ``IncompatibleConverter`` if the converter is not one for the type.
  func converter(
    entity: String, property: String, type: PropertyType, flags: PropertyFlags
  ) throws(IncompatibleConverter) -> Converter?
}

/// The names of a property that has a converter.
public protocol ConverterBinding {
  /// The name of the entity.
  var entity: String { get }
  /// The name of the property.
  var property: String { get }
}
