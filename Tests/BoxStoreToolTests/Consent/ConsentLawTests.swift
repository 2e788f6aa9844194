import BoxDump
import BoxEngine
import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxStoreTool

/// Random stores, commands and changes by others between a dry run and its command.
struct ConsentLawTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static let model = TestModel(
    .init(
      name: "Person", uid: 1000,
      fields: [
        .init("name", 1010, .string, .indexed), .init("age", 1020, .int),
        .init("boss", 1030, .relation, target: "Person"),
        .init(
          name: "code", type: .long, flags: [.indexed, .unique, .uniqueOnConflictReplace], uid: 1040
        ),
      ], relations: [.init("friends", 1900, to: "Person"), .init("teams", 1910, to: "Team")]),
    .init(
      name: "Team", uid: 2000, fields: [.init("name", 2010, .string)],
      relations: [.init("members", 2900, to: "Person")]))

  private var data: String { directory.path(of: "data") }
  private var place: Workspace { directory.place() }

  /// Fills a new store with up to 12 people and four teams.
  private func begin(_ random: inout SplitMix64) throws {
    directory.removeEverything("data")
    let store = try ObjectStore.open(.directory(data), model: Self.model.document())
    defer { store.close() }
    let (person, team) = (try store.entity(named: "Person"), try store.entity(named: "Team"))
    let count = random.below(12) + 1
    try store.write { transaction in
      for number in 1...count {
        var object = DynamicObject(person)
        if !random.oneIn(4) { object["name"] = .string("p\(random.below(4))") }
        if !random.oneIn(4) { object["age"] = .integer(Int64(random.below(4))) }
        if random.oneIn(2) { object["code"] = .integer(Int64(number)) }
        if random.oneIn(2) { object["boss"] = .unsigned(UInt64(random.below(number) + 1)) }
        try transaction.put(object)
      }
      for _ in 0..<4 { try transaction.put(DynamicObject(team)) }
      for _ in 0..<random.below(15) {
        let (one, other) = (UInt64(random.below(count) + 1), UInt64(random.below(count) + 1))
        let group = UInt64(random.below(4) + 1)
        switch random.below(3) {
        case 0: try transaction.link(person.relations[0], one, other)
        case 1: try transaction.link(person.relations[1], one, group)
        default: try transaction.link(team.relations[0], group, other)
        }
      }
    }
  }

  /// A random command that loses something, perhaps nothing.
  private func command(
    _ random: inout SplitMix64
  ) -> (_ change: (inout EditOptions) -> Void) throws -> EditReport {
    let (data, place) = (data, place)
    let selection: ObjectSelection =
      switch random.below(4) {
      case 0: .all
      case 1: .condition("age == \(random.below(4))")
      case 2: .condition("name == null")
      default: .condition("id > \(random.below(12))")
      }
    switch random.below(4) {
    case 0, 1:
      // Another person may have the code, and goes.
      let request =
        random.oneIn(2)
        ? SetRequest(data, "Person", selection, ["age=\(random.below(4))"])
        : SetRequest(data, "Person", .ids([1]), ["code=\(random.below(12))"])
      return { change in
        var request = request
        change(&request.options)
        return try request.run(in: place)
      }
    default:
      let entity = random.oneIn(4) ? "Team" : "Person"
      let request = RemoveRequest(data, entity, entity == "Team" ? .condition("id > 2") : selection)
      return { change in
        var request = request
        change(&request.options)
        return try request.run(in: place)
      }
    }
  }

  /// The import of what was saved before a removal gives the same store.
  @Test func savedObjectsComeBack() async throws {
    var random = TestSeed.next()
    var lost = 0
    for number in 0..<TestSeed.count("BOXJOINT_SOAK_CONSENT", default: 25) {
      try begin(&random)
      directory.removeEverything("before.ndjson")
      directory.removeEverything("lost.ndjson")
      #expect(try await directory.export(to: "before.ndjson").outcome == .success)
      let path = directory.path(of: "lost.ndjson")
      let run = command(&random)
      let report = try run {
        ($0.consent.savePath, $0.consent.isAssumed) = (path, true)
      }
      let loss = try #require(report.loss)
      if !loss.isEmpty {
        lost += 1
        let back = try await directory.load("lost.ndjson") { $0.options.mode = .replace }
        #expect(back.outcome == .success, "\(number): \(back.messages)")
      } else {
        #expect((try? SourceFile.read(path)) == nil)
      }
      let difference = try await directory.compareDumps("before.ndjson", "store:data")
      // A null that a set has filled is no loss alone, so it stays filled.
      if report.action == .set, loss.isEmpty { continue }
      #expect(difference.outcome == .success, "\(number): \(loss.text)\(difference.text)")
    }
    #expect(lost > 0)
  }

  /// Another program writes between the dry run and the command: exactly what was printed is lost, or nothing.
  @Test func aCodeLosesWhatWasPrintedOrNothing() async throws {
    var random = TestSeed.next()
    var (done, refused) = (0, 0)
    for number in 0..<TestSeed.count("BOXJOINT_SOAK_CONSENT", default: 25) {
      try begin(&random)
      let run = command(&random)
      let printed = try #require(try run { $0.isDryRun = true }.loss)
      if random.oneIn(2) {
        let some: ObjectSelection = random.oneIn(2) ? .all : .ids([UInt64(random.below(12) + 1)])
        var other = SetRequest(data, "Person", some, ["name='x\(random.below(3))'"])
        other.options.catalogue = nil
        _ = try? other.run(in: place)
      }
      let now = try #require(try run { $0.isDryRun = true }.loss)
      let before = try SourceFile.read(data + "/data.mdb").bytes
      do {
        let report = try run { $0.consent.code = printed.code }
        done += 1
        #expect(report.loss == printed, "\(number)")
        #expect(now == printed, "\(number)")
      } catch let failure as CommandFailure {
        refused += 1
        #expect(
          failure.message.hasPrefix("\(printed.code) is the code of"), "\(number): \(failure)")
        #expect(now.code != printed.code, "\(number)")
        #expect(try SourceFile.read(data + "/data.mdb").bytes == before, "\(number)")
      }
    }
    #expect(done > 0)
    #expect(refused > 0)
  }
}
