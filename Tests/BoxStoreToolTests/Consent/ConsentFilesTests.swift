import BoxDump
import BoxEngine
import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxStoreTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The files that come with consent: those of what is lost and of what is rejected, and the data file itself.
struct ConsentFilesTests {
  private let directory: TemporaryDirectory

  /// Three people.
  init() throws {
    directory = try TemporaryDirectory()
    try Self.fill(directory.path(of: "data"), entity: "Person")
  }

  private static func fill(_ path: String, entity: String) throws {
    let model = TestModel(
      .init(
        name: entity, uid: 1000, fields: [.init("age", 1010, .int)],
        relations: [.init("friends", 1900, to: entity)]))
    let store = try ObjectStore.open(.directory(path), model: model.document())
    defer { store.close() }
    let person = try #require(store.entities.first)
    try store.write { transaction in
      for age in 1...3 {
        var object = DynamicObject(person)
        object["age"] = .integer(Int64(age))
        try transaction.put(object)
      }
      try transaction.link(person.relations[0], 1, 2)
    }
  }

  private var data: String { directory.path(of: "data") }
  private var place: Workspace { directory.place() }

  private func remove(
    _ selection: ObjectSelection, _ change: (inout EditOptions) -> Void
  ) throws -> EditReport {
    var request = RemoveRequest(data, "Person", selection)
    change(&request.options)
    return try request.run(in: place)
  }

  private func exists(_ name: String) -> Bool {
    (try? SourceFile.read(directory.path(of: name))) != nil
  }

