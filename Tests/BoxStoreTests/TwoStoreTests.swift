import BoxStore
import TestSupport
import Testing

/// Objects of one type in two stores, where CoreStore has two configurations of one stack.
struct TwoStoreTests {
  private let first: Box<Setting>
  private let second: Box<Setting>

  init() throws {
    first = try SampleStore.inMemory().box()
    second = try SampleStore.inMemory().box()
    try first.put((1...5).map { Setting("first \($0)", Int32($0)) })
    try second.put((1...3).map { Setting("second \($0)", Int32($0)) })
  }

  @Test(.promise(384, 385)) func eachIsFetchedAlone() throws {
    for (box, word, counts) in [(first, "first", [5, 4]), (second, "second", [3])] {
      let query = try box.query { Setting.count > 2 && Setting.key.startsWith(word) }
        .ordered(by: .descending(Setting.count)).build()
      let found = try query.find().map(\.count)
      #expect(Array(found.prefix(counts.count)).map(Int.init) == counts)
      #expect(try query.count() == found.count)
      #expect(try query.findFirst()?.key == "\(word) \(counts[0])")
      #expect(try query.findIds().first?.value == UInt64(counts[0]))
      #expect(try query.find(offset: 1, limit: 1).map(\.count) == Array(found[1...].prefix(1)))
    }
    let ofTheOther = try second.query { Setting.key.startsWith("first") }.build()
    #expect(try ofTheOther.find().isEmpty && ofTheOther.findFirst() == nil)
  }

  @Test(.promise(384)) func changingOneDoesNotChangeTheOther() throws {
    try first.store.runInTransaction { transaction in
      try first.put(Setting("first 1", 9, id: 1))
      try first.remove([2, 3] as [Id])
      // Another store has transactions of its own, also inside of this one.
      try second.store.runInTransaction { inner in
        #expect(!inner.hasChanges)
        try second.put(Setting("second 4", 4))
        #expect(inner.changes(of: Setting.self).inserted == [4])
      }
      #expect(transaction.changes(of: Setting.self).inserted.isEmpty)
      #expect(transaction.changes(of: Setting.self).removed == [2, 3])
    }
    #expect(try first.all().map(\.count) == [9, 4, 5])
    #expect(try second.all().map(\.count) == [1, 2, 3, 4])
  }

  @Test(.promise(384)) func aCancelledTransactionOfOneKeepsWhatTheOtherCommitted() throws {
    #expect(throws: CancellationError.self) {
      try first.store.runInTransaction { transaction in
        try first.removeAll()
        try second.store.runInTransaction { try second.removeAll() }
        try transaction.cancel()
      }
    }
    #expect(try first.count() == 5)
    #expect(try second.isEmpty())
  }
}
