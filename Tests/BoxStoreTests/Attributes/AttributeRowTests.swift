import BoxStore
import TestSupport
import Testing

/// Rows of values by their names.
struct AttributeRowTests {
  @Test(.promise(328, 389)) func namesAreTheDefaultsOrGivenByTheCaller() throws {
    let query = try QueryStore.people(ages: 2, 3).query().build()
    let row = try #require(
      try query.attributes(
        .average(Person.age), .count(Person.age), .max(Person.age), .min(Person.age),
        .sum(Person.age), .count(Person.id, as: "all")
      ).first)
    #expect(
      row.names == ["average(age)", "count(age)", "max(age)", "min(age)", "sum(age)", "all"])
    #expect(row["average(age)"] == .number(2.5))
    #expect(row["all"] == .integer(2))
    #expect(row["none"] == nil)
    #expect(row.dictionary["max(age)"] == .integer(3))
    let objects = try query.attributes(.id, .value(Person.age, as: "years"))
    #expect(objects.map(\.names) == [["id", "years"], ["id", "years"]])
    #expect(objects.map { $0["id"] } == [.unsigned(1), .unsigned(2)])
    #expect(
      objects[0].debugDescription == "AttributeRow(id: 1, years: 2)")
  }

  @Test(.promise(325)) func nullIsLeftOutOfTheDictionary() throws {
    let box = try QueryStore.people(Person("Ann", nickname: "A"), Person("Bob"))
    let rows = try box.query().build()
      .attributes(.value(Person.firstName), .value(Person.nickname))
    #expect(
      rows.map(\.dictionary) == [
        ["firstName": .string("Ann"), "nickname": .string("A")], ["firstName": .string("Bob")],
      ])
    #expect(rows[1].values == [.string("Bob"), nil])
  }

  /// The sample of CoreStore's document: a name, and the number of friends.
  @Test(.promise(327)) func targetsOfRelationsAreCountedForEachObject() throws {
    let store = try QueryStore.sample()
    let (students, teachers) = (store.box(for: Student.self), store.box(for: Teacher.self))
    let (ann, bob, kim) = (Student("Ann"), Student("Bob"), Teacher("Kim"))
    ann.teachers.append(kim)
    bob.teachers.append(contentsOf: [kim, Teacher("Lee")])
    try students.put([ann, bob, Student("Cy")])
    let rows = try students.query().build()
      .attributes(.value(Student.name), .count(Student.teachers))
    #expect(rows.map { $0["name"] } == [.string("Ann"), .string("Bob"), .string("Cy")])
    #expect(rows.map { $0["count(teachers)"] } == [.integer(1), .integer(2), .integer(0)])
    let back = try teachers.query().build().attributes(.count(Teacher.students, as: "n"))
    #expect(back.map { $0["n"] } == [.integer(2), .integer(1)])
    let byCount = try students.query().build().attributes(
      .count(Student.teachers), .count(Student.id, as: "students"),
      groupedBy: [.count(Student.teachers)])
    #expect(byCount.map { $0["count(teachers)"] } == [.integer(1), .integer(2), .integer(0)])
    #expect(byCount.allSatisfy { $0["students"] == .integer(1) })
  }

  @Test(.promise(327)) func backlinksOfRelationsToOneAreCounted() throws {
    let store = try QueryStore.sample()
    let (books, authors) = (store.box(for: Book.self), store.box(for: Author.self))
    let ada = try authors.put(struct: Author(name: "Ada"))
    _ = try authors.put(struct: Author(name: "Bob"))
    try books.put([Book("a", by: ada), Book("b"), Book("c", by: ada)])
    let query = try authors.query().build()
    let rows = try query.attributes(.count(Author.books))
    #expect(rows.map { $0["count(Book.authorId)"] } == [.integer(2), .integer(0)])
    // What a transaction has linked counts in it.
    try store.runInTransaction {
      try books.put(Book("d", by: ada))
      #expect(try query.select(.count(Author.books)).find() == [3, 0])
    }
  }

  @Test(.promise(329, 393)) func groupsComeInTheOrderOfTheQueryAndNullIsOne() throws {
    let box = try QueryStore.people(
      Person("a", age: 2, nickname: "x"), Person("b", age: 1), Person("c", age: 3, nickname: "x"),
      Person("d", age: 2), Person("e", age: 2, nickname: "X"))
    let query = try box.query().ordered(by: .descending(Person.age)).build()
    let rows = try query.attributes(
      .value(Person.nickname), .count(Person.id, as: "n"), groupedBy: [.value(Person.nickname)])
    #expect(rows.map { $0["nickname"] } == [.string("x"), nil, .string("X")])
    #expect(rows.map { $0["n"] } == [.integer(2), .integer(2), .integer(1)])
    let pairs = try query.attributes(
      .value(Person.age), .value(Person.nickname),
      groupedBy: [.value(Person.age), .value(Person.nickname)], offset: 1, limit: 2)
    #expect(pairs.map { $0["age"] } == [.integer(2), .integer(2)])
    #expect(pairs.map { $0["nickname"] } == [.string("x"), nil])
  }

  @Test(.promise(389)) func termsAreEqualByWhatTheySelectAndTheirName() {
    let terms: [AttributeTerm<Person>] = [
      .id, .id(as: "x"), .value(Person.age), .value(Person.firstName), .count(Person.age),
      .max(Person.age), .min(Person.age), .sum(Person.age), .average(Person.age),
      .sum(Person.age, as: "x"),
    ]
    #expect(Set(terms).count == terms.count)
    #expect(Set(terms + terms).count == terms.count)
    #expect(AttributeTerm<Student>.count(Student.teachers) == .count(Student.teachers))
    #expect(AttributeTerm<Person>.id == .value(Person.id))
    #expect(
      AttributeTerm.max(Person.age, as: "x").debugDescription
        == "AttributeTerm<Person>(max(property(4)) as x)")
    #expect(
      AttributeTerm<Student>.count(Student.teachers).debugDescription
        == "AttributeTerm<Student>(count(relation to Teacher))")
  }

  @Test func rowsSeeTheWritesOfTheirTransaction() throws {
    let box = try QueryStore.people(ages: 1)
    let query = try box.query().build()
    try box.store.runInTransaction {
      try box.put(Person(age: 5))
      #expect(try query.select(.sum(Person.age)).findFirst() == 6)
    }
    #expect(try query.select(.sum(Person.age)).findFirst() == 6)
  }
}
