public import BoxModel

/// Makes random values of a type of property, extremes and near misses among them.
public struct ValueSamples: Sendable {
  private let type: StoredType
  private let seeds: [Value]

  /// Creates a source of values.
  ///
  /// - Parameters:
  ///   - type: The type of the values.
  ///   - seeds: Values that the converter knows; they are given as they are, and with one change.
  public init(_ type: StoredType, seeds: [Value] = []) {
    self.type = type
    self.seeds = seeds
  }

  /// A random value; one in twenty is null.
  ///
  /// - Complexity: O(*n*) in the size of the value.
  public func next(using random: inout some RandomNumberGenerator) -> Value {
    // A generator of a type that is known here costs a tenth of one that is called for each number.
    var random = SampleBits(state: random.next())
    let kind = Int.random(in: 0..<20, using: &random)
    if kind == 0 { return .null }
    if kind < 8, let seed = seeds.randomElement(using: &random) {
      return kind < 4 ? seed : changed(seed, using: &random)
    }
    return value(type, using: &random)
  }

  private func value(_ type: StoredType, using random: inout SampleBits) -> Value {
    if let element = type.element {
      let count = Int.random(in: 0..<4, using: &random)
      var values: [Value] = []
      for _ in 0..<count { values.append(value(element, using: &random)) }
      return type.vector(values) ?? .null
    }
    switch type.kind {
    case .bool: return .bool(Bool.random(using: &random))
    case .integer: return type.value(integer(type, using: &random)) ?? .null
    case .float:
      return .float(Float(bitPattern: UInt32.random(in: 0...0x7F7F_FFFF, using: &random)))
    case .double:
      return .double(
        Double(bitPattern: UInt64.random(in: 0...0x7FEF_FFFF_FFFF_FFFF, using: &random)))
    case .bytes: return .bytes(bytes(using: &random))
    default: return .string(text(using: &random))
    }
  }

  private func integer(_ type: StoredType, using random: inout SampleBits) -> Int128 {
    let range = type.range
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return range.lowerBound
    case 1: return range.upperBound
    case 2: return Int128.random(in: range, using: &random)
    case 3: return min(range.upperBound, Int128.random(in: 0...2_000_000_000_000, using: &random))
    default: return min(range.upperBound, Int128.random(in: 0...20, using: &random))
    }
  }

  private func bytes(using random: inout SampleBits) -> [UInt8] {
    let count = Bool.random(using: &random) ? 16 : Int.random(in: 0..<24, using: &random)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  /// Characters that have a meaning somewhere, and spellings that only look equal.
  private static let pieces = [
    "a", "B", "7", "0", "-", ":", ".", "/", "%", "%41", "{", "}", "[", "]", "\"", ",", " ", "\\",
    "\n", "\u{0}", "é", "e\u{301}", "ß", "\u{202E}", "😀", "null", "true", "1.0", "1e5", "T", "Z",
    "raw", "{\"raw\":1}", "[1,2]", "\u{2028}", "2024-02-29", "T12:00:00Z",
  ]

  private func text(using random: inout SampleBits) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0..<6, using: &random) {
      text += Self.pieces.randomElement(using: &random) ?? ""
    }
    return text
  }

  /// A value that is near to another one.
  private func changed(_ value: Value, using random: inout SampleBits) -> Value {
    switch value {
    case .integer, .unsigned:
      let step: Int128 = Bool.random(using: &random) ? 1 : -1
      return value.wideInteger.flatMap { type.value($0 + step) } ?? value
    case .string(let text):
      var scalars = Array(text.unicodeScalars)
      let place = Int.random(in: 0...scalars.count, using: &random)
      let piece = Self.pieces.randomElement(using: &random) ?? ""
      if place < scalars.count, Bool.random(using: &random) { scalars.remove(at: place) }
      scalars.insert(contentsOf: piece.unicodeScalars, at: min(place, scalars.count))
      var changed = ""
      changed.unicodeScalars.append(contentsOf: scalars)
      return .string(changed)
    case .bytes(var bytes):
      if bytes.isEmpty || Bool.random(using: &random) {
        bytes.append(UInt8.random(in: 0...255, using: &random))
      } else {
        bytes.removeLast()
      }
      return .bytes(bytes)
    default: return self.value(type, using: &random)
    }
  }
}

/// SplitMix64: the numbers of one sample.
private struct SampleBits: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