  @Test func aDryRunSaysThatTheFileExists() throws {
    try directory.write("", to: "lost.ndjson")
    for isDryRun in [true, false] {
      let failure = #expect(throws: CommandFailure.self) {
        try remove(.all) {
          ($0.isDryRun, $0.consent.savePath) = (isDryRun, directory.path(of: "lost.ndjson"))
          $0.consent.isAssumed = true
        }
      }
      #expect(failure?.kind == .usage)
      #expect(failure?.message.contains("exists already") == true)
    }
  }

  @Test(arguments: [false, true])
  func aFileThatAppearsDuringTheQuestionStays(isLink: Bool) throws {
    let path = directory.path(of: "lost.ndjson")
    try directory.write("precious", to: "other")
    let failure = #expect(throws: CommandFailure.self) {
      try remove(.condition("age > 1")) {
        $0.consent.savePath = path
        $0.confirm = { _ in
          if isLink {
            #expect(symlink("other", path) == 0)
          } else {
            try directory.write("precious", to: "lost.ndjson")
          }
        }
      }
    }
    #expect(failure?.message.contains("exists already") == true)
    #expect(try SourceFile.read(path).bytes == Array("precious".utf8))
    #expect(try remove(.all) { $0.isDryRun = true }.removed == 3)
  }

  @Test func aSavedFileGoesWithAChangeThatFails() throws {
    let path = directory.path(of: "lost.ndjson")
    let store = try ObjectStore.open(.directory(data))
    defer { store.close() }
    func saved() throws -> SavedLoss {
      try directory.write("saved", to: "lost.ndjson")
      return try store.read { SavedLoss(path, in: $0) }
    }
    let state = try store.status().lastTransaction
    try saved().discard { state }
    #expect(!exists("lost.ndjson"))
    // The change may have been made, nobody knows, or the file is another one.
    try saved().discard { state + 1 }
    #expect(exists("lost.ndjson"))
    try saved().discard { throw StoreError.closed }
    #expect(exists("lost.ndjson"))
    let old = try saved()
    try directory.write("other", to: "other.ndjson")
    #expect(rename(directory.path(of: "other.ndjson"), path) == 0)
    old.discard { state }
    #expect(exists("lost.ndjson"))
  }

  @Test func anEntityWithTheNameOfTheHeaderComesBack() async throws {
    directory.removeEverything("data")
    try Self.fill(data, entity: DumpFormat.envelopeKey)
    let lines = try await directory.export(to: "lines.ndjson")
    #expect(lines.outcome == .failed(.usage))
    #expect(!exists("lines.ndjson"))
    let before = try await directory.export(to: "before.json") { $0.options.shape = .document }
    #expect(before.outcome == .success, "\(before.messages)")
    var request = RemoveRequest(data, DumpFormat.envelopeKey, .all)
    request.options.consent.isAssumed = true
    request.options.consent.savePath = directory.path(of: "lost.json")
    #expect(try request.run(in: place).removed == 3)
    let back = try await directory.load("lost.json") { $0.options.mode = .replace }
    #expect(back.outcome == .success, "\(back.messages)")
    let difference = try await directory.compareDumps("before.json", "store:data")
    #expect(difference.outcome == .success, "\(difference.text)")
  }

  /// The object that got the value lost nothing, and has to give it back.
  @Test func aUniqueValueThatMovedComesBack() async throws {
    directory.removeEverything("data")
    let model = TestModel(
      .init(
        name: "Order", uid: 1000,
        fields: [.init(name: "number", type: .long, flags: [.indexed, .unique], uid: 1010)]))
    let store = try ObjectStore.open(.directory(data), model: model.document())
    try store.write { transaction in
      var order = DynamicObject(try store.entity(named: "Order"))
      try transaction.put(order)
      order["number"] = .integer(5)
      try transaction.put(order)
    }
    store.close()
    let before = try await directory.export(to: "before.ndjson")
    #expect(before.outcome == .success, "\(before.messages)")
    try directory.write("{\"id\":2,\"number\":6}\n{\"id\":1,\"number\":5}\n", to: "in.ndjson")
    let moved = try await directory.load("in.ndjson") {
      ($0.options.mode, $0.options.entity) = (.upsert, "Order")
      $0.consent.savePath = directory.path(of: "lost.ndjson")
    }
    #expect(moved.outcome == .success, "\(moved.messages)")
    let back = try await directory.load("lost.ndjson") { $0.options.mode = .replace }
    #expect(back.outcome == .success, "\(back.messages)")
    let difference = try await directory.compareDumps("before.ndjson", "store:data")
    #expect(difference.outcome == .success, "\(difference.text)")
  }

  // MARK: - Rejects

  @discardableResult
  private func load(
    lost: (Loss) -> Void = { _ in }, _ change: (inout ImportRequest) -> Void
  ) throws -> ImportSummary {
    try directory.write("{\"id\":2,\"age\":7}\n{\"id\":3,\"age\":\"x\"}\n", to: "in.ndjson")
    var request = ImportRequest(directory.path(of: "in.ndjson"), into: data)
    request.options.mode = .replace
    request.options.entity = "Person"
    request.options.maximumErrors = .max
    request.catalogue = nil
    change(&request)
    return try request.run(in: place, lost: lost, report: { _ in })
  }

  @Test func theRestOfAnInterruptedImportHasNoCode() throws {
    #expect(throws: (any Error).self) {
      try load { ($0.options.maximumErrors, $0.options.batch) = (nil, 1) }
    }
    var found: Loss?
    let dry = try load(lost: { found = $0 }) {
      ($0.options.isDryRun, $0.options.resumes, $0.options.batch) = (true, true, nil)
    }
    #expect(dry.wasResumed)
    #expect(found == nil)
    let failure = #expect(throws: CommandFailure.self) {
      try load { ($0.options.resumes, $0.consent.expected) = (true, 1) }
    }
    #expect(failure?.kind == .usage)
    #expect(try load { $0.options.resumes = true }.rejected == 1)
  }

  @Test(arguments: [
    "rejects", "./rejects", "rejects.reasons", "link/rejects", "byLink", "here/rejects",
  ])
  func rejectsAndWhatIsLostAreTwoFiles(name: String) throws {
    #expect(symlink(directory.path, directory.path(of: "link")) == 0)
    #expect(symlink("rejects", directory.path(of: "byLink")) == 0)
    #expect(symlink(".", directory.path(of: "here")) == 0)
    let before = try SourceFile.read(data + "/data.mdb").bytes
    let failure = #expect(throws: CommandFailure.self) {
      try load {
        $0.rejects = directory.path(of: "rejects")
        $0.consent.savePath = directory.path(of: name)
        $0.consent.isAssumed = true
      }
    }
    #expect(failure?.kind == .usage)
    #expect(try SourceFile.read(data + "/data.mdb").bytes == before)
    #expect(!exists("rejects") && !exists("rejects.reasons"))
  }

  @Test func aRefusedImportLeavesNoRejects() throws {
    let rejects = directory.path(of: "rejects")
    func attempt(_ expected: Int) throws -> ImportSummary {
      try load {
        $0.rejects = rejects
        ($0.consent.expected, $0.consent.isAssumed) = (expected, true)
      }
    }
    let failure = #expect(throws: CommandFailure.self) { try attempt(5) }
    #expect(failure?.kind == .impossible)
    #expect(!exists("rejects") && !exists("rejects.reasons"))
    #expect(try attempt(1).rejected == 1)
    #expect(exists("rejects") && exists("rejects.reasons"))
  }

  @Test func noCodeFitsAStoreThatDoesNotExist() throws {
    directory.removeEverything("data")
    let failure = #expect(throws: CommandFailure.self) {
      try load {
        $0.consent.code = LossCode("0000-0000")
        $0.model = directory.path(of: "model.json")
      }
    }
    #expect(failure?.kind == .impossible)
  }

  // MARK: - The data file

  @Test func aRestoredBackupHasCodesOfItsOwn() throws {
    let code = try remove(.all) { $0.isDryRun = true }.loss?.code
    let backup = directory.path(of: "backup")
    _ = try StoreBackup(of: data, to: backup).run(StoreAccess(), SilentObserver())
    // The file system may give the number of a removed file again.
    for _ in 0..<3 {
      directory.removeEverything("data")
      _ = try StoreBackup(of: backup, to: data).run(StoreAccess(), SilentObserver())
      let now = try remove(.all) { $0.isDryRun = true }.loss?.code
      let birth = StoreFiles(data).dataIdentity[2]
      #expect(now != code || birth == 0)
    }
    // Its own code stays.
    let now = try remove(.all) { $0.isDryRun = true }.loss?.code
    #expect(try remove(.all) { $0.isDryRun = true }.loss?.code == now)
  }
}
