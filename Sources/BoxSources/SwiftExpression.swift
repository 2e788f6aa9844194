/// An expression, as far as its type and its value can be read from its text.
package indirect enum SwiftExpression {
  /// A string; nil if an interpolation decides its value.
  case string(String?)
  case boolean(String)
  case integer(String)
  case float(String)
  /// An operator before another expression, and both as text.
  case prefixed(operator: String, SwiftExpression, text: String)
  case array([SwiftExpression])
  /// A member such as `.other` or `Int.max`: the base before the period, if any, its text, and the name.
  case member(SwiftName?, base: String, name: String)
  /// A call: the callee and its arguments; nil with a trailing closure.
  case call(SwiftName, [Argument]?)
  case other

  package struct Argument {
    package var label: String?
    package var value: SwiftExpression
  }
}

/// An expression that may name a type, such as `[Library.Book]` or `Set<Int>?`.
package indirect enum SwiftName {
  case array(SwiftName)
  case optional(SwiftName)
  /// A text, followed by the arguments of a generic type.
  case text(String, [TypeShape]?)
  /// A member: what it is a member of, its name, and all of it as text.
  case member(SwiftName, String, text: String)
}

extension SwiftExpression {
  /// Reads the expression that some tokens are.
  ///
  /// - Complexity: O(*n*) in their number; brackets inside of each other are as deep as calls.
  package init(_ range: Range<Int>, in source: SourceTokens) {
    self.init(range, in: source, operators: 0)
  }

  private init(_ range: Range<Int>, in source: SourceTokens, operators: Int) {
    var cursor = TokenCursor(source, range)
    let start = cursor.index
    if cursor.isOperator {
      // More operators are not written by hand.
      if operators == 8 {
        self = .other
        return
      }
      cursor.skipOperator()
      let name = source.text(of: start..<cursor.index)
      let operand = SwiftExpression(
        cursor.index..<range.upperBound, in: source, operators: operators + 1)
      if case .other = operand {
        self = .other
      } else {
        self = .prefixed(operator: name, operand, text: source.text(of: range))
      }
      return
    }
    var suffixes: [TokenCursor.Suffix] = []
    guard cursor.consumePrimary(&suffixes) else {
      self = .other
      return
    }
    // An operator, or a word such as `try`, that something else follows; or a key path.
    guard cursor.token() == nil, !source.tokens[start].isSign("\\") else {
      self = .other
      return
    }
    self = Self.chain(start, suffixes, source)
  }

  private static func chain(
    _ start: Int, _ suffixes: [TokenCursor.Suffix], _ source: SourceTokens
  ) -> SwiftExpression {
    guard let last = suffixes.last else { return primary(start, source) }
    func before(_ count: Int) -> SwiftName {
      SwiftName(start, Array(suffixes.dropLast(count)), source)
    }
    switch last.kind {
    case .member:
      let period = last.range.first { source.tokens[$0].isSign(".") } ?? last.range.lowerBound
      let name = source.text(of: period + 1..<last.range.upperBound)
      let base = source.text(of: start..<last.range.lowerBound)
      return .member(before(1), base: base, name: name)
    case .call: return .call(before(1), arguments(last.range, source))
    case .closures:
      let hasArguments = suffixes.count > 1 && suffixes[suffixes.count - 2].kind == .call
      return .call(before(hasArguments ? 2 : 1), nil)
    case .mark, .typeArguments, .other: return .other
    }
  }

  private static func primary(_ start: Int, _ source: SourceTokens) -> SwiftExpression {
    let token = source.tokens[start]
    let text = source.text(of: token)
    switch token.kind {
    case .string: return .string(StringLiteral.value(of: source.bytes[token.range]))
    case .number:
      let isHexadecimal = text.hasPrefix("0x")
      let marks = isHexadecimal ? ".pP" : ".eE"
      return text.contains(where: marks.contains) ? .float(text) : .integer(text)
    case .word where ["true", "false"].contains(text): return .boolean(text)
    case .sign where token.isSign("["):
      return elements(start, source).map { .array($0) } ?? .other
    case .sign where token.isSign("."):
      let name = source.text(of: source.tokens[start + 1])
      return .member(nil, base: "", name: name)
    default: return .other
    }
  }

  /// The elements of an array; nil for a dictionary.
  fileprivate static func elements(_ start: Int, _ source: SourceTokens) -> [SwiftExpression]? {
    elementRanges(start, source)?.map { SwiftExpression($0, in: source) }
  }

  fileprivate static func elementRanges(_ start: Int, _ source: SourceTokens) -> [Range<Int>]? {
    var cursor = TokenCursor(source, start..<Int(source.tokens[start].partner) + 1)
    var content = TokenCursor(source, cursor.consumeGroup())
    var found: [Range<Int>] = []
    while content.token() != nil {
      let first = content.index
      guard content.consumeExpression() else { return nil }
      found.append(first..<content.index)
      if content.token() != nil, !content.consume(",") { return nil }
    }
    return found
  }

