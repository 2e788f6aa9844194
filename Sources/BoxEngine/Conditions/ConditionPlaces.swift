internal import BoxJSON

/// The places in texts of the names and the values of a condition, each in their order.
///
/// A condition can be joined of some that were read from texts and of others that have no places.
package struct ConditionPlaces: Sendable {
  /// The places of the first names and values; later ones have none.
  private(set) var names: [JSONPosition?] = []
  private(set) var values: [JSONPosition?] = []
  /// The number of names and values that were taken.
  private var (nameCount, valueCount) = (0, 0)

  /// Creates the places of nothing.
  package init() {}

  /// Takes the next part of the condition, which was read from a text.
  package mutating func append(_ parsed: ParsedCondition) {
    names += repeatElement(nil, count: nameCount - names.count)
    names += parsed.positions
    values += repeatElement(nil, count: valueCount - values.count)
    values += parsed.valuePositions
    append(parsed.condition)
  }

  /// Takes the next part of the condition, which has no text.
  package mutating func append(_ condition: Condition) {
    nameCount += condition.names.count
    valueCount += condition.valueCount
  }

  /// Counts the name of a relation without a text, before the condition of its link.
  package mutating func appendLink() { nameCount += 1 }
}
