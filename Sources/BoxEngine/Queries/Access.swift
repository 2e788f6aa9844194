/// A way to the ids of objects that can fulfil a part of a condition, without a look at the objects.
indirect enum Access: Sendable {
  /// Objects by their ids, in ascending order.
  case ids([UInt64])
  case idRange(ClosedRange<UInt64>)
  /// Entries of an index under some keys.
  case equal(IndexSchema, [IndexKey])
  /// Entries of an index with integer keys from one key through another.
  case range(IndexSchema, ClosedRange<UInt64>)
  /// Entries of an index with keys of bytes.
  case textRange(IndexSchema, TextRange)
  /// The ids of the set of a number.
  case set(Int)
  /// Entries of the index of a to-one relation, for the targets in the set of a number.
  case targets(IndexSchema, Int)
  /// The union of several ways.
  case union([AccessCandidate])
}

extension Access {
  /// Whether the way leads through a set of ids of the condition.
  var needsSets: Bool {
    switch self {
    case .set, .targets: true
    case .union(let candidates): candidates.contains { $0.access.needsSets }
    case .ids, .idRange, .equal, .range, .textRange: false
    }
  }
}

/// Keys of bytes from one on, up to another.
struct TextRange: Sendable {
  /// The upper end of a range.
  enum End: Sendable {
    case open
    /// Keys below this one.
    case below([UInt8])
    /// Keys up to and including this one.
    case through([UInt8])
    /// Keys that begin so.
    case prefix([UInt8])
  }

  var start: [UInt8]
  var end: End

  func contains(_ key: UnsafeRawBufferPointer) -> Bool {
    switch end {
    case .open: return true
    case .below(let limit): return unsafe Self.compare(key, limit) < 0
    case .through(let limit): return unsafe Self.compare(key, limit) <= 0
    case .prefix(let prefix): return unsafe key.starts(with: prefix)
    }
  }

  private static func compare(_ key: UnsafeRawBufferPointer, _ limit: [UInt8]) -> Int {
    unsafe limit.withUnsafeBufferPointer { limit in
      unsafe ByteOrder.compare(key.assumingMemoryBound(to: UInt8.self), limit)
    }
  }
}

/// A way to objects, and whether it finds exactly the objects that fulfil the part.
struct AccessCandidate: Sendable {
  var access: Access
  var isExact: Bool
}

/// Finds the ways to the objects that pass a test of a condition.
struct AccessFinder {
  let entity: EntitySchema

  /// The way for a test of a field; nil if only a look at every object tells.
  func candidate(_ test: FieldTest) -> AccessCandidate? {
    let field = test.field
    if test.isOfElement { return nil }
    switch test.kind {
    case .isNull: return nil
    case .unsigned(let test) where field.slot < 0: return byID(test)
    case .isIn(let number): return inSet(field, number)
    case .signed(let test): return byIndex(field, test) { OrderedKey.of($0) }
    case .unsigned(let test): return byIndex(field, test) { $0 }
    case .number(let test): return byIndex(field, test)
    case .bytes(let test): return byIndex(field, test)
    }
  }

  private func index(_ field: RecordField) -> IndexSchema? {
    entity.properties[field.position].index
  }

  // MARK: - Ids

  private func byID(_ test: IntegerTest<UInt64>) -> AccessCandidate? {
    switch test {
    case .never: AccessCandidate(access: .ids([]), isExact: true)
    case .isIn(let range) where range.lowerBound == range.upperBound:
      AccessCandidate(access: .ids([range.lowerBound]), isExact: false)
    case .isIn(let range): AccessCandidate(access: .idRange(range), isExact: true)
    case .isOneOf(let ids): AccessCandidate(access: .ids(ids), isExact: false)
    case .isNot, .any: nil
    }
  }

  private func inSet(_ field: RecordField, _ number: Int) -> AccessCandidate? {
    // A to-one relation can hold the id of an object that was removed.
    if field.slot < 0 { return AccessCandidate(access: .set(number), isExact: false) }
    guard let index = index(field) else { return nil }
    return AccessCandidate(access: .targets(index, number), isExact: true)
  }

  // MARK: - Numbers

  private func byIndex<Number: FixedWidthInteger>(
    _ field: RecordField, _ test: IntegerTest<Number>, _ key: (Number) -> UInt64
  ) -> AccessCandidate? {
    guard let index = index(field) else { return nil }
    switch test {
    case .never: return AccessCandidate(access: .ids([]), isExact: true)
    case .isIn(let range):
      if index.skipsZero && range.contains(0) { return nil }
      let (low, high) = (key(range.lowerBound), key(range.upperBound))
      return low == high ? equal(index, [low]) : exact(.range(index, low...high))
    case .isOneOf(let values):
      if index.skipsZero && values.contains(0) { return nil }
      return equal(index, values.map(key))
    case .isNot, .any: return nil
    }
  }

  private func equal(_ index: IndexSchema, _ keys: [UInt64]) -> AccessCandidate {
    exact(.equal(index, keys.map { .integer($0) }))
  }

  private func exact(_ access: Access) -> AccessCandidate {
    AccessCandidate(access: access, isExact: true)
  }

