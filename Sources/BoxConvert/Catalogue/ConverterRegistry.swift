internal import BoxModel

/// The converters that an application brings along, by the names that its catalogue uses.
public struct ConverterRegistry: Sendable {
  private var converters: [String: any JSONConverter] = [:]

  /// Creates a registry without converters.
  public init() {}

  /// The converter of a name; nil if there is none.
  public subscript(name: String) -> (any JSONConverter)? {
    get { converters[name] }
    set { converters[name] = newValue }
  }
}
