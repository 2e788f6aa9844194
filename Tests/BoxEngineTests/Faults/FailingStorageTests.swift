import BoxModel
import TestSupport
import Testing

@testable import BoxEngine
@testable import BoxStorage

/// Functions of the engine over a storage of which one call fails.
///
/// Of each function the first call of the storage fails, then the second, and so on until the function
/// succeeds. The error is one of the store, and the store is as before.
struct FailingStorageTests {
  private let fixture: StoreFixture
  private let calls = FailingCalls()

  init() throws {
    fixture = try StoreFixture()
    let store = try fixture.open(PeopleModel.document(), Self.options())
    try PeopleModel.fill(store)
    try store.write { try $0.setCheckpoint([1], [2]) }
  }

  private static func options() -> StoreOptions {
    var options = StoreOptions()
    options.storesCheckpoints = true
    return options
  }

  private var failing: StoreOptions {
    var options = Self.options()
    options.storage.faults = calls.faults
    return options
  }

  /// All that the store has, as text.
  private static func contents(_ store: ObjectStore) throws -> [String] {
    #expect(try store.verify() == [])
    return try store.read { (transaction) throws in
      var lines: [String] = []
      for entity in store.entities {
        lines.append("\(entity.name): last id \(try transaction.lastID(entity))")
        try transaction.visitObjects(entity) {
          lines.append("\(entity.name) \($0.id): \($0.values)")
          return .next
        }
        for relation in entity.relations {
          try transaction.visitEntries(relation) {
            lines.append("\(relation.name): \($0) to \($1)")
            return .next
          }
        }
      }
      for key: UInt8 in 0..<10 {
        if let note = try transaction.checkpoint([key]) { lines.append("work \(key): \(note)") }
      }
      return lines + [String(decoding: try transaction.modelText(), as: UTF8.self)]
    }
  }

  private func contents() throws -> [String] {
    try Self.contents(try fixture.open(nil, Self.options()))
  }

  /// Lets one call after the other fail until a function succeeds; how many failed.
  private func failEachCall(
    of name: String, _ function: () throws -> Void, afterFailure: () throws -> Void
  ) throws -> Int {
    for call in 1..<10_000 {
      calls.fail(at: call)
      do {
        defer { calls.failNever() }
        try function()
        return call - 1
      } catch {
        #expect(error is StoreError, "\(name), call \(call): \(type(of: error)) \(error)")
      }
      try afterFailure()
    }
    throw TestFailure("\(name) never succeeds")
  }

  @Test(arguments: TransactionOperation.readings)
  func aFunctionThatReads(_ operation: TransactionOperation) throws {
    let before = try contents()
    let store = try fixture.open(nil, failing)
    let failures = try failEachCall(of: operation.name) {
      try store.read { try operation.run($0) }
    } afterFailure: { () throws in
      #expect(try Self.contents(store) == before)
    }
    #expect(failures > 0)
    #expect(try Self.contents(store) == before)
  }

  @Test(arguments: TransactionOperation.writings + TransactionOperation.readings)
  func aFunctionInATransactionThatWrites(_ operation: TransactionOperation) throws {
    let before = try contents()
    let store = try fixture.open(nil, failing)
    let failures = try failEachCall(of: operation.name) {
      try store.write { (transaction) throws in
        try transaction.put("Person", ["name": "Zoe", "age": 1])
        try operation.run(transaction)
      }
    } afterFailure: { () throws in
      #expect(try Self.contents(store) == before)
    }
    #expect(failures > 2)
    #expect(try Self.contents(store) != before)
  }

  /// A disk that is full at any call of a captured change leaves neither a half of the objects nor one of the
  /// outbox.
  @Test(arguments: ["put of several", "rewrite", "remove of several", "removeAll", "link"])
  func aFunctionThatIsCaptured(_ name: String) throws {
    let operation = try TransactionOperation.writings.first { $0.name == name }
      .orFail("no operation")
    let store = try fixture.open(nil, failing)
    try store.switchOnSync(store.entities)
    let (before, captured) = (try Self.contents(store), try Self.captured(store))
    let failures = try failEachCall(of: name) {
      try store.write { try operation.run($0) }
    } afterFailure: { () throws in
      #expect(try Self.contents(store) == before)
      #expect(try Self.captured(store) == captured)
    }
    #expect(failures > 5)
    #expect(try Self.contents(store) != before)
    #expect(try Self.captured(store).count == captured.count + 1)
  }