  private func byIndex(
    _ field: RecordField, _ test: NumberTest
  ) -> AccessCandidate? {
    guard let index = index(field), let ranges = Self.ranges(test) else { return nil }
    let zero = OrderedKey.of(0.0)
    if index.skipsZero && ranges.contains(where: { $0.contains(zero) }) { return nil }
    if ranges.allSatisfy({ $0.lowerBound == $0.upperBound }) {
      return equal(index, Set(ranges.map(\.lowerBound)).sorted())
    }
    let candidates = ranges.map { exact(.range(index, $0)) }
    return candidates.count == 1 ? candidates[0] : exact(.union(candidates))
  }

  /// The keys of the numbers that pass a test; nil where they are not a few ranges.
  private static func ranges(_ test: NumberTest) -> [ClosedRange<UInt64>]? {
    let (least, greatest) = (OrderedKey.of(-.infinity), OrderedKey.of(.infinity))
    func range(_ low: UInt64, _ high: UInt64) -> [ClosedRange<UInt64>] {
      low <= high ? [low...high] : []
    }
    switch test {
    case .compare(let comparison, let value):
      let key = OrderedKey.of(value)
      switch comparison {
      case .equal: return [key...key]
      case .notEqual: return nil
      // NaN is above all others as a key, and neither less nor greater than any as a value.
      case .less: return value.isNaN ? [] : range(least, key - 1)
      case .lessOrEqual: return value.isNaN ? [key...key] : range(least, key)
      case .greater: return value.isNaN ? [] : range(key + 1, greatest)
      case .greaterOrEqual: return value.isNaN ? [key...key] : range(key, greatest)
      }
    case .between(let low, let high):
      if low.isNaN || high.isNaN { return [] }
      return range(OrderedKey.of(low), OrderedKey.of(high))
    case .isOneOf(let values):
      return values.map { OrderedKey.of($0) }.map { $0...$0 }
    }
  }

  // MARK: - Strings

  private func byIndex(
    _ field: RecordField, _ test: BytesTest
  ) -> AccessCandidate? {
    guard !test.ignoresCase, let index = index(field), index.type == .string else { return nil }
    switch test.kind {
    case .compare(.equal): return equal(index, texts: [test.other])
    case .isOneOf(let values):
      return equal(index, texts: values.sorted { $0.lexicographicallyPrecedes($1) })
    default: return index.hasByteKeys ? range(index, test) : nil
    }
  }

  private func equal(_ index: IndexSchema, texts: [[UInt8]]) -> AccessCandidate {
    var keys: [IndexKey] = []
    for text in texts {
      let key = index.key(text: text)
      if !keys.contains(key) { keys.append(key) }
    }
    return AccessCandidate(
      access: .equal(index, keys),
      isExact: index.hasByteKeys && texts.allSatisfy { $0.count < IndexSchema.maximumKeyBytes })
  }

  /// The range of strings that pass a test; a limit that is longer than a key is not exact.
  private func range(_ index: IndexSchema, _ test: BytesTest) -> AccessCandidate? {
    func key(_ text: [UInt8]) -> [UInt8] {
      [IndexSchema.keyMark] + text.prefix(IndexSchema.maximumKeyBytes)
    }
    let (text, limit) = (test.other, key(test.other))
    var isExact = text.count < IndexSchema.maximumKeyBytes
    let range: TextRange
    switch test.kind {
    case .compare(.less):
      range = TextRange(
        start: [IndexSchema.keyMark], end: isExact ? .below(limit) : .through(limit))
    case .compare(.lessOrEqual):
      range = TextRange(start: [IndexSchema.keyMark], end: .through(limit))
    case .compare(.greater):
      range = TextRange(start: isExact ? limit + [0] : limit, end: .open)
    case .compare(.greaterOrEqual): range = TextRange(start: limit, end: .open)
    case .between(let upper):
      isExact = isExact && upper.count < IndexSchema.maximumKeyBytes
      range = TextRange(start: limit, end: .through(key(upper)))
    case .match(.startsWith):
      isExact = text.count <= IndexSchema.maximumKeyBytes
      range = TextRange(start: limit, end: .prefix(limit))
    default: return nil
    }
    return AccessCandidate(access: .textRange(index, range), isExact: isExact)
  }
}

extension AccessCandidate {
  /// The way of an "or", which needs one for each of its parts.
  static func any(of parts: [AccessCandidate?]) -> AccessCandidate? {
    let candidates = parts.compactMap { $0 }
    if candidates.count < parts.count { return nil }
    return AccessCandidate(access: .union(candidates), isExact: candidates.allSatisfy(\.isExact))
  }

  /// The way of an "and" that is not the whole condition: the best of its parts, which finds other objects
  /// too.
  static func all(of parts: [AccessCandidate?]) -> AccessCandidate? {
    if parts.count == 1 { return parts[0] }
    let best = parts.lazy.compactMap { $0 }.min { $0.rank < $1.rank }
    return best.map { AccessCandidate(access: $0.access, isExact: false) }
  }

  /// The place among other ways of one kind each, the most selective first, where nothing is counted.
  fileprivate var rank: Int {
    switch access {
    case .ids: 0
    case .equal(let index, _): index.isUnique ? 1 : 2
    case .set, .targets: 3
    case .textRange, .range: 4
    case .union: 5
    case .idRange: 6
    }
  }
}
