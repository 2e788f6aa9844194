import BoxStore
import CWorkload

/// The object of the benchmark as a class.
final class Mixed: Entity {
  var id: Id = 0
  var a: Int64 = 0
  var b: Int32 = 0
  var c: Double = 0
  var d: Float = 0
  var e = false
  // objectbox: index
  var f: Int64 = 0
  var g: Int64 = 0
  var name = ""

  init() {}

  init(_ object: mixed) {
    a = object.a
    b = object.b
    c = object.c
    d = object.d
    e = object.e != 0
    f = object.f
    g = object.g
    name = object.text
  }
}

/// The same object as a struct.
struct MixedValue: Entity {
  var id: EntityId<MixedValue>
  var a: Int64
  var b: Int32
  var c: Double
  var d: Float
  var e: Bool
  // objectbox: index
  var f: Int64
  var g: Int64
  var name: String
}

extension MixedValue {
  init(_ object: mixed) {
    self.init(
      id: 0, a: object.a, b: object.b, c: object.c, d: object.d, e: object.e != 0, f: object.f,
      g: object.g, name: object.text)
  }
}

/// The same object as a class, most of whose values are those of a struct.
final class Embedding: Entity {
  var id: Id = 0
  var a: Int64 = 0
  var b: Int32 = 0
  // objectbox: embedded = ""
  var values = Values()

  init() {}

  init(_ object: mixed) {
    a = object.a
    b = object.b
    values = Values(
      c: object.c, d: object.d, e: object.e != 0, f: object.f, g: object.g, name: object.text)
  }
}

/// The values of ``Embedding``.
struct Values {
  var c = 0.0
  var d: Float = 0
  var e = false
  // objectbox: index
  var f: Int64 = 0
  var g: Int64 = 0
  var name = ""
}

/// The same object with a relation to one, and one to many.
final class Linked: Entity {
  var id: Id = 0
  var a: Int64 = 0
  var b: Int32 = 0
  var c: Double = 0
  var d: Float = 0
  var e = false
  // objectbox: index
  var f: Int64 = 0
  var g: Int64 = 0
  var name = ""
  var owner: ToOne<Owner> = nil
  var related: ToMany<Owner> = nil

  init() {}

  init(_ object: mixed) {
    a = object.a
    b = object.b
    c = object.c
    d = object.d
    e = object.e != 0
    f = object.f
    g = object.g
    name = object.text
    owner.targetId = EntityId(Id(owner_of(object.id)))
  }
}

/// The same object with a unique number.
final class Keyed: Entity {
  var id: Id = 0
  // objectbox: unique
  var key: Int64 = 0
  var a: Int64 = 0
  var b: Int32 = 0
  var c: Double = 0
  var d: Float = 0
  var e = false
  var f: Int64 = 0
  var g: Int64 = 0
  var name = ""

  init() {}

  init(_ object: mixed) {
    key = object.id
    set(object)
  }

  func set(_ object: mixed) {
    a = object.a
    b = object.b
    c = object.c
    d = object.d
    e = object.e != 0
    f = object.f
    g = object.g
    name = object.text
  }
}

extension Keyed: UniquelyImportable {
  static var uniqueIDProperty: Property<Keyed, Int64, Void> { Keyed.key }

  static func uniqueID(from source: mixed, in transaction: Transaction) -> Int64? { source.id }

  convenience init(importing source: mixed, in transaction: Transaction) { self.init(source) }

  func update(from source: mixed, in transaction: Transaction) { set(source) }
}

/// The target of relations.
final class Owner: Entity {
  var id: Id = 0
  var name = ""
  // objectbox: index
  var rank: Int32 = 0
  // objectbox: backlink = "owner"
  var owned: ToMany<Linked> = nil

  init() {}

  init(name: String, rank: Int32) {
    self.name = name
    self.rank = rank
  }
}

extension mixed {
  /// The object with an id.
  init(_ request: request, _ id: Int64) {
    self.init()
    make_mixed(&self, request.seed, request.count, id)
  }

  /// The name, whose letters are all in ASCII.
  var text: String {
    var name = name
    return withUnsafeBytes(of: &name) { String(decoding: $0, as: UTF8.self) }
  }
}

/// An object whose fields can be summed up.
protocol Summed {
  var a: Int64 { get }
  var b: Int32 { get }
  var c: Double { get }
  var d: Float { get }
  var e: Bool { get }
  var f: Int64 { get }
  var g: Int64 { get }
  var name: String { get }
}

extension Summed {
  @inline(__always)
  var sum: UInt64 {
    var name = name
    return name.withUTF8 { sum_of(a, b, c, d, e ? 1 : 0, f, g, $0.baseAddress, $0.count) }
  }
}

extension Mixed: Summed {}
extension MixedValue: Summed {}
extension Linked: Summed {}
extension Embedding: Summed {
  var c: Double { values.c }
  var d: Float { values.d }
  var e: Bool { values.e }
  var f: Int64 { values.f }
  var g: Int64 { values.g }
  var name: String { values.name }
}
extension Keyed: Summed {}
