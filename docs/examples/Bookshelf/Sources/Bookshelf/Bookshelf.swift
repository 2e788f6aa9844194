import BoxStore

/// A shelf of books in the terminal: `swift run Bookshelf` plays a tour in memory, and
/// `swift run Bookshelf list` and the other commands work on a store in the directory `shelf`.
@main
enum Bookshelf {
  static let usage = """
    usage: Bookshelf [COMMAND]

      fill                             put a few books on the shelf
      add TITLE AUTHOR [GENRE [YEAR]]  add a book
      list [AUTHOR]                    list books by year
      search WORD                      search titles and tags
      shelves                          list authors with their books
      lend TITLE READER                lend a book
      back TITLE                       take a book back
      numbers                          count
      explain BEGINNING                show how titles are searched

    Without a command, all of them run one after the other on a store in memory.
    """

  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.isEmpty { return try tour() }
    let store = try Store(directoryPath: "shelf")
    defer { store.close() }
    guard let lines = try run(arguments, on: Shelf(store)) else { return print(usage) }
    lines.forEach { print($0) }
  }

  /// Carries out a command; nil if there is none of that form.
  static func run(_ arguments: [String], on shelf: Shelf) throws -> [String]? {
    let rest = Array(arguments.dropFirst())
    switch (arguments[0], rest.count) {
    case ("fill", 0): return try shelf.fill()
    case ("add", 2...4):
      let genre = rest.count > 2 ? Genre(named: rest[2]) : .other
      return try shelf.add(rest[0], by: rest[1], genre, rest.count > 3 ? Int(rest[3]) ?? 0 : 0)
    case ("list", 0...1): return try shelf.list(by: rest.first)
    case ("search", 1): return try shelf.search(rest[0])
    case ("shelves", 0): return try shelf.shelves()
    case ("lend", 2): return try shelf.lend(rest[0], to: rest[1])
    case ("back", 1): return try shelf.takeBack(rest[0])
    case ("numbers", 0): return try shelf.numbers()
    case ("explain", 1): return try shelf.explain(rest[0])
    default: return nil
    }
  }

  /// All commands, each with its output, while an observer counts the books.
  private static func tour() throws {
    let store = try Store(directoryPath: "memory:tour")
    defer { store.close() }
    let watcher = Watcher(store.box())
    for line in [
      ["fill"], ["list"], ["list", "Stanisław Lem"], ["search", "last"], ["search", "science"],
      ["add", "Eden", "Stanisław Lem", "novel", "1958"], ["shelves"], ["lend", "Solaris", "Ada"],
      ["lend", "Eden", "Ada"], ["lend", "Eden", "Bob"], ["back", "Eden"], ["lend", "Eden", "Bob"],
      ["numbers"], ["explain", "The"],
    ] {
      print("$ " + line.map { $0.contains(" ") ? "'\($0)'" : $0 }.joined(separator: " "))
      try run(line, on: Shelf(store))?.forEach { print("  " + $0) }
      if ["fill", "add"].contains(line[0]) { print("  (observer: \(watcher.next()) books)") }
    }
    watcher.stop()
  }
}
