public import BoxModel

/// A change of an object in a committed transaction.
public struct ObjectChange: Hashable, Sendable {
  /// The kind of a change.
  public enum Kind: Hashable, Sendable {
    case inserted, updated, removed
  }

  /// The kind of the change.
  public var kind: Kind
  /// Its id.
  public var id: UInt64
}

/// A change of a to-many relation in a committed transaction.
public struct RelationChange: Hashable, Sendable {
  /// The UID of the relation.
  public var relation: UID
  /// The id of the object that the relation leads from.
  public var source: UInt64
  /// The id of the target object.
  public var target: UInt64
  /// Whether the pair was added; else it was taken out.
  public var isAdded: Bool
}

/// The changes of one entity in one committed transaction.
public struct EntityChanges: Hashable, Sendable {
  /// The UID of the entity.
  public var entity: UID
  /// The changes in the order in which they were made; an object can occur more than once.
  ///
  /// For a commit of another process they are in the order of the ids, each object once: they are the
  /// difference between two states, and an object counts as updated if its bytes differ.
  ///
  /// An object from which a to-many relation was changed is ``ObjectChange/Kind/updated``: once for all
  /// its relations, and again for each nested call that asked for its own changes.
  public var changes: [ObjectChange]
  /// The changes of the entity's to-many relations, in the order in which they were made; for another process
  /// by source and target.
  ///
  /// Pairs that went with a removed object are not listed.
  public var relations: [RelationChange] = []
  /// Whether any object of the entity may have changed: then nothing is listed.
  ///
  /// So it is for a transaction that began before the observer, and where another process changed very much at once.
  /// Read what you need again.
  public internal(set) var isWhole = false

  init(entity: UID, changes: [ObjectChange]) {
    self.entity = entity
    self.changes = changes
  }

  /// The changes of an entity any of whose objects may have changed.
  init(wholeOf entity: UID) {
    self.init(entity: entity, changes: [])
    isWhole = true
  }

  /// The changes with at most one for each object: the difference that the transaction made to it.
  ///
  /// An object that was inserted and removed is left out, and one that was removed and inserted again
  /// counts as updated. The objects come in the order of their first change.
  ///
  /// - Complexity: O(*n*) on average.
  public var coalesced: [ObjectChange] {
    var positions: [UInt64: Int] = [:]
    var result: [ObjectChange?] = []
    for change in changes {
      guard let position = positions[change.id], let first = result[position] else {
        positions[change.id] = result.count
        result.append(change)
        continue
      }
      result[position] = Self.merged(first, change)
      if result[position] == nil { positions[change.id] = nil }
    }
    return result.compactMap(\.self)
  }

  private static func merged(_ first: ObjectChange, _ second: ObjectChange) -> ObjectChange? {
    switch (first.kind, second.kind) {
    case (.inserted, .removed): nil
    case (.inserted, _): first
    case (.removed, .inserted): ObjectChange(kind: .updated, id: first.id)
    default: second
    }
  }
}

/// The place where a commit was made.
public enum CommitOrigin: Hashable, Sendable {
  /// This opening of the store.
  case here
  /// Another opening, in this process or in another one.
  case elsewhere
}

/// The changes that one committed transaction made to the entities that an observer asked for; from another
/// process, the changes of all transactions since the last known state.
public struct CommitChanges: Hashable, Sendable {
  /// The number of the commit, which increases from one to the next.
  ///
  /// A read transaction with this number or a higher one sees the changes.
  public var number: UInt64
  /// The place where the commit was made.
  ///
  /// Commits from ``CommitOrigin/elsewhere`` are delivered if ``StoreOptions/hearing`` says so. Several of
  /// them can come as one. If another process commits right after this one, an object that this opening
  /// changed may be among them, too.
  public var origin = CommitOrigin.here
  /// The entities that were changed, in the order of the model.
  public var entities: [EntityChanges]
}

/// The detail in which an observer receives changes.
public enum ObservationDetail: Hashable, Sendable {
  /// The entities that were changed; nothing is noted for each object, so that writers lose no time.
  case entities
  /// The objects and relations as well.
  case objects
}
