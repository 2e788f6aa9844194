internal import BoxModel

/// A question about the objects of an entity, as data.
///
/// ``ObjectStore/prepare(_:converters:)`` checks it and plans its answer. The answer does not depend on
/// the indexes of the entity, its order included: the order that is asked for, then the ids.
public struct StoreQuery: Hashable, Sendable {
  /// The entity.
  public var entity: EntitySchema
  /// The condition that the objects fulfil.
  public var condition: Condition
  /// The order of the objects; by id where it leaves that open.
  public var order: [QueryOrder]

  /// Creates a query.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - condition: The condition that the objects fulfil.
  ///   - order: The order of the objects, the first property first.
  public init(
    _ entity: EntitySchema, _ condition: Condition = .always, order: [QueryOrder] = []
  ) {
    self.entity = entity
    self.condition = condition
    self.order = order
  }
}

/// An order of objects by the values of a property.
///
/// Numbers are in their order, with NaN above all others and -0.0 equal to 0.0; `false` comes before
/// `true`. Strings are in the order of their UTF-8 bytes, or, ignoring case, of the bytes of their
/// folded forms; bytes are in the order of the bytes.
public struct QueryOrder: Hashable, Sendable {
  /// The place of objects without a value.
  public enum Nulls: String, Hashable, Sendable, CaseIterable {
    /// Before all values, and after them in descending order, as in SQLite.
    case smallest
    case first
    case last
    /// Among the objects whose value is zero; for numbers.
    case zero
  }

  /// The name of the property.
  public var property: String
  /// Whether the largest values come first.
  public var isDescending: Bool
  /// Whether strings are compared without regard to case.
  public var ignoresCase: Bool
  /// The place of objects without a value.
  public var nulls: Nulls
  /// Whether negative integers come after the others, because their bits are read as large unsigned ones.
  package var takesBitsAsUnsigned = false

  /// Creates an order.
  public init(
    _ property: String, descending: Bool = false, ignoringCase: Bool = false,
    nulls: Nulls = .smallest
  ) {
    self.property = property
    isDescending = descending
    ignoresCase = ignoringCase
    self.nulls = nulls
  }
}

extension QueryOrder: CustomStringConvertible {
  /// The order as `--order-by` takes it.
  public var description: String {
    // A number of a group is written as a function, with the names in it in backquotes.
    let isFunction =
      property.hasSuffix(")") && NamePath.isPlain(String(property.prefix { $0 != "(" }))
    return (isFunction ? property : NamePath.quoted(property)) + (isDescending ? " desc" : "")
      + (ignoresCase ? " ignoringCase" : "")
      + (nulls == .smallest ? "" : " nulls \(nulls.rawValue)")
  }
}
