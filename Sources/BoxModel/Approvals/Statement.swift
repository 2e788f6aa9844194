/// A statement that an element began without its data on purpose.
public struct StatedReset: Hashable, Sendable {
  /// The element, for readers of the file, such as `Note.created`.
  public var element: String
  /// The UID that it had.
  public var from: UID
  /// The UID that it has since.
  public var to: UID
  /// The path of the model from the top of the repository.
  public var file: String

  /// Creates a statement.
  public init(element: String, from: UID, to: UID, file: String) {
    self.element = element
    self.from = from
    self.to = to
    self.file = file
  }
}

/// A statement that the values of a property are converted when its type changes.
public struct StatedConversion: Hashable, Sendable {
  /// The property, for readers of the file, such as `Note.size`.
  public var element: String
  /// The UID of the property.
  public var uid: UID
  /// The type that it had.
  public var from: PropertyType
  /// The type that it has since.
  public var to: PropertyType
  /// The path of the model from the top of the repository.
  public var file: String

  /// Creates a statement.
  public init(element: String, uid: UID, from: PropertyType, to: PropertyType, file: String) {
    self.element = element
    self.uid = uid
    self.from = from
    self.to = to
    self.file = file
  }

  /// Creates a statement about a change.
  package init(_ change: TypeDifference, file: String) {
    self.init(
      element: change.element, uid: change.uid, from: change.before, to: change.after, file: file)
  }
}

/// A property that has another type than in an earlier version, and the same UID.
package struct TypeDifference: Hashable, Sendable {
  /// The name, such as `Note.size`.
  package var element: String
  package var uid: UID
  package var before: PropertyType
  package var after: PropertyType
}

extension Model {
  /// The properties that have another known type than in an earlier version, in the order of the file.
  ///
  /// - Complexity: O(*n*) in the number of properties of both.
  package func typeDifferences(since earlier: Model) -> [TypeDifference] {
    var types: [UID: PropertyType] = [:]
    for property in earlier.entities.lazy.flatMap(\.properties) {
      types[property.pair.uid] = property.type
    }
    return entities.flatMap { entity in
      entity.properties.compactMap { property in
        guard let before = types[property.pair.uid], let after = property.type, before != after,
          before.isKnown, after.isKnown
        else { return nil }
        return TypeDifference(
          element: "\(entity.name).\(property.name)", uid: property.pair.uid, before: before,
          after: after)
      }
    }
  }
}
