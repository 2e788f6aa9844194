/// The kinds of operations; their raw values are the protocol's.
package enum OperationKind: UInt8, Sendable {
  case insert = 1, update, remove, link, unlink
  /// The removal of an object whose unique value was taken over; never sent, since the server decides
  /// whether the put that took it over has an effect.
  case replaced
}

/// A change of one object or pair, as its author made it.
package struct SyncOperation<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The kind.
  package var kind: OperationKind
  /// The UID of the entity, or of the relation of a pair.
  package var element: UID
  /// The object, or the source of a pair.
  package var object: ID
  /// The target of a pair; nil for an object.
  package var target: ID?
  /// The life of the object that the author saw, or that an insert gives it; 0 for a pair.
  package var life: UInt32
  /// The properties that an insert or update names: for an insert, and where the whole object is merged,
  /// all that the author's model has, those without a value too.
  package var fields: Fields<ID>
  /// Whether an insert has an id that its store never used before, so that a fork moves the object.
  package var isFresh: Bool

  /// Creates an operation on an object.
  package init(
    _ kind: OperationKind, _ key: ObjectKey<ID>, life: UInt32, fields: Fields<ID> = Fields(),
    isFresh: Bool = false
  ) {
    (self.kind, element, object, target) = (kind, key.entity, key.id, nil)
    (self.life, self.fields, self.isFresh) = (life, fields, isFresh)
  }

  /// Creates the link or unlink of a pair.
  package init(_ kind: OperationKind, _ pair: Pair<ID>) {
    (self.kind, element, object, target) = (kind, pair.relation, pair.source, pair.target)
    (life, fields, isFresh) = (0, Fields(), false)
  }

  /// The object of an operation on an object.
  var key: ObjectKey<ID> { ObjectKey(entity: element, id: object) }

  /// The pair of a link or unlink; nil for an operation on an object.
  var pair: Pair<ID>? { target.map { Pair(relation: element, source: object, target: $0) } }
}

/// A transaction that a store sends.
package struct Submission: Hashable, Sendable {
  /// The number of the branch of the store.
  package var number: UInt64
  /// The number that this one was forked from; 0 if it was not.
  package var previous: UInt64
  /// The place among the transactions of the number, from 1.
  package var n: UInt64
  /// The random bits that the commit drew.
  package var mark: UInt64
  /// The code with which the transaction was rejected before the server lost it; nil unless it is void.
  package var void: SyncCode?
  /// The operations; none in a void transaction.
  package var operations: [SyncOperation<GlobalID>]

  /// Creates a transaction.
  package init(
    number: UInt64, previous: UInt64 = 0, n: UInt64, mark: UInt64, void: SyncCode? = nil,
    operations: [SyncOperation<GlobalID>]
  ) {
    (self.number, self.previous, self.n, self.mark) = (number, previous, n, mark)
    (self.void, self.operations) = (void, operations)
  }
}
