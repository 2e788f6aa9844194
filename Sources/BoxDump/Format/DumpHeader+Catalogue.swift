internal import BoxConvert
internal import BoxJSON

extension DumpHeader {
  /// The catalogue by which the values of the dump were converted.
  ///
  /// - Parameters:
  ///   - path: The dump, for messages.
  ///   - registry: The converters of the application.
  /// - Returns: The catalogue; an empty one for raw values.
  /// - Throws: ``DumpError`` if it is not a catalogue.
  func catalogue(
    _ path: String, _ registry: ConverterRegistry = ConverterRegistry()
  ) throws(DumpError) -> Catalogue {
    guard let converters else { return .empty }
    func wrong(_ message: String) -> DumpError {
      DumpError("the catalogue of converters in the header is wrong: \(message)", path: path)
    }
    let value: JSONValue
    do throws(JSONError) {
      let document = try JSONDocument(parsing: converters)
      value = document.value(of: document.root)
    } catch {
      throw wrong(error.message)
    }
    do throws(CatalogueError) {
      return try Catalogue(value, registry: registry)
    } catch {
      throw wrong(error.message)
    }
  }
}
