#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A small generator of random numbers that gives the same sequence for the same seed everywhere.
///
/// Its own `below`, `chance` and `pick` do not depend on how the standard library draws numbers.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates the generator of a seed.
  public init(seed: UInt64) { state = seed }

  /// The next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// A number from 0 up to a limit, which is not included; 0 if the limit is not positive.
  public mutating func below(_ limit: Int) -> Int {
    limit > 0 ? Int(next().multipliedFullWidth(by: UInt64(limit)).high) : 0
  }

  /// Whether an event happens that happens in one of so many cases.
  public mutating func oneIn(_ cases: Int) -> Bool { below(cases) == 0 }

  /// An element, all of them equally likely; the collection must not be empty.
  public mutating func pick<C: RandomAccessCollection>(_ elements: C) -> C.Element {
    elements[elements.index(elements.startIndex, offsetBy: below(elements.count))]
  }

  /// The elements in a random order.
  public mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var result = elements
    for k in result.indices.dropFirst() { result.swapAt(k, below(k + 1)) }
    return result
  }
}

/// The seed of a test that generates its input.
public enum TestSeed {
  /// A generator with the seed of a test, which is printed.
  public static func next(_ test: String = #function) -> SplitMix64 {
    SplitMix64(seed: value(test))
  }

  /// The seed of a test, which is printed: the one in `BOXJOINT_SEED`, a fresh one where that says
  /// `random`, or else one that is always the same for a test of that name, so that a normal run
  /// gives today what it gave yesterday.
  ///
  /// Seeds are read and printed in hexadecimal with `0x`, and read in decimal too.
  public static func value(_ test: String = #function) -> UInt64 {
    let seed = number("BOXJOINT_SEED") ?? (isRandom ? UInt64.random(in: .min ... .max) : hash(test))
    print("\(test): BOXJOINT_SEED=0x\(String(seed, radix: 16))")
    return seed
  }

  private static var isRandom: Bool {
    getenv("BOXJOINT_SEED").map { String(cString: $0) } == "random"
  }

  /// FNV-1a of 64 bits.
  private static func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  /// The number of cases to generate: from the environment, or the default of a normal run.
  public static func count(_ variable: String, default count: Int) -> Int {
    number(variable).flatMap { Int(exactly: $0) } ?? count
  }

  private static func number(_ variable: String) -> UInt64? {
    guard let value = getenv(variable) else { return nil }
    let text = String(cString: value)
    return text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
  }
}
