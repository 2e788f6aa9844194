import BoxStore
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Values of every type, put and read again.
struct ValueTests {
  @Test(.promise(52, 93)) func extremesOfEveryTypeAreReadAsTheyWerePut() throws {
    let store = try SampleStore.inMemory()
    let box = store.box(for: Everything.self)
    var low = Everything()
    low.bool = false
    (low.int8, low.uint8, low.int16, low.uint16) = (.min, .min, .min, .min)
    (low.int32, low.uint32, low.int64, low.uint64) = (.min, .min, .min, .min)
    (low.char, low.float, low.double) = (.min, -.infinity, -.greatestFiniteMagnitude)
    (low.string, low.data, low.flex) = ("", Data(), [])
    (low.bools, low.int16s, low.chars, low.int32s) = ([], [], [], [])
    (low.int64s, low.floats, low.doubles, low.strings) = ([], [], [], [])
    low.date = Date(timeIntervalSince1970: 0)
    low.dateNano = Date(timeIntervalSince1970: -1)
    var high = Everything()
    high.bool = true
    (high.int8, high.uint8, high.int16, high.uint16) = (.max, .max, .max, .max)
    (high.int32, high.uint32, high.int64, high.uint64) = (.max, .max, .max, .max)
    (high.char, high.float, high.double) = (.max, .leastNonzeroMagnitude, .infinity)
    (high.string, high.data, high.flex) = ("ü🙂\u{0}x", Data([0, 255]), [1, 2, 3])
    (high.bools, high.int16s, high.chars) = ([true, false], [.min, .max], [0, .max])
    (high.int32s, high.int64s) = ([.min, .max], [.min, 0, .max])
    (high.floats, high.doubles) = ([1.5, -0.0], [.pi])
    high.strings = ["", "a", "ü🙂"]
    high.date = Date(timeIntervalSince1970: 1_700_000_000.125)
    high.dateNano = Date(timeIntervalSince1970: 1_700_000_000.5)
    var all = [low, high, Everything()]
    try box.put(&all)
    #expect(try box.all() == all)
  }

  @Test(.promise(79, 375)) func datesAreRoundedToTheUnitAndHalvesToTheEvenOne() throws {
    let store = try SampleStore.inMemory()
    let box = store.box(for: Everything.self)
    // Exact in binary: 0.5 ms is half of a unit, and 1.5 ms too.
    for (seconds, expected) in [
      (0.000_4, 0.0), (0.000_6, 0.001), (-0.000_6, -0.001), (2.000_5 - 2, 0.0),
    ] {
      var object = Everything()
      object.date = Date(timeIntervalSince1970: seconds)
      let id = try box.put(object)
      let read = try #require(try box.get(id)?.date)
      #expect(abs(read.timeIntervalSince1970 - expected) < 0.000_1, "\(seconds)")
    }
  }

  @Test func aDateThatDoesNotFitIsRefusedWithItsProperty() throws {
    let store = try SampleStore.inMemory()
    let box = store.box(for: Everything.self)
    for unit in ["date", "dateNano"] {
      for seconds in [1e17, -1e17, .infinity, .nan] {
        var object = Everything()
        if unit == "date" { object.date = Date(timeIntervalSince1970: seconds) }
        if unit == "dateNano" { object.dateNano = Date(timeIntervalSince1970: seconds) }
        let error = #expect(throws: ObjectBoxError.self) { try box.put(object) }
        #expect(error.map(caseName) == "illegalArgument")
        #expect(error?.message.contains("Everything.\(unit) ") == true)
      }
    }
    #expect(try box.isEmpty())
  }

  @Test(.promise(53)) func anUnknownRawValueReadsAsTheDefault() throws {
    let store = try SampleStore.inMemory()
    let box = store.box(for: Book.self)
    let id = try box.put(Book("A"))
    #expect(try box.get(id)?.genre == .unknown)
    let raw = RawBook()
    raw.genre = 999
    let other = try store.box(for: RawBook.self).put(raw)
    #expect(try box.get(other)?.genre == .unknown)
  }

