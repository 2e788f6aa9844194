public import BoxConvert
public import BoxJSON
package import BoxModel
internal import BoxReport

/// A model that fits some JSON, with everything that was guessed.
public struct InferredModel: Sendable {
  /// An entity and the inputs that its objects are from.
  public struct Entity: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The inputs, as the user named them; empty for an entity of targets of a relation.
    public var inputs: [String]
    /// The member whose nested objects these are, as `Order.customer`; nil for other objects.
    public var nestedIn: String?
    /// The number of objects in the inputs.
    public var objects: Int
    /// The properties, the id first, then the to-many relations.
    public var members: [Member]
    /// Decisions about the entity that no member shows, and suggestions.
    public var notes: [Note]
  }

  /// A property or a relation, and the reason for its type.
  public struct Member: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The place in an object of the input; nil for a member that the input does not have.
    public var source: JSONPointer?
    /// The type, or the target of a relation.
    public var type: String
    /// The converter that its values need; nil if they need none.
    public var converter: String?
    /// The number of objects with a value.
    public var values: Int
    /// The reason for the type.
    public var reason: String
    /// The first values that show the reason; the first value at least, if there is one.
    public var places: [InferencePlace]
  }

  /// A decision or a suggestion, as a sentence.
  public struct Note: Hashable, Sendable {
    /// The kind of a note.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
      /// The name of an entity or a member differs from that in the input.
      case name
      /// The origin of the ids.
      case id
      /// Values that could be ids.
      case possibleID = "possible-id"
      /// Values that could be unique.
      case possiblyUnique = "possibly-unique"
      /// Numbers that are a text, as some would become one value.
      case text
      /// Numbers that do not keep the zeros at their ends.
      case decimals
      /// Records in a document, or the keys that they have there.
      case records
    }

    /// The kind.
    public var kind: Kind
    /// The name of the member that it is about; nil for the entity.
    public var member: String?
    /// The sentence, without a trailing period.
    public var message: String
    /// The place of the first value that it is about.
    public var place: InferencePlace?
  }

  /// The entities, first in the order of the inputs, then targets.
  public let entities: [Entity]
  /// The catalogue that an import of the inputs needs; nil if it needs none.
  public let catalogue: JSONValue?
  /// The elements to add to a model.
  package let drafts: [EntityDraft]
}

extension InferredModel {
  /// The model as a file.
  ///
  /// - Parameter uids: The source of UIDs.
  /// - Returns: The file, with all entities and no others.
  /// - Throws: ``DumpError`` if a name of the input is not one that a model can have.
  package func document(uids: any UIDSource = .random) throws(DumpError) -> ModelDocument {
    var editor = ModelEditor(Model(), uids: uids)
    do {
      let empty = try ModelDocument(parsing: ModelDocument.newFile)
      editor = ModelEditor(empty.model, uids: uids)
      try editor.addEntities(drafts)
      return try ModelDocument(parsing: empty.rendered(editor.model))
    } catch let error as ModelEditError {
      throw DumpError("\(error)", kind: .impossible)
    } catch {
      throw DumpError("\(error)")
    }
  }

  /// The inference as `Schemas/inference.schema.json` describes it.
  ///
  /// - Parameters:
  ///   - model: The file of the model; nil if it was not written.
  ///   - catalogue: The file of the catalogue; nil if it was not written.
  /// - Returns: An object.
  public func json(model: String?, catalogue: String?) -> JSONValue {
    [
      "schemaVersion": 1,
      "model": model.map { .string($0) } ?? .null,
      "catalogue": catalogue.map { .string($0) } ?? .null,
      "converters": self.catalogue ?? .null,
      "entities": .array(entities.map(\.json)),
    ]
  }
}

extension InferredModel.Entity {
  fileprivate var json: JSONValue {
    .compact([
      ("name", .string(name)), ("inputs", .array(inputs.map { .string($0) })),
      ("nestedIn", nestedIn.map { .string($0) }), ("objects", .int(objects)),
      ("members", .array(members.map(\.json))), ("notes", .array(notes.map(\.json))),
    ])
  }
}

extension InferredModel.Member {
  fileprivate var json: JSONValue {
    .compact([
      ("name", .string(name)), ("source", source.map { .string($0.description) }),
      ("type", .string(type)), ("converter", converter.map { .string($0) }),
      ("values", .int(values)), ("reason", .string(reason)),
      ("places", .array(places.map(\.json))),
    ])
  }
}

extension InferredModel.Note {
  fileprivate var json: JSONValue {
    .compact([
      ("kind", .string(kind.rawValue)), ("member", member.map { .string($0) }),
      ("message", .string(message)), ("place", place?.json),
    ])
  }
}

extension InferencePlace {
  fileprivate var json: JSONValue {
    ["file": .string(file), "line": .int(position.line), "column": .int(position.column)]
  }
}
