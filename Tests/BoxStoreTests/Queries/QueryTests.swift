import BoxStore
import TestSupport
import Testing

/// The ways to run a query.
struct QueryTests {
  @Test(.promise(95, 203)) func aUniqueObjectIsFoundAndSeveralAreAnError() throws {
    let box = try QueryStore.people(ages: 25, 30, 30, 40, 40)
    #expect(try box.query { Person.age == 25 }.build().findUnique()?.id == 1)
    #expect(try box.query { Person.age == 26 }.build().findUnique() == nil)
    let query = try box.query { Person.age == 30 }.build()
    #expect(thrownCase { _ = try query.findUnique() } == "nonUniqueResult")
    #expect(try query.findFirst()?.id == 2)
  }

  @Test(.promise(198, 360)) func aRangeLeavesItsUpperBoundOut() throws {
    let box = try QueryStore.people(ages: 9, 10, 17, 18)
    #expect(try box.ages(Person.age ∉ (10..<18)) == [9, 18])
    #expect(try box.ages(Person.age ∈ (10..<18)) == [10, 17])
    #expect(try box.ages(Person.age ∈ (10...18)) == [10, 17, 18])
    #expect(try box.ages(Person.age ∈ (10..<10)) == [])
    #expect(try box.ages(Person.age ∉ (10..<10)) == [9, 10, 17, 18])
    #expect(try box.ages(Person.age.isBetween(17, and: 10)) == [10, 17])
  }

  @Test func aConditionThatALoopNestsIsAnErrorOrHasNoDepth() throws {
    let box = try QueryStore.people(ages: 1, 2)
    var turned: QueryCondition<Person> = Person.age == 1
    var nested = turned
    for _ in 0..<10_000 {
      turned = !turned
      nested = !(nested && Person.age < 10)
    }
    #expect(try box.ages(turned) == [1])
    #expect(thrownCase { _ = try box.query { nested }.build() } == "illegalArgument")
    var listed: QueryCondition<Person> = Person.age == 1
    for age in 2..<10_000 { listed = listed || Person.age == age }
    #expect(try box.ages(listed) == [1, 2])
  }

  /// An id is a number of this type too, and has operators of its own.
  @Test func signedIdsAreComparedAsOthers() throws {
    let box = try QueryStore.sample().box(for: Numbered.self)
    try box.put([Numbered(), Numbered(), Numbered()])
    let third: Int64 = 3
    #expect(try box.query { Numbered.id == 3 }.build().findIds() == [3])
    #expect(try box.query { Numbered.id != third }.build().findIds() == [1, 2])
    #expect(try box.query { Numbered.id ∈ [1, third, -5] }.build().findIds() == [1, 3])
    #expect(try box.query { Numbered.id == -5 }.build().count() == 0)
    #expect(try box.query { Numbered.id.isLessThan(third) }.build().findIds() == [1, 2])
  }

  @Test func unsignedNumbersAreComparedAsNumbers() throws {
    let box = try QueryStore.people(ages: 1, 2, 3)
    let age = Property<Person, UInt64, Void>(propertyId: 4)
    #expect(try box.ages(age == 2) == [2])
    #expect(try box.ages(age != 2 && age < .max) == [1, 3])
    #expect(try box.ages(age ∈ [1, 2] && age.isEqual(to: 1)) == [1])
  }

  @Test(.promise(317, 390)) func leadingDotsFindThePropertiesOfTheEntity() throws {
    let box = try QueryStore.people(Person("Ann", age: 30), Person("Bob", age: 40))
    #expect(try box.query { .firstName == "Bob" && .age > 30 }.build().find().map(\.id) == [2])
    #expect(try box.query { .firstName.contains("nn") }.build().find().map(\.id) == [1])
    #expect(try box.query { .always && !.never }.build().count() == 2)
  }

