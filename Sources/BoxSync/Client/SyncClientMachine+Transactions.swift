internal import BoxEngine
internal import BoxModel

/// A change of an own transaction.
package enum LocalChange: Hashable, Sendable {
  /// An insert, or an update of an object that the app finds.
  case put(LocalKey, Fields<UInt64>)
  case remove(LocalKey)
  case link(LocalPair)
  case unlink(LocalPair)
}

/// Why an own transaction cannot be committed; the store is as before.
package enum LocalFailure: Error, Hashable, Sendable {
  /// Another object has the unique value.
  case violatesUnique(LocalKey)
  /// The app does not find the object.
  case isMissing(LocalKey)
}

extension SyncClientMachine {
  /// The id of a new object.
  package mutating func reserveID(_ entity: UID) -> UInt64 { view.base.reserveID(entity) }

  /// Carries out an own transaction and puts it into the outbox.
  ///
  /// - Parameters:
  ///   - changes: The changes, in order.
  ///   - now: The time of this machine in milliseconds.
  /// - Returns: The transaction; nil if it changed nothing.
  /// - Throws: `LocalFailure`.
  @specialized(where Base == MemoryClientBase)
  package mutating func commit(
    _ changes: [LocalChange], now: UInt64
  ) throws(LocalFailure) -> PendingTransaction? {
    let mark = randomBits()
    let number = status.number ?? StoreNumber.make(mark: mark, previous: status.previousNumber)
    let n = (status.lastN[number] ?? 0) + 1
    view.enqueue(PendingTransaction(number: number, n: n, mark: mark, operations: []))
    let last = status.outbox.count - 1
    do {
      // Each change sees those before it, as in the app's transaction.
      for change in changes { view.perform(try operations(for: change, number, now: now)) }
    } catch {
      // The ids stay used, and belong to nobody.
      for key in view.dequeue(at: last).insertedKeys { view.base.unbind(key) }
      view.recompute()
      throw error
    }
    if status.outbox[last].operations.isEmpty {
      _ = view.dequeue(at: last)
      return nil
    }
    if status.number == nil {
      (status.number, status.origins[number]) = (number, status.previousNumber)
    }
    status.lastN[number] = n
    return status.outbox[last]
  }

  private mutating func operations(
    for change: LocalChange, _ number: UInt64, now: UInt64
  ) throws(LocalFailure) -> [SyncOperation<UInt64>] {
    switch change {
    case .put(let key, let fields): return try put(key, fields, number, now: now)
    case .remove(let key):
      return [SyncOperation(.remove, key, life: try existing(key).life)]
    case .link(let pair), .unlink(let pair):
      guard let relation = view.model.relations[pair.relation] else { return [] }
      _ = try existing(LocalKey(entity: relation.source, id: pair.source))
      _ = try existing(LocalKey(entity: relation.target, id: pair.target))
      if case .link = change { return [SyncOperation(.link, pair)] }
      return [SyncOperation(.unlink, pair)]
    }
  }

  private func existing(_ key: LocalKey) throws(LocalFailure) -> ObjectState<UInt64> {
    let record = view.base.record(key)
    guard record.isInStore else { throw .isMissing(key) }
    return record.visible
  }

  private mutating func put(
    _ key: LocalKey, _ fields: Fields<UInt64>, _ number: UInt64, now: UInt64
  ) throws(LocalFailure) -> [SyncOperation<UInt64>] {
    guard let entity = view.model.entities[key.entity] else { return [] }
    let record = view.base.record(key)
    let isUpdate = record.isInStore
    var named = fields
    if isUpdate {
      named = fields.filter { property in
        (fields[property] ?? .null) != (record.visible.fields[property] ?? .null)
      }
      if named.isEmpty { return [] }
    }
    if !isUpdate || entity.mergesObjects {
      for property in entity.properties where named[property.uid] == nil {
        named[property.uid] = isUpdate ? record.visible.fields[property.uid] ?? .null : .null
      }
    }
    if let clock = entity.clock {
      let time = UInt64(clamping: Int64(clamping: now) + status.timeOffset)
      status.clock = SyncClock.next(
        own: status.clock, object: record.visible.fields[clock]?.unsigned ?? 0, milliseconds: time)
      named[clock] = .value(.integer(Int64(bitPattern: status.clock)))
    }
    var operations = try displaced(by: key, named, entity)
    if isUpdate {
      operations.append(SyncOperation(.update, key, life: record.visible.life, fields: named))
      return operations
    }
    let life = record.visible.life + (record.visible.isAlive ? 2 : 1)
    let isFresh = view.base.globalID(key) == nil && !entity.sharesIDs
    if view.base.globalID(key) == nil {
      _ = view.base.useID(key)
      view.base.bind(key, to: GlobalID(number: entity.sharesIDs ? 0 : number, id: key.id))
    }
    operations.append(
      SyncOperation(.insert, key, life: life, fields: named, isFresh: isFresh))
    return operations
  }

  /// The removals of objects whose unique values a put takes over.
  private func displaced(
    by key: LocalKey, _ fields: Fields<UInt64>, _ entity: SyncEntity
  ) throws(LocalFailure) -> [SyncOperation<UInt64>] {
    var operations: [SyncOperation<UInt64>] = []
    for property in entity.properties where property.unique != .none {
      guard case .value(let value)? = fields[property.uid], value != .null,
        let holder = view.base.holder(UniqueKey(property: property.uid, value: value)),
        holder != key, !operations.contains(where: { $0.key == holder })
      else { continue }
      if property.unique == .plain { throw .violatesUnique(holder) }
      operations.append(
        SyncOperation(.replaced, holder, life: view.base.record(holder).visible.life))
    }
    return operations
  }
}
