extension TokenCursor {
  /// The words before an expression, which takes the line on.
  private static let prefixes: Set<String> = [
    "try", "await", "unsafe", "borrow", "copy", "consume", "each", "any", "some", "repeat",
  ]

  /// Consumes the expression that is next, up to what cannot be a part of it.
  ///
  /// Its meaning is not read: it includes brackets with their contents, operators between operands, members
  /// on the next lines, and trailing closures.
  ///
  /// - Returns: Whether a complete one was found.
  /// - Complexity: O(*n*) in its length, without what its brackets have.
  mutating func consumeExpression() -> Bool {
    // The conditions `?` whose colon is still to come.
    var choices = 0
    while true {
      guard consumeOperand() else { return false }
      guard consumeInfix(&choices) else { return choices == 0 }
    }
  }

  /// Consumes an operator between two operands; false if none is next.
  private mutating func consumeInfix(_ choices: inout Int) -> Bool {
    while isWord("is") || isWord("as") {
      let word = index
      index += 1
      if isJoined, isSign("?") || isSign("!") { index += 1 }
      guard consumeType() != nil else {
        index = word
        return false
      }
    }
    if isSign(":") || (isSign("?") && !isOfOperator) { return consumeChoice(&choices) }
    // A type of functions as a value.
    var copy = self
    if copy.skipEffects(), copy.consumeArrow() {
      self = copy
      return true
    }
    if isOperator {
      skipOperator()
      return true
    }
    return false
  }

  /// Consumes one of the signs of `a ? b : c`.
  private mutating func consumeChoice(_ choices: inout Int) -> Bool {
    if isSign(":"), choices == 0 { return false }
    choices += isSign(":") ? -1 : 1
    index += 1
    return true
  }

  /// Whether another character of an operator is joined to the next one.
  var isOfOperator: Bool {
    var copy = self
    copy.index += 1
    return copy.isJoined && copy.isOperator
  }

  /// Whether a character of an operator is next.
  var isOperator: Bool {
    guard let next = token(), next.kind == .sign else { return false }
    if next.isSign("."), let second = token(1), second.kind == .sign {
      return source.areJoined(next, second)
        && (second.isSign(".") || Self.isOperator(second.first))
    }
    return Self.isOperator(next.first)
  }

  private static func isOperator(_ byte: UInt8) -> Bool {
    byte >= 128 || byte.isOfOperator
  }

  /// Consumes the characters of an operator.
  mutating func skipOperator() {
    let hasPeriods = isSign(".")
    repeat { index += 1 } while isJoined && (isOperator || (hasPeriods && isSign(".")))
  }

  private var isPostfixOperator: Bool {
    guard isOperator, isJoined else { return false }
    var copy = self
    copy.skipOperator()
    guard let next = copy.token() else { return true }
    if !copy.isJoined { return true }
    return [")", "]", "}", ",", ";", ":", "."].contains { next.isSign($0) }
  }

  /// A suffix of an operand.
  struct Suffix {
    enum Kind {
      case member
      case call
      case closures
      case mark
      case typeArguments
      case other
    }

    var kind: Kind
    var range: Range<Int>
  }

  private mutating func consumeOperand() -> Bool {
    var suffixes: [Suffix] = []
    return consumePrefixes() && consumePrimary(&suffixes)
  }

  /// Consumes operators and words such as `try` before an operand.
  private mutating func consumePrefixes() -> Bool {
    while true {
      if isWord(of: Self.prefixes), isPrefixWord {
        index += 1
        if isJoined, isSign("?") || isSign("!") { index += 1 }
      } else if isSign("@") {
        guard consumeAttribute() else { return false }
      } else if isWord("inout") {
        index += 1
      } else if isOperator {
        skipOperator()
      } else {
        return true
      }
    }
  }

  /// Consumes an operand with its suffixes.
  mutating func consumePrimary(_ suffixes: inout [Suffix]) -> Bool {
    guard let first = token() else { return false }
    if isWord("if") || isWord("switch") || isWord("do") { return consumeStatementExpression() }
    var isLiteral = false
    switch first.kind {
    case .number, .string, .regex:
      isLiteral = true
      index += 1
    case .quotedName: index += 1
    case .macro:
      index += 1
      _ = consumeTypeArguments()
    case .word:
      let word = source.text(of: first)
      if SwiftWords.keywords.contains(word), !SwiftWords.expressions.contains(word) { return false }
      isLiteral = ["true", "false", "nil"].contains(word)
      index += 1
    case .sign:
      switch Unicode.Scalar(first.first) {
      case "(", "{": consumeGroup()
      case "[":
        consumeGroup()
        isLiteral = true
      case ".":
        index += 1
        guard consumeMemberName() else { return false }
      case "\\":
        index += 1
        if token()?.isName == true || isSign("(") || isSign("[") {
          guard consumeType() != nil else { return false }
        }
      default: return false
      }
    case .condition: return false
    }
    return consumeSuffixes(isLiteral: isLiteral, &suffixes)
  }

  /// Whether a word such as `await` precedes an expression, rather than being a name.
  private var isPrefixWord: Bool {
    if isWord("try") || isWord("await") { return true }
    guard let next = token(1), !next.startsLine else { return false }
    switch next.kind {
    case .number, .string, .regex, .quotedName, .macro: return true
    case .word:
      let word = source.text(of: next)
      return !SwiftWords.keywords.contains(word) || SwiftWords.expressions.contains(word)
    case .sign: return isWord("repeat") || (isWord("unsafe") && next.isSign("("))
    case .condition: return false
    }
  }

