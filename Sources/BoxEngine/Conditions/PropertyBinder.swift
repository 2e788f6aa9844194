internal import BoxJSON
internal import BoxModel
internal import BoxReport

/// Turns comparisons of one property into tests of its type.
struct PropertyBinder {
  typealias Literal = Condition.Literal

  let field: RecordField
  let traits: SlotTraits
  let schema: PropertySchema
  let entity: EntitySchema
  let converter: (any JSONConverter)?
  /// The property as the condition names it.
  let written: Condition.PropertyName
  /// The place of the property in the text.
  let position: JSONPosition?
  /// The places of the values that follow it, where they have some.
  let valuePositions: ArraySlice<JSONPosition?>

  init(
    _ index: Int, _ entity: EntitySchema, _ converters: ConditionConverters?,
    _ written: Condition.PropertyName, _ position: JSONPosition?,
    _ valuePositions: ArraySlice<JSONPosition?>
  ) throws(ConditionError) {
    field = RecordField(index, entity)
    traits = field.type.traits
    schema = entity.properties[index]
    self.entity = entity
    converter = try converters?.converter(entity, entity.properties[index])
    self.written = written
    self.position = position
    self.valuePositions = valuePositions
  }

  // MARK: - Comparisons

  /// Whether there is no value.
  var isNull: FieldTest { FieldTest(field, .isNull) }

  private func test(_ kind: FieldTest.Kind) -> FieldTest { FieldTest(field, kind) }

  func compare(
    _ comparison: Condition.Comparison, _ literal: Literal, _ ignoringCase: Bool
  ) throws(ConditionError) -> FieldTest {
    if traits.isVector { throw unsuited(comparison.rawValue) }
    let literal = try converted(literal, 0)
    if ignoringCase { try requireString("ignoringCase") }
    switch traits.domain {
    case .signed: return test(.signed(IntegerTest(comparison, try limit(literal))))
    case .unsigned: return test(.unsigned(IntegerTest(comparison, try limit(literal))))
    case .number: return test(.number(.compare(comparison, try number(literal))))
    default:
      let bytes = try bytes(literal)
      return test(.bytes(BytesTest(.compare(comparison), bytes, ignoringCase: ignoringCase)))
    }
  }

  func between(
    _ low: Literal, _ high: Literal, _ ignoringCase: Bool
  ) throws(ConditionError) -> FieldTest {
    if traits.isVector { throw unsuited("between") }
    let (low, high) = (try converted(low, 0), try converted(high, 1))
    if ignoringCase { try requireString("ignoringCase") }
    switch traits.domain {
    case .signed:
      return test(.signed(IntegerTest(between: try limit(low), and: try limit(high))))
    case .unsigned:
      return test(.unsigned(IntegerTest(between: try limit(low), and: try limit(high))))
    case .number: return test(.number(.between(try number(low), try number(high))))
    default:
      let (low, high) = (try bytes(low), try bytes(high))
      return test(.bytes(BytesTest(between: low, and: high, ignoringCase: ignoringCase)))
    }
  }

  func isOneOf(_ literals: [Literal], _ ignoringCase: Bool) throws(ConditionError) -> FieldTest {
    if traits.isVector { throw unsuited("in") }
    var converted: [Literal] = []
    for (index, literal) in literals.enumerated() {
      converted.append(try self.converted(literal, index))
    }
    if ignoringCase { try requireString("ignoringCase") }
    switch traits.domain {
    case .signed: return test(.signed(IntegerTest(oneOf: try limits(converted))))
    case .unsigned: return test(.unsigned(IntegerTest(oneOf: try limits(converted))))
    case .number:
      var numbers: [Double] = []
      for literal in converted { numbers.append(try number(literal)) }
      return test(.number(.isOneOf(numbers)))
    default:
      var values: [[UInt8]] = []
      for literal in converted { values.append(try bytes(literal)) }
      return test(.bytes(BytesTest(oneOf: values, ignoringCase: ignoringCase)))
    }
  }

  func match(
    _ match: Condition.Match, _ literal: Literal, _ ignoringCase: Bool
  ) throws(ConditionError) -> FieldTest {
    switch traits.domain {
    case _ where traits.isVector:
      guard match == .contains else { throw unsuited(match.rawValue) }
      return try element(.equal, literal, ignoringCase)
    case .string, .bytes:
      // A part of a value is not a value of a converter.
      if ignoringCase { try requireString("ignoringCase") }
      try requireQuotes(literal, 0)
      return test(
        .bytes(BytesTest(.match(match), try bytes(literal), ignoringCase: ignoringCase)))
    default: throw unsuited(match.rawValue)
    }
  }

