internal import BoxModel

extension PropertyQuery where T: StringPropertyType {
  /// Takes equal strings for one; of those, the one of the object with the lowest id is found.
  ///
  /// - Parameter caseSensitiveCompare: Whether strings that differ in case alone are different.
  /// - Returns: This property query.
  /// - Throws: Nothing so far; code for ObjectBox writes `try`.
  /// - Complexity: O(1).
  @discardableResult
  public func distinct(
    caseSensitiveCompare: Bool = true
  ) throws -> PropertyQuery<EntityType, ValueType> {
    distinct(ignoresCase: !caseSensitiveCompare)
  }

  /// All strings, in the order of the ids of their objects.
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: As ``Query/find(offset:limit:)``; no objects are built.
  public func findStrings() throws -> [String] { try all(string) }

  /// The string of the object with the lowest id; nil without values.
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: As ``findStrings()``, up to the first string.
  public func findString() throws -> String? { try first(1, string).first }

  /// The only string; nil without values.
  ///
  /// - Throws: ``ObjectBoxError/uniqueViolation(message:)`` if there are several; with ``distinct()``, if
  ///   there are different ones.
  /// - Complexity: As ``findStrings()``, up to the second string.
  public func findUniqueString() throws -> String? { try unique(string) }

  private func string(_ value: Value) -> String? {
    if case .string(let string) = value { string } else { nil }
  }

  /// Takes a string for the objects without one.
  ///
  /// - Returns: This property query.
  @discardableResult
  public func with(nullString: String) -> PropertyQuery<EntityType, ValueType> {
    with(nullValue: .string(nullString))
  }
}
