internal import BoxModel
internal import BoxStorage

/// The keys of objects by which they are sorted: bytes whose order is the order that is asked for.
///
/// A key has a group (objects without a value of the first property come before or after all others), a
/// prefix of 64 bits, and a rest of bytes that decides where prefixes are equal. Then the id decides.
struct SortKey: Hashable, Sendable {
  /// 0 for nulls that come first, 1 for values, 2 for nulls that come last.
  var group: UInt8 = 1
  var prefix: UInt64 = 0
  var rest: [UInt8] = []
  var id: UInt64 = 0

  static func < (a: SortKey, b: SortKey) -> Bool {
    if a.group != b.group { return a.group < b.group }
    if a.prefix != b.prefix { return a.prefix < b.prefix }
    let order = unsafe a.rest.withUnsafeBufferPointer { a in
      unsafe b.rest.withUnsafeBufferPointer { unsafe ByteOrder.compare(a, $0) }
    }
    return order != 0 ? order < 0 : a.id < b.id
  }

  // MARK: - The rest

  /// Appends a null, unless it is taken for zero; returns whether it did.
  mutating func appendNull(_ rule: SortRule) -> Bool {
    guard let first = rule.nullsFirst else { return false }
    rest.append(first ? 0 : 2)
    return true
  }

  /// Appends a number in the order of unsigned integers.
  mutating func append(_ number: UInt64, _ rule: SortRule) {
    rest.append(1)
    appendBytes(of: number, rule)
  }

  /// Appends an integer of 128 bits.
  mutating func append(_ number: Int128, _ rule: SortRule) {
    rest.append(1)
    appendBytes(of: UInt64(truncatingIfNeeded: number >> 64) ^ 1 << 63, rule)
    appendBytes(of: UInt64(truncatingIfNeeded: number), rule)
  }

  private mutating func appendBytes(of number: UInt64, _ rule: SortRule) {
    let number = number ^ (rule.isDescending ? .max : 0)
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      rest.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  /// Appends a text, folded if case is ignored.
  mutating func append(_ text: UnsafeBufferPointer<UInt8>, _ rule: SortRule) {
    rest.append(1)
    unsafe appendBytes(of: text, rule)
  }

  /// Appends what a prefix of eight bytes leaves open: their number up to eight, and the others.
  mutating func appendTail(of text: UnsafeBufferPointer<UInt8>, _ rule: SortRule) {
    rest.append(UInt8(min(text.count, 9)) ^ rule.mask)
    if text.count > 8 { unsafe appendBytes(of: UnsafeBufferPointer(rebasing: text[8...]), rule) }
  }

  /// Appends bytes with an end that comes before every byte, so that others can follow it.
  private mutating func appendBytes(of text: UnsafeBufferPointer<UInt8>, _ rule: SortRule) {
    let mask = rule.mask
    for index in text.indices {
      let byte = unsafe text[index]
      rest.append(byte ^ mask)
      if byte == 0 { rest.append(0xFF ^ mask) }
    }
    rest.append(mask)
    rest.append(mask)
  }
}

extension SortKey {
  /// The text of the first term; nil if it has none.
  func text(_ rule: SortRule) -> [UInt8]? {
    guard group == 1, let first = rest.first else { return nil }
    let (mask, count) = (rule.mask, Int(first ^ rule.mask))
    let head = rule.isDescending ? ~prefix : prefix
    var text = (0..<min(count, 8)).map { UInt8(truncatingIfNeeded: head >> UInt64(56 - 8 * $0)) }
    if count <= 8 { return text }
    var position = 1
    while position + 1 < rest.count {
      let byte = rest[position] ^ mask
      text.append(byte)
      position += 1
      if byte != 0 { continue }
      // Another byte follows a zero that is not the end.
      if rest[position] == mask { return Array(text.dropLast()) }
      position += 1
    }
    return nil
  }

  /// The sign says which group and prefix come first; 0 if the rest or the id decides.
  @inline(__always)
  fileprivate func compareStart(_ other: SortKey) -> Int {
    if group != other.group { return group < other.group ? -1 : 1 }
    return prefix == other.prefix ? 0 : prefix < other.prefix ? -1 : 1
  }
}

/// A part of an order: its keys from one on, in one of both directions.
struct KeyWindow: Hashable, Sendable {
  /// The key after which it begins; nil for the first one.
  var start: SortKey?
  /// Whether the keys are read from the last one on.
  var isReversed = false

