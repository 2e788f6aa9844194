import BoxConvert
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// The laws of capture, over random transactions of all calls that write.
///
/// The outbox applied to what was there before gives what is there after, and the server's versions in the place of
/// what is there after give what was there before.
struct CaptureLawTests {
  @Test func `The outbox explains every transaction, and its shadows undo it`() throws {
    var random = TestSeed.next()
    var counts: [CapturedKind: Int] = [:]
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_CAPTURES", default: 60) {
      var run = try CaptureRun(&random)
      for _ in 0..<4 { try run.check(&random) }
      counts.merge(run.counts) { $0 + $1 }
    }
    print("captured: \(counts.sorted { $0.key.rawValue < $1.key.rawValue })")
    for kind: CapturedKind in [.insert, .update, .remove, .link, .unlink, .replaced] {
      #expect(counts[kind, default: 0] > 0)
    }
  }
}

/// A store with random entities, relations and rules, some of whose entities are captured.
private struct CaptureRun {
  private let fixture: StoreFixture
  private let store: ObjectStore
  private let entities: [EntitySchema]
  private let captured: [EntitySchema]
  private(set) var counts: [CapturedKind: Int] = [:]
  /// The lives of the objects that operations have named.
  private var lives: [CapturedContents.Key: UInt32] = [:]

  init(_ random: inout SplitMix64) throws {
    let model = RuledModel(&random)
    fixture = try StoreFixture()
    _ = try fixture.with(model.document(isWhole: true)) {
      try RuledWorld(filling: $0, of: model, &random)
    }
    var options = StoreOptions()
    options.declarations = model.rules(&random)
    // The objects keep their ids where they are put again after they were undone.
    options.keepsIssuedIDs = random.oneIn(2)
    options.acceptsRegeneratedModel = true
    store = try fixture.open(model.document(isWhole: false), options)
    entities = store.entities
    captured = entities.filter { _ in !random.oneIn(4) }
  }

  /// Writes some transactions, and compares.
  mutating func check(_ random: inout SplitMix64) throws {
    if captured.isEmpty { return }
    if store.synchronizedEntities == nil { try seed(&random) }
    if random.oneIn(2) { try store.write { try $0.forgetOutbox() } }
    // What is pending already has its base in the shadows.
    let (before, base) = try store.read { transaction in
      var base = try CapturedContents(transaction)
      let now = base
      try base.revert(transaction)
      return (now, base)
    }
    let known = try store.read { try $0.capturedTransactions().map(\.place) }
    for _ in 0..<1 + random.below(4) { transact(&random) }
    try store.read { transaction in
      let after = try CapturedContents(transaction)
      var forward = before
      for captured in try transaction.capturedTransactions() where !known.contains(captured.place) {
        try #require(captured.head.mark != 0)
        for operation in captured.operations {
          try forward.apply(operation)
          try follow(operation)
          counts[operation.kind, default: 0] += 1
        }
      }
      try #require(forward.differences(from: after) == [])
      var backward = after
      try backward.revert(transaction)
      try #require(backward.differences(from: base) == [])
    }
  }

