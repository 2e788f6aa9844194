internal import BoxStoreTool
internal import BoxSystem
internal import BoxTerminal
internal import CEdit
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The lines of a person or of a script.
protocol LineSource {
  /// Reads the next line, without its end.
  ///
  /// - Parameter prompt: The text before the line, on a terminal.
  /// - Returns: The line; nil at the end of the input.
  /// - Throws: ``InterruptedLine`` if the person gave the line up.
  mutating func next(_ prompt: String) throws(InterruptedLine) -> String?
}

/// A line that was given up by an interrupt.
struct InterruptedLine: Error {}

/// The lines of standard input if that is not a terminal.
struct PlainLines: LineSource {
  private var isFirst = true

  mutating func next(_ prompt: String) -> String? {
    guard let line = readLine() else { return nil }
    defer { isFirst = false }
    return isFirst && line.unicodeScalars.first == "\u{FEFF}"
      ? String(line.unicodeScalars.dropFirst()) : line
  }
}

/// A line that is edited on a terminal, with history and completion, by libedit.
///
/// There is one terminal, and the library keeps its state in variables of the process; so there is one
/// editor at a time.
struct LineEditor: LineSource {
  private let history: ShellHistory?

  /// The names that are completed.
  private static let completion = Mutex(ShellCompletion())
  /// The characters before a word that can be completed.
  private static let breaks = " \t\n\"'()[]=<>!&|,:."

  init(history: ShellHistory?) {
    self.history = history
    setlocale(LC_CTYPE, "")
    // The library keeps the pointer.
    boxjoint_edit_complete({ _, start, end in LineEditor.matches(start, end) }, strdup(Self.breaks))
    using_history()
    history?.load()
  }

  /// Completes these names from now on.
  func complete(_ names: StoreNames) { Self.completion.withLock { $0.names = names } }

  mutating func next(_ prompt: String) throws(InterruptedLine) -> String? {
    guard let bytes = readline(prompt) else {
      if ShellInterrupt.consumePress() {
        // The cursor is after the discarded line.
        StandardError.write("\n")
        throw InterruptedLine()
      }
      StandardError.write("\n")
      return nil
    }
    defer { free(bytes) }
    let line = String(cString: bytes)
    if !line.allSatisfy(\.isWhitespace) {
      add_history(bytes)
      history?.save()
    }
    return line
  }

  /// The completions of the word at the cursor, as the library takes them: the part that all have in
  /// common, then each, then nil.
  private static func matches(
    _ start: Int32, _ end: Int32
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    boxjoint_edit_words_only()
    var length: Int32 = 0
    guard let line = boxjoint_edit_line(&length) else { return nil }
    let bytes = UnsafeRawBufferPointer(start: line, count: Int(length))
    let text = String(decoding: bytes, as: UTF8.self)
    var (words, replaced) = completion.withLock { $0.completions(of: text) }
    // The library replaces text from its own beginning of the word. If a name has blanks, that may be after
    // our beginning; then the text in between stays,
    let own = String(decoding: bytes.dropFirst(Int(start)), as: UTF8.self)
    if replaced > own.count {
      let typed = text.suffix(replaced).dropLast(own.count)
      words = words.filter { $0.hasPrefix(typed) }.map { String($0.dropFirst(typed.count)) }
      replaced = own.count
    }
    guard let first = words.first else { return nil }
    var common = Substring(first)
    for word in words {
      while !word.lowercased().hasPrefix(common.lowercased()) { common = common.dropLast() }
    }
    // or before ours.
    let kept = own.dropLast(replaced)
    let all = (words.count == 1 ? [first] : [String(common)] + words).map { String(kept) + $0 }
    guard
      let result = calloc(all.count + 1, MemoryLayout<UnsafeMutablePointer<CChar>?>.stride)?
        .bindMemory(to: UnsafeMutablePointer<CChar>?.self, capacity: all.count + 1)
    else { return nil }
    for (position, word) in all.enumerated() { result[position] = strdup(word) }
    return result
  }
}

/// The lines of earlier sessions, in a file that only its owner reads.
struct ShellHistory {
  private static let maximumLines: Int32 = 1000
  private let path: String

  /// The history of the user; nil without a home directory, or if the file cannot be created.
  init?() {
    let directory: String
    if let state = environmentValue("XDG_STATE_HOME"), state.hasPrefix("/") {
      directory = state
    } else if let home = environmentValue("HOME"), home.hasPrefix("/") {
      directory = home + "/.local/state"
    } else {
      return nil
    }
    guard (try? CreatedDirectories(directory + "/boxjoint", mode: 0o700)) != nil else { return nil }
    path = directory + "/boxjoint/shell-history"
    // Conditions have data in them.
    let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor < 0 { return nil }
    fchmod(descriptor, 0o600)
    close(descriptor)
  }

  func load() {
    stifle_history(Self.maximumLines)
    _ = read_history(path)
  }

  func save() {
    let mask = umask(0o077)
    _ = write_history(path)
    umask(mask)
  }
}
