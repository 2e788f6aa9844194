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

/// Stores that are listed, verified, copied and compacted.
struct StoreUpkeepTests {
  private let directory: TemporaryDirectory
  private static let dataFile = "data/" + StoreFiles.dataName

  /// 999 tags; number 7 was removed.
  init() throws {
    directory = try TemporaryDirectory()
    let model = TestModel(
      .init(
        name: "Tag", uid: 1000,
        fields: [.init("name", 1002, .string), .init("rank", 1004, .long, .indexed)]))
    let store = try ObjectStore.open(
      .directory(directory.path(of: "data")), model: model.document())
    defer { store.close() }
    let entity = try store.entity(named: "Tag")
    try store.write { transaction in
      for number in 1...1000 {
        var tag = DynamicObject(entity)
        tag["name"] = .string("tag \(number)")
        tag["rank"] = .integer(Int64(number % 10))
        try transaction.put(tag)
      }
    }
    try store.write { _ = try $0.remove(entity, 7) }
  }

  // MARK: - Requests

  private func information(_ name: String = "data") throws -> StoreInformation {
    let (information, damage) = try StoreInformation.read(
      directory.path(of: name), StoreAccess(), SilentObserver())
    #expect(damage == nil)
    return information
  }

  private func verify(_ name: String) async throws -> RequestRun {
    try await directory.run { place in
      let report = try StoreVerification.report(
        directory.path(of: name), limit: 100, place.observer)
      return (report.findings.isEmpty ? .success : .findings, report.render(.text))
    }
  }

  private func backUp(
    _ name: String, to target: String, _ observer: RecordingObserver = RecordingObserver()
  ) async throws -> RequestRun {
    try await directory.run(observer) { place in
      let backup = try StoreBackup(of: directory.path(of: name), to: directory.path(of: target))
      let result = try backup.run(StoreAccess(), place.observer)
      return (result.findings.isEmpty ? .success : .findings, bytesText(result.size))
    }
  }

  private func compact(
    _ name: String, _ observer: RecordingObserver = RecordingObserver()
  ) async throws -> RequestRun {
    try await directory.run(observer) { place in
      let compaction = StoreCompaction(of: directory.path(of: name))
      return (.success, try compaction.run(StoreAccess(), place.observer).text)
    }
  }

  /// Every object of a store, as text.
  private func contents(_ name: String) throws -> [String] {
    var options = StoreOptions()
    options.storage.isReadOnly = true
    let store = try ObjectStore.open(.directory(directory.path(of: name)), options: options)
    defer { store.close() }
    var objects: [String] = []
    try store.read { transaction in
      for entity in store.entities {
        try transaction.visitObjects(entity) { object in
          objects.append("\(entity.name) \(object.id) \(object.values)")
          return .next
        }
      }
    }
    return objects
  }

  private func size(_ name: String) throws -> Int {
    var attributes = stat()
    if stat(directory.path(of: name), &attributes) != 0 { throw TestFailure("there is no \(name)") }
    return Int(attributes.st_size)
  }

  // MARK: - Reading

