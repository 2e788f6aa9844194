import BoxStore
import Foundation

// Entities of each shape that ObjectBox's generator has a form for. Its bindings of them are in
// EntityInfo.generated.swift, in the form of the generator (release 5.3): nothing there is of this project but
// the import.

final class Everything: Entity {
  var id: Id = 0
  var bool = false
  var int8: Int8 = 0
  var int16: Int16 = 0
  var int32: Int32 = 0
  var int64: Int64 = 0
  var int = 0
  var uint8: UInt8 = 0
  var uint16: UInt16 = 0
  var uint32: UInt32 = 0
  var uint64: UInt64 = 0
  var uint: UInt = 0
  var float: Float = 0
  var double = 0.0
  var string = ""
  var date = Date(timeIntervalSince1970: 0)
  // objectbox: date-nano
  var nanos = Date(timeIntervalSince1970: 0)
  var data = Data()
  var bytes: [UInt8] = []
  var int32s: [Int32] = []
  var int64s: [Int64] = []
  var floats: [Float] = []
  var strings: [String] = []
  init() {}
}

final class Anything: Entity {
  var id: EntityId<Anything> = 0
  var bool: Bool?
  var int8: Int8?
  var int16: Int16?
  var int32: Int32?
  var int64: Int64?
  var int: Int?
  var uint8: UInt8?
  var uint16: UInt16?
  var uint32: UInt32?
  var uint64: UInt64?
  var uint: UInt?
  var float: Float?
  var double: Double?
  var string: String?
  var date: Date?
  // objectbox: date-nano
  var nanos: Date?
  var data: Data?
  var bytes: [UInt8]?
  var int32s: [Int32]?
  var int64s: [Int64]?
  var floats: [Float]?
  var strings: [String]?
  init() {}
}

enum Level: Int { case unknown = 0, low = 1, high = 2 }

enum Color: String { case red, green }

struct Size: Equatable {
  var width: Int
  var height: Int
}

enum SizeConverter {
  static func convert(_ size: Size) -> String { "\(size.width)x\(size.height)" }
  static func convert(_ text: String?) -> Size {
    let parts = (text ?? "").split(separator: "x").compactMap { Int($0) }
    return parts.count == 2 ? Size(width: parts[0], height: parts[1]) : Size(width: 0, height: 0)
  }
}

class Base {}

// objectbox: entity, name = "Crate"
class Box2: Base {
  var id: Id = 0
  // objectbox: name = "caption", index, unique = {"onConflict": "replace"}
  var label = ""
  // objectbox: convert = {"dbType": "Int", "default": ".unknown"}
  var level = Level.unknown
  // objectbox: convert = {"dbType": "String?"}
  var color: Color?
  // objectbox: convert = {"dbType": "String", "converter": "SizeConverter"}
  var size = Size(width: 0, height: 0)
  // objectbox: hnswIndex: dimensions=2
  var place: [Float] = []
  var owner: ToOne<Owner> = nil
  var tags: ToMany<Tag> = nil
  override init() {}
}

class Owner: Entity {
  var id: EntityId<Owner> = 0
  var name = ""
  // objectbox: backlink = "owner"
  var boxes: ToMany<Box2> = nil
  required init() {}
}

class Tag: Entity {
  var id: Id = 0
  var text = ""
  // objectbox: backlink = "tags"
  var boxes: ToMany<Box2> = nil
  required init() {}
}

struct Author: Entity {
  let id: EntityId<Author>
  let name: String
  // objectbox: backlink = "author"
  let works: ToMany<Work>
}

struct Work: Entity {
  var id: Id
  var title: String
  var pages: Int32?
  var author: ToOne<Author>
}
