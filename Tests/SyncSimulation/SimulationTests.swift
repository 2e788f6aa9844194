import BoxModel
import TestSupport
import Testing

/// Clients and servers in a simulated world, compared with the oracle after each step.
///
/// `BOXJOINT_SYNC_SEED` is the first seed, `BOXJOINT_SOAK_SYNC_SEEDS` their number; a single one prints its
/// trace. `BOXJOINT_SYNC_COPIES=1` adds what is known to be open: copies of stores, and stores that are set back,
/// together with a restored server.
@Suite struct SimulationTests {
  @Test func `Every seed comes to rest and shows what the oracle says`() {
    let first = TestSeed.count("BOXJOINT_SYNC_SEED", default: 0)
    let count = TestSeed.count("BOXJOINT_SOAK_SYNC_SEEDS", default: 2_000)
    let hasBoth = TestSeed.count("BOXJOINT_SYNC_COPIES", default: 0) > 0
    var violations: [String] = []
    for seed in first..<(first + count) {
      let world = World(
        seed: UInt64(seed), isTracing: count == 1, restoresServersOfCopies: hasBoth)
      do {
        try world.run()
      } catch {
        violations.append("seed \(seed): \(error)")
        print(count == 1 ? "trace: \(error)" : "seed \(seed): \(error)")
      }
      for line in world.trace { print("trace: \(line.replacing("\n", with: "\ntrace: "))") }
      if violations.count > 20 { break }
    }
    print("\(violations.count) violations in \(count) seeds from \(first)")
    #expect(violations.isEmpty)
  }

  @Test func `A seed has the same trace twice`() {
    for seed: UInt64 in [42, 43, 44] {
      let traces = (0..<2).map { _ in
        let world = World(seed: seed, isTracing: true)
        try? world.run()
        return world.trace
      }
      #expect(traces[0] == traces[1])
      #expect(traces[0].count > 20)
    }
  }
}
