import BoxStore
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Rows of typed values.
struct SelectionTests {
  @Test(.promise(324)) func oneTermGivesPlainValues() throws {
    let box = try QueryStore.people(ages: 25, 30, 30, 40)
    let query = try box.query().ordered(by: .descending(Person.age)).build()
    let ages: [Int] = try query.select(.value(Person.age)).find()
    #expect(ages == [40, 30, 30, 25])
    #expect(try query.select(.value(Person.age)).find(offset: 1, limit: 2) == [30, 30])
    #expect(try query.select(.value(Person.age)).findFirst() == 40)
    let oldest: [Int?] = try query.select(.max(Person.age)).find()
    #expect(oldest == [40])
    #expect(try query.select(.id).find().map(\.value) == [4, 2, 3, 1])
  }

  @Test func severalTermsGiveTuplesOfTheirTypes() throws {
    let box = try QueryStore.people(
      Person("Ann", age: 30, nickname: "A"), Person("Bob", age: 20), Person("Cy", age: 30))
    let rows = try box.query().build().select(.value(Person.firstName), .value(Person.nickname))
      .find()
    #expect(rows.map(\.0) == ["Ann", "Bob", "Cy"])
    #expect(rows.map(\.1) == ["A", nil, nil])
    let groups: [(Int, Int, String?)] = try box.query().build()
      .select(.value(Person.age), .count(Person.nickname), .max(Person.firstName))
      .grouped(by: Person.age).find()
    #expect(groups.map(\.0) == [30, 20])
    #expect(groups.map(\.1) == [1, 0])
    #expect(groups.map(\.2) == ["Cy", "Bob"])
  }

