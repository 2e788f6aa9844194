// Generated using the ObjectBox Swift Generator — https://objectbox.io

// swiftlint:disable all
// swift-format-ignore-file
import BoxStore
import Foundation

extension Everything: ObjectBox.__EntityRelatable {
    internal typealias EntityType = Everything

    internal var _id: EntityId<Everything> {
        return EntityId<Everything>(self.id.value)
    }
}

extension Everything: ObjectBox.EntityInspectable {
    internal typealias EntityBindingType = EverythingBinding

    internal static let entityInfo = ObjectBox.EntityInfo(name: "Everything", id: 1)

    internal static let entityBinding = EntityBindingType()

    fileprivate static func buildEntity(modelBuilder: ObjectBox.ModelBuilder) throws {
        let entityBuilder = try modelBuilder.entityBuilder(for: Everything.self, id: 1, uid: 5200100200301452800)
        try entityBuilder.addProperty(name: "id", type: PropertyType.long, flags: [.id], id: 1, uid: 5200100200302501376)
        try entityBuilder.addProperty(name: "bool", type: PropertyType.bool, id: 2, uid: 5200100200303549952)
        try entityBuilder.addProperty(name: "int8", type: PropertyType.byte, id: 3, uid: 5200100200304598528)
        try entityBuilder.addProperty(name: "int16", type: PropertyType.short, id: 4, uid: 5200100200305647104)
        try entityBuilder.addProperty(name: "int32", type: PropertyType.int, id: 5, uid: 5200100200306695680)
        try entityBuilder.addProperty(name: "int64", type: PropertyType.long, id: 6, uid: 5200100200307744256)
        try entityBuilder.addProperty(name: "int", type: PropertyType.long, id: 7, uid: 5200100200308792832)
        try entityBuilder.addProperty(name: "uint8", type: PropertyType.byte, flags: [.unsigned], id: 8, uid: 5200100200309841408)
        try entityBuilder.addProperty(name: "uint16", type: PropertyType.short, flags: [.unsigned], id: 9, uid: 5200100200310889984)
        try entityBuilder.addProperty(name: "uint32", type: PropertyType.int, flags: [.unsigned], id: 10, uid: 5200100200311938560)
        try entityBuilder.addProperty(name: "uint64", type: PropertyType.long, flags: [.unsigned], id: 11, uid: 5200100200312987136)
        try entityBuilder.addProperty(name: "uint", type: PropertyType.long, flags: [.unsigned], id: 12, uid: 5200100200314035712)
        try entityBuilder.addProperty(name: "float", type: PropertyType.float, id: 13, uid: 5200100200315084288)
        try entityBuilder.addProperty(name: "double", type: PropertyType.double, id: 14, uid: 5200100200316132864)
        try entityBuilder.addProperty(name: "string", type: PropertyType.string, id: 15, uid: 5200100200317181440)
        try entityBuilder.addProperty(name: "date", type: PropertyType.date, id: 16, uid: 5200100200318230016)
        try entityBuilder.addProperty(name: "nanos", type: PropertyType.dateNano, id: 17, uid: 5200100200319278592)
        try entityBuilder.addProperty(name: "data", type: PropertyType.byteVector, id: 18, uid: 5200100200320327168)
        try entityBuilder.addProperty(name: "bytes", type: PropertyType.byteVector, id: 19, uid: 5200100200321375744)
        try entityBuilder.addProperty(name: "int32s", type: PropertyType.intVector, id: 20, uid: 5200100200322424320)
        try entityBuilder.addProperty(name: "int64s", type: PropertyType.longVector, id: 21, uid: 5200100200323472896)
        try entityBuilder.addProperty(name: "floats", type: PropertyType.floatVector, id: 22, uid: 5200100200324521472)
        try entityBuilder.addProperty(name: "strings", type: PropertyType.stringVector, id: 23, uid: 5200100200325570048)

        try entityBuilder.lastProperty(id: 23, uid: 5200100200325570048)
    }
}

extension Everything {
    internal static var id: Property<Everything, Id, Id> { return Property<Everything, Id, Id>(propertyId: 1, isPrimaryKey: true) }
    internal static var bool: Property<Everything, Bool, Void> { return Property<Everything, Bool, Void>(propertyId: 2, isPrimaryKey: false) }
    internal static var int8: Property<Everything, Int8, Void> { return Property<Everything, Int8, Void>(propertyId: 3, isPrimaryKey: false) }
    internal static var int16: Property<Everything, Int16, Void> { return Property<Everything, Int16, Void>(propertyId: 4, isPrimaryKey: false) }
    internal static var int32: Property<Everything, Int32, Void> { return Property<Everything, Int32, Void>(propertyId: 5, isPrimaryKey: false) }
    internal static var int64: Property<Everything, Int64, Void> { return Property<Everything, Int64, Void>(propertyId: 6, isPrimaryKey: false) }
    internal static var int: Property<Everything, Int, Void> { return Property<Everything, Int, Void>(propertyId: 7, isPrimaryKey: false) }
    internal static var uint8: Property<Everything, UInt8, Void> { return Property<Everything, UInt8, Void>(propertyId: 8, isPrimaryKey: false) }
    internal static var uint16: Property<Everything, UInt16, Void> { return Property<Everything, UInt16, Void>(propertyId: 9, isPrimaryKey: false) }
    internal static var uint32: Property<Everything, UInt32, Void> { return Property<Everything, UInt32, Void>(propertyId: 10, isPrimaryKey: false) }
    internal static var uint64: Property<Everything, UInt64, Void> { return Property<Everything, UInt64, Void>(propertyId: 11, isPrimaryKey: false) }
    internal static var uint: Property<Everything, UInt, Void> { return Property<Everything, UInt, Void>(propertyId: 12, isPrimaryKey: false) }
    internal static var float: Property<Everything, Float, Void> { return Property<Everything, Float, Void>(propertyId: 13, isPrimaryKey: false) }
    internal static var double: Property<Everything, Double, Void> { return Property<Everything, Double, Void>(propertyId: 14, isPrimaryKey: false) }
    internal static var string: Property<Everything, String, Void> { return Property<Everything, String, Void>(propertyId: 15, isPrimaryKey: false) }
    internal static var date: Property<Everything, Date, Void> { return Property<Everything, Date, Void>(propertyId: 16, isPrimaryKey: false) }
    internal static var nanos: Property<Everything, Date, Void> { return Property<Everything, Date, Void>(propertyId: 17, isPrimaryKey: false) }
    internal static var data: Property<Everything, Data, Void> { return Property<Everything, Data, Void>(propertyId: 18, isPrimaryKey: false) }
    internal static var bytes: Property<Everything, [UInt8], Void> { return Property<Everything, [UInt8], Void>(propertyId: 19, isPrimaryKey: false) }
    internal static var int32s: Property<Everything, Int32ArrayPropertyType, Void> { return Property<Everything, Int32ArrayPropertyType, Void>(propertyId: 20, isPrimaryKey: false) }
    internal static var int64s: Property<Everything, Int64ArrayPropertyType, Void> { return Property<Everything, Int64ArrayPropertyType, Void>(propertyId: 21, isPrimaryKey: false) }
    internal static var floats: Property<Everything, FloatArrayPropertyType, Void> { return Property<Everything, FloatArrayPropertyType, Void>(propertyId: 22, isPrimaryKey: false) }
    internal static var strings: Property<Everything, StringArrayPropertyType, Void> { return Property<Everything, StringArrayPropertyType, Void>(propertyId: 23, isPrimaryKey: false) }

    fileprivate func __setId(identifier: ObjectBox.Id) {
        self.id = Id(identifier)
    }
}

