import BoxModel
import BoxSync
import TestSupport
import Testing

/// Clients and servers in a simulated world, compared with the oracle after each step.
///
/// `BOXJOINT_SYNC_SEED` is the first seed, `BOXJOINT_SOAK_SYNC_SEEDS` their number; a single one prints its
/// trace. `BOXJOINT_SYNC_COPIES=1` adds what is known to be open: copies of stores, and stores that are set back,
/// together with a restored server.
@Suite struct SimulationTests {
  @Test func `Every seed comes to rest and shows what the oracle says`() {
    run(MemoryClientBase.self, "BOXJOINT_SOAK_SYNC_SEEDS", default: 2_000)
  }

  @Test func `Every seed does so with stores of the engine`() {
    run(StoreClientBase.self, "BOXJOINT_SOAK_SYNC_STORES", default: 200)
  }

  private func run<Base: SimulatedBase>(_ base: Base.Type, _ name: String, default number: Int) {
    let first = TestSeed.count("BOXJOINT_SYNC_SEED", default: 0)
    let count = TestSeed.count(name, default: number)
    let hasBoth = TestSeed.count("BOXJOINT_SYNC_COPIES", default: 0) > 0
    var violations: [String] = []
    for seed in first..<(first + count) {
      let world = World<Base>(
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
    print("\(violations.count) violations in \(count) seeds from \(first) of \(base)")
    #expect(violations.isEmpty)
  }

  @Test func `A seed has the same trace twice`() {
    for seed: UInt64 in [42, 43, 44] {
      let traces = (0..<2).map { _ in trace(MemoryClientBase.self, seed) }
      #expect(traces[0] == traces[1])
      #expect(traces[0].count > 20)
      let stored = (0..<2).map { _ in trace(StoreClientBase.self, seed) }
      #expect(stored[0] == stored[1])
      #expect(stored[0].count > 20)
    }
  }

  private func trace<Base: SimulatedBase>(_ base: Base.Type, _ seed: UInt64) -> [String] {
    let world = World<Base>(seed: seed, isTracing: true)
    try? world.run()
    return world.trace
  }
}
