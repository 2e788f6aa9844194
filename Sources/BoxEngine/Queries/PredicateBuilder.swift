/// Lays out the steps and the constants of a ``Predicate``, in the order of the condition.
///
/// A step that does not exist yet is identified by a label, a number below ``Predicate/fails``.
struct PredicateBuilder {
  /// The steps that follow a condition.
  struct Exits {
    /// The step that follows if it holds.
    var onTrue = Predicate.holds
    /// The step that follows if not.
    var onFalse = Predicate.fails

    /// The exits of a condition whose negation has these.
    var negated: Exits { Exits(onTrue: onFalse, onFalse: onTrue) }
  }

  private var steps: [Predicate.Step] = []
  /// The constants of the steps, each at a multiple of eight bytes.
  private var constants: [UInt8] = []
  /// The start of the constants of each step; nil for those without.
  private var starts: [Int?] = []
  /// The steps that labels stand for, which can be labels too.
  private var targets: [Int32] = []

  /// A label for a step that is added later.
  mutating func label() -> Int32 {
    targets.append(Predicate.fails)
    return Predicate.fails - Int32(targets.count)
  }

  /// Says which step a label stands for.
  mutating func define(_ label: Int32, _ step: Int32) {
    targets[Int(Predicate.fails - 1 - label)] = step
  }

  private func step(_ step: Int32) -> Int32 {
    var step = step
    while step < Predicate.fails { step = targets[Int(Predicate.fails - 1 - step)] }
    return step
  }

  /// Adds a step.
  ///
  /// - Parameters:
  ///   - test: The test that it runs.
  ///   - exits: The steps that follow.
  /// - Returns: The step.
  mutating func add(_ test: FieldTest, _ exits: Exits) -> Int32 {
    var step = unsafe Predicate.Step(
      kind: .never, type: test.field.type, comparison: .equal, isElement: test.isOfElement,
      ignoresCase: false, slot: Int32(test.field.slot), onTrue: exits.onTrue,
      onFalse: exits.onFalse, low: 0, high: 0, constants: nil, count: 0)
    switch test.kind {
    case .isNull: step.kind = .isNull
    case .signed(let test): fill(&step, test)
    case .unsigned(let test): fill(&step, test)
    case .number(let test): fill(&step, test)
    case .bytes(let test): fill(&step, test)
    case .isIn(let number):
      step.kind = .isInSet
      step.low = UInt64(number)
    }
    steps.append(step)
    if starts.count < steps.count { starts.append(nil) }
    return Int32(steps.count - 1)
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

  /// The steps and the constants in memory of their own, which the caller deallocates, and the step that
  /// a label stands for.
  func finish(
    _ entry: Int32
  ) -> (UnsafeMutableBufferPointer<Predicate.Step>, UnsafeMutableRawBufferPointer, Int32) {
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(8, constants.count), alignment: 8)
    unsafe memory.copyBytes(from: constants)
    let table = UnsafeMutableBufferPointer<Predicate.Step>.allocate(
      capacity: max(1, steps.count))
    _ = unsafe table.initialize(from: steps)
    for index in steps.indices {
      unsafe table[index].onTrue = step(table[index].onTrue)
      unsafe table[index].onFalse = step(table[index].onFalse)
      if let start = starts[index] {
        unsafe table[index].constants = unsafe memory.baseAddress.map {
          unsafe UnsafeRawPointer($0 + start)
        }
      }
    }
    return unsafe (table, memory, step(entry))
  }
}
