import BoxConvert
import BoxEngine
import BoxModel
import Testing

/// The table of types against the documents: the codes and names of the model format, and the bytes
/// that `docs/storage-format.md` states for each type.
struct PropertyTypeTests {
  /// Code, name, bytes in the record, and bytes of an element for what lies beside it.
  private static let documented: [(code: Int32, name: String, width: Int, element: Int)] = [
    (1, "bool", 1, 0), (2, "byte", 1, 0), (3, "short", 2, 0), (4, "char", 2, 0), (5, "int", 4, 0),
    (6, "long", 8, 0), (7, "float", 4, 0), (8, "double", 8, 0), (9, "string", 4, 1),
    (10, "date", 8, 0), (11, "relation", 8, 0), (12, "dateNano", 8, 0), (13, "flex", 4, 1),
    (22, "boolVector", 4, 1), (23, "byteVector", 4, 1), (24, "shortVector", 4, 2),
    (25, "charVector", 4, 2), (26, "intVector", 4, 4), (27, "longVector", 4, 8),
    (28, "floatVector", 4, 4), (29, "doubleVector", 4, 8), (30, "stringVector", 4, 4),
    (31, "dateVector", 4, 8), (32, "dateNanoVector", 4, 8),
  ]

  @Test func `every type of the format is a row, and has its name and its width`() throws {
    #expect(PropertyTypeTraits.table.count == Self.documented.count)
    for row in Self.documented {
      let type = PropertyType(rawValue: row.code)
      #expect(type.description == row.name)
      #expect(type.isKnown, "\(row.name)")
      let slot = try #require(SlotType(type, []), "\(row.name)")
      #expect(slot.width == row.width, "\(row.name)")
      #expect(slot.elementWidth == row.element, "\(row.name)")
      #expect(StoredType(type) != nil, "\(row.name)")
    }
  }

  @Test func `other codes are unknown`() {
    let known = Set(Self.documented.map(\.code))
    for code in Array(-3...40) + [Int32.min, .max] where !known.contains(code) {
      let type = PropertyType(rawValue: code)
      #expect(!type.isKnown)
      #expect(type.description == "type \(code)")
      #expect(SlotType(type, []) == nil)
      #expect(StoredType(type) == nil)
      #expect(!type.isInteger)
      #expect(!type.canBeUnsigned)
      #expect(type.canBeIndexed)
    }
  }

  /// Generators write the flag for integers, dates and to-one relations; characters and relations
  /// are unsigned without it.
  @Test func `the flag makes integers unsigned, and nothing else`() {
    let byFlag = [2, 3, 5, 6, 10, 12, 24, 26, 27]
    let always = [4, 11, 25]
    let dates = [10, 12]
    for row in Self.documented {
      let type = PropertyType(rawValue: row.code)
      let code = Int(row.code)
      #expect(type.isInteger == ((byFlag + [4, 25]).contains(code) && !dates.contains(code)))
      #expect(
        type.canBeUnsigned == (byFlag.contains(code) || always.contains(code)), "\(row.name)")
      #expect(StoredType(type)?.isUnsigned == always.contains(code), "\(row.name)")
      #expect(
        StoredType(type, .unsigned)?.isUnsigned == type.canBeUnsigned, "\(row.name)")
      #expect(
        (SlotType(type, .unsigned) != SlotType(type, [])) == byFlag.contains(code), "\(row.name)")
    }
  }

  /// The traits of every type with and without the flag.
  @Test func `a slot type has the traits of the types that are stored so`() throws {
    let signed = [2, 3, 5, 6, 10, 12, 24, 26, 27, 31, 32]
    let unsigned = [1, 4, 11, 22, 25]
    let bits = [
      1: 8, 2: 8, 3: 16, 4: 16, 5: 32, 6: 64, 7: 32, 8: 64, 10: 64, 11: 64, 12: 64, 22: 8, 24: 16,
      25: 16, 26: 32, 27: 64, 28: 32, 29: 64, 31: 64, 32: 64,
    ]
    for row in Self.documented {
      let (type, code) = (PropertyType(rawValue: row.code), Int(row.code))
      for flags in [[], .unsigned] as [PropertyFlags] {
        let traits = try #require(SlotType(type, flags), "\(row.name)").traits
        let isSigned = signed.contains(code) && (flags.isEmpty || code > 30)
        let domain: PropertyTypeTraits.Domain =
          switch code {
          case 7, 8, 28, 29: .number
          case 9, 30: .string
          case 13, 23: .bytes
          default: isSigned ? .signed : .unsigned
          }
        #expect(
          signed.contains(code) || unsigned.contains(code) || bits[code] == nil || domain == .number
        )
        #expect(traits.domain == domain, "\(row.name)")
        #expect(
          traits.isUnsigned == (domain == .unsigned && code != 1 && code != 22), "\(row.name)")
        #expect(traits.isVector == (code > 21 && code != 23), "\(row.name)")
        #expect(traits.bits == bits[code] ?? 0, "\(row.name)")
      }
    }
  }

  /// Hashes are for strings and bytes, an index by value for single values, and expiration for dates.
  @Test func `a type has flags without a meaning`() {
    let all: PropertyFlags = [.indexHash, .indexHash64, .indexed, .unsigned, .expirationTime]
    for row in Self.documented {
      let unsupported = PropertyType(rawValue: row.code).unsupportedFlags(in: all)
      #expect(unsupported.contains(.indexHash) == ![9, 23].contains(row.code), "\(row.name)")
      #expect(unsupported.contains(.indexHash64) == ![9, 23].contains(row.code), "\(row.name)")
      #expect(unsupported.contains(.expirationTime) == ![10, 12].contains(row.code), "\(row.name)")
      #expect(unsupported.contains(.indexed) == (row.code >= 13 && row.code != 28), "\(row.name)")
    }
    let unknown = PropertyType(rawValue: 99).unsupportedFlags(in: all)
    #expect(unknown == [.indexHash, .indexHash64, .unsigned, .expirationTime])
  }

  /// The element of a vector has the sign of the vector.
  @Test func `the elements of a vector are stored as single values are`() throws {
    let elements: [Int32: Int32] = [
      22: 1, 24: 3, 25: 4, 26: 5, 27: 6, 28: 7, 29: 8, 30: 9, 31: 10, 32: 12,
    ]
    for row in Self.documented {
      let type = try #require(StoredType(PropertyType(rawValue: row.code), .unsigned))
      #expect(type.element?.type.rawValue == elements[row.code], "\(row.name)")
      if let element = type.element { #expect(element.isUnsigned == type.isUnsigned) }
    }
  }
}
