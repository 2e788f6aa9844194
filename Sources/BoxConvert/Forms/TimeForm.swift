internal import BoxJSON
internal import BoxModel

extension TimeUnit {
  /// The count of units of a moment; nil if it is finer, or beyond 64 bits.
  package func count(_ moment: ISO8601.Moment) -> Int128? {
    let (count, rest) = moment.nanoseconds.quotientAndRemainder(
      dividingBy: 1_000_000_000 / perSecond)
    return rest == 0 ? Int128(moment.seconds) * Int128(perSecond) + Int128(count) : nil
  }

  /// The moment of a count of units; nil if it is out of the range of moments.
  func moment(_ count: Int128) -> ISO8601.Moment? {
    let ticks = Int128(perSecond)
    var (seconds, rest) = count.quotientAndRemainder(dividingBy: ticks)
    if rest < 0 {
      seconds -= 1
      rest += ticks
    }
    guard let seconds = Int64(exactly: seconds) else { return nil }
    return ISO8601.Moment(
      seconds: seconds, nanoseconds: Int64(rest) * (1_000_000_000 / perSecond))
  }
}

/// A time that is stored as a count and shown as ISO 8601 or as another count.
struct TimeForm: StrictForm {
  let kinds: Set<JSONKind>
  let result: StoredType?
  private let unit: TimeUnit
  /// The unit of the JSON; nil for ISO 8601.
  private let shown: TimeUnit?
  private let type: StoredType
  private let expected: String

  init(unit: TimeUnit, shown: TimeUnit?, _ type: StoredType) {
    self.unit = unit
    self.shown = shown
    self.type = type
    kinds = shown == nil ? [.string] : [.number]
    result = StoredType(shown == nil ? .string : .long)
    expected =
      shown.map { "\($0.rawValue) since 1970 that are whole \(unit.rawValue)" }
      ?? "a time of the years 0001 to 9999 in \(unit.rawValue), as 2024-02-29T12:00:00Z"
  }

  func json(_ stored: Value) throws(ConversionError) -> JSONValue {
    guard let count = stored.wideInteger else { throw .malformed(expected) }
    guard let shown else {
      guard let moment = unit.moment(count), let text = ISO8601.text(moment, digits: unit.digits)
      else { throw .malformed(expected) }
      return .string(text)
    }
    guard let json = Self.scaled(count, unit, shown).flatMap({ JSONValue($0) }) else {
      throw .malformed(expected)
    }
    return json
  }

  func stored(_ json: JSONValue) throws(ConversionError) -> Value {
    let count: Int128?
    if let shown {
      count = json.wideInteger.flatMap { Self.scaled($0, shown, unit) }
    } else {
      count = json.textValue.flatMap { ISO8601.moment($0) }
        .flatMap { ISO8601.seconds.contains($0.seconds) ? unit.count($0) : nil }
    }
    guard let value = count.flatMap({ type.value($0) }) else { throw .malformed(expected) }
    return value
  }

  /// A count in another unit; nil if it is not a whole number there.
  private static func scaled(_ count: Int128, _ from: TimeUnit, _ to: TimeUnit) -> Int128? {
    // 64 bits times a thousand million are far from 128 bits.
    let (scaled, rest) = (count * Int128(to.perSecond)).quotientAndRemainder(
      dividingBy: Int128(from.perSecond))
    return rest == 0 ? scaled : nil
  }
}

/// A time that is stored as ISO 8601 text.
struct DateTextForm: StrictForm {
  let kinds: Set<JSONKind>
  let result: StoredType?
  /// The unit of the JSON; nil for the text itself.
  private let shown: TimeUnit?
  private let expected = "a time of the years 0001 to 9999, as 2024-02-29T12:00:00Z"

  init(shown: TimeUnit?) {
    self.shown = shown
    kinds = shown == nil ? [.string] : [.number]
    result = StoredType(shown == nil ? .string : .long)
  }

  func json(_ stored: Value) throws(ConversionError) -> JSONValue {
    guard case .string(let text) = stored, let moment = Self.moment(text) else {
      throw .malformed(expected)
    }
    guard let shown else { return .string(text) }
    // A spelling that would not come back is not shown as a number.
    guard let count = shown.count(moment), let json = JSONValue(count),
      ISO8601.text(moment, digits: shown.digits)?.hasSameBytes(as: text) == true
    else { throw .malformed("\(expected), in UTC with \(shown.digits) digits of a fraction") }
    return json
  }

  func stored(_ json: JSONValue) throws(ConversionError) -> Value {
    if let shown {
      guard let count = json.wideInteger, let moment = shown.moment(count),
        let text = ISO8601.text(moment, digits: shown.digits)
      else { throw .malformed("\(shown.rawValue) since 1970, in the years 0001 to 9999") }
      return .string(text)
    }
    guard case .string(let text) = json, Self.moment(text) != nil else {
      throw .malformed(expected)
    }
    return .string(text)
  }

  private static func moment(_ text: String) -> ISO8601.Moment? {
    ISO8601.moment(text).flatMap { ISO8601.seconds.contains($0.seconds) ? $0 : nil }
  }
}
