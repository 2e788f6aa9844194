import BoxStore
import TestSupport
import Testing

/// A survey of people: property queries in every combination that the documents name.
struct SurveyProgramTests {
  private let people: Box<Person>

  init() throws {
    people = try QueryStore.people(
      Person("Ada", "Lovelace", age: 36, nickname: "Countess"), Person("ADA", "Yonath", age: 40),
      Person("Bob", "Noyce", age: 30, nickname: "nobby"), Person("bob", "Kahn", age: 30),
      Person("Cid", "", age: 40, nickname: "NOBBY"))
    let box = people
    for (id, rating) in [(Id(1), Float(1.5)), (2, -0.0), (4, 2.5)] {
      let person = try #require(try box.get(id))
      person.rating = rating
      person.balance = Int64(id) * 10
      try box.put(person)
    }
  }

  private func all() throws -> Query<Person> { try people.query().build() }

  @Test func numbersOfEverybody() throws {
    let ages = try all().property(Person.age)
    #expect(try ages.sum() == 176 && ages.sumInt() == 176 && ages.sumUnsigned() == 176)
    #expect(try ages.min() == 30 && ages.max() == 40 && ages.count() == 5)
    #expect(try ages.average() == 35.2 && ages.averageInt() == 35)
    #expect(try ages.find().sorted() == [30, 30, 36, 40, 40])
    #expect(thrownCase { _ = try ages.findUnique() } == "uniqueViolation")
    #expect(try ages.distinct().find().sorted() == [30, 36, 40])
    // The same property query: distinct stays.
    #expect(try ages.count() == 3)
    #expect(try all().property(Person.age).count() == 5)
  }

  @Test func valuesThatAreMissing() throws {
    let balances: PropertyQuery<Person, Int64> = try all().property(Person.balance)
    #expect(try balances.count() == 3 && balances.sum() == 70 && balances.find().count == 3)
    #expect(try balances.average() == 70.0 / 3)
    let filled = try all().property(Person.balance).with(nullValue: 5)
    #expect(try filled.find() == [10, 20, 5, 40, 5])
    let names: PropertyQuery<Person, String> = try all().property(Person.nickname)
    #expect(try names.findStrings() == ["Countess", "nobby", "NOBBY"])
    #expect(try names.count() == 3)
    #expect(try names.distinct(caseSensitiveCompare: false).findStrings().count == 2)
    let ratings: PropertyQuery<Person, Float> = try all().property(Person.rating)
    #expect(try ratings.findFloats() == [1.5, 0, 2.5] && ratings.sum() == 4 && ratings.min() == 0)
  }

  @Test func aConditionThatChangesHoldsForThePropertyQuery() throws {
    let query = try people.query { "age" .= Person.age == 30 }.ordered(by: Person.lastName).build()
    let names = query.property(Person.firstName)
    #expect(try names.findStrings().sorted() == ["Bob", "bob"])
    query.setParameter("age", to: 36)
    #expect(try names.findStrings() == ["Ada"])
    #expect(try names.findUniqueString() == "Ada" && names.findString() == "Ada")
    query.setParameter(Person.age, to: 99)
    #expect(try names.findStrings().isEmpty && names.findUniqueString() == nil)
    #expect(try names.findString() == nil && names.count() == 0)
    let ages = query.property(Person.age)
    #expect(try ages.sum() == 0 && ages.find().isEmpty && ages.findUnique() == nil)
    #expect(thrownCase { _ = try ages.max() } == "notFound")
    #expect(thrownCase { _ = try ages.average() } == "notFound")
  }

  @Test(.promise(360)) func distinctAndUniqueTogether() throws {
    let thirty = try people.query { Person.age == 30 }.build()
    #expect(try thirty.property(Person.age).distinct().findUnique() == 30)
    #expect(
      try thirty.property(Person.firstName).distinct(caseSensitiveCompare: false)
        .findUniqueString()?.lowercased() == "bob")
    #expect(
      thrownCase { _ = try thirty.property(Person.firstName).distinct().findUniqueString() }
        == "uniqueViolation")
  }

  @Test func aPropertyQueryInATransactionSeesItsWrites() throws {
    let ages = try all().property(Person.age)
    try people.store.runInTransaction {
      try people.put(Person("Dan", "Bricklin", age: 74))
      #expect(try ages.max() == 74 && ages.count() == 6)
      try people.remove(6)
      #expect(try ages.max() == 40)
    }
    #expect(try ages.sum() == 176)
  }
}
