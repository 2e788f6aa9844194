internal import BoxReport
internal import BoxStoreTool

/// The request of a line of `boxjoint shell`.
enum ShellLine: Hashable, Sendable {
  /// Nothing: blanks or a comment.
  case nothing
  /// A command of the program, with its arguments after the directory of the store.
  case command(Command, [String])
  /// The beginning of a transaction.
  case begin
  /// The end of a transaction, by which its changes are kept.
  case commit
  /// The end of a transaction, by which its changes are undone.
  case rollback
  /// The list of commands, or the help of one.
  case help(Command?)
  /// The format of results from now on; nil to print which it is.
  case mode(QueryFormat?)
  /// The end of the shell.
  case quit

  /// A command that works on the store of the shell.
  enum Command: String, Hashable, Sendable, CaseIterable {
    case query, get, put, set, remove, link, unlink, info

    /// The summary, for the list of commands.
    var summary: String {
      switch self {
      case .query: "list, count and group objects: query Film --where 'year > 2015' --limit 5"
      case .get: "show objects: get Film 1 2"
      case .put: "put objects: put Film '{\"title\":\"Alien\"}'"
      case .set: "set properties: set Film 1 year=1979"
      case .remove: "remove objects: remove Film 1"
      case .link: "link objects: link Film.cast 1 7"
      case .unlink: "remove links: unlink Film.cast 1 7"
      case .info: "show entities with counts and sizes: info"
      }
    }

    /// Whether the command changes the store.
    var isChange: Bool {
      switch self {
      case .put, .set, .remove, .link, .unlink: true
      case .query, .get, .info: false
      }
    }

    /// Whether the command has formats of rows in addition to text and json.
    var hasRows: Bool { self == .query || self == .get }
  }

  /// The words that are no commands of the program, with their summaries.
  static let ownWords: [(word: String, summary: String)] = [
    ("begin", "begin a transaction: other programs wait with their writes until it ends"),
    ("commit", "keep the changes since begin"),
    ("rollback", "undo the changes since begin"),
    (".schema", "show the entities, or the properties of one: .schema Film"),
    (".explain", "show how a query finds its objects: .explain query Film --where 'year > 2015'"),
    (".mode", "print results as text, ndjson, json, csv, markdown or html"),
    (".help", "show this list, or the help of a command: .help query"),
    (".quit", "leave; an open transaction is rolled back"),
  ]

  /// Reads a line.
  ///
  /// - Parameter words: The words of the line.
  /// - Throws: ``CommandFailure`` of the kind `usage` for an unknown word, with the nearest, and for words
  ///   too many.
  init(_ words: [String]) throws(CommandFailure) {
    guard let first = words.first else {
      self = .nothing
      return
    }
    let rest = Array(words.dropFirst())
    if let command = Command(rawValue: first) {
      self = .command(command, rest)
      return
    }
    switch first {
    case "begin": self = try .begin.alone(first, rest)
    case "commit": self = try .commit.alone(first, rest)
    case "rollback": self = try .rollback.alone(first, rest)
    case ".quit", ".exit", "quit", "exit": self = try .quit.alone(first, rest)
    case ".schema": self = .command(.info, rest)
    case ".explain":
      guard rest.first == Command.query.rawValue else {
        throw CommandFailure(.usage, ".explain takes a query: .explain query ENTITY …")
      }
      self = .command(.query, rest.dropFirst() + ["--explain"])
    case ".help", "help", "?": self = .help(try Self.helped(rest))
    case ".mode": self = .mode(try Self.format(rest))
    default: throw Self.unknown(first)
    }
  }

  private func alone(_ word: String, _ rest: [String]) throws(CommandFailure) -> ShellLine {
    if let more = rest.first {
      throw CommandFailure(.usage, "\(word) takes no arguments; remove '\(more)'")
    }
    return self
  }

  private static func helped(_ rest: [String]) throws(CommandFailure) -> Command? {
    guard let word = rest.first else { return nil }
    if let command = Command(rawValue: word) { return command }
    if ownWords.contains(where: { $0.word == word || $0.word == "." + word }) { return nil }
    throw unknown(word)
  }

  private static func format(_ rest: [String]) throws(CommandFailure) -> QueryFormat? {
    guard let word = rest.first else { return nil }
    guard let format = QueryFormat(rawValue: word), rest.count == 1 else {
      let names = QueryFormat.allCases.map(\.rawValue).joined(separator: ", ")
      throw CommandFailure(.usage, ".mode takes one of \(names)")
    }
    return format
  }

  private static func unknown(_ word: String) -> CommandFailure {
    let known = Command.allCases.map(\.rawValue) + ownWords.map(\.word)
    let nearest = nearestName(to: word, among: known) ?? known.first { $0 == "." + word }
    return CommandFailure(
      .usage,
      "there is no command '\(word)'; " + (nearest.map { "did you mean '\($0)'? " } ?? "")
        + ".help lists the commands")
  }
}
