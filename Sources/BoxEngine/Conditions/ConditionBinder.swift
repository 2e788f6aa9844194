public import BoxJSON
internal import BoxModel

extension BoundCondition {
  /// Checks a condition against an entity.
  ///
  /// - Parameters:
  ///   - parsed: The condition, and where its names stand.
  ///   - entity: The entity that names without one belong to.
  /// - Throws: ``ConditionError`` with the place of a name that the entity does not have, or whose
  ///   type is not that of its value: it says what to write.
  /// - Complexity: O(*n*) in the size of the condition.
  public init(_ parsed: ParsedCondition, _ entity: EntitySchema) throws(ConditionError) {
    try self.init(parsed.condition, entity, positions: parsed.positions)
  }

  /// Checks a condition against an entity.
  ///
  /// - Parameters:
  ///   - condition: The condition.
  ///   - entity: The entity that names without one belong to.
  ///   - positions: The place of each of its names, for errors.
  /// - Throws: As ``init(_:_:)``.
  /// - Complexity: O(*n*) in the size of the condition.
  public init(
    _ condition: Condition, _ entity: EntitySchema, positions: [JSONPosition] = []
  ) throws(ConditionError) {
    var binder = ConditionBinder(entity: entity, positions: positions)
    self.entity = entity
    self.condition = condition
    node = try binder.bind(condition)
  }
}

/// Binds the parts of a condition, in the order of its names.
private struct ConditionBinder {
  typealias Node = BoundCondition.Node
  typealias Literal = Condition.Literal

  let entity: EntitySchema
  let positions: [JSONPosition]
  private var index = 0
  private var position: JSONPosition?

  init(entity: EntitySchema, positions: [JSONPosition]) {
    self.entity = entity
    self.positions = positions
  }

  mutating func bind(_ condition: Condition) throws(ConditionError) -> Node {
    switch condition {
    case .and(let parts): return .and(try bind(parts))
    case .or(let parts): return .or(try bind(parts))
    case .not(let part): return .not(try bind(part))
    case .isNull(let name): return .isNull(Self.field(try property(name), entity))
    case .compare(let name, let comparison, let literal, let ignoringCase):
      return try PropertyBinder(try property(name), entity, position)
        .compare(comparison, literal, ignoringCase)
    case .between(let name, let low, let high):
      return try PropertyBinder(try property(name), entity, position).between(low, high)
    case .isOneOf(let name, let literals, let ignoringCase):
      return try PropertyBinder(try property(name), entity, position)
        .isOneOf(literals, ignoringCase)
    case .match(let name, let match, let literal, let ignoringCase):
      return try PropertyBinder(try property(name), entity, position)
        .match(match, literal, ignoringCase)
    }
  }

  private mutating func bind(_ parts: [Condition]) throws(ConditionError) -> [Node] {
    var nodes: [Node] = []
    for part in parts { nodes.append(try bind(part)) }
    return nodes
  }

  static func field(_ position: Int, _ entity: EntitySchema) -> BoundCondition.Field {
    let access = entity.accesses[position]
    // Ids are unsigned, whatever the model says of their property.
    return BoundCondition.Field(
      slot: access.slot, type: access.slot < 0 ? .uint64 : access.type, position: position)
  }

  private mutating func property(_ name: Condition.PropertyName) throws(ConditionError) -> Int {
    position = index < positions.count ? positions[index] : nil
    index += 1
    if let other = name.entity, other != entity.name {
      throw ConditionError(
        "the condition is about \(entity.name), and \(name) is a property of another entity",
        position: position)
    }
    if let found = entity.properties.firstIndex(where: { $0.name == name.property }) {
      return found
    }
    let folded = foldedName(name.property)
    let similar = entity.properties.first { foldedName($0.name) == folded }?.name
    let names = entity.properties.map(\.name).joined(separator: ", ")
    throw ConditionError(
      "\(entity.name) has no property \(name.property); "
        + (similar.map { "did you mean \($0)?" } ?? "it has \(names)"), position: position)
  }
}

/// Turns comparisons of one property into tests of its type.
private struct PropertyBinder {
  typealias Node = BoundCondition.Node
  typealias Literal = Condition.Literal

  let field: BoundCondition.Field
  let schema: PropertySchema
  let entity: EntitySchema
  let position: JSONPosition?

  init(_ index: Int, _ entity: EntitySchema, _ position: JSONPosition?) {
    field = ConditionBinder.field(index, entity)
    schema = entity.properties[index]
    self.entity = entity
    self.position = position
  }

  /// The kinds of values that are tested alike.
  private enum Domain {
    case signed, unsigned, number, string, vector, opaque
  }

  private static func domain(_ type: SlotType) -> Domain {
    switch type {
    case .int8, .int16, .int32, .int64: .signed
    case .bool, .uint8, .uint16, .uint32, .uint64: .unsigned
    case .float, .double: .number
    case .string: .string
    case .bytes: .opaque
    case .bools, .int16s, .uint16s, .int32s, .uint32s, .int64s, .uint64s, .floats, .doubles,
      .strings:
      .vector
    }
  }

  // MARK: - Comparisons