  private static func captured(_ store: ObjectStore) throws -> [CapturedTransaction] {
    try store.read { try $0.capturedTransactions() }
  }

  /// The calls that put or remove several objects undo what they did, and the transaction continues.
  @Test(arguments: ["put of several", "remove of several"])
  func aPartOfATransaction(_ name: String) throws {
    let operation = try TransactionOperation.writings.first { $0.name == name }
      .orFail("no operation")
    let store = try fixture.open(nil, failing)
    try store.write { try $0.put("Person", ["name": "Zoe", "age": 1]) }
    let before = try Self.contents(store)
    var failures = 0
    for call in 1..<1000 {
      var failure: (any Error)?
      try store.write { (transaction) throws in
        calls.fail(at: call)
        defer { calls.failNever() }
        do { try operation.run(transaction) } catch { failure = error }
      }
      guard let failure else { break }
      #expect(failure is StoreError, "\(failure)")
      #expect(try Self.contents(store) == before, "call \(call)")
      failures = call
    }
    #expect(failures > 3)
  }

  @Test(arguments: StoreOperation.all)
  func aFunctionOfAStore(_ operation: StoreOperation) throws {
    let before = try contents()
    let store = try fixture.open(nil, failing)
    let failures = try failEachCall(of: operation.name) {
      try operation.run(store)
    } afterFailure: { () throws in
      #expect(try Self.contents(store) == before)
    }
    #expect((failures > 0) != ["entity", "observe", "keepHearing"].contains(operation.name))
  }

  @Test(arguments: DirectoryOperation.all)
  func aFunctionOfADirectory(_ operation: DirectoryOperation) throws {
    let before = try contents()
    let failures = try failEachCall(of: operation.name) {
      try operation.run(fixture.path, failing)
    } afterFailure: { () throws in
      var after = try contents()
      // An index that is built in several transactions is added after its model.
      if operation.name.contains("deferred") { after[after.count - 1] = before.last ?? "" }
      #expect(after == before)
    }
    #expect((failures > 0) != (operation.name == "requireUnused"))
  }

  @Test func aSubmission() async throws {
    let before = try contents()
    let store = try fixture.open(nil, failing)
    for call in 1..<1000 {
      calls.fail(at: call)
      do {
        defer { calls.failNever() }
        try await store.submit { _ = try $0.put("Pet", ["name": "Mia"]) }
        #expect(call > 3)
        return
      } catch {
        #expect(error is StoreError, "call \(call): \(error)")
      }
      #expect(try Self.contents(store) == before)
    }
    Issue.record("the submission never succeeds")
  }

  /// A function that is added to the engine is added here too.
  @Test func everyFunctionIsCalled() throws {
    let called = Set(
      (TransactionOperation.readings + TransactionOperation.writings).map(\.name)
        + StoreOperation.all.map(\.name) + DirectoryOperation.all.map(\.name))
    let names = Set(called.compactMap { $0.split(separator: " ").first.map(String.init) })
      // The last two look at the transaction and the opening, and call no storage.
      .union(["submit", "close", "requireNoFailure", "requireNotSynchronized"])
    for directory in ["Store", "Sessions", "Transactions", "Maintenance", "Converters", "Sync"] {
      let functions = try Self.sources(in: "Sources/BoxEngine/\(directory)")
        .flatMap(Self.throwingFunctions)
      #expect(!functions.isEmpty)
      for function in functions { #expect(names.contains(function), "no test calls \(function)") }
    }
  }

  private static func sources(in directory: String) throws -> [String] {
    let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let path = root + "/" + directory
    return try TemporaryDirectory.names(inDirectory: path).map {
      try TemporaryDirectory().text(of: path + "/" + $0)
    }
  }

  /// The names of the functions in a source that others can call and that throw.
  private static func throwingFunctions(_ source: String) -> [String] {
    var names: [String] = []
    var open: String?
    for line in source.split(separator: "\n") where !line.contains("///") {
      let words = line.split(separator: " ")
      if let place = words.firstIndex(of: "func"), place + 1 < words.count,
        words[..<place].contains("public") || words[..<place].contains("package")
      {
        open = String(words[place + 1].prefix { $0.isLetter })
      }
      if let name = open, line.hasSuffix("{") || line.hasSuffix("}") && line.contains(" func ") {
        if line.contains(") throws") || line.contains("async throws") { names.append(name) }
        open = nil
      }
    }
    return names
  }
}
