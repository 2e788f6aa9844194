internal import BoxConvert

/// An enum whose raw values are stored.
struct StoredEnum: Sendable {
  /// The path of the type.
  let path: String
  let place: SourcePlace
  /// The cases whose raw values can be read from the sources, and their places.
  private(set) var cases: [(item: EnumerationCase, place: SourcePlace)] = []

  init(_ declaration: EnumDeclaration, _ raw: SwiftValueType) {
    path = declaration.path
    place = declaration.place
    var next: Int128? = 0
    for entry in declaration.cases {
      // An implicit raw value is the name, or the value of the case before and 1.
      let value: RawValue?
      if raw == .string {
        value = .text(entry.rawValue ?? entry.name)
      } else {
        let number = entry.rawValue.map(Self.integer) ?? next
        next = number.map { $0 + 1 }
        value = number.map { .integer($0) }
      }
      if let value { cases.append((EnumerationCase(entry.name, value), entry.place)) }
    }
  }

  /// The number of a literal, which may be hexadecimal, octal or binary; nil beyond 64 bits.
  private static func integer(_ text: String) -> Int128? {
    let isNegative = text.hasPrefix("-")
    let digits = text.drop { $0 == "-" || $0 == "+" }
    let radix = ["0x": 16, "0o": 8, "0b": 2].first { digits.hasPrefix($0.key) }?.value
    let number = UInt64(radix == nil ? digits : digits.dropFirst(2), radix: radix ?? 10)
    return number.map { isNegative ? -Int128($0) : Int128($0) }
  }
}
