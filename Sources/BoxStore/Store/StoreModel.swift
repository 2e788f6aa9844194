package import BoxModel

/// The model of the entity types of a target: their names, properties and relations, with the UIDs by
/// which a store knows them.
///
/// The generator writes a static member for each target; the model is then the model file, byte for
/// byte.
public struct StoreModel: Sendable {
  private let json: String

  /// Creates a model from the text of a model file.
  ///
  /// The text is checked when a store is opened with it.
  public init(json: String) { self.json = json }

  init(bytes: [UInt8]) { json = String(decoding: bytes, as: UTF8.self) }

  /// The parsed model.
  ///
  /// - Throws: ``ObjectBoxError/schema(message:)`` with the place in the text.
  package func document() throws -> ModelDocument {
    do throws(ModelError) {
      return try ModelDocument(parsing: [UInt8](json.utf8))
    } catch {
      throw ObjectBoxError.schema(
        message: "the model of the store cannot be read: \(error.message); "
          + "generate the bindings again from a valid model file")
    }
  }
}
