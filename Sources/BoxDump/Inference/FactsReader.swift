internal import BoxConvert
internal import BoxEngine
internal import BoxJSON

/// Collects the facts about the objects of an input, straight from the bytes of its text.
///
/// It shares the tokenizer of imports (``ObjectScanner``), so both accept the same values. A key costs one
/// comparison where objects have their members in the same order.
final class FactsReader {
  /// The maximum number of different members of an entity: more of them are data.
  static let maximumMembers = 4096
  /// The maximum number of different members of nested objects, beyond which keys are data.
  static let maximumNestedMembers = 64

  let tokens = ObjectScanner([], ignoresUnknown: true)
  @safe @exclusivity(unchecked) private var text: InputText
  let input: Int
  /// The columns of the file of delimited text that is read, and the member of each; nil for a column
  /// that is skipped.
  @safe @exclusivity(unchecked) var columns: DelimitedColumns?
  @safe @exclusivity(unchecked) var members: [MemberFacts?] = []
  /// Whether a field of the file has a value without quotes.
  @safe @exclusivity(unchecked) var hasPlainFields = false

  /// Whether objects in lists are looked into.
  private let readsLists: Bool
  /// The facts of the objects that were looked at for damage first.
  private var tried = ObjectFacts(nil)

  init(_ text: InputText, input: Int, readsLists: Bool) {
    self.text = text
    self.input = input
    self.readsLists = readsLists
  }

  /// The damage of an element that cannot be read, of which no fact is kept.
  ///
  /// - Complexity: O(*n*) in the bytes of the element.
  func damage(_ elements: DumpElements) -> DumpError? {
    do throws(ScanFailure) {
      if let record = elements.record {
        for number in 0..<record.count {
          try requireUTF8(record.fields[number], in: elements.text)
        }
        return nil
      }
      // Members of different objects add up, and the limit is one of the facts that are kept.
      if tried.members.count > Self.maximumMembers / 4 { tried = ObjectFacts(nil) }
      try read(elements, into: tried)
      return nil
    } catch {
      return error.inText(elements)
    }
  }

  /// Reads an element.
  ///
  /// - Throws: ``ScanFailure`` if it is not an object, or not JSON.
  /// - Complexity: O(*n*) in the bytes of the element.
  func read(_ elements: DumpElements, into facts: ObjectFacts) throws(ScanFailure) {
    if text !== elements.text { text = elements.text }
    tokens.base = text.base
    tokens.index = elements.range.lowerBound
    tokens.spansLines = elements.spansLines
    tokens.skipSpace()
    guard byte == .leftBrace else { throw tokens.unexpected("an object") }
    try object(facts, depth: 1)
    try tokens.requireEnd(elements.range.upperBound, isLine: elements.isLine)
  }

  var byte: UInt8 { tokens.base[tokens.index] }

  // MARK: - Objects

  func object(_ facts: ObjectFacts, depth: Int) throws(ScanFailure) {
    if depth > InputText.maximumDepth {
      throw ScanFailure(
        index: tokens.index,
        expected: "values are nested deeper than \(InputText.maximumDepth) levels",
        isMessage: true)
    }
    facts.count += 1
    tokens.index += 1
    tokens.skipSpace()
    if byte == .rightBrace {
      tokens.index += 1
      return
    }
    var last = -1
    while true {
      last = try key(facts, after: last)
      let member = facts.members[last]
      if member.lastObject == facts.count { throw duplicate(member) }
      member.lastObject = facts.count
      tokens.skipSpace()
      try value(member, depth: depth)
      tokens.skipSpace()
      let byte = byte
      tokens.index += 1
      if byte == .rightBrace { return }
      if byte != .comma {
        tokens.index -= 1
        throw tokens.unexpected("a comma or the end of the object")
      }
      tokens.skipSpace()
    }
  }