extension ObjectBox.Property where E == Everything {
    internal static var id: Property<Everything, Id, Id> { return Property<Everything, Id, Id>(propertyId: 1, isPrimaryKey: true) }
    internal static var bool: Property<Everything, Bool, Void> { return Property<Everything, Bool, Void>(propertyId: 2, isPrimaryKey: false) }
    internal static var int8: Property<Everything, Int8, Void> { return Property<Everything, Int8, Void>(propertyId: 3, isPrimaryKey: false) }
    internal static var int16: Property<Everything, Int16, Void> { return Property<Everything, Int16, Void>(propertyId: 4, isPrimaryKey: false) }
    internal static var int32: Property<Everything, Int32, Void> { return Property<Everything, Int32, Void>(propertyId: 5, isPrimaryKey: false) }
    internal static var int64: Property<Everything, Int64, Void> { return Property<Everything, Int64, Void>(propertyId: 6, isPrimaryKey: false) }
    internal static var int: Property<Everything, Int, Void> { return Property<Everything, Int, Void>(propertyId: 7, isPrimaryKey: false) }
    internal static var uint8: Property<Everything, UInt8, Void> { return Property<Everything, UInt8, Void>(propertyId: 8, isPrimaryKey: false) }
    internal static var uint16: Property<Everything, UInt16, Void> { return Property<Everything, UInt16, Void>(propertyId: 9, isPrimaryKey: false) }
    internal static var uint32: Property<Everything, UInt32, Void> { return Property<Everything, UInt32, Void>(propertyId: 10, isPrimaryKey: false) }
    internal static var uint64: Property<Everything, UInt64, Void> { return Property<Everything, UInt64, Void>(propertyId: 11, isPrimaryKey: false) }
    internal static var uint: Property<Everything, UInt, Void> { return Property<Everything, UInt, Void>(propertyId: 12, isPrimaryKey: false) }
    internal static var float: Property<Everything, Float, Void> { return Property<Everything, Float, Void>(propertyId: 13, isPrimaryKey: false) }
    internal static var double: Property<Everything, Double, Void> { return Property<Everything, Double, Void>(propertyId: 14, isPrimaryKey: false) }
    internal static var string: Property<Everything, String, Void> { return Property<Everything, String, Void>(propertyId: 15, isPrimaryKey: false) }
    internal static var date: Property<Everything, Date, Void> { return Property<Everything, Date, Void>(propertyId: 16, isPrimaryKey: false) }
    internal static var nanos: Property<Everything, Date, Void> { return Property<Everything, Date, Void>(propertyId: 17, isPrimaryKey: false) }
    internal static var data: Property<Everything, Data, Void> { return Property<Everything, Data, Void>(propertyId: 18, isPrimaryKey: false) }
    internal static var bytes: Property<Everything, [UInt8], Void> { return Property<Everything, [UInt8], Void>(propertyId: 19, isPrimaryKey: false) }
    internal static var int32s: Property<Everything, Int32ArrayPropertyType, Void> { return Property<Everything, Int32ArrayPropertyType, Void>(propertyId: 20, isPrimaryKey: false) }
    internal static var int64s: Property<Everything, Int64ArrayPropertyType, Void> { return Property<Everything, Int64ArrayPropertyType, Void>(propertyId: 21, isPrimaryKey: false) }
    internal static var floats: Property<Everything, FloatArrayPropertyType, Void> { return Property<Everything, FloatArrayPropertyType, Void>(propertyId: 22, isPrimaryKey: false) }
    internal static var strings: Property<Everything, StringArrayPropertyType, Void> { return Property<Everything, StringArrayPropertyType, Void>(propertyId: 23, isPrimaryKey: false) }
}

internal final class EverythingBinding: ObjectBox.EntityBinding, Sendable {
    internal typealias EntityType = Everything
    internal typealias IdType = Id

    internal required init() {}

    internal func generatorBindingVersion() -> Int { 1 }

    internal func setEntityIdUnlessStruct(of entity: EntityType, to entityId: ObjectBox.Id) {
        entity.__setId(identifier: entityId)
    }

    internal func entityId(of entity: EntityType) -> ObjectBox.Id {
        return entity.id.value
    }

    internal func collect(fromEntity entity: EntityType, id: ObjectBox.Id,
                                  propertyCollector: ObjectBox.FlatBufferBuilder, store: ObjectBox.Store) throws {
        let propertyOffset_string = propertyCollector.prepare(string: entity.string)
        let propertyOffset_data = propertyCollector.prepare(bytes: entity.data)
        let propertyOffset_bytes = propertyCollector.prepare(bytes: entity.bytes)
        let propertyOffset_int32s = propertyCollector.prepare(values: entity.int32s)
        let propertyOffset_int64s = propertyCollector.prepare(values: entity.int64s)
        let propertyOffset_floats = propertyCollector.prepare(values: entity.floats)
        let propertyOffset_strings = propertyCollector.prepare(values: entity.strings)

        propertyCollector.collect(id, at: 2 + 2 * 1)
        propertyCollector.collect(entity.bool, at: 2 + 2 * 2)
        propertyCollector.collect(entity.int8, at: 2 + 2 * 3)
        propertyCollector.collect(entity.int16, at: 2 + 2 * 4)
        propertyCollector.collect(entity.int32, at: 2 + 2 * 5)
        propertyCollector.collect(entity.int64, at: 2 + 2 * 6)
        propertyCollector.collect(entity.int, at: 2 + 2 * 7)
        propertyCollector.collect(entity.uint8, at: 2 + 2 * 8)
        propertyCollector.collect(entity.uint16, at: 2 + 2 * 9)
        propertyCollector.collect(entity.uint32, at: 2 + 2 * 10)
        propertyCollector.collect(entity.uint64, at: 2 + 2 * 11)
        propertyCollector.collect(entity.uint, at: 2 + 2 * 12)
        propertyCollector.collect(entity.float, at: 2 + 2 * 13)
        propertyCollector.collect(entity.double, at: 2 + 2 * 14)
        propertyCollector.collect(entity.date, at: 2 + 2 * 16)
        propertyCollector.collectNanos(entity.nanos, at: 2 + 2 * 17)
        propertyCollector.collect(dataOffset: propertyOffset_string, at: 2 + 2 * 15)
        propertyCollector.collect(dataOffset: propertyOffset_data, at: 2 + 2 * 18)
        propertyCollector.collect(dataOffset: propertyOffset_bytes, at: 2 + 2 * 19)
        propertyCollector.collect(dataOffset: propertyOffset_int32s, at: 2 + 2 * 20)
        propertyCollector.collect(dataOffset: propertyOffset_int64s, at: 2 + 2 * 21)
        propertyCollector.collect(dataOffset: propertyOffset_floats, at: 2 + 2 * 22)
        propertyCollector.collect(dataOffset: propertyOffset_strings, at: 2 + 2 * 23)
    }

