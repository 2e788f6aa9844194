import BoxDump
import BoxEngine
import BoxStorage
import TestSupport
import Testing

/// An import that is killed and goes on ends in the same store.
struct ImportKillTests {
  @Test func resumedImportsEndInTheSameStore() async throws {
    var random = TestSeed.next()
    let kills = TestSeed.count("BOXJOINT_SOAK_IMPORT_KILLS", default: 6)
    guard let program = builtProgram("ImportFaultsChild") else {
      throw TestFailure("ImportFaultsChild is not built: swift build --build-tests")
    }
    let fixture = try ImportFixture()
    var generated = GeneratedStore(
      store: try fixture.open("a"), random: SplitMix64(seed: random.next()))
    try generated.fill(objects: 400)
    let total = try objects(in: generated.store)
    var (killed, round) = (0, 0)
    while killed < kills && round < kills * 20 {
      round += 1
      var options = ExportOptions()
      options.shape = random.pick(DumpShape.allCases)
      options.compression = random.pick(Compression.allCases)
      let name = "dump\(round)"
      try fixture.export(generated.store, to: name, options)
      let ids = random.pick(ImportIDs.allCases)
      let arguments = [
        fixture.path("store\(round)"), fixture.path(name), "\(1 + random.below(60))", ids.rawValue,
      ]
      var isDone = false
      while !isDone {
        // At some moment, or in the building of the indexes at the end.
        let isLate = random.oneIn(2)
        let time = killed < kills && !isLate ? 1 + random.below(150_000) : 0
        let steps = killed < kills && isLate ? 1 + random.below(400) : 0
        let run = try await ProcessRun.of(program, arguments + ["\(time)", "\(steps)"])
        if run.status == -9 {
          killed += 1
          // Between the last commit and the end of the process there is nothing left to do.
          isDone = try isComplete(fixture.path("store\(round)"), total)
          // By then there is a store.
          if steps > 0 {
            #expect(try ObjectStore.verify(fixture.path("store\(round)")).isEmpty)
          }
        } else {
          #expect(run.status == 0, "\(run.messages)")
          isDone = true
        }
      }
      let store = try fixture.open("store\(round)")
      let whole = try fixture.open("whole\(round)")
      try fixture.load(fixture.path(name), into: whole) { $0.ids = ids }
      try fixture.export(whole, to: "first")
      try fixture.export(store, to: "second")
      #expect(try fixture.directory.bytes(of: "first") == fixture.directory.bytes(of: "second"))
      #expect(try store.verify().isEmpty)
      #expect(try !Importer.isInterrupted(in: store))
    }
    print("killed \(killed) times in \(round) imports")
  }

  private func objects(in store: ObjectStore) throws -> Int {
    try store.statistics().entities.reduce(0) { $0 + $1.objects.entries }
  }

  /// Whether a store has everything, and no import that is to go on.
  private func isComplete(_ path: String, _ total: Int) throws -> Bool {
    var options = StoreOptions()
    options.storage.isReadOnly = true
    do throws(any Error) {
      let store = try ObjectStore.open(.directory(path), options: options)
      return try !Importer.isInterrupted(in: store) && objects(in: store) == total
    } catch StoreError.noStore, StoreError.notAStore, StoreError.storage {
      // It was killed before there was one.
      return false
    }
  }
}
