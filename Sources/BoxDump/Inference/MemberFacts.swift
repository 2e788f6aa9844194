internal import BoxConvert
internal import BoxJSON
internal import BoxModel

/// The kinds of JSON values of a member.
struct ValueKinds: OptionSet, Hashable, Sendable {
  let rawValue: UInt8
  static let null = ValueKinds(rawValue: 1)
  static let bool = ValueKinds(rawValue: 2)
  static let integer = ValueKinds(rawValue: 4)
  static let fraction = ValueKinds(rawValue: 8)
  static let string = ValueKinds(rawValue: 16)
  static let array = ValueKinds(rawValue: 32)
  static let object = ValueKinds(rawValue: 64)

  static let numbers: ValueKinds = [.integer, .fraction]

  /// Each kind, with the name of one value and of several.
  static let names: [(kind: ValueKinds, one: String, many: String)] = [
    (.null, "null", "null"), (.bool, "a boolean", "booleans"), (.integer, "an integer", "integers"),
    (.fraction, "a number with a fraction", "numbers"), (.string, "a string", "strings"),
    (.array, "a list", "lists"), (.object, "an object", "objects"),
  ]
}

/// The facts about numbers that decide about their type: of the values of a member, or of the elements
/// of its lists.
struct NumberFacts {
  var minimum = Int64.max
  var maximum = Int64.min
  /// Whether an integer exceeds the signed 64-bit range.
  var needsUnsigned = false
  /// Whether an integer does not fit into 64 bits at all.
  var exceeds64Bits = false
  /// Whether a number is another one as a double.
  var exceedsDouble = false
  /// Whether one of them is infinite, or not a number.
  var hasSpecial = false
  /// Whether a number is another one as a float.
  var exceedsFloat = false
  /// The number of fields of delimited text that are not the shortest text of their number: with a zero at the end of
  /// a fraction, an exponent, or the sign of zero.
  private(set) var unusual = 0
  /// The number of decimals of the first field with a fraction; nil without one.
  private(set) var decimals: Int?
  private var hasOtherDecimals = false
  private var hasExponent = false
  /// Whether each field with a fraction is written as a double is.
  private(set) var areAsDoubles = true

  /// Records how a field of delimited text is written that is not an integer, or is a zero with a sign.
  mutating func record(field: UnsafeBufferPointer<UInt8>) {
    let isExponential = unsafe field.contains { $0 | 0x20 == 0x65 }
    let isZero =
      unsafe field.first == .minus && field.dropFirst().allSatisfy { $0 == 0x30 || $0 == 0x2E }
    var endsInZero = false
    if isExponential {
      hasExponent = true
    } else if let point = unsafe field.firstIndex(of: 0x2E) {
      let count = field.count - point - 1
      if let decimals, decimals != count { hasOtherDecimals = true }
      decimals = decimals ?? count
      endsInZero = unsafe field.last == 0x30
    } else {
      hasOtherDecimals = true
    }
    let isUnusual = isExponential || endsInZero || isZero
    if isUnusual { unusual += 1 }
    // From 0.0001 on, a double preserves fifteen digits.
    let isShort =
      unsafe field.count <= 16 && !field.starts(with: "0.000".utf8)
      && !field.starts(with: "-0.000".utf8)
    if areAsDoubles, isUnusual || !isShort {
      let text = unsafe String(decoding: field, as: UTF8.self)
      areAsDoubles = Double(text).map { "\($0)" == text } ?? false
    }
  }

  /// Whether two different fields can be one number.
  func areAmbiguous(_ kinds: ValueKinds) -> Bool {
    if unusual == 0 { return false }
    if kinds.contains(.integer) { return true }
    return !areAsDoubles && (hasExponent || hasOtherDecimals)
  }

  mutating func add(_ value: Int64) {
    if value < minimum { minimum = value }
    if value > maximum { maximum = value }
    // From there on not all integers are floats, or written with their own digits.
    if value.magnitude > 1 << 24, !exceedsFloat || value.magnitude > 1 << 53 && !exceedsDouble {
      checkPrecision(String(value))
    }
  }

  /// Adds a number that is not an integer of at most 18 digits.
  ///
  /// - Returns: Whether it is written as an integer.
  mutating func add(token: UnsafeBufferPointer<UInt8>) -> Bool {
    let text = unsafe String(decoding: token, as: UTF8.self)
    if unsafe token.contains(where: { $0 == 0x2E || $0 | 0x20 == 0x65 }) {
      checkPrecision(text)
      return false
    }
    if let value = Int64(text) {
      add(value)
    } else {
      if UInt64(text) != nil { needsUnsigned = true } else { exceeds64Bits = true }
      checkPrecision(text)
    }
    return true
  }

  /// Adds a number with a fraction of at most 15 digits, and without an exponent.
  mutating func add(_ token: UnsafeBufferPointer<UInt8>, digits: Int) {
    // A float distinguishes all decimals of six digits, a double of 15.
    if digits > 6, !exceedsFloat { unsafe checkPrecision(String(decoding: token, as: UTF8.self)) }
  }

  private mutating func checkPrecision(_ text: String) {
    let exact = JSONDecimal(text)
    if !exceedsDouble {
      let double = Double(text) ?? .infinity
      if !double.isFinite || JSONDecimal(double.description) != exact { exceedsDouble = true }
    }
    if !exceedsFloat {
      let float = Float(text) ?? .infinity
      if !float.isFinite || JSONDecimal(float.description) != exact { exceedsFloat = true }
    }
  }
}

