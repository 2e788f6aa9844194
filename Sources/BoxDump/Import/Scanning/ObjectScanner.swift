internal import BoxEngine
internal import BoxJSON

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Reads JSON objects of one kind straight from the bytes of a text.
///
/// The members are looked for in the order in which the last object had them, so that a key costs one
/// comparison. Behind the text there must be zeros, which end everything. What was found is in
/// ``values`` until the next object is read; strings without escapes are not copied.
///
/// A scanner belongs to one thread, and nothing calls back in the middle of an access: checking each
/// access again at run time took a fifth of an import.
final class ObjectScanner {
  let fields: [ImportField]
  /// One for each field.
  let values: UnsafeMutablePointer<ScannedValue>
  /// Bytes that are not in the text as they are.
  @exclusivity(unchecked) var side: UnsafeMutableRawPointer
  @exclusivity(unchecked) var sideCount = 0
  @exclusivity(unchecked) private var sideCapacity = 256
  @exclusivity(unchecked) var stringLists: [[String]] = []
  /// The text at hand.
  @exclusivity(unchecked) var base: UnsafePointer<UInt8>
  /// The index of the next byte.
  @exclusivity(unchecked) var index = 0
  /// The index at which the object begins that was read last.
  @exclusivity(unchecked) private(set) var objectStart = 0
  /// Whether a line feed may stand between tokens.
  @exclusivity(unchecked) var spansLines = false

  /// The numbers of objects that had each member that was ignored, up to a limit of names.
  @exclusivity(unchecked) private(set) var ignored: [ExactText: Int] = [:]
  private static let ignoredNames = 1000

  private let ignoresUnknown: Bool
  private let keys: UnsafeMutablePointer<Key>
  private let keyBytes: UnsafeMutablePointer<UInt8>
  private let positions: [ExactText: Int]
  private let count: Int
  /// The field that followed another the last time; the first of them follows the beginning.
  private let successors: UnsafeMutablePointer<Int>
  @exclusivity(unchecked) private var last = -1

  /// A key with both quotes and, since that is what mostly follows, a colon.
  private struct Key {
    var start: Int
    var count: Int
    var form: ImportField.Form
    /// The first bytes, eight at most, and what is theirs of a word.
    var word: UInt64
    var mask: UInt64
  }

  init(_ fields: [ImportField], ignoresUnknown: Bool) {
    self.fields = fields
    self.ignoresUnknown = ignoresUnknown
    count = fields.count
    values = .allocate(capacity: max(1, count))
    values.initialize(repeating: ScannedValue(), count: max(1, count))
    side = .allocate(byteCount: sideCapacity, alignment: 16)
    keys = .allocate(capacity: max(1, count))
    var bytes: [UInt8] = []
    for (number, field) in fields.enumerated() {
      let key = Array(("\"" + field.key + "\":").utf8)
      (keys + number).initialize(
        to: Key(
          start: bytes.count, count: key.count, form: field.form, word: Self.word(key),
          mask: key.count >= 8 ? .max : (1 << (8 * UInt64(key.count))) &- 1))
      bytes += key
    }
    keyBytes = .allocate(capacity: max(1, bytes.count))
    keyBytes.initialize(from: bytes, count: bytes.count)
    successors = .allocate(capacity: count + 1)
    for number in 0...count { successors[number] = number }
    base = UnsafePointer(keyBytes)
    positions = Dictionary(
      fields.enumerated().map { (ExactText($1.key), $0) }, uniquingKeysWith: { first, _ in first })
  }

  deinit {
    values.deallocate()
    side.deallocate()
    keys.deallocate()
    keyBytes.deallocate()
    successors.deallocate()
  }

  /// Hands out the counts of ``ignored``, which begin again.
  func takeIgnored() -> [ExactText: Int] {
    defer { ignored = [:] }
    return ignored
  }

  // MARK: - An object

