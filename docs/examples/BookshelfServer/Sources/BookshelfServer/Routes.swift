import BoxStore
import Hummingbird

/// The requests that the server answers.
///
/// Each is one transaction. Reads run at once, each on the state at its beginning; writes that wait share a
/// commit, and no request blocks a thread of the server.
struct Routes: Sendable {
  private let store: Store
  private let books: Box<Book>
  private let authors: Box<Author>
  private let readers: Box<Reader>

  init(_ store: Store) {
    self.store = store
    books = store.box()
    authors = store.box()
    readers = store.box()
  }

  func router() -> Router<BasicRequestContext> {
    let router = Router()
    router.get("books") { request, _ in
      try await list(by: request.uri.queryParameters.get("author"))
    }
    router.get("search") { request, _ in
      try await search(request.uri.queryParameters.require("word"))
    }
    router.get("authors") { _, _ in try await listAuthors() }
    router.get("books/:id") { _, context in
      try await book(context.parameters.require("id", as: Id.self))
    }
    router.post("books") { request, context in
      let record = try await request.decode(as: BookRecord.self, context: context)
      return EditedResponse(status: .created, response: try await put(record, nil))
    }
    router.put("books/:id") { request, context in
      let id = try context.parameters.require("id", as: Id.self)
      return try await put(try await request.decode(as: BookRecord.self, context: context), id)
    }
    router.delete("books/:id") { _, context in
      try await remove(context.parameters.require("id", as: Id.self))
    }
    router.post("books/:id/loan") { request, context in
      try await lend(
        context.parameters.require("id", as: Id.self),
        to: request.uri.queryParameters.require("reader"))
    }
    return router
  }

  // MARK: - Reading

  private func list(by name: String?) async throws -> [BookRecord] {
    try await store.runInReadOnlyTransaction { _ in
      let query = books.query().ordered(by: Book.year)
      if let name { query.link(Book.author) { Author.name == name } }
      return try query.build().find().map { BookRecord($0) }
    }
  }

  private func search(_ word: String) async throws -> [BookRecord] {
    try await store.runInReadOnlyTransaction { _ in
      try books.query {
        Book.title.contains(word, caseSensitive: false)
          || Book.tags.containsElement(element: word, caseSensitive: false)
      }.ordered(by: Book.title).build().find().map { BookRecord($0) }
    }
  }

  private func listAuthors() async throws -> [AuthorRecord] {
    try await store.runInReadOnlyTransaction { _ in
      try authors.query().ordered(by: Author.name).build().find().map {
        AuthorRecord(name: $0.name, country: $0.country, books: $0.books.map(\.title))
      }
    }
  }

  private func book(_ id: Id) async throws -> BookRecord {
    try await store.runInReadOnlyTransaction { _ in BookRecord(try found(id)) }
  }

  private func found(_ id: Id) throws -> Book {
    guard let book = try books.get(id) else { throw HTTPError(.notFound) }
    return book
  }

  // MARK: - Writing

  /// Puts a new book, or replaces one; an author without a name so far is new, and stored with the book.
  private func put(_ record: BookRecord, _ id: Id?) async throws -> BookRecord {
    if record.title.isEmpty { throw HTTPError(.badRequest, message: "a book has a title") }
    return try await store.runInTransaction { _ in
      let author =
        try authors.query { Author.name == record.author }.build().findUnique()
        ?? Author(record.author)
      let book = try id.map { try found($0) } ?? Book()
      record.apply(to: book, by: author)
      try books.put(book)
      return BookRecord(book)
    }
  }

  private func remove(_ id: Id) async throws -> HTTPResponse.Status {
    try await store.runInTransaction { _ in try books.remove(id) ? .noContent : .notFound }
  }

  /// Lends a book, unless somebody has it.
  private func lend(_ id: Id, to name: String) async throws -> HTTPResponse.Status {
    try await store.runInTransaction { _ in
      let book = try found(id)
      let holders = try readers.query().link(Reader.borrowed) { Book.id == id }.build()
      if try holders.count() > 0 { return .conflict }
      let reader =
        try readers.query { Reader.name == name }.build().findFirst() ?? Reader(name)
      try readers.put(reader)
      reader.borrowed.append(book)
      try reader.borrowed.applyToDb()
      return .noContent
    }
  }
}
