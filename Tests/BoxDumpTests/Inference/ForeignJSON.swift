import BoxJSON
import TestSupport

/// Random JSON objects as other programs write them: members with values of one kind mostly, gaps, nulls,
/// and odd names.
struct ForeignJSON {
  private var random: SplitMix64
  private var members: [(key: String, kind: Int, gaps: Int)] = []
  private let usesIDs: Bool

  private static let keys = [
    "id", "ID", "objectId", "name", "Name", "a.b", "a_b", "", "é", "x\"y", "tab\there", "raw",
    "value", "other", "year", "list", "sehr langer Name mit Leerzeichen", "日本", "type", "/~",
  ]

  init(_ random: SplitMix64) {
    var random = random
    usesIDs = random.oneIn(3)
    var keys = Set<String>()
    for _ in 0..<(1 + random.below(9)) {
      let key = random.pick(Self.keys)
      if usesIDs && key.lowercased() == "id" { continue }
      if keys.insert(key).inserted {
        members.append((key, random.below(26), random.pick([0, 0, 2, 5])))
      }
    }
    self.random = random
  }

  /// Some objects.
  mutating func objects() -> [JSONValue] {
    let count = 1 + random.below(30)
    return (0..<count).map { number in
      var object: [JSONValue.Member] = []
      if usesIDs { object.append(.init("id", .int(1 + (number * 7) % (count * 7)))) }
      for member in members {
        if member.gaps > 0, random.oneIn(member.gaps) {
          if random.oneIn(2) { object.append(.init(member.key, .null)) }
          continue
        }
        object.append(.init(member.key, value(member.kind)))
      }
      // Other programs do not all keep an order.
      if random.oneIn(4), object.count > 1 { object.swapAt(0, object.count - 1) }
      return .object(object)
    }
  }

  private mutating func value(_ kind: Int) -> JSONValue {
    switch kind {
    case 0: .bool(random.oneIn(2))
    case 1: .int(random.below(100) - 20)
    case 2: .int(Int(bitPattern: UInt(random.next())))
    case 3: .uint(random.next() | 1 << 63)
    case 4: .number("\(random.next())\(random.next() | 1 << 63)")
    case 5: fraction()
    case 6: .number("0.\(random.next())\(random.next() | 1)")
    case 7: random.oneIn(2) ? .int(random.below(1 << 40)) : fraction()
    case 8: .number(random.pick(["1e400", "1E5", "-0", "-0.0", "1e-7", "100e-2", "1.10"]))
    case 9: .string(text())
    case 10: .string("20\(10 + random.below(90))-0\(1 + random.below(9))-1\(random.below(10))")
    case 11: .string("2021-03-04T0\(random.below(10)):05:06Z")
    case 12: .string("2021-03-04T05:06:07.\(100 + random.below(900))Z")
    case 13: .string("2021-03-04t05:06:07.123456\(random.below(1000) + 1)Z")
    case 14: .string("2021-03-04T05:06:07+0\(random.below(3)):00")
    case 15: list { .string($0.text()) }
    case 16: list { .int($0.random.below(1000) - 10) }
    case 17: list { $0.fraction() }
    case 18: .array((0..<16).map { _ in .number("0.\(100 + random.below(900))") })
    case 19: list { $0.value($0.random.pick([0, 1, 5, 9, 20])) }
    case 20: object()
    case 21: .array([])
    case 22: .null
    case 23: value(random.below(22))
    case 24: .object([.init("raw", value(random.below(12)))])
    default: random.oneIn(3) ? .string("NaN") : .string("\(random.below(1000))")
    }
  }

  private mutating func object() -> JSONValue {
    var members: [JSONValue.Member] = []
    for key in ["common", "official", "n", "raw"] where random.oneIn(2) {
      members.append(.init(key, value(random.pick([0, 1, 5, 8, 9, 15, 20]))))
    }
    return .object(members)
  }

  private mutating func fraction() -> JSONValue {
    .number("\(random.below(2000) - 1000).\(1 + random.below(99_999))")
  }

  private mutating func list(_ element: (inout ForeignJSON) -> JSONValue) -> JSONValue {
    .array((0..<random.below(4)).map { _ in element(&self) })
  }

  private mutating func text() -> String {
    random.pick(["", "plain", "é\u{301}", "a\"b\\c", "line\nfeed", "2020", "true", "日本\u{10FFFF}"])
      + "\(random.below(50))"
  }
}

extension [JSONValue] {
  /// The objects as an input: an array in one of three layouts, or lines.
  func text(_ layout: Int) -> String {
    switch layout {
    case 0: map { $0.text(indent: 0) + "\n" }.joined()
    case 1: JSONValue.array(self).text(indent: 2)
    case 2: JSONValue.array(self).text(indent: 0)
    default: "[\n" + map { $0.text(indent: 0) }.joined(separator: " ,\n") + "]\n"
    }
  }
}
