import BoxModel
import TestSupport
import Testing

@testable import BoxBrowse

/// The line of a vector: 96 wide and 16 high, with a margin of 1 above and below.
struct SparklineTests {
  /// The points of a path.
  private static func points(_ path: String) -> [(x: Int, y: Int)] {
    path.split(whereSeparator: { "ML".contains($0) }).map { part in
      let numbers = part.split(separator: " ").compactMap { Int($0) }
      return (numbers[0], numbers[1])
    }
  }

  /// Five numbers in equal steps are a straight line from the lower left to the upper right.
  @Test func equalStepsAreAStraightLine() {
    #expect(Sparkline([0, 1, 2, 3, 4])?.path == "M0 15L24 12L48 8L72 5L96 1")
    #expect(Sparkline([7, 7])?.path == "M0 8L96 8")
  }

  @Test func numbersThatAreNotFiniteAreLeftOut() {
    #expect(Sparkline([.nan, .infinity, 3]) == nil)
    #expect(Sparkline([]) == nil)
    let path = Sparkline([1, .nan, 3])?.path
    #expect(path == "M0 15L96 1")
  }

  /// The highest number is at the top and the lowest at the bottom, wherever they are, and nothing is outside.
  @Test func theLineFillsItsBox() throws {
    var random = TestSeed.next()
    for _ in 0..<2000 {
      let count = 2 + random.below(32)
      let scale = random.pick([1.0, 1e-300, 1e300, .greatestFiniteMagnitude])
      let numbers = (0..<count).map { _ in (Double(random.below(2001)) / 1000 - 1) * scale }
      let path = try #require(Sparkline(numbers)).path
      let points = Self.points(path)
      #expect(points.count == count)
      #expect(points.first?.x == 0 && points.last?.x == 96)
      #expect(points.allSatisfy { (1...15).contains($0.y) })
      #expect(zip(points, points.dropFirst()).allSatisfy { $0.x < $1.x })
      if let lowest = numbers.min(), let highest = numbers.max(), lowest < highest {
        #expect(numbers.firstIndex(of: highest).map { points[$0].y } == 1)
        #expect(numbers.firstIndex(of: lowest).map { points[$0].y } == 15)
      }
    }
  }

  /// A long vector has few points, each the mean of its part.
  @Test func aLongVectorHasFewPoints() throws {
    let path = try #require(Sparkline((0..<3300).map { Double($0 / 100 % 2) })).path
    let points = Self.points(path)
    #expect(points.map(\.y) == (0..<33).map { $0 % 2 == 0 ? 15 : 1 })
    #expect(Sparkline(.floats([1, 2, 3]), longerThan: 3) == nil)
    #expect(Sparkline(.integers([1, 2, 3, 4]), longerThan: 3) == nil)
    #expect(Sparkline(.doubles([1, 2, 3, 4]), longerThan: 3) != nil)
  }
}
