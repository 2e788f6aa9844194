import BoxModel
import TestSupport
import Testing

@testable import BoxEngine
@testable import EngineFaultsChild

/// The result of a transaction opens again, whatever pages the transaction took and gave back.
struct ReopeningTests {
  /// Pages that a transaction takes and gives back are never written, not even the last of the file.
  @Test(arguments: [1, 10, 300, 3000])
  func objectsPutAndRemovedInOneTransaction(count: Int) throws {
    let directory = try FaultsDirectory.make()
    let path = directory.path(of: "store")
    for length in [10, 500, 5000] {
      let store = try FaultsDirectory.open(path)
      let padding = try store.entity(named: "Padding")
      try store.write { transaction in
        var object = DynamicObject(padding)
        object["text"] = .string(String(repeating: "p", count: length))
        let ids = try (0..<count).map { _ in try transaction.put(object) }
        for id in ids.reversed() { try transaction.remove(padding, id) }
      }
      #expect(try store.read { try $0.isEmpty(padding) })
    }
    #expect(try FaultsDirectory.check(path) == 0)
  }
}