  /// Whether a key comes before another one in the direction of the window.
  @inline(__always)
  func isOrdered(_ a: SortKey, _ b: SortKey) -> Bool { isReversed ? b < a : a < b }

  /// Whether a key comes before another one by its group and prefix alone.
  @inline(__always)
  fileprivate func startsEarlier(_ a: SortKey, _ b: SortKey) -> Bool {
    a.compareStart(b) == (isReversed ? 1 : -1)
  }

  /// Whether a key comes before the window by its group and prefix alone.
  @inline(__always)
  fileprivate func startsBehind(_ key: SortKey) -> Bool {
    start?.compareStart(key) == (isReversed ? -1 : 1)
  }

  /// Whether a key is in the window.
  func contains(_ key: SortKey) -> Bool { start.map { isOrdered($0, key) } ?? true }

  /// The ids that are in the window where they are the order; nil for none.
  ///
  /// - Parameter direction: The direction in which the ids are read.
  /// - Returns: The lowest and the highest id.
  func ids(_ direction: VisitDirection) -> ClosedRange<UInt64>? {
    guard let id = start?.id else { return 0...UInt64.max }
    if direction == .forward { return id == .max ? nil : id + 1...UInt64.max }
    return id == 0 ? nil : 0...id - 1
  }
}

extension SortRule {
  /// The bits that turn round the order of bytes.
  fileprivate var mask: UInt8 { isDescending ? 0xFF : 0 }
}

/// Makes the keys of records.
struct SortKeyMaker {
  private let terms: [SortTerm]
  private let folded = FoldedText()

  init(_ terms: [SortTerm]) { self.terms = terms }

  /// Makes the key of a record in place, so that its memory is used again.
  ///
  /// - Complexity: O(*n*) in the bytes of the strings that it looks at.
  func make(_ key: inout SortKey, _ id: UInt64, _ record: borrowing RecordView) {
    makeStart(&key, id, record)
    makeRest(&key, record)
  }

  /// Makes the group and the prefix of the key of a record.
  @inline(__always)
  func makeStart(_ key: inout SortKey, _ id: UInt64, _ record: borrowing RecordView) {
    let term = terms[0]
    key.id = id
    key.group = 1
    let isNull = term.field.slot >= 0 && record.isNull(term.field.slot)
    if isNull, let first = term.rule.nullsFirst {
      key.group = first ? 0 : 2
      key.prefix = 0
      return
    }
    let prefix: UInt64
    if term.field.type.elementWidth > 0 {
      prefix = unsafe Self.prefix(text(term, record))
    } else {
      prefix = Self.number(term, id, record)
    }
    key.prefix = term.rule.isDescending ? ~prefix : prefix
  }

  /// Makes what decides where groups and prefixes are equal.
  func makeRest(_ key: inout SortKey, _ record: borrowing RecordView) {
    key.rest.removeAll(keepingCapacity: true)
    let first = terms[0]
    if key.group == 1, first.field.type.elementWidth > 0 {
      unsafe key.appendTail(of: text(first, record), first.rule)
    }
    for term in terms.dropFirst() { append(term, record, to: &key) }
  }

  private func text(
    _ term: SortTerm, _ record: borrowing RecordView
  ) -> UnsafeBufferPointer<UInt8> {
    let bytes = unsafe record.elements(term.field.slot).assumingMemoryBound(to: UInt8.self)
    return unsafe term.rule.ignoresCase ? folded.fold(bytes) : bytes
  }

  /// The first eight bytes, the first one the highest.
  private static func prefix(_ text: UnsafeBufferPointer<UInt8>) -> UInt64 {
    if text.count >= 8, let start = text.baseAddress {
      return unsafe UInt64(bigEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt64.self))
    }
    var prefix: UInt64 = 0
    for index in text.indices { unsafe prefix |= UInt64(text[index]) << UInt64(56 - 8 * index) }
    return prefix
  }

