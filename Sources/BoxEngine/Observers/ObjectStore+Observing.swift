extension ObjectStore {
  /// Calls a function after every commit that changed objects of an entity.
  ///
  /// Commits of other openings and of other processes are observed if ``StoreOptions/hearing`` says so, and the
  /// objects of a transaction in progress only perhaps.
  ///
  /// The calls are made one after the other, in the order of the commits, on a thread of the store.
  ///
  /// - Returns: The observation; the observer is active until it is released.
  /// - Throws: ``StoreError/foreignSchema(_:)``; ``StoreError/closed`` and ``StoreError/storage(_:)`` where commits of
  ///   others are heard.
  public func observe(
    _ entity: EntitySchema, _ handler: @escaping @Sendable (EntityChanges) -> Void
  ) throws(StoreError) -> Observation {
    try observe([entity]) { commit in
      for changes in commit.entities { handler(changes) }
    }
  }

  /// Calls a function once after every commit that changed any of several entities, as
  /// ``observe(_:_:)-(EntitySchema,_)`` does for one.
  ///
  /// The commit of a transaction that is in progress is delivered too, at least its entities. So a caller
  /// that observes and then reads misses nothing: commits with a number that the read transaction has reached
  /// are in what it reads.
  ///
  /// - Parameters:
  ///   - entities: The entities.
  ///   - detail: The detail of the changes.
  ///   - handler: The function.
  /// - Returns: The observation; the observer is active until it is released.
  /// - Throws: ``StoreError/foreignSchema(_:)``; ``StoreError/closed`` and ``StoreError/storage(_:)`` where commits of
  ///   others are heard.
  public func observe(
    _ entities: [EntitySchema], detail: ObservationDetail = .objects,
    _ handler: @escaping @Sendable (CommitChanges) -> Void
  ) throws(StoreError) -> Observation {
    for entity in entities where entity.identity !== schema.identity {
      throw StoreError.foreignSchema(entity.name)
    }
    let observation = observers.add(Set(entities.map(\.position)), detail, handler)
    guard let foreign else { return observation }
    try foreign.retain(self)
    return Observation {
      observation.cancel()
      foreign.release()
    }
  }

  /// Keeps hearing of commits that are made elsewhere, for who follows them without observing; nil where the store
  /// does not hear of them.
  ///
  /// - Throws: ``StoreError/closed`` or ``StoreError/storage(_:)``.
  package func keepHearing() throws(StoreError) -> Observation? {
    guard let foreign else { return nil }
    try foreign.retain(self)
    return Observation { foreign.release() }
  }

  /// Waits until the observers were called for everything that was committed before.
  public func waitForObservers() {
    foreign?.poll(self)
    observers.drain()
  }

  /// Waits until the observers were called for the commits that a read transaction sees, as far as they
  /// observe them.
  ///
  /// - Parameter number: The number of the transaction. It must not be called by an observer.
  package func waitForObservers(through number: UInt64) {
    foreign?.poll(self)
    observers.drain(through: number)
  }
}

extension Transaction {
  /// The number of the last commit that the transaction sees; in a write transaction, of its own.
  ///
  /// - Throws: ``StoreError/transactionEnded``, ``StoreError/usedWhileCoding``.
  package var number: UInt64 {
    get throws(StoreError) { try reading().number }
  }
}

extension Transaction {
  /// Notes the changes of all objects from now on, whether or not they are observed.
  ///
  /// - Returns: A mark for ``changes(of:since:)``; 0 in a read transaction.
  package func noteAllChanges() -> Int { isWritable ? pending.changes.observeAll() : 0 }

  /// Whether the transaction has changed objects of an entity, or relations of them.
  package func hasChanged(_ entity: EntitySchema) -> Bool {
    isWritable && pending.changes.touched[entity.position]
  }

  /// The changes that the transaction has made to the objects of an entity since a mark, at most one for
  /// each object; none in a read transaction.
  ///
  /// - Complexity: O(*n*) in the changes of all entities.
  package func changes(of entity: EntitySchema, since mark: Int) -> [ObjectChange] {
    EntityChanges(entity: entity.uid, changes: recordedChanges(of: entity, since: mark)).coalesced
  }

  /// The same in the order in which they were made; an object can occur more than once.
  ///
  /// - Complexity: O(*n*) in the changes of all entities.
  package func recordedChanges(of entity: EntitySchema, since mark: Int) -> [ObjectChange] {
    isWritable ? pending.changes.changes(of: entity.position, after: mark) : []
  }

  /// The same as ids that follow each other with one kind of change; the ids are not copied.
  ///
  /// - Complexity: O(*n*) in the runs of all entities, which are few where objects are changed one kind after the other.
  package func recordedRuns(
    of entity: EntitySchema, since mark: Int
  ) -> [(kind: ObjectChange.Kind, ids: ArraySlice<UInt64>)] {
    isWritable ? pending.changes.runs(of: entity.position, after: mark) : []
  }
}
