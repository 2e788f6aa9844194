import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine
@testable import EngineFaultsChild

/// The model of the stores that child processes write, and the directories that they lie in.
enum FaultsDirectory {
  /// A directory with the model file.
  static func make() throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    try directory.write(document().bytes, to: "model.json")
    return directory
  }

  static func document() throws -> ModelDocument {
    try TestModel.ledger.document()
  }

  /// Opens and closes a store, and checks that it is sound and whole.
  ///
  /// - Returns: The number of its last transaction.
  static func check(_ directory: String) throws -> Int {
    let findings = try ObjectStore.verify(directory)
    #expect(findings.isEmpty)
    return try Ledger(open(directory)).check()
  }

  static func open(_ directory: String) throws -> ObjectStore {
    try ObjectStore.open(.directory(directory), model: document())
  }
}
