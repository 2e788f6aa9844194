internal import BoxModel
internal import BoxStorage

/// A walk through the entries of an index in the order of its keys.
struct IndexWalk {
  /// The place after which a walk begins.
  struct Start {
    var key: IndexKey
    var id: UInt64
    /// The whole string, of which a key has the beginning; empty for other types.
    var text: [UInt8] = []
  }

  /// The direction of the keys.
  let keys: VisitDirection
  /// The direction of the ids of each key.
  let members: VisitDirection
  /// The place after which it begins; nil for all entries.
  var start: Start?

  /// The walk through all entries, keys and ids in one direction.
  init(_ direction: VisitDirection) { (keys, members) = (direction, direction) }

  /// Begins with the entries of a value.
  ///
  /// - Parameters:
  ///   - key: The key of the value.
  ///   - value: The value.
  mutating func begin(from key: IndexKey, of value: Value) {
    // Before the first or after the last id that an object can have.
    start = Start(key: key, id: members == .forward ? 0 : .max)
    if case .string(let text) = value { start?.text = Array(text.utf8) }
  }

  /// The walk through a part of the answer to a query that has one term of order.
  ///
  /// - Returns: nil if the part begins after a place that has no entry in the index.
  init?(_ index: IndexSchema, _ term: SortTerm, _ window: KeyWindow) {
    keys = term.rule.isDescending != window.isReversed ? .backward : .forward
    members = window.isReversed ? .backward : .forward
    guard let place = window.start else { return }
    if place.group != 1 { return nil }
    if index.hasByteKeys {
      guard let text = place.text(term.rule) else { return nil }
      start = Start(key: index.key(text: text), id: place.id, text: text)
    } else {
      start = Start(
        key: .integer(term.rule.isDescending ? ~place.prefix : place.prefix), id: place.id)
    }
  }
}
