import BoxConvert
import BoxEngine
import BoxJSON
import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxStoreTool

/// Values in stores, counted by the converters of a catalogue.
struct ConverterScanTests {
  private let directory: TemporaryDirectory
  private let observer = RecordingObserver()

  init() throws {
    directory = try CatalogueSample.directory()
  }

  private var place: Workspace {
    Workspace(git: GitClient(in: directory.path), directory: directory.path, observer: observer)
  }

  private func replace(_ old: String, _ new: String) throws {
    let text = try directory.text(of: "converters.yml")
    #expect(text.contains(old))
    let parts = text.split(separator: old, maxSplits: 1, omittingEmptySubsequences: false)
    try directory.write(parts.joined(separator: new), to: "converters.yml")
  }

  /// The kind of the failure that a call ends with; nil if it has none.
  private func kind(_ body: () throws -> Void) throws -> FailureKind? {
    do { try body() } catch let failure as CommandFailure { return failure.kind }
    return nil
  }

  @Test(.enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable))
  func theScanCountsAndShowsExamples() async throws {
    let data = directory.path(of: "data")
    let store = try ObjectStore.open(
      .directory(data), model: ModelDocument(parsing: Array(CatalogueSample.model.utf8)))
    let user = try store.entity(named: "User")
    try store.write { transaction in
      for role in [0, 1, 2, 2, 7, 7] as [Value] {
        var object = DynamicObject(user)
        object["role"] = role
        object["joined"] = 1_709_208_000_000
        try transaction.put(object)
      }
      try transaction.put(DynamicObject(user))
    }
    store.close()
    let scan = try ConverterScanRequest(data).run(in: place)
    #expect(scan.hasFindings)
    #expect(
      scan.text == """
        PROPERTY     KNOWN  UNKNOWN  MALFORMED  MISSING
        User.role        4        2          0        1
        User.joined      6        0          0        1

        User.role: one of reader, author, admin
          unknown 7 in 2 objects, first User 5

        """)
    #expect(
      try await SchemaValidator.violations(
        of: Array(scan.json.displayText.utf8), against: "converter-scan.schema.json") == "")
    let again = try ObjectStore.open(.directory(data))
    try again.write { transaction in
      for id in [5, 6] as [UInt64] { try transaction.remove(again.entity(named: "User"), id) }
    }
    again.close()
    #expect(try !ConverterScanRequest(data).run(in: place).hasFindings)
    #expect(observer.lines.isEmpty, "\(observer.lines)")
  }

  @Test func theScanSaysWhatDoesNotFit() throws {
    let data = directory.path(of: "data")
    let store = try ObjectStore.open(
      .directory(data), model: ModelDocument(parsing: Array(CatalogueSample.model.utf8)))
    store.close()
    func scan(_ name: String) throws -> FailureKind? {
      try kind { _ = try ConverterScanRequest(directory.path(of: name)).run(in: place) }
    }
    #expect(try scan("none") == .inputOutput)
    try replace("User.role", "User.rol")
    #expect(try scan("data") == nil)
    #expect(observer.lines.hasSuffix("note: the store has no User.rol"), "\(observer.lines)")
    try directory.write("properties: { User.role: uuid }", to: "converters.yml")
    let unfit = #expect(throws: CommandFailure.self) {
      try ConverterScanRequest(data).run(in: place)
    }
    #expect(unfit?.kind == .impossible)
    #expect(unfit?.position?.column == 26)
    #expect(unfit?.message.hasPrefix("User.role: a converter of") ?? false)
    try directory.write("properties: { User.role: uuid # }", to: "converters.yml")
    #expect(try scan("data") == .badConfiguration)
    #expect(try scan("none") == .badConfiguration)
  }
}