  /// Reads the object at an index of a text.
  ///
  /// - Parameters:
  ///   - text: The bytes, followed by zeros.
  ///   - start: The index at which the object begins, or white space before it.
  ///   - end: The index after the last byte of the text.
  /// - Throws: ``ScanFailure``.
  /// - Complexity: O(*n*) in the bytes of the object.
  @inline(__always)
  func scan(
    _ text: UnsafePointer<UInt8>, from start: Int, end: Int
  ) throws(ScanFailure) {
    begin(text, at: start)
    skipSpace()
    guard base[index] == .leftBrace else { throw unexpected("an object") }
    objectStart = index
    index += 1
    skipSpace()
    if base[index] == .rightBrace {
      index += 1
      return
    }
    last = -1
    while true {
      let field = try key(end)
      skipSpace()
      if field >= 0 {
        try value(of: field)
      } else {
        try skipValue(depth: 1)
      }
      skipSpace()
      let byte = base[index]
      index += 1
      if byte == .comma {
        skipSpace()
        continue
      }
      if byte == .rightBrace { return }
      index -= 1
      throw unexpected("a comma or the end of the object")
    }
  }

  /// Forgets the last object, and begins another one at an index of a text.
  @inline(__always)
  func begin(_ text: UnsafePointer<UInt8>, at start: Int) {
    base = text
    index = start
    objectStart = start
    sideCount = 0
    stringLists.removeAll(keepingCapacity: true)
    values.update(repeating: ScannedValue(), count: count)
  }