  @Test(.promise(198, 199)) func idsAreComparedAsNumbersAndTyped() throws {
    let store = try QueryStore.sample()
    let (books, authors) = (store.box(for: Book.self), store.box(for: Author.self))
    let ada = try authors.put(struct: Author(name: "Ada"))
    let bob = try authors.put(struct: Author(name: "Bob"))
    try books.put([Book("A", by: ada), Book("B", by: bob), Book("C")])
    #expect(try books.query { Book.id == 2 }.build().find().map(\.title) == ["B"])
    #expect(try books.query { Book.id != 2 }.build().count() == 2)
    #expect(try books.query { Book.id.isEqual(to: 2) }.build().findFirst()?.title == "B")
    #expect(try books.query { Book.id ∈ [1, 3, 9] }.build().find().map(\.title) == ["A", "C"])
    #expect(try authors.query { Author.id == bob.id }.build().find().map(\.name) == ["Bob"])
    #expect(try authors.query { Author.id.isEqual(to: 1) }.build().find().map(\.name) == ["Ada"])
    let byBob = try books.query { Book.author == bob.id }.build()
    #expect(try byBob.find().map(\.title) == ["B"])
    byBob.setParameter(Book.author, to: ada.id)
    #expect(try byBob.find().map(\.title) == ["A"])
    #expect(try books.query { Book.author.isEqual(to: 2) }.build().find().map(\.title) == ["B"])
    #expect(try books.query { Book.author.isNil() }.build().find().map(\.title) == ["C"])
    #expect(try books.query { Book.author.isNotNil() }.build().count() == 2)
    #expect(try books.query { !(Book.author == ada.id) }.build().count() == 2)
  }

  /// As the fourth behaviour: queries know stored values and not the cases of an enum.
  @Test(.promise(60, 357)) func aValueThatTheEnumDoesNotHaveIsFound() throws {
    let store = try QueryStore.sample()
    let books = store.box(for: Book.self)
    let raw = store.box(for: RawBook.self)
    let unknown = RawBook()
    unknown.genre = 999
    let id = try raw.put(unknown)
    #expect(try books.get(id)?.genre == .unknown)
    #expect(try books.query { Book.genre == 999 }.build().find().map(\.id) == [id])
    #expect(try books.query { Book.genre == 0 }.build().count() == 0)
  }

  @Test(.promise(46, 104, 195, 300, 312, 369)) func aQueryInATransactionSeesItsWrites() throws {
    let box = try QueryStore.people(ages: 1, 2)
    let query = try box.query { Person.age > 1 }.build()
    try box.store.runInTransaction {
      try box.put(Person(age: 3))
      #expect(try query.count() == 2)
      #expect(try query.remove() == 2)
      #expect(try query.findIds().isEmpty)
    }
    #expect(try box.all().map(\.age) == [1])
  }

