import BoxEngine
import BoxModel
import Testing

/// Values of a dynamic object by the names of its properties.
struct DynamicObjectTests {
  private static func person(_ fixture: StoreFixture) throws -> DynamicObject {
    DynamicObject(try fixture.open(PeopleModel.document()).entity(named: "Person"))
  }

  @Test func namesFromDataAreChecked() throws {
    let fixture = try StoreFixture()
    var object = try Self.person(fixture)
    try object.set("name", "Ada")
    #expect(object["name"] == "Ada")
    #expect(object.value(named: "name") == "Ada")
    #expect(object.value(named: "nmae") == nil)
    let before = object
    for (name, message) in [
      ("favuorite", "Person has no property favuorite; did you mean favourite?"),
      ("colour", "Person has no property colour"),
    ] {
      let error = #expect(throws: StoreError.self) { try object.set(name, 3) }
      #expect(error?.description == message)
    }
    #expect(object == before)
  }

  @Test func theIDIsAProperty() throws {
    let fixture = try StoreFixture()
    var object = try Self.person(fixture)
    try object.set("id", 7)
    #expect(object.id == 7)
    #expect(object["id"] == .unsigned(7))
  }

  /// A misspelled name in a program ends it, with the nearest name in the message.
  @Test func aMisspelledNameTraps() async throws {
    for isRead in [true, false] {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) { [isRead = isRead as Bool] in
        let fixture = try StoreFixture()
        var object = try DynamicObjectTests.person(fixture)
        if isRead { _ = object["nmae"] } else { object["nmae"] = "Ada" }
      }
      let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(text.contains("Person has no property nmae; did you mean name?"))
    }
  }
}
