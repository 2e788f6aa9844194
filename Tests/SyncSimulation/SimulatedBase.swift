import BoxEngine
import BoxModel
import BoxStorage
import Synchronization
import TestSupport

@testable import BoxSync

/// The store of a simulated client.
protocol SimulatedBase: ClientBase {
  typealias Machine = SyncClientMachine<Self>

  /// Whether a transaction of it can fail, and whether apps write without its client.
  static var isStored: Bool { get }
  /// The machine of an empty store.
  static func machine(_ model: SyncModel) -> Machine
  /// The machine after its program ended and was started again.
  static func restart(
    _ base: Self, model: SyncModel, randomBits: @escaping () -> UInt64
  ) -> Machine
  /// A machine with a copy of the store.
  static func copy(of machine: Machine) -> Machine
  /// Calls functions of a machine.
  static func perform(_ machine: inout Machine, _ body: (inout Machine) -> Void) throws
  /// Calls functions of a machine, whose changes fail when they are written.
  static func fail(_ machine: inout Machine, _ body: (inout Machine) -> Void)
  /// Has an app commit a transaction.
  static func commit(_ machine: inout Machine, _ changes: [LocalChange], now: UInt64) throws
  /// Runs a function that reads, and may reserve ids.
  func inspecting<R>(_ body: () throws -> R) throws -> R
  /// The pairs that the app finds; within `inspecting`.
  func visiblePairs() -> [LocalPair]
  /// The findings of a verification.
  func problems() throws -> [String]
  /// Takes random bits from a source.
  mutating func draw(from source: MarkSource)
  /// Has another model.
  mutating func adopt(_ model: SyncModel)
}

/// The random bits of one store.
final class MarkSource: @unchecked Sendable {
  // The simulation has one thread.
  var random: SplitMix64
  init(seed: UInt64) { random = SplitMix64(seed: seed) }
}

extension MemoryClientBase: SimulatedBase {
  static var isStored: Bool { false }

  static func machine(_ model: SyncModel) -> Machine {
    Machine(MemoryClientBase(), model: model, randomBits: { 0 })
  }

  static func restart(
    _ base: Self, model: SyncModel, randomBits: @escaping () -> UInt64
  ) -> Machine {
    Machine(base, model: model, randomBits: randomBits)
  }

  static func copy(of machine: Machine) -> Machine { machine }

  static func perform(_ machine: inout Machine, _ body: (inout Machine) -> Void) {
    body(&machine)
  }

  static func fail(_ machine: inout Machine, _ body: (inout Machine) -> Void) {}

  static func commit(_ machine: inout Machine, _ changes: [LocalChange], now: UInt64) throws {
    _ = try machine.commit(changes, now: now)
  }

  func inspecting<R>(_ body: () throws -> R) throws -> R { try body() }

  func visiblePairs() -> [LocalPair] { allPairs.filter { $0.value.isVisible }.map(\.key) }

  func problems() -> [String] { [] }

  func draw(from source: MarkSource) {}

  func adopt(_ model: SyncModel) {}
}

extension StoreClientBase: SimulatedBase {
  static var isStored: Bool { true }

  private static let names = Atomic<Int>(0)

  private static func open(
    _ template: StorageTemplate?
  ) throws -> ObjectStore {
    var options = StoreOptions()
    options.storage.maximumSize = 64 << 20
    options.storage.template = template
    let name = names.add(1, ordering: .relaxed).newValue
    return try ObjectStore.open(
      .memory("simulated \(name)"), model: Schema.document.get(), options: options)
  }

  /// A store that is switched on, which others begin as copies of.
  private static let empty = Result {
    let store = try open(nil)
    _ = try Machine(store)
    return try StorageTemplate { try store.copy(to: $0, compacting: true) }
  }

  static func machine(_ model: SyncModel) -> Machine {
    succeeding { try Machine(open(empty.get()), model: model) }
  }

  static func restart(
    _ base: StoreClientBase, model: SyncModel, randomBits: @escaping () -> UInt64
  ) -> Machine {
    base.close()
    var machine = succeeding { try Machine(base.store, model: model) }
    machine.randomBits = randomBits
    return machine
  }

  static func copy(of machine: Machine) -> Machine {
    let base = machine.view.base
    var copy = succeeding {
      let template = try StorageTemplate { try base.store.copy(to: $0, compacting: false) }
      return try Machine(open(template), model: base.model)
    }
    copy.randomBits = machine.randomBits
    (copy.variables, copy.keepAcknowledged) = (machine.variables, machine.keepAcknowledged)
    copy.view.base.store.captureSource = base.store.captureSource
    return copy
  }

  private static func succeeding<R>(_ body: () throws -> R) -> R {
    do { return try body() } catch { fatalError("\(error)") }
  }

  static func perform(_ machine: inout Machine, _ body: (inout Machine) -> Void) throws {
    try machine.perform(body)
  }

  static func fail(_ machine: inout Machine, _ body: (inout Machine) -> Void) {
    try? machine.perform { machine in
      body(&machine)
      machine.view.base.failure = .closed
    }
  }

  static func commit(_ machine: inout Machine, _ changes: [LocalChange], now: UInt64) throws {
    let base = machine.view.base
    base.store.captureSource.milliseconds = { now }
    try base.store.write { transaction in
      for change in changes { try base.make(change, transaction) }
    }
  }

  private func make(_ change: LocalChange, _ transaction: Transaction) throws {
    switch change {
    case .put(let key, let fields):
      guard let entity = store.entity(key.entity) else { return }
      var object = try transaction.get(entity, key.id) ?? DynamicObject(entity, id: key.id)
      for field in fields.list {
        guard let place = entity.properties.firstIndex(where: { $0.uid == field.property }) else {
          continue
        }
        switch field.value {
        case .value(let value): object.values[place] = value
        case .reference(let id): object.values[place] = .unsigned(id)
        }
      }
      try transaction.put(object)
    case .remove(let key):
      guard let entity = store.entity(key.entity), try transaction.remove(entity, key.id) else {
        throw LocalFailure.isMissing(key)
      }
    case .link(let pair):
      guard let relation = relations[pair.relation] else { return }
      try transaction.link(relation, pair.source, pair.target)
    case .unlink(let pair):
      guard let relation = relations[pair.relation] else { return }
      try transaction.unlink(relation, pair.source, pair.target)
    }
  }

  func inspecting<R>(_ body: () throws -> R) throws -> R {
    defer { end(isCommitted: saved.isLoaded) }
    return try store.writeArrivals { arrivals in
      try beginReading(arrivals)
      let result = try body()
      if let failure { throw failure }
      return result
    }
  }

  func visiblePairs() -> [LocalPair] {
    var all: Set<LocalPair> = []
    for entity in model.entities.keys {
      for key in objects(of: entity) { all.formUnion(pairs(of: key)) }
    }
    return all.filter { pairRecord($0).isVisible }
  }

  func problems() throws -> [String] {
    try store.verify().map { "\($0)" }
  }

  func draw(from source: MarkSource) {
    store.captureSource.mark = { source.random.next() }
  }

  func adopt(_ model: SyncModel) { self.model = model }
}
