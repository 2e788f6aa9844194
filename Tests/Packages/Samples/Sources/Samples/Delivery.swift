import Synchronization

// What each module of samples has for code that is called later, and for what samples print.

private let printedLines = Mutex<[String]>([])

/// Notes what a sample prints, on any thread.
func print(_ items: Any...) {
  let line = items.map { "\($0)" }.joined(separator: " ")
  printedLines.withLock { $0.append(line) }
}

/// Returns the lines that were printed since the last call.
func takePrinted() -> [String] {
  printedLines.withLock { lines in
    defer { lines = [] }
    return lines
  }
}

/// Waits until a sample calls a function, and returns what it passes.
@MainActor func delivered<T: Sendable>(
  _ sample: (@escaping @Sendable (T) -> Void) throws -> Void
) async throws -> T {
  let (stream, continuation) = AsyncStream<T>.makeStream()
  try sample { continuation.yield($0) }
  for await value in stream { return value }
  throw CancellationError()
}

/// Waits until a condition holds, and notes after ten seconds that it does not.
@MainActor func expectSoon(
  file: String = #file, line: UInt = #line, _ condition: () throws -> Bool
) async throws {
  for _ in 0..<10_000 {
    if try condition() { return }
    try await Task.sleep(for: .milliseconds(1))
  }
  expect(false, file: file, line: line)
}
