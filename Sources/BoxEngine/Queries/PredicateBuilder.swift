/// Lays out the steps and the constants of a ``Predicate``.
///
/// A step is added after those that can follow it, so each knows where they are.
struct PredicateBuilder {
  typealias Node = BoundCondition.Node
  typealias Field = BoundCondition.Field

  private var steps: [Predicate.Step] = []
  /// The constants of the steps, each at a multiple of eight bytes.
  private var constants: [UInt8] = []
  /// The start of the constants of each step; nil for those without.
  private var starts: [Int?] = []

  /// Adds the steps of a node.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - onTrue: The step that follows if it holds.
  ///   - onFalse: The step that follows if not.
  /// - Returns: The first step.
  mutating func add(_ node: Node, _ onTrue: Int32, _ onFalse: Int32) -> Int32 {
    switch node {
    case .and(let parts):
      return parts.reversed().reduce(onTrue) { add($1, $0, onFalse) }
    case .or(let parts):
      return parts.reversed().reduce(onFalse) { add($1, onTrue, $0) }
    case .not(let part): return add(part, onFalse, onTrue)
    default: break
    }
    var step = unsafe Predicate.Step(
      kind: .never, type: .uint64, comparison: .equal, isElement: false, ignoresCase: false,
      slot: 0, onTrue: onTrue, onFalse: onFalse, low: 0, high: 0, constants: nil, count: 0)
    fill(&step, node)
    steps.append(step)
    if starts.count < steps.count { starts.append(nil) }
    return Int32(steps.count - 1)
  }

  private mutating func fill(_ step: inout Predicate.Step, _ node: Node) {
    func take(_ field: Field) {
      step.slot = Int32(field.slot)
      step.type = field.type
    }
    switch node {
    case .isNull(let field):
      take(field)
      step.kind = .isNull
    case .signed(let field, let test):
      take(field)
      fill(&step, test)
    case .unsigned(let field, let test):
      take(field)
      fill(&step, test)
    case .number(let field, let test):
      take(field)
      fill(&step, test)
    case .bytes(let field, let test):
      take(field)
      fill(&step, test)
    case .element(let field, let test):
      take(field)
      step.isElement = true
      switch test {
      case .signed(let test): fill(&step, test)
      case .unsigned(let test): fill(&step, test)
      case .number(let test): fill(&step, test)
      case .string(let test): fill(&step, test)
      }
    case .isIn(let field, let number):
      take(field)
      step.kind = .isInSet
      step.low = UInt64(number)
    case .and, .or, .not: break
    }
  }

  private mutating func fill<Number: FixedWidthInteger>(
    _ step: inout Predicate.Step, _ test: IntegerTest<Number>
  ) {
    func bits(_ number: Number) -> UInt64 { UInt64(truncatingIfNeeded: number) }
    switch test {
    case .never: step.kind = .never
    case .any: step.kind = .always
    case .isIn(let range):
      step.kind = Number.isSigned ? .signedRange : .unsignedRange
      (step.low, step.high) = (bits(range.lowerBound), bits(range.upperBound))
    case .isNot(let value):
      step.kind = Number.isSigned ? .signedNot : .unsignedNot
      step.low = bits(value)
    case .isOneOf(let values):
      step.kind = Number.isSigned ? .signedIn : .unsignedIn
      step.count = values.count
      addConstants(values.flatMap { Self.bytes(bits($0)) })
    }
  }

  private mutating func fill(_ step: inout Predicate.Step, _ test: NumberTest) {
    switch test {
    case .compare(let comparison, let value):
      step.kind = .number
      step.comparison = comparison
      step.low = value.bitPattern
    case .between(let low, let high):
      step.kind = .numberBetween
      (step.low, step.high) = (low.bitPattern, high.bitPattern)
    case .isOneOf(let values):
      step.kind = .numberIn
      step.count = values.count
      addConstants(values.flatMap { Self.bytes($0.bitPattern) })
    }
  }

  private mutating func fill(_ step: inout Predicate.Step, _ test: BytesTest) {
    step.ignoresCase = test.ignoresCase
    step.count = test.other.count
    switch test.kind {
    case .compare(let comparison):
      step.kind = .bytes
      step.comparison = comparison
      addConstants(test.other)
    case .match(let match):
      switch match {
      case .contains: step.kind = .contains
      case .startsWith: step.kind = .startsWith
      case .endsWith: step.kind = .endsWith
      }
      addConstants(test.other)
    case .between(let upper):
      step.kind = .bytesBetween
      step.low = UInt64(test.other.count)
      step.count = test.other.count + upper.count
      addConstants(test.other + upper)
    case .isOneOf(let values):
      step.kind = .bytesIn
      step.count = values.count
      var (ranges, bytes): ([UInt8], [UInt8]) = ([], [])
      for value in values.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        ranges += Self.bytes(UInt64(16 * values.count + bytes.count))
        ranges += Self.bytes(UInt64(value.count))
        bytes += value
      }
      addConstants(ranges + bytes)
    }
  }

  private static func bytes(_ number: UInt64) -> [UInt8] {
    unsafe withUnsafeBytes(of: number) { unsafe Array($0) }
  }

  /// Adds constants of the step that is added next.
  private mutating func addConstants(_ bytes: [UInt8]) {
    while constants.count % 8 != 0 { constants.append(0) }
    starts.append(constants.count)
    constants += bytes
  }

  /// The steps and the constants in memory of their own, which the caller deallocates.
  func finish() -> (UnsafeMutableBufferPointer<Predicate.Step>, UnsafeMutableRawBufferPointer) {
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(8, constants.count), alignment: 8)
    unsafe memory.copyBytes(from: constants)
    let table = UnsafeMutableBufferPointer<Predicate.Step>.allocate(
      capacity: max(1, steps.count))
    _ = unsafe table.initialize(from: steps)
    for index in steps.indices {
      if let start = starts[index] {
        unsafe table[index].constants = unsafe memory.baseAddress.map {
          unsafe UnsafeRawPointer($0 + start)
        }
      }
    }
    return unsafe (table, memory)
  }
}
