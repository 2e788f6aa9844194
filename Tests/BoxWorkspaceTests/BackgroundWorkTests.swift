import Synchronization
import Testing

@testable import BoxWorkspace

/// Work for which callers wait for a limited time.
struct BackgroundWorkTests {
  /// Work that ends when it is told to, and counts how often it was begun.
  private final class Gate: Sendable {
    private let state = Mutex((isOpen: false, begun: 0))

    var begun: Int { state.withLock(\.begun) }
    func open() { state.withLock { $0.isOpen = true } }

    @Sendable func work() async throws -> Int {
      let number = state.withLock { state in
        state.begun += 1
        return state.begun
      }
      while !state.withLock(\.isOpen) { try await Task.sleep(for: .milliseconds(1)) }
      return number
    }
  }

  private struct Failure: Error {}

  @Test func aResultThatIsLateIsForTheNextCaller() throws {
    let (work, gate) = (BackgroundWork<Int>(), Gate())
    #expect(try work.result("a", within: .milliseconds(20), gate.work) == nil)
    #expect(try work.result("a", within: .zero, gate.work) == nil)
    gate.open()
    #expect(try work.result("a", within: .seconds(30), gate.work) == 1)
    // The result was taken.
    #expect(try work.result("a", within: .seconds(30), gate.work) == 2)
    #expect(gate.begun == 2)
  }

  @Test func workOfAnotherNameIsDoneBeside() throws {
    let (work, closed, open) = (BackgroundWork<Int>(), Gate(), Gate())
    open.open()
    #expect(try work.result("a", within: .zero, closed.work) == nil)
    #expect(try work.result("b", within: .seconds(30), open.work) == 1)
    closed.open()
  }

  @Test func anErrorIsThrownOnce() throws {
    let (work, gate) = (BackgroundWork<Int>(), Gate())
    gate.open()
    #expect(throws: Failure.self) {
      try work.result("a", within: .seconds(30)) { throw Failure() }
    }
    #expect(try work.result("a", within: .seconds(30), gate.work) == 1)
  }

  @Test func aCallerThatIsCancelledStops() throws {
    let (work, gate) = (BackgroundWork<Int>(), Gate())
    #expect(try work.result("a", within: .seconds(30), isCancelled: { true }, gate.work) == nil)
    gate.open()
  }

  private static func late(_ work: BackgroundWork<Int>, _ gate: Gate) async throws -> Int? {
    try work.result("a", within: .milliseconds(100), gate.work)
  }

  @Test func callersAtOnceHaveTheSameResult() async throws {
    let (work, gate) = (BackgroundWork<Int>(), Gate())
    #expect(try work.result("a", within: .zero, gate.work) == nil)
    async let one = Self.late(work, gate)
    async let other = Self.late(work, gate)
    #expect(try await [one, other] == [nil, nil])
    #expect(gate.begun == 1)
    gate.open()
    #expect(try work.result("a", within: .seconds(30), gate.work) == 1)
  }
}
