internal import BoxEngine

extension Box {
  /// Puts one object, and the new objects that its relations lead to.
  ///
  /// - Returns: Its id.
  func putOne(_ entity: E, _ mode: PutMode) throws -> Id {
    if !core.hasRelations { return try putAlone(entity, mode) }
    return try inContext { context, isJoined, isOutermost in
      let canUndo = isJoined && isOutermost
      if !core.replacesOthers { return try put(entity, mode, context, canUndo: canUndo) }
      func putChecked() throws -> Id {
        let id = try put(entity, mode, context)
        if isOutermost { try context.requireNoneReplaced(of: core.schema) }
        return id
      }
      return try canUndo ? context.transaction.undoable(putChecked) : putChecked()
    }
  }

  /// Puts one object that relations neither lead from nor to.
  private func putAlone(_ entity: E, _ mode: PutMode) throws -> Id {
    let given = binding.entityId(of: entity)
    do {
      return try storeCore.writing { transaction, isJoined in
        let state = TransactionState.of(transaction)
        func put() throws -> Id {
          try unsafe transaction.withRecordWriter { writer in
            let session = unsafe state.session(core, mode, transaction, writer)
            do {
              return try binding.__put(entity, into: session, store: borrowed)
            } catch {
              throw withNumbersOfApp(error, entity, transaction)
            }
          }
        }
        // It is checked before it is written, unless others make room for it.
        let id = try isJoined && core.replacesOthers ? transaction.undoable(put) : put()
        state.hasChanges = true
        return id
      }
    } catch {
      if given == 0 { binding.setEntityIdUnlessStruct(of: entity, to: 0) }
      throw error
    }
  }

  /// Puts several objects, all or none.
  ///
  /// - Returns: Their ids, in order.
  func putAll(_ entities: [E], _ mode: PutMode) throws -> [Id] {
    if entities.isEmpty { return [] }
    if core.hasRelations {
      return try inContext { context, isJoined, isOutermost in
        func putEach() throws -> [Id] {
          let ids = try entities.map { try put($0, mode, context) }
          if isOutermost, core.replacesOthers {
            try context.requireNoneReplaced(besides: Set(ids), of: core.schema)
          }
          return ids
        }
        return try isJoined && isOutermost
          ? context.transaction.undoable(putEach) : putEach()
      }
    }
    var session: __PutSession?
    do {
      return try storeCore.writing { transaction, isJoined in
        func putEach() throws -> [Id] {
          try unsafe transaction.withRecordWriter { writer in
            let made = unsafe __PutSession(core, mode, transaction, writer)
            session = made
            do {
              return try binding.__put(entities, into: made, store: borrowed)
            } catch {
              guard entities.indices.contains(made.count) else { throw error }
              throw withNumbersOfApp(error, entities[made.count], transaction)
            }
          }
        }
        let ids = try isJoined ? transaction.undoable(putEach) : putEach()
        TransactionState.of(transaction).hasChanges = true
        return ids
      }
    } catch {
      for position in session?.fresh ?? [] {
        binding.setEntityIdUnlessStruct(of: entities[position], to: 0)
      }
      throw error
    }
  }

  // MARK: - Objects with relations

  /// Runs a put in the context of the one in progress on this thread, or in a new one.
  ///
  /// The function is called with the context, whether the transaction was open before the context was
  /// made, and whether the context is new.
  func inContext<R>(
    _ body: (PutContext, _ isJoined: Bool, _ isOutermost: Bool) throws -> R
  ) throws -> R {
    var made: PutContext?
    do {
      return try storeCore.writing { transaction, isJoined in
        let state = TransactionState.of(transaction)
        if let context = state.put { return try body(context, isJoined, false) }
        let context = PutContext(transaction)
        made = context
        state.put = context
        defer { state.put = nil }
        let result = try body(context, isJoined, true)
        state.hasChanges = true
        return result
      }
    } catch {
      made?.reset()
      throw error
    }
  }

  /// Puts an object in a context; one that was met before is not put again.
  ///
  /// With `canUndo` a failure is undone here, so that the transaction goes on; for entities that replace no others.
  func put(
    _ entity: E, _ mode: PutMode, _ context: PutContext, canUndo: Bool = false
  ) throws -> Id {
    if isClass, let known = context.id(of: entity as AnyObject) { return known }
    if isClass && context.isDeep && mode == .put && isMissing(entity, context) {
      return try postpone(entity, context)
    }
    if !isClass && context.isTooDeepForStructs {
      throw ObjectBoxError.illegalArgument(
        message: "a chain of new \(core.schema.name) structs is too long for one put; "
          + "put the structs at its end first")
    }
    if !canUndo { return try write(entity, mode, context, inSavepoint: false) }
    do {
      return try write(entity, mode, context, inSavepoint: true)
    } catch {
      context.undo()
      throw error
    }
  }

