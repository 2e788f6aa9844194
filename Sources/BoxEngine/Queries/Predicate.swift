internal import BoxModel

/// A condition in the form in which it runs: steps in one piece of memory, each with the step that
/// follows if it holds and the one that follows if not.
///
/// Nothing is counted for a record, and nothing is allocated but a buffer for folded text.
@safe final class Predicate: Sendable {
  /// One test of one field.
  @safe struct Step {
    var kind: Kind
    var type: SlotType
    var comparison: Condition.Comparison
    /// Whether some element of the vector has to fulfil it.
    var isElement: Bool
    var ignoresCase: Bool
    /// The slot of the field; -1 for the id.
    var slot: Int32
    /// The position of the next step, or ``Predicate/holds`` or ``Predicate/fails``.
    var onTrue: Int32
    var onFalse: Int32
    /// Limits, bits of numbers, or the number of a set.
    var low: UInt64
    var high: UInt64
    /// Constant bytes, or numbers.
    var constants: UnsafeRawPointer?
    var count: Int
  }

  /// The question that a step asks.
  enum Kind: UInt8 {
    /// A constant answer, once there is a value.
    case never, always
    case isNull
    case signedRange, signedNot, signedIn
    case unsignedRange, unsignedNot, unsignedIn
    case number, numberBetween, numberIn
    case bytes, contains, startsWith, endsWith, bytesBetween, bytesIn
    case isInSet
  }

  static let holds: Int32 = -1
  static let fails: Int32 = -2

  // Nothing is written to them after the initializer.
  private nonisolated(unsafe) let steps: UnsafeMutableBufferPointer<Step>
  private nonisolated(unsafe) let constants: UnsafeMutableRawBufferPointer
  private let entry: Int32

  /// Takes the steps of a builder.
  ///
  /// - Parameters:
  ///   - builder: The steps.
  ///   - entry: The first of them, or one of ``holds`` and ``fails``.
  init(_ builder: PredicateBuilder, from entry: Int32) {
    unsafe (steps, constants, self.entry) = unsafe builder.finish(entry)
  }

  deinit {
    unsafe steps.deallocate()
    unsafe constants.deallocate()
  }

  /// Whether an object fulfils the condition.
  ///
  /// - Parameters:
  ///   - id: The id of the object.
  ///   - record: Its values.
  ///   - sets: The sets of the condition.
  ///   - folded: A buffer for folded text, which belongs to the caller's thread.
  /// - Returns: Whether it does.
  /// - Complexity: O(*n*) in the number of steps and the bytes of the strings and vectors that they read.
  @inline(__always)
  func matches(
    _ id: UInt64, _ record: borrowing RecordView, _ sets: [IDSet], _ folded: FoldedText
  ) -> Bool {
    var index = entry
    while index >= 0 {
      let step = unsafe steps.baseAddress.unsafelyUnwrapped + Int(index)
      index =
        unsafe Self.test(step, id, record, sets, folded)
        ? step.pointee.onTrue : step.pointee.onFalse
    }
    return index == Self.holds
  }

  @inline(__always)
  private static func test(
    _ step: UnsafePointer<Step>, _ id: UInt64, _ record: borrowing RecordView, _ sets: [IDSet],
    _ folded: FoldedText
  ) -> Bool {
    let slot = unsafe Int(step.pointee.slot)
    if slot < 0 { return unsafe testID(step, id, sets) }
    if record.isNull(slot) { return unsafe step.pointee.kind == .isNull }
    if unsafe step.pointee.isElement { return unsafe testElements(step, record, folded) }
    switch unsafe step.pointee.kind {
    case .isNull, .never: return false
    case .always: return true
    case .signedRange, .signedNot, .signedIn:
      return unsafe holds(step, record.signedBits(slot, step.pointee.type))
    case .unsignedRange, .unsignedNot, .unsignedIn:
      return unsafe holds(step, record.unsignedBits(slot, step.pointee.type))
    case .number, .numberBetween, .numberIn:
      return unsafe holds(step, record.number(slot, step.pointee.type))
    case .isInSet:
      return unsafe sets[Int(step.pointee.low)].contains(
        record.unsignedBits(slot, step.pointee.type))
    case .bytes, .contains, .startsWith, .endsWith, .bytesBetween, .bytesIn:
      return unsafe holds(
        step, record.elements(slot).assumingMemoryBound(to: UInt8.self), folded)
    }
  }

