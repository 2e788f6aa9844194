import BoxStore

// Mistakes in conditions and relations, each of which the compiler has to report in its line: the lines
// that end in "// error", and no others. scripts/check-examples compares.

func foreignID(_ books: Box<Book>) {
  _ = books.query { Book.author == EntityId<Book>(1) }  // error
}

func functionOfAnotherType(_ books: Box<Book>) throws {
  _ = try books.query().build().property(Book.title).max()  // error
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
  _ = books.query { Book.genre == nil }  // error
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
  try books.put(author)  // error
}

func linkOverAValue(_ books: Box<Book>) {
  _ = books.query().link(Book.title) { Author.name == "Ada" }  // error
}

// A transaction must not change its thread.
func asynchronousTransaction(_ store: Store) async throws {
  try await store.runInTransaction { _ in try await Task.sleep(for: .seconds(1)) }  // error
}
