import BoxModel
import BoxStore
import TestSupport
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

  @Test(.promise(401)) func errorsAreEqualByTheirCaseAndMessage() {
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

  @Test(.promise(401)) func aThrownErrorIsComparedAsAWhole() throws {
    let store = try SampleStore.inMemory()
    let settings = store.box(for: Setting.self)
    store.close()
    #expect(throws: ObjectBoxError.illegalState(message: "the store is closed; open it again")) {
      try settings.count()
    }
  }

  /// The model calls the property signed, as ObjectBox's generator does with optional ones, and the type does not.
  @Test func aValueThatIsTakenHasTheSignOfItsType() throws {
    let document = try ModelDocument(parsing: Array(StoreSample.text.utf8))
    var model = document.model
    let e = try #require(model.entities.firstIndex { $0.name == "Everything" })
    var last = try #require(model.lastIndexID)
    for name in ["uint16", "uint64", "int32"] {
      let p = try #require(model.entities[e].properties.firstIndex { $0.name == name })
      last = IDPair(id: last.id + 1, uid: UID(7_000_000 + UInt64(last.id)))
      model.entities[e].properties[p].indexID = last
      var flags = model.entities[e].properties[p].flags
      flags.remove(.unsigned)
      model.entities[e].properties[p].flags = flags.union([.indexed, .unique])
    }
    model.lastIndexID = last
    let store = try QueryStore.open(String(decoding: document.rendered(model), as: UTF8.self))
    let box = store.box(for: Everything.self)
    var first = Everything()
    (first.uint16, first.uint64, first.int32) = (.max, .max, -1)
    try box.put(&first)
    let cases: [(String, String, (inout Everything) -> Void)] = [
      ("uint16", "65535", { $0.uint16 = .max }), ("uint64", "\(UInt64.max)", { $0.uint64 = .max }),
      ("int32", "-1", { $0.int32 = -1 }),
    ]
    for (name, value, change) in cases {
      var other = Everything()
      change(&other)
      let message = "Everything.\(name) is unique, and Everything 1 has the value \(value) already"
      let expected = ObjectBoxError.uniqueViolation(message: message)
      #expect(throws: expected) { try box.put(other) }
      #expect(throws: expected) { try box.put([Everything(), other]) }
      #expect(throws: expected) {
        try store.runInTransaction { try box.put(other) }
      }
    }
    #expect(try box.count() == 1)
  }

  @Test func aNegativeIdIsShownAsOne() throws {
    let store = try SampleStore.inMemory()
    let box = store.box(for: Numbered.self)
    let negative = Numbered()
    negative.id = -5
    let expected = ObjectBoxError.illegalArgument(
      message: "Setting -5 cannot be put: ids are 1 to 9223372036854775807, and 0 for a new object"
    )
    #expect(throws: expected) { try box.put(negative) }
    #expect(throws: expected) { try box.put([Numbered(), negative]) }
    let settings = store.box(for: Setting.self)
    #expect(
      throws: ObjectBoxError.illegalArgument(
        message: "Setting 18446744073709551615 is above the largest id, 9223372036854775807")
    ) {
      try settings.put(Setting("a", id: .max))
    }
  }
}
