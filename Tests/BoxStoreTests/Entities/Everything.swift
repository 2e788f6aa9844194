import BoxStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A struct with a property of every type, all of which can be missing.
struct Everything: Entity, Equatable {
  var id: Id = 0
  var bool: Bool?
  var int8: Int8?
  var uint8: UInt8?
  var int16: Int16?
  var uint16: UInt16?
  var char: UInt16?
  var int32: Int32?
  var uint32: UInt32?
  var int64: Int64?
  var uint64: UInt64?
  var float: Float?
  var double: Double?
  var string: String?
  var date: Date?
  var dateNano: Date?
  var data: Data?
  var flex: [UInt8]?
  var bools: [Bool]?
  var int16s: [Int16]?
  var chars: [UInt16]?
  var int32s: [Int32]?
  var int64s: [Int64]?
  var floats: [Float]?
  var doubles: [Double]?
  var strings: [String]?
}

extension Everything: EntityInspectable, __EntityRelatable {
  typealias EntityType = Everything
  typealias EntityBindingType = EverythingBinding
  static let entityInfo = EntityInfo(name: "Everything", id: 8)
  static let entityBinding = EverythingBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<Everything> { EntityId(id) }

  static var bool: Property<Everything, Bool?, Void> { Property(propertyId: 2) }
  static var int8: Property<Everything, Int8?, Void> { Property(propertyId: 3) }
  static var uint8: Property<Everything, UInt8?, Void> { Property(propertyId: 4) }
  static var int16: Property<Everything, Int16?, Void> { Property(propertyId: 5) }
  static var uint16: Property<Everything, UInt16?, Void> { Property(propertyId: 6) }
  static var char: Property<Everything, UInt16?, Void> { Property(propertyId: 7) }
  static var int32: Property<Everything, Int32?, Void> { Property(propertyId: 8) }
  static var uint32: Property<Everything, UInt32?, Void> { Property(propertyId: 9) }
  static var int64: Property<Everything, Int64?, Void> { Property(propertyId: 10) }
  static var uint64: Property<Everything, UInt64?, Void> { Property(propertyId: 11) }
  static var float: Property<Everything, Float?, Void> { Property(propertyId: 12) }
  static var double: Property<Everything, Double?, Void> { Property(propertyId: 13) }
  static var string: Property<Everything, String?, Void> { Property(propertyId: 14) }
  static var date: Property<Everything, Date?, Void> { Property(propertyId: 15) }
  static var dateNano: Property<Everything, Date?, Void> { Property(propertyId: 16) }
  static var data: Property<Everything, Data?, Void> { Property(propertyId: 17) }
  static var flex: Property<Everything, [UInt8]?, Void> { Property(propertyId: 18) }
  static var int32s: Property<Everything, Int32ArrayPropertyType, Void> { Property(propertyId: 22) }
  static var int64s: Property<Everything, Int64ArrayPropertyType, Void> { Property(propertyId: 23) }
  static var floats: Property<Everything, FloatArrayPropertyType, Void> { Property(propertyId: 24) }
  static var strings: Property<Everything, StringArrayPropertyType, Void> {
    Property(propertyId: 26)
  }
  static var bools: Property<Everything, ListPropertyType<Bool>, Void> { Property(propertyId: 19) }
  static var int16s: Property<Everything, ListPropertyType<Int16>, Void> {
    Property(propertyId: 20)
  }
  static var chars: Property<Everything, ListPropertyType<UInt16>, Void> {
    Property(propertyId: 21)
  }
  static var doubles: Property<Everything, ListPropertyType<Double>, Void> {
    Property(propertyId: 25)
  }
}

final class EverythingBinding: EntityBinding {
  typealias EntityType = Everything
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: Everything) -> Id { entity.id }
  func setStructEntityId(of entity: inout Everything, to id: Id) { entity.id = id }

  func collect(
    fromEntity entity: Everything, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
    propertyCollector.collect(entity.bool, at: 6)
    propertyCollector.collect(entity.int8, at: 8)
    propertyCollector.collect(entity.uint8, at: 10)
    propertyCollector.collect(entity.int16, at: 12)
    propertyCollector.collect(entity.uint16, at: 14)
    propertyCollector.collect(entity.char, at: 16)
    propertyCollector.collect(entity.int32, at: 18)
    propertyCollector.collect(entity.uint32, at: 20)
    propertyCollector.collect(entity.int64, at: 22)
    propertyCollector.collect(entity.uint64, at: 24)
    propertyCollector.collect(entity.float, at: 26)
    propertyCollector.collect(entity.double, at: 28)
    propertyCollector.collect(entity.string, at: 30)
    propertyCollector.collect(entity.date, at: 32)
    propertyCollector.collect(entity.dateNano, at: 34)
    propertyCollector.collect(entity.data, at: 36)
    propertyCollector.collect(entity.flex, at: 38)
    propertyCollector.collect(entity.bools, at: 40)
    propertyCollector.collect(entity.int16s, at: 42)
    propertyCollector.collect(entity.chars, at: 44)
    propertyCollector.collect(entity.int32s, at: 46)
    propertyCollector.collect(entity.int64s, at: 48)
    propertyCollector.collect(entity.floats, at: 50)
    propertyCollector.collect(entity.doubles, at: 52)
    propertyCollector.collect(entity.strings, at: 54)
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> Everything {
    var entity = Everything()
    entity.id = entityReader.read(at: 4)
    entity.bool = entityReader.read(at: 6)
    entity.int8 = entityReader.read(at: 8)
    entity.uint8 = entityReader.read(at: 10)
    entity.int16 = entityReader.read(at: 12)
    entity.uint16 = entityReader.read(at: 14)
    entity.char = entityReader.read(at: 16)
    entity.int32 = entityReader.read(at: 18)
    entity.uint32 = entityReader.read(at: 20)
    entity.int64 = entityReader.read(at: 22)
    entity.uint64 = entityReader.read(at: 24)
    entity.float = entityReader.read(at: 26)
    entity.double = entityReader.read(at: 28)
    entity.string = entityReader.read(at: 30)
    entity.date = entityReader.read(at: 32)
    entity.dateNano = entityReader.read(at: 34)
    entity.data = entityReader.read(at: 36)
    entity.flex = entityReader.read(at: 38)
    entity.bools = entityReader.read(at: 40)
    entity.int16s = entityReader.read(at: 42)
    entity.chars = entityReader.read(at: 44)
    entity.int32s = entityReader.read(at: 46)
    entity.int64s = entityReader.read(at: 48)
    entity.floats = entityReader.read(at: 50)
    entity.doubles = entityReader.read(at: 52)
    entity.strings = entityReader.read(at: 54)
    return entity
  }
}
