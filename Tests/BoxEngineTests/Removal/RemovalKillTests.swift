import TestSupport
import Testing

@testable import BoxEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A process that is killed inside a removal by rules leaves all of the objects, or none.
struct RemovalKillTests {
  @Test func leavesAllOrNothing() throws {
    var random = TestSeed.next()
    let kills = TestSeed.count("BOXJOINT_SOAK_REMOVAL_KILLS", default: 6)
    let entries = TestSeed.count("BOXJOINT_SOAK_REMOVED_ENTRIES", default: 5_000)
    let directory = try FaultsDirectory.make()
    var removed = 0
    // The time that a whole removal takes, in microseconds.
    var length = 0
    for kill in 0...kills {
      let child = try ChildProcess("remove", in: directory, store: "store\(kill)", number: entries)
      #expect(child.line() == "filled", "\(child.errors)")
      if kill == 0 {
        let begin = ContinuousClock().now
        #expect(child.line() == "done", "\(child.errors)")
        length = max(1, Int((ContinuousClock().now - begin) / .microseconds(1)))
        #expect(child.wait() == 0, "\(child.errors)")
      } else {
        usleep(UInt32(clamping: random.below(length + length / 4)))
        child.kill9()
        _ = child.wait()
      }
      let path = directory.path(of: "store\(kill)")
      let findings = try ObjectStore.verify(path)
      #expect(findings.isEmpty, "\(findings.map(\.message))")
      let store = try FaultsDirectory.open(path)
      defer { store.close() }
      let left = try ["Counter", "Entry"].map { try store.ids($0).count }
      #expect(left == [0, 0] || left == [1, entries], "\(left)")
      if left == [0, 0] { removed += 1 }
      for file in ["data.mdb", "lock.mdb"] { unlink("\(path)/\(file)") }
    }
    print("killed \(kills) times, \(removed - 1) of them after the commit")
  }
}