  private static func testID(
    _ step: UnsafePointer<Step>, _ id: UInt64, _ sets: [IDSet]
  ) -> Bool {
    switch unsafe step.pointee.kind {
    case .always: return true
    case .isInSet: return unsafe sets[Int(step.pointee.low)].contains(id)
    case .unsignedRange, .unsignedNot, .unsignedIn: return unsafe holds(step, id)
    default: return false
    }
  }

  // MARK: - Values

  @inline(__always)
  private static func holds(_ step: UnsafePointer<Step>, _ value: Int64) -> Bool {
    switch unsafe step.pointee.kind {
    case .signedRange:
      return unsafe value >= Int64(bitPattern: step.pointee.low)
        && value <= Int64(bitPattern: step.pointee.high)
    case .signedNot: return unsafe value != Int64(bitPattern: step.pointee.low)
    case .signedIn: return unsafe isOneOf(step, value)
    default: return unsafe step.pointee.kind == .always
    }
  }

  @inline(__always)
  private static func holds(_ step: UnsafePointer<Step>, _ value: UInt64) -> Bool {
    switch unsafe step.pointee.kind {
    case .unsignedRange: return unsafe value >= step.pointee.low && value <= step.pointee.high
    case .unsignedNot: return unsafe value != step.pointee.low
    case .unsignedIn: return unsafe isOneOf(step, value)
    default: return unsafe step.pointee.kind == .always
    }
  }

  @inline(__always)
  private static func isOneOf<Number: FixedWidthInteger>(
    _ step: UnsafePointer<Step>, _ value: Number
  ) -> Bool {
    guard let constants = unsafe step.pointee.constants else { return false }
    let numbers = unsafe constants.assumingMemoryBound(to: Number.self)
    var (low, high) = unsafe (0, step.pointee.count)
    while low < high {
      let middle = (low + high) / 2
      if unsafe numbers[middle] < value { low = middle + 1 } else { high = middle }
    }
    return unsafe low < step.pointee.count && numbers[low] == value
  }

  @inline(__always)
  private static func holds(_ step: UnsafePointer<Step>, _ value: Double) -> Bool {
    switch unsafe step.pointee.kind {
    case .number:
      let other = unsafe Double(bitPattern: step.pointee.low)
      let isEqual = value == other || (value.isNaN && other.isNaN)
      switch unsafe step.pointee.comparison {
      case .equal: return isEqual
      case .notEqual: return !isEqual
      case .less: return value < other
      case .lessOrEqual: return value < other || isEqual
      case .greater: return value > other
      case .greaterOrEqual: return value > other || isEqual
      }
    case .numberBetween:
      return unsafe value >= Double(bitPattern: step.pointee.low)
        && value <= Double(bitPattern: step.pointee.high)
    case .numberIn:
      guard let constants = unsafe step.pointee.constants else { return false }
      let numbers = unsafe constants.assumingMemoryBound(to: Double.self)
      for index in unsafe 0..<step.pointee.count {
        let other = unsafe numbers[index]
        if value == other || (value.isNaN && other.isNaN) { return true }
      }
      return false
    default: return unsafe step.pointee.kind == .always
    }
  }

  private static func holds(
    _ step: UnsafePointer<Step>, _ bytes: UnsafeBufferPointer<UInt8>, _ folded: FoldedText
  ) -> Bool {
    let bytes = unsafe step.pointee.ignoresCase ? folded.fold(bytes) : bytes
    let other = unsafe UnsafeBufferPointer(
      start: step.pointee.constants?.assumingMemoryBound(to: UInt8.self), count: step.pointee.count)
    switch unsafe step.pointee.kind {
    case .bytes:
      return unsafe step.pointee.comparison.holds(order: ByteOrder.compare(bytes, other))
    case .contains: return unsafe ByteOrder.contains(bytes, other)
    case .startsWith:
      return unsafe bytes.count >= other.count && ByteOrder.compareStarts(bytes, other) == 0
    case .endsWith:
      if bytes.count < other.count { return false }
      let end = unsafe UnsafeBufferPointer(rebasing: bytes[(bytes.count - other.count)...])
      return unsafe ByteOrder.compareStarts(end, other) == 0
    case .bytesBetween: return unsafe isBetween(step, bytes, other)
    case .bytesIn: return unsafe isOneOf(step, bytes)
    default: return unsafe step.pointee.kind == .always
    }
  }

  /// The upper limit follows the lower one, which has ``Step/low`` bytes.
  private static func isBetween(
    _ step: UnsafePointer<Step>, _ bytes: UnsafeBufferPointer<UInt8>,
    _ limits: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    let middle = unsafe Int(step.pointee.low)
    let low = unsafe UnsafeBufferPointer(rebasing: limits[..<middle])
    let high = unsafe UnsafeBufferPointer(rebasing: limits[middle...])
    return unsafe ByteOrder.compare(bytes, low) >= 0 && ByteOrder.compare(bytes, high) <= 0
  }

