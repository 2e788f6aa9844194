internal import BoxJSON

extension Value {
  /// Whether two values are the same to the bit: texts by their bytes, numbers by their bits.
  ///
  /// Of `==` this differs in -0.0, NaN and accents that are composed in one text only.
  ///
  /// - Complexity: O(*n*) in the size of the values.
  public func isIdentical(to other: Value) -> Bool {
    switch (self, other) {
    case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
    case (.strings(let a), .strings(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.hasSameBytes(as: $1) }
    case (.float(let a), .float(let b)): a.bitPattern == b.bitPattern
    case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
    case (.floats(let a), .floats(let b)): a.map(\.bitPattern) == b.map(\.bitPattern)
    case (.doubles(let a), .doubles(let b)): a.map(\.bitPattern) == b.map(\.bitPattern)
    default: self == other
    }
  }
}
