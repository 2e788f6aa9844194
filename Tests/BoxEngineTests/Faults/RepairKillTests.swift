import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine
@testable import EngineFaultsChild

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Processes that repair a damaged store: one that is killed, and several at once.
///
/// Each leaves the bytes of the damaged file in one of its places, and the next opening has all that can be read.
struct RepairKillTests {
  private let directory: TemporaryDirectory
  /// The bytes of the damaged file.
  private let damaged: [UInt8]
  /// The content of the store that a repair of it makes.
  private let expected: [String]
  /// The calls of the storage and the steps of a whole repair.
  private let calls: Int

  init() throws {
    directory = try FaultsDirectory.make()
    let store = try FaultsDirectory.open(directory.path(of: "whole"))
    let ledger = try Ledger(store)
    for number in 1...25 { try ledger.write(number) }
    store.close()
    let whole = try directory.bytes(of: "whole/data.mdb")
    var found: [UInt8]?
    // A leaf of objects: what is on the other pages can be read.
    for page in 2..<whole.count / 4096 where found == nil {
      var bytes = whole
      bytes.replaceSubrange(page * 4096..<(page + 1) * 4096, with: repeatElement(0, count: 4096))
      try directory.write(bytes, to: "tried/data.mdb")
      var repair = StoreRepair(directory.path(of: "tried"))
      repair.isDryRun = true
      let parts = try repair.run()?.contents?.entities ?? []
      if parts.contains(where: { $0.kept > 0 && $0.lost ?? 0 > 0 }) { found = bytes }
    }
    damaged = try found.orFail("no page is one of objects")
    try directory.write(damaged, to: "store/data.mdb")
    let line = try ChildProcess("repair", in: directory).finish().first ?? ""
    #expect(line.hasPrefix("repaired "))
    calls = Int(line.dropFirst(9)) ?? 0
    expected = try Self.contents(directory.path(of: "store"))
    try expectRepaired()
  }

  private static func contents(_ path: String) throws -> [String] {
    #expect(try ObjectStore.verify(path) == [])
    let store = try FaultsDirectory.open(path)
    defer { store.close() }
    return try store.read { (transaction) throws in
      var lines: [String] = []
      for entity in store.entities {
        lines.append("\(entity.name): last id \(try transaction.lastID(entity))")
        try transaction.visitObjects(entity) {
          lines.append("\(entity.name) \($0.id): \($0.values)")
          return .next
        }
        for relation in entity.relations {
          try transaction.visitEntries(relation) {
            lines.append("\(relation.name): \($0) to \($1)")
            return .next
          }
        }
      }
      return lines
    }
  }

  /// The damaged file is kept once, with its bytes.
  private func expectRepaired(_ comment: String = "") throws {
    let kept = directory.names(in: "store/damaged")
    #expect(kept.count == 1, "\(comment): \(kept)")
    #expect(try kept.first.map { try directory.bytes(of: "store/damaged/\($0)") } == damaged)
    #expect(try Self.contents(directory.path(of: "store")) == expected, "\(comment)")
  }

  private func prepare() throws {
    directory.removeEverything("store")
    try directory.write(damaged, to: "store/data.mdb")
  }

  @Test func aKillAtAnyStepLosesNothing() throws {
    var random = TestSeed.next()
    let kills = TestSeed.count("BOXJOINT_SOAK_REPAIR_KILLS", default: 8)
    // The last calls are the steps that change the directory.
    let steps = 12
    #expect(calls > 10 * steps)
    var (before, between, after) = (0, 0, 0)
    let last = (0..<steps).flatMap { step in
      repeatElement(calls - step, count: max(1, kills / 8))
    }
    for call in last + (0..<kills).map({ _ in 1 + random.below(calls) }) {
      try prepare()
      let child = try ChildProcess("repair", in: directory, number: call)
      _ = child.lines()
      #expect(child.wait() == -SIGKILL, "call \(call)")
      let comment = "killed at call \(call) of \(calls)"
      let isInPlace = try directory.bytes(of: "store/data.mdb") == damaged
      let kept = directory.names(in: "store/damaged")
      let isKept = try kept.contains { try directory.bytes(of: "store/damaged/\($0)") == damaged }
      #expect(isInPlace || isKept, "\(comment)")
      switch (isInPlace, isKept) {
      case (true, true): between += 1
      case (true, false): before += 1
      default: after += 1
      }
      // The next opening.
      var repair = StoreRepair(directory.path(of: "store"))
      repair.checks = .everything
      #expect((try repair.run() != nil) == isInPlace, "\(comment)")
      try expectRepaired(comment)
    }
    print(
      "killed \(before) times before the file has two names, \(between) meanwhile, \(after) after that"
    )
    #expect(before > 0 && between > 0 && after > 0)
  }

  /// An error of the system at any step moves nothing, or leaves both files.
  @Test func anErrorAtAnyStepLosesNothing() throws {
    var random = TestSeed.next()
    let failing = FailingCalls()
    for call in (0..<12).map({ calls - $0 }) + (0..<8).map({ _ in 1 + random.below(calls) }) {
      try prepare()
      var repair = StoreRepair(directory.path(of: "store"))
      repair.checks = .everything
      repair.options.faults = failing.faults
      failing.fail(at: call)
      #expect(throws: StoreError.self, "call \(call)") { try repair.run() }
      failing.failNever()
      _ = try repair.run()
      try expectRepaired("an error at call \(call)")
    }
  }

  @Test func oneOfSeveralProcessesRepairs() throws {
    let rounds = TestSeed.count("BOXJOINT_SOAK_REPAIR_CROWDS", default: 1)
    for round in 0..<rounds {
      try prepare()
      let children = try (0..<8).map { _ in try ChildProcess("compete", in: directory) }
      let lines = try children.map { try $0.finish().first ?? "" }
      #expect(lines.filter { $0.hasPrefix("repaired ") }.count == 1, "round \(round): \(lines)")
      #expect(
        Set(lines.map { $0.split(separator: " ").last }).count == 1, "round \(round): \(lines)")
      try expectRepaired("round \(round)")
    }
  }
}
