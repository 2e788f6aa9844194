/// The type code of a property as model files hold it.
public struct PropertyType: RawRepresentable, Hashable, Sendable {
  /// The code.
  public var rawValue: Int32
  /// Creates a type from its code, known or not.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// No type: a generator could not tell it.
  public static let unknown = PropertyType(rawValue: 0)
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
  /// Truth values.
  public static let boolVector = PropertyType(rawValue: 22)
  /// Bytes.
  public static let byteVector = PropertyType(rawValue: 23)
  /// Integers of 16 bits.
  public static let shortVector = PropertyType(rawValue: 24)
  /// Characters of 16 bits.
  public static let charVector = PropertyType(rawValue: 25)
  /// Integers of 32 bits.
  public static let intVector = PropertyType(rawValue: 26)
  /// Integers of 64 bits.
  public static let longVector = PropertyType(rawValue: 27)
  /// Numbers of 32 bits with a fraction.
  public static let floatVector = PropertyType(rawValue: 28)
  /// Numbers of 64 bits with a fraction.
  public static let doubleVector = PropertyType(rawValue: 29)
  /// Texts.
  public static let stringVector = PropertyType(rawValue: 30)
  /// Milliseconds since 1970.
  public static let dateVector = PropertyType(rawValue: 31)
  /// Nanoseconds since 1970.
  public static let dateNanoVector = PropertyType(rawValue: 32)
}

extension PropertyType {
  /// Whether the code has a meaning; 0 means unknown and 14 to 21 are reserved.
  public var isKnown: Bool { traits != nil }

  /// Whether values are integers: neither dates nor ids.
  public var isInteger: Bool {
    traits.map { $0.form == .integer && $0.unit == nil } ?? false && self != .relation
  }

  /// Whether values are stored as integers, so that they can be unsigned: the generators for Go and C
  /// write that for dates and to-one relations too.
  public var canBeUnsigned: Bool { traits.map { $0.sign != .signed } ?? false }

  /// Whether a value is one date.
  package var isDate: Bool { traits.map { $0.unit != nil && !$0.isVector } ?? false }

  /// Whether values can be looked up by an index; of vectors only float vectors can, by distance.
  public var canBeIndexed: Bool { traits.map { $0.index != .none } ?? true }

  /// The flags among some that have no meaning for the type: hashes are for strings and bytes, an index
  /// by value for single values, UNSIGNED for integers, and EXPIRATION_TIME for dates.
  package func unsupportedFlags(in flags: PropertyFlags) -> PropertyFlags {
    var unsupported: PropertyFlags = []
    if traits?.isHashed != true { unsupported.formUnion([.indexHash, .indexHash64]) }
    if !canBeIndexed { unsupported.insert(.indexed) }
    if !canBeUnsigned { unsupported.insert(.unsigned) }
    if !isDate { unsupported.insert(.expirationTime) }
    return unsupported.intersection(flags)
  }

  /// The known type with a name that the documentation uses; nil for any other name.
  ///
  /// - Complexity: O(*n*) in the number of types.
  package init?(named name: String) {
    let folded = name.lowercased()
    guard let row = PropertyTypeTraits.table.first(where: { $0.name.lowercased() == folded })
    else { return nil }
    self = row.type
  }
}

extension PropertyType: CustomStringConvertible {
  /// The name that the documentation uses, or the code.
  public var description: String { traits?.name ?? "type \(rawValue)" }
}
