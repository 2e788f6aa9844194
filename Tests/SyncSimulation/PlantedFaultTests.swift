#if PLANTED
  import TestSupport
  import Testing

  @testable import BoxSync

  /// Rules that are left out, which the simulator has to find; `scripts/soak sync-sim --planted` builds it.
  @Suite struct PlantedFaultTests {
    @Test(arguments: PlantedFault.allCases)
    func `A rule that is left out is found within 10,000 seeds`(fault: PlantedFault) {
      let found = PlantedFault.$current.withValue(fault) {
        (0..<10_000).first { seed in
          do {
            try World(seed: UInt64(seed)).run()
            return false
          } catch {
            print("\(fault) is found by seed \(seed): \(error)")
            return true
          }
        }
      }
      #expect(found != nil, "\(fault)")
    }
  }
#endif