    internal func createEntity(entityReader: ObjectBox.FlatBufferReader, store: ObjectBox.Store) -> EntityType {
        let entity = Everything()

        entity.id = entityReader.read(at: 2 + 2 * 1)
        entity.bool = entityReader.read(at: 2 + 2 * 2)
        entity.int8 = entityReader.read(at: 2 + 2 * 3)
        entity.int16 = entityReader.read(at: 2 + 2 * 4)
        entity.int32 = entityReader.read(at: 2 + 2 * 5)
        entity.int64 = entityReader.read(at: 2 + 2 * 6)
        entity.int = entityReader.read(at: 2 + 2 * 7)
        entity.uint8 = entityReader.read(at: 2 + 2 * 8)
        entity.uint16 = entityReader.read(at: 2 + 2 * 9)
        entity.uint32 = entityReader.read(at: 2 + 2 * 10)
        entity.uint64 = entityReader.read(at: 2 + 2 * 11)
        entity.uint = entityReader.read(at: 2 + 2 * 12)
        entity.float = entityReader.read(at: 2 + 2 * 13)
        entity.double = entityReader.read(at: 2 + 2 * 14)
        entity.string = entityReader.read(at: 2 + 2 * 15)
        entity.date = entityReader.read(at: 2 + 2 * 16)
        entity.nanos = entityReader.readNanos(at: 2 + 2 * 17)
        entity.data = entityReader.read(at: 2 + 2 * 18)
        entity.bytes = entityReader.read(at: 2 + 2 * 19)
        entity.int32s = entityReader.read(at: 2 + 2 * 20)
        entity.int64s = entityReader.read(at: 2 + 2 * 21)
        entity.floats = entityReader.read(at: 2 + 2 * 22)
        entity.strings = entityReader.read(at: 2 + 2 * 23)

        return entity
    }
}

extension Anything: ObjectBox.__EntityRelatable {
    internal typealias EntityType = Anything

    internal var _id: EntityId<Anything> {
        return EntityId<Anything>(self.id.value)
    }
}

extension Anything: ObjectBox.EntityInspectable {
    internal typealias EntityBindingType = AnythingBinding

    internal static let entityInfo = ObjectBox.EntityInfo(name: "Anything", id: 2)

    internal static let entityBinding = EntityBindingType()

    fileprivate static func buildEntity(modelBuilder: ObjectBox.ModelBuilder) throws {
        let entityBuilder = try modelBuilder.entityBuilder(for: Anything.self, id: 2, uid: 5200100200326618624)
        try entityBuilder.addProperty(name: "id", type: PropertyType.long, flags: [.id], id: 1, uid: 5200100200327667200)
        try entityBuilder.addProperty(name: "bool", type: PropertyType.bool, id: 2, uid: 5200100200328715776)
        try entityBuilder.addProperty(name: "int8", type: PropertyType.byte, id: 3, uid: 5200100200329764352)
        try entityBuilder.addProperty(name: "int16", type: PropertyType.short, id: 4, uid: 5200100200330812928)
        try entityBuilder.addProperty(name: "int32", type: PropertyType.int, id: 5, uid: 5200100200331861504)
        try entityBuilder.addProperty(name: "int64", type: PropertyType.long, id: 6, uid: 5200100200332910080)
        try entityBuilder.addProperty(name: "int", type: PropertyType.long, id: 7, uid: 5200100200333958656)
        try entityBuilder.addProperty(name: "uint8", type: PropertyType.byte, id: 8, uid: 5200100200335007232)
        try entityBuilder.addProperty(name: "uint16", type: PropertyType.short, id: 9, uid: 5200100200336055808)
        try entityBuilder.addProperty(name: "uint32", type: PropertyType.int, id: 10, uid: 5200100200337104384)
        try entityBuilder.addProperty(name: "uint64", type: PropertyType.long, id: 11, uid: 5200100200338152960)
        try entityBuilder.addProperty(name: "uint", type: PropertyType.long, id: 12, uid: 5200100200339201536)
        try entityBuilder.addProperty(name: "float", type: PropertyType.float, id: 13, uid: 5200100200340250112)
        try entityBuilder.addProperty(name: "double", type: PropertyType.double, id: 14, uid: 5200100200341298688)
        try entityBuilder.addProperty(name: "string", type: PropertyType.string, id: 15, uid: 5200100200342347264)
        try entityBuilder.addProperty(name: "date", type: PropertyType.date, id: 16, uid: 5200100200343395840)
        try entityBuilder.addProperty(name: "nanos", type: PropertyType.dateNano, id: 17, uid: 5200100200344444416)
        try entityBuilder.addProperty(name: "data", type: PropertyType.byteVector, id: 18, uid: 5200100200345492992)
        try entityBuilder.addProperty(name: "bytes", type: PropertyType.byteVector, id: 19, uid: 5200100200346541568)
        try entityBuilder.addProperty(name: "int32s", type: PropertyType.intVector, id: 20, uid: 5200100200347590144)
        try entityBuilder.addProperty(name: "int64s", type: PropertyType.longVector, id: 21, uid: 5200100200348638720)
        try entityBuilder.addProperty(name: "floats", type: PropertyType.floatVector, id: 22, uid: 5200100200349687296)
        try entityBuilder.addProperty(name: "strings", type: PropertyType.stringVector, id: 23, uid: 5200100200350735872)

        try entityBuilder.lastProperty(id: 23, uid: 5200100200350735872)
    }
}

extension Anything {
    internal static var id: Property<Anything, EntityId<Anything>, EntityId<Anything>> { return Property<Anything, EntityId<Anything>, EntityId<Anything>>(propertyId: 1, isPrimaryKey: true) }
    internal static var bool: Property<Anything, Bool?, Void> { return Property<Anything, Bool?, Void>(propertyId: 2, isPrimaryKey: false) }
    internal static var int8: Property<Anything, Int8?, Void> { return Property<Anything, Int8?, Void>(propertyId: 3, isPrimaryKey: false) }
    internal static var int16: Property<Anything, Int16?, Void> { return Property<Anything, Int16?, Void>(propertyId: 4, isPrimaryKey: false) }
    internal static var int32: Property<Anything, Int32?, Void> { return Property<Anything, Int32?, Void>(propertyId: 5, isPrimaryKey: false) }
    internal static var int64: Property<Anything, Int64?, Void> { return Property<Anything, Int64?, Void>(propertyId: 6, isPrimaryKey: false) }
    internal static var int: Property<Anything, Int?, Void> { return Property<Anything, Int?, Void>(propertyId: 7, isPrimaryKey: false) }
    internal static var uint8: Property<Anything, UInt8?, Void> { return Property<Anything, UInt8?, Void>(propertyId: 8, isPrimaryKey: false) }
    internal static var uint16: Property<Anything, UInt16?, Void> { return Property<Anything, UInt16?, Void>(propertyId: 9, isPrimaryKey: false) }
    internal static var uint32: Property<Anything, UInt32?, Void> { return Property<Anything, UInt32?, Void>(propertyId: 10, isPrimaryKey: false) }
    internal static var uint64: Property<Anything, UInt64?, Void> { return Property<Anything, UInt64?, Void>(propertyId: 11, isPrimaryKey: false) }
    internal static var uint: Property<Anything, UInt?, Void> { return Property<Anything, UInt?, Void>(propertyId: 12, isPrimaryKey: false) }
    internal static var float: Property<Anything, Float?, Void> { return Property<Anything, Float?, Void>(propertyId: 13, isPrimaryKey: false) }
    internal static var double: Property<Anything, Double?, Void> { return Property<Anything, Double?, Void>(propertyId: 14, isPrimaryKey: false) }
    internal static var string: Property<Anything, String?, Void> { return Property<Anything, String?, Void>(propertyId: 15, isPrimaryKey: false) }
    internal static var date: Property<Anything, Date?, Void> { return Property<Anything, Date?, Void>(propertyId: 16, isPrimaryKey: false) }
    internal static var nanos: Property<Anything, Date?, Void> { return Property<Anything, Date?, Void>(propertyId: 17, isPrimaryKey: false) }
    internal static var data: Property<Anything, Data?, Void> { return Property<Anything, Data?, Void>(propertyId: 18, isPrimaryKey: false) }
    internal static var bytes: Property<Anything, [UInt8]?, Void> { return Property<Anything, [UInt8]?, Void>(propertyId: 19, isPrimaryKey: false) }
    internal static var int32s: Property<Anything, Int32ArrayPropertyType, Void> { return Property<Anything, Int32ArrayPropertyType, Void>(propertyId: 20, isPrimaryKey: false) }
    internal static var int64s: Property<Anything, Int64ArrayPropertyType, Void> { return Property<Anything, Int64ArrayPropertyType, Void>(propertyId: 21, isPrimaryKey: false) }
    internal static var floats: Property<Anything, FloatArrayPropertyType, Void> { return Property<Anything, FloatArrayPropertyType, Void>(propertyId: 22, isPrimaryKey: false) }
    internal static var strings: Property<Anything, StringArrayPropertyType, Void> { return Property<Anything, StringArrayPropertyType, Void>(propertyId: 23, isPrimaryKey: false) }

