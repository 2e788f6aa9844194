import BoxStore
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Questions about the values of one property.
struct PropertyQueryTests {
  /// The seventh behaviour.
  @Test(.promise(214, 216, 220, 222, 223, 360)) func equalValuesAreOneWithDistinct() throws {
    let box = try QueryStore.people(ages: 25, 30, 30, 40, 40)
    let ages: PropertyQuery<Person, Int> = try box.query().build().property(Person.age)
    #expect(try ages.find() == [25, 30, 30, 40, 40])
    #expect(try ages.average() == 33.0)
    #expect(try ages.averageInt() == 33)
    #expect(thrownCase { _ = try ages.findUnique() } == "uniqueViolation")
    let changed = try ages.distinct()
    #expect(changed === ages)
    #expect(try ages.find() == [25, 30, 40])
    #expect(try ages.count() == 3 && ages.sum() == 95)
    let thirty = try QueryStore.people(ages: 30, 30).query().build().property(Person.age)
    #expect(try thirty.distinct().findUnique() == 30)
    let nobody = try box.query { Person.age > 999 }.build()
    #expect(try nobody.property(Person.age).findUnique() == nil)
    #expect(try nobody.property(Person.firstName).findUniqueString() == nil)
  }

  @Test(.promise(217)) func nothingHasASumAndNoLimits() throws {
    let ages = try QueryStore.people().query().build().property(Person.age)
    #expect(
      try ages.count() == 0 && ages.sum() == 0 && ages.sumInt() == 0 && ages.sumUnsigned() == 0)
    for call: (PropertyQuery<Person, Int>) throws -> Void in [
      { _ = try $0.max() }, { _ = try $0.min() }, { _ = try $0.average() },
      { _ = try $0.averageInt() },
    ] {
      #expect(thrownCase { try call(ages) } == "notFound")
    }
  }

  @Test(.promise(94, 375)) func sumsAreExactAndOverflowIsAnError() throws {
    let box = try QueryStore.people(ages: .max, .max, -1)
    let ages = try box.query().build().property(Person.age)
    #expect(thrownCase { _ = try ages.sum() } == "stdOverflow")
    #expect(try ages.sumUnsigned() == UInt64(Int64.max) * 2 - 1)
    #expect(try ages.max() == .max && ages.min() == -1)
    #expect(try ages.averageInt() == Int((Int128(Int64.max) * 2 - 1) / 3))
    let negative = try box.query { Person.age < 0 }.build().property(Person.age)
    #expect(thrownCase { _ = try negative.sumUnsigned() } == "stdOverflow")
    #expect(try negative.sumInt() == -1)
  }

  @Test(.promise(216, 219)) func everyWidthIsReadAsItsType() throws {
    let box = try QueryStore.sample().box(for: Everything.self)
    var (one, two) = (Everything(), Everything())
    (one.int8, one.uint8, one.uint64, one.float, one.double) = (.min, 200, .max, 1.5, 0.1)
    (two.int8, two.uint8, two.uint64, two.float, two.double) = (.max, 1, 1, -2, 0.2)
    one.date = Date(timeIntervalSince1970: 1.5)
    var all = [one, two, Everything()]
    try box.put(&all)
    let query = try box.query().build()
    #expect(try query.property(Everything.int8).find() == [.min, .max])
    #expect(try query.property(Everything.uint8).max() == 200)
    #expect(try query.property(Everything.uint64).max() == .max)
    #expect(thrownCase { _ = try query.property(Everything.uint64).sum() } == "stdOverflow")
    #expect(try query.property(Everything.float).findFloats() == [1.5, -2])
    #expect(try query.property(Everything.float).min() == -2)
    #expect(try query.property(Everything.double).sum() == 0.1 + 0.2)
    #expect(try query.property(Everything.double).average() == (0.1 + 0.2) / 2)
    #expect(
      try query.property(Everything.double).with(nullValue: 9).findDoubles() == [0.1, 0.2, 9])
    #expect(try query.propertyInt64(Everything.date).find() == [1500])
    #expect(try query.property(Everything.bool).count() == 0)
  }

  @Test(.promise(215)) func valuesReplaceNil() throws {
    let box = try QueryStore.people(Person(nickname: "b"), Person(), Person(nickname: "a"))
    let query = try box.query().ordered(by: Person.nickname).build()
    // The order of the query does not count.
    #expect(try query.property(Person.nickname).findStrings() == ["b", "a"])
    let names = query.property(Person.nickname).with(nullString: "none")
    #expect(try names.findStrings() == ["b", "none", "a"])
    #expect(try names.count() == 3)
    let balances = query.property(Person.balance)
    #expect(try balances.find() == [])
    #expect(try balances.with(nullValue: 7).find() == [7, 7, 7])
    #expect(try balances.distinct().sum() == 7)
    let wide: PropertyQuery<Person, Int64?> = query.property(Person.balance)
    #expect(try wide.with(nullValue: -1).count() == 3)
  }

  @Test(.promise(219, 221, 222, 324)) func stringsAreDistinctWithAndWithoutCase() throws {
    let box = try QueryStore.people(Person("Ann"), Person("ANN"), Person("Bob"), Person("Ann"))
    let query = try box.query().build()
    #expect(try query.property(Person.firstName).distinct().findStrings() == ["Ann", "ANN", "Bob"])
    #expect(
      try query.property(Person.firstName).distinct(caseSensitiveCompare: false).findStrings()
        == ["Ann", "Bob"])
    #expect(try query.property(Person.firstName).findString() == "Ann")
    #expect(
      thrownCase { _ = try query.property(Person.firstName).findUniqueString() }
        == "uniqueViolation")
  }

  /// In one expression, without a name for the query.
  @Test(.promise(90, 214)) func aPropertyQueryKeepsItsQuery() throws {
    let box = try QueryStore.people(ages: 1, 2)
    let names = try box.query { Person.age > 1 }.build().property(Person.firstName).findStrings()
    #expect(names == ["2"])
  }
}
