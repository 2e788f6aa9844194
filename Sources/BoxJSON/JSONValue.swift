/// A JSON value to be printed, for instance as a report.
///
/// Literals of Swift make values, and a dictionary literal keeps its order:
///
///     let report: JSONValue = ["schemaVersion": 1, "findings": [["line": 3]]]
public enum JSONValue: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// An integer.
  case int(Int)
  /// An integer that may be above `Int.max`.
  case uint(UInt64)
  /// A number; NaN and the infinities are written as strings.
  case double(Double)
  /// A number as JSON spells it, with digits that no other case would write: `1.10`, `1e400`, `-0`.
  case number(String)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object: its members in the order in which they are written. Keys should differ.
  case object([Member])

  /// A member of an object.
  public struct Member: Hashable, Sendable {
    /// The key.
    public var key: String
    /// The value.
    public var value: JSONValue

    /// Creates a member.
    public init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// The value as text, without a line feed at the end.
  ///
  /// With an indent of 0, everything is in one line without spaces. An empty array or object is
  /// `[]` or `{}`.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package func text(indent: Int = 2, escaping: JSONEscaping = .standard) -> String {
    var writer = JSONTextWriter(escaping: escaping)
    writer.append(value: self, indent: indent)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension JSONTextWriter {
  /// Writes a value with all that it holds.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - indent: The spaces of one level, or 0 for everything in one line.
  ///   - level: The nesting level of the value, from 0; the lines after the first are indented
  ///     accordingly.
  /// - Complexity: O(*n*) in the length of the text.
  public mutating func append(value: JSONValue, indent: Int = 2, level: Int = 0) {
    switch value {
    case .null: append(raw: "null")
    case .bool(let bool): append(bool: bool)
    case .int(let integer): append(integer: integer)
    case .uint(let integer): append(integer: integer)
    case .double(let double): append(double: double)
    case .number(let digits): append(raw: digits)
    case .string(let string): append(string: string)
    case .array(let elements):
      append(elements, between: "[", "]", indent, level) { writer, element in
        writer.append(value: element, indent: indent, level: level + 1)
      }
    case .object(let members):
      append(members, between: "{", "}", indent, level) { writer, member in
        writer.append(string: member.key)
        writer.append(raw: indent > 0 ? ": " : ":")
        writer.append(value: member.value, indent: indent, level: level + 1)
      }
    }
  }

  private mutating func append<Item>(
    _ items: [Item], between start: String, _ end: String, _ indent: Int, _ level: Int,
    _ write: (inout JSONTextWriter, Item) -> Void
  ) {
    append(raw: start)
    for (index, item) in items.enumerated() {
      if index > 0 { append(byte: .comma) }
      if indent > 0 { appendLine(indentedBy: indent * (level + 1)) }
      write(&self, item)
    }
    if indent > 0, !items.isEmpty { appendLine(indentedBy: indent * level) }
    append(raw: end)
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates an integer.
  public init(integerLiteral value: Int) { self = .int(value) }
  /// Creates a number.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// Creates a truth value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates `null`.
  public init(nilLiteral: ()) { self = .null }
  /// Creates an array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Creates an object whose members are in the order of the literal.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
}
