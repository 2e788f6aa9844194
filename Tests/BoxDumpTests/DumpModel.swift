import BoxEngine
import BoxModel
import BoxStorage
import TestSupport

/// A model with a property of every type and two relations to many, and random stores of it.
enum DumpModel {
  /// Name, type, flags; the id and the relation come before.
  static let properties: [(name: String, type: Int, flags: Int)] = [
    ("isOpen", 1, 0), ("tiny", 2, 0), ("tinyUnsigned", 2, 8192), ("small", 3, 0),
    ("smallUnsigned", 3, 8192), ("letter", 4, 0), ("count", 5, 0), ("countUnsigned", 5, 8192),
    ("long", 6, 0), ("longUnsigned", 6, 8192), ("ratio", 7, 0), ("price", 8, 0),
    ("name \"quoted\"", 9, 0), ("code", 9, 32 | 2048), ("born", 10, 0), ("seen", 12, 0),
    ("anything", 13, 0), ("flags", 22, 0), ("blob", 23, 0), ("shorts", 24, 0),
    ("shortsUnsigned", 24, 8192), ("letters", 25, 0), ("ints", 26, 0), ("intsUnsigned", 26, 8192),
    ("longs", 27, 0), ("longsUnsigned", 27, 8192), ("floats", 28, 0), ("doubles", 29, 0),
    ("tags", 30, 0), ("dates", 31, 0), ("datesNano", 32, 0),
  ]

