/// A change of an object or pair without conditions, which a client applies to its base.
package enum Effect<ID: Hashable & Sendable>: Hashable, Sendable {
  /// Named properties got their values. If `isWhole`, all others have none.
  case put(ObjectKey<ID>, life: UInt32, Fields<ID>, isWhole: Bool)
  /// Exactly these pairs of all relations have the object as their source.
  case pairs(ObjectKey<ID>, [Pair<ID>])
  /// The object is gone for everybody, and its pairs with it; the life is the even one.
  case remove(ObjectKey<ID>, life: UInt32)
  /// The object left the view of the session; the life is the even one before its own.
  case forget(ObjectKey<ID>, life: UInt32)
  case link(Pair<ID>)
  case unlink(Pair<ID>)
}

/// An effect in the log, with what decides who may see it.
package struct LoggedEffect: Hashable, Sendable {
  /// The effect for those who saw the object before and after it.
  package var effect: Effect<GlobalID>
  /// The values before the effect of the properties that filters read, of the source for a pair.
  package var before: Fields<GlobalID>
  /// The life before the effect.
  package var lifeBefore: UInt32
  /// The whole object afterwards, if a property that a filter reads changed.
  package var whole: Fields<GlobalID>?
  /// The pairs that the object is the source of, if there is `whole`.
  package var pairs: [GlobalPair]

  /// Creates an effect on something whose entity has no filters.
  package init(
    _ effect: Effect<GlobalID>, before: Fields<GlobalID> = Fields(), lifeBefore: UInt32 = 0,
    whole: Fields<GlobalID>? = nil, pairs: [GlobalPair] = []
  ) {
    (self.effect, self.before, self.lifeBefore) = (effect, before, lifeBefore)
    (self.whole, self.pairs) = (whole, pairs)
  }
}

/// A transaction in the log.
package struct LogEntry: Hashable, Sendable {
  /// The place in the log, from 1.
  package var position: UInt64
  /// The number of the branch of the store.
  package var number: UInt64
  /// The place among the transactions of the number.
  package var n: UInt64
  /// The mark of the transaction.
  package var mark: UInt64
  /// The code; a rejected transaction has no effects.
  package var code: SyncCode
  /// The operation that caused the rejection.
  package var place: Int
  /// Whether the transaction had exactly the effect that its author expects.
  package var isExact: Bool
  /// Whether a fork made the number, so that other copies may have the transaction under another one.
  package var isFork: Bool
  /// The effects, in order.
  package var effects: [LoggedEffect]
  /// The chain after the entry.
  package var chain: UInt64
}
