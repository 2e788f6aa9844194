package import BoxModel

/// The place of a declaration or an annotation in a file; line and column count from 1.
package struct SourcePlace: Hashable, Sendable {
  package var path: String
  package var line: Int
  package var column: Int
}

/// An entity type as the sources declare it.
package struct SourceEntity: Hashable, Sendable {
  /// The name of the Swift type.
  package var typeName: String
  /// The name in the model file.
  package var name: String
  /// The UID that an annotation chooses; nil to find the entity by its name.
  package var uid: UID?
  /// The stored properties, the id among them, in the order of the sources.
  package var properties: [SourceProperty]
  package var place: SourcePlace
}

/// A stored property of an entity type.
package struct SourceProperty: Hashable, Sendable {
  /// The name in Swift, in backticks where the sources write it so.
  package var swiftName: String
  /// The name in the model file.
  package var name: String
  /// The UID that an annotation chooses; nil to find the property by its name.
  package var uid: UID?
  package var type: SwiftValueType
  package var isOptional: Bool
  /// The type in the model file.
  package var storedType: PropertyType
  package var flags: PropertyFlags
  package var place: SourcePlace

  package var isID: Bool { flags.contains(.id) }
}
