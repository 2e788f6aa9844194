internal import ArgumentParser
internal import BoxEngine
internal import BoxReport
internal import BoxStoreTool
internal import BoxTerminal

/// The loop of `boxjoint shell`.
struct Shell<Lines: LineSource> {
  private let session: StoreSession
  private var lines: Lines
  private var format: QueryFormat?
  private var isTyped = false
  /// Whether a line has changed the store.
  private var hasChanged = false

  init(_ session: StoreSession, _ lines: Lines) {
    self.session = session
    self.lines = lines
  }

  /// The way in which a series of lines ended.
  private enum End {
    case quit, commit, rollback
  }

  /// The end of a transaction without its changes.
  private struct Undone: Error {
    let end: End
  }

  func printGreeting() {
    let path = session.path.escapedForDisplay
    StandardError.write("\(path): type a command, .help for a list, .quit to leave\n")
  }

  /// Runs all lines.
  ///
  /// - Parameter isTyped: Whether a person types the lines, so that a failure ends its command only.
  /// - Throws: The failure of a command otherwise.
  mutating func run(isTyped: Bool) throws {
    self.isTyped = isTyped
    do {
      while try series(inTransaction: false) != .quit {}
    } catch var failure as CommandFailure {
      // A user who runs the lines again must know that some of them have taken effect.
      if hasChanged, failure.isBrokenPipe || failure.message.hasSuffix(ChangeOutput.unchanged) {
        failure.isBrokenPipe = false
        failure.message += "; what the lines before this one changed is stored"
      }
      throw failure
    }
  }

  /// Runs lines up to the end of the shell or of the transaction.
  private mutating func series(inTransaction: Bool) throws -> End {
    while true {
      do {
        guard let line = try nextLine(inTransaction ? "boxjoint*> " : "boxjoint> ") else {
          if inTransaction { try endInTransaction() }
          return .quit
        }
        if let end = try run(line, inTransaction: inTransaction) { return end }
      } catch is InterruptedLine {
        continue
      } catch let undone as Undone {
        throw undone
      } catch {
        if !isTyped || (error as? CommandFailure)?.isBrokenPipe == true { throw error }
        report(error)
      }
    }
  }

  /// Reads a line, and those on which it continues.
  private mutating func nextLine(_ prompt: String) throws -> ShellLine? {
    refreshNames()
    guard var text = try lines.next(prompt) else { return nil }
    while ShellWords(text).isOpen {
      guard let more = try lines.next("     ...> ") else {
        throw CommandFailure(.usage, "the quotes of the last line are not closed")
      }
      text += "\n" + more
    }
    return try ShellLine(ShellWords(text).words)
  }

  /// Tells that the changes of the open transaction are lost.
  ///
  /// - Throws: ``CommandFailure`` where the lines are not typed: they lack their end.
  private func endInTransaction() throws(CommandFailure) {
    if !isTyped {
      throw CommandFailure(
        .impossible, "the lines end inside a transaction, which is rolled back; end it by 'commit'")
    }
    StandardError.write("the open transaction is rolled back\n")
  }

  private func refreshNames() {
    guard let editor = lines as? LineEditor else { return }
    // Without the names there is nothing to complete; the next command says what is wrong.
    let names = try? StoreNames(of: session, CatalogueChoice(), in: Workspace())
    editor.complete(names ?? StoreNames())
  }

  // MARK: - Commands

  private mutating func run(_ line: ShellLine, inTransaction: Bool) throws -> End? {
    switch line {
    case .nothing: return nil
    case .quit:
      if inTransaction { try endInTransaction() }
      return .quit
    case .begin:
      if inTransaction {
        throw CommandFailure(.usage, "a transaction is open already; commit or rollback ends it")
      }
      return try transaction() == .quit ? .quit : nil
    case .commit, .rollback:
      if !inTransaction { throw CommandFailure(.usage, "no transaction is open; begin one") }
      return line == .commit ? .commit : .rollback
    case .help(let command): try help(command)
    case .mode(let new):
      if let new { format = new }
      if new == nil { try StandardOutput.write("\((format ?? .text).rawValue)\n") }
    case .command(let command, let words): try execute(command, words)
    }
    return nil
  }

  /// Runs the lines of a transaction.
  private mutating func transaction() throws -> End {
    let store = try onStore(session.path) { try session.store(Progress(.auto)) }
    do {
      let end = try onStore(session.path) {
        try store.write { _ in
          let end = try series(inTransaction: true)
          if end != .commit { throw Undone(end: end) }
          return end
        }
      }
      hasChanged = true
      return end
    } catch let undone as Undone {
      return undone.end
    } catch var failure as CommandFailure {
      if failure.kind == .inputOutput { failure.message += "; the open transaction is rolled back" }
      throw failure
    }
  }

  private mutating func execute(_ command: ShellLine.Command, _ words: [String]) throws {
    var arguments = [session.path] + words
    let isForm = words.contains { $0 == "--format" || $0.hasPrefix("--format=") }
    if let format, !isForm, command.hasRows, !words.contains("--explain") {
      arguments += ["--format", format.rawValue]
    }
    let interruption = try onStore(session.path) {
      try session.interruption(Progress(.auto))
    }
    try ShellInterrupt.ending(interruption) {
      var parsed = try command.type.parseAsRoot(arguments)
      // Anything else is the help of the command.
      guard let command = parsed as? any SessionCommand else { return try parsed.run() }
      try command.run(in: session)
    }
    if command.isChange, !session.isInTransaction { hasChanged = true }
  }

  private func help(_ command: ShellLine.Command?) throws {
    if let command {
      return try StandardOutput.write(command.type.helpMessage().withBrokenUsage + "\n")
    }
    let list =
      ShellLine.Command.allCases.map { ($0.rawValue, $0.summary) }
      + ShellLine.ownWords.map { ($0.word, $0.summary) }
    let width = list.map(\.0.count).max() ?? 0
    let text = list.map { word, summary in
      word + String(repeating: " ", count: width - word.count + 2) + summary + "\n"
    }
    try StandardOutput.write(text.joined())
  }

  /// Prints the failure of a command.
  private func report(_ error: any Error) {
    if let failure = error as? CommandFailure {
      StandardError.writeLine(failure.advised.line)
      for line in failure.excerpt ?? [] { StandardError.writeLine(line) }
      return
    }
    let text = BoxJointCommand.fullMessage(for: error).withBrokenUsage
    if !text.isEmpty { StandardError.writeLines(text) }
  }
}

extension ShellLine.Command {
  /// The command of the program.
  var type: any SessionCommand.Type {
    switch self {
    case .query: QueryCommand.self
    case .get: StoreGetCommand.self
    case .put: StorePutCommand.self
    case .set: StoreSetCommand.self
    case .remove: StoreRemoveCommand.self
    case .link: StoreLinkCommand.self
    case .unlink: StoreUnlinkCommand.self
    case .info: StoreInfoCommand.self
    }
  }
}
