public import Testing

/// The promises of `docs/promises.md` that a test holds, by their numbers.
///
/// `scripts/documentation promises` writes the tests of each promise into the page.
public struct PromiseTrait: TestTrait {
  /// The numbers of the promises.
  public let numbers: [Int]
}

extension Trait where Self == PromiseTrait {
  /// Names the promises of `docs/promises.md` that the test holds.
  public static func promise(_ numbers: Int...) -> Self { Self(numbers: numbers) }
}
