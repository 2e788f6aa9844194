internal import BoxEngine

extension Box {
  /// Puts one object, and the new targets of its relations.
  ///
  /// - Returns: Its id.
  func putOne(_ entity: E, _ mode: PutMode, matching lookup: UniqueLookup<E>? = nil) throws -> Id {
    if core.hasRelations {
      return try inContext(core.replacesOthers ? .savepoint : .log) { context in
        try putOnce(entity, mode, context)
      }
    }
    let given = binding.entityId(of: entity)
    do {
      // It is checked before it is written, unless others make room for it.
      return try storeCore.writing(core.replacesOthers ? .savepoint : .nothing) { transaction in
        let state = TransactionState.of(transaction)
        let id = try unsafe transaction.withRecordWriter { writer in
          let session = unsafe state.session(core, mode, transaction, writer)
          session.key = lookup?.matched
          do {
            return try binding.__put(entity, into: session, store: borrowed)
          } catch {
            throw withNumbersOfApp(error, entity, transaction)
          }
        }
        state.hasChanges = true
        return id
      }
    } catch {
      if given == 0 { binding.setEntityIdUnlessStruct(of: entity, to: 0) }
      throw error
    }
  }

  /// Puts a new object with relations under the id of one that it replaces.
  ///
  /// It gets the id like a new object, once its record is written, so that its relations to many are stored.
  func putNew(_ entity: E, replacing id: Id) throws -> Id {
    try inContext(core.replacesOthers ? .savepoint : .log) { context in
      if isClass { context.register(entity as AnyObject, id) }
      context.addInserted(core.schema, id)
      return try writeRecord(of: entity, .put, context, reserved: id)
    }
  }

  /// Puts several objects, all or none.
  ///
  /// - Parameters:
  ///   - entities: The objects.
  ///   - mode: The treatment of stored and new ones.
  ///   - key: The unique property by whose value objects without relations find those that they replace; nil if they go
  ///     by their ids.
  /// - Returns: Their ids, in order.
  /// - Throws: As ``putOne(_:_:matching:)``, and ``ObjectBoxError/illegalArgument(message:)`` for a property that is not
  ///   unique.
  func putAll(
    _ entities: [E], _ mode: PutMode, matching key: obx_schema_id? = nil
  ) throws -> [Id] {
    if entities.isEmpty { return [] }
    if core.hasRelations {
      return try inContext(.savepoint, besides: { Set($0) }) { context in
        try entities.map { try putOnce($0, mode, context) }
      }
    }
    var session: __PutSession?
    do {
      return try storeCore.writing(.savepoint) { transaction in
        let property = try key.map { try UniqueLookup(self, $0).matched }
        let ids = try unsafe transaction.withRecordWriter { writer in
          let made = unsafe __PutSession(core, mode, transaction, writer)
          made.key = property
          session = made
          do {
            return try binding.__put(entities, into: made, store: borrowed)
          } catch {
            guard entities.indices.contains(made.count) else { throw error }
            throw withNumbersOfApp(error, entities[made.count], transaction)
          }
        }
        TransactionState.of(transaction).hasChanges = true
        return ids
      }
    } catch {
      for position in session?.insertedPositions ?? [] {
        binding.setEntityIdUnlessStruct(of: entities[position], to: 0)
      }
      throw error
    }
  }

  // MARK: - Objects with relations

  /// Runs a put in the context of the one in progress on this thread, or in a new one.
  ///
  /// - Parameters:
  ///   - scope: The way in which a failure is rolled back in a transaction of the caller.
  ///   - roots: Called with the result; returns the ids of objects of the entity that may replace each other.
  ///   - body: Called with the context.
  /// - Returns: The result of the function.
  /// - Throws: ``ObjectBoxError`` for errors of the engine, and the errors of `body`.
  func inContext<R>(
    _ scope: PutScope, besides roots: (R) -> Set<Id> = { _ in [] },
    _ body: (PutContext) throws -> R
  ) throws -> R {
    let current = storeCore.engine.currentTransaction
    if let context = TransactionState.put(in: current) {
      return try storeCore.writing { _ in try body(context) }
    }
    return try storeCore.writing(scope) { transaction in
      let state = TransactionState.of(transaction)
      let context = PutContext(transaction, current == nil ? .nothing : scope)
      state.put = context
      defer { state.put = nil }
      do {
        let result = try body(context)
        if core.replacesOthers {
          try transaction.removeDisplaced()
          try context.requireNoneReplaced(besides: roots(result), of: core.schema)
        }
        context.succeed()
        state.hasChanges = true
        return result
      } catch {
        context.fail()
        throw error
      }
    }
  }

