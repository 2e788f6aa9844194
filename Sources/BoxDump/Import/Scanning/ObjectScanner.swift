internal import BoxEngine
internal import BoxJSON

/// Reads JSON objects of one kind straight from the bytes of a text.
///
/// Looks for members in the order in which the last object had them, so that a key costs one comparison.
/// Zeros must follow the text, which end every token. What was found is in ``values`` until the next object
/// is read; strings without escapes are not copied.
///
/// A scanner belongs to one thread, and nothing calls back in the middle of an access: checking each
/// access again at run time took a fifth of an import.
final class ObjectScanner {
  let fields: [ImportField]
  /// One for each field.
  let values: FixedMemory<ScannedValue>
  /// Bytes that are not in the text as they are.
  @safe @exclusivity(unchecked) var side = SideBytes()
  @safe @exclusivity(unchecked) var stringLists: [[String]] = []
  /// The current text.
  @safe @exclusivity(unchecked) var base = PaddedBytes.empty
  /// The index of the next byte.
  @safe @exclusivity(unchecked) var index = 0
  /// The index at which the object begins that was read last.
  @safe @exclusivity(unchecked) private(set) var objectStart = 0
  /// Whether line feeds are allowed between tokens.
  @safe @exclusivity(unchecked) var spansLines = false

  /// The numbers of objects that had each member that was ignored, up to a limit of names.
  @safe @exclusivity(unchecked) private(set) var ignored: [ExactText: Int] = [:]
  private static let ignoredNames = 1000

  private let ignoresUnknown: Bool
  private let keys: FixedMemory<Key>
  private let keyBytes: FixedMemory<UInt8>
  private let positions: [ExactText: Int]
  private let count: Int
  /// The field that followed another the last time; the first of them follows the beginning.
  private let successors: FixedMemory<Int>
  @safe @exclusivity(unchecked) private var last = -1

  /// A key with both quotes and the colon that usually follows.
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
    // One at least, for a string that is read for no field.
    values = FixedMemory(repeating: ScannedValue(), count: max(1, count))
    var keys: [Key] = []
    var bytes: [UInt8] = []
    for field in fields {
      let key = Array(("\"" + field.key + "\":").utf8)
      keys.append(
        Key(
          start: bytes.count, count: key.count, form: field.form, word: Self.word(key),
          mask: key.count >= 8 ? .max : (1 << (8 * UInt64(key.count))) &- 1))
      bytes += key
    }
    self.keys = FixedMemory(keys)
    keyBytes = FixedMemory(bytes)
    successors = FixedMemory(Array(0...count))
    positions = Dictionary(
      fields.enumerated().map { (ExactText($1.key), $0) }, uniquingKeysWith: { first, _ in first })
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
    _ text: PaddedBytes, from start: Int, end: Int
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
      let (field, form) = try key(end)
      skipSpace()
      if field >= 0 {
        try value(of: field, form)
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
  func begin(_ text: PaddedBytes, at start: Int) {
    base = text
    index = start
    objectStart = start
    side.removeAll()
    stringLists.removeAll(keepingCapacity: true)
    values.fill(with: ScannedValue())
  }

  /// Reads a key and the colon; -1 for one that is passed over.
  @inline(__always)
  private func key(
    _ end: Int
  ) throws(ScanFailure) -> (field: Int, form: ImportField.Form) {
    let next = successors[last + 1]
    if next < count {
      let key = keys[next]
      if base.word(at: index) & key.mask == key.word, key.count <= 8 || hasRest(key, end) {
        if values[next].state != .absent { throw duplicate(next) }
        last = next
        index += key.count
        return (next, key.form)
      }
    }
    let field = try otherKey()
    return (field, field < 0 ? .skipped : keys[field].form)
  }

  /// Whether the rest of a long key matches.
  private func hasRest(_ key: Key, _ end: Int) -> Bool {
    if end - index <= key.count { return false }
    return unsafe base.has(keyBytes[lent: key.start + 8..<key.start + key.count], at: index + 8)
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
  private func value(of field: Int, _ form: ImportField.Form) throws(ScanFailure) {
    let place = index
    do throws(ScanFailure) {
      values[field].place = place
      if base[index] == UInt8(ascii: "n") {
        try word("null")
        values[field].state = .null
        return
      }
      if base[index] == .leftBrace, try readExtended(form, into: field) { return }
      switch form {
      case .string:
        try string(into: field)
      case .int64, .int32, .double, .float, .bool, .int8, .uint8, .int16, .uint16, .uint32,
        .uint64, .id, .char, .date, .dateNano:
        values[field].bits = try scalar(form)
        values[field].state = .scalar
      default:
        try otherValue(of: field, form)
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
  private func otherValue(of field: Int, _ form: ImportField.Form) throws(ScanFailure) {
    switch form {
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
    default:
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
    let bytes = unsafe UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard unsafe base.has(bytes, at: index) else {
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

  /// The bytes of a string or of bytes that were found, which are valid until more is read.
  @inline(__always)
  @unsafe func bytes(of value: ScannedValue) -> UnsafeRawBufferPointer {
    let range = value.range
    return unsafe value.state == .text ? UnsafeRawBufferPointer(base[range]) : side[range]
  }
}
