internal import BoxEngine
internal import BoxJSON
internal import BoxModel

/// Elements that replace an object and need a unique value that another object still has.
///
/// The other object may be replaced by a later element, and the two may even exchange their values.
/// So the element waits in the store, and its object stays as it is. At the end of the input all
/// elements that wait are written in one transaction. An element whose value is not free then is
/// rejected, and its object keeps its values.
extension ImportWriter {
  /// Whether the object that has a unique value may be replaced yet; if this import wrote the object,
  /// the input has the value twice.
  func mayBeReleased(
    _ error: StoreError, _ entity: EntitySchema, _ transaction: Transaction
  ) throws -> Bool {
    guard case .uniqueViolation(_, _, _, let owner) = error, options.mode == .replace,
      entity.hasSoleOwners
    else {
      return false
    }
    return try !written.contains(entity, owner, transaction)
  }

  /// Records that the object of an element was written.
  func noteWritten(_ entity: EntitySchema, _ id: UInt64, _ transaction: Transaction) throws {
    guard written.records(entity) else { return }
    try written.insert(entity, id, transaction)
    // Of several elements for one object the last one counts.
    if checkpoint.waiting > 0 {
      try transaction.removeCheckpoint(CheckpointKey.waiting(entity, id))
    }
  }

  // MARK: - Waiting

  func wait(_ chunk: PreparedChunk, _ index: Int, _ transaction: Transaction) throws {
    let (entity, id) = (chunk.plan.entity, chunk.objects.id(at: index))
    let values = try transaction.object(entity, id, in: chunk.objects.snapshot(at: index)).values
    var object = ImportObject(
      plan: chunk.plan, id: id, values: [],
      place: ElementLine(file: chunk.file, line: chunk.lines[index]),
      places: Array(chunk.places(at: index)),
      element: chunk.texts.isEmpty ? nil : chunk.texts[index])
    for (position, value) in values.enumerated()
    where position != entity.idPosition && value != .null {
      object.values.append((position, value))
    }
    let isNew = try !transaction.contains(entity, id)
    try wait(object, as: id, isNew: isNew, transaction)
  }

  func wait(
    _ object: ImportObject, as id: UInt64, isNew: Bool, _ transaction: Transaction
  ) throws {
    let entity = object.plan.entity
    let waiting = WaitingElement(object: object, id: id, isNew: isNew)
    try transaction.setCheckpoint(CheckpointKey.waiting(checkpoint.waiting), waiting.noteBytes())
    try transaction.setCheckpoint(
      CheckpointKey.waiting(entity, id), CheckpointKey.bytes(UInt64(checkpoint.waiting)))
    checkpoint.waiting += 1
    // No other object gets the id meanwhile.
    if isNew { try transaction.reserveIDs(entity, through: id) }
  }

  /// The element that waits under a number; nil if it was rejected, or a later one took its place.
  private func waiting(
    _ number: Int, _ transaction: Transaction
  ) throws -> WaitingElement? {
    guard let note = try transaction.checkpoint(CheckpointKey.waiting(number)) else { return nil }
    let waiting = try WaitingElement(note, plan, store, transaction)
    let key = CheckpointKey.waiting(waiting.object.plan.entity, waiting.id)
    guard let current = try transaction.checkpoint(key),
      CheckpointKey.integer(current[...]) == number
    else {
      return nil
    }
    return waiting
  }

  private func waiting(
    for id: UInt64, _ entity: EntitySchema, _ transaction: Transaction
  ) throws -> WaitingElement? {
    guard let number = try transaction.checkpoint(CheckpointKey.waiting(entity, id)) else {
      return nil
    }
    return try waiting(Int(CheckpointKey.integer(number[...])), transaction)
  }

  // MARK: - At the end

  /// Writes the elements that wait, once all objects gave up the values that they lose.
  func writeWaiting(_ transaction: Transaction) throws {
    func each(_ body: (WaitingElement) throws -> Void) throws {
      for number in 0..<checkpoint.waiting {
        if let element = try waiting(number, transaction) { try body(element) }
      }
    }
    try each { try release($0, transaction) }
    // Relations need all values in their place.
    try each { element in
      do {
        _ = try put(element.values, transaction)
      } catch let error as StoreError {
        try withdraw(element, error, transaction)
      }
    }
    try each { try write($0, transaction) }
    checkpoint.waiting = 0
  }

  /// Removes the unique values of an object that is about to be replaced.
  private func release(_ element: WaitingElement, _ transaction: Transaction) throws {
    let entity = element.object.plan.entity
    guard !element.isNew, let snapshot = try transaction.snapshot(entity, element.id) else {
      return
    }
    if options.skipsErrors {
      try transaction.setCheckpoint(CheckpointKey.replaced(entity, element.id), snapshot)
    }
    _ = try put(
      transaction.object(entity, element.id, in: snapshot).withoutSoleValues, transaction)
  }

  /// Rejects an element, and gives its object the values that it had: other elements that were to get
  /// them are rejected too.
  private func withdraw(
    _ element: WaitingElement, _ error: StoreError, _ transaction: Transaction
  ) throws {
    var rejected = [(element: element, error: error)]
    while let (element, error) = rejected.popLast() {
      let (object, entity) = (element.object, element.object.plan.entity)
      try reject(
        issue(
          error, object.plan, at: object.place, places: object.places[...],
          element: object.element))
      try transaction.removeCheckpoint(CheckpointKey.waiting(entity, element.id))
      guard let before = try transaction.checkpoint(CheckpointKey.replaced(entity, element.id))
      else {
        try transaction.removeAlone(entity, element.id)
        continue
      }
      let restored = try transaction.object(entity, element.id, in: before)
      while let (error, owner) = try obstacle(to: restored, transaction) {
        guard let other = try waiting(for: owner, entity, transaction) else { throw error }
        _ = try put(other.values.withoutSoleValues, transaction)
        try transaction.removeCheckpoint(CheckpointKey.waiting(entity, owner))
        rejected.append((other, error.owned(by: element.id)))
      }
    }
  }

  /// Puts an object, unless another one has a value of it.
  ///
  /// - Returns: The violation with the id of the other object; nil if the object was put.
  private func obstacle(
    to object: DynamicObject, _ transaction: Transaction
  ) throws -> (error: StoreError, owner: UInt64)? {
    do {
      _ = try put(object, transaction)
      return nil
    } catch let error as StoreError {
      guard case .uniqueViolation(_, _, _, let owner) = error else { throw error }
      return (error, owner)
    }
  }
}

extension StoreError {
  /// The same violation, by an object whose value another object has.
  fileprivate func owned(by id: UInt64) -> StoreError {
    guard case .uniqueViolation(let entity, let property, let value, _) = self else { return self }
    return .uniqueViolation(entity: entity, property: property, value: value, existing: id)
  }
}

extension EntitySchema {
  /// Whether an object can be refused because another one has a value of it.
  var hasSoleOwners: Bool { properties.contains(where: \.hasSoleOwner) }
}

extension PropertySchema {
  /// Whether a value can belong to only one object, and a second one is refused.
  fileprivate var hasSoleOwner: Bool {
    index.map { $0.isUnique && !$0.replacesOnConflict } ?? false
  }
}

extension DynamicObject {
  /// The object without the values that can belong to only one object.
  fileprivate var withoutSoleValues: DynamicObject {
    var object = self
    for (position, property) in entity.properties.enumerated() where property.hasSoleOwner {
      object.values[position] = .null
    }
    return object
  }
}