  @Test(.promise(104, 323, 369)) func aVisitReadsAndCanWrite() throws {
    let box = try QueryStore.people()
    try box.put((0..<200).map { Person("\($0)", age: $0 % 4) })
    let query = try box.query { Person.age == 1 }.ordered(by: Person.id, flags: [.descending])
      .build()
    var seen: [Id] = []
    try query.visit { person in
      // Outside of the engine: the store can be used.
      let isThere = try box.contains(person.id)
      #expect(isThere)
      seen.append(person.id)
      return seen.count < 30
    }
    #expect(seen == (0..<30).map { 198 - 4 * $0 })
    var visited = 0
    try query.forEach(writable: true) { person in
      visited += 1
      // The next one as well, which is then not visited.
      _ = try box.remove([person.id, person.id - 4])
    }
    #expect(visited == 25)
    #expect(try query.count() == 0 && box.count() == 150)
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try box.query().build().forEach(writable: true) { person in
        try box.remove(person)
        throw Stop()
      }
    }
    #expect(try box.count() == 150)
  }

  @Test(.promise(323, 395)) func badWindowsAndClosedStoresAreErrors() throws {
    let box = try QueryStore.people(ages: 1)
    let query = try box.query().build()
    #expect(thrownCase { _ = try query.find(offset: -1) } == "illegalArgument")
    #expect(thrownCase { _ = try query.findIds(limit: -1) } == "illegalArgument")
    #expect(try query.find(offset: 5, limit: 5).isEmpty)
    #expect(
      thrownCase { try box.store.runInReadOnlyTransaction { _ = try query.remove() } }
        == "cannotWriteWhileReading")
    box.store.close()
    #expect(thrownCase { _ = try query.count() } == "illegalState")
    #expect(thrownCase { _ = try query.property(Person.age).max() } == "illegalState")
  }

  @Test(.promise(350)) func aPropertyThatTheModelLacksIsAnErrorOfBuild() throws {
    let box = try QueryStore.people()
    let missing = Property<Person, Int, Void>(propertyId: 99)
    #expect(thrownCase { _ = try box.query { missing == 1 }.build() } == "schema")
    #expect(thrownCase { _ = try box.query().ordered(by: missing).build() } == "schema")
    let wrong = Property<Person, String, Void>(propertyId: 4)
    #expect(thrownCase { _ = try box.query { wrong == "1" }.build() } == "illegalArgument")
    #expect(
      thrownCase { _ = try box.query().ordered(by: Person.firstName, flags: .nullsZero).build() }
        == "illegalArgument")
  }

  @Test(.promise(349)) func aPropertyHasItsNameInTheModel() throws {
    let box = try QueryStore.people()
    #expect(try box.name(of: Person.firstName) == "firstName")
    #expect(try box.name(of: Person.id) == "id")
    let missing = Property<Person, Int, Void>(propertyId: 99)
    let error = #expect(throws: ObjectBoxError.self) { try box.name(of: missing) }
    #expect(error.map(caseName) == "schema")
    #expect(error?.message.contains("property of Person with id 99") == true)
  }

  @Test(.promise(316, 390)) func aTextIsParsedWithPlaces() throws {
    let box = try QueryStore.people(ages: 10, 20, 30)
    let condition = try QueryCondition<Person>(parsing: "age > 10 && !(age == 30)")
    #expect(try box.ages(condition || Person.age == 10) == [10, 20])
    func message(_ body: () throws -> Void) -> String {
      do {
        try body()
        return ""
      } catch {
        return "\(error)"
      }
    }
    let unclosed = message { _ = try QueryCondition<Person>(parsing: "age > (") }
    #expect(unclosed.hasPrefix("1:7: "), "\(unclosed)")
    let misspelled = message {
      let condition = try QueryCondition<Person>(parsing: "age > 1 &&\n agee < 3")
      _ = try box.query { Person.age > 1 && condition }.build()
    }
    #expect(
      misspelled.hasPrefix("2:2: ") && misspelled.contains("did you mean age?"), "\(misspelled)")
  }

  /// Two texts have places of their own, whatever stands before them.
  @Test func placesReferToEachText() throws {
    let box = try QueryStore.people(ages: 10, 20, 30)
    func message(_ condition: QueryCondition<Person>) -> String {
      do {
        _ = try box.query { condition }.build()
        return ""
      } catch {
        return "\(error)"
      }
    }
    let before =
      try (Person.age ∈ [1, 2, 3] || !Person.age.isBetween(5, and: 7))
      && QueryCondition<Person>(parsing: "age in (1, 2) || firstName == 'A' && age != nil")
    #expect(message(before).isEmpty)
    let unquoted = try QueryCondition<Person>(parsing: "age > 1 &&\n firstName == Ann")
    #expect(message(before && unquoted).hasPrefix("2:15: "))
    let misspelled = try QueryCondition<Person>(parsing: "firstName == 'A' && agee == 1")
    #expect(message(!before || misspelled).hasPrefix("1:21: "))
    let wrong = Property<Person, String, Void>(propertyId: 4)
    #expect(message(before && wrong == "1").first?.isNumber == false)
  }

  @Test func explainSaysTheWay() throws {
    let store = try QueryStore.sample()
    let books = store.box(for: Book.self)
    try books.put((0..<50).map { Book($0 < 3 ? "No \($0)" : "Book \($0)") })
    let query = try books.query { Book.title.startsWith("No") && Book.price < 10 }.build()
    let text = try query.explain()
    #expect(text.contains("Book: index prefix title (title startsWith \"No\"), 3 ids"), "\(text)")
    #expect(text.contains("test price < 10"), "\(text)")
  }

  /// Conditions that are put together in a loop, at either side.
  @Test func aConditionOfManyTermsHasNoDepth() throws {
    let box = try QueryStore.people(ages: 0, 1, 2)
    let none = QueryCondition<Person>.never
    let left = (0..<5_000).reduce(none) { $0 || Person.age == $1 + 1 }
    let right = (0..<5_000).reduce(none) { Person.age == $1 + 1 || $0 }
    #expect(try box.ages(left) == [1, 2])
    #expect(try box.ages(right) == [1, 2])
    let both = (0..<5_000).reduce(QueryCondition<Person>.always) { Person.age < $1 + 2 && $0 }
    #expect(try box.ages(both) == [0, 1])
    #expect(both.debugDescription.hasPrefix("QueryCondition<Person>(property(4) < 5001 && "))
  }
}
