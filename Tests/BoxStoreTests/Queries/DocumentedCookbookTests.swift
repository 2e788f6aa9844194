import BoxStore
import Testing

/// The code of docs/query-cookbook.md, line by line, with what it finds.
struct DocumentedCookbookTests {
  @Test func theRecipesFindWhatTheyPromise() throws {
    let store = try Store(model: .library, directory: "memory:cookbook")
    let books: Box<Book> = store.box()
    let authors: Box<Author> = store.box()
    try DocumentedQueriesTests.fill(books, authors)

    // The five most expensive books.
    let expensive = try books.query().ordered(by: Book.price, flags: .descending)
      .build().find(offset: 0, limit: 5)
    #expect(expensive.map(\.id) == [3, 4, 7, 6, 5])

    // A page of a list that does not jump when others have the same title.
    let page = try books.query().ordered(by: Book.title).build().find(offset: 2, limit: 2)
    #expect(page.map(\.title) == ["No man", "Notes"])

    // Books that a list of ids names, in the order of the list.
    let wanted: [Id] = [5, 1, 2]
    let chosen = try books.get(wanted)
    #expect(chosen.map(\.id) == [5, 1, 2])

    // Whether there is such a book: reads one index entry or object.
    let exists = try books.query { Book.isbn == "1" }.build().findFirst() != nil
    #expect(exists)

    // Any of several words, in any case.
    let words = ["sea", "island"]
    let withWords = try books.query {
      anyOf(words.map { Book.title.contains($0, caseSensitive: false) })
    }.build().find()
    #expect(withWords.map(\.id) == [3, 5])

    // Everything but a genre, with the books without an ISBN.
    let unnumbered = try books.query { Book.genre != 2 && Book.isbn.isNil() }.build().find()
    #expect(unnumbered.map(\.id) == [3, 4, 5])

    // A condition that a user has typed.
    let typed = try QueryCondition<Book>(parsing: "price < 20 && author.name startsWith \"Ada\"")
    let matches = try books.query { typed }.build().find()
    #expect(matches.map(\.id) == [1])

    // Books of one author, by the author's name or id.
    let byName = try books.query { .link(Book.author) { Author.name == "Ada" } }.build().find()
    let byID = try books.query { Book.author == 1 }.build().find()
    #expect(byName.map(\.id) == [1])
    #expect(byID.map(\.id) == [1])

    // Authors with a cheap book; each is found once.
    let cheapAuthors = try authors.query { .link(Author.books) { Book.price < 10 } }.build().find()
    #expect(cheapAuthors.map(\.name) == ["Ada"])

    // Authors without books, and books without an author.
    let idle = try authors.query { !.link(Author.books) { .always } }.build().find()
    let anonymous = try books.query { Book.author.isNil() }.build().find()
    #expect(idle.map(\.name) == ["Cy"])
    #expect(anonymous.map(\.id) == [2, 3, 4, 5, 7])

    // Authors with more than one book: their relations are loaded.
    let productive = try authors.all().filter { $0.books.count > 1 }
    #expect(productive.isEmpty)

    // The number of books of each author, without reading the books.
    let counts = try authors.all().map { try $0.books.getUncachedIdsFromDb().count }
    #expect(counts == [1, 1, 0])

    // A sum, a mean, the extremes.
    let prices = try books.query { Book.genre == 1 }.build().property(Book.price)
    let sum = try prices.sum()
    let range = try prices.min()...prices.max()
    #expect(sum == 220)
    #expect(range == 8...200)

    // The values that occur, each once.
    let genres = try books.query().build().property(Book.genre).distinct().find().sorted()
    #expect(genres == [0, 1, 2])

    // The number for each value.
    let histogram = Dictionary(
      grouping: try books.query().build().property(Book.genre).find(), by: \.self
    ).mapValues(\.count)
    #expect(histogram == [0: 1, 1: 3, 2: 3])

    // A column with a value in place of nil.
    let isbns = try books.query().build().property(Book.isbn).with(nullString: "none").findStrings()
    #expect(isbns == ["1", "2", "none", "none", "none", "none", "none"])

    // Removes in one transaction; relations to the removed books find nothing afterwards.
    let removed = try books.query { Book.price > 100 }.build().remove()
    #expect(removed == 2)

    // Changes all that are found. The visit reads one object at a time.
    try books.query { Book.genre == 1 }.build().forEach(writable: true) { book in
      book.price += 1
      try books.put(book)
    }
    #expect(try books.all().map(\.price) == [9, 4, 13, 30, 60])

    // The same query with other values: checked and planned once.
    let upTo = try books.query { Book.price < 0 }.build()
    let found = try [10.0, 20.0].map { limit in
      upTo.setParameter(Book.price, to: limit)
      return try upTo.count()
    }
    #expect(found == [2, 3])
  }

  @Test func everyRecipeIsTested() throws {
    try DocumentedQueriesTests.requireTested("docs/query-cookbook.md", in: #filePath)
  }
}
