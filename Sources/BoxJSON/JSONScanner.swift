/// Walks a JSON text once and writes its tape.
///
/// The pointer is valid for the life of the scanner: ``JSONDocument`` makes one inside the only
/// scope that has it. Every read is guarded by `index < count`.
@safe struct JSONScanner {
  let base: UnsafePointer<UInt8>
  let count: Int
  let options: JSONDocument.Options

  var index = 0
  var tape = JSONTape()
  var lineStarts: ContiguousArray<UInt32> = [0]
  var rawTabs: [Int] = []
  /// The keys of large objects, by the tape index of the object.
  var keyTables: [Int: JSONKeyTable] = [:]
  /// The tape indices of the arrays and objects that are open.
  private var open: ContiguousArray<Int> = []

  init(base: UnsafePointer<UInt8>, count: Int, options: JSONDocument.Options) {
    unsafe self.base = unsafe base
    self.count = count
    self.options = options
    // A guess on the large side: pages that are not written to cost nothing.
    tape.reserveCapacity(count / 8 + 8)
    lineStarts.reserveCapacity(count / 16 + 8)
  }

  /// Scans the whole text.
  ///
  /// - Complexity: O(*n*) in the number of bytes, on average.
  mutating func scan() throws(JSONError) {
    try skipByteOrderMark()
    skipWhiteSpace()
    guard index < count else {
      throw error(.empty, at: 0, count == 0 ? "The text is empty" : "The text is blank")
    }
    repeat {
      // A value starts here. If it is an array or object with something in it, its first value
      // comes next.
      while try scanValueOrOpen() {}
    } while try scanSeparatorsAndClose()
    skipWhiteSpace()
    guard index == count else {
      throw try unexpected(.trailingText, "Expected the end of the text")
    }
  }

  @inline(__always)
  mutating func skipWhiteSpace() {
    while index < count {
      switch unsafe base[index] {
      case .space, .tab:
        index += 1
      case .lineFeed:
        index += 1
        lineStarts.append(UInt32(truncatingIfNeeded: index))
        skipIndentation()
      case .carriageReturn:
        index += 1
        if unsafe index == count || base[index] != .lineFeed {
          lineStarts.append(UInt32(truncatingIfNeeded: index))
        }
      default:
        return
      }
    }
  }

  @inline(__always)
  private mutating func skipIndentation() {
    while index + 8 <= count {
      let difference = word(at: index) ^ 0x2020_2020_2020_2020
      guard difference == 0 else {
        index += difference.trailingZeroBitCount >> 3
        return
      }
      index += 8
    }
  }

  /// The next eight bytes, the first one lowest.
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    unsafe UInt64(littleEndian: UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self))
  }

  /// Scans a value that holds nothing else, or opens an array or object that does.
  ///
  /// - Returns: Whether an array or object was opened, so that its first value comes next.
  @inline(__always)
  private mutating func scanValueOrOpen() throws(JSONError) -> Bool {
    guard index < count else { throw endOfText("a value") }
    let start = index
    switch unsafe base[index] {
    case .quote:
      let flags = try scanString()
      append(.string, flags, from: start)
    case .leftBrace:
      return try openContainer(.object)
    case .leftBracket:
      return try openContainer(.array)
    case .minus, 0x30...0x39:
      let flags = try scanNumber()
      append(.number, flags, from: start)
    case UInt8(ascii: "t") where matches("true"):
      append(.bool, [], from: start)
    case UInt8(ascii: "f") where matches("false"):
      append(.bool, [], from: start)
    case UInt8(ascii: "n") where matches("null"):
      append(.null, [], from: start)
    default:
      throw try noValue()
    }
    return false
  }

  @inline(__always)
  private mutating func append(_ kind: JSONKind, _ flags: JSONTapeEntry.Flags, from start: Int) {
    tape.append(
      JSONTapeEntry(kind: kind, flags: flags, start: start, end: index, next: tape.count + 1))
  }

  @inline(__always)
  private mutating func matches(_ word: StaticString) -> Bool {
    let length = word.utf8CodeUnitCount
    guard index + length <= count else { return false }
    for offset in 0..<length where unsafe base[index + offset] != word.utf8Start[offset] {
      return false
    }
    index += length
    return true
  }

  private mutating func openContainer(_ kind: JSONKind) throws(JSONError) -> Bool {
    guard open.count < options.maximumDepth else {
      throw error(
        .nestingTooDeep, at: index,
        "Arrays and objects are nested deeper than \(options.maximumDepth) levels")
    }
    open.append(tape.count)
    let start = index
    index += 1
    append(kind, [], from: start)
    skipWhiteSpace()
    guard index < count else {
      throw endOfText(kind == .object ? #"a key or "}""# : #"a value or "]""#)
    }
    if unsafe base[index] == (kind == .object ? .rightBrace : .rightBracket) {
      try closeContainer(kind)
      return false
    }
    if kind == .object { try scanKey(orClose: true) }
    return true
  }

  private mutating func closeContainer(_ kind: JSONKind) throws(JSONError) {
    index += 1
    guard let container = open.popLast() else { return }
    tape[container].end = UInt32(truncatingIfNeeded: index)
    tape[container].next = UInt32(truncatingIfNeeded: tape.count)
    if kind == .object { try refuseDuplicateKeys(of: container) }
  }

  /// Continues after a value: with the next one, or after as many arrays and objects as end here.
  ///
  /// - Returns: Whether another value comes next; otherwise the value of the text has ended.
  @inline(__always)
  private mutating func scanSeparatorsAndClose() throws(JSONError) -> Bool {
    while let container = open.last {
      skipWhiteSpace()
      let kind = tape[container].kind
      let isObject = kind == .object
      guard index < count else { throw endOfText(isObject ? #""," or "}""# : #""," or "]""#) }
      switch unsafe base[index] {
      case .comma:
        index += 1
        skipWhiteSpace()
        if isObject { try scanKey(orClose: false) }
        return true
      case isObject ? .rightBrace : .rightBracket:
        try closeContainer(kind)
      default:
        throw try unexpected(
          .unexpectedCharacter, isObject ? #"Expected "," or "}""# : #"Expected "," or "]""#)
      }
    }
    return false
  }

  @inline(__always)
  private mutating func scanKey(orClose: Bool) throws(JSONError) {
    guard index < count else { throw endOfText("a key") }
    guard unsafe base[index] == .quote else {
      throw try unexpected(
        .unexpectedCharacter,
        orClose ? #"Expected a key in quotes or "}""# : "Expected a key in quotes")
    }
    let start = index
    let flags = try scanString()
    append(.string, flags, from: start)
    if index < count, unsafe base[index] != .colon { skipWhiteSpace() }
    guard index < count else { throw endOfText(#"":" after the key"#) }
    guard unsafe base[index] == .colon else {
      throw try unexpected(.unexpectedCharacter, #"Expected ":" after the key"#)
    }
    index += 1
    skipWhiteSpace()
  }
}
