import BoxStore

// Mistakes in conditions and relations, each of which the compiler has to report in its line: the lines
// that end in "// error", or in that and a colon with words of the message, and no others. scripts/check-examples
// compares.

func foreignID(_ books: Box<Book>) {
  _ = books.query { Book.author == EntityId<Book>(1) }  // error
}

func functionOfAnotherType(_ books: Box<Book>) throws {
  _ = try books.query().build().property(Book.title).average()  // error
}

func stringComparedWithNumber(_ books: Box<Book>) {
  _ = books.query { Book.title == 7 }  // error
}

func numberComparedWithString(_ books: Box<Book>) {
  _ = books.query { Book.genre == "novel" }  // error
}

func partOfNumber(_ books: Box<Book>) {
  _ = books.query { Book.price.contains("1") }  // error
}

func conditionOfAnotherEntity(_ books: Box<Book>) {
  _ = books.query { Author.name == "Ada" }  // error
}

func propertyAsCondition(_ books: Box<Book>) {
  _ = books.query { Book.title && Book.price < 3 }  // error
}

func linkToAnotherEntity(_ books: Box<Book>) {
  _ = books.query().link(Book.author) { Book.title == "Notes" }  // error
}

func aliasOfSeveralConditions(_ books: Box<Book>) {
  _ = books.query { "price" .= (Book.price > 1 && Book.price < 3) }  // error
}

func valueOfAnotherType(_ books: Box<Book>) throws {
  try books.query { Book.price < 3 }.build().setParameter(Book.price, to: "5")  // error
}

func orderByAnotherEntity(_ books: Box<Book>) {
  _ = books.query().ordered(by: Author.name)  // error
}

func neighboursOfAString(_ books: Box<Book>) {
  _ = books.query { Book.title.nearestNeighbors(queryVector: [1], maxCount: 1) }  // error
}

func comparedWithNil(_ books: Box<Book>) {
  _ = books.query { Book.genre == nil }  // error: write property.isNil()
}

// An error of a handler would reach nobody.
func handlerThatThrows(_ books: Box<Book>) -> Observer {
  books.subscribe { (_: [Book], error: ObjectBoxError?) in if let error { throw error } }  // error
}

func targetOfAnotherEntity(_ book: Book, _ reader: Reader) {
  book.author.target = reader  // error
}

func targetInPlaceOfTheRelation(_ book: Book, _ author: Author) {
  book.author = author  // error
}

func appendedObjectOfAnotherEntity(_ reader: Reader, _ author: Author) {
  reader.borrowed.append(author)  // error
}

func arrayInPlaceOfTheRelation(_ author: Author, _ books: [Book]) {
  author.books = books  // error
}

func idOfAnotherEntity(_ books: Box<Book>) throws {
  _ = try books.get(EntityId<Author>(1))  // error
}

func objectOfAnotherBox(_ books: Box<Book>, _ author: Author) throws {
  try books.put(author)  // error: store.box(for:)
}

func linkOverAValue(_ books: Box<Book>) {
  _ = books.query().link(Book.title) { Author.name == "Ada" }  // error: not a relation
}

func otherThanNil(_ books: Box<Book>) {
  _ = books.query { Book.price < 3 && Book.isbn != nil }  // error: write property.isNotNil()
}

func equalNumberWithAFraction(_ books: Box<Book>) {
  _ = books.query { Book.price == 3.5 }  // error: write property.isEqual(to:tolerance:)
}

func greatestString(_ books: Box<Book>) throws {
  _ = try books.query().build().property(Book.title).max()  // error: use findFirst()
}

func valuesOfARelation(_ books: Box<Book>) throws {
  _ = try books.query().build().property(Book.author)  // error: use select(.value(relation))
}

func orderByARelation(_ books: Box<Book>) {
  _ = books.query().ordered(by: Book.author)  // error: order by a property
}

func anotherID(_ books: Box<Book>) throws {
  try books.query().build().update { $0.set(Book.id, to: 3) }  // error: an object keeps its id
}

func anotherRelationToMany(_ books: Box<Book>) throws {
  try books.query().build().update { $0.set(Book.related, to: []) }  // error: call applyToDb()
}

func anotherValueOfAnotherType(_ books: Box<Book>) throws {
  try books.query().build().update { $0.set(Book.price, to: "3") }  // error
}

func caseThatTheEnumDoesNotHave(_ books: Box<Book>) {
  _ = books.query { Book.genre == .thriller }  // error
}

func targetOfAnotherType(_ books: Box<Book>, _ reader: Reader) {
  _ = books.query { Book.author == reader }  // error
}

func objectByAPropertyThatIsNotUnique(_ books: Box<Book>) throws {
  _ = try books.get(Book.title, "Notes")  // error: mark it with '// objectbox: unique'
}

func putByAPropertyThatIsNotUnique(_ books: Box<Book>, _ book: Book) throws {
  try books.put(book, matching: Book.title)  // error: mark it with '// objectbox: unique'
}

func putOfSeveralByAPropertyThatIsNotUnique(_ books: Box<Book>, _ book: Book) throws {
  try books.put([book], matching: Book.year)  // error: mark it with '// objectbox: unique'
}

func objectByAValueOfAnotherType(_ books: Box<Book>) throws {
  _ = try books.get(Book.isbn, 7)  // error
}

func putByAKeyOfAnotherEntity(_ authors: Box<Author>, _ author: Author) throws {
  try authors.put(author, matching: Book.isbn)  // error
}

// A transaction must not change its thread.
func asynchronousTransaction(_ store: Store) async throws {
  try await store.runInTransaction { _ in try await Task.sleep(for: .seconds(1)) }  // error
}
