import BoxModel
import BoxStorage
import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import BoxEngine

/// Closing a store: nothing begins any more, and what runs ends.
struct ClosingTests {
  private let fixture: StoreFixture

  init() throws {
    fixture = try StoreFixture()
    try fixture.with(PeopleModel.document()) { try PeopleModel.fill($0) }
  }

  /// Whether no process has the files of the store open, which the lock of the store tells.
  private var isUnused: Bool {
    do {
      try ObjectStore.requireUnused(fixture.path)
      return true
    } catch {
      return false
    }
  }

  private func pets(_ store: ObjectStore) throws -> Int {
    try store.read { try $0.count(store.entity(named: "Pet")) }
  }

  @Test func theFilesAreClosedAtOnce() throws {
    let store = try fixture.open()
    #expect(!isUnused)
    #expect(!store.isClosed)
    store.close()
    #expect(store.isClosed)
    #expect(isUnused)
    store.close()
    #expect(isUnused)
  }

  @Test(
    arguments: StoreOperation.all.filter {
      !["entity", "observe", "keepHearing"].contains($0.name)
    })
  func laterCalls(_ operation: StoreOperation) throws {
    let store = try fixture.open()
    store.close()
    #expect(throws: StoreError.closed) { try operation.run(store) }
    #expect(isUnused)
  }

  @Test func aLaterSubmission() async throws {
    let store = try fixture.open()
    store.close()
    await #expect(throws: StoreError.closed) {
      try await store.submit { _ = try $0.put("Pet", ["name": "Mia"]) }
    }
  }

  /// With other options than those of an opening that is not closed, it would be refused.
  @Test func reopeningAtOnce() throws {
    for number in 0..<100 {
      var options = StoreOptions()
      options.storage.maximumReaders = 10 + number % 2
      let store = try fixture.open(nil, options)
      #expect(try pets(store) == 1)
      store.close()
    }
  }

  @Test func inATransactionThatWrites() throws {
    let store = try fixture.open()
    try store.write { (transaction) throws in
      try transaction.put("Pet", ["name": "Mia"])
      store.close()
      // The transaction and calls within it continue.
      try store.write { try $0.put("Pet", ["name": "Tom"]) }
      #expect(try pets(store) == 3)
      #expect(!isUnused)
    }
    #expect(isUnused)
    #expect(throws: StoreError.closed) { try store.read { _ in } }
    #expect(try fixture.with { try pets($0) } == 3)
  }

  @Test func inATransactionThatReads() throws {
    let store = try fixture.open()
    try store.read { (transaction) throws in
      store.close()
      #expect(try transaction.find("Person", "name", .string("Ada")) == [1])
      #expect(!isUnused)
    }
    #expect(isUnused)
  }

  @Test func inATransactionThatFails() throws {
    let store = try fixture.open()
    #expect(throws: TestFailure.self) {
      try store.write { (transaction) throws in
        try transaction.put("Pet", ["name": "Mia"])
        store.close()
        throw TestFailure("stop")
      }
    }
    #expect(isUnused)
    #expect(try fixture.with { try pets($0) } == 1)
  }

  @Test func anotherOpening() throws {
    let (first, second) = (try fixture.open(), try fixture.open())
    first.close()
    #expect(throws: StoreError.closed) { try first.read { _ in } }
    #expect(try pets(second) == 1)
    #expect(!isUnused)
    second.close()
    #expect(isUnused)
  }

  /// A model that was to be applied with the first write is not applied.
  @Test(arguments: [false, true]) func beforeTheFirstWrite(inARead: Bool) throws {
    let changed = try PeopleModel.document().changed {
      try $0.add("color", .string, uid: 100_960, to: "Pet")
    }
    var options = StoreOptions()
    options.appliesModelOnFirstWrite = true
    let store = try fixture.open(changed, options)
    if inARead {
      try store.read { (transaction) throws in
        store.close()
        #expect(try transaction.value("Pet", 1, "name") == .string("Rex"))
      }
    } else {
      store.close()
    }
    #expect(throws: StoreError.closed) { try store.write { _ in } }
    #expect(isUnused)
    let model = try fixture.with { try $0.read { try $0.modelText() } }
    #expect(model == (try PeopleModel.document().bytes))
  }

  /// Threads that read and write while the store is closed see whole transactions or the error, and
  /// the last one closes the files.
  @Test func whileThreadsUseIt() throws {
    for round in 0..<20 {
      let store = try fixture.open()
      let before = try pets(store)
      let written = Atomic(0)
      let begun = Atomic(0)
      let errors = Mutex<[any Error]>([])
      let group = DispatchGroup()
      for thread in 0..<6 {
        DispatchQueue.global().async(group: group) {
          do {
            while true {
              if thread < 2 {
                try store.write { try $0.put("Pet", ["name": "Mia"]) }
                written.add(1, ordering: .relaxed)
              } else {
                try store.read { (transaction) throws in
                  let pet = try store.entity(named: "Pet")
                  #expect(try transaction.get(pet, 1) != nil)
                }
              }
              begun.add(1, ordering: .relaxed)
            }
          } catch {
            errors.withLock { $0.append(error) }
          }
        }
      }
      while begun.load(ordering: .relaxed) < round * 5 {}
      store.close()
      group.wait()
      let found = errors.withLock { $0.map { $0 as? StoreError } }
      #expect(found == Array(repeating: .closed, count: 6))
      #expect(isUnused)
      let after = try fixture.with { try pets($0) }
      #expect(after == before + written.load(ordering: .relaxed))
    }
  }
}