    fileprivate func __setId(identifier: ObjectBox.Id) {
        self.id = EntityId(identifier)
    }
}

extension ObjectBox.Property where E == Anything {
    internal static var id: Property<Anything, EntityId<Anything>, EntityId<Anything>> { return Property<Anything, EntityId<Anything>, EntityId<Anything>>(propertyId: 1, isPrimaryKey: true) }
    internal static var bool: Property<Anything, Bool?, Void> { return Property<Anything, Bool?, Void>(propertyId: 2, isPrimaryKey: false) }
    internal static var int8: Property<Anything, Int8?, Void> { return Property<Anything, Int8?, Void>(propertyId: 3, isPrimaryKey: false) }
    internal static var int16: Property<Anything, Int16?, Void> { return Property<Anything, Int16?, Void>(propertyId: 4, isPrimaryKey: false) }
    internal static var int32: Property<Anything, Int32?, Void> { return Property<Anything, Int32?, Void>(propertyId: 5, isPrimaryKey: false) }
    internal static var int64: Property<Anything, Int64?, Void> { return Property<Anything, Int64?, Void>(propertyId: 6, isPrimaryKey: false) }
    internal static var int: Property<Anything, Int?, Void> { return Property<Anything, Int?, Void>(propertyId: 7, isPrimaryKey: false) }
    internal static var uint8: Property<Anything, UInt8?, Void> { return Property<Anything, UInt8?, Void>(propertyId: 8, isPrimaryKey: false) }
    internal static var uint16: Property<Anything, UInt16?, Void> { return Property<Anything, UInt16?, Void>(propertyId: 9, isPrimaryKey: false) }
    internal static var uint32: Property<Anything, UInt32?, Void> { return Property<Anything, UInt32?, Void>(propertyId: 10, isPrimaryKey: false) }
    internal static var uint64: Property<Anything, UInt64?, Void> { return Property<Anything, UInt64?, Void>(propertyId: 11, isPrimaryKey: false) }
    internal static var uint: Property<Anything, UInt?, Void> { return Property<Anything, UInt?, Void>(propertyId: 12, isPrimaryKey: false) }
    internal static var float: Property<Anything, Float?, Void> { return Property<Anything, Float?, Void>(propertyId: 13, isPrimaryKey: false) }
    internal static var double: Property<Anything, Double?, Void> { return Property<Anything, Double?, Void>(propertyId: 14, isPrimaryKey: false) }
    internal static var string: Property<Anything, String?, Void> { return Property<Anything, String?, Void>(propertyId: 15, isPrimaryKey: false) }
    internal static var date: Property<Anything, Date?, Void> { return Property<Anything, Date?, Void>(propertyId: 16, isPrimaryKey: false) }
    internal static var nanos: Property<Anything, Date?, Void> { return Property<Anything, Date?, Void>(propertyId: 17, isPrimaryKey: false) }
    internal static var data: Property<Anything, Data?, Void> { return Property<Anything, Data?, Void>(propertyId: 18, isPrimaryKey: false) }
    internal static var bytes: Property<Anything, [UInt8]?, Void> { return Property<Anything, [UInt8]?, Void>(propertyId: 19, isPrimaryKey: false) }
    internal static var int32s: Property<Anything, Int32ArrayPropertyType, Void> { return Property<Anything, Int32ArrayPropertyType, Void>(propertyId: 20, isPrimaryKey: false) }
    internal static var int64s: Property<Anything, Int64ArrayPropertyType, Void> { return Property<Anything, Int64ArrayPropertyType, Void>(propertyId: 21, isPrimaryKey: false) }
    internal static var floats: Property<Anything, FloatArrayPropertyType, Void> { return Property<Anything, FloatArrayPropertyType, Void>(propertyId: 22, isPrimaryKey: false) }
    internal static var strings: Property<Anything, StringArrayPropertyType, Void> { return Property<Anything, StringArrayPropertyType, Void>(propertyId: 23, isPrimaryKey: false) }
}

internal final class AnythingBinding: ObjectBox.EntityBinding, Sendable {
    internal typealias EntityType = Anything
    internal typealias IdType = EntityId<Anything>

    internal required init() {}

    internal func generatorBindingVersion() -> Int { 1 }

    internal func setEntityIdUnlessStruct(of entity: EntityType, to entityId: ObjectBox.Id) {
        entity.__setId(identifier: entityId)
    }

    internal func entityId(of entity: EntityType) -> ObjectBox.Id {
        return entity.id.value
    }

    internal func collect(fromEntity entity: EntityType, id: ObjectBox.Id,
                                  propertyCollector: ObjectBox.FlatBufferBuilder, store: ObjectBox.Store) throws {
        let propertyOffset_string = propertyCollector.prepare(string: entity.string)
        let propertyOffset_data = propertyCollector.prepare(bytes: entity.data)
        let propertyOffset_bytes = propertyCollector.prepare(bytes: entity.bytes)
        let propertyOffset_int32s = propertyCollector.prepare(values: entity.int32s)
        let propertyOffset_int64s = propertyCollector.prepare(values: entity.int64s)
        let propertyOffset_floats = propertyCollector.prepare(values: entity.floats)
        let propertyOffset_strings = propertyCollector.prepare(values: entity.strings)

        propertyCollector.collect(id, at: 2 + 2 * 1)
        propertyCollector.collect(entity.bool, at: 2 + 2 * 2)
        propertyCollector.collect(entity.int8, at: 2 + 2 * 3)
        propertyCollector.collect(entity.int16, at: 2 + 2 * 4)
        propertyCollector.collect(entity.int32, at: 2 + 2 * 5)
        propertyCollector.collect(entity.int64, at: 2 + 2 * 6)
        propertyCollector.collect(entity.int, at: 2 + 2 * 7)
        propertyCollector.collect(entity.uint8, at: 2 + 2 * 8)
        propertyCollector.collect(entity.uint16, at: 2 + 2 * 9)
        propertyCollector.collect(entity.uint32, at: 2 + 2 * 10)
        propertyCollector.collect(entity.uint64, at: 2 + 2 * 11)
        propertyCollector.collect(entity.uint, at: 2 + 2 * 12)
        propertyCollector.collect(entity.float, at: 2 + 2 * 13)
        propertyCollector.collect(entity.double, at: 2 + 2 * 14)
        propertyCollector.collect(entity.date, at: 2 + 2 * 16)
        propertyCollector.collectNanos(entity.nanos, at: 2 + 2 * 17)
        propertyCollector.collect(dataOffset: propertyOffset_string, at: 2 + 2 * 15)
        propertyCollector.collect(dataOffset: propertyOffset_data, at: 2 + 2 * 18)
        propertyCollector.collect(dataOffset: propertyOffset_bytes, at: 2 + 2 * 19)
        propertyCollector.collect(dataOffset: propertyOffset_int32s, at: 2 + 2 * 20)
        propertyCollector.collect(dataOffset: propertyOffset_int64s, at: 2 + 2 * 21)
        propertyCollector.collect(dataOffset: propertyOffset_floats, at: 2 + 2 * 22)
        propertyCollector.collect(dataOffset: propertyOffset_strings, at: 2 + 2 * 23)
    }

