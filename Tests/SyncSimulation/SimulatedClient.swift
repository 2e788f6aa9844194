import BoxModel
import TestSupport

@testable import BoxSync

/// A store with its app: it knows what it made, by ghosts.
struct SimulatedClient<Base: SimulatedBase> {
  typealias Machine = SyncClientMachine<Base>

  var name: String
  var machine: Machine
  var connection: Int?
  var numbering: Numbering?
  /// The ghosts of local objects, as far as the app ever saw them.
  var ghosts: [LocalKey: Ghost] = [:]
  /// The unanswered transactions as the app made them, by their marks.
  var raw: [UInt64: RawTransaction] = [:]
  /// The lead of the machine's clock, in milliseconds.
  var skew: Int64 = 0
  var position: UInt64 = 0
  /// Whether its program ends in the next arrival.
  var endsInArrival = false
  /// Whether its disk is full in the next arrival.
  var failsInArrival = false
  /// The marks of the transactions that were taken into the outbox.
  var taken: Set<UInt64> = []

  /// The client with a store of its own.
  func duplicate() -> SimulatedClient {
    var copy = self
    copy.machine = Base.copy(of: machine)
    return copy
  }

  var model: SyncModel { machine.view.model }

  /// The objects that the app finds, with their ghosts.
  func objects() -> [(key: LocalKey, state: ObjectState<UInt64>)] {
    var result: [(LocalKey, ObjectState<UInt64>)] = []
    for entity in model.entities.keys.sorted() {
      for key in machine.view.base.objects(of: entity) {
        let record = machine.view.base.record(key)
        if record.isInStore { result.append((key, record.visible)) }
      }
    }
    return result
  }

  static func ghost(_ entity: UID, _ fields: Fields<UInt64>) -> Ghost? {
    guard case .value(.integer(let value))? = fields[entity + Schema.ghost] else { return nil }
    return Ghost(entity: entity, value: value)
  }

  /// An operation as the app sees it.
  func raw(_ operation: SyncOperation<UInt64>, _ world: World<Base>) -> RawOperation {
    if let target = operation.target, let relation = Schema.full.relations[operation.element] {
      return RawOperation(
        kind: operation.kind,
        object: ghost(LocalKey(entity: relation.source, id: operation.object)),
        target: ghost(LocalKey(entity: relation.target, id: target)), relation: operation.element)
    }
    var fields: [UID: RawValue] = [:]
    for field in operation.fields.list {
      fields[field.property] = rawValue(operation.element, field.property, field.value, world)
    }
    return RawOperation(
      kind: operation.kind, object: ghost(operation.key), life: operation.life, fields: fields)
  }

  func ghost(_ key: LocalKey) -> Ghost { ghosts[key] ?? Ghost(entity: key.entity, value: -1) }

  func rawValue(
    _ entity: UID, _ property: UID, _ value: SyncValue<UInt64>, _ world: World<Base>
  ) -> RawValue {
    switch value {
    case .value(let value): return .value(value)
    case .reference(let id):
      let target = Schema.full.entities[entity]?.property(property)?.target ?? 0
      let key = LocalKey(entity: target, id: id)
      if let ghost = ghosts[key] { return .reference(ghost) }
      guard let global = machine.view.base.globalID(key) else { return .unknown }
      return world.ghosts[GlobalKey(entity: target, id: global)].map { .reference($0) } ?? .unknown
    }
  }

  /// The transactions that are not answered, as the app made them.
  func pending() -> [RawTransaction] {
    machine.status.outbox.compactMap { $0.void == nil ? raw[$0.mark] : nil }
  }
}

/// A promise that a run broke.
struct Violation: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
