import CWorkload
import GRDB

/// The object of the benchmark as a hand-written record, without `Codable`.
struct Mixed: FetchableRecord, PersistableRecord {
  static let databaseTableName = "mixed"

  var id: Int64
  var a: Int64
  var b: Int32
  var c: Double
  var d: Float
  var e: Bool
  var f: Int64
  var g: Int64
  var name: String

  init(seed: UInt64, count: Int64, id: Int64) {
    var object = mixed()
    make_mixed(&object, seed, count, id)
    self.id = id
    a = object.a
    b = object.b
    c = object.c
    d = object.d
    e = object.e != 0
    f = object.f
    g = object.g
    name = withUnsafeBytes(of: &object.name) { String(decoding: $0, as: UTF8.self) }
  }

  /// By position, which is the fastest way that GRDB has: the columns are those of the table.
  init(row: Row) {
    id = row[0]
    a = row[1]
    b = row[2]
    c = row[3]
    d = row[4]
    e = row[5]
    f = row[6]
    g = row[7]
    name = row[8]
  }

  /// The values of the columns in their order.
  var arguments: StatementArguments { [id, a, b, c, d, e, f, g, name] }

  func encode(to container: inout PersistenceContainer) {
    container["id"] = id
    container["a"] = a
    container["b"] = b
    container["c"] = c
    container["d"] = d
    container["e"] = e
    container["f"] = f
    container["g"] = g
    container["name"] = name
  }

  var sum: UInt64 {
    var name = name
    return name.withUTF8 { sum_of(a, b, c, d, e ? 1 : 0, f, g, $0.baseAddress, $0.count) }
  }
}
