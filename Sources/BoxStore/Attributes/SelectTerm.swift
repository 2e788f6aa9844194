/// A value of a known type in the rows of a ``Selection``.
public struct SelectTerm<E: EntityInspectable & __EntityRelatable, Value: SelectableValue>: Sendable
where E == E.EntityBindingType.EntityType {
  let attribute: AttributeTerm<E>

  private init(_ attribute: AttributeTerm<E>) { self.attribute = attribute }
}

// MARK: - Values of objects

extension SelectTerm where Value: EntityPropertyTypeConvertible {
  /// The value of a property.
  ///
  /// For a property that is not optional, null is 0, false, or empty, as in an object; groups tell it
  /// from such a value.
  public static func value(_ property: Property<E, Value, Void>) -> SelectTerm {
    SelectTerm(.value(property))
  }
}

extension SelectTerm where Value == EntityId<E> {
  /// The id of the object.
  public static var id: SelectTerm { SelectTerm(.id) }
}

extension SelectTerm {
  /// The id of the target of a to-one relation; nil without a target.
  public static func value<R: Entity>(
    _ relation: Property<E, EntityId<R>, R>
  ) -> SelectTerm where Value == EntityId<R>? {
    SelectTerm(.value(relation))
  }

  /// The number of targets of a to-many relation.
  public static func count<R: EntityInspectable>(
    _ relation: ToManyProperty<R>
  ) -> SelectTerm where Value == Int {
    SelectTerm(.count(relation))
  }
}

// MARK: - Aggregates

extension SelectTerm {
  /// The number of objects that have a value of a property; of all objects for the id.
  public static func count<V, R>(
    _ property: Property<E, V, R>
  ) -> SelectTerm where Value == Int {
    SelectTerm(.count(property))
  }

  /// The greatest value of a property; nil without values.
  ///
  /// Strings are in the order of their UTF-8 bytes.
  public static func max<V>(
    _ property: Property<E, V, Void>
  ) -> SelectTerm where Value == V? {
    SelectTerm(.max(property))
  }

  /// The greatest value of an optional property; nil without values.
  public static func max<V>(
    _ property: Property<E, V?, Void>
  ) -> SelectTerm where Value == V? {
    SelectTerm(.max(property))
  }

  /// The least value of a property; nil without values.
  ///
  /// Strings are in the order of their UTF-8 bytes.
  public static func min<V>(
    _ property: Property<E, V, Void>
  ) -> SelectTerm where Value == V? {
    SelectTerm(.min(property))
  }

  /// The least value of an optional property; nil without values.
  public static func min<V>(
    _ property: Property<E, V?, Void>
  ) -> SelectTerm where Value == V? {
    SelectTerm(.min(property))
  }

  /// The mean of integers, from their exact sum; nil without values.
  public static func average<V: FixedWidthInteger>(
    _ property: Property<E, V, Void>
  ) -> SelectTerm where Value == Double? {
    SelectTerm(.average(property))
  }

  /// The mean of optional integers; nil without values.
  public static func average<V: FixedWidthInteger>(
    _ property: Property<E, V?, Void>
  ) -> SelectTerm where Value == Double? {
    SelectTerm(.average(property))
  }

  /// The mean of numbers; nil without values.
  public static func average<V: BinaryFloatingPoint>(
    _ property: Property<E, V, Void>
  ) -> SelectTerm where Value == Double? {
    SelectTerm(.average(property))
  }

  /// The mean of optional numbers; nil without values.
  public static func average<V: BinaryFloatingPoint>(
    _ property: Property<E, V?, Void>
  ) -> SelectTerm where Value == Double? {
    SelectTerm(.average(property))
  }

  /// The exact sum of integers; 0 without values, and an error if it does not fit.
  public static func sum<V: FixedWidthInteger>(
    _ property: Property<E, V, Void>
  ) -> SelectTerm where Value == Int64 {
    SelectTerm(.sum(property))
  }

  /// The exact sum of optional integers; 0 without values, and an error if it does not fit.
  public static func sum<V: FixedWidthInteger>(
    _ property: Property<E, V?, Void>
  ) -> SelectTerm where Value == Int64 {
    SelectTerm(.sum(property))
  }

  /// The sum of numbers, with the rounding errors added up beside it; 0 without values.
  public static func sum<V: BinaryFloatingPoint>(
    _ property: Property<E, V, Void>
  ) -> SelectTerm where Value == Double {
    SelectTerm(.sum(property))
  }

  /// The sum of optional numbers; 0 without values.
  public static func sum<V: BinaryFloatingPoint>(
    _ property: Property<E, V?, Void>
  ) -> SelectTerm where Value == Double {
    SelectTerm(.sum(property))
  }
}
