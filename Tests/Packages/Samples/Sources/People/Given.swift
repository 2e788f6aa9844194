import BoxStore

// What the samples of CoreStore's document about people take as given.

final class MyPersonEntity: Entity {
  var id: Id = 0
  // objectbox: unique
  var personID: Int?
  var name = ""
  var surname = ""
  var age = 0
  var gender = ""
  var rating = 0.0
  var friends: ToMany<MyPersonEntity> = nil

  init() {}
  init(_ name: String, age: Int = 0, gender: String = "", rating: Double = 0, surname: String = "")
  {
    self.name = name
    self.age = age
    self.gender = gender
    self.rating = rating
    self.surname = surname
  }
}

/// The people of the document, in a store of their own.
@MainActor func storeOfPeople(
  _ people: MyPersonEntity...
) throws -> (store: Store, people: Box<MyPersonEntity>) {
  let store = try emptyStore()
  let box = store.box(for: MyPersonEntity.self)
  try box.put(people)
  return (store, box)
}

@MainActor func storeOfJohnAndJane() throws -> (store: Store, people: Box<MyPersonEntity>) {
  try storeOfPeople(
    MyPersonEntity("John Smith", age: 42, gender: "M"),
    MyPersonEntity("Jane Smith", age: 22, gender: "F"))
}

enum Errors: Error, Equatable {
  case invalidName
}

// The document has the rows of its queries as literals.
extension PropertyValue: @retroactive ExpressibleByStringLiteral,
  @retroactive ExpressibleByUnicodeScalarLiteral,
  @retroactive ExpressibleByExtendedGraphemeClusterLiteral,
  @retroactive ExpressibleByIntegerLiteral
{
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates an integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }
}
