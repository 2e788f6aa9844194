import BoxDump
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxStoreTool

/// The output of a query in memory.
final class MemoryOutput: DumpOutput {
  let stream = Stream()

  func open(_ name: String) throws -> any DumpStream { stream }

  var text: String { String(decoding: stream.bytes, as: UTF8.self) }

  /// One thread writes to it.
  final class Stream: DumpStream, @unchecked Sendable {
    private(set) var bytes: [UInt8] = []
    private(set) var isFinished = false

    func write(_ bytes: UnsafeRawBufferPointer) throws { self.bytes += bytes }

    func finish() throws { isFinished = true }
  }
}

extension TemporaryDirectory {
  /// Fills the store `data` with the books of `docs/examples/library`, whose catalogue is in force.
  func loadLibrary() async throws {
    let top = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    for name in ["model.json", "converters.yml", "library.ndjson"] {
      try write(SourceFile.read("\(top)/docs/examples/library/\(name)").bytes, to: name)
    }
    let run = try await load("library.ndjson") { $0.model = path(of: "model.json") }
    #expect(run.outcome == .success, "\(run.messages)")
  }

  /// Answers a query as `boxjoint query` does.
  func query(
    _ entity: String, of store: String = "data", _ change: (inout QueryRequest) -> Void = { _ in }
  ) async throws -> RequestRun {
    var request = QueryRequest(path(of: store), entity)
    request.format = .csv
    let output = MemoryOutput()
    request.stream = output
    change(&request)
    return try await run { place in
      try request.run(in: place)
      return (.success, output.text)
    }
  }

  /// The lines of an answer as comma-separated values, joined by a space.
  func lines(
    _ entity: String, of store: String = "data", _ change: (inout QueryRequest) -> Void
  ) async throws -> String {
    let run = try await query(entity, of: store, change)
    #expect(run.outcome == .success, "\(run.messages)")
    return run.text.split(separator: "\r\n").joined(separator: " ")
  }
}

extension QueryRequest {
  /// Lists some columns.
  mutating func select(_ paths: String..., distinct: Bool = false) {
    rows = .objects(select: paths, isDistinct: distinct)
  }
}