    internal func createEntity(entityReader: ObjectBox.FlatBufferReader, store: ObjectBox.Store) -> EntityType {
        let entity = Anything()

        entity.id = entityReader.read(at: 2 + 2 * 1)
        entity.bool = entityReader.read(at: 2 + 2 * 2)
        entity.int8 = entityReader.read(at: 2 + 2 * 3)
        entity.int16 = entityReader.read(at: 2 + 2 * 4)
        entity.int32 = entityReader.read(at: 2 + 2 * 5)
        entity.int64 = entityReader.read(at: 2 + 2 * 6)
        entity.int = entityReader.read(at: 2 + 2 * 7)
        entity.uint8 = entityReader.read(at: 2 + 2 * 8)
        entity.uint16 = entityReader.read(at: 2 + 2 * 9)
        entity.uint32 = entityReader.read(at: 2 + 2 * 10)
        entity.uint64 = entityReader.read(at: 2 + 2 * 11)
        entity.uint = entityReader.read(at: 2 + 2 * 12)
        entity.float = entityReader.read(at: 2 + 2 * 13)
        entity.double = entityReader.read(at: 2 + 2 * 14)
        entity.string = entityReader.read(at: 2 + 2 * 15)
        entity.date = entityReader.read(at: 2 + 2 * 16)
        entity.nanos = entityReader.readNanos(at: 2 + 2 * 17)
        entity.data = entityReader.read(at: 2 + 2 * 18)
        entity.bytes = entityReader.read(at: 2 + 2 * 19)
        entity.int32s = entityReader.read(at: 2 + 2 * 20)
        entity.int64s = entityReader.read(at: 2 + 2 * 21)
        entity.floats = entityReader.read(at: 2 + 2 * 22)
        entity.strings = entityReader.read(at: 2 + 2 * 23)

        return entity
    }
}

extension Box2: ObjectBox.Entity {}

extension Box2: ObjectBox.__EntityRelatable {
    internal typealias EntityType = Box2

    internal var _id: EntityId<Box2> {
        return EntityId<Box2>(self.id.value)
    }
}

extension Box2: ObjectBox.EntityInspectable {
    internal typealias EntityBindingType = Box2Binding

    internal static let entityInfo = ObjectBox.EntityInfo(name: "Crate", id: 3)

    internal static let entityBinding = EntityBindingType()

    fileprivate static func buildEntity(modelBuilder: ObjectBox.ModelBuilder) throws {
        let entityBuilder = try modelBuilder.entityBuilder(for: Box2.self, id: 3, uid: 5200100200351784448)
        try entityBuilder.addProperty(name: "id", type: PropertyType.long, flags: [.id], id: 1, uid: 5200100200352833024)
        try entityBuilder.addProperty(name: "caption", type: PropertyType.string, flags: [.unique, .indexHash, .indexed, .uniqueOnConflictReplace], id: 2, uid: 5200100200353881600, indexId: 1, indexUid: 5200100200354930176)
        try entityBuilder.addProperty(name: "level", type: PropertyType.long, id: 3, uid: 5200100200355978752)
        try entityBuilder.addProperty(name: "color", type: PropertyType.string, id: 4, uid: 5200100200357027328)
        try entityBuilder.addProperty(name: "size", type: PropertyType.string, id: 5, uid: 5200100200358075904)
        try entityBuilder.addProperty(name: "place", type: PropertyType.floatVector, flags: [.indexed], id: 6, uid: 5200100200359124480, indexId: 2, indexUid: 5200100200360173056)
            .hnswParams(dimensions: 2, neighborsPerNode: nil, indexingSearchCount: nil, flags: nil, distanceType: nil, reparationBacklinkProbability: nil, vectorCacheHintSizeKB: nil)
        try entityBuilder.addToOneRelation(name: "owner", targetEntityInfo: ToOne<Owner>.Target.entityInfo, flags: [.indexed, .indexPartialSkipZero], id: 7, uid: 5200100200361221632, indexId: 3, indexUid: 5200100200362270208)
        try entityBuilder.addToManyRelation(id: 1, uid: 5200100200363318784,
                                            targetId: 5, targetUid: 5200100200367513088)

        try entityBuilder.lastProperty(id: 7, uid: 5200100200361221632)
    }
}

extension Box2 {
    internal static var id: Property<Box2, Id, Id> { return Property<Box2, Id, Id>(propertyId: 1, isPrimaryKey: true) }
    internal static var label: Property<Box2, String, Void> { return Property<Box2, String, Void>(propertyId: 2, isPrimaryKey: false) }
    internal static var level: Property<Box2, Int, Void> { return Property<Box2, Int, Void>(propertyId: 3, isPrimaryKey: false) }
    internal static var color: Property<Box2, String?, Void> { return Property<Box2, String?, Void>(propertyId: 4, isPrimaryKey: false) }
    internal static var size: Property<Box2, String, Void> { return Property<Box2, String, Void>(propertyId: 5, isPrimaryKey: false) }
    internal static var place: Property<Box2, HnswIndexPropertyType, Void> { return Property<Box2, HnswIndexPropertyType, Void>(propertyId: 6, isPrimaryKey: false) }
    internal static var owner: Property<Box2, EntityId<ToOne<Owner>.Target>, ToOne<Owner>.Target> { return Property(propertyId: 7) }
    internal static var tags: ToManyProperty<Tag> { return ToManyProperty(.relationId(1)) }

    fileprivate func __setId(identifier: ObjectBox.Id) {
        self.id = Id(identifier)
    }
}

extension ObjectBox.Property where E == Box2 {
    internal static var id: Property<Box2, Id, Id> { return Property<Box2, Id, Id>(propertyId: 1, isPrimaryKey: true) }
    internal static var label: Property<Box2, String, Void> { return Property<Box2, String, Void>(propertyId: 2, isPrimaryKey: false) }
    internal static var level: Property<Box2, Int, Void> { return Property<Box2, Int, Void>(propertyId: 3, isPrimaryKey: false) }
    internal static var color: Property<Box2, String?, Void> { return Property<Box2, String?, Void>(propertyId: 4, isPrimaryKey: false) }
    internal static var size: Property<Box2, String, Void> { return Property<Box2, String, Void>(propertyId: 5, isPrimaryKey: false) }
    internal static var place: Property<Box2, HnswIndexPropertyType, Void> { return Property<Box2, HnswIndexPropertyType, Void>(propertyId: 6, isPrimaryKey: false) }
    internal static var owner: Property<Box2, ToOne<Owner>.Target.EntityBindingType.IdType, ToOne<Owner>.Target> { return Property<Box2, ToOne<Owner>.Target.EntityBindingType.IdType, ToOne<Owner>.Target>(propertyId: 7) }
    internal static var tags: ToManyProperty<Tag> { return ToManyProperty(.relationId(1)) }
}

internal final class Box2Binding: ObjectBox.EntityBinding, Sendable {
    internal typealias EntityType = Box2
    internal typealias IdType = Id

    internal required init() {}

    internal func generatorBindingVersion() -> Int { 1 }

    internal func setEntityIdUnlessStruct(of entity: EntityType, to entityId: ObjectBox.Id) {
        entity.__setId(identifier: entityId)
    }

