/// A source of candidates for the UIDs of new elements.
///
/// A candidate may be in use: ``ModelEditor`` asks for the next one then.
package protocol UIDSource: Sendable {
  /// The next candidate.
  mutating func next() -> UID
}

/// Random UIDs as the generator for Swift makes them: multiples of 256 from 256 to 2^63 - 256.
package struct RandomUIDs<Generator: RandomNumberGenerator & Sendable>: UIDSource {
  private var generator: Generator

  /// Creates a source that draws from a generator.
  package init(_ generator: Generator) { self.generator = generator }

  package mutating func next() -> UID {
    while true {
      // Generators refuse UIDs below 256, and those with a sign.
      let uid = generator.next() & maximumUID & ~0xFF
      if uid != 0 { return uid }
    }
  }
}

extension UIDSource where Self == RandomUIDs<SystemRandomNumberGenerator> {
  /// Random UIDs of the system's generator.
  package static var random: Self { RandomUIDs(SystemRandomNumberGenerator()) }
}

/// The fixed sequence of UIDs that the generator for Swift uses in its tests: 14592, 15616, 16640 and
/// so on.
package struct SequentialUIDs: UIDSource {
  private var state: UID = 13_762

  /// Creates the sequence from its beginning.
  package init() {}

  package mutating func next() -> UID {
    // After 9 * 10^15 calls it begins again, long after any file is full.
    state = state > maximumUID - 999 ? 13_762 : state + 999
    return state & ~0xFF
  }
}

extension UIDSource where Self == SequentialUIDs {
  /// The fixed sequence, from its beginning.
  package static var sequential: Self { SequentialUIDs() }
}
