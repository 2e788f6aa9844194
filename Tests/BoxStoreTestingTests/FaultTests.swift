import BoxEngine
import BoxStore
import BoxStoreTesting
import TestSupport
import Testing

/// Operations that fail as a test wants it.
@Suite(.store(.sample))
struct FaultTests {
  private static let faults: [(StoreFault, String)] = [
    (.dbFull, "dbFull"), (.maxReadersExceeded, "maxReadersExceeded"),
    (.filePagesCorrupt, "filePagesCorrupt"), (.storageGeneral, "storageGeneral"),
  ]
  private static let operations: [StoreOperation] = [.read, .write, .put, .remove, .commit]

  /// The error of a call in which the operation occurs.
  private static func error(of operation: StoreOperation, _ box: Box<Setting>) -> (any Error)? {
    do {
      switch operation {
      case .read: _ = try box.count()
      case .remove: try box.remove(Id(1))
      default: try box.put(Setting("b", 2))
      }
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: operations, faults)
  func anOperationFailsOnce(
    _ operation: StoreOperation, _ fault: (fault: StoreFault, name: String)
  ) throws {
    let store = try Store.current
    let box = store.box(for: Setting.self)
    try box.put(Setting("a", 1))
    let before = try store.contents()
    store.fail(next: operation, with: fault.fault)
    #expect(caseName(Self.error(of: operation, box)) == fault.name)
    #expect(try store.contents() == before)
    #expect(Self.error(of: operation, box) == nil)
  }

  /// A random sequence of operations and faults, beside a dictionary.
  @Test func aFailedOperationChangesNothing() throws {
    var random = TestSeed.next()
    let store = try Store.current
    let box = store.box(for: Setting.self)
    var model: [Id: Int32] = [:]
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_TESTING_FAULTS", default: 500) {
      let (id, count) = (Id(1 + random.below(20)), Int32(random.below(1000)))
      let removes = random.oneIn(3)
      let exists = model[id] != nil
      let fails = random.oneIn(3)
      // A removal of nothing changes nothing.
      let operations: [StoreOperation] =
        removes ? (exists ? [.write, .remove, .commit] : [.write]) : [.write, .put, .commit]
      if fails { store.fail(next: random.pick(operations), with: .dbFull) }
      do {
        if removes {
          try box.remove(id)
          model[id] = nil
        } else {
          try box.put(Setting("key \(id)", count, id: id))
          model[id] = count
        }
        #expect(!fails)
      } catch {
        #expect(fails && caseName(error) == "dbFull")
      }
      let stored = try box.all().map { ($0.id, $0.count) }
      #expect(Dictionary(uniqueKeysWithValues: stored) == model)
    }
    #expect(try store.engine.verify(limit: 3).isEmpty)
  }

  @Test func faultsAreMetInTheirOrder() throws {
    let store = try Store.current
    let box = store.box(for: Setting.self)
    store.fail(next: .read, with: .maxReadersExceeded)
    store.fail(next: .read, with: .storageGeneral)
    #expect(caseName(Self.error(of: .read, box)) == "maxReadersExceeded")
    #expect(caseName(Self.error(of: .read, box)) == "storageGeneral")
    #expect(Self.error(of: .read, box) == nil)
  }

  @Test func aFaultInATransactionEndsIt() throws {
    let store = try Store.current
    let box = store.box(for: Setting.self)
    #expect(throws: ObjectBoxError.self) {
      try store.runInTransaction {
        try box.put(Setting("a"))
        store.fail(next: .put, with: .dbFull)
        _ = try? box.put(Setting("b"))
      }
    }
    #expect(try box.isEmpty())
  }

  @Test func aStoreOfAnApplicationHasNone() async throws {
    await #expect(processExitsWith: .failure) {
      let store = try Store(model: .sample, directory: "memory:application")
      store.fail(next: .put, with: .dbFull)
    }
  }
}
