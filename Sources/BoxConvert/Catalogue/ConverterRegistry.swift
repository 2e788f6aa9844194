internal import BoxJSON
internal import BoxModel

/// The converters that an application brings along, by the names that its catalogue uses.
public struct ConverterRegistry: Sendable {
  private var converters: [ExactText: any JSONConverter] = [:]

  /// Creates a registry without converters.
  public init() {}

  /// The converter with a name.
  public subscript(name: String) -> (any JSONConverter)? {
    get { converters[ExactText(name)] }
    set { converters[ExactText(name)] = newValue }
  }
}
