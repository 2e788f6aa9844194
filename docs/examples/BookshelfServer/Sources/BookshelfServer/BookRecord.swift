import BoxStore
import Hummingbird

/// A book as JSON.
///
/// Objects of the store are classes, which stay on the thread that reads them; a record crosses threads.
struct BookRecord: ResponseCodable, Sendable {
  var id: Id?
  var title: String
  var author: String
  var genre: String?
  var year: Int?
  var tags: [String]?

  init(_ book: Book) {
    id = book.id
    title = book.title
    author = book.author.target?.name ?? ""
    genre = "\(book.genre)"
    year = book.year
    tags = book.tags
  }

  /// Writes the record to a book.
  func apply(to book: Book, by author: Author) {
    book.title = title
    book.genre = genre.map { Genre(named: $0) } ?? book.genre
    book.year = year ?? book.year
    book.tags = tags ?? book.tags
    book.author.target = author
  }
}

/// An author as JSON, with the titles of the books.
struct AuthorRecord: ResponseCodable, Sendable {
  var name: String
  var country: String?
  var books: [String]
}
