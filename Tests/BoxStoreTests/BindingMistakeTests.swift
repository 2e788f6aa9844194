import BoxStore
import Synchronization
import TestSupport
import Testing

/// Bindings that do not fit the model.
struct BindingMistakeTests {
  private let store: Store
  private let box: Box<Mistaken>

  init() throws {
    store = try SampleStore.inMemory()
    box = store.box()
  }

  private func refusal(_ collect: @escaping @Sendable (FlatBufferBuilder) -> Void)
    -> ObjectBoxError?
  {
    let object = Mistaken()
    object.collect = collect
    do {
      try box.put(object)
      return nil
    } catch {
      #expect(object.id == 0)
      return error as? ObjectBoxError
    }
  }

  @Test func aWrongTypeIsRefusedWithItsProperty() throws {
    let error = refusal { $0.collect("text", at: 2 + 2 * 3) }
    #expect(error.map(caseName) == "propertyTypeMismatch")
    #expect(error?.message.contains("Setting.count") == true)
    #expect(refusal { $0.collect(1.5, at: 2 + 2 * 3) }.map(caseName) == "propertyTypeMismatch")
    #expect(refusal { $0.collect(1, at: 2 + 2 * 2) }.map(caseName) == "propertyTypeMismatch")
    #expect(refusal { $0.collect(1, at: 2 + 2 * 77) }.map(caseName) == "propertyTypeMismatch")
    #expect(refusal { $0.collect(1, at: 0) }.map(caseName) == "propertyTypeMismatch")
    #expect(try box.isEmpty())
  }

  @Test func aCollectorShowsItsEntityAndItsFirstError() {
    let texts = Mutex<[String]>([])
    _ = refusal { collector in
      texts.withLock { $0.append(collector.debugDescription) }
      collector.collect("text", at: 2 + 2 * 3)
      texts.withLock { $0.append(collector.debugDescription) }
    }
    let all = texts.withLock { $0 }
    #expect(all.first == "PropertyCollector(Setting)")
    #expect(all.last?.hasPrefix("PropertyCollector(Setting; ") == true)
    #expect(all.last?.contains("Setting.count") == true)
  }

  @Test func aValueTwiceIsRefused() {
    let error = refusal {
      $0.collect("a", at: 6)
      $0.collect("b", at: 6)
    }
    #expect(error.map(caseName) == "illegalArgument")
  }

  @Test func integersOfAnotherWidthAreTakenWhereTheyFit() throws {
    #expect(refusal { $0.collect(Int64(-5), at: 8) } == nil)
    #expect(refusal { $0.collect(UInt8(200), at: 8) } == nil)
    // The other sign in the same width.
    #expect(refusal { $0.collect(UInt32.max, at: 8) } == nil)
    #expect(refusal { $0.collect(Int64(1) << 32, at: 8) }.map(caseName) == "illegalArgument")
    #expect(refusal { $0.collect(Int64.min, at: 8) }.map(caseName) == "illegalArgument")
    #expect(try store.box(for: Setting.self).all().map(\.count) == [-5, 200, -1])
  }

  @Test func aWrongReadEndsTheCallWithItsProperty() throws {
    let id = try store.box().put(Setting("a", 5))
    #expect(try box.get(id)?.read == "")
    let reads: [(read: @Sendable (FlatBufferReader) -> String, place: String)] = [
      ({ String($0.read(at: 6) as Int) }, "Setting.key"),
      ({ $0.read(at: 8) }, "Setting.count"),
      ({ String($0.read(at: 8) as Float) }, "Setting.count"),
      ({ String($0.read(at: 2 + 2 * 9) as Int) }, "property id 9"),
    ]
    for (read, expected) in reads {
      Mistaken.reading.withLock { $0 = read }
      defer { Mistaken.reading.withLock { $0 = nil } }
      let error = #expect(throws: ObjectBoxError.self) { try box.get(id) }
      #expect(error.map(caseName) == "propertyTypeMismatch")
      #expect(error?.message.contains(expected) == true)
    }
    Mistaken.reading.withLock {
      $0 = { String($0.read(at: 8) as Int) + String($0.read(at: 8) as UInt8) }
    }
    #expect(try box.get(id)?.read == "55")
    Mistaken.reading.withLock { $0 = { $0.debugDescription } }
    #expect(try box.get(id)?.read == "EntityReader(\(id))")
    Mistaken.reading.withLock { $0 = nil }
  }
}

/// An entity whose binding does what a test asks for.
final class Mistaken: Entity {
  var id: Id = 0
  var read = ""
  var collect: @Sendable (FlatBufferBuilder) -> Void = { _ in }
  static let reading = Mutex<(@Sendable (FlatBufferReader) -> String)?>(nil)

  init() {}
}

extension Mistaken: EntityInspectable, __EntityRelatable {
  typealias EntityType = Mistaken
  typealias EntityBindingType = MistakenBinding
  static let entityInfo = EntityInfo(name: "Setting", id: 9)
  static let entityBinding = MistakenBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<Mistaken> { EntityId(id) }
}

final class MistakenBinding: EntityBinding {
  typealias EntityType = Mistaken
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: Mistaken) -> Id { entity.id }
  func setEntityIdUnlessStruct(of entity: Mistaken, to id: Id) { entity.id = id }
  func collect(
    fromEntity entity: Mistaken, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws { entity.collect(propertyCollector) }
  func createEntity(entityReader: FlatBufferReader, store: Store) -> Mistaken {
    let object = Mistaken()
    object.id = entityReader.read(at: 4)
    if let read = Mistaken.reading.withLock({ $0 }) { object.read = read(entityReader) }
    return object
  }
}
