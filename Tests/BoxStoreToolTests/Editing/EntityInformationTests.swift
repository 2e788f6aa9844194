import BoxDump
import BoxEngine
import BoxJSON
import BoxModel
import BoxStorage
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxStoreTool

/// The description of an entity.
struct EntityInformationTests {
  private let directory: TemporaryDirectory

  /// A person in a store whose model has lost a property.
  init() throws {
    directory = try TemporaryDirectory()
    let fields: [TestModel.Property] = [
      .init("name", 1010, .string, [.unique, .indexHash]), .init("age", 1020, .int, .unsigned),
      .init("boss", 1030, .relation, target: "Person"),
    ]
    let relations: [TestModel.Relation] = [.init("friends", 1900, to: "Person")]
    let old = TestModel(
      .init(
        name: "Person", uid: 1000, fields: fields + [.init("old", 1040, .string)],
        relations: relations))
    let new = TestModel(
      .init(name: "Person", uid: 1000, fields: fields, relations: relations),
      retired: [.property: [1040]])
    let place = StorageLocation.directory(directory.path(of: "data"))
    let store = try ObjectStore.open(place, model: old.document())
    let person = try store.entity(named: "Person")
    try store.write { transaction in
      for name in ["Ann", "Bo", "Cy", "Di", "Eli", "Fay"] {
        var object = DynamicObject(person)
        object["name"] = .string(name)
        try transaction.put(object)
      }
    }
    store.close()
    try ObjectStore.open(place, model: new.document()).close()
  }

  private func information() throws -> EntityInformation {
    try EntityInformation(
      directory.path(of: "data"), "Person", ValueForm(), CatalogueChoice(), StoreAccess(),
      in: directory.place())
  }

  @Test func anEntityIsDescribedForPeople() throws {
    // The size is that of a page, which is not the same everywhere.
    #expect(
      try information().text.replacing(/[0-9.]+ KiB/, with: "N KiB") == """
        Person: 6 objects, N KiB, last id 6

        PROPERTY  TYPE          INDEX
        id        long                        id
        name      string        hash, unique
        age       unsigned int
        boss      relation      value         to Person
        friends   to many                     to Person, 0 entries
        old                                   hidden: not in the model

        id  name  age  boss  friends
         1  Ann              []
         2  Bo               []
         3  Cy               []
         4  Di               []
         5  Eli              []
        … 1 more

        """)
  }

  @Test func namesOfAConverterAreListed() throws {
    try directory.write(
      "properties:\n  Person.age: { type: enum, values: { young: 1, old: 2 } }\n",
      to: "converters.yml")
    let information = try information()
    #expect(information.text.contains("age       unsigned int                young, old\n"))
    let age = try #require(information.json["properties"]?.elements?[2])
    #expect(age["names"] == ["young", "old"])
    #expect(age["index"] == .null)
    #expect(age["target"] == .null)
    #expect(information.json["examples"]?.elements?.count == 5)
    #expect(information.json["hiddenProperties"] == ["old"])
  }
}

extension JSONValue {
  fileprivate var elements: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }
}
