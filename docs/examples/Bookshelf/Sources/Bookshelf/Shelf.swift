import BoxStore

/// The commands of the program: each reads or changes the store, and returns the lines to print.
struct Shelf {
  private let store: Store
  private let authors: Box<Author>
  private let books: Box<Book>
  private let readers: Box<Reader>

  init(_ store: Store) {
    self.store = store
    authors = store.box()
    books = store.box()
    readers = store.box()
  }

  /// Puts a few books on an empty shelf.
  func fill() throws -> [String] {
    let mary = Author("Mary Shelley", from: "GB")
    let stanislaw = Author("Stanisław Lem", from: "PL")
    let wislawa = Author("Wisława Szymborska", from: "PL")
    // The authors are new, so they are stored with their books.
    try books.put([
      Book("Frankenstein", by: mary, .novel, 1818, tags: ["gothic", "science"]),
      Book("The Last Man", by: mary, .novel, 1826, tags: ["future"]),
      Book("Solaris", by: stanislaw, .novel, 1961, tags: ["science", "future"]),
      Book("The Cyberiad", by: stanislaw, .other, 1965, tags: ["robots"]),
      Book("View with a Grain of Sand", by: wislawa, .poetry, 1995),
    ])
    return ["\(try books.count()) books by \(try authors.count()) authors"]
  }

  /// Adds a book, and its author unless there is one of that name.
  func add(_ title: String, by name: String, _ genre: Genre, _ year: Int) throws -> [String] {
    try store.runInTransaction {
      let author = try author(named: name) ?? Author(name)
      let book = Book(title, by: author, genre, year)
      let id = try books.put(book)
      return ["added \(title) as \(id)"]
    }
  }

  /// The books, all or those of an author, by year.
  func list(by name: String? = nil) throws -> [String] {
    let query = books.query().ordered(by: Book.year)
    guard let name else { return try query.build().find().map(line) }
    return try query.link(Book.author) { Author.name == name }.build().find().map(line)
  }

  /// The books with a word in their title, or with that tag.
  func search(_ word: String) throws -> [String] {
    let query = try books.query {
      Book.title.contains(word, caseSensitive: false)
        || Book.tags.containsElement(element: word, caseSensitive: false)
    }.ordered(by: Book.title).build()
    return try query.find().map(line)
  }

  /// The authors with their books: each loads the books that refer to it.
  func shelves() throws -> [String] {
    try authors.query().ordered(by: Author.name).build().find().map { author in
      let titles = author.books.map(\.title).joined(separator: ", ")
      return "\(author.name) (\(author.country ?? "?")): \(titles)"
    }
  }

  /// Lends a book to a reader.
  func lend(_ title: String, to name: String) throws -> [String] {
    try store.runInTransaction {
      guard let book = try book(titled: title) else { return ["there is no book \(title)"] }
      if let other = try borrower(of: book) { return ["\(title) is with \(other.name)"] }
      let reader = try reader(named: name) ?? Reader(name)
      try readers.put(reader)
      reader.borrowed.append(book)
      try reader.borrowed.applyToDb()
      return ["\(name) has \(reader.borrowed.map(\.title).joined(separator: ", "))"]
    }
  }

  /// Takes a book back.
  func takeBack(_ title: String) throws -> [String] {
    guard let book = try book(titled: title), let reader = try borrower(of: book) else {
      return ["\(title) is not lent"]
    }
    reader.borrowed.removeAll { $0.id == book.id }
    try reader.borrowed.applyToDb()
    return ["\(reader.name) brought \(title) back"]
  }

  /// Numbers about the shelf.
  func numbers() throws -> [String] {
    let all = try books.query().build()
    let years = all.property(Book.year)
    let novels = try books.query { Book.genre == Genre.novel.rawValue }.build().count()
    return [
      "\(try all.count()) books, \(novels) of them novels,",
      "written between \(try years.min()) and \(try years.max())",
    ]
  }

  /// The plan of a search: which index is used, and how many objects are looked at.
  func explain(_ beginning: String) throws -> [String] {
    let query = try books.query { Book.title.startsWith(beginning) }.build()
    return try query.explain().split(separator: "\n").map(String.init)
  }

  // MARK: - Finding

  private func line(_ book: Book) -> String {
    "\(book.year)  \(book.title), \(book.author.target?.name ?? "nobody") (\(book.genre))"
  }

  private func author(named name: String) throws -> Author? {
    try authors.query { Author.name == name }.build().findUnique()
  }

  private func book(titled title: String) throws -> Book? {
    try books.query { Book.title == title }.build().findFirst()
  }

  private func reader(named name: String) throws -> Reader? {
    try readers.query { Reader.name == name }.build().findFirst()
  }

  private func borrower(of book: Book) throws -> Reader? {
    try readers.query().link(Reader.borrowed) { Book.id == book.id }.build().findFirst()
  }
}
