import CDistance
import TestSupport
import Testing

/// Sums of distances by the instructions of this processor and by those that every one has.
struct DistanceTests {
  private static func vector(_ count: Int, _ random: inout SplitMix64) -> [Float] {
    (0..<count).map { _ in
      let number = Float(random.below(1 << 24) - 1 << 23) / Float(1 << random.below(40))
      return random.oneIn(20) ? 0 : number
    }
  }

  /// A score does not depend on the processor.
  @Test func exactSumsAreTheSameBitForBit() {
    var random = TestSeed.next()
    for _ in 0..<500 {
      let count = random.below(70)
      let (a, b) = (Self.vector(count, &random), Self.vector(count, &random))
      // At any address, as in a record.
      let bytes = [0] + b.withUnsafeBytes { Array($0) }
      bytes.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
        let other = start + 1
        #expect(boxjoint_squares(a, other, count) == boxjoint_squares_plain(a, other, count))
        #expect(boxjoint_products(a, other, count) == boxjoint_products_plain(a, other, count))
        #expect(boxjoint_own_products(other, count) == boxjoint_own_products_plain(other, count))
        let product = zip(a, b).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
        let size = zip(a, b).reduce(0.0) { $0 + abs(Double($1.0) * Double($1.1)) }
        #expect(abs(boxjoint_products(a, other, count) - product) <= 1e-12 * size)
      }
    }
  }

  @Test func nearSumsEqualSumsOfARow() {
    var random = TestSeed.next()
    for _ in 0..<200 {
      let width = 16 * (1 + random.below(10))
      let origin = (0..<width).map { _ in Float(random.below(2_000) - 1_000) / 100 }
      let table = (0..<width * 5).map { _ in Float(random.below(2_000) - 1_000) / 100 }
      let rows = (0..<5).map { _ in UInt32(random.below(5)) }
      for isProduct in [false, true] {
        var distances = [Float](repeating: 0, count: 5)
        boxjoint_near(origin, table, width, rows, 5, isProduct ? 1 : 0, &distances)
        for (position, row) in rows.enumerated() {
          let vector = table[Int(row) * width..<Int(row + 1) * width]
          let expected = zip(origin, vector).reduce(0.0) { sum, pair in
            let (x, y) = (Double(pair.0), Double(pair.1))
            return isProduct ? sum - x * y : sum + (x - y) * (x - y)
          }
          #expect(abs(Double(distances[position]) - expected) <= 1e-4 * Double(100 * width))
        }
      }
    }
  }
}
