package import BoxJSON
internal import BoxModel

/// A value as MongoDB writes it in extended JSON: an object whose only member names the type, such as
/// `{"$oid":"507f1f77bcf86cd799439011"}`.
package enum ExtendedJSON: Hashable, Sendable {
  /// The digits of an object id.
  case text(String)
  /// A time as ISO 8601.
  case date(String)
  /// A number as its digits.
  case number(String)
  /// `NaN`, `Infinity` or `-Infinity`.
  case special(String)

  /// Reads a value; nil for any other JSON, which says what it says.
  ///
  /// - Complexity: O(*n*) in the size of the JSON.
  package init?(_ json: JSONValue) {
    guard case .object(let members) = json, members.count == 1, let member = members.first else {
      return nil
    }
    switch (member.key, member.value) {
    case ("$oid", .string(let text)): self = .text(text)
    case ("$date", .string(let text)):
      guard ISO8601.moment(text) != nil else { return nil }
      self = .date(text)
    case ("$date", let value):
      let milliseconds =
        switch (value, ExtendedJSON(value)) {
        case (.int(let number), _): Int64(number)
        case (_, .number(let digits)): Int64(digits)
        default: Int64?.none
        }
      guard let milliseconds, let text = Self.text(milliseconds: milliseconds) else { return nil }
      self = .date(text)
    case ("$numberInt", .string(let digits)), ("$numberLong", .string(let digits)):
      guard JSONDecimal(digits) != nil, Int64(digits) != nil else { return nil }
      self = .number(digits)
    case ("$numberDouble", .string(let digits)), ("$numberDecimal", .string(let digits)):
      if ["NaN", "Infinity", "-Infinity"].contains(digits) {
        self = .special(digits)
      } else if JSONDecimal(digits) != nil {
        self = .number(digits)
      } else {
        return nil
      }
    default: return nil
    }
  }

  /// Reads the text of a value; nil for any other text.
  package init?(parsing text: [UInt8]) {
    var options = JSONDocument.Options()
    options.allowsLargeIntegers = true
    guard let document = try? JSONDocument(parsing: text, options: options),
      let value = ExtendedJSON(document.exactValue(of: document.root))
    else { return nil }
    self = value
  }

  /// The value as other programs write it.
  package var plain: JSONValue {
    switch self {
    case .text(let text), .date(let text), .special(let text): .string(text)
    case .number(let digits): .number(digits)
    }
  }

  private static func text(milliseconds: Int64) -> String? {
    let seconds = milliseconds.floorDivided(by: 1000)
    guard ISO8601.seconds.contains(seconds) else { return nil }
    let nanoseconds = (milliseconds - seconds * 1000) * 1_000_000
    return ISO8601.text(ISO8601.Moment(seconds: seconds, nanoseconds: nanoseconds), digits: 3)
  }
}

extension JSONValue {
  /// The value that extended JSON represents; any other JSON unchanged.
  package var plain: JSONValue { ExtendedJSON(self)?.plain ?? self }
}
