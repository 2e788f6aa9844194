extension DeclarationReader {
  // MARK: - Statements

  /// Takes a statement at file level, as a script has it.
  mutating func readStatement(_ found: inout [SwiftDeclaration]) {
    let start = cursor.index
    // What was meant to be an entity would count as removed.
    if source.comments(before: start).contains(where: { !$0.isTrailing && isOfEntity($0) }) {
      return fail("this begins no declaration, and has the annotation of an entity")
    }
    if cursor.isWord(of: SwiftWords.statementsWithBody) {
      skipStatementWithBody()
    } else if cursor.token()?.isName == true, cursor.isSign(":", 1),
      cursor.isWord(of: SwiftWords.statementsWithBody, 2)
    {
      // A label.
      cursor.index += 2
      skipStatementWithBody()
    } else if ["return", "throw", "break", "continue", "fallthrough"].contains(where: {
      cursor.isWord($0)
    }) {
      cursor.index += 1
      if cursor.isOnLine, !cursor.isSign(";"), !cursor.consumeExpression() {
        fail("this is not an expression")
      }
    } else if !cursor.consumeExpression() || cursor.index == start {
      cursor.index = start
      return fail("this begins no declaration")
    }
    requireEnd()
    let locals = locals(in: start..<cursor.index)
    if locals.isEmpty { return }
    found.append(
      SwiftDeclaration(
        kind: .other, start: start, keyword: start, name: start..<start, annotations: [],
        attributes: [], modifiers: [], end: cursor.index, locals: locals))
  }

  private func isOfEntity(_ comment: AnnotationComment) -> Bool {
    String(decoding: source.bytes[comment.range], as: UTF8.self).lowercased().contains("entity")
  }

  private mutating func skipStatementWithBody() {
    let isRepeat = cursor.isWord("repeat")
    cursor.index += 1
    while let next = cursor.token(), !next.isSign(";") {
      if !next.isSign("{") {
        if next.opensGroup { cursor.consumeGroup() } else { cursor.index += 1 }
        continue
      }
      cursor.consumeGroup()
      if cursor.isWord("else") || cursor.isWord("catch") { continue }
      if isRepeat, cursor.consume(word: "while") {
        if !cursor.consumeExpression() { fail("this is not a condition") }
        return
      }
      // A closure of the condition.
      if !cursor.isOnLine { return }
    }
  }

  // MARK: - Types in bodies

  /// The declarations of types in the bodies and closures of a declaration.
  mutating func locals(of declaration: SwiftDeclaration) -> [SwiftDeclaration] {
    switch declaration.kind {
    // Their members have their own.
    case .type, .condition, .alias: []
    default: locals(in: declaration.keyword + 1..<declaration.end)
    }
  }

  /// The declarations of types in some tokens.
  ///
  /// - Complexity: O(*m* log *n*) in the *m* words that may begin one, and the *n* words of the file.
  mutating func locals(in range: Range<Int>) -> [SwiftDeclaration] {
    let words = source.typeWords
    var found: [SwiftDeclaration] = []
    var next = range.lowerBound
    for word in words[words.partitioningIndex { $0.index >= range.lowerBound }...] {
      if word.index >= range.upperBound { break }
      if word.index < next || !word.isInBraces { continue }
      if !beginsType(at: word.index, before: range.upperBound) { continue }
      var reader = DeclarationReader(source, isConditional: word.isConditional)
      reader.cursor = TokenCursor(
        source, headStart(of: word.index, after: range.lowerBound)..<range.upperBound)
      let head = reader.readHead()
      guard let declaration = reader.readDeclaration(head, .file) else {
        reader.fail("this begins no declaration")
        mistake = mistake ?? reader.mistake
        break
      }
      found.append(declaration)
      next = declaration.end
    }
    return found
  }

  /// Whether a word in code begins a declaration of a type, rather than being a label or the name of a
  /// member.
  private func beginsType(at index: Int, before end: Int) -> Bool {
    var cursor = TokenCursor(source, index..<end)
    // Not after `...`, which may end a statement.
    let isMember = index > 0 && source.tokens[index - 1].isSign(".")
    if isMember, index < 2 || !source.tokens[index - 2].isSign(".") { return false }
    if cursor.isWord("extension") {
      cursor.index += 1
      if cursor.consumeType() == nil { return false }
    } else {
      guard cursor.token(1)?.isName == true else { return false }
      if cursor.isWord("typealias") { return cursor.isSign("=", 2) || cursor.isSign("<", 2) }
      cursor.index += 2
    }
    return cursor.isSign("{") || cursor.isSign(":") || cursor.isSign("<") || cursor.isWord("where")
  }

  /// The begin of the attributes, modifiers and annotations before a word.
  private func headStart(of word: Int, after lower: Int) -> Int {
    var start = word
    while start > lower {
      guard let element = elementStart(endingAt: start - 1, after: lower) else { break }
      start = element
    }
    return start
  }

  /// The begin of the attribute or modifier that a token ends; nil if it ends none.
  private func elementStart(endingAt last: Int, after lower: Int) -> Int? {
    if source.tokens[last].kind == .condition {
      return conditionStart(endingAt: last, after: lower)
    }
    var name = last
    if source.tokens[name].isSign(")") { name = Int(source.tokens[name].partner) - 1 }
    if name >= lower, source.tokens[name].isSign(">") {
      name = argumentsStart(endingAt: name, after: lower) - 1
    }
    guard name >= lower, source.tokens[name].isName else { return nil }
    var first = name
    while first - 2 >= lower, source.tokens[first - 1].isSign("."), source.tokens[first - 2].isName
    { first -= 2 }
    if first - 1 >= lower, source.tokens[first - 1].isSign("@") { return first - 1 }
    let cursor = TokenCursor(source, name..<last + 1)
    let isModifier = first == name && cursor.isWord(of: SwiftWords.modifiers) && !cursor.isCall
    return isModifier ? name : nil
  }

  /// The begin of the condition around attributes that an `#endif` ends; nil for another one.
  private func conditionStart(endingAt last: Int, after lower: Int) -> Int? {
    var start = last - 1
    while start >= lower {
      let token = source.tokens[start]
      if token.kind == .condition {
        let cursor = TokenCursor(source, start..<last + 1)
        if cursor.isWord(condition: "#if") { return cursor.isConditionOfAttributes ? start : nil }
        if cursor.isWord(condition: "#endif") { return nil }
      }
      start = token.isSign(")") || token.isSign("]") ? Int(token.partner) - 1 : start - 1
    }
    return nil
  }

  /// The begin of the arguments of a generic type that a `>` ends.
  private func argumentsStart(endingAt last: Int, after lower: Int) -> Int {
    var depth = 0
    var start = last
    while start > lower {
      let token = source.tokens[start]
      if token.isSign(">") { depth += 1 }
      if token.isSign("<") { depth -= 1 }
      if depth == 0 || token.isSign(";") || token.isSign("{") || token.isSign("}") { return start }
      start = token.isSign(")") || token.isSign("]") ? Int(token.partner) - 1 : start - 1
    }
    return lower
  }
}
