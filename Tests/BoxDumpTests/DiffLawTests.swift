import TestSupport
import Testing

@testable import BoxDump

/// `dump diff` finds what a comparison of the values finds, and nothing else.
@Suite struct DiffLawTests {
  /// A value of a member.
  private enum Member: Hashable {
    case null
    case integer(Int64)
    case text(String)
    case integers([Int64])
    case texts([String])

    /// Its JSON; quotes are round integers of 64 bits.
    func json(quoted: Bool) -> String {
      let quote = quoted ? "\"" : ""
      switch self {
      case .null: return "null"
      case .integer(let value): return quote + String(value) + quote
      case .text(let value): return "\"" + value + "\""
      case .integers(let values):
        return "[" + values.map { quote + String($0) + quote }.joined(separator: ",") + "]"
      case .texts(let values):
        return "[" + values.map { "\"" + $0 + "\"" }.joined(separator: ",") + "]"
      }
    }
  }

  /// Objects by id, of values by the names of the first side.
  private typealias Objects = [UInt64: [String: Member]]

  /// The UID and the type of each member, by its name on the first side.
  private static let types: [(name: String, uid: Int, type: Int)] = [
    ("long", 1, 6), ("date", 2, 10), ("int", 3, 5), ("text", 4, 9), ("other", 5, 9),
    ("longs", 6, 27), ("texts", 7, 30), ("more", 8, 6),
  ]

  private static let wide: Set<Int> = [6, 10, 27]

  /// Values that differ in quotes, commas and brackets mostly.
  private static func value(_ type: Int, _ random: inout SplitMix64) -> Member {
    if random.oneIn(6) { return .null }
    let texts = ["1", "2", "12", "1,2", "", ",", "[1]", "[]", "-1", "null", "missing"]
    let integers: [Int64] = [1, 2, 12, -1, 0, .max, .min]
    let count = random.below(4)
    switch type {
    case 9: return .text(random.pick(texts))
    case 27: return .integers((0..<count).map { _ in random.pick(integers) })
    case 30: return .texts((0..<count).map { _ in random.pick(texts) })
    default: return .integer(random.pick(integers))
    }
  }

  private static func object(_ random: inout SplitMix64) -> [String: Member] {
    var object: [String: Member] = [:]
    for type in types where !random.oneIn(8) { object[type.name] = value(type.type, &random) }
    return object
  }

  private static func changed(_ objects: Objects, _ random: inout SplitMix64) -> Objects {
    var changed = objects
    for (id, object) in objects.sorted(by: { $0.key < $1.key }) {
      let type = random.pick(types)
      switch random.below(8) {
      case 0: changed[id] = nil
      case 1: changed[id] = Self.object(&random)
      case 2: changed[id]?[type.name] = nil
      case 3, 4: changed[id]?[type.name] = value(type.type, &random)
      default: changed[id] = object
      }
    }
    for id in 1...20 as ClosedRange<UInt64> where objects[id] == nil && random.oneIn(6) {
      changed[id] = object(&random)
    }
    return changed
  }

  /// A dump of objects, whose members are called by names in the order of ``types``, in a model that
  /// has them in another order.
  private static func dump(
    _ objects: Objects, names: [String], order: [Int], quoted: Bool
  ) -> HandmadeDump {
    var dump = HandmadeDump([
      HandmadeDump.Entity(
        name: "E", uid: 100,
        properties: order.map {
          HandmadeDump.Property(name: names[$0], uid: types[$0].uid, type: types[$0].type)
        })
    ])
    dump.integers = quoted ? .string : .number
    for (id, object) in objects.sorted(by: { $0.key < $1.key }) {
      let quote = quoted ? "\"" : ""
      var json = "{\"id\":" + quote + String(id) + quote
      for position in order {
        guard let value = object[types[position].name] else { continue }
        let isQuoted = quoted && wide.contains(types[position].type)
        json += ",\"" + names[position] + "\":" + value.json(quoted: isQuoted)
      }
      dump.lines.append(.init(section: "E", json: json + "}"))
    }
    return dump
  }

