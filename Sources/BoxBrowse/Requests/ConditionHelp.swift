internal import BoxEngine
internal import BoxJSON
internal import BoxModel
internal import BoxStoreTool
internal import BoxWorkspace

/// The question of a script about a condition that is being typed.
struct ConditionHelp: Hashable {
  /// The maximum number of words in an answer.
  static let maximumEntries = 20

  /// The name of the entity.
  var entity = ""
  /// The whole condition.
  var text = ""
  /// The part of it before the cursor.
  var typed = ""
  /// Whether values are compared as they are stored.
  var isRaw = false

  /// Reads the query of an address.
  ///
  /// - Parameter query: The text after the question mark: `entity`, `text`, and the place `at` of the cursor in the
  ///   text, in UTF-16 units as scripts count them; without it, the end.
  /// - Throws: ``BrowseProblem`` for a parameter that is unknown, missing, given twice or without a meaning.
  /// - Complexity: O(*n*) in the length of the query.
  init(_ query: String) throws(BrowseProblem) {
    var values: [String: String] = [:]
    for (name, value) in try QueryItems.read(query) {
      guard ["entity", "text", "at", "raw"].contains(name) else {
        throw BrowseProblem(400, "completion has no parameter \(name)")
      }
      guard values.updateValue(value, forKey: name) == nil else {
        throw BrowseProblem(400, "the parameter \(name) is given twice; give it once")
      }
    }
    guard let entity = values["entity"] else {
      throw BrowseProblem(400, "completion takes entity, text and at")
    }
    let text = values["text"] ?? ""
    if let raw = values["raw"] { isRaw = try TableParameters.flag("raw", raw) }
    let units = text.utf16
    let at = values["at"] ?? "\(units.count)"
    guard let offset = Int(at), offset >= 0,
      let place = units.index(units.startIndex, offsetBy: offset, limitedBy: units.endIndex),
      let typed = String(units[..<place])
    else { throw BrowseProblem(400, "at is a place in the text, and not '\(at)'") }
    (self.entity, self.text, self.typed) = (entity, text, typed)
  }

  /// The answer: the words that can follow, and the first error of the whole condition.
  ///
  /// No object is read for it.
  ///
  /// - Throws: ``BrowseProblem`` for an unknown entity.
  func answer(_ context: PageContext) throws(BrowseProblem) -> BrowseAnswer {
    let entity = try context.entity(self.entity)
    let names = StoreNames(context.open.store, context.open.catalogue)
    let found = ConditionCompletion(names, of: entity.name).completions(of: typed)
    let entries = found.words.prefix(Self.maximumEntries).map { word -> JSONValue in
      ["insert": .string(word.text), "type": .string(word.type), "note": .string(word.note)]
    }
    var problem = JSONValue.null
    // An empty condition finds all objects.
    if !text.allSatisfy(\.isWhitespace) {
      do throws(CommandFailure) {
        _ = try context.open.query(entity, text)
      } catch {
        problem = ConditionProblem(error).json
      }
    }
    let answer: JSONValue = [
      "from": .int(typed.utf16.count - found.replaced.utf16.count), "entries": .array(entries),
      "problem": problem,
    ]
    return BrowseAnswer(200, "application/json", Array((answer.text(indent: 0) + "\n").utf8))
  }
}

/// An error in a condition, and the part of the line at which it is.
struct ConditionProblem {
  /// A sentence, after the line and the column where they are known.
  let message: String
  /// The line before the part, the part and the rest; nil where no place is known.
  let line: (before: String, part: String, after: String)?

  /// Finds the part of an error.
  ///
  /// - Complexity: O(*n*) in the length of the condition.
  init(_ problem: CommandFailure) {
    let lines = problem.quoted?.split(separator: "\n", omittingEmptySubsequences: false) ?? []
    guard let position = problem.position, lines.indices.contains(position.line - 1) else {
      (message, line) = (problem.message.sentence, nil)
      return
    }
    message = "\(position.line):\(position.column): " + problem.message.sentence
    let line = lines[position.line - 1].unicodeScalars
    let start =
      line.index(
        line.startIndex, offsetBy: max(0, position.column - 1), limitedBy: line.endIndex)
      ?? line.endIndex
    let isWord: (Unicode.Scalar) -> Bool = { NamePath.isWordPart($0) || $0 == "." }
    let word = line[start...].prefix(while: isWord)
    let end =
      word.isEmpty ? line.index(start, offsetBy: start < line.endIndex ? 1 : 0) : word.endIndex
    let part = start == line.endIndex ? " " : String(line[start..<end])
    self.line = (String(line[..<start]), part, String(line[end...]))
  }

  /// The error as the script takes it.
  var json: JSONValue {
    guard let line else { return ["message": .string(message)] }
    return [
      "message": .string(message), "before": .string(line.before), "part": .string(line.part),
      "after": .string(line.after),
    ]
  }
}
