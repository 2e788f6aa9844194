/// A test of a string by its UTF-8 bytes, or of bytes.
struct BytesTest: Sendable {
  enum Kind: Sendable {
    case compare(Condition.Comparison)
    case match(Condition.Match)
    case between(upper: [UInt8])
    case isOneOf(Set<[UInt8]>)
  }

  let kind: Kind
  /// The bytes to compare with, folded if case is ignored.
  let other: [UInt8]
  let ignoresCase: Bool

  init(_ kind: Kind, _ other: [UInt8] = [], ignoringCase: Bool) {
    self.kind = kind
    self.other = ignoringCase ? CaseFolding.fold(other) : other
    ignoresCase = ignoringCase
  }

  init(between low: [UInt8], and high: [UInt8], ignoringCase: Bool) {
    let upper = ignoringCase ? CaseFolding.fold(high) : high
    self.init(.between(upper: upper), low, ignoringCase: ignoringCase)
  }

  init(oneOf values: [[UInt8]], ignoringCase: Bool) {
    let values = ignoringCase ? values.map(CaseFolding.fold) : values
    self.init(.isOneOf(Set(values)), ignoringCase: ignoringCase)
  }
}

extension Condition.Comparison {
  /// Whether it holds of a value that is less than the other, equal or greater: below, at or above 0.
  @inline(__always)
  func holds(order: Int) -> Bool {
    switch self {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }
}
