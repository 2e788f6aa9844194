import BoxModel
import TestSupport
import Testing

@testable import BoxJointCLI
@testable import BoxStoreTool

/// The requests of the lines of `boxjoint shell`, and their completion.
struct ShellLineTests {
  private func line(_ text: String) throws -> ShellLine { try ShellLine(ShellWords(text).words) }

  @Test func wordsAreCommands() throws {
    #expect(try line("") == .nothing)
    #expect(try line("# later") == .nothing)
    #expect(
      try line("query Film --where 'year > 2015'")
        == .command(.query, ["Film", "--where", "year > 2015"]))
    #expect(try line(".schema Film") == .command(.info, ["Film"]))
    #expect(
      try line(".explain query Film --limit 1")
        == .command(.query, ["Film", "--limit", "1", "--explain"]))
    #expect(try line("begin") == .begin)
    #expect(try line("commit") == .commit)
    #expect(try line("rollback") == .rollback)
    #expect(try line(".mode csv") == .mode(.csv))
    #expect(try line(".mode") == .mode(nil))
    #expect(try line(".help set") == .help(.set))
    #expect(try line("help") == .help(nil))
    #expect(try line("exit") == .quit)
  }

  @Test(arguments: [
    ("querry Film", "did you mean 'query'?"), ("begin now", "remove 'now'"),
    (".mode xml", "text, ndjson, json, csv, markdown, html"),
    (".explain set Film 1", ".explain takes a query"),
    ("schema", "did you mean '.schema'?"), (".help frobnicate", "there is no command 'frobnicate'"),
    ("xyzzy", ".help lists the commands"),
  ])
  func mistakesSayWhatToDo(_ text: String, _ advice: String) {
    let failure = #expect(throws: CommandFailure.self) { try line(text) }
    #expect(failure?.kind == .usage)
    #expect(failure?.message.contains(advice) == true, "\(String(describing: failure))")
  }

  private var completion: ShellCompletion {
    var names = StoreNames()
    names.members = ["Film": ["cast", "genre", "title", "year"], "Person": ["name", "born"]]
    names.values = ["Film": ["novel", "crime"]]
    return ShellCompletion(names: names)
  }

  @Test(
    arguments: [
      ("qu", ["query"], 2), ("", nil, 0), ("  ", nil, 0), ("# x ", nil, 0),
      ("query F", ["Film"], 1),
      ("query Film --whe", ["--where"], 5), ("query Film --fi", ["--fields"], 4),
      ("query Film --conv", ["--converters"], 6), ("get Film 1 --tr", ["--trust"], 4),
      ("info --ra", ["--raw"], 4), ("link Film.cast 1 2 --whe", [], 5),
      ("query Film --where 'ye", ["year"], 2), ("query Film --where 'year > 2 && ti", ["title"], 2),
      ("query Film --where 'genre == no", ["not", "novel"], 2),
      ("query Film --select cast.na", ["name"], 2), ("link Film.ca", ["cast"], 2),
      (".mode c", ["csv"], 1), (".schema p", ["Person"], 1), ("set Film 1 gen", ["genre"], 3),
      ("query Film --where 'title contains \"x", [], 1),
    ] as [(String, [String]?, Int)])
  func namesAreCompleted(_ text: String, _ words: [String]?, _ replaced: Int) {
    let found = completion.completions(of: text)
    if let words { #expect(found.words == words) } else { #expect(found.words.count > 10) }
    #expect(found.replaced == replaced)
  }

  @Test(
    arguments: [
      ("query Item --select li", ["`list price`"], 2),
      ("query Item --select title,`list", ["`list price`"], 5),
      ("query Item --select `list pr", ["`list price`"], 8),
      ("query Item --select `ti", ["`title`"], 3),
      ("query Item --where 'list", ["`list price`"], 4),
      ("query Item --where 'it", ["`it'\\''s`"], 2), ("query Item --where \"it", ["`it's`"], 2),
      ("link Item.li", ["`list price`"], 2), ("link Item.`a", ["`a``b`"], 2),
      ("query Item --select `a,b`,li", ["`list price`"], 2), ("query `My", ["`My, entity`"], 3),
      ("query `My, entity` --select od", ["odd"], 2),
    ] as [(String, [String], Int)])
  func namesComeWithBackquotes(_ text: String, _ words: [String], _ replaced: Int) {
    var completion = ShellCompletion()
    completion.names.members = [
      "Item": ["list price", "title", "it's", "a`b"], "My, entity": ["odd"],
    ]
    let found = completion.completions(of: text)
    #expect(found.words == words.map { $0.replacing("``", with: "\\`") })
    #expect(found.replaced == replaced)
  }

  /// A completion is one word, with the name in it.
  @Test func aCompletedNameIsRead() {
    for name in HostileName.all {
      var completion = ShellCompletion()
      completion.names.members = ["Item": [name]]
      for line in ["query Item --select ", "query Item --where '", "query Item --where \""] {
        let found = completion.completions(of: line).words.filter {
          $0.contains("`") || $0 == name
        }
        guard let word = found.first else {
          Issue.record("\(name.debugDescription) is not completed")
          continue
        }
        let quote = line.last == " " ? "" : String(line.suffix(1))
        let read = ShellWords(line + word + quote)
        #expect(read.words.count == 4 && !read.isOpen, "\(word.debugDescription)")
        #expect(NamePath(reading: read.last).names == [name], "\(word.debugDescription)")
      }
    }
  }
}