  func element(
    _ comparison: Condition.Comparison, _ literal: Literal, _ ignoringCase: Bool
  ) throws(ConditionError) -> FieldTest {
    guard traits.isVector else {
      // A value that does not fit has an advice of its own, and a word is a string without its quotes.
      var value = literal
      if case .name(let word) = literal,
        field.type == .string || schema.modelType.traits?.json == .character
      {
        value = .string(word)
      }
      _ = try compare(comparison, value, ignoringCase)
      let instead = Condition.compare(written, comparison, value, ignoringCase: ignoringCase)
      throw ConditionError(
        "\(name) has the type \(schema.modelType) and no elements; write \(instead)",
        position: position)
    }
    let literal = try converted(literal, 0)
    if ignoringCase, field.type != .strings { try requireString("ignoringCase") }
    let kind: FieldTest.Kind
    switch traits.domain {
    case .string, .bytes:
      kind = .bytes(
        BytesTest(.compare(comparison), try bytes(literal), ignoringCase: ignoringCase))
    case .number: kind = .number(.compare(comparison, try number(literal)))
    case .unsigned: kind = .unsigned(IntegerTest(comparison, try limit(literal)))
    case .signed: kind = .signed(IntegerTest(comparison, try limit(literal)))
    }
    return FieldTest(field, kind, ofElement: true)
  }

  func elementMatch(
    _ match: Condition.Match, _ literal: Literal, _ ignoringCase: Bool
  ) throws(ConditionError) -> FieldTest {
    guard field.type == .strings else {
      throw ConditionError(
        "\(name) has the type \(schema.modelType), and any(…) \(match.rawValue) is for lists of strings",
        position: position)
    }
    try requireQuotes(literal, 0)
    let bytes = try bytes(literal)
    return FieldTest(
      field, .bytes(BytesTest(.match(match), bytes, ignoringCase: ignoringCase)), ofElement: true)
  }

  // MARK: - Values

  /// The literal, where a converter has a name for it the value that the name stands for.
  private func converted(_ literal: Literal, _ index: Int) throws(ConditionError) -> Literal {
    switch literal {
    case .string(let name), .name(let name):
      guard let converter else {
        try requireQuotes(literal, index)
        return literal
      }
      do throws(ConversionError) {
        guard let value = Literal(try converter.stored(named: name)) else {
          throw ConversionError(.malformed, expected: "another value")
        }
        return value
      } catch {
        let nearest = nearestName(to: name, among: converter.names)
        throw ConditionError(
          "\"\(name.escapedForDisplay)\" is not a value of \(self.name); "
            + (nearest.map { "did you mean \($0)?" } ?? "expected \(error.expected)"),
          position: valuePosition(index))
      }
    default: return literal
    }
  }

  private func valuePosition(_ index: Int) -> JSONPosition? {
    (valuePositions.dropFirst(index).first ?? nil) ?? position
  }

  /// Refuses a word without quotes where it would be a value with them.
  ///
  /// Of other types, the comparison itself says which values there are.
  private func requireQuotes(_ literal: Literal, _ index: Int) throws(ConditionError) {
    guard case .name(let word) = literal else { return }
    let isCharacter = schema.modelType.traits?.json == .character && word.utf16.count == 1
    guard isCharacter || traits.form == .string else { return }
    throw ConditionError(
      "a value is expected here; write a string in quotes: \(Literal.string(word))",
      position: valuePosition(index))
  }

  private func bytes(_ literal: Literal) throws(ConditionError) -> [UInt8] {
    if field.type == .bytes {
      guard case .bytes(let bytes) = literal else {
        throw mismatch(literal, "bytes, as in \(subject) == x'00ff'")
      }
      return bytes
    }
    guard case .string(let text) = literal else {
      throw mismatch(literal, "a string in quotes, as in \(subject) == \"\(literal)\"")
    }
    return Array(text.utf8)
  }

  private func number(_ literal: Literal) throws(ConditionError) -> Double {
    let number: Double
    switch literal {
    case .integer(let value): number = Double(value)
    case .unsigned(let value): number = Double(value)
    case .number(let value): number = value
    case .digits(let digits): number = Double(digits) ?? .nan
    case .bool, .string, .date, .bytes, .name:
      throw mismatch(literal, "a number, as in \(subject) < 2.5")
    }
    guard traits.form == .float else { return number }
    // A value of 32 bits equals the literal that it was written as, whose digits are rounded once.
    if case .digits(let digits) = literal { return Double(Float(digits) ?? .nan) }
    return Double(number.isFinite ? Float("\(number)") ?? Float(number) : Float(number))
  }

