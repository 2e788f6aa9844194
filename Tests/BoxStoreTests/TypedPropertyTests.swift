import BoxConvert
import BoxStore
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Properties of every type whose bindings call a typed converter.
struct TypedPropertyTests {
  private let store: Store

  init() throws { store = try SampleStore.inMemory() }

  /// Extremes of every type, and an object without a value.
  private var samples: [Everything] {
    var low = Everything()
    low.bool = false
    (low.int8, low.uint8, low.int16, low.uint16) = (.min, .min, .min, .min)
    (low.int32, low.uint32, low.int64, low.uint64) = (.min, .min, .min, .min)
    (low.char, low.float, low.double) = (.min, -.infinity, -.greatestFiniteMagnitude)
    (low.string, low.data, low.bools, low.int16s) = ("", Data(), [], [])
    (low.chars, low.int32s, low.int64s, low.floats) = ([], [], [], [])
    (low.doubles, low.strings) = ([], [])
    var high = Everything()
    high.bool = true
    (high.int8, high.uint8, high.int16, high.uint16) = (.max, .max, .max, .max)
    (high.int32, high.uint32, high.int64, high.uint64) = (.max, .max, .max, .max)
    (high.char, high.float, high.double) = (.max, 0.5, .pi)
    (high.string, high.data, high.bools) = ("ü\u{0}x", Data([0, 255]), [true, false])
    (high.int16s, high.chars) = ([.min, .max], [0, .max])
    (high.int32s, high.int64s) = ([.min, .max], [.min, 0, .max])
    (high.floats, high.doubles, high.strings) = ([1.5], [.pi], ["", "ü🙂"])
    return [low, high, Everything()]
  }

  @Test func aConverterGetsAndGivesWhatIsStored() throws {
    let plain = store.box(for: Everything.self)
    let converted = store.box(for: Converted.self)
    for sample in samples {
      let object = Converted(sample)
      let id = try converted.put(object)
      var expected = sample
      expected.id = id
      #expect(try plain.get(id) == expected)
      #expect(try converted.get(id)?.value == expected)
    }
    #expect(try converted.all().map(\.value) == plain.all())
  }

  @Test func aConverterThatRefusesAValueEndsThePut() throws {
    let box = store.box(for: Refused.self)
    let object = Refused()
    object.number = 13
    let error = #expect(throws: ObjectBoxError.self) { try box.put(object) }
    #expect(error.map(caseName) == "illegalArgument")
    #expect(error?.message.contains("Everything.int16") == true)
    #expect(error?.message.contains("a number other than 13") == true)
    #expect(try box.isEmpty() && object.id == 0)
  }

  @Test func aConverterThatRefusesAStoredValueEndsTheRead() throws {
    var stored = Everything()
    stored.int16 = 13
    let id = try store.box().put(stored)
    let box = store.box(for: Refused.self)
    for read in [{ _ = try box.get(id) }, { _ = try box.all() }] {
      let error = #expect(throws: ObjectBoxError.self) { try read() }
      #expect(error.map(caseName) == "illegalState")
      #expect(error?.message.contains("Everything.int16 of object \(id)") == true)
      #expect(error?.message.contains("a number other than 13") == true)
    }
  }

  /// Of a property that is not optional the converter decides about null.
  @Test func aMissingValueBecomesTheConvertersDefault() throws {
    let id = try store.box().put(Everything())
    #expect(try store.box(for: Refused.self).get(id)?.number == 7)
  }
}

/// Stores values as they are.
private struct Plain<Stored: StoredValue>: ValueConverter {
  func domain(_ stored: Stored?) throws(ConversionError) -> Stored { stored ?? Stored.storedZero }
  func stored(_ domain: Stored) throws(ConversionError) -> Stored? { domain }
}

/// An object with the values of `Everything`, each by a converter; dates and flexible values are left out.
private final class Converted: Entity, EntityInspectable, __EntityRelatable {
  typealias EntityType = Converted
  typealias EntityBindingType = ConvertedBinding
  static let entityInfo = Everything.entityInfo
  static let entityBinding = ConvertedBinding()

  var value: Everything
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<Converted> { EntityId(value.id) }

  init(_ value: Everything) { self.value = value }
}