    internal func entityId(of entity: EntityType) -> ObjectBox.Id {
        return entity.id.value
    }

    internal func collect(fromEntity entity: EntityType, id: ObjectBox.Id,
                                  propertyCollector: ObjectBox.FlatBufferBuilder, store: ObjectBox.Store) throws {
        let propertyOffset_label = propertyCollector.prepare(string: entity.label)
        let propertyOffset_color = propertyCollector.prepare(string: entity.color?.rawValue)
        let propertyOffset_size = propertyCollector.prepare(string: SizeConverter.convert(entity.size))
        let propertyOffset_place = propertyCollector.prepare(values: entity.place)

        propertyCollector.collect(id, at: 2 + 2 * 1)
        propertyCollector.collect(entity.level.rawValue, at: 2 + 2 * 3)
        try propertyCollector.collect(entity.owner, at: 2 + 2 * 7, store: store)
        propertyCollector.collect(dataOffset: propertyOffset_label, at: 2 + 2 * 2)
        propertyCollector.collect(dataOffset: propertyOffset_color, at: 2 + 2 * 4)
        propertyCollector.collect(dataOffset: propertyOffset_size, at: 2 + 2 * 5)
        propertyCollector.collect(dataOffset: propertyOffset_place, at: 2 + 2 * 6)
    }

    internal func postPut(fromEntity entity: EntityType, id: ObjectBox.Id, store: ObjectBox.Store) throws {
        if entityId(of: entity) == 0 {
            entity.owner.attach(to: store.box(for: Owner.self))
            let tags = ToMany<Tag>.relation(
                sourceId: EntityId<Box2>(id.value),
                targetBox: store.box(for: ToMany<Tag>.ReferencedType.self),
                relationId: 1)
            if !entity.tags.isEmpty {
                tags.replace(entity.tags)
            }
            entity.tags = tags
            try entity.tags.applyToDb()
        }
    }
    internal func setToOneRelation(_ propertyId: obx_schema_id, of entity: EntityType, to entityId: ObjectBox.Id?) {
        switch propertyId {
            case 7:
                entity.owner.targetId = (entityId != nil) ? EntityId<Owner>(entityId!) : nil
            default:
                fatalError("Attempt to change nonexistent ToOne relation with ID \(propertyId)")
        }
    }
    internal func createEntity(entityReader: ObjectBox.FlatBufferReader, store: ObjectBox.Store) -> EntityType {
        let entity = Box2()

        entity.id = entityReader.read(at: 2 + 2 * 1)
        entity.label = entityReader.read(at: 2 + 2 * 2)
        entity.level = optConstruct(Level.self, rawValue: entityReader.read(at: 2 + 2 * 3)) ?? .unknown
        entity.color = optConstruct(Color.self, rawValue: entityReader.read(at: 2 + 2 * 4))
        entity.size = SizeConverter.convert(entityReader.read(at: 2 + 2 * 5))
        entity.place = entityReader.read(at: 2 + 2 * 6)

        entity.owner = entityReader.read(at: 2 + 2 * 7, store: store)
        entity.tags = ToMany<Tag>.relation(
            sourceId: EntityId<Box2>(entity.id.value),
            targetBox: store.box(for: ToMany<Tag>.ReferencedType.self),
            relationId: 1)
        return entity
    }
}

extension Owner: ObjectBox.__EntityRelatable {
    internal typealias EntityType = Owner

    internal var _id: EntityId<Owner> {
        return EntityId<Owner>(self.id.value)
    }
}

extension Owner: ObjectBox.EntityInspectable {
    internal typealias EntityBindingType = OwnerBinding

    internal static let entityInfo = ObjectBox.EntityInfo(name: "Owner", id: 4)

    internal static let entityBinding = EntityBindingType()

    fileprivate static func buildEntity(modelBuilder: ObjectBox.ModelBuilder) throws {
        let entityBuilder = try modelBuilder.entityBuilder(for: Owner.self, id: 4, uid: 5200100200364367360)
        try entityBuilder.addProperty(name: "id", type: PropertyType.long, flags: [.id], id: 1, uid: 5200100200365415936)
        try entityBuilder.addProperty(name: "name", type: PropertyType.string, id: 2, uid: 5200100200366464512)

        try entityBuilder.lastProperty(id: 2, uid: 5200100200366464512)
    }
}

extension Owner {
    internal static var id: Property<Owner, EntityId<Owner>, EntityId<Owner>> { return Property<Owner, EntityId<Owner>, EntityId<Owner>>(propertyId: 1, isPrimaryKey: true) }
    internal static var name: Property<Owner, String, Void> { return Property<Owner, String, Void>(propertyId: 2, isPrimaryKey: false) }
    internal static var boxes: ToManyProperty<Box2> { return ToManyProperty(.valuePropertyId(7)) }

    fileprivate func __setId(identifier: ObjectBox.Id) {
        self.id = EntityId(identifier)
    }
}

extension ObjectBox.Property where E == Owner {
    internal static var id: Property<Owner, EntityId<Owner>, EntityId<Owner>> { return Property<Owner, EntityId<Owner>, EntityId<Owner>>(propertyId: 1, isPrimaryKey: true) }
    internal static var name: Property<Owner, String, Void> { return Property<Owner, String, Void>(propertyId: 2, isPrimaryKey: false) }
    internal static var boxes: ToManyProperty<Box2> { return ToManyProperty(.valuePropertyId(7)) }
}

internal final class OwnerBinding: ObjectBox.EntityBinding, Sendable {
    internal typealias EntityType = Owner
    internal typealias IdType = EntityId<Owner>

    internal required init() {}

    internal func generatorBindingVersion() -> Int { 1 }

    internal func setEntityIdUnlessStruct(of entity: EntityType, to entityId: ObjectBox.Id) {
        entity.__setId(identifier: entityId)
    }

    internal func entityId(of entity: EntityType) -> ObjectBox.Id {
        return entity.id.value
    }

    internal func collect(fromEntity entity: EntityType, id: ObjectBox.Id,
                                  propertyCollector: ObjectBox.FlatBufferBuilder, store: ObjectBox.Store) throws {
        let propertyOffset_name = propertyCollector.prepare(string: entity.name)

        propertyCollector.collect(id, at: 2 + 2 * 1)
        propertyCollector.collect(dataOffset: propertyOffset_name, at: 2 + 2 * 2)
    }

    internal func postPut(fromEntity entity: EntityType, id: ObjectBox.Id, store: ObjectBox.Store) throws {
        if entityId(of: entity) == 0 {
            let boxes = ToMany<Box2>.backlink(
                sourceBox: store.box(for: ToMany<Box2>.ReferencedType.self),
                sourceProperty: ToMany<Box2>.ReferencedType.owner,
                targetId: EntityId<Owner>(id.value))
            if !entity.boxes.isEmpty {
                boxes.replace(entity.boxes)
            }
            entity.boxes = boxes
            try entity.boxes.applyToDb()
        }
    }
    internal func createEntity(entityReader: ObjectBox.FlatBufferReader, store: ObjectBox.Store) -> EntityType {
        let entity = Owner()

        entity.id = entityReader.read(at: 2 + 2 * 1)
        entity.name = entityReader.read(at: 2 + 2 * 2)

        entity.boxes = ToMany<Box2>.backlink(
            sourceBox: store.box(for: ToMany<Box2>.ReferencedType.self),
            sourceProperty: ToMany<Box2>.ReferencedType.owner,
            targetId: EntityId<Owner>(entity.id.value))
        return entity
    }
}

extension Tag: ObjectBox.__EntityRelatable {
    internal typealias EntityType = Tag