  @inline(__always)
  private func key(_ facts: ObjectFacts, after last: Int) throws(ScanFailure) -> Int {
    let next = facts.successors[last + 1]
    if next < facts.members.count {
      let member = facts.members[next]
      if isNext(member.keyBytes) {
        tokens.index += member.keyBytes.count
        return next
      }
    }
    return try otherKey(facts, after: last)
  }

  @inline(__always)
  private func isNext(_ key: [UInt8]) -> Bool {
    text.end - tokens.index > key.count && tokens.base.has(key, at: tokens.index)
  }

  @inline(never)
  private func otherKey(_ facts: ObjectFacts, after last: Int) throws(ScanFailure) -> Int {
    let start = tokens.index
    guard byte == .quote else { throw tokens.unexpected("a key in quotes") }
    let name = try tokens.string()
    tokens.skipSpace()
    guard byte == .colon else { throw tokens.unexpected("a colon") }
    tokens.index += 1
    let position: Int
    if let known = facts.position(of: name) {
      position = known
    } else {
      if facts.members.count == Self.maximumMembers {
        throw ScanFailure(
          index: start,
          expected:
            "the objects have more than \(Self.maximumMembers) different members: their keys "
            + "are data; write them as lists of objects",
          isMessage: true)
      }
      position = facts.add(name)
    }
    facts.successors[last + 1] = position
    return position
  }

  private func duplicate(_ member: MemberFacts) -> ScanFailure {
    ScanFailure(
      index: tokens.index, expected: "the key \(member.key.quotedForDisplay) occurs twice",
      isMessage: true)
  }

  // MARK: - Values

  @inline(__always)
  private func value(_ member: MemberFacts, depth: Int) throws(ScanFailure) {
    let start = tokens.index
    let kind: ValueKinds
    switch byte {
    case .quote:
      kind = .string
      try string(member)
    case .minus, 0x30...0x39: kind = try number(member)
    default: kind = try otherValue(member, depth: depth)
    }
    if kind != .null { member.values += 1 }
    add(kind, to: member, at: start)
  }

  /// Notes a kind of values, with the place of the first one.
  @inline(__always)
  private func add(_ kind: ValueKinds, to member: MemberFacts, at start: Int) {
    if member.kinds.contains(kind) { return }
    member.kinds.insert(kind)
    recordPlace(kind, of: member, at: text.position(at: start), in: text)
  }

  /// Records the place of the first value of a kind.
  func recordPlace(
    _ kind: ValueKinds, of member: MemberFacts, at position: JSONPosition, in text: InputText
  ) {
    member.places[Int(kind.rawValue)] = InferencePlace(
      input: input, file: text.name, position: position)
  }

  @inline(__always)
  private func string(_ member: MemberFacts) throws(ScanFailure) {
    tokens.side.removeAll()
    let start = tokens.index
    try tokens.string(into: 0)
    let bytes = unsafe tokens.bytes(of: tokens.values[0])
    if unsafe !isUTF8(bytes) { throw tokens.notUTF8(start) }
    if member.dates.areDates { unsafe member.dates.add(bytes) }
    if member.distinct?.outcome == .distinct {
      unsafe member.distinct?.insert(DistinctValues.hash(bytes.bytes))
    }
  }

  @inline(__always)
  private func number(_ member: MemberFacts) throws(ScanFailure) -> ValueKinds {
    guard let value = shortInteger() else {
      // Such values cannot be ids, and are not compared.
      member.isAscending = false
      member.distinct = nil
      return try longNumber(&member.numbers)
    }
    member.numbers.add(value)
    if member.isAscending {
      member.isAscending = value > member.lastInteger
      member.lastInteger = value
    }
    if member.distinct?.outcome == .distinct {
      member.distinct?.insert(DistinctValues.hash(UInt64(bitPattern: value)))
    }
    return .integer
  }