  /// A number in the order of unsigned integers; null as zero.
  @inline(__always)
  private static func number(
    _ term: SortTerm, _ id: UInt64, _ record: borrowing RecordView
  ) -> UInt64 {
    let slot = term.field.slot
    if slot < 0 { return id }
    let isNull = record.isNull(slot)
    switch term.domain {
    case .signed:
      let value = isNull ? 0 : record.signedBits(slot, term.field.type)
      return term.takesBitsAsUnsigned ? UInt64(bitPattern: value) : OrderedKey.of(value)
    case .number:
      return OrderedKey.of(isNull ? 0 : record.number(slot, term.field.type))
    default: return isNull ? 0 : record.unsignedBits(slot, term.field.type)
    }
  }

  /// Appends the key of a term after the first one.
  private func append(
    _ term: SortTerm, _ record: borrowing RecordView, to key: inout SortKey
  ) {
    let isNull = term.field.slot >= 0 && record.isNull(term.field.slot)
    if isNull, key.appendNull(term.rule) { return }
    if term.field.type.elementWidth > 0 {
      unsafe key.append(text(term, record), term.rule)
    } else {
      key.append(Self.number(term, key.id, record), term.rule)
    }
  }
}

/// The ids of the first objects of an order, as many as are asked for.
///
/// A bounded heap of keys, the last one at its top: one comparison with it excludes most objects.
struct FirstInOrder {
  private let capacity: Int
  private let maker: SortKeyMaker
  private let window: KeyWindow
  private var heap: [SortKey] = []
  private var candidate = SortKey()

  init(_ capacity: Int, _ maker: SortKeyMaker, in window: KeyWindow) {
    self.capacity = capacity
    self.maker = maker
    self.window = window
  }

  /// Adds an object.
  ///
  /// - Complexity: O(log *k*) for *k* objects that are asked for.
  mutating func add(_ id: UInt64, _ record: borrowing RecordView) {
    if capacity == 0 { return }
    maker.makeStart(&candidate, id, record)
    if heap.count == capacity, window.startsEarlier(heap[0], candidate) { return }
    if window.startsBehind(candidate) { return }
    maker.makeRest(&candidate, record)
    if !window.contains(candidate) { return }
    if heap.count < capacity {
      heap.append(candidate)
      siftUp(heap.count - 1)
    } else if window.isOrdered(candidate, heap[0]) {
      heap[0] = candidate
      siftDown()
    }
  }

  private mutating func siftUp(_ start: Int) {
    var index = start
    while index > 0, window.isOrdered(heap[(index - 1) / 2], heap[index]) {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func siftDown() {
    var index = 0
    while true {
      var last = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < heap.count && window.isOrdered(heap[last], heap[child]) {
        last = child
      }
      if last == index { return }
      heap.swapAt(index, last)
      index = last
    }
  }

  /// The ids in order.
  consuming func ids() -> [UInt64] {
    let window = window
    return heap.sorted { window.isOrdered($0, $1) }.map(\.id)
  }
}

/// The ids of all objects, sorted: 32 bytes for each, and what its text has beyond eight bytes.
struct SortedByKey {
  private struct Entry {
    var prefix: UInt64
    var id: UInt64
    var start: Int
    var count: UInt32
    var group: UInt8
  }

  private let maker: SortKeyMaker
  private let window: KeyWindow
  private var entries: [Entry] = []
  private var rests: [UInt8] = []
  private var key = SortKey()

  init(_ maker: SortKeyMaker, in window: KeyWindow) {
    self.maker = maker
    self.window = window
  }

  /// Adds an object.
  mutating func add(_ id: UInt64, _ record: borrowing RecordView) {
    maker.make(&key, id, record)
    if !window.contains(key) { return }
    entries.append(
      Entry(
        prefix: key.prefix, id: id, start: rests.count, count: UInt32(key.rest.count),
        group: key.group))
    rests += key.rest
  }

  /// The ids in order.
  ///
  /// - Complexity: O(*n* log *n*).
  consuming func ids() -> [UInt64] {
    var entries = entries
    unsafe rests.withUnsafeBufferPointer { rests in
      entries.sort { a, b in
        if a.group != b.group { return a.group < b.group }
        if a.prefix != b.prefix { return a.prefix < b.prefix }
        let order = unsafe ByteOrder.compare(
          UnsafeBufferPointer(rebasing: rests[a.start..<a.start + Int(a.count)]),
          UnsafeBufferPointer(rebasing: rests[b.start..<b.start + Int(b.count)]))
        return order != 0 ? order < 0 : a.id < b.id
      }
    }
    let ids = entries.map(\.id)
    return window.isReversed ? ids.reversed() : ids
  }
}
