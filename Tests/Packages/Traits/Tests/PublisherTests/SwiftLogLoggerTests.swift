import BoxStore
import Logging
import Synchronization
import Testing

/// The messages of a store that swift-log gets.
struct SwiftLogLoggerTests {
  /// Keeps what it gets.
  private struct Handler: LogHandler {
    final class Lines: Sendable {
      private let lines = Mutex<[String]>([])
      var all: [String] { lines.withLock { $0 } }
      func append(_ line: String) { lines.withLock { $0.append(line) } }
    }

    let lines: Lines
    var logLevel = Logger.Level.notice
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(
      level: Logger.Level, message: Logger.Message, metadata: Logger.Metadata?, source: String,
      file: String, function: String, line: UInt
    ) {
      #expect(file.hasPrefix("BoxStore/") && line > 0)
      lines.append("\(source) \(level): \(message)")
    }
  }

  @Test func messagesComeWithTheirLevels() throws {
    let place = "memory:swift-log"
    let lines = Handler.Lines()
    let store = try Store(model: .notes, directory: place)
    let logger = SwiftLogLogger(Logger(label: "store") { _ in Handler(lines: lines) })
    #expect(logger.debugDescription == "SwiftLogLogger(store)")
    store.log(to: logger)
    let note = Note("a")
    try store.box(for: Note.self).put(note)
    try store.box(for: Note.self).remove(note)
    try store.box(for: Note.self).async.put(note, mode: .update)
    store.awaitAsyncCompleted()
    store.close()
    #expect(
      lines.all == [
        "BoxStore error: an asynchronous operation in \(place) failed: "
          + "there is no Note with id 1",
        "BoxStore notice: the store in \(place) was closed",
      ])
  }
}
