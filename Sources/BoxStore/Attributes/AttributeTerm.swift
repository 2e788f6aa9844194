internal import BoxEngine

/// A value in the rows of ``Query/attributes(_:groupedBy:offset:limit:)-([AttributeTerm<E>],_,_,_)``.
///
/// ```swift
/// let rows = try query.attributes(.value(Book.genre), .count(Book.isbn, as: "n"), groupedBy: [.value(Book.genre)])
/// ```
///
/// Without a name of its own a value has the name of its property in the model, and an aggregate a name
/// like `count(isbn)`: the other words are `average`, `max`, `min` and `sum`.
public struct AttributeTerm<E: EntityInspectable & __EntityRelatable>: Hashable, Sendable
where E == E.EntityBindingType.EntityType {
  enum Kind: Hashable, Sendable {
    /// The id of the object.
    case id
    /// A property, with the type that it has in Swift.
    case value(obx_schema_id, ObjectIdentifier)
    case aggregate(RowAggregate, obx_schema_id, ObjectIdentifier)
    case targets(QueryLink)
  }

  let kind: Kind
  /// The name that the caller gives; nil for the default.
  public let alias: String?

  /// Whether it is the sum of values.
  var isSum: Bool { if case .aggregate(.sum, _, _) = kind { true } else { false } }

  init(_ kind: Kind, _ alias: String? = nil) {
    self.kind = kind
    self.alias = alias
  }
}

extension AttributeTerm {
  /// The id of the object.
  public static var id: AttributeTerm { AttributeTerm(.id) }

  /// The id of the object, with a name.
  public static func id(as alias: String) -> AttributeTerm { AttributeTerm(.id, alias) }

  /// The value of a property; the id of the target for a to-one relation.
  public static func value<V, R>(
    _ property: Property<E, V, R>, as alias: String? = nil
  ) -> AttributeTerm {
    AttributeTerm(
      property.isPrimaryKey ? .id : .value(property.propertyId, ObjectIdentifier(V.self)), alias)
  }

  /// The mean of the values of a property of numbers, without null.
  public static func average<V>(
    _ property: Property<E, V, Void>, as alias: String? = nil
  ) -> AttributeTerm {
    AttributeTerm(
      .aggregate(.average, property.propertyId, ObjectIdentifier(V.self)), alias)
  }

  /// The number of objects that have a value of a property; of all objects for the id.
  public static func count<V, R>(
    _ property: Property<E, V, R>, as alias: String? = nil
  ) -> AttributeTerm {
    AttributeTerm(
      .aggregate(.count, property.propertyId, ObjectIdentifier(V.self)), alias)
  }

  /// The number of targets of a to-many relation.
  ///
  /// The name is the name of the relation in the model. A backlink has the names of the entity and its
  /// relation, as in `count(Book.authorId)`.
  public static func count<R: EntityInspectable>(
    _ relation: ToManyProperty<R>, as alias: String? = nil
  ) -> AttributeTerm {
    AttributeTerm(.targets(QueryLink(relation.toManyId, R.entityInfo)), alias)
  }

  /// The greatest value of a property; strings and bytes are in the order of their bytes.
  public static func max<V>(
    _ property: Property<E, V, Void>, as alias: String? = nil
  ) -> AttributeTerm {
    AttributeTerm(
      .aggregate(.maximum, property.propertyId, ObjectIdentifier(V.self)), alias)
  }

  /// The least value of a property; strings and bytes are in the order of their bytes.
  public static func min<V>(
    _ property: Property<E, V, Void>, as alias: String? = nil
  ) -> AttributeTerm {
    AttributeTerm(
      .aggregate(.minimum, property.propertyId, ObjectIdentifier(V.self)), alias)
  }

  /// The sum of the values of a property of numbers; 0 without values.
  public static func sum<V>(
    _ property: Property<E, V, Void>, as alias: String? = nil
  ) -> AttributeTerm {
    AttributeTerm(
      .aggregate(.sum, property.propertyId, ObjectIdentifier(V.self)), alias)
  }
}

extension QueryLink: Hashable {
  static func == (a: QueryLink, b: QueryLink) -> Bool {
    a.kind == b.kind && a.other.entitySchemaId == b.other.entitySchemaId
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(other.entitySchemaId)
  }
}

extension AttributeTerm: CustomDebugStringConvertible {
  /// The term with the id of its property, and its name.
  public var debugDescription: String { "AttributeTerm<\(E.self)>(\(words))" }

  /// The term with the id of its property, and its name.
  var words: String {
    let text =
      switch kind {
      case .id: "id"
      case .value(let id, _): "property(\(id))"
      case .aggregate(let aggregate, let id, _): "\(aggregate.rawValue)(property(\(id)))"
      case .targets(let link): "count(relation to \(link.other.entityName))"
      }
    return text + (alias.map { " as \($0)" } ?? "")
  }
}

extension SelectTerm: CustomDebugStringConvertible {
  /// The term with the id of its property, and the type of its values.
  public var debugDescription: String {
    "SelectTerm<\(Value.self)>(\(attribute.debugDescription))"
  }
}