  /// An integer of at most 18 digits, which is consumed; nil for any other number, which is not.
  @inline(__always)
  func shortInteger() -> Int64? {
    var position = tokens.index
    let isNegative = tokens.base[position] == .minus
    if isNegative { position += 1 }
    let first = position
    var magnitude: Int64 = 0
    while tokens.base[position] &- 0x30 <= 9 {
      magnitude = magnitude &* 10 &+ Int64(tokens.base[position] &- 0x30)
      position += 1
    }
    let count = position - first
    let next = tokens.base[position]
    if count == 0 || count > 18 || next == 0x2E || next | 0x20 == 0x65
      || (tokens.base[first] == 0x30 && count > 1)
    {
      return nil
    }
    tokens.index = position
    return isNegative ? -magnitude : magnitude
  }

  /// Any number.
  func longNumber(_ numbers: inout NumberFacts) throws(ScanFailure) -> ValueKinds {
    let range = try tokens.number()
    let token = unsafe tokens.base[range]
    if range.count <= 16, unsafe token.contains(0x2E),
      unsafe !token.contains(where: { $0 | 0x20 == 0x65 })
    {
      unsafe numbers.add(token, digits: range.count - 1)
      return .fraction
    }
    return unsafe numbers.add(token: token) ? .integer : .fraction
  }

  private func otherValue(_ member: MemberFacts, depth: Int) throws(ScanFailure) -> ValueKinds {
    switch byte {
    case UInt8(ascii: "n"):
      try tokens.word("null")
      return .null
    case UInt8(ascii: "t"):
      try tokens.word("true")
      return .bool
    case UInt8(ascii: "f"):
      try tokens.word("false")
      return .bool
    case .leftBracket:
      // The place of a value is asked for before those in it: it would be looked for from the beginning of its line.
      add(.array, to: member, at: tokens.index)
      if readsLists, !member.isMap, member.lists.nested == nil {
        member.lists.nested = ObjectFacts(nil)
      }
      try list(&member.lists, depth: depth + 1)
      if let nested = member.lists.nested, nested.members.count > Self.maximumNestedMembers {
        member.isMap = true
        member.lists.nested = nil
      }
      return .array
    case .leftBrace:
      if let value = try tokens.extended() { return try extended(value, member) }
      add(.object, to: member, at: tokens.index)
      try nestedObject(member, depth: depth + 1)
      return .object
    default: throw tokens.unexpected("a value")
    }
  }

  /// Reads a value of extended JSON as the one that it stands for.
  private func extended(
    _ value: ExtendedJSON, _ member: MemberFacts
  ) throws(ScanFailure) -> ValueKinds {
    if case .special = value {
      (member.isAscending, member.distinct) = (false, nil)
      member.numbers.hasSpecial = true
      return .fraction
    }
    return try tokens.reading(value) { () throws(ScanFailure) in
      if byte != .quote { return try number(member) }
      try string(member)
      return .string
    }
  }

  private func nestedObject(_ member: MemberFacts, depth: Int) throws(ScanFailure) {
    if !member.hasRawForm { member.hasRawForm = beginsAsRaw() }
    if member.isMap { return try tokens.skipValue(depth: depth) }
    let nested = member.nested ?? ObjectFacts(nil)
    member.nested = nested
    try object(nested, depth: depth)
    if nested.members.count > Self.maximumNestedMembers {
      member.isMap = true
      member.nested = nil
    }
  }

  /// Whether the first key of an object is `raw`, however it is spelled.
  private func beginsAsRaw() -> Bool {
    var position = tokens.index + 1
    while tokens.base[position].isWhiteSpace || tokens.base[position] == 0x0A { position += 1 }
    if tokens.base[position] != .quote { return false }
    position += 1
    for letter in "raw".utf8 {
      if tokens.base[position] == letter {
        position += 1
        continue
      }
      // The only escape of these letters, whose numbers have no hexadecimal letters.
      for byte in "\\u00\(String(letter, radix: 16))".utf8 {
        if tokens.base[position] != byte { return false }
        position += 1
      }
    }
    return tokens.base[position] == .quote
  }
}
