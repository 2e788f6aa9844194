/// An enum whose raw values are stored.
package struct StoredEnum: Hashable, Sendable {
  /// The path of the type.
  package var path: String
  /// The names of the cases with their raw values as text.
  package var cases: [(name: String, rawValue: String)] { names.map { ($0, values[$0] ?? "") } }
  private var names: [String]
  private var values: [String: String]
  package var place: SourcePlace
  /// Whether the raw values are texts.
  package var isText: Bool

  init(_ declaration: EnumDeclaration, _ raw: SwiftValueType) {
    path = declaration.path
    place = declaration.place
    isText = raw == .string
    names = []
    values = [:]
    var next: Int? = 0
    for entry in declaration.cases {
      // An implicit raw value is the name, or the value of the case before and 1.
      let value: String?
      if raw == .string {
        value = entry.rawValue ?? entry.name
      } else {
        let number = entry.rawValue.map(Self.integer) ?? next
        next = number.map { $0 + 1 }
        value = number.map { "\($0)" }
      }
      guard let value else { continue }
      names.append(entry.name)
      values[entry.name] = value
    }
  }

  /// The number of a literal, which may be hexadecimal, octal or binary.
  private static func integer(_ text: String) -> Int? {
    let isNegative = text.hasPrefix("-")
    let digits = text.drop { $0 == "-" || $0 == "+" }
    let radix = ["0x": 16, "0o": 8, "0b": 2].first { digits.hasPrefix($0.key) }?.value
    let number = Int(radix == nil ? digits : digits.dropFirst(2), radix: radix ?? 10)
    return number.map { isNegative ? -$0 : $0 }
  }
}
