/// The traits of a type of properties: a row of the table of types.
///
/// Storage, records, conditions, converters, dumps and plans choose their forms from it when they are
/// prepared. A new type is one row, and code only where no type before it had such a value.
package struct PropertyTypeTraits: Sendable {
  /// The form of a value, of each element in a vector.
  package enum Form: Hashable, Sendable { case bool, integer, float, double, string, bytes }

  /// The sign of integers; other values are ``signed``.
  package enum Sign: Hashable, Sendable {
    case signed, unsigned
    /// Unsigned if the property has the flag.
    case byFlag
  }

  /// The form in JSON.
  package enum JSONForm: Hashable, Sendable {
    /// The JSON type of the value: a truth value, a number, a text; bytes are base64.
    case plain
    /// A text of one UTF-16 code unit.
    case character
  }

  /// The values that are compared, sorted and added up alike.
  package enum Domain: Hashable, Sendable { case signed, unsigned, number, string, bytes }

  /// The order in which an index has the values.
  package enum Index: Hashable, Sendable { case none, byValue, byNearness }

  /// The type.
  package let type: PropertyType
  /// The name that the documentation uses.
  package let name: String
  /// The form of a value, of each element in a vector.
  package let form: Form
  /// The bits of a value or an element; 0 if its length varies.
  package let bits: Int
  /// The sign of integers.
  package let sign: Sign
  /// The unit of a date; nil for anything else.
  package let unit: TimeUnit?
  /// The form of a value or an element in JSON.
  package let json: JSONForm
  /// The order in an index.
  package let index: Index
  /// Whether an index can have hashes instead of the values.
  package let isHashed: Bool
  /// The type of the elements of a vector; nil for a single value.
  package let element: PropertyType?

  /// Whether a value is a list of elements; bytes are one value.
  package var isVector: Bool { element != nil }

  /// Whether the integers of a property with these flags are unsigned.
  package func isUnsigned(_ flags: PropertyFlags) -> Bool {
    sign == .unsigned || sign == .byFlag && flags.contains(.unsigned)
  }

  /// The domain of the values of a property with these flags, of the elements of a vector; truth values are 0 and 1.
  package func domain(_ flags: PropertyFlags) -> Domain {
    switch form {
    case .bool: .unsigned
    case .integer: isUnsigned(flags) ? .unsigned : .signed
    case .float, .double: .number
    case .string: .string
    case .bytes: .bytes
    }
  }
}

extension PropertyTypeTraits {
  /// The types that the model format has.
  package static let table = singles + vectors

  private static let singles = [
    single(.bool, "bool", .bool, bits: 8),
    single(.byte, "byte", .integer, bits: 8, .byFlag),
    single(.short, "short", .integer, bits: 16, .byFlag),
    single(.char, "char", .integer, bits: 16, .unsigned, json: .character),
    single(.int, "int", .integer, bits: 32, .byFlag),
    single(.long, "long", .integer, bits: 64, .byFlag),
    single(.float, "float", .float, bits: 32),
    single(.double, "double", .double, bits: 64),
    single(.string, "string", .string, bits: 0, isHashed: true),
    single(.date, "date", .integer, bits: 64, .byFlag, unit: .milliseconds),
    single(.relation, "relation", .integer, bits: 64, .unsigned),
    single(.dateNano, "dateNano", .integer, bits: 64, .byFlag, unit: .nanoseconds),
    single(.flex, "flex", .bytes, bits: 0, index: .none),
    single(.byteVector, "byteVector", .bytes, bits: 0, index: .none, isHashed: true),
  ]

  private static let vectors = [
    vector(.boolVector, "boolVector", of: .bool),
    vector(.shortVector, "shortVector", of: .short),
    vector(.charVector, "charVector", of: .char),
    vector(.intVector, "intVector", of: .int),
    vector(.longVector, "longVector", of: .long),
    vector(.floatVector, "floatVector", of: .float, index: .byNearness),
    vector(.doubleVector, "doubleVector", of: .double),
    vector(.stringVector, "stringVector", of: .string),
    vector(.dateVector, "dateVector", of: .date, .signed),
    vector(.dateNanoVector, "dateNanoVector", of: .dateNano, .signed),
  ].compactMap(\.self)

  /// The rows at the positions of their codes.
  fileprivate static let byCode: [PropertyTypeTraits?] = {
    let codes = table.map { Int($0.type.rawValue) }
    var rows = [PropertyTypeTraits?](repeating: nil, count: (codes.max() ?? 0) + 1)
    for (code, row) in zip(codes, table) { rows[code] = row }
    return rows
  }()

  private static func single(
    _ type: PropertyType, _ name: String, _ form: Form, bits: Int, _ sign: Sign = .signed,
    unit: TimeUnit? = nil, json: JSONForm = .plain, index: Index = .byValue,
    isHashed: Bool = false
  ) -> PropertyTypeTraits {
    PropertyTypeTraits(
      type: type, name: name, form: form, bits: bits, sign: sign, unit: unit, json: json,
      index: index, isHashed: isHashed, element: nil)
  }

  /// The row of a vector; its elements are as single values are, but for what is stated.
  private static func vector(
    _ type: PropertyType, _ name: String, of element: PropertyType, _ sign: Sign? = nil,
    index: Index = .none
  ) -> PropertyTypeTraits? {
    guard let row = singles.first(where: { $0.type == element }) else { return nil }
    return PropertyTypeTraits(
      type: type, name: name, form: row.form, bits: row.bits, sign: sign ?? row.sign,
      unit: row.unit, json: row.json, index: index, isHashed: false, element: element)
  }
}

extension PropertyType {
  /// The row of the type; nil for an unknown one.
  ///
  /// - Complexity: O(1). What is done for each value is chosen from the row beforehand.
  package var traits: PropertyTypeTraits? {
    let rows = PropertyTypeTraits.byCode
    return rows.indices.contains(Int(rawValue)) ? rows[Int(rawValue)] : nil
  }
}
