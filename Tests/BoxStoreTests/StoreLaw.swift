import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import BoxStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#endif

/// An entity type with the values of ``Everything``, as a class or a struct.
protocol LawSubject: Entity, EntityInspectable & __EntityRelatable
where EntityBindingType.EntityType == Self {
  init(_ values: Everything)
  var values: Everything { get }
}

extension EverythingObject: LawSubject {}

extension Everything: LawSubject {
  init(_ values: Everything) { self = values }
  var values: Everything { self }
}

/// Random operations, queries and observers on a box, compared with a dictionary after each.
final class StoreLaw<E: LawSubject> {
  private struct Undo: Error {}

  private let store: Store
  private let box: Box<E>
  private var generator: ConditionGenerator
  private var model: [Id: Everything] = [:]
  private var watches: [Watch] = []
  private let queue = DispatchQueue(label: "store-law", attributes: .concurrent)

  /// An observer, and the states that it can have seen since it was last compared.
  private final class Watch {
    let log = Mutex<[[Everything]]>([])
    let matches: (Everything) -> Bool
    var states: [[Everything]] = []
    var observer: Observer?

    init(_ matches: @escaping (Everything) -> Bool) { self.matches = matches }
  }

  init(_ store: Store, _ random: SplitMix64) {
    self.store = store
    box = store.box(for: E.self)
    generator = ConditionGenerator(random: random)
  }

  private var all: [Everything] { model.values.sorted { $0.id < $1.id } }

  private func below(_ count: Int) -> Int { generator.random.below(count) }
  private func oneIn(_ count: Int) -> Bool { generator.random.oneIn(count) }
  private func pick() -> Id? { model.keys.sorted().randomElement(using: &generator.random) }

  /// Runs so many operations.
  func run(_ count: Int) throws {
    for number in 0..<count {
      if number.isMultiple(of: 1000) { try watch() }
      if oneIn(8) { try transaction() } else { try operate() }
      #expect(try box.all().map(\.values) == all)
      for watch in watches { watch.states.append(all.filter(watch.matches)) }
      if number.isMultiple(of: 25) { compareWatches() }
    }
    compareWatches()
    for watch in watches { watch.observer?.unsubscribe() }
  }

  // MARK: - Operations

  private func transaction() throws {
    let saved = model
    let isUndone = oneIn(2)
    do {
      try store.runInTransaction {
        for _ in 0..<below(6) { try operate() }
        #expect(try box.all().map(\.values) == all)
        if isUndone { throw Undo() }
      }
    } catch is Undo { model = saved }
  }

  private func operate() throws {
    switch below(16) {
    case 0..<4: try put()
    case 4:
      let objects = (0..<below(5)).map { _ in E(object()) }
      let ids: [E.EntityBindingType.IdType] = try box.putAndReturnIDs(objects)
      for (object, id) in zip(objects, ids) { keep(object.values, id.value) }
    case 5, 6:
      if let id = pick() {
        #expect(try box.remove(EntityId<E>(id)))
        model[id] = nil
      }
    case 7:
      let ids = model.keys.sorted().filter { _ in oneIn(4) }
      #expect(try box.remove(ids.map { EntityId<E>($0) }) == UInt64(ids.count))
      for id in ids { model[id] = nil }
    case 8 where model.count > 30:
      #expect(try box.removeAll() == UInt64(model.count))
      model = [:]
    case 9:
      let id = Id(below(60))
      #expect(try box.get(EntityId<E>(id))?.values == model[id])
      #expect(try box.contains(E.EntityBindingType.IdType(id)) == (model[id] != nil))
    case 10: #expect(try box.count() == model.count)
    case 11:
      var seen: [Id] = []
      try box.forEach { seen.append($0.values.id) }
      #expect(seen == model.keys.sorted())
    default: try ask()
    }
  }

  private func put() throws {
    var values = object()
    if let id = pick(), oneIn(2) { values.id = id }
    let id: E.EntityBindingType.IdType = try box.put(E(values))
    keep(values, id.value)
  }

  private func keep(_ values: Everything, _ id: Id) {
    model[id] = values
    model[id]?.id = id
  }