  /// The names of the members that are not the same; nil where one side lacks the object.
  private static func expected(_ a: Objects, _ b: Objects) -> [UInt64: Set<String>?] {
    var expected: [UInt64: Set<String>?] = [:]
    for id in Set(a.keys).union(b.keys) {
      guard let before = a[id], let after = b[id] else {
        expected.updateValue(nil, forKey: id)
        continue
      }
      let names = Set(types.map(\.name).filter { before[$0] != after[$0] })
      if !names.isEmpty { expected.updateValue(names, forKey: id) }
    }
    return expected
  }

  @Test func differencesMatchTheValues() throws {
    var random = TestSeed.next()
    for run in 0..<TestSeed.count("BOXJOINT_SOAK_DIFFS", default: 300) {
      var a: Objects = [:]
      for id in 1...20 as ClosedRange<UInt64> where !random.oneIn(3) {
        a[id] = Self.object(&random)
      }
      let b = Self.changed(a, &random)
      let names = Self.types.map(\.name)
      let positions = Array(names.indices)
      // Renaming is not a difference, also where two members have got the names of each other.
      let others = random.oneIn(2) ? names : names.shuffled(using: &random)
      let order = random.oneIn(2) ? positions : positions.shuffled(using: &random)
      let directory = try TemporaryDirectory()
      let first = try Self.dump(
        a, names: names, order: positions, quoted: random.oneIn(2)
      ).write(to: "a", in: directory)
      let second = try Self.dump(b, names: others, order: order, quoted: random.oneIn(2))
        .write(to: "b", in: directory)
      var found: [UInt64: Set<String>?] = [:]
      let difference = try DumpDifference.between(first, second) { item in
        let fields = item.kind == .changed ? Set(item.fields.map(\.name)) : nil
        found.updateValue(fields, forKey: item.id)
        #expect((item.kind == .added) == (a[item.id] == nil), "run \(run)")
        #expect((item.kind == .removed) == (b[item.id] == nil), "run \(run)")
      }
      let expected = Self.expected(a, b)
      #expect(found == expected, "run \(run)")
      #expect(difference.notes.isEmpty, "run \(run)")
      #expect(difference.isSame == expected.isEmpty, "run \(run)")
    }
  }

  /// Whether a dump of one object and one of another are the same.
  private func isSame(_ type: Int, _ x: String, _ y: String) throws -> Bool {
    let directory = try TemporaryDirectory()
    func side(_ json: String, _ name: String) throws -> DumpDifference.Side {
      var dump = HandmadeDump([
        .init(name: "E", uid: 1, properties: [.init(name: "v", uid: 2, type: type)])
      ])
      dump.lines = [.init(section: "E", json: json)]
      return try dump.write(to: name, in: directory)
    }
    return try DumpDifference.between(try side(x, "x"), try side(y, "y")) { _ in }.isSame
  }

  @Test(arguments: [
    (30, #"["1","2"]"#, #"["1,2"]"#, false), (30, #"["",""]"#, #"[","]"#, false),
    (9, #""1""#, "1", false), (30, #"["1"]"#, "[1]", false), (5, #""1""#, "1", false),
    (4, #""1""#, "1", false), (6, #""1""#, "1", true), (10, #""-1""#, "-1", true),
    (11, #""7""#, "7", true), (27, #"["1","2"]"#, "[1,2]", true),
    (27, #"["1","2"]"#, "[12]", false), (6, #""null""#, "null", false), (6, "12", "[12]", false),
    (31, #"["1"]"#, "[1]", true), (6, "1", "2", false),
  ])
  func quotesAreNothingRoundIntegersOnly(
    _ type: Int, _ x: String, _ y: String, _ expected: Bool
  ) throws {
    func object(_ value: String) -> String { #"{"id":1,"v":\#(value)}"# }
    #expect(try isSame(type, object(x), object(y)) == expected)
    #expect(try isSame(type, object(y), object(x)) == expected)
  }

  @Test func aMemberThatIsMissingIsADifference() throws {
    let (with, without) = (#"{"id":1,"v":"x"}"#, #"{"id":1}"#)
    #expect(try !isSame(9, with, without))
    #expect(try !isSame(9, without, with))
    #expect(try !isSame(9, #"{"id":1,"v":null}"#, without))
    #expect(try isSame(9, without, without))
  }
}