  /// Average of 2 to 5 is 3.5; CoreStore casts it to the type that is asked for, and here it is a number.
  @Test(.promise(326, 387)) func averagesAreNumbersAndSumsAreExact() throws {
    let query = try QueryStore.people(ages: 2, 3, 4, 5).query().build()
    let (average, sum, count, least, greatest) = try #require(
      try query.select(
        .average(Person.age), .sum(Person.age), .count(Person.age), .min(Person.age),
        .max(Person.age)
      ).findFirst())
    #expect(average == 3.5 && sum == 14 && count == 4 && least == 2 && greatest == 5)
  }

  @Test(.promise(326, 387)) func withoutObjectsLimitsAreNilAndSumsAreZero() throws {
    let query = try QueryStore.people().query().build()
    let row = try #require(
      try query.select(
        .max(Person.age), .average(Person.age), .sum(Person.age), .count(Person.id),
        .sum(Person.rating), .min(Person.nickname)
      ).findFirst())
    #expect(row.0 == nil && row.1 == nil && row.2 == 0 && row.3 == 0 && row.4 == 0)
    #expect(row.5 == nil)
    #expect(try query.select(.value(Person.age)).find() == [])
    #expect(try query.select(.value(Person.age)).grouped(by: Person.age).find() == [])
  }

  @Test func sumsThatDoNotFitAreAnError() throws {
    let query = try QueryStore.people(ages: .max, 1).query().build()
    #expect(thrownCase { _ = try query.select(.sum(Person.age)).find() } == "stdOverflow")
    #expect(try query.attributes(.sum(Person.age)).first?["sum(age)"] == .unsigned(1 << 63))
    let three = try QueryStore.people(ages: .max, .max, .max).query().build()
    #expect(thrownCase { _ = try three.attributes(.sum(Person.age)) } == "stdOverflow")
    #expect(try three.select(.average(Person.age)).findFirst() == 9.223372036854775807e18)
  }

  @Test(.promise(387)) func everyTypeIsReadAsItWasPut() throws {
    let box = try QueryStore.sample().box(for: Everything.self)
    var one = Everything()
    (one.int8, one.uint8, one.uint64, one.float, one.double) = (.min, 200, .max, 1.5, 0.1)
    (one.bool, one.string, one.char) = (true, "ä", 65)
    one.date = Date(timeIntervalSince1970: 1.5)
    one.dateNano = Date(timeIntervalSince1970: 2.5)
    one.data = Data([1, 2])
    one.strings = ["a", "b"]
    one.int32s = [-1]
    try box.put(&one)
    let query = try box.query().build()
    let row = try #require(
      try query.select(
        .value(Everything.int8), .value(Everything.uint8), .value(Everything.uint64),
        .value(Everything.float), .value(Everything.double), .value(Everything.bool),
        .value(Everything.string), .value(Everything.date), .value(Everything.dateNano),
        .value(Everything.data)
      ).findFirst())
    #expect(row.0 == .min && row.1 == 200 && row.2 == .max && row.3 == 1.5 && row.4 == 0.1)
    #expect(row.5 == true && row.6 == "ä" && row.7 == one.date && row.8 == one.dateNano)
    #expect(row.9 == one.data)
    let limits = try #require(
      try query.select(
        .max(Everything.bool), .min(Everything.string), .max(Everything.date),
        .min(Everything.data), .max(Everything.dateNano), .min(Everything.uint64)
      ).findFirst())
    #expect(limits.0 == true && limits.1 == "ä" && limits.2 == one.date && limits.3 == one.data)
    #expect(limits.4 == one.dateNano && limits.5 == .max)
    let dynamic = try #require(
      try query.attributes(.value(Everything.strings), .value(Everything.int32s)).first)
    #expect(dynamic["strings"] == .list([.string("a"), .string("b")]))
    #expect(dynamic["int32s"] == .list([.integer(-1)]))
  }

  @Test func relationsToOneAreTheIDsOfTheirTargets() throws {
    let store = try QueryStore.sample()
    let (books, authors) = (store.box(for: Book.self), store.box(for: Author.self))
    let ada = try authors.put(struct: Author(name: "Ada"))
    try books.put([Book("a", by: ada), Book("b"), Book("c", by: ada)])
    let rows = try books.query().build().select(.value(Book.author), .count(Book.id))
      .grouped(by: Book.author).find()
    #expect(rows.map(\.0) == [ada.id, nil])
    #expect(rows.map(\.1) == [2, 1])
  }

  /// CoreStore gives nil for these; an error tells the mistake.
  @Test func sumsAndAveragesNeedNumbers() throws {
    let query = try QueryStore.sample().box(for: Everything.self).query().build()
    let terms: [AttributeTerm<Everything>] = [
      .sum(Everything.string), .average(Everything.string), .sum(Everything.data),
      .average(Everything.data),
    ]
    for term in terms {
      #expect(
        thrownCase { _ = try query.attributes([term]) } == "illegalArgument",
        "\(term.debugDescription)")
    }
  }

  @Test func termsThatDoNotGoTogetherAreErrors() throws {
    let query = try QueryStore.sample().box(for: Everything.self).query().build()
    #expect(
      thrownCase {
        _ = try query.select(.value(Everything.int32), .max(Everything.int32)).find()
      } == "illegalArgument")
    #expect(
      thrownCase {
        _ = try query.select(.value(Everything.int8)).grouped(by: Everything.int32).find()
      } == "illegalArgument")
    #expect(
      thrownCase { _ = try query.attributes(.sum(Everything.string)) } == "illegalArgument")
    #expect(
      thrownCase { _ = try query.attributes(.max(Everything.strings)) } == "illegalArgument")
    #expect(
      thrownCase {
        _ = try query.attributes(.count(Everything.int8), groupedBy: [.value(Everything.strings)])
      } == "illegalArgument")
    #expect(
      thrownCase {
        _ = try query.attributes(.count(Everything.int8), groupedBy: [.count(Everything.int8)])
      } == "illegalArgument")
    #expect(
      thrownCase {
        _ = try query.attributes(.value(Everything.int8), .value(Everything.int16, as: "int8"))
      } == "illegalArgument")
    #expect(thrownCase { _ = try query.attributes([]) } == "illegalArgument")
    #expect(
      thrownCase { _ = try query.attributes(.id, offset: -1) } == "illegalArgument")
  }
}
