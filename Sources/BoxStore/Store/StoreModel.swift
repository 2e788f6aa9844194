package import BoxModel

/// The model of the entity types of a target: their names, properties and relations, with the UIDs by
/// which a store knows them.
///
/// The generator writes a static member for each target; the model is then the model file, byte for
/// byte.
public struct StoreModel: Sendable {
  private let json: String
  /// The values of properties that are not optional in objects without one, by UID; nil for a model that says
  /// nothing about that.
  package let constants: [UID: Value]?
  /// The parameters of vector indexes that the text lacks, as JSON, by the UIDs of their properties.
  private let vectors: [UID: String]
  /// The text of the file of rules; nil for a model that says nothing about them.
  private let rules: String?

  /// Creates a model from the text of a model file.
  ///
  /// The text is checked when a store is opened with it. Such a model does not say which properties are optional: a
  /// store keeps the constants that it has.
  public init(json: String) {
    self.json = json
    constants = nil
    vectors = [:]
    rules = nil
  }

  /// Creates a model from the text of a model file, with the values of properties in objects that have none.
  ///
  /// A property that is added to an entity with objects is missing in these. If it is not optional, it has this value
  /// there, wherever objects are read, compared, sorted or summed up. A store keeps the value from the first opening
  /// that gives one. Each property that is among neither `constants` nor `zeros` is optional.
  ///
  /// ```swift
  /// StoreModel(json: text, constants: [6650210497133824: PropertyConstant("red")], zeros: [7716483900912641])
  /// ```
  ///
  /// - Parameters:
  ///   - json: The text.
  ///   - constants: The values by the UIDs of their properties; a store refuses a value that does not fit its
  ///     property, and a value for an id, a unique property or a relation.
  ///   - zeros: The UIDs of properties whose value is zero, false or empty.
  ///   - vectors: The parameters of vector indexes by the UIDs of their properties, as `hnswParams` of model files
  ///     has them; of properties whose index has none in the text, as ObjectBox's generator for Swift writes it.
  ///   - rules: The text of the file of rules about removals beside the model file: a store takes them over in the place
  ///     of those that it has. Nil leaves these as they are.
  public init(
    json: String, constants: [UInt64: PropertyConstant], zeros: [UInt64] = [],
    vectors: [UInt64: String] = [:], rules: String? = nil
  ) {
    self.json = json
    self.rules = rules
    self.vectors = vectors
    var values = constants.mapValues(\.value)
    for uid in zeros { values[uid] = .null }
    self.constants = values
  }

  package init(bytes: [UInt8], constants: [UID: Value]?, declarations: Declarations? = nil) {
    json = String(decoding: bytes, as: UTF8.self)
    self.constants = constants
    vectors = [:]
    rules = declarations.map { String(decoding: $0.text, as: UTF8.self) }
  }

  /// All that a model says, by which two models are compared.
  package struct Contents: Hashable, Sendable {
    fileprivate var json: String
    fileprivate var rules: String?
    fileprivate var vectors: [UID: String]
    /// As text, as a constant may be NaN, which is equal to nothing.
    fileprivate var constants: [String]?
  }

  /// All that the model says.
  package var contents: Contents {
    Contents(
      json: json, rules: rules, vectors: vectors,
      constants: constants?.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })
  }

  /// The rules about relations; nil for a model without any.
  ///
  /// - Throws: ``ObjectBoxError/schema(message:)`` with the place in the text.
  package func declarations() throws -> Declarations? {
    guard let rules else { return nil }
    do throws(DeclarationsError) {
      return try DeclarationsDocument(parsing: [UInt8](rules.utf8)).declarations
    } catch {
      throw ObjectBoxError.schema(message: "the rules of the model cannot be read: \(error)")
    }
  }

  /// The parsed model.
  ///
  /// - Throws: ``ObjectBoxError/schema(message:)`` with the place in the text.
  package func document() throws -> ModelDocument {
    do throws(ModelError) {
      let document = try ModelDocument(parsing: [UInt8](json.utf8))
      if vectors.isEmpty { return document }
      return try ModelDocument(parsing: document.rendered(document.model.withVectors(vectors)))
    } catch {
      throw ObjectBoxError.schema(
        message: "the model of the store cannot be read: \(error.message); "
          + "generate the bindings again from a valid model file")
    }
  }
}

extension Model {
  /// The model with parameters of vector indexes, where it has none.
  fileprivate func withVectors(_ vectors: [UID: String]) -> Model {
    var model = self
    for e in model.entities.indices {
      for p in model.entities[e].properties.indices {
        let property = model.entities[e].properties[p]
        if property.hnswParams == nil, let parameters = vectors[property.pair.uid] {
          model.entities[e].properties[p].hnswParams = parameters
        }
      }
    }
    return model
  }
}