private final class ConvertedBinding: EntityBinding {
  typealias EntityType = Converted
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: Converted) -> Id { entity.value.id }
  func setEntityIdUnlessStruct(of entity: Converted, to id: Id) { entity.value.id = id }

  func collect(
    fromEntity entity: Converted, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
    let value = entity.value
    propertyCollector.collect(value.bool, by: Plain<Bool>(), at: 6)
    propertyCollector.collect(value.int8, by: Plain<Int8>(), at: 8)
    propertyCollector.collect(value.uint8, by: Plain<UInt8>(), at: 10)
    propertyCollector.collect(value.int16, by: Plain<Int16>(), at: 12)
    propertyCollector.collect(value.uint16, by: Plain<UInt16>(), at: 14)
    propertyCollector.collect(value.char, by: Plain<UInt16>(), at: 16)
    propertyCollector.collect(value.int32, by: Plain<Int32>(), at: 18)
    propertyCollector.collect(value.uint32, by: Plain<UInt32>(), at: 20)
    propertyCollector.collect(value.int64, by: Plain<Int64>(), at: 22)
    propertyCollector.collect(value.uint64, by: Plain<UInt64>(), at: 24)
    propertyCollector.collect(value.float, by: Plain<Float>(), at: 26)
    propertyCollector.collect(value.double, by: Plain<Double>(), at: 28)
    propertyCollector.collect(value.string, by: Plain<String>(), at: 30)
    propertyCollector.collect(value.data.map { [UInt8]($0) }, by: Plain<[UInt8]>(), at: 36)
    propertyCollector.collect(value.bools, by: Plain<[Bool]>(), at: 40)
    propertyCollector.collect(value.int16s, by: Plain<[Int16]>(), at: 42)
    propertyCollector.collect(value.chars, by: Plain<[UInt16]>(), at: 44)
    propertyCollector.collect(value.int32s, by: Plain<[Int32]>(), at: 46)
    propertyCollector.collect(value.int64s, by: Plain<[Int64]>(), at: 48)
    propertyCollector.collect(value.floats, by: Plain<[Float]>(), at: 50)
    propertyCollector.collect(value.doubles, by: Plain<[Double]>(), at: 52)
    propertyCollector.collect(value.strings, by: Plain<[String]>(), at: 54)
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) throws -> Converted {
    var value = Everything()
    value.id = entityReader.read(at: 4)
    value.bool = try entityReader.read(at: 6, by: Plain<Bool>())
    value.int8 = try entityReader.read(at: 8, by: Plain<Int8>())
    value.uint8 = try entityReader.read(at: 10, by: Plain<UInt8>())
    value.int16 = try entityReader.read(at: 12, by: Plain<Int16>())
    value.uint16 = try entityReader.read(at: 14, by: Plain<UInt16>())
    value.char = try entityReader.read(at: 16, by: Plain<UInt16>())
    value.int32 = try entityReader.read(at: 18, by: Plain<Int32>())
    value.uint32 = try entityReader.read(at: 20, by: Plain<UInt32>())
    value.int64 = try entityReader.read(at: 22, by: Plain<Int64>())
    value.uint64 = try entityReader.read(at: 24, by: Plain<UInt64>())
    value.float = try entityReader.read(at: 26, by: Plain<Float>())
    value.double = try entityReader.read(at: 28, by: Plain<Double>())
    value.string = try entityReader.read(at: 30, by: Plain<String>())
    let bytes: [UInt8]? = try entityReader.read(at: 36, by: Plain<[UInt8]>())
    value.data = bytes.map { Data($0) }
    value.bools = try entityReader.read(at: 40, by: Plain<[Bool]>())
    value.int16s = try entityReader.read(at: 42, by: Plain<[Int16]>())
    value.chars = try entityReader.read(at: 44, by: Plain<[UInt16]>())
    value.int32s = try entityReader.read(at: 46, by: Plain<[Int32]>())
    value.int64s = try entityReader.read(at: 48, by: Plain<[Int64]>())
    value.floats = try entityReader.read(at: 50, by: Plain<[Float]>())
    value.doubles = try entityReader.read(at: 52, by: Plain<[Double]>())
    value.strings = try entityReader.read(at: 54, by: Plain<[String]>())
    return Converted(value)
  }
}

/// Refuses 13 in both directions; what is missing is 7.
private struct Superstition: ValueConverter {
  func domain(_ stored: Int16?) throws(ConversionError) -> Int {
    if stored == 13 { throw ConversionError(.malformed, expected: "a number other than 13") }
    return stored.map { Int($0) } ?? 7
  }

  func stored(_ domain: Int) throws(ConversionError) -> Int16? {
    if domain == 13 { throw ConversionError(.malformed, expected: "a number other than 13") }
    return Int16(truncatingIfNeeded: domain)
  }
}

private final class Refused: Entity, EntityInspectable, __EntityRelatable {
  typealias EntityType = Refused
  typealias EntityBindingType = RefusedBinding
  static let entityInfo = Everything.entityInfo
  static let entityBinding = RefusedBinding()

  var id: Id = 0
  var number = 0
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<Refused> { EntityId(id) }
}

private final class RefusedBinding: EntityBinding {
  typealias EntityType = Refused
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: Refused) -> Id { entity.id }
  func setEntityIdUnlessStruct(of entity: Refused, to id: Id) { entity.id = id }
  func collect(
    fromEntity entity: Refused, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws { propertyCollector.collect(entity.number, by: Superstition(), at: 12) }
  func createEntity(entityReader: FlatBufferReader, store: Store) throws -> Refused {
    let object = Refused()
    object.id = entityReader.read(at: 4)
    object.number = try entityReader.read(at: 12, by: Superstition())
    return object
  }
}
