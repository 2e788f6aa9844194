import BoxEngine
import BoxMigration
import BoxModel
import BoxStorage
import Synchronization
import TestSupport
import Testing

/// Before its file is replaced a store is verified, and as little as possible is done twice for it.
struct OneVerificationTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.path(of: "store") }

  private static func model(_ type: PropertyType, name: String = "age") throws -> ModelDocument {
    try TestModel(
      .init(name: "Person", uid: 100, fields: [.init(name, 111, type)])
    ).document()
  }

  init() throws {
    directory = try TemporaryDirectory()
    let store = try ObjectStore.open(
      .directory(directory.path(of: "store")), model: Self.model(.int))
    let person = try store.entity(named: "Person")
    try store.write { transaction in
      for number in 0..<500 {
        var object = DynamicObject(person)
        object["age"] = .integer(Int64(number))
        try transaction.put(object)
      }
    }
  }

  /// The walks over the pages that work with a check of the pages makes.
  private func walks(_ work: (StorageOptions) throws -> Void) throws -> Int {
    let ends = Ends()
    var options = StorageOptions()
    options.pageCheck = PageCheck { done, total in if done == total { ends.count() } }
    try work(options)
    return ends.number
  }

  private final class Ends: Sendable {
    private let ends = Mutex(0)
    func count() { ends.withLock { $0 += 1 } }
    var number: Int { ends.withLock { $0 } }
  }

  private final class Steps: Sendable {
    private let steps = Mutex<Set<VerificationStep>>([])
    @Sendable func take(_ step: VerificationStep, _ done: Int, _ total: Int) {
      steps.withLock { _ = $0.insert(step) }
    }
    var met: Set<VerificationStep> { steps.withLock { $0 } }
  }

  @Test func aHeavyMigrationWalksOverThePagesOnce() throws {
    let made = try walks { options in
      let route = try MigrationRoute([
        .init("a", Self.model(.long)), .init("b", Self.model(.long, name: "years")),
      ])
      var run = MigrationRun(path, route)
      run.options.storage = options
      run.verifiesFirst = true
      #expect(try run.pending().map(\.kind) == [.heavy, .light])
      try run.carryOut()
    }
    // The file that was put in its place is another one.
    #expect(made == 2)
    #expect(try ObjectStore.verify(path).isEmpty)
  }

  @Test func aCompactionWalksOverThePagesOnce() throws {
    #expect(try walks { try ObjectStore.compact(path, options: $0) } == 1)
  }

  @Test func openingAndVerifyingWalkOverThePagesOnce() throws {
    let made = try walks { storage in
      var options = StoreOptions()
      options.storage = storage
      options.storage.isReadOnly = true
      let store = try ObjectStore.open(.directory(path), options: options)
      let steps = Steps()
      let findings = try ObjectStore.verify(path, options: options, progress: steps.take)
      // What it takes over it does not say that it does.
      #expect(findings.isEmpty)
      #expect(steps.met == [.entries])
      withExtendedLifetime(store) {}
    }
    #expect(made == 1)
  }

  /// Verified or not, a damaged store is refused before anything is changed.
  @Test(arguments: [false, true])
  func aDamagedStoreIsRefused(verifiesFirst: Bool) throws {
    var bytes = try directory.bytes(of: "store/data.mdb")
    // The value of an object, which no page knows of.
    let place = try #require(
      bytes.indices.last { bytes[$0...].starts(with: [0xF3, 0x01, 0, 0]) && $0 > 8192 })
    bytes[place] ^= 0x04
    try directory.write(bytes, to: "store/data.mdb")
    #expect(try !ObjectStore.verify(path).isEmpty)
    for new in [try Self.model(.long), try Self.model(.int, name: "years")] {
      var run = MigrationRun(path, try MigrationRoute(to: .init("new", new)))
      run.verifiesFirst = true
      run.freesHiddenData = verifiesFirst
      #expect(throws: (any Error).self) { try run.carryOut() }
      #expect(try directory.bytes(of: "store/data.mdb") == bytes)
    }
    var heavy = MigrationRun(path, try MigrationRoute(to: .init("new", Self.model(.long))))
    heavy.verifiesFirst = verifiesFirst
    #expect(throws: (any Error).self) { try heavy.carryOut() }
    #expect(try directory.bytes(of: "store/data.mdb") == bytes)
  }
}
