import BoxEngine
import CWorkload

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The slots of the eight fields, looked up once.
struct Slots {
  let a, b, c, d, e, f, g, name: Int

  init(_ entity: EntitySchema) {
    func property(_ name: String) -> PropertySchema {
      guard let property = entity.property(named: name) else { exit(65) }
      return property
    }
    a = property("a").slot
    b = property("b").slot
    c = property("c").slot
    d = property("d").slot
    e = property("e").slot
    f = property("f").slot
    g = property("g").slot
    name = property("name").slot
  }

  /// Writes an object, the widest fields first, as the other stores have them.
  @inline(__always)
  func write(_ object: inout mixed, to record: inout RecordWriter) throws {
    record.set(a, object.a)
    record.set(c, object.c)
    record.set(f, object.f)
    record.set(g, object.g)
    record.set(b, object.b)
    record.set(d, object.d)
    try withUnsafeBytes(of: &object.name) {
      try record.set(name, utf8: $0.assumingMemoryBound(to: UInt8.self))
    }
    record.set(e, object.e != 0)
  }

  /// Writes an object whose `b` is a string in the store.
  @inline(__always)
  func write(_ object: inout mixed, withText text: String, to record: inout RecordWriter) throws {
    record.set(a, object.a)
    record.set(c, object.c)
    record.set(f, object.f)
    record.set(g, object.g)
    record.set(b, text)
    record.set(d, object.d)
    try withUnsafeBytes(of: &object.name) {
      try record.set(name, utf8: $0.assumingMemoryBound(to: UInt8.self))
    }
    record.set(e, object.e != 0)
  }

  @inline(__always)
  func sum(_ record: borrowing RecordView) -> UInt64 {
    let a = record.int64(a) ?? 0
    let b = record.int32(b) ?? 0
    let c = record.double(c) ?? 0
    let d = record.float(d) ?? 0
    let e: UInt8 = record.bool(e) ?? false ? 1 : 0
    let f = record.int64(f) ?? 0
    let g = record.int64(g) ?? 0
    return record.withUTF8(name) { sum_of(a, b, c, d, e, f, g, $0.baseAddress, $0.count) } ?? 0
  }

  @inline(__always)
  func read(_ record: borrowing RecordView, id: UInt64) -> mixed {
    var object = mixed()
    object.id = Int64(id)
    object.a = record.int64(a) ?? 0
    object.b = record.int32(b) ?? 0
    object.c = record.double(c) ?? 0
    object.d = record.float(d) ?? 0
    object.e = record.bool(e) ?? false ? 1 : 0
    object.f = record.int64(f) ?? 0
    object.g = record.int64(g) ?? 0
    withUnsafeMutableBytes(of: &object.name) { bytes in
      _ = record.withUTF8(name) { bytes.copyBytes(from: $0.prefix(bytes.count)) }
    }
    return object
  }
}
