import BoxStore
import Synchronization
import TestSupport
import Testing

/// The messages that a logger gets.
struct StoreLoggerTests {
  private final class RecordingLogger: StoreLogger {
    private let lines = Mutex<[String]>([])

    func log(
      _ level: StoreLogLevel, _ message: @autoclosure () -> String, file: StaticString, line: UInt,
      function: StaticString
    ) {
      #expect("\(file)".hasPrefix("BoxStore/") && line > 0 && !"\(function)".isEmpty)
      let text = "\(level): \(message())"
      lines.withLock { $0.append(text) }
    }

    var all: [String] { lines.withLock { $0 } }
  }

  private let store: Store
  private let logger = RecordingLogger()

  init() throws {
    store = try SampleStore.inMemory()
    store.log(to: logger)
  }

  @Test(.promise(330)) func aFailureThatNoCallCanThrowIsAnError() throws {
    let place = store.directoryPath
    let settings: Box<Setting> = store.box()
    try store.box(for: Order.self).put(Order("Hat", of: Customer("Ada")))
    let order = try #require(try store.box(for: Order.self).get(1 as Id))
    try settings.async.put(Setting("a", 1, id: 1), mode: .update)
    #expect(!store.awaitAsyncCompleted())
    // An error that is thrown is not logged too.
    #expect(thrownCase { try settings.put(Setting("a", 1, id: 1), mode: .update) } == "notFound")
    store.close()
    #expect(order.customer.target == nil)
    #expect(
      logger.all == [
        "error: an asynchronous operation in \(place) failed: there is no Setting with id 1",
        "notice: the store in \(place) was closed",
        "error: cannot read the Customer 1 of a relation to one in \(place): "
          + "the store is closed; open it again",
      ])
  }

  @Test func aDraftThatOverwritesOthersIsANotice() throws {
    let settings: Box<Setting> = store.box()
    try settings.put(Setting("a"))
    let draft = store.makeDraft()
    try draft.box(for: Setting.self).put(Setting("a", 2, id: 1))
    try settings.put(Setting("a", 1, id: 1))
    #expect(throws: DraftConflictError.self) { try draft.commit() }
    #expect(logger.all.isEmpty)
    try draft.commit(conflicts: .overwrite)
    #expect(
      logger.all == [
        "notice: a draft has overwritten changes of others in \(store.directoryPath): "
          + "Setting 1 was updated"
      ])
    store.log(to: nil)
    store.close()
    #expect(logger.all.count == 1)
  }
}
