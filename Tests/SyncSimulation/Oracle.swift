import BoxModel
import BoxSync

/// An object as apps know it: by a number in a property of its own, its ghost.
///
/// The oracle knows no global ids, numbers, maps, shadows or effective operations.
struct Ghost: Hashable, Comparable {
  var entity: UID
  var value: Int64
  static func < (a: Ghost, b: Ghost) -> Bool { (a.entity, a.value) < (b.entity, b.value) }
}

enum RawValue: Hashable {
  case value(Value)
  case reference(Ghost)
  /// A reference to an object that nobody can name.
  case unknown
}

struct RawPair: Hashable {
  var relation: UID
  var source: Ghost
  var target: Ghost
}

/// An operation as an app made it.
struct RawOperation {
  var kind: OperationKind
  var object: Ghost
  var target: Ghost?
  var relation: UID = 0
  var life: UInt32 = 0
  var fields: [UID: RawValue] = [:]
}

/// A transaction as an app made it; its mark is how the simulation recognizes it.
struct RawTransaction {
  var mark: UInt64
  var operations: [RawOperation]
}

/// The objects that a client may see and write, and the elements that it knows.
struct OracleView {
  var model: SyncModel
  var sees: (UID, [UID: RawValue]) -> Bool
  var writes: (UID, [UID: RawValue]) -> Bool
}

struct OracleObject: Hashable {
  var life: UInt32 = 0
  var fields: [UID: RawValue] = [:]
  /// The life that the server has forgotten by trimming; clients may still know it.
  var trimmed: UInt32 = 0
  var removedAt: UInt64 = 0
  var isAlive: Bool { life % 2 == 1 }
}

/// `fold(s)`: the objects and pairs after some entries of the log, made from raw transactions.
struct OracleState {
  var objects: [Ghost: OracleObject] = [:]
  var pairs: Set<RawPair> = []
  var hlc: UInt64 = 0
  var position: UInt64 = 0
  /// The marks of the transactions that were applied.
  var applied: Set<UInt64> = []

  // MARK: - The table of operations

  /// Whether values win over those of an object.
  static func wins(_ entity: SyncEntity, _ new: [UID: RawValue], _ old: [UID: RawValue]) -> Bool {
    if let precedence = entity.precedence {
      let (a, b) = (number(new[precedence]), number(old[precedence]))
      if a > b { return true }
      if a < b { return false }
    }
    guard let clock = entity.clock else { return true }
    return number(new[clock]) > number(old[clock])
  }

  static func number(_ value: RawValue?) -> UInt64 {
    if case .value(.integer(let number))? = value { UInt64(bitPattern: number) } else { 0 }
  }

  static func isNull(_ value: RawValue?) -> Bool { value == nil || value == .value(.null) }

  /// The object after an insert or update; nil if that has no effect.
  static func put(
    _ operation: RawOperation, _ object: OracleObject, _ entity: SyncEntity
  ) -> OracleObject? {
    var result = object
    if operation.kind == .insert, !object.isAlive {
      guard operation.life > object.life else { return nil }
      result.fields = [:]
    } else if operation.kind == .insert, operation.life > object.life {
      // The object is made again although it never went away here.
    } else {
      guard object.isAlive, operation.life == object.life,
        wins(entity, operation.fields, object.fields)
      else { return nil }
    }
    if operation.kind == .insert { result.life = max(object.life, operation.life) }
    for (property, value) in operation.fields {
      result.fields[property] = isNull(value) ? nil : value
    }
    return result
  }

  // MARK: - The server

  /// Applies a transaction of a client, whole or not at all.
  mutating func apply(_ raw: RawTransaction, _ view: OracleView, now: UInt64) -> SyncCode {
    var next = self
    for operation in raw.operations {
      let code = next.apply(operation, view, now: now)
      if code != .ok { return code }
    }
    self = next
    applied.insert(raw.mark)
    return .ok
  }

  private mutating func apply(
    _ operation: RawOperation, _ view: OracleView, now: UInt64
  ) -> SyncCode {
    if operation.kind == .replaced { return .ok }
    if let target = operation.target {
      guard view.model.relations[operation.relation] != nil,
        isSeen(operation.object, view), isSeen(target, view)
      else { return .ok }
      let pair = RawPair(relation: operation.relation, source: operation.object, target: target)
      if operation.kind == .link { pairs.insert(pair) } else { pairs.remove(pair) }
      return .ok
    }
    let ghost = operation.object
    guard let entity = view.model.entities[ghost.entity] else { return .ok }
    let object = objects[ghost] ?? OracleObject()
    if object.isAlive, !view.sees(ghost.entity, object.fields) {
      return operation.kind == .insert ? .reqRejected : .ok
    }
    if operation.kind == .remove {
      guard object.isAlive, object.life == operation.life else { return .ok }
      guard view.writes(ghost.entity, object.fields) else { return .reqRejected }
      remove(ghost)
      return .ok
    }
    var operation = operation
    operation.fields = operation.fields.filter { entity.property($0.key) != nil }
    if let clock = entity.clock, Self.number(operation.fields[clock]) > (now + 5000) << 16 {
      hlc = max(hlc + 1, now << 16)
      operation.fields[clock] = .value(.integer(Int64(hlc)))
    }
    guard let result = Self.put(operation, object, entity) else { return .ok }
    if object.isAlive, !view.writes(ghost.entity, object.fields) { return .reqRejected }
    guard view.sees(ghost.entity, result.fields), view.writes(ghost.entity, result.fields) else {
      return .reqRejected
    }
    for property in entity.properties where property.unique != .none {
      guard let value = operation.fields[property.uid], !Self.isNull(value) else { continue }
      let holder = objects.first {
        $0.key != ghost && $0.key.entity == ghost.entity && $0.value.isAlive
          && $0.value.fields[property.uid] == value
      }
      guard let holder else { continue }
      guard property.unique == .replace, view.sees(ghost.entity, holder.value.fields) else {
        return .txViolatedUnique
      }
      remove(holder.key)
    }
    objects[ghost] = result
    return .ok
  }