  private static func arguments(_ range: Range<Int>, _ source: SourceTokens) -> [Argument]? {
    var cursor = TokenCursor(source, range)
    var content = TokenCursor(source, cursor.consumeGroup())
    var found: [Argument] = []
    while let first = content.token() {
      var label: String?
      if first.kind == .word || first.kind == .quotedName, content.isSign(":", 1) {
        label = source.text(of: first)
        content.index += 2
      }
      let start = content.index
      guard content.consumeExpression() else { return nil }
      found.append(
        Argument(label: label, value: SwiftExpression(start..<content.index, in: source)))
      if content.token() != nil, !content.consume(",") { return nil }
    }
    return found
  }
}

extension SwiftName {
  /// The name that an operand with some suffixes is.
  fileprivate init(_ start: Int, _ suffixes: [TokenCursor.Suffix], _ source: SourceTokens) {
    let end = suffixes.last?.range.upperBound ?? Self.endOfPrimary(start, source)
    let text = source.text(of: start..<end)
    let owner = Array(suffixes.dropLast())
    switch suffixes.last?.kind {
    case nil:
      if source.tokens[start].isSign("["),
        let elements = SwiftExpression.elementRanges(start, source), elements.count == 1
      {
        self = .array(SwiftName(elements[0], in: source))
      } else {
        self = .text(text, nil)
      }
    case .mark where source.tokens[end - 1].isSign("?"):
      self = .optional(SwiftName(start, owner, source))
    case .typeArguments:
      var cursor = TokenCursor(source, (suffixes.last?.range ?? 0..<0))
      let arguments = cursor.consumeTypeArguments()
      let name = source.text(
        of: start..<(owner.last?.range.upperBound ?? Self.endOfPrimary(start, source)))
      self = .text(name, arguments)
    case .member:
      let name = source.text(of: source.tokens[end - 1])
      self = .member(SwiftName(start, owner, source), name, text: text)
    default: self = .text(text, nil)
    }
  }

  /// The name that some tokens are.
  private init(_ range: Range<Int>, in source: SourceTokens) {
    var cursor = TokenCursor(source, range)
    let start = cursor.index
    var suffixes: [TokenCursor.Suffix] = []
    let isOperand = !cursor.isOperator && cursor.consumePrimary(&suffixes)
    if isOperand, cursor.token() == nil {
      self.init(start, suffixes, source)
    } else {
      self = .text(source.text(of: range), nil)
    }
  }

  private static func endOfPrimary(_ start: Int, _ source: SourceTokens) -> Int {
    let token = source.tokens[start]
    if token.opensGroup { return Int(token.partner) + 1 }
    return token.isSign(".") ? start + 2 : start + 1
  }
}

extension TypeShape {
  /// The type of an expression whose type can be read from its text; nil for others.
  package init?(of expression: SwiftExpression) {
    switch expression {
    case .string: self = .named("String", [])
    case .boolean: self = .named("Bool", [])
    case .integer: self = .named("Int", [])
    case .float: self = .named("Double", [])
    case .prefixed(_, let operand, _): self.init(of: operand)
    case .array(let elements):
      let shapes = Set(elements.map { TypeShape(of: $0) })
      guard shapes.count == 1, let element = shapes.first.flatMap(\.self) else { return nil }
      self = .array(element)
    case .call(let called, _): self.init(ofCall: called)
    // `Genre.other`: a case, or a constant of its own type.
    case .member(let owner?, _, _): self.init(named: owner)
    case .member(nil, _, _), .other: return nil
    }
  }

  /// The type that a call makes: `Date()`, `[String]()`, `ToOne<Author>(nil)`, `Genre.init(3)`.
  private init?(ofCall called: SwiftName) {
    if case .member(let owner, let name, _) = called,
      name == "init" || name.first?.isLowercase == true
    {
      self.init(named: owner)
    } else {
      self.init(named: called)
    }
  }

  /// The type that an expression names.
  private init?(named name: SwiftName) {
    switch name {
    case .array(let element):
      guard let shape = TypeShape(named: element) else { return nil }
      self = .array(shape)
    case .optional(let wrapped):
      guard let shape = TypeShape(named: wrapped) else { return nil }
      self = .optional(shape)
    case .text(let text, let arguments): self.init(path: text, arguments)
    case .member(_, _, let text): self.init(path: text, nil)
    }
  }

  private init?(path text: String, _ arguments: [TypeShape]?) {
    let parts = text.split(separator: ".").map(String.init)
    guard let last = parts.last, last.first?.isUppercase == true else { return nil }
    let path = parts.count > 1 && Self.modules.contains(parts[0]) ? Array(parts.dropFirst()) : parts
    self = .generic(path.joined(separator: "."), arguments)
  }
}