  private func limits(_ literals: [Literal]) throws(ConditionError) -> [IntegerLimit] {
    var limits: [IntegerLimit] = []
    for literal in literals { limits.append(try limit(literal)) }
    return limits
  }

  private func limit(_ literal: Literal) throws(ConditionError) -> IntegerLimit {
    let traits = schema.modelType.traits
    if traits?.form == .bool {
      guard case .bool(let value) = literal else {
        throw mismatch(literal, "true or false, as in \(subject) == true")
      }
      return IntegerLimit(floor: value ? 1 : 0, isExact: true)
    }
    if let unit = traits?.unit {
      if let limit = Self.dateLimit(literal, unit) { return limit }
      throw mismatch(literal, "a date, as in \(subject) > 2024-02-29T12:00:00Z, or an integer")
    }
    let isCharacter = traits?.json == .character
    if isCharacter, case .string(let text) = literal, text.utf16.count == 1,
      let unit = text.utf16.first
    {
      return IntegerLimit(floor: Int128(unit), isExact: true)
    }
    if let limit = Self.integerLimit(literal) { return limit }
    throw mismatch(
      literal,
      isCharacter
        ? "a string of one UTF-16 unit, as in \(subject) == \"a\", or its number"
        : "an integer, as in \(subject) > 30")
  }

  private static func integerLimit(_ literal: Literal) -> IntegerLimit? {
    switch literal {
    case .integer(let value): return IntegerLimit(floor: Int128(value), isExact: true)
    case .unsigned(let value): return IntegerLimit(floor: Int128(value), isExact: true)
    case .number(let value):
      if value.isNaN { return nil }
      // Far beyond all that 64 bits hold, and far from overflow.
      let floor = min(max(value.rounded(.down), -0x1p100), 0x1p100)
      return IntegerLimit(floor: Int128(floor), isExact: floor == value)
    case .digits(let digits):
      guard let decimal = JSONDecimal(digits) else { return nil }
      let (floor, isExact) = decimal.floor(limit: 1 << 100)
      return IntegerLimit(floor: floor, isExact: isExact)
    case .bool, .string, .date, .bytes, .name: return nil
    }
  }

  private static func dateLimit(_ literal: Literal, _ unit: TimeUnit) -> IntegerLimit? {
    var date = literal
    if case .string(let text) = literal {
      guard let parsed = Literal(date: text) else { return nil }
      date = parsed
    }
    guard case .date(let seconds, let nanoseconds) = date else { return integerLimit(date) }
    let step = 1_000_000_000 / unit.perSecond
    return IntegerLimit(
      floor: Int128(seconds) * Int128(unit.perSecond) + Int128(Int64(nanoseconds) / step),
      isExact: Int64(nanoseconds) % step == 0)
  }

  // MARK: - Errors

  private func requireString(_ what: String) throws(ConditionError) {
    if traits.form != .string {
      throw ConditionError(
        "\(name) has the type \(schema.modelType), and \(what) is for strings", position: position)
    }
  }

  private var name: String { "\(entity.name).\(schema.name)" }

  private func mismatch(_ literal: Literal, _ advice: String) -> ConditionError {
    ConditionError(
      "\(name) has the type \(schema.modelType) and cannot be compared with \(literal); write \(advice)",
      position: position)
  }

  /// The property, or its elements, as a condition compares them.
  private var subject: String {
    traits.isVector ? "any(\(written))" : "\(written)"
  }

  private func unsuited(_ what: String) -> ConditionError {
    let isOfStrings = field.type == .strings && Condition.Match(rawValue: what) != nil
    let advice =
      traits.isVector
      ? "write \(written) contains and a value, \(subject) \(isOfStrings ? what : "==") and one, or == nil"
      : "write ==, !=, <, <=, >, >=, between or in"
    return ConditionError(
      "\(name) has the type \(schema.modelType), for which there is no \(what); \(advice)",
      position: position)
  }
}

extension Condition.Literal {
  /// The literal of a value; nil for null and for vectors.
  init?(_ value: Value) {
    switch value {
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .unsigned(let value): self = .unsigned(value)
    case .float(let value): self = .number(Double(value))
    case .double(let value): self = .number(value)
    case .string(let value): self = .string(value)
    case .bytes(let value): self = .bytes(value)
    default: return nil
    }
  }
}
