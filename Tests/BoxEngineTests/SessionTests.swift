import BoxModel
import BoxStorage
import Synchronization
import TestSupport
import Testing

@testable import BoxEngine

/// Backups, and what is done to a store as a whole.
struct SessionTests {
  private let fixture: StoreFixture

  init() throws {
    fixture = try StoreFixture()
    try fixture.with(try PeopleModel.document()) { try PeopleModel.fill($0) }
  }

  private var target: String { fixture.directory.path(of: "backups/today") }

  private func age(_ directory: String) throws -> Value? {
    let store = try ObjectStore.open(.directory(directory))
    defer { store.close() }
    return try store.value("Person", 1, "age")
  }

  // MARK: - Backups

  @Test func aBackupIsAStore() throws {
    let last = Mutex((0, 0))
    let summary = try BackupSession(of: fixture.path, to: target).run(
      copying: { done, total in last.withLock { $0 = (done, total) } })
    #expect(summary.findings.isEmpty)
    #expect(last.withLock { $0 == (summary.size, summary.size) })
    #expect(StoreFiles(target).dataSize == summary.size)
    #expect(fixture.directory.names(in: "backups/today") == ["data.mdb"])
    #expect(try age(target) == 36)
    #expect(try ObjectStore.verify(target).isEmpty)
  }

  /// The copy is of the state when it began, also if the store is open in this process.
  @Test func aBackupOfAnOpenStore() throws {
    try fixture.with { (store) throws in
      _ = try BackupSession(of: fixture.path, to: target).run()
      try store.write { _ = try $0.put("Pet", ["name": "Mia"]) }
    }
    #expect(try age(target) == 36)
  }

  @Test func aStoreIsNotOverwritten() throws {
    let backup = try BackupSession(of: fixture.path, to: target)
    _ = try backup.run()
    #expect(throws: StoreError.closed) { try backup.run() }
    let bytes = try fixture.directory.bytes(of: "backups/today/data.mdb")
    let error = try storeError { _ = try BackupSession(of: fixture.path, to: target).run() }
    guard case .backup(target, let cause) = error else {
      throw TestFailure(String(describing: error))
    }
    #expect(cause.kind == .alreadyExists)
    #expect(try fixture.directory.bytes(of: "backups/today/data.mdb") == bytes)
  }

  @Test func aBackupThatFailsLeavesNothing() throws {
    try fixture.directory.write("x", to: "file")
    let place = fixture.directory.path(of: "file/today")
    let error = try storeError { _ = try BackupSession(of: fixture.path, to: place).run() }
    guard case .backup(place, _) = error else { throw TestFailure(String(describing: error)) }
    #expect(fixture.directory.names() == ["file", "store"])
    // The storage fails while it is copied.
    try fixture.directory.write("", to: "backups/today/data.mdb.new/hindrance")
    _ = try storeError { _ = try BackupSession(of: fixture.path, to: target).run() }
    #expect(fixture.directory.names(in: "backups/today") == ["data.mdb.new"])
  }

  /// A copy without free pages needs trees that are whole, so damage is copied with all pages.
  @Test func aDamagedStoreIsCopiedAsItIs() throws {
    try damage()
    let size = StoreFiles(fixture.path).dataSize
    let summary = try BackupSession(of: fixture.path, to: target).run()
    #expect(!summary.findings.isEmpty)
    #expect(try ObjectStore.verify(target).isEmpty == false)
    #expect(summary.size >= size)
    var unverified = try BackupSession(of: fixture.path, to: target + "2")
    unverified.verifies = false
    #expect(try unverified.run().findings.isEmpty)
  }

  // MARK: - Rebuilding

  private func damage() throws {
    var bytes = try fixture.directory.bytes(of: "store/data.mdb")
    let name = Array("Ada".utf8)
    for place in bytes.indices where bytes[place...].starts(with: name) { bytes[place] ^= 1 }
    try fixture.directory.write(bytes, to: "store/data.mdb")
  }

  /// A session does not look again for damage after it has verified the store.
  @Test func aSessionVerifiesOnce() throws {
    let longer = try PeopleModel.document().changed { model in
      try model.change("Person", "age") { $0.name = "years" }
    }
    var session = RebuildSession(fixture.path)
    try session.verify()
    try session.apply(longer)
    try damage()
    try session.verify()
    try session.compact(purge: true)
    try fixture.with { (store) throws in #expect(store.model == longer.model) }

    var other = RebuildSession(fixture.path)
    for change in ["verify", "compact", "rebuild"] {
      let error = try storeError {
        switch change {
        case "verify": try other.verify()
        case "compact": try other.compact()
        default: try other.rebuild(model: longer) { _, _ in }
        }
      }
      guard case .damaged(let findings) = error else {
        throw TestFailure("\(change): \(String(describing: error))")
      }
      #expect(!findings.isEmpty)
    }
  }

  /// With progress the new file is written on another thread, to the same effect.
  @Test func aCompactionWithProgress() throws {
    var (one, other) = (RebuildSession(fixture.path), RebuildSession(target))
    _ = try BackupSession(of: fixture.path, to: target).run()
    try one.compact()
    try other.compact { _ in }
    #expect(try age(target) == 36)
    #expect(StoreFiles(fixture.path).dataSize == StoreFiles(target).dataSize)
    try fixture.with { _ in
      guard case .storage(let error) = try storeError({ try one.compact { _ in } }) else {
        throw TestFailure("another error")
      }
      #expect(error.kind == .inUse)
    }
  }
}
