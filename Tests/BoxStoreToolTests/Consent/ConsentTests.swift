import BoxDump
import BoxEngine
import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxStoreTool

/// Consent by a code or a number: exactly what a dry run has printed, or nothing.
struct ConsentTests {
  let directory: TemporaryDirectory

  /// Four people, of whom 1 has the others as friends.
  init() throws {
    directory = try TemporaryDirectory()
    try directory.write(Self.model.text, to: "model.json")
    let store = try ObjectStore.open(
      .directory(directory.path(of: "data")), model: Self.model.document())
    defer { store.close() }
    let person = try store.entity(named: "Person")
    let friends = try #require(person.relation(named: "friends"))
    try store.write { transaction in
      for number in 1...4 {
        var object = DynamicObject(person)
        object["name"] = .string("p\(number)")
        if number > 1 { object["age"] = .integer(Int64(number)) }
        try transaction.put(object)
      }
      for number in 2...4 as ClosedRange<UInt64> { try transaction.link(friends, 1, number) }
    }
  }

  static let model = TestModel(
    .init(
      name: "Person", uid: 1000, fields: [.init("name", 1010, .string), .init("age", 1020, .int)],
      relations: [.init("friends", 1900, to: "Person")]))

  private var data: String { directory.path(of: "data") }

  private var place: Workspace { directory.place() }

  /// The bytes of the data file.
  private func bytes() throws -> [UInt8] { try SourceFile.read(data + "/data.mdb").bytes }

  private func remove(
    _ selection: ObjectSelection, _ change: (inout EditOptions) -> Void
  ) throws -> EditReport {
    var request = RemoveRequest(data, "Person", selection)
    change(&request.options)
    return try request.run(in: place)
  }

  private func loss(_ selection: ObjectSelection) throws -> Loss {
    try #require(try remove(selection) { $0.isDryRun = true }.loss)
  }

