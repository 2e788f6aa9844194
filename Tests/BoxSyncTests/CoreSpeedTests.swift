import BoxModel
import TestSupport
import Testing

@testable import BoxSync

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Many operations through the core; `scripts/bench sync-core` prints what they took.
@Suite struct CoreSpeedTests {
  private static let count = TestSeed.count("BOXJOINT_SYNC_OPERATIONS", default: 2_000)
  private static let number: UInt64 = 1 << 60

  @Test func `Many transactions are resolved, and applied by a client`() {
    let scene = SyncScene(clients: 1)
    #expect(scene.settle())
    let submissions = (1...UInt64(Self.count)).map { n in
      let key = GlobalKey(entity: SyncScene.note, id: GlobalID(number: Self.number, id: n))
      let fields = Fields<GlobalID>([
        .init(11, .value(.string("note \(n)"))), .init(12, .value(.string("name \(n)"))),
        .init(13, .value(.integer(Int64(n)))), .init(14, .null),
      ])
      return Submission(
        number: Self.number, n: n, mark: n << 32,
        operations: [SyncOperation(.insert, key, life: 1, fields: fields, isFresh: true)])
    }
    let resolving = ContinuousClock().measure {
      for start in stride(from: 0, to: Self.count, by: 1_000) {
        let batch = submissions[start..<min(start + 1_000, Self.count)]
        scene.backend.space.apply(changes(of: batch, scene))
      }
    }
    record("resolved a second", Double(Self.count) / (resolving / .seconds(1)))
    scene.serve()
    let applying = ContinuousClock().measure { scene.deliver(0) }
    record("applied a second", Double(Self.count) / (applying / .seconds(1)))
    #expect(scene.texts(0).count == Self.count)
    #expect(scene.status(0).position == UInt64(Self.count))
  }

  /// In a function, so that the resolver's copy of the space is gone when its changes are applied.
  private func changes(of submissions: ArraySlice<Submission>, _ scene: SyncScene) -> SpaceChanges {
    var resolver = Resolver(
      scene.backend.space, model: SyncScene.model, access: OpenAccess(), count: submissions.count)
    let writer = Writer(model: SyncScene.model, rules: SessionRules())
    // One expectation: those of each transaction would be measured.
    let answers = submissions.map { resolver.apply($0, as: writer, now: scene.now) }
    #expect(answers.allSatisfy { $0 == .appended })
    return resolver.changes
  }
}

/// Writes a figure to the file that scripts/bench reads.
func record(_ name: String, _ value: Double) {
  guard let path = getenv("BOXJOINT_MEASURED"), let file = fopen(path, "a") else { return }
  fputs("\(name)\t\(value)\n", file)
  fclose(file)
}
