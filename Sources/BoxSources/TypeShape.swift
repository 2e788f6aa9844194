/// A Swift type as it is spelled, without regard to white space.
package indirect enum TypeShape: Hashable, Sendable {
  /// A name with its arguments; `Swift.`, `Foundation.` and the names of the library are left out.
  case named(String, [TypeShape])
  case optional(TypeShape)
  case array(TypeShape)
  /// A type that no property of an entity can have.
  case other(String)

  /// The type without the mark of an optional one, and whether it has that.
  package var withoutOptional: (shape: TypeShape, isOptional: Bool) {
    if case .optional(let inner) = self { (inner, true) } else { (self, false) }
  }

  /// The modules whose names before a type are left out.
  package static let modules: Set<String> = [
    "Swift", "Foundation", "FoundationEssentials", "ObjectBox", "BoxStore",
  ]

  /// The shape of a name with arguments; nil for no list of them.
  package static func generic(_ name: String, _ arguments: [TypeShape]?) -> TypeShape {
    switch (name, arguments?.count) {
    case ("Optional", 1): .optional((arguments ?? [])[0])
    case ("Array", 1): .array((arguments ?? [])[0])
    default: .named(name, arguments ?? [])
    }
  }

  /// The spelling in Swift.
  package var spelling: String {
    switch self {
    case .named(let name, let arguments):
      arguments.isEmpty ? name : "\(name)<\(arguments.map(\.spelling).joined(separator: ", "))>"
    case .optional(let shape): shape.spelling + "?"
    case .array(let shape): "[\(shape.spelling)]"
    case .other(let text): text
    }
  }

  /// The names in the type.
  package var names: [String] {
    switch self {
    case .named(let name, let arguments): [name] + arguments.flatMap(\.names)
    case .optional(let shape), .array(let shape): shape.names
    case .other: []
    }
  }
}

extension TokenCursor {
  /// The words before a type that say how a value is passed or what is known of it.
  private static let specifiers: Set<String> = [
    "inout", "borrowing", "consuming", "sending", "isolated", "_const", "__owned", "__shared",
    "some", "any", "each", "repeat", "nonisolated",
  ]

  /// Consumes the type that is next.
  ///
  /// - Returns: Its shape; nil if none is there, and some tokens may be taken then.
  /// - Complexity: O(*n*) in its length.
  mutating func consumeType() -> TypeShape? {
    let start = index
    guard var shape = consumeTypeElement() else { return nil }
    var isOther = false
    while true {
      if isSign("&"), !isOfOperator {
        // A composition.
        index += 1
        guard consumeTypeElement() != nil else { return nil }
        isOther = true
      } else if isFunctionArrow() {
        guard skipEffects(), consumeArrow(), consumeTypeElement() != nil else { return nil }
        isOther = true
      } else {
        break
      }
    }
    if isOther { shape = .other(source.text(of: start..<index)) }
    return shape
  }

  /// Whether the effects and the arrow of a type of functions are next.
  private func isFunctionArrow() -> Bool {
    guard index > 0, source.tokens[index - 1].isSign(")") else { return false }
    var copy = self
    return copy.skipEffects() && copy.consumeArrow()
  }

  /// Consumes `async`, `throws` and their like after the parameters of a function.
  ///
  /// - Returns: Whether what is there is read.
  mutating func skipEffects() -> Bool {
    while let next = token(), next.kind == .word {
      let word = source.text(of: next)
      guard ["async", "throws", "rethrows", "reasync"].contains(word) else { break }
      index += 1
      if word == "throws", isSign("(") { consumeGroup() }
    }
    return true
  }

  /// Consumes a type up to an operator between types.
  private mutating func consumeTypeElement() -> TypeShape? {
    let start = index
    var isOther = false
    while isTypePrefix {
      guard consumeTypePrefix() else { return nil }
      isOther = true
    }
    guard let primary = consumePrimaryType() else { return nil }
    // What a long path names is asked for at its end alone.
    var member: Member?
    var marks = 0
    while true {
      if isJoined, isSign("?") || isSign("!") {
        index += 1
        marks += 1
      } else if isSign("."), let name = token(1), name.isName {
        index += 2
        member = Member(name: index - 1, arguments: consumeTypeArguments())
        marks = 0
      } else if isOther, isFunctionArrow() {
        // What is passed may be a type of functions.
        guard skipEffects(), consumeArrow() else { return nil }
        while isTypePrefix { if !consumeTypePrefix() { return nil } }
        guard consumePrimaryType() != nil else { return nil }
      } else {
        break
      }
    }
    if isOther { return .other(source.text(of: start..<index)) }
    if marks > SwiftLexer.limit { return nil }
    let shape = member.map { self.shape(of: $0, from: start, to: index - marks) } ?? primary
    return (0..<marks).reduce(shape) { shape, _ in .optional(shape) }
  }

  /// A name after a period, followed by the arguments of a generic type.
  private struct Member {
    var name: Int
    var arguments: [TypeShape]?
  }

