package import BoxModel
internal import BoxReport

/// The changes of one commit that a search for neighbours has to follow, or of several that follow each other.
package struct FollowedChanges: Sendable {
  /// The number of the first commit.
  package var first: UInt64
  /// The number of the last commit.
  package var number: UInt64
  /// The ids of the objects that were changed, by the UIDs of the entities; they may repeat.
  package var ids: [UID: [UInt64]]

  /// Creates the changes of one commit, or of all from a first one on.
  init(first: UInt64? = nil, number: UInt64, ids: [UID: [UInt64]]) {
    self.first = first ?? number
    self.number = number
    self.ids = ids
  }
}

/// A search for nearest vectors that need not look at all of them.
///
/// Nothing that it says is trusted: the engine reads each candidate again in the transaction of the query.
/// One that is missing is not found, and nothing else can go wrong.
package protocol NeighbourSearch: AnyObject, Sendable {
  /// Whether it needs the changes of the objects of an entity.
  func follows(_ entity: EntitySchema) -> Bool

  /// Called with the changes of each commit of this opening of the store, in order, and before it is made: who
  /// sees a commit finds its changes. Where commits of others are heard, it is called with them later.
  ///
  /// It is called while no other transaction writes, and has to return at once. Commits that changed no
  /// object are among them, but transactions that wrote nothing are not.
  func recordChanges(_ changes: FollowedChanges)

  /// Called after each commit whose changes were noted.
  ///
  /// - Parameters:
  ///   - number: The number of the commit.
  ///   - isCommitted: Whether it was committed; if not, another transaction can get its number.
  func end(_ number: UInt64, isCommitted: Bool)

  /// The candidates for the nearest vectors.
  ///
  /// - Parameters:
  ///   - request: The vector, and the state of the store in which it is asked.
  ///   - admits: Whether an object may be found.
  /// - Returns: The candidates.
  /// - Throws: The error of `admits`.
  func candidates(
    _ request: NeighbourRequest, admits: (UInt64) throws(StoreError) -> Bool
  ) throws(StoreError) -> NeighbourCandidates
}

/// A search for nearest vectors in one state of a store.
package struct NeighbourRequest: Sendable {
  /// The entity.
  package var entity: EntitySchema
  /// The property with the vectors.
  package var property: PropertySchema
  /// The distances from the vector.
  package var measure: VectorMeasure
  /// The maximum number of objects that are asked for.
  package var maximum: Int
  /// The number of the last commit that the transaction sees.
  package var number: UInt64
  /// The objects that the transaction itself has changed; they may repeat.
  package var changed: [UInt64]
  /// The number of objects that may be found, if it is known.
  package var admitted: Int?
  /// The number of all objects of the entity.
  package var objects: Int
}

/// The answer of a search for nearest vectors.
package enum NeighbourCandidates: Sendable {
  /// The vectors have to be compared, for a reason.
  case none(String)
  /// Most of the nearest of the objects that were admitted, the nearest first, and others that were not
  /// asked about.
  case found(near: [UInt64], others: Set<UInt64>)
  /// All of the objects that were admitted and may be among the nearest, in no order, and others that were
  /// not asked about.
  case compared(near: [UInt64], others: Set<UInt64>)
}

extension NeighbourSearch {
  /// The changes of a transaction that is about to be committed; nil if it wrote nothing, or if they were not
  /// noted, as the search was attached meanwhile.
  func changes(
    of writes: PendingWrites, number: UInt64, _ entities: [EntitySchema]
  ) -> FollowedChanges? {
    let changes = writes.changes
    // The storage reuses the number of a transaction that wrote nothing for the next one, possibly of another
    // process. A commit that wrote last ids alone, or entries of data sync, has a number of its own, which is missed if
    // it is left out.
    if changes.isEmpty, !writes.hasWrittenIDs, !writes.hasWrittenArrivals,
      !(writes.capture?.hasWritten ?? false)
    {
      return nil
    }
    var ids: [UID: [UInt64]] = [:]
    for entity in entities where changes.touched[entity.position] && follows(entity) {
      if !changes.isObserved(entity.position) { return nil }
      ids[entity.uid] = changes.ids(entity.position)
    }
    return FollowedChanges(number: number, ids: ids)
  }
}

/// The strategy by which nearest vectors were found.
package enum NearestStrategy: Hashable, Sendable, CustomStringConvertible {
  /// All vectors were compared, or only vectors of objects that fulfil the other conditions.
  case scan(reason: String)
  /// All vectors were compared in memory, and some candidates were read again.
  case memory(candidates: Int)
  /// A graph was searched, and some candidates were read again.
  case graph(candidates: Int)

  /// The strategy in words.
  package var description: String {
    switch self {
    case .scan(let reason): "by comparing vectors: \(reason)"
    case .memory(let count): "by comparing vectors in memory, \(counted(count, "candidate"))"
    case .graph(let count): "by the graph, \(counted(count, "candidate"))"
    }
  }
}
