/// The place of a declaration or an annotation in a file; line and column count from 1, the column in
/// Unicode scalars.
struct SourcePlace: Hashable, Sendable {
  var path: String
  var line: Int
  var column: Int
  /// The text of the line.
  var text = ""
}

/// The initial value of a variable, as far as its text says that it is always the same.
enum InitialValue: Hashable, Sendable {
  /// A literal, or an array of these: its text.
  case constant(String)
  /// A member such as `.other` or `Int.max`: the type before the period, if any, and its name.
  case member(String, String)
  /// A call that makes what is empty or zero, such as `[Int]()` and `Data()`.
  case empty
  /// Anything else, such as `Date()`.
  case computed
}

/// A Swift type that the bindings store as it is, by its name.
struct SwiftValueType {
  private static let names: Set<String> = [
    "Bool", "Int8", "UInt8", "Int16", "UInt16", "Int32", "UInt32", "Int64", "UInt64", "Int", "UInt",
    "Float", "Double", "String", "Date", "Data", "Id", "Byte", "TimeInterval", "Float64", "CDouble",
    "Float32", "CFloat", "[Bool]", "[UInt8]", "[Int16]", "[UInt16]", "[Int32]", "[UInt32]",
    "[Int64]", "[UInt64]", "[Float]", "[Double]", "[String]", "[Byte]", "[TimeInterval]",
  ]

  /// The type that has a name, if it can be stored.
  init?(spelling: String) {
    if !Self.names.contains(spelling) { return nil }
  }
}

extension String {
  /// The name of an identifier that may stand in backticks, or of a type that is inside others.
  var withoutBackticks: String { filter { $0 != "`" } }

  /// A literal of Swift that has the text.
  var swiftLiteral: String {
    if !contains(where: { $0 == "\"" || $0 == "\\" || $0.isNewline }),
      unicodeScalars.allSatisfy({ $0.value >= 32 })
    {
      return "\"\(self)\""
    }
    let escaped = unicodeScalars.map { scalar in
      scalar == "\"" || scalar == "\\" || scalar.value < 32
        || scalar.properties.isWhitespace
          && scalar != " "
        ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
    }
    return "\"\(escaped.joined())\""
  }
}