  /// Whether an object is new, or a transaction that stored it was undone.
  private func isMissing(_ entity: E, _ context: PutContext) -> Bool {
    let id = binding.entityId(of: entity)
    return id == 0 || context.transaction.isUndone(core.schema, id)
  }

  /// Gives a new object its id, and writes it when the records are written that lead to it.
  ///
  /// A chain of new objects can be longer than the stack of a thread allows.
  private func postpone(_ entity: E, _ context: PutContext) throws -> Id {
    let given = binding.entityId(of: entity)
    let id = given == 0 ? try context.transaction.takeID(core.schema) : given
    context.meet(entity as AnyObject, id)
    context.postpone { [self] in
      _ = try write(entity, .put, context, inSavepoint: false, reserved: id)
    }
    return id
  }

  /// Writes an object, its new targets before it, and the relations to many after it.
  ///
  /// With `inSavepoint` the changes of objects that existed before are made in a savepoint. An object
  /// that was postponed has its id reserved.
  private func write(
    _ entity: E, _ mode: PutMode, _ context: PutContext, inSavepoint: Bool, reserved: Id? = nil
  ) throws -> Id {
    let transaction = context.transaction
    let given = binding.entityId(of: entity)
    if given == 0 && mode == .update { throw core.noIDToUpdate }
    let id = given == 0 ? try reserved ?? transaction.takeID(core.schema) : given
    let isUndone = isClass && given != 0 && transaction.isUndone(core.schema, given)
    if isClass && reserved == nil { context.meet(entity as AnyObject, id) }
    try unsafe transaction.withRecordWriter { writer in
      let collector = unsafe PropertyCollector(core, writer, context)
      collector.begin(id)
      func finish() throws {
        do {
          let isNew = try unsafe transaction.put(
            core.schema, id: id, mode: mode.engineMode, record: &writer.pointee)
          context.noteWritten(core.schema, id, isNew: isNew)
        } catch {
          throw withNumbersOfApp(error, entity, transaction)
        }
      }
      var isWritten = false
      try context.build {
        try collect(entity, id, collector, transaction)
        // An object that existed is written with the relations of its new targets, or not at all.
        if !(inSavepoint && context.hasDeferred) {
          try finish()
          isWritten = true
        }
      }
      func complete() throws {
        if given == 0 {
          context.onFailure { [binding] in binding.setEntityIdUnlessStruct(of: entity, to: 0) }
        }
        try isUndone ? postPutAsNew(entity, id) : postPut(entity, id)
        if given == 0 { binding.setEntityIdUnlessStruct(of: entity, to: id) }
      }
      if !isWritten {
        try transaction.undoable {
          try finish()
          try complete()
          try context.runDeferred()
        }
        return
      }
      try complete()
      if context.building > 0 || !context.hasDeferred { return }
      try inSavepoint
        ? transaction.undoable { try context.runDeferred() } : context.runDeferred()
    }
    return id
  }

  private func postPut(_ entity: E, _ id: Id) throws {
    try binding.postPut(fromEntity: entity, id: id, store: borrowed)
  }

  /// Does what follows the put of a new object for one that kept the id of a transaction that was undone.
  ///
  /// Older bindings tie the relations to many of an object only while its id is 0, and these were undone too.
  private func postPutAsNew(_ entity: E, _ id: Id) throws {
    binding.setEntityIdUnlessStruct(of: entity, to: 0)
    defer { binding.setEntityIdUnlessStruct(of: entity, to: id) }
    try postPut(entity, id)
  }

  func collect(
    _ entity: E, _ id: Id, _ collector: PropertyCollector, _ transaction: EngineTransaction
  ) throws {
    transaction.beginLoan()
    defer { transaction.endLoan() }
    try binding.collect(
      fromEntity: entity, id: id, propertyCollector: collector, store: borrowed)
    try collector.requireNoFailure()
  }

  /// The target of a relation to one of an object, as a put would store it; nil if its binding does not collect it.
  func target(
    of property: PropertySchema, in entity: E, _ context: PutContext
  ) throws -> (id: Id, object: AnyObject?, isSet: Bool)? {
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
      _ = try unsafe context.transaction.put(
        core.schema, id: id, mode: .update, record: &writer.pointee)
    }
  }
}