  func compare(
    _ comparison: Condition.Comparison, _ literal: Literal, _ ignoringCase: Bool
  ) throws(ConditionError) -> Node {
    let domain = Self.domain(field.type)
    if ignoringCase { try requireString("ignoringCase") }
    switch domain {
    case .signed: return .signed(field, IntegerTest(comparison, try limit(literal)))
    case .unsigned: return .unsigned(field, IntegerTest(comparison, try limit(literal)))
    case .number: return .number(field, .compare(comparison, try number(literal)))
    case .string:
      let text = try string(literal)
      return .string(field, StringTest(.compare(comparison), text, ignoringCase: ignoringCase))
    case .vector, .opaque: throw unsuited(comparison.rawValue)
    }
  }

  func between(_ low: Literal, _ high: Literal) throws(ConditionError) -> Node {
    switch Self.domain(field.type) {
    case .signed:
      return .signed(field, IntegerTest(between: try limit(low), and: try limit(high)))
    case .unsigned:
      return .unsigned(field, IntegerTest(between: try limit(low), and: try limit(high)))
    case .number: return .number(field, .between(try number(low), try number(high)))
    case .string:
      let upper = Array(try string(high).utf8)
      let lower = try string(low)
      return .string(field, StringTest(.between(upper: upper), lower, ignoringCase: false))
    case .vector, .opaque: throw unsuited("between")
    }
  }

  func isOneOf(_ literals: [Literal], _ ignoringCase: Bool) throws(ConditionError) -> Node {
    if ignoringCase { try requireString("ignoringCase") }
    switch Self.domain(field.type) {
    case .signed: return .signed(field, IntegerTest(oneOf: try limits(literals)))
    case .unsigned: return .unsigned(field, IntegerTest(oneOf: try limits(literals)))
    case .number:
      var numbers: [Double] = []
      for literal in literals { numbers.append(try number(literal)) }
      return .number(field, .isOneOf(numbers))
    case .string:
      var texts: [String] = []
      for literal in literals { texts.append(try string(literal)) }
      return .string(field, StringTest(oneOf: texts, ignoringCase: ignoringCase))
    case .vector, .opaque: throw unsuited("in")
    }
  }

  func match(
    _ match: Condition.Match, _ literal: Literal, _ ignoringCase: Bool
  ) throws(ConditionError) -> Node {
    switch Self.domain(field.type) {
    case .string:
      let text = try string(literal)
      return .string(field, StringTest(.match(match), text, ignoringCase: ignoringCase))
    case .vector where match == .contains:
      if ignoringCase, field.type != .strings { try requireString("ignoringCase") }
      return .element(field, try element(literal, ignoringCase))
    default: throw unsuited(match.rawValue)
    }
  }

  private func element(
    _ literal: Literal, _ ignoringCase: Bool
  ) throws(ConditionError) -> BoundCondition.ElementTest {
    switch field.type {
    case .strings:
      let text = try string(literal)
      return .string(StringTest(.compare(.equal), text, ignoringCase: ignoringCase))
    case .floats, .doubles: return .number(.compare(.equal, try number(literal)))
    case .bools, .uint16s, .uint32s, .uint64s:
      return .unsigned(IntegerTest(.equal, try limit(literal)))
    default: return .signed(IntegerTest(.equal, try limit(literal)))
    }
  }

  // MARK: - Values

  private func string(_ literal: Literal) throws(ConditionError) -> String {
    guard case .string(let text) = literal else {
      throw mismatch(literal, "a string in quotes, as in \(schema.name) == \"\(literal)\"")
    }
    return text
  }

  private func number(_ literal: Literal) throws(ConditionError) -> Double {
    let number: Double
    switch literal {
    case .integer(let value): number = Double(value)
    case .unsigned(let value): number = Double(value)
    case .number(let value): number = value
    case .bool, .string, .date: throw mismatch(literal, "a number, as in \(schema.name) < 2.5")
    }
    // A value of 32 bits equals the literal that it was written as.
    return field.type == .float || field.type == .floats ? Double(Float(number)) : number
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
        throw mismatch(literal, "true or false, as in \(schema.name) == true")
      }
      return IntegerLimit(floor: value ? 1 : 0, isExact: true)
    }
    if let unit = traits?.unit {
      if let limit = Self.dateLimit(literal, unit) { return limit }
      throw mismatch(literal, "a date, as in \(schema.name) > 2024-02-29T12:00:00Z, or an integer")
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
        ? "a string of one UTF-16 unit, as in \(schema.name) == \"a\", or its number"
        : "an integer, as in \(schema.name) > 30")
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
    case .bool, .string, .date: return nil
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
    if field.type != .string && field.type != .strings {
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

  private func unsuited(_ what: String) -> ConditionError {
    let advice =
      switch Self.domain(field.type) {
      case .vector: "write \(schema.name) contains and a value, or == nil"
      case .opaque: "it can only be compared with nil"
      default: "write ==, !=, <, <=, >, >=, between or in"
      }
    return ConditionError(
      "\(name) has the type \(schema.modelType), for which there is no \(what); \(advice)",
      position: position)
  }
}
