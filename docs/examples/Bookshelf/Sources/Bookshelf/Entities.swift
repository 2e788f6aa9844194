import BoxStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The kind of a book; the store has the numbers.
enum Genre: Int, CaseIterable, Sendable {
  case other = 0
  case novel = 1
  case poetry = 2
  case science = 3

  init(named name: String) {
    self = Self.allCases.first { "\($0)" == name } ?? .other
  }
}

/// Somebody who wrote books.
final class Author: Entity {
  var id: Id = 0
  // objectbox: unique
  var name = ""
  var country: String?
  // objectbox: backlink = "author"
  var books: ToMany<Book> = nil

  init() {}

  init(_ name: String, from country: String? = nil) {
    self.name = name
    self.country = country
  }
}

/// A book on the shelf.
final class Book: Entity {
  var id: Id = 0
  // objectbox: index = "value"
  var title = ""
  // objectbox: convert = { "default": ".other" }
  var genre = Genre.other
  var year = 0
  var added: Date?
  var tags: [String]?
  var author: ToOne<Author> = nil

  init() {}

  init(_ title: String, by author: Author, _ genre: Genre, _ year: Int, tags: [String]? = nil) {
    self.title = title
    self.genre = genre
    self.year = year
    self.tags = tags
    self.author.target = author
  }
}

/// Somebody who borrows books.
final class Reader: Entity {
  var id: Id = 0
  var name = ""
  var borrowed: ToMany<Book> = nil

  init() {}

  init(_ name: String) { self.name = name }
}