  /// The type that a member of another type is.
  private func shape(of member: Member, from start: Int, to end: Int) -> TypeShape {
    let name = source.text(of: source.tokens[member.name])
    if ["Type", "Protocol"].contains(name), member.arguments == nil {
      return .other(source.text(of: start..<end))
    }
    let owner = source.text(of: start..<member.name - 1).filter { !$0.isWhitespace }
    let path = TypeShape.modules.contains(owner) ? name : owner + "." + name
    return .generic(path, member.arguments)
  }

  private var isTypePrefix: Bool {
    if isSign("@") || isSign("~") { return true }
    guard let next = token(), next.kind == .word, Self.specifiers.contains(source.text(of: next))
    else { return false }
    // `any` may be the name of a type, as `repeat` and the others may not.
    guard let after = token(1) else { return false }
    return after.isName || ["(", "[", "@", "~"].contains { after.isSign($0) }
  }

  private mutating func consumeTypePrefix() -> Bool {
    if isSign("@") { return consumeAttribute() }
    let isNonisolated = isWord("nonisolated")
    index += 1
    // As in `nonisolated(nonsending)`.
    if isNonisolated, isSign("("), isWord("nonsending", 1) { consumeGroup() }
    return true
  }

  private mutating func consumePrimaryType() -> TypeShape? {
    // `Module::Type`, as SE-0491 has it.
    if token()?.isName == true, isSign(":", 1), isSign(":", 2), token(3)?.isName == true {
      index += 3
    }
    guard let next = token() else { return nil }
    if next.isSign("(") { return consumeTuple() }
    if next.isSign("[") { return consumeBrackets() }
    guard next.isName, next.kind == .quotedName || isNameOfType(source.text(of: next)) else {
      return nil
    }
    index += 1
    return .generic(source.text(of: next), consumeTypeArguments())
  }

  private func isNameOfType(_ word: String) -> Bool {
    !SwiftWords.keywords.contains(word) || ["Any", "Self"].contains(word)
  }

  /// A tuple; a type in parentheses is itself.
  private mutating func consumeTuple() -> TypeShape? {
    let start = index
    let inside = consumeGroup()
    if isFunctionArrow() || inside.isEmpty { return .other(source.text(of: start..<index)) }
    var content = TokenCursor(source, inside)
    let isLabelled =
      content.token()?.isName == true
      && (content.isSign(":", 1) || (content.token(1)?.isName == true && content.isSign(":", 2)))
    guard !isLabelled, let shape = content.consumeType() else {
      return .other(source.text(of: start..<index))
    }
    // A comma may end the list.
    _ = content.consume(",")
    if content.token() != nil { return .other(source.text(of: start..<index)) }
    return shape
  }

  /// An array, a dictionary, or an array of a fixed size.
  private mutating func consumeBrackets() -> TypeShape? {
    let start = index
    var content = TokenCursor(source, consumeGroup())
    guard let shape = content.consumeType() else {
      // `[3 of Int]`
      return content.token()?.kind == .number ? .other(source.text(of: start..<index)) : nil
    }
    if content.token() == nil { return .array(shape) }
    guard content.isSign(":") || content.isWord("of") else { return nil }
    return .other(source.text(of: start..<index))
  }

  /// Consumes the arguments of a generic type; nil, and takes nothing, without arguments.
  mutating func consumeTypeArguments() -> [TypeShape]? {
    // Deeper nesting is read as operators, or is not a type.
    guard isSign("<"), argumentDepth < SwiftLexer.limit else { return nil }
    var copy = self
    copy.index += 1
    copy.argumentDepth += 1
    var arguments: [TypeShape] = []
    while !copy.isSign(">") {
      let start = copy.index
      if let shape = copy.consumeType() {
        arguments.append(shape)
      } else {
        // A number, as in `InlineArray<3, Int>`.
        copy.index = start
        if copy.isSign("-") { copy.index += 1 }
        guard copy.token()?.kind == .number else { return nil }
        copy.index += 1
        arguments.append(.other(source.text(of: start..<copy.index)))
      }
      if !copy.consume(",") { break }
    }
    guard copy.consume(">") else { return nil }
    index = copy.index
    return arguments
  }

  /// Consumes an attribute with its arguments; false if none is there.
  mutating func consumeAttribute() -> Bool {
    guard isSign("@"), let name = token(1), name.isName else { return false }
    index += 2
    while isSign("."), token(1)?.isName == true { index += 2 }
    if isJoined, isSign("<") { _ = consumeTypeArguments() }
    if isSign("("), isOnLine, isJoined || takesLooseArguments(source.text(of: name)) {
      consumeGroup()
    }
    return true
  }

  /// Whether parentheses after white space belong to an attribute, rather than beginning a function type.
  private func takesLooseArguments(_ name: String) -> Bool {
    name.first?.isLowercase == true && !["escaping", "autoclosure"].contains(name)
  }

  /// Whether all branches of the condition that is next have attributes alone.
  var isConditionOfAttributes: Bool {
    guard isWord(condition: "#if") else { return false }
    var copy = self
    while copy.token()?.kind == .condition, !copy.isWord(condition: "#endif") {
      copy.skipLine()
      guard copy.isSign("@") else { return false }
      while copy.isSign("@") { if !copy.consumeAttribute() { return false } }
    }
    return copy.isWord(condition: "#endif")
  }
}
