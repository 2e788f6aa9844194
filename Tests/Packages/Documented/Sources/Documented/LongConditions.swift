import BoxStore

// Conditions with eight operators and more, which have to be checked in less than a second each:
// scripts/check-examples builds with a warning for slower ones.

func longConditions(_ books: Box<Book>) {
  _ = books.query {
    Book.price > 1 && Book.price < 9 || Book.title != "a" && Book.title == "b"
      || !(Book.genre == 2) && Book.genre != 3 || Book.isbn == "1" && Book.isbn != "2"
  }
  _ = books.query {
    Book.genre > 1 && Book.genre < 9 && Book.genre != 3 && Book.genre >= 2 && Book.genre <= 8
      && Book.genre ∈ [2, 3, 4] && Book.genre ∉ [5] && Book.genre ∉ (6..<7)
  }
  _ = books.query {
    "low" .= Book.price >= 2.5 && "high" .= Book.price <= 7
      && (Book.title < "x" || Book.title > "y") && !(Book.isbn ∈ ["1", "2"])
      && Book.genre.isIn([1, 2])
  }
  _ = books.query { (Book.id == 3 || Book.id ∈ [4, 5]) && Book.author == 7 && Book.author != 8 }
}