  /// An object with a value of every type; those that conditions ask for are from small sets.
  private func object() -> Everything {
    var object = generator.object()
    let other = Everything.random(&generator.random)
    object.uint8 = other.uint8
    object.int16 = other.int16
    object.char = other.char
    object.uint32 = other.uint32
    object.bools = other.bools
    object.int16s = other.int16s
    object.chars = other.chars
    object.int64s = other.int64s
    object.doubles = other.doubles
    // As they are stored.
    func rounded(_ date: Date, _ perSecond: Double) -> Date {
      let units = (date.timeIntervalSince1970 * perSecond).rounded(.toNearestOrEven)
      return Date(timeIntervalSince1970: units / perSecond)
    }
    object.date = object.date.map { rounded($0, 1e3) }
    object.dateNano = object.dateNano.map { rounded($0, 1e9) }
    return object
  }

  // MARK: - Queries

  /// A random query, with its meaning.
  private func query() throws -> (
    query: Query<E>, answer: () -> [Everything], matches: RandomCondition
  ) {
    let random = generator.condition(depth: 2)
    let builder = box.query { QueryCondition<E>(random.condition.tree) }
    let isOrdered = oneIn(3)
    let isDescending = oneIn(2)
    if isOrdered {
      builder.ordered(
        by: Property<E, Int32?, Void>(propertyId: 8), flags: isDescending ? [.descending] : [])
    }
    let answer = { [self] in
      let found = all.filter(random.matches)
      if !isOrdered { return found }
      // Nil comes first in either direction, and ids decide at last.
      func precedes(_ a: Everything, _ b: Everything) -> Bool {
        if a.int32 == b.int32 { return a.id < b.id }
        guard let x = a.int32, let y = b.int32 else { return a.int32 == nil }
        return isDescending ? x > y : x < y
      }
      return found.sorted(by: precedes)
    }
    return (try builder.build(), answer, random)
  }

  private func ask() throws {
    let (query, answer, random) = try query()
    let expected = answer()
    let note: Comment = "\(query)"
    switch below(6) {
    case 0: #expect(try query.find().map(\.values) == expected, note)
    case 1: #expect(try query.findIds().map(\.value) == expected.map(\.id), note)
    case 2:
      #expect(try query.count() == expected.count, note)
      #expect(try query.findFirst()?.values == expected.first, note)
    case 3:
      let (offset, limit) = (below(4), 1 + below(4))
      let window = Array(expected.dropFirst(offset).prefix(limit))
      #expect(try query.find(offset: offset, limit: limit).map(\.values) == window, note)
    case 4:
      let values = try query.property(Property<E, Int32?, Void>(propertyId: 8)).find()
      let found = all.filter(random.matches).compactMap(\.int32)
      #expect(values == found, note)
    default:
      // Rarely, as it leaves few objects.
      if !oneIn(4) { return }
      #expect(try query.remove() == UInt64(expected.count), note)
      for object in expected { model[object.id] = nil }
    }
  }

  // MARK: - Observers

  /// Observes the box and a query, instead of those that were observed before.
  private func watch() throws {
    compareWatches()
    for watch in watches { watch.observer?.unsubscribe() }
    let (query, _, random) = try query()
    let (whole, part) = (Watch { _ in true }, Watch(random.matches))
    // By id, so that states are compared without the order.
    func handler(_ watch: Watch) -> @Sendable ([E], ObjectBoxError?) -> Void {
      nonisolated(unsafe) let watch = watch
      return { objects, error in
        #expect(error == nil)
        let values = objects.map(\.values).sorted { $0.id < $1.id }
        watch.log.withLock { $0.append(values) }
      }
    }
    whole.observer = box.subscribe(dispatchQueue: queue, resultHandler: handler(whole))
    part.observer = query.subscribe(dispatchQueue: queue, resultHandler: handler(part))
    watches = [whole, part]
    for watch in watches { watch.states = [all.filter(watch.matches)] }
  }

  /// Each observer has seen the newest state, and before it only states that were there, in their order.
  private func compareWatches() {
    for watch in watches {
      guard let newest = watch.states.last else { continue }
      for _ in 0..<10_000 where watch.log.withLock({ $0.last }) != newest { usleep(1000) }
      let seen = watch.log.withLock { log in
        // The last one stays, in case nothing more comes.
        defer { log = log.suffix(1) }
        return log
      }
      #expect(seen.last == newest)
      var rest = watch.states[...]
      for state in seen {
        guard let position = rest.firstIndex(of: state) else {
          Issue.record("an observer saw a state that was never there, or an older one")
          break
        }
        rest = rest[position...]
      }
      watch.states = [newest]
    }
  }
}