  /// Puts an object in a context; one that was met before is not put again.
  func putOnce(_ entity: E, _ mode: PutMode, _ context: PutContext) throws -> Id {
    if isClass, let known = context.id(of: entity as AnyObject) { return known }
    if isClass && context.isDeep && mode == .put && isMissing(entity, context) {
      return try postpone(entity, context)
    }
    if !isClass && context.isTooDeepForStructs {
      throw ObjectBoxError.illegalArgument(
        message: "a chain of new \(core.schema.name) structs is too long for one put; "
          + "put the structs at its end first")
    }
    return try writeRecord(of: entity, mode, context)
  }

  /// Whether an object is new, or a transaction that stored it was undone.
  private func isMissing(_ entity: E, _ context: PutContext) -> Bool {
    let id = binding.entityId(of: entity)
    return id == 0 || context.transaction.isUndone(core.schema, id)
  }

  /// Gives a new object its id, and writes it after the records that refer to it.
  ///
  /// A chain of new objects can be longer than the stack of a thread allows.
  private func postpone(_ entity: E, _ context: PutContext) throws -> Id {
    let given = binding.entityId(of: entity)
    let id = given == 0 ? try context.transaction.reserveID(core.schema) : given
    context.register(entity as AnyObject, id)
    context.postpone { [self] in
      _ = try writeRecord(of: entity, .put, context, reserved: id)
    }
    return id
  }

  /// Writes an object, its new targets before it, and the to-many relations after it.
  ///
  /// An object that was postponed has its id reserved.
  private func writeRecord(
    of entity: E, _ mode: PutMode, _ context: PutContext, reserved: Id? = nil
  ) throws -> Id {
    let transaction = context.transaction
    let given = binding.entityId(of: entity)
    if given == 0 && mode == .update { throw core.noIDToUpdate }
    let id = given == 0 ? try reserved ?? transaction.reserveID(core.schema) : given
    let isUndone = isClass && given != 0 && transaction.isUndone(core.schema, given)
    if isClass && reserved == nil { context.register(entity as AnyObject, id) }
    try unsafe transaction.withRecordWriter { writer in
      let collector = unsafe PropertyCollector(core, writer, context)
      collector.begin(id)
      try context.build { try collect(entity, id, collector, transaction) }
      try context.finish {
        do {
          if try unsafe transaction.putBuilt(
            core.schema, id: id, mode: mode.engineMode, in: &writer.pointee)
          {
            transaction.onUndo(.remove(core.schema, id))
          }
        } catch {
          throw withNumbersOfApp(error, entity, transaction)
        }
        if isClass && given == 0 {
          transaction.onUndo(
            .call(inPart: true) { [binding] in
              binding.setEntityIdUnlessStruct(of: entity, to: 0)
            })
        }
        // Older bindings attach the to-many relations of an object only while its id is 0, and undoing the
        // transaction has detached them.
        if isUndone { binding.setEntityIdUnlessStruct(of: entity, to: 0) }
        defer { if isUndone { binding.setEntityIdUnlessStruct(of: entity, to: id) } }
        try binding.postPut(fromEntity: entity, id: id, store: borrowed)
        if given == 0 { binding.setEntityIdUnlessStruct(of: entity, to: id) }
      }
    }
    return id
  }

  func collect(
    _ entity: E, _ id: Id, _ collector: PropertyCollector, _ transaction: EngineTransaction
  ) throws {
    transaction.beginCoding()
    defer { transaction.endCoding() }
    try binding.collect(
      fromEntity: entity, id: id, propertyCollector: collector, store: borrowed)
    try collector.requireNoFailure()
  }

  /// The target of a relation to one of an object, as a put would store it; nil if its binding does not collect it.
  func target(
    of property: PropertySchema, in entity: E, _ context: PutContext
  ) throws -> RelationTarget? {
    let peek = RelationPeek(property: property.id)
    try unsafe context.transaction.withRecordWriter { writer in
      let collector = unsafe PropertyCollector(core, writer, context)
      collector.begin(binding.entityId(of: entity))
      collector.peek = peek
      try collect(entity, binding.entityId(of: entity), collector, context.transaction)
    }
    return peek.found
  }

  /// Writes the record of an object again that is part of the put in progress.
  func putAgain(_ entity: E, _ context: PutContext) throws {
    let id = binding.entityId(of: entity)
    try unsafe context.transaction.withRecordWriter { writer in
      let collector = unsafe PropertyCollector(core, writer, context)
      collector.begin(id)
      try context.build { try collect(entity, id, collector, context.transaction) }
      try unsafe context.transaction.putBuilt(
        core.schema, id: id, mode: .update, in: &writer.pointee)
    }
  }
}