  private mutating func remove(_ ghost: Ghost) {
    let object = objects[ghost] ?? OracleObject()
    objects[ghost] = OracleObject(
      life: object.life + 1, trimmed: object.trimmed, removedAt: position + 1)
    pairs = pairs.filter { $0.source != ghost && $0.target != ghost }
  }

  func isSeen(_ ghost: Ghost, _ view: OracleView) -> Bool {
    guard let object = objects[ghost], object.isAlive else { return false }
    return view.sees(ghost.entity, object.fields)
  }

  /// Forgets the tombstones up to a position; clients may know their lives longer.
  mutating func trim(to position: UInt64, _ model: SyncModel) {
    for (ghost, object) in objects
    where !object.isAlive && object.life > 0 && object.removedAt <= position {
      if model.entities[ghost.entity]?.sharesIDs == true { continue }
      objects[ghost] = OracleObject(life: 0, trimmed: max(object.trimmed, object.life))
    }
  }

  // MARK: - Clients

  /// The objects that a client shows: the restricted state, with its unanswered transactions on top.
  func shown(to view: OracleView, pending: [RawTransaction]) -> OracleState {
    var base = OracleState()
    for (ghost, object) in objects {
      guard let entity = view.model.entities[ghost.entity] else { continue }
      if object.isAlive, view.sees(ghost.entity, object.fields) {
        var known = object
        known.fields = object.fields.filter { entity.property($0.key) != nil }
        base.objects[ghost] = known
      } else {
        base.objects[ghost] = OracleObject(
          life: object.isAlive ? object.life - 1 : object.life, trimmed: object.trimmed)
      }
    }
    base.pairs = pairs.filter {
      view.model.relations[$0.relation] != nil && base.objects[$0.source]?.isAlive == true
    }
    var shown = base
    var claims: [Claim: Int] = [:]
    for (order, operation) in pending.flatMap(\.operations).enumerated() {
      shown.perform(operation, view.model, order + 1, &claims)
    }
    shown.hideLosers(base, view.model, claims)
    shown.pairs = shown.pairs.filter {
      shown.objects[$0.source]?.isAlive == true && shown.objects[$0.target]?.isAlive == true
    }
    shown.objects = shown.objects.filter { $0.value.isAlive }
    return shown
  }

  struct Claim: Hashable {
    var property: UID
    var object: Ghost
  }

  private mutating func perform(
    _ operation: RawOperation, _ model: SyncModel, _ order: Int, _ claims: inout [Claim: Int]
  ) {
    if let target = operation.target {
      guard objects[operation.object]?.isAlive == true, objects[target]?.isAlive == true else {
        return
      }
      let pair = RawPair(relation: operation.relation, source: operation.object, target: target)
      if operation.kind == .link { pairs.insert(pair) } else { pairs.remove(pair) }
      return
    }
    let ghost = operation.object
    guard let entity = model.entities[ghost.entity] else { return }
    let object = objects[ghost] ?? OracleObject()
    if operation.kind == .remove || operation.kind == .replaced {
      if object.isAlive, object.life == operation.life { remove(ghost) }
    } else if let result = Self.put(operation, object, entity) {
      objects[ghost] = result
      for property in entity.properties where property.unique != .none {
        if let value = operation.fields[property.uid], !Self.isNull(value) {
          claims[Claim(property: property.uid, object: ghost)] = order
        }
      }
    }
  }

  /// Takes objects out of the store whose unique value another one has.
  private mutating func hideLosers(
    _ base: OracleState, _ model: SyncModel, _ claims: [Claim: Int]
  ) {
    var losers: Set<Ghost> = []
    for entity in model.entities.values {
      for property in entity.properties where property.unique != .none {
        var groups: [RawValue: [Ghost]] = [:]
        for (ghost, object) in objects where ghost.entity == entity.uid && object.isAlive {
          if let value = object.fields[property.uid] { groups[value, default: []].append(ghost) }
        }
        for (value, group) in groups where group.count > 1 {
          let owner = group.first {
            base.objects[$0]?.isAlive == true && base.objects[$0]?.fields[property.uid] == value
          }
          let latest = group.filter { claims[Claim(property: property.uid, object: $0)] != nil }
            .max {
              claims[Claim(property: property.uid, object: $0)] ?? 0
                < claims[Claim(property: property.uid, object: $1)] ?? 0
            }
          let winner = property.unique == .plain ? owner ?? latest : latest ?? owner
          losers.formUnion(group.filter { $0 != winner })
        }
      }
    }
    for ghost in losers { objects[ghost] = OracleObject() }
  }
}
