import BoxStore
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Errors are values: programs compare them, and count them by their kinds.
struct ErrorTests {
  private struct Other: Error, CustomStringConvertible {
    let description: String
  }

  @Test func errorsAreEqualByTheirCaseAndMessage() {
    let errors: [ObjectBoxError] = [
      .notFound(message: "a"), .notFound(message: "b"), .illegalState(message: "a"),
      .unknown(code: 1, message: "a"), .unknown(code: 2, message: "a"),
      .unexpected(error: Other(description: "a")), .unexpected(error: Other(description: "b")),
      // The parts are apart: none can look like another.
      .unknown(code: 1, message: "1a"), .unknown(code: 11, message: "a"),
    ]
    #expect(Set(errors).count == errors.count)
    #expect(Set(errors + errors).count == errors.count)
    #expect(errors[0] == .notFound(message: "a") && errors[0] != errors[1])
    #expect(errors[0].hashValue == ObjectBoxError.notFound(message: "a").hashValue)
  }

  /// Foundation asks for it, and says else that the operation could not be completed.
  @Test func theLocalizedDescriptionIsTheMessage() {
    let errors: [any Error] = [
      ObjectBoxError.notFound(message: "a"),
      ObjectBoxError.unexpected(error: Other(description: "b")),
    ]
    for error in errors {
      #expect((error as? any LocalizedError)?.errorDescription == "\(error)")
    }
  }

  @Test func aThrownErrorIsComparedAsAWhole() throws {
    let store = try SampleStore.inMemory()
    let settings = store.box(for: Setting.self)
    store.close()
    #expect(throws: ObjectBoxError.illegalState(message: "the store is closed; open it again")) {
      try settings.count()
    }
  }
}
