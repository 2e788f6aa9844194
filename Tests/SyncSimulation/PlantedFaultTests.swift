#if PLANTED
  import TestSupport
  import Testing

  @testable import BoxSync

  /// Rules that are left out, which the simulator has to find; `scripts/soak sync-sim --planted` builds it, and
  /// prints the rows of its table.
  @Suite struct PlantedFaultTests {
    private static let limit = 100_000

    @Test(arguments: PlantedFault.allCases)
    func `A rule that is left out is found within 100,000 seeds`(fault: PlantedFault) {
      let found = PlantedFault.$current.withValue(fault) { Self.firstViolation() }
      let name = fault.rawValue + String(repeating: " ", count: max(0, 28 - fault.rawValue.count))
      if let found {
        print("planted: \(name) \(found.seed)\t\(found.violation)")
      } else {
        print("planted: \(name) not found in \(Self.limit) seeds")
      }
      #expect(found != nil, "\(fault)")
    }

    private static func firstViolation() -> (seed: Int, violation: String)? {
      for seed in 0..<limit {
        do {
          try World<MemoryClientBase>(seed: UInt64(seed)).run()
        } catch { return (seed, "\(error)") }
      }
      return nil
    }
  }
#endif
