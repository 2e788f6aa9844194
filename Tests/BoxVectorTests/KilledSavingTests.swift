import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxVector

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Processes that are killed while they save graphs.
struct KilledSavingTests {
  @Test func answersAreRightAfterAKill() throws {
    guard let program = builtProgram("VectorFaultsChild") else {
      Issue.record("VectorFaultsChild is not built: swift build --build-tests")
      return
    }
    let directory = try TemporaryDirectory()
    let path = directory.path(of: "store")
    let model = try String(decoding: VectorStore.document().bytes, as: UTF8.self)
    var samples = VectorSamples(random: TestSeed.next(), dimensions: VectorStore.dimensions)
    let first = try VectorStore(.directory(path))
    try first.fill(200, &samples)
    first.close()
    let graphs = directory.path(of: "store/graphs")
    let saved = try #require(directory.names(in: graphs).first { $0.hasSuffix(".graph") })
    func isUnfinished() -> Bool { access("\(graphs)/\(saved).new", F_OK) == 0 }
    var (unfinished, hits, wanted) = (0, 0, 0)
    for kill in 0..<TestSeed.count("BOXJOINT_SOAK_GRAPH_KILLS", default: 8) {
      let seed = "\(samples.random.below(1 << 30))"
      // At any time, or just as a file is begun.
      let isBegun = kill.isMultiple(of: 2) ? isUnfinished : nil
      try Self.runAndKill(
        [program, path, model, seed], after: UInt32(5_000 + samples.random.below(150_000)),
        once: isBegun)
      if isUnfinished() { unfinished += 1 }
      let store = try VectorStore(.directory(path))
      defer { store.close() }
      store.graphs.waitUntilCurrent()
      for _ in 0..<5 {
        // As the program puts them: of the groups before, which are far away, a search may miss the last ones.
        let origin = (0..<8).map { _ in Float(samples.random.below(1_000)) / 500 }
        let answer = try store.nearest(origin, 5)
        #expect(answer.strategy.isGraph || answer.strategy.isMemory)
        let exact = try store.exact(origin, 5)
        wanted += exact.count
        hits += Set(answer.neighbours.map(\.id)).intersection(exact).count
      }
    }
    #expect(Double(hits) >= 0.9 * Double(wanted), "\(hits) of \(wanted)")
    print("\(unfinished) kills left an unfinished file")
  }

  /// Runs a program, and kills it after a time, and then as soon as a condition holds.
  private static func runAndKill(
    _ arguments: [String], after microseconds: UInt32, once condition: (() -> Bool)?
  ) throws {
    var process = pid_t()
    var strings = arguments.map { strdup($0) } + [nil]
    defer { for string in strings { free(string) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    guard posix_spawn(&process, arguments[0], &actions, nil, &strings, environ) == 0 else {
      throw TestFailure("\(arguments[0]) cannot be started")
    }
    usleep(microseconds)
    if let condition {
      // The file of an earlier kill lasts until the program has replaced it.
      for wanted in [false, true] {
        let end = ContinuousClock.now + .seconds(2)
        while condition() != wanted && ContinuousClock.now < end {}
      }
    }
    kill(process, SIGKILL)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    #expect(status & 0x7f == SIGKILL, "the child ended by itself")
  }
}