    internal var _id: EntityId<Tag> {
        return EntityId<Tag>(self.id.value)
    }
}

extension Tag: ObjectBox.EntityInspectable {
    internal typealias EntityBindingType = TagBinding

    internal static let entityInfo = ObjectBox.EntityInfo(name: "Tag", id: 5)

    internal static let entityBinding = EntityBindingType()

    fileprivate static func buildEntity(modelBuilder: ObjectBox.ModelBuilder) throws {
        let entityBuilder = try modelBuilder.entityBuilder(for: Tag.self, id: 5, uid: 5200100200367513088)
        try entityBuilder.addProperty(name: "id", type: PropertyType.long, flags: [.id], id: 1, uid: 5200100200368561664)
        try entityBuilder.addProperty(name: "text", type: PropertyType.string, id: 2, uid: 5200100200369610240)

        try entityBuilder.lastProperty(id: 2, uid: 5200100200369610240)
    }
}

extension Tag {
    internal static var id: Property<Tag, Id, Id> { return Property<Tag, Id, Id>(propertyId: 1, isPrimaryKey: true) }
    internal static var text: Property<Tag, String, Void> { return Property<Tag, String, Void>(propertyId: 2, isPrimaryKey: false) }
    internal static var boxes: ToManyProperty<Box2> { return ToManyProperty(.backlinkRelationId(1)) }

    fileprivate func __setId(identifier: ObjectBox.Id) {
        self.id = Id(identifier)
    }
}

extension ObjectBox.Property where E == Tag {
    internal static var id: Property<Tag, Id, Id> { return Property<Tag, Id, Id>(propertyId: 1, isPrimaryKey: true) }
    internal static var text: Property<Tag, String, Void> { return Property<Tag, String, Void>(propertyId: 2, isPrimaryKey: false) }
    internal static var boxes: ToManyProperty<Box2> { return ToManyProperty(.backlinkRelationId(1)) }
}

internal final class TagBinding: ObjectBox.EntityBinding, Sendable {
    internal typealias EntityType = Tag
    internal typealias IdType = Id

    internal required init() {}

    internal func generatorBindingVersion() -> Int { 1 }

    internal func setEntityIdUnlessStruct(of entity: EntityType, to entityId: ObjectBox.Id) {
        entity.__setId(identifier: entityId)
    }

    internal func entityId(of entity: EntityType) -> ObjectBox.Id {
        return entity.id.value
    }

    internal func collect(fromEntity entity: EntityType, id: ObjectBox.Id,
                                  propertyCollector: ObjectBox.FlatBufferBuilder, store: ObjectBox.Store) throws {
        let propertyOffset_text = propertyCollector.prepare(string: entity.text)

        propertyCollector.collect(id, at: 2 + 2 * 1)
        propertyCollector.collect(dataOffset: propertyOffset_text, at: 2 + 2 * 2)
    }

    internal func postPut(fromEntity entity: EntityType, id: ObjectBox.Id, store: ObjectBox.Store) throws {
        if entityId(of: entity) == 0 {
            let boxes = ToMany<Box2>.backlink(
                sourceBox: store.box(for: ToMany<Box2>.ReferencedType.self),
                targetId: EntityId<Tag>(id.value),
                relationId: 1)
            if !entity.boxes.isEmpty {
                boxes.replace(entity.boxes)
            }
            entity.boxes = boxes
            try entity.boxes.applyToDb()
        }
    }
    internal func createEntity(entityReader: ObjectBox.FlatBufferReader, store: ObjectBox.Store) -> EntityType {
        let entity = Tag()

        entity.id = entityReader.read(at: 2 + 2 * 1)
        entity.text = entityReader.read(at: 2 + 2 * 2)

        entity.boxes = ToMany<Box2>.backlink(
            sourceBox: store.box(for: ToMany<Box2>.ReferencedType.self),
            targetId: EntityId<Tag>(entity.id.value),
            relationId: 1)
        return entity
    }
}

extension Author: ObjectBox.__EntityRelatable {
    internal typealias EntityType = Author

    internal var _id: EntityId<Author> {
        return EntityId<Author>(self.id.value)
    }
}

extension Author: ObjectBox.EntityInspectable {
    internal typealias EntityBindingType = AuthorBinding

    internal static let entityInfo = ObjectBox.EntityInfo(name: "Author", id: 6)

    internal static let entityBinding = EntityBindingType()

    fileprivate static func buildEntity(modelBuilder: ObjectBox.ModelBuilder) throws {
        let entityBuilder = try modelBuilder.entityBuilder(for: Author.self, id: 6, uid: 5200100200370658816)
        try entityBuilder.addProperty(name: "id", type: PropertyType.long, flags: [.id], id: 1, uid: 5200100200371707392)
        try entityBuilder.addProperty(name: "name", type: PropertyType.string, id: 2, uid: 5200100200372755968)

        try entityBuilder.lastProperty(id: 2, uid: 5200100200372755968)
    }
}

extension Author {
    internal static var id: Property<Author, EntityId<Author>, EntityId<Author>> { return Property<Author, EntityId<Author>, EntityId<Author>>(propertyId: 1, isPrimaryKey: true) }
    internal static var name: Property<Author, String, Void> { return Property<Author, String, Void>(propertyId: 2, isPrimaryKey: false) }
    internal static var works: ToManyProperty<Work> { return ToManyProperty(.valuePropertyId(4)) }
}

extension ObjectBox.Property where E == Author {
    internal static var id: Property<Author, EntityId<Author>, EntityId<Author>> { return Property<Author, EntityId<Author>, EntityId<Author>>(propertyId: 1, isPrimaryKey: true) }
    internal static var name: Property<Author, String, Void> { return Property<Author, String, Void>(propertyId: 2, isPrimaryKey: false) }
    internal static var works: ToManyProperty<Work> { return ToManyProperty(.valuePropertyId(4)) }
}

internal final class AuthorBinding: ObjectBox.EntityBinding, Sendable {
    internal typealias EntityType = Author
    internal typealias IdType = EntityId<Author>

    internal required init() {}

    internal func generatorBindingVersion() -> Int { 1 }

    internal func entityId(of entity: EntityType) -> ObjectBox.Id {
        return entity.id.value
    }

    internal func collect(fromEntity entity: EntityType, id: ObjectBox.Id,
                                  propertyCollector: ObjectBox.FlatBufferBuilder, store: ObjectBox.Store) throws {
        let propertyOffset_name = propertyCollector.prepare(string: entity.name)

        propertyCollector.collect(id, at: 2 + 2 * 1)
        propertyCollector.collect(dataOffset: propertyOffset_name, at: 2 + 2 * 2)
    }

    internal func createEntity(entityReader: ObjectBox.FlatBufferReader, store: ObjectBox.Store) -> EntityType {
        let entityId: EntityId<Author> = entityReader.read(at: 2 + 2 * 1)
        let entity = Author(
            id: entityId, 
            name: entityReader.read(at: 2 + 2 * 2), 
            works: ToMany<Work>.backlink(
                        sourceBox: store.box(for: ToMany<Work>.ReferencedType.self),
                        sourceProperty: ToMany<Work>.ReferencedType.author,
                        targetId: EntityId<Author>(entityId.value))
        )
        return entity
    }
}

extension ObjectBox.Box where E == Author {

    func put(struct entity: Author) throws -> Author {
        let entityId: Author.EntityBindingType.IdType = try self.put(entity)

        return Author(
            id: entityId, 
            name: entity.name, 
            works: entity.works
        )
    }