  @Test(.enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable))
  func informationAsJSONFollowsItsSchema() async throws {
    let json = try information().json.displayText
    #expect(
      try await SchemaValidator.violations(
        of: Array(json.utf8), against: "store-info.schema.json") == "")
  }

  @Test func informationNamesEveryPartWithItsSize() throws {
    let text = try information().text
    let lines = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(lines.contains { $0.starts(with: ["Tag", "entity", "999"]) && $0.last == "1,000" })
    #expect(lines.contains { $0.starts(with: ["rank", "index", "999"]) && $0.last == "value" })
    #expect(lines.contains { $0.starts(with: ["readers", "0", "of", "126"]) })
  }

  @Test func verificationFindsNothingAndThenTheByteThatChanged() async throws {
    #expect(try await verify("data").only(.success, "no problems in 1 store\n"))
    var bytes = try directory.bytes(of: Self.dataFile)
    let text = Array("tag 500".utf8)
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: text) })
    bytes[place] ^= 1
    try directory.write(bytes, to: Self.dataFile)
    let damaged = try await verify("data")
    #expect(damaged.outcome == .findings)
    #expect(damaged.text.hasPrefix("data: error: Tag 500 is damaged"))
    #expect(damaged.text.contains("[BOX702 damaged-record]"))
  }

  // MARK: - Copies

  @Test func aBackupIsAStoreOfItsOwnAndNeverReplacesOne() async throws {
    #expect(try await backUp("data", to: "copy").outcome == .success)
    #expect(try await verify("copy").outcome == .success)
    #expect(try contents("copy") == contents("data"))
    let again = try await backUp("data", to: "copy")
    #expect(again.outcome == .failed(.impossible))
    #expect(
      again.messages == "boxjoint: copy: a store already exists there; name another directory\n")
  }

  @Test func theDirectoriesOfABackupAreMade() async throws {
    let run = try await backUp("data", to: "backups/2026-11-21/")
    #expect(run.outcome == .success, "\(run.messages)")
    #expect(try contents("backups/2026-11-21") == contents("data"))
  }

  @Test func progressEndsWithAll() async throws {
    let observer = RecordingObserver()
    #expect(try await backUp("data", to: "copy", observer).outcome == .success)
    let copied = try #require(observer.updates.last)
    let size = try size("copy/" + StoreFiles.dataName)
    #expect([copied.done, copied.total] == [size, size])
    #expect(try await compact("data", observer).outcome == .success)
    let written = try #require(observer.updates.last)
    let compacted = try self.size(Self.dataFile)
    #expect([written.done, written.total] == [compacted, compacted])
  }

  // MARK: - Compaction

  @Test func compactingKeepsEveryObjectAndFreesPages() async throws {
    let before = try contents("data")
    let run = try await compact("data")
    #expect(run.outcome == .success)
    #expect(run.text.hasSuffix(" now\n"))
    #expect(try contents("data") == before)
    #expect(
      directory.names(in: "data") == [
        StoreFiles.dataName, StoreFiles.readersName, StoreFiles.lockName,
      ])
  }

  @Test func aLinkToADataFileIsNotCompacted() async throws {
    let link = "linked/" + StoreFiles.dataName
    try directory.write("", to: "linked/.keep")
    symlink("../" + Self.dataFile, directory.path(of: link))
    let before = try directory.bytes(of: Self.dataFile)
    let run = try await compact("linked")
    #expect(run.outcome == .failed(.impossible))
    #expect(run.messages.contains("\(link) is a symbolic link"))
    #expect(try directory.bytes(of: Self.dataFile) == before)
  }

  // MARK: - Directories that are not stores

  /// One check comes before all else, so the words are the same and nothing is made.
  @Test(arguments: 0...3)
  func aDirectoryThatIsNotAStoreIsOneLine(_ request: Int) async throws {
    let data = StoreFiles.dataName
    try directory.write("hello", to: "file")
    try directory.write(String(repeating: "x", count: 9000), to: "noise/" + data)
    try directory.write("", to: "empty/" + data)
    try directory.write("x", to: "other/thing")
    let expected: [(name: String, kind: FailureKind, words: String)] = [
      ("none", .inputOutput, "there is no store in none"),
      ("other", .inputOutput, "there is no store in other"),
      (
        "file", .badInput,
        "file is a file; a store is a directory that holds data.mdb and lock.mdb"
      ),
      (
        "noise", .badInput,
        "noise/data.mdb is not a data file of LMDB on a machine like this one"
      ),
      ("empty", .badInput, "empty/data.mdb is empty: no store was created in it yet"),
    ]
    for (name, kind, words) in expected {
      let run =
        switch request {
        case 0: try await directory.run { _ in (.success, try information(name).text) }
        case 1: try await verify(name)
        case 2: try await backUp(name, to: "target")
        default: try await compact(name)
        }
      #expect(run.outcome == .failed(kind), "\(name)")
      #expect(run.text.isEmpty)
      #expect(run.messages.hasPrefix("boxjoint: \(name): \(words)"), "\(run.messages)")
      #expect(run.messages.split(separator: "\n").count == 1)
    }
    #expect(try directory.text(of: "file") == "hello")
    #expect(try directory.bytes(of: "noise/" + data).count == 9000)
    #expect(try directory.bytes(of: "empty/" + data).isEmpty)
    #expect(["noise", "empty", "other"].map { directory.names(in: $0).count } == [1, 1, 1])
    #expect(!directory.exists("target"))
    #expect(!directory.exists("none"))
  }
}
