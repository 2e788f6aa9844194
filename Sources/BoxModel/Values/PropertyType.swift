/// The type code of a property as model files hold it.
public struct PropertyType: RawRepresentable, Hashable, Sendable {
  /// The code.
  public var rawValue: Int32
  /// Creates a type from its code, known or not.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// True or false.
  public static let bool = PropertyType(rawValue: 1)
  /// An integer of 8 bits.
  public static let byte = PropertyType(rawValue: 2)
  /// An integer of 16 bits.
  public static let short = PropertyType(rawValue: 3)
  /// A character of 16 bits.
  public static let char = PropertyType(rawValue: 4)
  /// An integer of 32 bits.
  public static let int = PropertyType(rawValue: 5)
  /// An integer of 64 bits.
  public static let long = PropertyType(rawValue: 6)
  /// A number of 32 bits with a fraction.
  public static let float = PropertyType(rawValue: 7)
  /// A number of 64 bits with a fraction.
  public static let double = PropertyType(rawValue: 8)
  /// A text.
  public static let string = PropertyType(rawValue: 9)
  /// Milliseconds since 1970.
  public static let date = PropertyType(rawValue: 10)
  /// A to-one relation.
  public static let relation = PropertyType(rawValue: 11)
  /// Nanoseconds since 1970.
  public static let dateNano = PropertyType(rawValue: 12)
  /// A value of any type.
  public static let flex = PropertyType(rawValue: 13)
  /// Bytes.
  public static let byteVector = PropertyType(rawValue: 23)
  /// Numbers of 32 bits with a fraction.
  public static let floatVector = PropertyType(rawValue: 28)

  private static let names: [Int32: String] = [
    1: "bool", 2: "byte", 3: "short", 4: "char", 5: "int", 6: "long", 7: "float", 8: "double",
    9: "string", 10: "date", 11: "relation", 12: "dateNano", 13: "flex", 22: "boolVector",
    23: "byteVector", 24: "shortVector", 25: "charVector", 26: "intVector", 27: "longVector",
    28: "floatVector", 29: "doubleVector", 30: "stringVector", 31: "dateVector",
    32: "dateNanoVector",
  ]

  /// Whether the code has a meaning; 0 means unknown and 14 to 21 are reserved.
  public var isKnown: Bool { Self.names[rawValue] != nil }

  /// Whether values are integers.
  public var isInteger: Bool { (2...6).contains(rawValue) || (24...27).contains(rawValue) }

  /// Whether values are stored as integers, so that they can be unsigned: the generators for Go and C
  /// write that for dates and to-one relations too.
  public var canBeUnsigned: Bool { isInteger || [.date, .dateNano, .relation].contains(self) }
  /// Whether values can be looked up by an index; of vectors only those of floats can, by nearness.
  public var canBeIndexed: Bool { rawValue < 13 || self == .floatVector || !isKnown }
}

extension PropertyType: CustomStringConvertible {
  /// The name that the documentation uses, or the code.
  public var description: String { Self.names[rawValue] ?? "type \(rawValue)" }
}
