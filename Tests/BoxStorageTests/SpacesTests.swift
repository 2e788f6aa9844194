import TestSupport
import Testing

@testable import BoxStorage

struct SpacesTests {
  @Test func recordsComeBackInOrder() throws {
    let directory = try TemporaryDirectory()
    let storage = try StorageLocation.directory(directory.path(of: "store")).open(StorageOptions())
    let transaction = try storage.beginWrite()
    let space = try #require(try transaction.openSpace("numbers", .records, create: true))
    for key in [3, 1, 1 << 40, 2] as [UInt64] {
      try withUnsafeBytes(of: key * 10) { try transaction.put(space, key, $0, .replace) }
    }
    try transaction.commit()
    let reading = try storage.beginRead()
    var keys: [UInt64] = []
    try reading.records(space, from: nil, .backward) { key, value in
      #expect(value.loadUnaligned(as: UInt64.self) == key * 10)
      keys.append(key)
      return .next
    }
    reading.abort()
    #expect(keys == [1 << 40, 3, 2, 1])
  }
}
