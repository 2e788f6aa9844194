internal import BoxModel

extension PropertyQuery where T: StoredPropertyType {
  // Integers have the calls of ObjectBox, with their own comments.

  /// All values, in the order of the ids of their objects.
  ///
  /// ```swift
  /// let dates = try query.property(Book.published).find()
  /// ```
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: As ``Query/find(offset:limit:)``; no objects are built.
  @_disfavoredOverload
  public func find() throws -> [T.FoundValue] {
    let unit = unit
    return try all { PropertyValue($0, unit: unit).flatMap(T.foundValue) }
  }

  /// The only value; nil without values.
  ///
  /// - Throws: ``ObjectBoxError/uniqueViolation(message:)`` if there are several; with ``distinct()``, if
  ///   there are different ones.
  /// - Complexity: As ``find()``, up to the second value.
  @_disfavoredOverload
  public func findUnique() throws -> T.FoundValue? {
    let unit = unit
    return try unique { PropertyValue($0, unit: unit).flatMap(T.foundValue) }
  }
}
