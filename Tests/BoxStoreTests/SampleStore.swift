import BoxStore
import Synchronization
import TestSupport
import Testing

/// Opens stores of the entity types of these tests.
enum SampleStore {
  private static let count = Atomic<Int>(0)

  static var model: StoreModel {
    get throws { StoreModel(json: try StoreSample.text) }
  }

  /// A store in memory under a name of its own.
  static func inMemory() throws -> Store {
    let number = count.add(1, ordering: .relaxed).newValue
    return try Store(model: model, directory: "memory:sample-\(number)")
  }

  /// A store in a directory.
  static func open(_ directory: TemporaryDirectory, readOnly: Bool = false) throws -> Store {
    try Store(model: model, directory: directory.path(of: "store"), readOnly: readOnly)
  }
}

/// The case of an error of the library, with which tests compare; the message of others.
func caseName(_ error: any Error) -> String {
  guard let error = error as? ObjectBoxError else { return "\(error)" }
  return String("\(Mirror(reflecting: error).children.first?.label ?? "")")
}

/// The case of the error that a function throws; nil if it throws none.
func thrownCase(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch {
    return caseName(error)
  }
}