  static func document() throws -> ModelDocument {
    var lines = [
      #"{"id":"1:1001","name":"id","type":6,"flags":1}"#,
      #"""
      {"id":"2:1002","name":"box","indexId":"1:9001","type":11,"flags":520,"relationTarget":"Box"}
      """#,
    ]
    for (index, property) in properties.enumerated() {
      let name = property.name.replacing("\"", with: "\\\"")
      let indexID = property.flags == 0 || property.flags == 8192 ? "" : #""indexId":"2:9002","#
      lines.append(
        #"{"id":"\#(index + 3):\#(index + 1003)","name":"\#(name)",\#(indexID)"#
          + #""type":\#(property.type),"flags":\#(property.flags)}"#)
    }
    let last = "\(properties.count + 2):\(properties.count + 1002)"
    let text = """
      {
        "_note1": "A model\\twith an escape.",
        "entities": [
          {"id": "1:100", "lastPropertyId": "\(last)", "name": "Thing",
           "properties": [\(lines.joined(separator: ",\n"))],
           "relations": [
             {"id": "1:8001", "name": "boxes", "targetId": "2:200"},
             {"id": "2:8002", "name": "things", "targetId": "1:100"}]},
          {"id": "2:200", "lastPropertyId": "2:2002", "name": "Box",
           "properties": [{"id": "1:2001", "name": "id", "type": 6, "flags": 1},
                          {"id": "2:2002", "name": "label", "type": 9}], "relations": []},
          {"id": "3:300", "lastPropertyId": "1:3001", "name": "Empty",
           "properties": [{"id": "1:3001", "name": "id", "type": 6, "flags": 1}], "relations": []}
        ],
        "lastEntityId": "3:300", "lastIndexId": "2:9002", "lastRelationId": "2:8002",
        "lastSequenceId": "0:0", "modelVersion": 5, "modelVersionParserMinimum": 5,
        "retiredEntityUids": [], "retiredIndexUids": [], "retiredPropertyUids": [],
        "retiredRelationUids": [], "version": 1
      }
      """
    return try ModelDocument(parsing: Array(text.utf8))
  }

  /// A store in memory with random objects and links.
  static func store(_ random: inout SplitMix64, objects: Int = 12) throws
    -> ObjectStore
  {
    let store = try ObjectStore.open(.ownMemory(), model: document())
    let thing = try store.entity(named: "Thing")
    let box = try store.entity(named: "Box")
    for _ in 0..<1 + random.below(4) {
      var object = DynamicObject(box)
      object["label"] = DumpValues.value(.string, &random)
      try store.write { _ = try $0.put(object) }
    }
    let count = random.below(objects)
    for index in 0..<count {
      var object = DynamicObject(thing)
      for (position, property) in thing.properties.enumerated() where position != thing.idPosition {
        if random.oneIn(5) { continue }
        object.values[position] =
          property.name == "code"
          ? .string("\(index)") : DumpValues.value(property.type, &random)
      }
      try store.write { _ = try $0.put(object) }
    }
    try store.write { transaction in
      for relation in thing.relations where count > 0 {
        for _ in 0..<random.below(20) {
          let limit = relation.target == thing.uid ? count : 1
          try transaction.link(
            relation, UInt64(1 + random.below(count)), UInt64(1 + random.below(limit)))
        }
      }
      // A gap, also at the end: the last id is not that of an object.
      if count > 2 {
        try transaction.remove(thing, UInt64(1 + random.below(count)))
        try transaction.remove(thing, UInt64(count))
      }
    }
    return store
  }
}

/// Random values of every type: often zero, extreme, empty or long.
enum DumpValues {
  static func value(_ type: SlotType, _ random: inout SplitMix64) -> Value {
    switch type {
    case .bool: .bool(random.oneIn(2))
    case .int8: .integer(Int64(integer(&random) as Int8))
    case .uint8: .unsigned(UInt64(integer(&random) as UInt8))
    case .int16: .integer(Int64(integer(&random) as Int16))
    case .uint16: .unsigned(UInt64(unit(&random)))
    case .int32: .integer(Int64(integer(&random) as Int32))
    case .uint32: .unsigned(UInt64(integer(&random) as UInt32))
    case .int64: .integer(integer(&random))
    case .uint64: .unsigned(integer(&random))
    case .float: .float(float(&random))
    case .double: .double(double(&random))
    case .string: .string(string(&random))
    case .bytes: .bytes(many(&random) { integer(&$0) })
    case .bools: .bools(many(&random) { $0.oneIn(2) })
    case .int16s: .integers(many(&random) { Int64(integer(&$0) as Int16) })
    case .uint16s: .unsignedIntegers(many(&random) { UInt64(unit(&$0)) })
    case .int32s: .integers(many(&random) { Int64(integer(&$0) as Int32) })
    case .uint32s: .unsignedIntegers(many(&random) { UInt64(integer(&$0) as UInt32) })
    case .int64s: .integers(many(&random) { integer(&$0) })
    case .uint64s: .unsignedIntegers(many(&random) { integer(&$0) })
    case .floats: .floats(many(&random) { float(&$0) })
    case .doubles: .doubles(many(&random) { double(&$0) })
    case .strings: .strings(many(&random) { string(&$0) })
    }
  }

  static func integer<T: FixedWidthInteger>(_ random: inout SplitMix64) -> T {
    switch random.below(6) {
    case 0: 0
    case 1: .min
    case 2: .max
    // Any number of digits.
    case 3: T(truncatingIfNeeded: random.next() >> UInt64(random.below(64)))
    default: T(truncatingIfNeeded: random.next())
    }
  }

  /// A UTF-16 unit, often half of a pair.
  private static func unit(_ random: inout SplitMix64) -> UInt16 {
    random.oneIn(3) ? 0xD800 + UInt16(random.below(0x800)) : integer(&random)
  }

  static func float(_ random: inout SplitMix64) -> Float {
    switch random.below(4) {
    case 0: random.pick([0, -0.0, .infinity, -.infinity, .nan, .leastNonzeroMagnitude])
    case 1: Float(random.below(100_000)) / 100
    default: Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
    }
  }

  static func double(_ random: inout SplitMix64) -> Double {
    switch random.below(5) {
    case 0:
      random.pick([
        0, -0.0, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
      ])
    case 1: Double(random.below(1_000_000_000)) / random.pick([1, 10, 100, 1000, 10_000])
    case 2: Double(random.next() >> 11) * 0x1p-53
    default: Double(bitPattern: random.next())
    }
  }

  static func string(_ random: inout SplitMix64) -> String {
    let letters = [
      "a", "B", "7", " ", "\u{0}", "\u{1F}", "\t", "\n", "\r\n", "\u{8}", "\"", "\\", "/", "\u{7F}",
      "é", "e\u{301}", "語", "🙂", "\u{2028}", "\u{FEFF}", "abcdefgh", "\u{FFFD}",
    ]
    return (0..<length(&random)).map { _ in random.pick(letters) }.joined()
  }

  private static func length(_ random: inout SplitMix64) -> Int {
    switch random.below(12) {
    case 0..<3: 0
    case 3: 100 + random.below(2000)
    default: 1 + random.below(20)
    }
  }

  private static func many<T>(
    _ random: inout SplitMix64, _ element: (inout SplitMix64) -> T
  ) -> [T] {
    (0..<min(300, length(&random))).map { _ in element(&random) }
  }
}