  /// Switches capture on, while objects that are not captured yet are changed.
  private mutating func seed(_ random: inout SplitMix64) throws {
    var next = random
    try store.switchOnSync(captured, atOnce: 1 + next.below(6)) { _ in
      if next.oneIn(2) { transact(&next) }
    }
    random = next
    try store.read { transaction in
      var contents = try CapturedContents(transaction)
      let all = contents
      (contents.records, contents.pairs) = ([:], [])
      let nothing = contents
      try contents.applyOutbox(transaction)
      let operations = try transaction.capturedTransactions().flatMap(\.operations)
      for operation in operations { try follow(operation) }
      let inserts = operations.filter { $0.kind == .insert && $0.isFresh }
      try #require(
        Set(inserts.map { CapturedContents.Key(entity: $0.element, id: $0.id) }).count
          == inserts.count)
      try #require(contents.differences(from: all) == [])
      var base = all
      try base.revert(transaction)
      try #require(base.differences(from: nothing) == [])
    }
  }

  /// Requires the life that follows from the operations before: odd while an object is there, and one more for each
  /// time that it comes or goes.
  private mutating func follow(_ operation: CapturedOperation) throws {
    let key = CapturedContents.Key(entity: operation.element, id: operation.id)
    switch operation.kind {
    case .insert:
      try #require(operation.isFresh == (lives[key] == nil))
      try #require(operation.life == lives[key].map { $0 + 1 } ?? 1)
      lives[key] = operation.life
    case .update: try #require(operation.life == lives[key])
    case .remove, .replaced:
      try #require(operation.life == lives[key])
      lives[key] = operation.life + 1
    default: break
    }
  }

  /// Writes a transaction, which may fail as a whole.
  private func transact(_ random: inout SplitMix64) {
    let fails = random.oneIn(8)
    var next = random
    try? store.write { transaction in
      for _ in 0..<1 + next.below(12) { part(transaction, &next, depth: 0) }
      if fails { throw TestFailure("on purpose") }
    }
    random = next
  }

  /// Makes a change, perhaps in parts that can be undone.
  private func part(_ transaction: Transaction, _ random: inout SplitMix64, depth: Int) {
    var next = random
    if depth < 3, next.oneIn(4) {
      try? transaction.savepoint {
        for _ in 0..<1 + next.below(4) { part(transaction, &next, depth: depth + 1) }
        if next.oneIn(3) { throw TestFailure("on purpose") }
      }
    } else {
      // A call that is refused leaves nothing; one that fails half way is undone.
      try? transaction.savepoint { try change(transaction, &next) }
    }
    random = next
  }

  private func change(_ transaction: Transaction, _ random: inout SplitMix64) throws {
    let entity = random.pick(entities)
    switch random.below(12) {
    case 0..<3: try transaction.put(object(entity, &random))
    case 3:
      let objects = (0..<2 + random.below(4)).map { _ in object(entity, &random) }
      try transaction.displacing { for object in objects { try transaction.put(object) } }
    case 4:
      let prepared = PreparedObjects(entity)
      var object = object(entity, &random)
      if object.id == 0 { object.id = 1 + UInt64(random.below(14)) }
      try prepared.append(object)
      try transaction.putPrepared(prepared, at: 0)
    case 5: try rewrite(entity, transaction, &random)
    case 6: try transaction.remove(entity, UInt64(random.below(12)))
    case 7: try transaction.remove(entity, (0..<3).map { _ in UInt64(random.below(12)) })
    case 8 where random.oneIn(4): try transaction.removeAll(entity)
    default:
      guard let relation = entity.relations.randomElement(using: &random) else { return }
      let (source, target) = (UInt64(1 + random.below(12)), UInt64(1 + random.below(12)))
      if random.oneIn(2) {
        try transaction.link(relation, source, target)
      } else {
        for target in try transaction.targets(relation, of: source) {
          try transaction.unlink(relation, source, target)
        }
      }
    }
  }

  private func object(_ entity: EntitySchema, _ random: inout SplitMix64) -> DynamicObject {
    var object = DynamicObject(entity, id: random.oneIn(2) ? 0 : UInt64(1 + random.below(12)))
    for property in entity.properties where property.target != nil && random.oneIn(2) {
      object[property.name] = .unsigned(UInt64(1 + random.below(10)))
    }
    if random.oneIn(2) { object["text"] = .string(String(repeating: "y", count: random.below(9))) }
    if random.oneIn(2) { object["code"] = .string("c\(random.below(10))") }
    return object
  }

  private func rewrite(
    _ entity: EntitySchema, _ transaction: Transaction, _ random: inout SplitMix64
  ) throws {
    let text = try #require(entity.property(named: "text")).slot
    let (divisor, others) = (1 + UInt64(random.below(4)), entity.properties.map(\.slot))
    try transaction.rewrite(entity) { id, old, new in
      if id % divisor != 0 { return .keep }
      for slot in others where slot != text { new.copy(slot, from: old) }
      new.set(text, "rewritten")
      return .replace
    }
  }
}