  @Test(.promise(30, 52, 154, 163)) func generatedObjectsAreReadAsTheyWerePut() throws {
    var random = TestSeed.next()
    let store = try SampleStore.inMemory()
    let box = store.box(for: Everything.self)
    var objects = (0..<500).map { _ in Everything.random(&random) }
    try box.put(&objects)
    #expect(try box.all() == objects)
    for object in objects.prefix(50) { #expect(try box.get(object.id) == object) }
  }
}

/// The values of a book's genre as other programs store them.
final class RawBook: Entity {
  var id: Id = 0
  var genre = 0

  init() {}
}

extension RawBook: EntityInspectable, __EntityRelatable {
  typealias EntityType = RawBook
  typealias EntityBindingType = RawBookBinding
  static let entityInfo = EntityInfo(name: "Book", id: 7)
  static let entityBinding = RawBookBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<RawBook> { EntityId(id) }
}

final class RawBookBinding: EntityBinding {
  typealias EntityType = RawBook
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: RawBook) -> Id { entity.id }
  func setEntityIdUnlessStruct(of entity: RawBook, to id: Id) { entity.id = id }
  func collect(
    fromEntity entity: RawBook, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
    propertyCollector.collect(entity.genre, at: 10)
  }
  func createEntity(entityReader: FlatBufferReader, store: Store) -> RawBook {
    let book = RawBook()
    book.id = entityReader.read(at: 4)
    book.genre = entityReader.read(at: 10)
    return book
  }
}

extension Everything {
  /// An object of which each value is there or not.
  static func random(_ random: inout SplitMix64) -> Everything {
    var object = Everything()
    func maybe<T>(_ value: T) -> T? { random.oneIn(4) ? nil : value }
    func list<T>(_ make: () -> T) -> [T] { (0..<random.below(4)).map { _ in make() } }
    let text = ["", "a", "Ä", "🙂x", "long enough to be outside of the value"]
    object.bool = maybe(random.oneIn(2))
    object.int8 = maybe(Int8(truncatingIfNeeded: random.next()))
    object.uint8 = maybe(UInt8(truncatingIfNeeded: random.next()))
    object.int16 = maybe(Int16(truncatingIfNeeded: random.next()))
    object.uint16 = maybe(UInt16(truncatingIfNeeded: random.next()))
    object.char = maybe(UInt16(truncatingIfNeeded: random.next()))
    object.int32 = maybe(Int32(truncatingIfNeeded: random.next()))
    object.uint32 = maybe(UInt32(truncatingIfNeeded: random.next()))
    object.int64 = maybe(Int64(bitPattern: random.next()))
    object.uint64 = maybe(random.next())
    object.float = maybe(Float(random.below(1000)) / 8)
    object.double = maybe(Double(random.below(1000)) / 16)
    object.string = maybe(random.pick(text))
    // Dates whose numbers are exact, so that they compare.
    object.date = maybe(Date(timeIntervalSince1970: Double(random.below(4_000_000)) / 8))
    object.dateNano = maybe(Date(timeIntervalSince1970: Double(random.below(4_000)) / 8))
    object.data = maybe(Data(list { UInt8(truncatingIfNeeded: random.next()) }))
    object.flex = maybe(list { UInt8(truncatingIfNeeded: random.next()) })
    object.bools = maybe(list { random.oneIn(2) })
    object.int16s = maybe(list { Int16(truncatingIfNeeded: random.next()) })
    object.chars = maybe(list { UInt16(truncatingIfNeeded: random.next()) })
    object.int32s = maybe(list { Int32(truncatingIfNeeded: random.next()) })
    object.int64s = maybe(list { Int64(bitPattern: random.next()) })
    object.floats = maybe(list { Float(random.below(100)) / 4 })
    object.doubles = maybe(list { Double(random.below(100)) / 4 })
    object.strings = maybe(list { random.pick(text) })
    return object
  }
}