  /// Consumes the name of a member, or the index of an element of a tuple.
  private mutating func consumeMemberName() -> Bool {
    guard let name = token(), name.isName || name.kind == .number else { return false }
    index += 1
    if isSign("("), isJoined, isListOfLabels { consumeGroup() }
    return true
  }

  /// Whether brackets have the labels of a function alone, as in `index(of:)`.
  private var isListOfLabels: Bool {
    var copy = self
    var content = TokenCursor(source, copy.consumeGroup())
    if content.token() == nil { return false }
    while content.token() != nil {
      guard content.token()?.isName == true, content.isSign(":", 1) else { return false }
      content.index += 2
    }
    return true
  }

  /// Consumes what follows an operand: members, arguments, closures and marks.
  private mutating func consumeSuffixes(isLiteral: Bool, _ suffixes: inout [Suffix]) -> Bool {
    var isLiteral = isLiteral
    while true {
      let start = index
      let kind: Suffix.Kind
      if isSign("."), !isOperator {
        index += 1
        // `\.self`, and `.[0]` in a key path.
        if isSign("[") || isSign("(") { continue }
        guard consumeMemberName() else { return false }
        kind = .member
      } else if isSign(":"), isSign(":", 1), isJoined, token(2)?.isName == true {
        // `Module::name`, as SE-0491 has it.
        index += 3
        kind = .other
      } else if isSign("(") || isSign("["), isOnLine {
        kind = isSign("(") ? .call : .other
        consumeGroup()
      } else if isSign("{"), !isLiteral, isTrailingClosure {
        consumeTrailingClosures()
        suffixes.append(Suffix(kind: .closures, range: start..<index))
        // A second one belongs to the enclosing statement.
        if isSign("{") { return true }
        continue
      } else if isJoined, isSign("?") || isSign("!"), isChained {
        index += 1
        kind = .mark
      } else if isJoined, isSign("<"), let end = endOfArguments {
        index = end
        kind = .typeArguments
      } else if isPostfixOperator {
        skipOperator()
        kind = .other
      } else if token()?.kind == .condition, isConditionOfMembers {
        consumeGroup()
        kind = .other
      } else {
        index = start
        return true
      }
      suffixes.append(Suffix(kind: kind, range: start..<index))
      isLiteral = false
    }
  }

  /// Whether a mark is a postfix operator, as in `a!.b`, rather than the beginning of one such as `!=`.
  private var isChained: Bool {
    var copy = self
    copy.index += 1
    guard copy.isJoined, copy.isOperator else { return true }
    return copy.isSign("?") || copy.isSign("!") || isPostfixOperator || copy.isPostfixOperator
  }

  /// The end of the arguments of a generic type in an expression; nil for an operator.
  private var endOfArguments: Int? {
    var copy = self
    // Neither `Foo<>` nor `Foo<~A>` names a type of a value.
    guard let arguments = copy.consumeTypeArguments(), !arguments.isEmpty,
      !isSign("~", 1)
    else { return nil }
    guard let next = copy.token() else { return copy.index }
    let follows = ["(", ")", "[", "]", "{", "}", ".", ",", ";", ":"].contains { next.isSign($0) }
    let isMark = copy.isJoined && (next.isSign("?") || next.isSign("!"))
    let isOperator = copy.isOperator && !copy.isJoined
    return follows || isMark || next.startsLine || isOperator ? copy.index : nil
  }

  /// Whether a brace begins a closure that a call is given, and no observers of a property.
  private var isTrailingClosure: Bool {
    if isWord("case", 1) || startsObservers { return false }
    return true
  }

  /// Whether a brace begins the observers of a property: `{ didSet`, with attributes between.
  var startsObservers: Bool {
    var copy = self
    copy.index += 1
    while copy.isSign("@") {
      guard copy.consumeAttribute() else { return false }
    }
    // Only these can follow an initial value.
    return copy.isWord("didSet") || copy.isWord("willSet")
      || (copy.isWord("init") && copy.index == index + 1)
  }

  private mutating func consumeTrailingClosures() {
    consumeGroup()
    while let label = token(), label.isName, isSign(":", 1), isSign("{", 2) {
      index += 2
      consumeGroup()
    }
  }

  /// Whether a condition has members that follow the operand before it.
  private var isConditionOfMembers: Bool {
    guard isWord(condition: "#if") else { return false }
    var copy = self
    copy.skipLine()
    return copy.isSign(".")
  }

  func isWord(condition: String) -> Bool { token()?.kind == .condition && text() == condition }

  /// Moves to the first token of the next line.
  mutating func skipLine() {
    repeat {
      if token()?.opensGroup == true { consumeGroup() } else { index += 1 }
    } while isOnLine
  }

  /// Consumes an `if`, `switch` or `do` whose value is used.
  private mutating func consumeStatementExpression() -> Bool {
    var isIf = isWord("if")
    let isDo = isWord("do")
    index += 1
    while true {
      while let next = token(), !next.isSign("{") {
        if next.isSign(";") { return false }
        if next.opensGroup { consumeGroup() } else { index += 1 }
      }
      guard isSign("{") else { return false }
      consumeGroup()
      if isIf, consume(word: "else") {
        isIf = consume(word: "if")
      } else if isDo, consume(word: "catch") {
        continue
      } else {
        return true
      }
    }
  }
}
