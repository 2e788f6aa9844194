import BoxDump
import BoxEngine
import BoxJSON
import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxStoreTool

/// Stores that are described, exported, verified and compared by calls.
struct StoreRequestTests {
  private let directory: TemporaryDirectory
  private let observer = RecordingObserver()
  private var data: String { directory.path(of: "data") }

  /// Two people, each the friend of the other.
  init() throws {
    directory = try TemporaryDirectory()
    let store = try ObjectStore.open(
      .directory(directory.path(of: "data")),
      model: TestModel(
        .init(
          name: "Person", uid: 100, fields: [.init("name", 110, .string)],
          relations: [.init("friends", 190, to: "Person")])
      ).document())
    defer { store.close() }
    let person = try store.entity(named: "Person")
    let friends = try #require(person.relations.first)
    try store.write { transaction in
      for name in ["Ann", "Bo"] {
        var object = DynamicObject(person)
        object["name"] = .string(name)
        try transaction.put(object)
      }
      try transaction.link(friends, 1, 2)
      try transaction.link(friends, 2, 1)
    }
  }

  private var place: Workspace {
    Workspace(git: GitClient(in: directory.path), directory: directory.path, observer: observer)
  }

  private func rename(_ id: UInt64, _ name: String) throws {
    let store = try ObjectStore.open(.directory(data))
    defer { store.close() }
    var object = DynamicObject(try store.entity(named: "Person"))
    object.id = id
    object["name"] = .string(name)
    try store.write { try $0.put(object) }
  }

  @Test func anExportIsWholeAndTheSameAsItsStore() throws {
    let dump = directory.path(of: "people.ndjson")
    let report = try ExportRequest(data, to: dump).run(in: place)
    #expect(
      report.text
        == "exported 2 objects of 1 entity and 2 entries of 1 relation to \(dump)\n")
    #expect(report.complaints.isEmpty)
    let verified = try DumpVerificationReport(
      of: dump, limits: DecompressionLimits(), SilentObserver())
    #expect(verified.isWhole)
    #expect(verified.text.hasPrefix("\(dump) is complete: 2 objects of 1 entity, 2 entries of"))
    let same = try DumpComparison(from: dump, to: "store:" + data).run(SilentObserver())
    #expect(same.isSame)
    #expect(same.text == "no differences\n")
    try rename(2, "Cy")
    var request = DumpComparison(from: dump, to: "store:" + data)
    let changed = try request.run(SilentObserver())
    #expect(!changed.isSame)
    #expect(
      changed.text == """
        ~ Person 2
            name: "Bo" -> "Cy"
        Person: 0 added, 0 removed, 1 changed, 1 the same

        """)
    request.limit = 0
    #expect(try request.run(SilentObserver()).text.hasPrefix("and 1 more\n"))
    #expect(observer.lines.isEmpty, "\(observer.lines)")
  }

  @Test func aDumpThatIsCutOffIsAFinding() throws {
    let dump = directory.path(of: "people.ndjson")
    _ = try ExportRequest(data, to: dump).run(in: place)
    let bytes = try directory.bytes(of: "people.ndjson")
    try directory.write(Array(bytes.dropLast(30)), to: "short.ndjson")
    let short = try DumpVerificationReport(
      of: directory.path(of: "short.ndjson"), limits: DecompressionLimits(), SilentObserver())
    #expect(!short.isWhole)
    try directory.write(Array(bytes.prefix(30)), to: "head.ndjson")
    let failure = #expect(throws: CommandFailure.self) {
      try DumpVerificationReport(
        of: directory.path(of: "head.ndjson"), limits: DecompressionLimits(), SilentObserver())
    }
    #expect(failure?.kind == .finding)
  }

  @Test func anExportDoesNotReplaceItsStoreOrItsInput() throws {
    for output in [data + "/data.mdb", data + "/x.ndjson"] {
      let failure = #expect(throws: CommandFailure.self) {
        try ExportRequest(data, to: output).run(in: place)
      }
      #expect(failure?.kind == .usage)
    }
    try directory.write("properties: {}\n", to: "enums.yml")
    var request = ExportRequest(data, to: directory.path(of: "enums.yml"))
    request.catalogue = CatalogueChoice(directory.path(of: "enums.yml"))
    #expect(throws: CommandFailure.self) { try request.run(in: place) }
    #expect(try directory.text(of: "enums.yml") == "properties: {}\n")
  }

  /// Half a dump is not left behind.
  @Test func aFailedExportRemovesItsDirectory() throws {
    var request = ExportRequest(data, to: directory.path(of: "dump"))
    request.options.shape = .directory
    request.options.entities = ["Nobody"]
    #expect(throws: (any Error).self) { try request.run(in: place) }
    #expect(!directory.exists("dump"))
  }

  @Test func informationAndVerification() throws {
    let (information, damage) = try StoreInformation.read(data, StoreAccess(), observer)
    #expect(damage == nil)
    #expect(information.statistics.entities.map(\.name) == ["Person"])
    #expect(information.statistics.entities.first?.objects.entries == 2)
    let report = try StoreVerification.report(data, limit: 100, observer)
    #expect(report.findings.isEmpty)
    #expect(report.checkedPaths == [data])
    for work in [
      { _ = try StoreInformation.read(directory.path(of: "none"), StoreAccess(), observer) },
      { _ = try StoreVerification.report(directory.path(of: "none"), limit: 1, observer) },
    ] {
      let failure = #expect(throws: CommandFailure.self) { try work() }
      #expect(failure?.kind == .inputOutput)
    }
    #expect(!directory.exists("none"))
  }
}
