import BoxSystem
import Testing

struct ConcurrentMapTests {
  @Test func theResultsMatchSequentialCalls() async {
    for count in [0, 1, 2, 3, 7, 64, 1000] {
      let numbers = (0..<count).map { $0 * 3 }
      for parts in [0, 1, 2, 3, 5, 64, 5000] {
        let found = await numbers.mapConcurrently(parts: parts) { "\($0)" }
        #expect(found == numbers.map { "\($0)" }, "\(count) in \(parts)")
      }
    }
  }
}
