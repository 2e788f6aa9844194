import Dispatch
import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The program on damaged files of every kind: it ends by itself, soon, within its memory, with a
/// status that its help names, and writes nothing but what the command is for.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct HostileTests {
  private static let count = TestSeed.count("BOXJOINT_SOAK_HOSTILE", default: 80)
  /// The one that is run again; all where it is not set.
  private static let only = getenv("BOXJOINT_SOAK_HOSTILE_ONLY").flatMap {
    Int(String(cString: $0))
  }

  private struct Tally {
    var next = 0
    var statuses: [String: [Int32: Int]] = [:]
    var problems: [String] = []
  }

  @Test func everyFileIsTakenOrRefused() async throws {
    let program = try #require(Tool.path)
    let seed = TestSeed.value()
    let samples = try await HostileSamples()
    let tally = Mutex(Tally())
    let start = ContinuousClock.now
    let numbers = Self.only.map { $0..<$0 + 1 } ?? 0..<Self.count
    tally.withLock { $0.next = numbers.lowerBound }
    DispatchQueue.concurrentPerform(iterations: Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) { _ in
      while true {
        let number = tally.withLock { tally in
          defer { tally.next += 1 }
          return tally.next
        }
        if !numbers.contains(number) { return }
        Self.run(number, seed, samples, program, tally)
        if number % 1000 == 999 {
          print("\(number + 1) of \(Self.count) after \(ContinuousClock.now - start)")
          fflush(nil)
        }
      }
    }
    let result = tally.withLock { $0 }
    for (kind, statuses) in result.statuses.sorted(by: { $0.key < $1.key }) {
      let counts = statuses.sorted { $0.key < $1.key }.map { "\($0.value) with status \($0.key)" }
      print("\(kind): \(counts.joined(separator: ", "))")
    }
    print("\(numbers.count) files in \(ContinuousClock.now - start)")
    for problem in result.problems.prefix(20) { Issue.record("\(problem)") }
    #expect(result.problems.count == 0)
    // A part of what is damaged is still read, and a part is refused.
    if numbers.count >= 100 {
      let statuses = Set(result.statuses.values.flatMap(\.keys))
      #expect(statuses.isSuperset(of: [0, 65]))
    }
  }

  private static func run(
    _ number: Int, _ seed: UInt64, _ samples: HostileSamples, _ program: String,
    _ tally: borrowing Mutex<Tally>
  ) {
    do {
      let run = try HostileRun(number, seed: seed, samples)
      let outcome = try run.outcome(program)
      let kept = outcome.problem.map { _ in run.keep(as: "\(number)") }
      tally.withLock { tally in
        tally.statuses[run.kind.name, default: [:]][outcome.status, default: 0] += 1
        guard let problem = outcome.problem, let kept else { return }
        let line =
          "file \(number) (BOXJOINT_SEED=0x\(String(seed, radix: 16)) BOXJOINT_SOAK_HOSTILE_ONLY=\(number)), "
          + "\(run.kind.name), boxjoint \(run.command), kept in \(kept): \(problem)"
        tally.problems.append(line)
        print(line)
      }
    } catch {
      tally.withLock { $0.problems.append("file \(number): \(error)") }
    }
  }
}