  /// Reads a key and the colon; -1 for one that is passed over.
  @inline(__always)
  private func key(_ end: Int) throws(ScanFailure) -> Int {
    let next = successors[last + 1]
    if next < count {
      let key = keys[next]
      let word = UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self)
      if UInt64(littleEndian: word) & key.mask == key.word, key.count <= 8 || hasRest(key, end) {
        if values[next].state != .absent { throw duplicate(next) }
        last = next
        index += key.count
        return next
      }
    }
    return try otherKey()
  }

  /// Whether a long key goes on as it should.
  private func hasRest(_ key: Key, _ end: Int) -> Bool {
    end - index > key.count
      && memcmp(base + index + 8, keyBytes + key.start + 8, key.count - 8) == 0
  }

  /// The first bytes of a key as a number.
  private static func word(_ key: [UInt8]) -> UInt64 {
    key.prefix(8).enumerated().reduce(0) { $0 | UInt64($1.element) << (8 * UInt64($1.offset)) }
  }

  @inline(never)
  private func otherKey() throws(ScanFailure) -> Int {
    let start = index
    guard base[index] == .quote else { throw unexpected("a key in quotes") }
    let name = ExactText(try string())
    skipSpace()
    guard base[index] == .colon else { throw unexpected("a colon") }
    index += 1
    if let field = positions[name] {
      successors[last + 1] = field
      last = field
      if values[field].state != .absent {
        index = start
        throw duplicate(field)
      }
      return field
    }
    if ignoresUnknown {
      // Each has a count, unless a stranger's objects have names without end.
      if ignored.count < Self.ignoredNames || ignored[name] != nil {
        ignored[name, default: 0] += 1
      }
      return -1
    }
    throw ScanFailure(
      index: start,
      expected: "there is no property \(name.text.quotedForDisplay)", isMessage: true)
  }

  private func duplicate(_ field: Int) -> ScanFailure {
    ScanFailure(
      index: index, expected: "the key \(fields[field].key.quotedForDisplay) occurs twice",
      isMessage: true)
  }

  // MARK: - A value

  @inline(__always)
  private func value(of field: Int) throws(ScanFailure) {
    let place = index
    do throws(ScanFailure) {
      values[field].place = place
      if base[index] == UInt8(ascii: "n") {
        try word("null")
        values[field].state = .null
        return
      }
      if base[index] == .leftBrace, try readExtended(keys[field].form, into: field) { return }
      switch keys[field].form {
      case .string:
        try string(into: field)
      case .int64, .int32, .double, .float, .bool, .int8, .uint8, .int16, .uint16, .uint32,
        .uint64, .id, .char, .date, .dateNano:
        values[field].bits = try scalar(keys[field].form)
        values[field].state = .scalar
      default:
        try otherValue(of: field)
      }
    } catch {
      throw named(error, field, place)
    }
  }

  @inline(never)
  private func named(_ failure: ScanFailure, _ field: Int, _ place: Int) -> ScanFailure {
    if failure.isMessage { return failure }
    return ScanFailure(
      index: place,
      expected: failure.expected.isEmpty
        ? fields[field].form.expected : failure.expected, field: field)
  }

  @inline(never)
  private func otherValue(of field: Int) throws(ScanFailure) {
    switch keys[field].form {
    case .bytes: try base64(into: field)
    case .strings: try strings(into: field)
    case .skipped:
      try skipValue(depth: 1)
      values[field].state = .text
    case .converted:
      let start = index
      try skipValue(depth: 1)
      values[field] = ScannedValue(
        state: .converted, bits: UInt64(start), count: index - start, place: start)
    case let form:
      guard let element = form.element else { throw mismatch() }
      try vector(of: element, into: field)
    }
  }

  /// The value has not the form that is expected.
  @inline(never)
  func mismatch() -> ScanFailure { ScanFailure(index: index, expected: "") }

  @inline(never)
  func unexpected(_ words: String) -> ScanFailure {
    ScanFailure(index: index, expected: words)
  }

  // MARK: - Tokens

  @inline(__always)
  func skipSpace() {
    if base[index] <= 0x20 { skipMoreSpace() }
  }

  @inline(never)
  private func skipMoreSpace() {
    while true {
      switch base[index] {
      case 0x20, 0x09, 0x0D: index += 1
      case 0x0A where spansLines: index += 1
      default: return
      }
    }
  }

  func word(_ word: StaticString) throws(ScanFailure) {
    guard memcmp(base + index, word.utf8Start, word.utf8CodeUnitCount) == 0 else {
      throw mismatch()
    }
    index += word.utf8CodeUnitCount
  }

  /// Passes over a value, all of which is checked but the content of strings and numbers.
  func skipValue(depth: Int) throws(ScanFailure) {
    switch base[index] {
    case .quote: _ = try string()
    case .leftBrace: try skipMembers(depth: depth, isObject: true)
    case .leftBracket: try skipMembers(depth: depth, isObject: false)
    case UInt8(ascii: "t"): try word("true")
    case UInt8(ascii: "f"): try word("false")
    case UInt8(ascii: "n"): try word("null")
    default: _ = try number()
    }
  }

  private func skipMembers(depth: Int, isObject: Bool) throws(ScanFailure) {
    if depth >= InputText.maximumDepth {
      throw ScanFailure(
        index: index,
        expected: "values are nested deeper than \(InputText.maximumDepth) levels",
        isMessage: true)
    }
    let close = isObject ? UInt8.rightBrace : .rightBracket
    index += 1
    skipSpace()
    if base[index] == close {
      index += 1
      return
    }
    while true {
      if isObject {
        guard base[index] == .quote else { throw unexpected("a key in quotes") }
        _ = try string()
        skipSpace()
        guard base[index] == .colon else { throw unexpected("a colon") }
        index += 1
        skipSpace()
      }
      try skipValue(depth: depth + 1)
      skipSpace()
      if base[index] == close {
        index += 1
        return
      }
      guard base[index] == .comma else { throw unexpected("a comma or the end") }
      index += 1
      skipSpace()
    }
  }

  // MARK: - Beside the text

  /// Makes room beside the text, at a multiple of sixteen.
  func reserveSide(_ more: Int) {
    if sideCount + more <= sideCapacity { return }
    sideCapacity = max(sideCount + more, 2 * sideCapacity)
    let grown = UnsafeMutableRawPointer.allocate(byteCount: sideCapacity, alignment: 16)
    grown.copyMemory(from: side, byteCount: sideCount)
    side.deallocate()
    side = grown
  }

  func alignSide() {
    reserveSide(16)
    sideCount = (sideCount + 15) & ~15
  }

  /// The bytes of a string or of bytes that were found.
  @inline(__always)
  func bytes(of value: ScannedValue) -> UnsafeRawBufferPointer {
    let start = Int(truncatingIfNeeded: value.bits)
    let origin = value.state == .text ? UnsafeRawPointer(base) : UnsafeRawPointer(side)
    return UnsafeRawBufferPointer(start: origin + start, count: value.count)
  }
}