/// Everything that was seen of a member of objects.
final class MemberFacts {
  let key: String
  /// The key with both quotes and a colon.
  let keyBytes: [UInt8]
  /// The number of the object that had the member last, to find a key that occurs twice.
  @safe @exclusivity(unchecked) var lastObject = 0
  /// The number of values that are not null.
  @safe @exclusivity(unchecked) var values = 0
  @safe @exclusivity(unchecked) var kinds: ValueKinds = []
  /// The place of the first value of each kind, in the order of the kinds.
  @safe @exclusivity(unchecked) var places: [Int: InferencePlace] = [:]
  @safe @exclusivity(unchecked) var numbers = NumberFacts()
  @safe @exclusivity(unchecked) var dates = DateFacts()
  @safe @exclusivity(unchecked) var lists = ListFacts()
  /// The members of its objects; nil for one that has no objects, or too many different members.
  @safe @exclusivity(unchecked) var nested: ObjectFacts?
  /// Whether its objects have too many different keys for these to be names rather than values.
  @safe @exclusivity(unchecked) var isMap = false
  /// Whether an object may look like the form of a value that a converter does not know.
  @safe @exclusivity(unchecked) var hasRawForm = false
  /// Whether it is a column of delimited text, whose values are texts where nothing else fits.
  @safe @exclusivity(unchecked) var isDelimited = false
  /// The kinds of numbers and booleans in quotes, of the file that is read.
  @safe @exclusivity(unchecked) var quotedKinds: ValueKinds = []
  /// Whether each integer is greater than the one before.
  @safe @exclusivity(unchecked) var isAscending = true
  @safe @exclusivity(unchecked) var lastInteger = Int64.min
  /// Whether all values so far differ; nil once that does not matter.
  @safe @exclusivity(unchecked) var distinct: DistinctValues?

  init(_ key: String, _ budget: DistinctValues.Budget?) {
    self.key = key
    keyBytes = Array((JSONValue.string(key).text(indent: 0) + ":").utf8)
    distinct = budget.map { DistinctValues($0) }
  }

  /// Whether it is certain that no value occurs twice.
  var isDistinct: Bool {
    guard values > 1 else { return false }
    if kinds.subtracting(.null) == .integer, isAscending { return true }
    return distinction == .distinct
  }

  /// The result of comparing all values so far; nil if they are not compared.
  var distinction: DistinctValues.Outcome? {
    distinct?.compare()
    return distinct?.outcome
  }

  /// The kinds without null.
  var valueKinds: ValueKinds { kinds.subtracting(.null) }

  /// The place of the first value.
  var firstPlace: InferencePlace? {
    valueKinds.isEmpty
      ? places[Int(ValueKinds.null.rawValue)]
      : places.filter { $0.key != Int(ValueKinds.null.rawValue) }.values.min()
  }

  /// The place of the first value of a kind.
  func place(of kind: ValueKinds) -> InferencePlace? { places[Int(kind.rawValue)] }
}

/// The facts about the texts of a member that decide whether they are dates.
struct DateFacts {
  /// Whether all texts so far are times in UTC, or dates.
  var areDates = true
  /// The text that is a time with an offset from UTC, if one is.
  var hasOffset = false
  var hasTime = false
  /// The number of digits of the longest fraction.
  var digits = 0
  /// Whether nanoseconds in 64 bits cannot have a time.
  var exceedsNanoseconds = false

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 10, bytes.count <= 40, unsafe bytes[4] == UInt8(ascii: "-") else {
      areDates = false
      return
    }
    guard let moment = unsafe ISO8601.moment(bytes.bindMemory(to: UInt8.self)) else {
      areDates = false
      return
    }
    if Int64(exactly: Int128(moment.seconds) * 1_000_000_000 + Int128(moment.nanoseconds)) == nil {
      exceedsNanoseconds = true
    }
    if bytes.count == 10 { return }
    hasTime = true
    let zone = unsafe bytes.suffix(6)
    let isUTC =
      unsafe bytes[bytes.count - 1] | 0x20 == UInt8(ascii: "z")
      || zone.elementsEqual("+00:00".utf8) || zone.elementsEqual("-00:00".utf8)
    if !isUTC {
      hasOffset = true
      areDates = false
      return
    }
    if bytes.count > 20, unsafe bytes[19] == UInt8(ascii: ".") {
      digits = unsafe max(digits, bytes[20...].prefix { $0 &- 0x30 <= 9 }.count)
    }
  }
}

/// Everything that was seen of the elements of a member's lists.
struct ListFacts {
  var kinds: ValueKinds = []
  var numbers = NumberFacts()
  var minimumCount = Int.max
  var maximumCount = 0
  /// The members of the objects in the lists, if these are to be entities.
  var nested: ObjectFacts?
}

/// Everything that was seen of some objects.
final class ObjectFacts {
  @safe @exclusivity(unchecked) var count = 0
  /// The number of damaged objects that were skipped, of which nothing else is a fact.
  var skipped = 0
  @safe @exclusivity(unchecked) var members: [MemberFacts] = []
  /// The notes about columns that are called other than in their file.
  var columnNotes: [(name: String?, message: String, place: InferencePlace)] = []
  /// The notes about the files that the objects are in.
  var inputNotes: [InferredModel.Note] = []
  /// The member that followed another the last time; the first of them follows the beginning.
  @safe @exclusivity(unchecked) var successors: [Int] = [0]
  private var positions: [ExactText: Int] = [:]
  /// The values that are compared; nil for nested objects, whose values are not.
  private let budget: DistinctValues.Budget?

  init(_ budget: DistinctValues.Budget?) { self.budget = budget }

  func position(of key: String) -> Int? { positions[ExactText(key)] }

  /// Adds a member that was not seen before.
  func add(_ key: String) -> Int {
    positions[ExactText(key)] = members.count
    members.append(MemberFacts(key, budget))
    successors.append(members.count)
    return members.count - 1
  }
}