    func put(structs entities: [Author]) throws -> [Author] {
        let entityIds: [Author.EntityBindingType.IdType] = try self.putAndReturnIDs(entities)
        var newEntities = [Author]()
        newEntities.reserveCapacity(entities.count)

        for i in 0 ..< min(entities.count, entityIds.count) {
            let entity = entities[i]
            let entityId = entityIds[i]

            newEntities.append(Author(
                id: entityId, 
                name: entity.name, 
                works: entity.works
            ))
        }

        return newEntities
    }
}

extension Work: ObjectBox.__EntityRelatable {
    internal typealias EntityType = Work

    internal var _id: EntityId<Work> {
        return EntityId<Work>(self.id.value)
    }
}

extension Work: ObjectBox.EntityInspectable {
    internal typealias EntityBindingType = WorkBinding

    internal static let entityInfo = ObjectBox.EntityInfo(name: "Work", id: 7)

    internal static let entityBinding = EntityBindingType()

    fileprivate static func buildEntity(modelBuilder: ObjectBox.ModelBuilder) throws {
        let entityBuilder = try modelBuilder.entityBuilder(for: Work.self, id: 7, uid: 5200100200373804544)
        try entityBuilder.addProperty(name: "id", type: PropertyType.long, flags: [.id], id: 1, uid: 5200100200374853120)
        try entityBuilder.addProperty(name: "title", type: PropertyType.string, id: 2, uid: 5200100200375901696)
        try entityBuilder.addProperty(name: "pages", type: PropertyType.int, id: 3, uid: 5200100200376950272)
        try entityBuilder.addToOneRelation(name: "author", targetEntityInfo: ToOne<Author>.Target.entityInfo, flags: [.indexed, .indexPartialSkipZero], id: 4, uid: 5200100200377998848, indexId: 4, indexUid: 5200100200379047424)

        try entityBuilder.lastProperty(id: 4, uid: 5200100200377998848)
    }
}

extension Work {
    internal static var id: Property<Work, Id, Id> { return Property<Work, Id, Id>(propertyId: 1, isPrimaryKey: true) }
    internal static var title: Property<Work, String, Void> { return Property<Work, String, Void>(propertyId: 2, isPrimaryKey: false) }
    internal static var pages: Property<Work, Int32?, Void> { return Property<Work, Int32?, Void>(propertyId: 3, isPrimaryKey: false) }
    internal static var author: Property<Work, EntityId<ToOne<Author>.Target>, ToOne<Author>.Target> { return Property(propertyId: 4) }

    fileprivate mutating func __setId(identifier: ObjectBox.Id) {
        self.id = Id(identifier)
    }
}

extension ObjectBox.Property where E == Work {
    internal static var id: Property<Work, Id, Id> { return Property<Work, Id, Id>(propertyId: 1, isPrimaryKey: true) }
    internal static var title: Property<Work, String, Void> { return Property<Work, String, Void>(propertyId: 2, isPrimaryKey: false) }
    internal static var pages: Property<Work, Int32?, Void> { return Property<Work, Int32?, Void>(propertyId: 3, isPrimaryKey: false) }
    internal static var author: Property<Work, ToOne<Author>.Target.EntityBindingType.IdType, ToOne<Author>.Target> { return Property<Work, ToOne<Author>.Target.EntityBindingType.IdType, ToOne<Author>.Target>(propertyId: 4) }
}

internal final class WorkBinding: ObjectBox.EntityBinding, Sendable {
    internal typealias EntityType = Work
    internal typealias IdType = Id

    internal required init() {}

    internal func generatorBindingVersion() -> Int { 1 }

    internal func setStructEntityId(of entity: inout EntityType, to entityId: ObjectBox.Id) {
        entity.__setId(identifier: entityId)
    }

    internal func entityId(of entity: EntityType) -> ObjectBox.Id {
        return entity.id.value
    }

    internal func collect(fromEntity entity: EntityType, id: ObjectBox.Id,
                                  propertyCollector: ObjectBox.FlatBufferBuilder, store: ObjectBox.Store) throws {
        let propertyOffset_title = propertyCollector.prepare(string: entity.title)

        propertyCollector.collect(id, at: 2 + 2 * 1)
        propertyCollector.collect(entity.pages, at: 2 + 2 * 3)
        try propertyCollector.collect(entity.author, at: 2 + 2 * 4, store: store)
        propertyCollector.collect(dataOffset: propertyOffset_title, at: 2 + 2 * 2)
    }

    internal func setToOneRelation(_ propertyId: obx_schema_id, of entity: EntityType, to entityId: ObjectBox.Id?) {
        switch propertyId {
            case 4:
                entity.author.targetId = (entityId != nil) ? EntityId<Author>(entityId!) : nil
            default:
                fatalError("Attempt to change nonexistent ToOne relation with ID \(propertyId)")
        }
    }
    internal func createEntity(entityReader: ObjectBox.FlatBufferReader, store: ObjectBox.Store) -> EntityType {
        let entityId: Id = entityReader.read(at: 2 + 2 * 1)
        let entity = Work(
            id: entityId, 
            title: entityReader.read(at: 2 + 2 * 2), 
            pages: entityReader.read(at: 2 + 2 * 3), 
            author: entityReader.read(at: 2 + 2 * 4, store: store)
        )
        return entity
    }
}

extension ObjectBox.Box where E == Work {

    func put(struct entity: Work) throws -> Work {
        let entityId: Work.EntityBindingType.IdType = try self.put(entity)

        return Work(
            id: entityId, 
            title: entity.title, 
            pages: entity.pages, 
            author: entity.author
        )
    }

    func put(structs entities: [Work]) throws -> [Work] {
        let entityIds: [Work.EntityBindingType.IdType] = try self.putAndReturnIDs(entities)
        var newEntities = [Work]()
        newEntities.reserveCapacity(entities.count)

        for i in 0 ..< min(entities.count, entityIds.count) {
            let entity = entities[i]
            let entityId = entityIds[i]

            newEntities.append(Work(
                id: entityId, 
                title: entity.title, 
                pages: entity.pages, 
                author: entity.author
            ))
        }

        return newEntities
    }
}

fileprivate func optConstruct<T: RawRepresentable>(_ type: T.Type, rawValue: T.RawValue?) -> T? {
    guard let rawValue = rawValue else { return nil }
    return T(rawValue: rawValue)
}

fileprivate func cModel() throws -> OpaquePointer {
    let modelBuilder = try ObjectBox.ModelBuilder()
    try Anything.buildEntity(modelBuilder: modelBuilder)
    try Author.buildEntity(modelBuilder: modelBuilder)
    try Box2.buildEntity(modelBuilder: modelBuilder)
    try Everything.buildEntity(modelBuilder: modelBuilder)
    try Owner.buildEntity(modelBuilder: modelBuilder)
    try Tag.buildEntity(modelBuilder: modelBuilder)
    try Work.buildEntity(modelBuilder: modelBuilder)
    modelBuilder.lastEntity(id: 7, uid: 5200100200373804544)
    modelBuilder.lastIndex(id: 4, uid: 5200100200379047424)
    modelBuilder.lastRelation(id: 1, uid: 5200100200363318784)
    return modelBuilder.finish()
}

extension ObjectBox.Store {
    internal convenience init(directoryPath: String, maxDbSizeInKByte: UInt64 = 1024 * 1024,
                            fileMode: UInt32 = 0o644, maxReaders: UInt32 = 0, readOnly: Bool = false) throws {
        try self.init(
            model: try cModel(),
            directory: directoryPath,
            maxDbSizeInKByte: maxDbSizeInKByte,
            fileMode: fileMode,
            maxReaders: maxReaders,
            readOnly: readOnly)
    }
}

// swiftlint:enable all
