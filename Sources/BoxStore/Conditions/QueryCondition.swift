internal import BoxEngine

/// A condition on the objects of an entity, for ``Box/query(_:)``.
///
/// Conditions are built from the properties of an entity type, and combined with `&&`, `||` and `!`:
///
/// ```swift
/// let cheap = Book.price < 10 && !Book.isbn.isNil()
/// ```
///
/// A comparison with nil is false, also with `!=` and `∉`; only `isNil()` matches nil. `!` negates the
/// result: `!(Book.price < 10)` matches a book without a price.
///
/// The properties are looked up in the model of the store when the query is built.
///
/// It is immutable, so threads can share it; subclasses add only their types.
public class QueryCondition<E: EntityInspectable & __EntityRelatable>: @unchecked Sendable
where E == E.EntityBindingType.EntityType {
  /// The entity type.
  public typealias EntityType = E

  let tree: ConditionTree

  init(_ tree: ConditionTree) { self.tree = tree }

  /// Reads a condition from a text: `price < 10 && author.name startsWith "A"`.
  ///
  /// ```swift
  /// let typed = try QueryCondition<Book>(parsing: "price < 10 && title startsWith 'A'")
  /// let found = try books.query { typed }.build().find()
  /// ```
  ///
  /// The text names properties and relations as the model does. Names and values are checked when the
  /// query is built. Values in a text cannot be changed later.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` with the line and the column of an error.
  /// - Complexity: O(*n*) in the length of the text.
  public convenience init(parsing text: String) throws {
    do throws(ConditionError) {
      self.init(ConditionTree(.parsed(try ConditionParser.parse(text))))
    } catch {
      throw ObjectBoxError.illegalArgument(message: "\(error)")
    }
  }
}

/// A condition on one property, whose values can be changed in a query: see ``Query``.
public class PropertyQueryCondition<
  E: EntityInspectable & __EntityRelatable, T: EntityPropertyTypeConvertible
>: QueryCondition<E>, @unchecked Sendable where E == E.EntityBindingType.EntityType {
  /// The entity type.
  public typealias EntityType = E
  /// The type of the values of the property.
  public typealias ValueType = T

  let test: PropertyTest

  init(_ test: PropertyTest) {
    self.test = test
    super.init(ConditionTree(.test(test)))
  }

  convenience init<V: EntityPropertyTypeConvertible>(
    _ property: Property<E, V, some Any>, _ kind: PropertyTest.Kind
  ) {
    self.init(
      PropertyTest(
        entity: E.entityInfo.entitySchemaId, property: property.propertyId,
        valueType: ObjectIdentifier(V.self), kind: kind))
  }
}

/// A condition on one property with a name by which its values can be changed.
public final class PropertyAlias<
  E: EntityInspectable & __EntityRelatable, T: EntityPropertyTypeConvertible
>: QueryCondition<E>, @unchecked Sendable where E == E.EntityBindingType.EntityType {
  /// The entity type.
  public typealias EntityType = E
  /// The type of the values of the property.
  public typealias ValueType = T

  /// The name.
  public let alias: String

  init(_ alias: String, _ condition: PropertyQueryCondition<E, T>) {
    self.alias = alias
    var test = condition.test
    test.alias = alias
    super.init(ConditionTree(.test(test)))
  }
}

extension QueryCondition {
  /// Matches every object.
  public static var always: QueryCondition<E> { QueryCondition(.always) }

  /// Matches no object.
  public static var never: QueryCondition<E> { QueryCondition(.never) }
}
