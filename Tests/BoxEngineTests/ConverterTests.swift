import BoxConvert
import BoxEngine
import BoxJSON
import BoxModel
import BoxStorage
import TestSupport
import Testing

/// Converters over a store.
struct ConverterTests {
  private let directory: TemporaryDirectory
  private let store: ObjectStore
  private let user: EntitySchema

  init() throws {
    directory = try TemporaryDirectory()
    store = try ObjectStore.open(
      .directory(directory.path(of: "store")), model: ModelDocument(parsing: Array(Self.model.utf8))
    )
    user = try store.entity(named: "User")
  }

  private func put(_ role: Value, _ name: Value) throws {
    try store.write { transaction in
      var object = DynamicObject(user)
      object["role"] = role
      object["name"] = name
      try transaction.put(object)
    }
  }

  @Test func theScanCountsWhatIsStored() throws {
    for role in [1, 2, 1, 9, 9, 8, 7] as [Value] { try put(role, "https://example.org/") }
    try put(.null, "no URL at all")
    try put(1, "nor this")
    let catalogue = try Catalogue([
      "properties": [
        "User.name": "url", "user.ROLE": ["type": "enum", "values": ["a": 1, "b": 2]],
        "Other.name": "url", "User.nothing": "url",
      ]
    ])
    var progress: [Int] = []
    let scans = try store.scan(catalogue, examples: 2) { _, done, total in
      progress.append(done)
      #expect(total == 9)
    }
    #expect(progress.last == 9)
    #expect(scans.map(\.property) == ["name", "role"])
    #expect(scans.map(\.known) == [7, 4])
    #expect(scans.map(\.unknown) == [0, 4])
    #expect(scans.map(\.malformed) == [2, 0])
    #expect(scans.map(\.missing) == [0, 1])
    #expect(scans[1].examples.map(\.value) == [9, 8])
    #expect(scans[1].examples.map(\.count) == [2, 1])
    #expect(scans[1].examples.map(\.id) == [4, 6])
    #expect(scans[0].examples.map(\.kind) == [.malformed, .malformed])
  }

  @Test func aConverterThatDoesNotFitIsAnError() throws {
    let catalogue = try Catalogue(["properties": ["User.role": "uuid"]])
    let error = #expect(throws: StoreError.self) { try store.scan(catalogue) }
    guard case .incompatibleConverter = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  /// As the documents have it: a converter must not touch a store.
  @Test(.promise(66)) func aStoreIsRefusedInsideAConverter() throws {
    let errors = Errors()
    let store = store
    let path = directory.path(of: "store")
    let converter = FunctionConverter<Int, Int>(
      store: { number in
        errors.note { try store.write { _ in } }
        return number
      },
      load: { (number: Int?) in
        errors.note { try store.read { _ in } }
        errors.note { _ = try ObjectStore.open(.directory(path)) }
        return number ?? 0
      })
    #expect(try converter.read(3) == 3)
    #expect(errors.all == [.usedWhileCoding, .usedWhileCoding])
    #expect(try converter.write(3) == 3)
    #expect(errors.all == [.usedWhileCoding, .usedWhileCoding, .usedWhileCoding])
    // Inside a transaction too, and not behind the converter.
    try store.read { _ in _ = try converter.read(3) }
    #expect(errors.all.count == 5)
    try store.read { _ in }
  }

  /// The errors that closures threw, on one thread.
  private final class Errors: @unchecked Sendable {
    // Only the thread of the test calls the converter.
    private(set) var all: [StoreError] = []

    func note(_ body: () throws -> Void) {
      do {
        try body()
      } catch let error as StoreError {
        all.append(error)
      } catch {
        Issue.record("\(error)")
      }
    }
  }

  private static let model = #"""
    {
      "entities": [
        {
          "id": "1:1000", "lastPropertyId": "3:1003", "name": "User",
          "properties": [
            { "id": "1:1001", "name": "id", "type": 6, "flags": 1 },
            { "id": "2:1002", "name": "role", "type": 5 },
            { "id": "3:1003", "name": "name", "type": 9 }
          ],
          "relations": []
        }
      ],
      "lastEntityId": "1:1000", "lastIndexId": "0:0", "lastRelationId": "0:0",
      "lastSequenceId": "0:0", "modelVersion": 5, "modelVersionParserMinimum": 5,
      "retiredEntityUids": [], "retiredIndexUids": [], "retiredPropertyUids": [],
      "retiredRelationUids": [], "version": 1
    }
    """#
}