  @Test func aDryRunNamesTheLoss() throws {
    let found = try loss(.condition("age > 2"))
    #expect(found.count == 2)
    #expect(
      found.text == """
        Person: 2 would be removed, of 4
        Person.friends: 2 entries would be removed

        """)
    #expect(LossCode(found.code.description) == found.code)
    #expect(found.code.description.count == 9)
    #expect(try loss(.condition("age > 2")) == found)
    #expect(try loss(.condition("age > 3")).code != found.code)
    #expect(try loss(.condition("age>2")).code != found.code)
  }

  @Test func codesAreReadInEitherCase() {
    #expect(LossCode("7F3K9Q2M") == LossCode("7f3k-9q2m"))
    for text in ["", "7f3k-9q2", "7f3k-9q2mm", "7f3k-9q2u", "7f3k-9q2ä"] {
      #expect(LossCode(text) == nil)
    }
  }

  @Test func aCodeIsConsentToExactlyThat() throws {
    let code = try loss(.condition("age > 2")).code
    let before = try bytes()
    // Another command, another state.
    for selection in [ObjectSelection.condition("age > 3"), .all, .ids([3, 4])] {
      #expect(throws: CommandFailure.self) {
        try remove(selection) { $0.consent.code = code }
      }
    }
    #expect(try bytes() == before)
    var set = SetRequest(data, "Person", .ids([4]), ["age=5"])
    set.options.catalogue = nil
    _ = try set.run(in: place)
    let changed = try bytes()
    let failure = #expect(throws: CommandFailure.self) {
      try remove(.condition("age > 2")) { $0.consent.code = code }
    }
    #expect(failure?.kind == .impossible)
    #expect(failure?.remedy == .confirmCode)
    #expect(
      failure?.message
        == "\(code) is the code of another command or of another state of the store: 2 objects would be "
        + "removed; nothing was changed"
    )
    #expect(try bytes() == changed)
    // A change of another object does not matter.
    let again = try loss(.condition("age > 2")).code
    set = SetRequest(data, "Person", .ids([1]), ["age=1"])
    _ = try set.run(in: place)
    let report = try remove(.condition("age > 2")) { $0.consent.code = again }
    #expect(report.removed == 2)
    #expect(report.unconfirmed == nil)
  }

  @Test func aNumberIsConsentToThatMany() throws {
    let before = try bytes()
    let failure = #expect(throws: CommandFailure.self) {
      try remove(.all) { ($0.consent.expected, $0.consent.isAssumed) = (3, true) }
    }
    #expect(failure?.message.hasPrefix("3 expected: 4 objects would be removed") == true)
    #expect(try bytes() == before)
    #expect(
      try remove(.all) { ($0.consent.expected, $0.consent.isAssumed) = (4, true) }.removed == 4)
  }

  @Test func blindConsentIsNoticed() throws {
    #expect(try remove(.ids([4])) { $0.consent.isAssumed = true }.unconfirmed == nil)
    #expect(try remove(.condition("age == 3")) { $0.consent.isAssumed = true }.unconfirmed == 1)
    var unlink = LinkRequest(data, "Person.friends", from: 1, to: [2], isRemoval: true)
    #expect(try unlink.run(in: place).unconfirmed == 1)
    unlink.isRemoval = false
    #expect(try unlink.run(in: place).unconfirmed == nil)
    var put = PutRequest(data, "Person", ["{\"id\":2}"])
    put.mode = .replace
    #expect(try put.run(in: place).unconfirmed == 1)
    put.options.consent.policy = .never
    #expect(try put.run(in: place).unconfirmed == nil)
  }

  @Test func nullsAndSameValuesAreNoLoss() throws {
    var set = SetRequest(data, "Person", .ids([1]), ["age=7"])
    set.options.isDryRun = true
    #expect(try set.run(in: place).loss?.isEmpty == true)
    set.assignments = ["name='p1'"]
    #expect(try set.run(in: place).loss?.isEmpty == true)
    // What is equal to Swift can be other bytes.
    set.assignments = ["name='\u{E9}'"]
    set.options.isDryRun = false
    _ = try set.run(in: place)
    set.options.isDryRun = true
    set.assignments = ["name='e\u{301}'"]
    #expect(try set.run(in: place).loss?.count == 1)
    set.assignments = ["name=null"]
    #expect(try set.run(in: place).loss?.text == "Person: 1 would be overwritten, of 4\n")
  }

  @Test(arguments: [ConsentPolicy.code, .terminal])
  func aUserCanAskForMore(policy: ConsentPolicy) throws {
    let before = try bytes()
    let code = try loss(.ids([4])).code
    for isAssumed in [false, true] {
      let failure = #expect(throws: CommandFailure.self) {
        try remove(.ids([4])) {
          ($0.consent.policy, $0.consent.isAssumed) = (policy, isAssumed)
        }
      }
      #expect(failure?.kind == .usage)
    }
    #expect(try bytes() == before)
    if policy == .terminal {
      #expect(throws: CommandFailure.self) {
        try remove(.ids([4])) { ($0.consent.policy, $0.consent.code) = (policy, code) }
      }
      #expect(try bytes() == before)
    } else {
      #expect(
        try remove(.ids([4])) { ($0.consent.policy, $0.consent.code) = (policy, code) }.removed == 1
      )
    }
    var asked = 0
    let report = try remove(.ids([3])) {
      $0.consent.policy = policy
      $0.ask = { proposal in
        asked += 1
        #expect(proposal.loss?.count == 1)
      }
    }
    #expect(report.removed == 1)
    #expect(asked == 1)
  }

  @Test func whatIsSavedComesBack() async throws {
    #expect(try await directory.export(to: "before.ndjson").outcome == .success)
    let path = directory.path(of: "lost.ndjson")
    let report = try remove(.condition("age > 2")) {
      ($0.consent.savePath, $0.consent.isAssumed) = (path, true)
    }
    #expect(report.removed == 2)
    #expect(try await directory.verifyDump("lost.ndjson").outcome == .success)
    // A file that exists is never replaced.
    let failure = #expect(throws: CommandFailure.self) {
      try remove(.all) { ($0.consent.savePath, $0.consent.isAssumed) = (path, true) }
    }
    #expect(failure?.path == path)
    let back = try await directory.load("lost.ndjson") { $0.options.mode = .replace }
    #expect(back.outcome == .success, "\(back.messages)")
    let difference = try await directory.compareDumps("before.ndjson", "store:data")
    #expect(difference.outcome == .success, "\(difference.text)")
  }

  /// A store of orders, of which another one can take the number over.
  private func orders() throws -> String {
    let model = TestModel(
      .init(
        name: "Order", uid: 1000,
        fields: [
          .init(
            name: "number", type: .long, flags: [.indexed, .unique, .uniqueOnConflictReplace],
            uid: 1010),
          .init("text", 1020, .string),
        ]))
    let path = directory.path(of: "orders")
    let store = try ObjectStore.open(.directory(path), model: model.document())
    defer { store.close() }
    try store.write { transaction in
      for (number, text) in [(5, "one"), (nil, "two")] as [(Int64?, String)] {
        var order = DynamicObject(try store.entity(named: "Order"))
        order["number"] = number.map { .integer($0) } ?? .null
        order["text"] = .string(text)
        try transaction.put(order)
      }
    }
    return path
  }

  @Test func anObjectThatTakesAValueOverGivesItBack() async throws {
    let path = try orders()
    var request = SetRequest(path, "Order", .ids([2]), ["number=5"])
    request.options.consent.savePath = directory.path(of: "lost.ndjson")
    let report = try request.run(in: place)
    #expect(report.loss?.count == 1)
    let back = try await directory.load("lost.ndjson", into: "orders") {
      $0.options.mode = .replace
    }
    #expect(back.outcome == .success, "\(back.messages)")
    let store = try ObjectStore.open(.directory(path))
    defer { store.close() }
    let order = try store.entity(named: "Order")
    let objects = try store.read { try $0.get(order, [1, 2] as [UInt64]) }
    #expect(objects.map { $0?["number"] } == [.integer(5), .null])
    #expect(objects.map { $0?["text"] } == [.string("one"), .string("two")])
  }

  @Test(arguments: [ConsentPolicy.code, .terminal])
  func aNewObjectThatDisplacesAnotherNeedsConsent(_ policy: ConsentPolicy) throws {
    let path = try orders()
    try directory.write(#"{"Order":{"number":5,"text":"new"}}"#, to: "new.ndjson")
    var load = ImportRequest(directory.path(of: "new.ndjson"), into: path)
    load.consent.policy = policy
    let refused = #expect(throws: CommandFailure.self) { try load.run(in: place) { _ in } }
    #expect(refused?.kind == .usage)
    try directory.write(#"{"Order":{"number":6,"text":"new"}}"#, to: "new.ndjson")
    #expect(try load.run(in: place) { _ in }.entities.map(\.inserted) == [1])
  }

  @Test func aCopyHasCodesOfItsOwn() throws {
    let code = try loss(.all).code
    _ = try StoreBackup(of: data, to: directory.path(of: "copy")).run(
      StoreAccess(), SilentObserver())
    var request = RemoveRequest(directory.path(of: "copy"), "Person", .all)
    request.options.consent.code = code
    #expect(throws: CommandFailure.self) { try request.run(in: place) }
  }

  // MARK: - Imports

  @Test func anImportDoesWhatItsDryRunSays() async throws {
    try directory.write("{\"id\":2,\"name\":\"new\"}\n{\"id\":9,\"name\":\"x\"}\n", to: "in.ndjson")
    func request() -> ImportRequest {
      var request = ImportRequest(directory.path(of: "in.ndjson"), into: data)
      request.options.mode = .replace
      request.options.entity = "Person"
      request.catalogue = nil
      return request
    }
    var dry = request()
    dry.options.isDryRun = true
    var found: Loss?
    let before = try bytes()
    _ = try dry.run(in: place, lost: { found = $0 }, report: { _ in })
    let loss = try #require(found)
    #expect(loss.text.hasPrefix("Person: 1 would be overwritten, of 4\n"), "\(loss.text)")
    var wrong = request()
    wrong.consent.expected = 2
    #expect(throws: CommandFailure.self) { try wrong.run(in: place, report: { _ in }) }
    #expect(try bytes() == before)
    var right = request()
    right.consent.code = loss.code
    right.consent.savePath = directory.path(of: "lost.ndjson")
    let summary = try right.run(in: place, report: { _ in })
    #expect(summary.entities.map(\.updated) == [1])
    #expect(try await directory.verifyDump("lost.ndjson").outcome == .success)
    // Now it would be another loss, and the place for the progress exists.
    let after = try bytes()
    #expect(throws: CommandFailure.self) {
      var again = request()
      again.consent.code = loss.code
      try again.run(in: place, report: { _ in })
    }
    #expect(try bytes() == after)
  }

  // MARK: - Migrations

  @Test func aMigrationNamesWhatItFrees() async throws {
    let smaller = TestModel(
      .init(name: "Person", uid: 1000, fields: [.init("name", 1010, .string)]),
      retired: [.property: [1020], .relation: [1900]])
    try directory.write(smaller.text, to: "small.json")
    func loss(purge: Bool) async throws -> Loss? {
      var request = MigrationRequest(data, to: directory.path(of: "small.json"))
      request.freesHiddenData = purge
      return try await request.prepare(in: place).findLoss(SilentObserver())
    }
    #expect(try await loss(purge: false) == nil)
    let found = try #require(try await loss(purge: true))
    #expect(found.text.contains("Person.age: 3 values would be removed\n"), "\(found.text)")
    #expect(found.text.contains("Person.friends: 3 entries would be removed\n"), "\(found.text)")
    #expect(try await loss(purge: true) == found)
    var set = SetRequest(data, "Person", .ids([4]), ["age=5"])
    set.options.catalogue = nil
    _ = try set.run(in: place)
    #expect(try await loss(purge: true)?.code != found.code)
  }

  // MARK: - Purges

  @Test func aPurgeNamesWhatIsHidden() throws {
    let smaller = TestModel(
      .init(name: "Person", uid: 1000, fields: [.init("name", 1010, .string)]))
    try ObjectStore.open(.directory(data), model: smaller.document()).close()
    var compaction = StoreCompaction(of: data)
    compaction.purges = true
    let loss = try compaction.loss(StoreAccess(), SilentObserver())
    #expect(
      loss.text == """
        Person.age: 3 values would be removed
        Person.friends: 3 entries would be removed

        """)
    let before = try bytes()
    compaction.consent.expected = 4
    #expect(throws: CommandFailure.self) {
      try compaction.run(StoreAccess(), SilentObserver())
    }
    #expect(try bytes() == before)
    compaction.consent = Consent()
    compaction.consent.code = loss.code
    #expect(try compaction.run(StoreAccess(), SilentObserver()).unconfirmed == 0)
    #expect(try compaction.loss(StoreAccess(), SilentObserver()).isEmpty)
  }
}