  /// The constants are pairs of the start and the number of bytes of each value, in ascending order of
  /// the values, which follow them.
  private static func isOneOf(
    _ step: UnsafePointer<Step>, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard let constants = unsafe step.pointee.constants else { return false }
    let ranges = unsafe constants.assumingMemoryBound(to: Int.self)
    var (low, high) = unsafe (0, step.pointee.count)
    while low < high {
      let middle = (low + high) / 2
      let value = unsafe UnsafeBufferPointer(
        start: (constants + ranges[2 * middle]).assumingMemoryBound(to: UInt8.self),
        count: ranges[2 * middle + 1])
      let order = unsafe ByteOrder.compare(value, bytes)
      if order == 0 { return true }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return false
  }

  // MARK: - Vectors

  private static func testElements(
    _ step: UnsafePointer<Step>, _ record: borrowing RecordView, _ folded: FoldedText
  ) -> Bool {
    let slot = unsafe Int(step.pointee.slot)
    switch unsafe step.pointee.type {
    case .bools:
      return unsafe some(step, record, UInt8.self) { unsafe holds($0, UInt64($1 == 0 ? 0 : 1)) }
    case .int16s: return unsafe some(step, record, Int16.self) { unsafe holds($0, Int64($1)) }
    case .uint16s: return unsafe some(step, record, UInt16.self) { unsafe holds($0, UInt64($1)) }
    case .int32s: return unsafe some(step, record, Int32.self) { unsafe holds($0, Int64($1)) }
    case .uint32s: return unsafe some(step, record, UInt32.self) { unsafe holds($0, UInt64($1)) }
    case .int64s: return unsafe some(step, record, Int64.self) { unsafe holds($0, $1) }
    case .uint64s: return unsafe some(step, record, UInt64.self) { unsafe holds($0, $1) }
    case .floats: return unsafe some(step, record, Float.self) { unsafe holds($0, Double($1)) }
    case .doubles: return unsafe some(step, record, Double.self) { unsafe holds($0, $1) }
    case .strings:
      var found = false
      unsafe record.visitStrings(slot) { text in
        found = unsafe holds(step, text.assumingMemoryBound(to: UInt8.self), folded)
        return !found
      }
      return found
    default: return false
    }
  }

  @inline(__always)
  private static func some<Element: BitwiseCopyable>(
    _ step: UnsafePointer<Step>, _ record: borrowing RecordView, _: Element.Type,
    _ holds: (UnsafePointer<Step>, Element) -> Bool
  ) -> Bool {
    let elements = unsafe record.elements(Int(step.pointee.slot))
    var offset = 0
    while offset < elements.count {
      let element = unsafe elements.loadUnaligned(fromByteOffset: offset, as: Element.self)
      if unsafe holds(step, element) { return true }
      offset += MemoryLayout<Element>.size
    }
    return false
  }
}

extension RecordView {
  /// A signed integer of any width; 0 for null.
  @inline(__always)
  func signedBits(_ slot: Int, _ type: SlotType) -> Int64 {
    switch type {
    case .int8: Int64(raw(slot, as: Int8.self))
    case .int16: Int64(Int16(littleEndian: raw(slot, as: Int16.self)))
    case .int32: Int64(Int32(littleEndian: raw(slot, as: Int32.self)))
    default: Int64(littleEndian: raw(slot, as: Int64.self))
    }
  }

  /// An unsigned integer of any width, or a boolean; 0 for null.
  @inline(__always)
  func unsignedBits(_ slot: Int, _ type: SlotType) -> UInt64 {
    switch type {
    case .bool: raw(slot, as: UInt8.self) == 0 ? 0 : 1
    case .uint8: UInt64(raw(slot, as: UInt8.self))
    case .uint16: UInt64(UInt16(littleEndian: raw(slot, as: UInt16.self)))
    case .uint32: UInt64(UInt32(littleEndian: raw(slot, as: UInt32.self)))
    default: UInt64(littleEndian: raw(slot, as: UInt64.self))
    }
  }

  /// A number of 32 or 64 bits; 0 for null.
  @inline(__always)
  func number(_ slot: Int, _ type: SlotType) -> Double {
    if type == .float {
      return Double(Float(bitPattern: UInt32(littleEndian: raw(slot, as: UInt32.self))))
    }
    return Double(bitPattern: UInt64(littleEndian: raw(slot, as: UInt64.self)))
  }
}
