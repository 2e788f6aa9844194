import BoxStore
import Foundation

// What each module of samples has: expectations, and stores of its own model.

/// The number of samples, and what failed.
public typealias Results = (count: Int, failures: [String])

typealias NamedSample = (name: String, run: @MainActor () async throws -> Void)

@MainActor var failures: [String] = []
/// The stores that were opened: one that nobody keeps is closed.
@MainActor var stores: [Store] = []

/// Notes a condition that is false, or cannot be computed.
@MainActor func expect(
  _ condition: @autoclosure () throws -> Bool, file: String = #file, line: UInt = #line
) {
  do {
    if try !condition() { failures.append("\(file):\(line): an expectation fails") }
  } catch {
    failures.append("\(file):\(line): \(error)")
  }
}

/// The assertion of the samples: that of Swift takes no call that can throw.
@MainActor func assert(
  _ condition: @autoclosure () throws -> Bool, file: String = #file, line: UInt = #line
) {
  expect(try condition(), file: file, line: line)
}

/// Notes that a sample has caught an error, in the condition of its `catch`.
func note(_ message: String, _ caught: inout Bool) -> Bool {
  caught = true
  return !message.isEmpty
}

func temporaryDirectory() -> String {
  let path = NSTemporaryDirectory() + "samples-\(UInt64.random(in: 0 ... .max))"
  try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  return path
}

@MainActor func emptyStore() throws -> Store {
  let module = #fileID.prefix { $0 != "/" }
  let store = try Store(directoryPath: "memory:\(module)-\(stores.count)")
  stores.append(store)
  return store
}

/// Runs samples, each with stores of its own.
@MainActor func run(_ samples: [NamedSample]) async -> Results {
  for (name, run) in samples {
    do {
      try await run()
    } catch {
      failures.append("\(name) throws \(error)")
    }
  }
  return (samples.count, failures)
}
