/// A member of an entity, or of a struct in it, that is annotated with `embedded`: the members of its type are properties
/// of the entity.
package struct SourceEmbedding: Hashable, Sendable {
  /// The most structs that may be in each other.
  static let maximumDepth = 8
  /// The most structs and members of them that an entity may have: as many as a store allows properties.
  static let maximumCount = 8000

  /// The name in Swift, in backticks where the sources write it so.
  var swiftName: String
  /// The struct that it is in, by its position; nil for a member of the entity.
  var outer: Int?
  /// The path of the struct, as `Address` or `Library.Address`.
  var typeName: String
  var isOptional: Bool
  /// The members in the order of the initializer of the struct.
  var arguments: [InitializerArgument]
  var place: SourcePlace
}

/// A name that a property had before, which an annotation `was` gives.
struct EarlierName: Hashable, Sendable {
  /// The name in the model file.
  var name: String
  /// The name as the annotation has it.
  var written: String
  var place: SourcePlace
}

extension SourceEntity {
  /// The Swift names of a member from the entity on, as `home.street`.
  func swiftPath(_ name: String, in embedding: Int?) -> String {
    guard let embedding else { return name }
    let outer = embeddings[embedding]
    return swiftPath(outer.swiftName, in: outer.outer) + "." + name
  }

  /// The Swift names of a property, as `home.street`.
  func swiftPath(of property: SourceProperty) -> String {
    swiftPath(property.swiftName, in: property.embedding)
  }
}

extension SourceEntity {
  /// The place of a property; if it is in a struct, the place where the entity has the struct.
  func place(of property: SourceProperty) -> SourcePlace {
    guard var embedding = property.embedding else { return property.place }
    while let outer = embeddings[embedding].outer { embedding = outer }
    return embeddings[embedding].place
  }
}
