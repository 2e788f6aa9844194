/// The declarations of a file.
package struct SourceDeclarations: Sendable {
  package let source: SourceTokens
  /// The declarations at file level, in their order.
  package private(set) var declarations: [SwiftDeclaration] = []
  /// The first place that cannot be read; declarations after it are missing.
  package private(set) var mistake: SourceMistake?

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - prefix: The word before the colon of an annotation, whose case does not count.
  /// - Complexity: O(*n*) in the size of the text.
  package init(of bytes: [UInt8], prefix: String) {
    source = SourceTokens(of: bytes, prefix: prefix)
    if let mistake = source.mistake {
      self.mistake = mistake
      return
    }
    var reader = DeclarationReader(source)
    declarations = reader.readAll()
    mistake = reader.mistake
  }
}

/// Reads declarations from tokens.
///
/// It stops at a token that no declaration can have, since the rest might be read as something else. Bodies, which no
/// declaration needs, are left out by their brackets.
struct DeclarationReader {
  var cursor: TokenCursor
  var mistake: SourceMistake?
  /// The number of conditions around the declarations that are read.
  private var conditions = 0

  /// The surroundings of declarations.
  enum Context {
    case file
    case type
  }

  init(_ source: SourceTokens, isConditional: Bool = false) {
    cursor = TokenCursor(source, source.tokens.indices)
    conditions = isConditional ? 1 : 0
  }

  var source: SourceTokens { cursor.source }

  mutating func fail(_ message: String) {
    if mistake != nil { return }
    let end = source.bytes.count
    let offset =
      cursor.index < source.tokens.count ? source.tokens[cursor.index].range.lowerBound : end
    mistake = SourceMistake(offset: offset, message: message)
  }

  mutating func readAll() -> [SwiftDeclaration] {
    readDeclarations(.file)
  }

  // MARK: - Lists

  /// Reads the declarations in a range, or up to the end of the cursor.
  private mutating func readDeclarations(
    in range: Range<Int>, _ context: Context
  ) -> [SwiftDeclaration] {
    let outer = cursor
    cursor = TokenCursor(source, range)
    defer { cursor = outer }
    return readDeclarations(context)
  }

  private mutating func readDeclarations(_ context: Context) -> [SwiftDeclaration] {
    var found: [SwiftDeclaration] = []
    while mistake == nil, let next = cursor.token() {
      if next.isSign(";") {
        cursor.index += 1
        continue
      }
      let start = cursor.index
      let head = readHead()
      if cursor.token() == nil {
        if context != .file || !head.attributes.isEmpty {
          fail("no declaration follows")
          break
        }
        cursor.index = start
        readStatement(&found)
        continue
      }
      if let declaration = readDeclaration(head, context) {
        found.append(declaration)
      } else if mistake == nil {
        if context == .file {
          cursor.index = start
          readStatement(&found)
        } else {
          fail("this begins no declaration")
        }
      }
    }
    return found
  }

  // MARK: - Heads

  /// The attributes and modifiers before the keyword of a declaration.
  struct Head {
    var start: Int
    var attributes: [SwiftDeclaration.Attribute] = []
    var modifiers: [SwiftDeclaration.Modifier] = []
    var unknownWord: Int?
  }

  mutating func readHead() -> Head {
    var head = Head(start: cursor.index)
    while let next = cursor.token() {
      if next.isSign("@") {
        guard let attribute = readAttribute() else { break }
        head.attributes.append(attribute)
      } else if next.kind == .condition, head.modifiers.isEmpty, cursor.isConditionOfAttributes {
        cursor.consumeGroup()
      } else if next.kind == .word, isModifier {
        readModifier(&head)
      } else {
        break
      }
    }
    return head
  }

  private mutating func readAttribute() -> SwiftDeclaration.Attribute? {
    let start = cursor.index + 1
    guard cursor.consumeAttribute() else { return nil }
    var end = start + 1
    while end + 1 < cursor.index, source.tokens[end].isSign("."), source.tokens[end + 1].isName {
      end += 2
    }
    return .init(name: source.text(of: start..<end))
  }

  private var isModifier: Bool {
    let word = cursor.text()
    if SwiftWords.modifiers.contains(word) {
      // Only variables are asynchronous before their keyword.
      if word == "async" { return cursor.isWord("let", 1) || cursor.isWord("var", 1) }
      guard word == "class" else { return !cursor.isCall }
      guard let next = cursor.token(1), next.kind == .word else { return false }
      let text = source.text(of: next)
      return ["func", "var", "let", "subscript"].contains(text)
        || (SwiftWords.modifiers.contains(text) && !isTypeHead(at: 2))
    }
    // A word of a later version of Swift, before one that is known.
    guard !SwiftWords.keywords.contains(word), !isDeclarationKeyword(at: 0) else { return false }
    guard let next = cursor.token(1), next.kind == .word, !next.startsLine else { return false }
    return isDeclarationKeyword(at: 1) || SwiftWords.modifiers.contains(source.text(of: next))
  }

  /// Whether the token at an offset follows the name of a type: `class open {`.
  private func isTypeHead(at offset: Int) -> Bool {
    ["{", ":", "<"].contains { cursor.isSign($0, offset) }
  }

  private mutating func readModifier(_ head: inout Head) {
    let word = cursor.text()
    if !SwiftWords.modifiers.contains(word) { head.unknownWord = head.unknownWord ?? cursor.index }
    cursor.index += 1
    let hasDetail = cursor.isSign("(") && cursor.isOnLine
    if hasDetail { cursor.consumeGroup() }
    head.modifiers.append(.init(name: word, hasDetail: hasDetail))
  }

  // MARK: - Declarations

  private static let plainKeywords: Set<String> = [
    "class", "struct", "enum", "protocol", "extension", "var", "let", "func", "init", "deinit",
    "subscript", "typealias", "associatedtype", "import", "case",
  ]

  /// Whether the word at an offset begins a declaration.
  func isDeclarationKeyword(at offset: Int) -> Bool {
    let word = cursor.text(offset)
    if Self.plainKeywords.contains(word) { return cursor.token(offset)?.kind == .word }
    guard let next = cursor.token(offset + 1) else { return false }
    switch word {
    case "actor":
      let isHead = ["{", ":", "<"].contains { cursor.isSign($0, offset + 2) }
      return next.isName && (isHead || cursor.isWord("where", offset + 2))
    case _ where next.startsLine: return false
    case "precedencegroup": return next.isName
    case "macro": return next.isName && ["(", "<"].contains { cursor.isSign($0, offset + 2) }
    case "operator": return next.kind == .sign
    default: return false
    }
  }

  mutating func readDeclaration(
    _ head: Head, _ context: Context
  ) -> SwiftDeclaration? {
    guard let keyword = cursor.token() else { return nil }
    if keyword.kind == .condition { return readCondition(head, context) }
    let first = cursor.index
    var declaration = SwiftDeclaration(
      kind: .other, start: head.start, keyword: first, name: first..<first,
      annotations: annotations(from: head.start, to: first), attributes: head.attributes,
      modifiers: head.modifiers, isConditional: conditions > 0, unknownWord: head.unknownWord)
    if keyword.kind == .macro {
      readMacro()
    } else if keyword.kind == .word, isDeclarationKeyword(at: 0) {
      guard read(&declaration, context) else { return nil }
    } else {
      return nil
    }
    if mistake != nil { return nil }
    declaration.end = cursor.index
    declaration.trailingAnnotations = source.comments(before: cursor.index).filter(\.isTrailing)
    requireEnd()
    declaration.locals = locals(of: declaration)
    return declaration
  }

  /// The annotations before a declaration: in the comments before it, and between its attributes and its keyword.
  private func annotations(from start: Int, to keyword: Int) -> [AnnotationComment] {
    if source.comments.isEmpty { return [] }
    let before = source.comments(before: start).filter { !$0.isTrailing }
    return before + (start..<keyword).flatMap { source.comments(before: $0 + 1) }
  }

  /// Fails where something follows a declaration or a statement on its line.
  mutating func requireEnd() {
    guard let next = cursor.token(), !next.startsLine else { return }
    if next.kind == .condition { return }
    if [";", ")", "]", "}"].contains(where: { next.isSign($0) }) { return }
    fail("this belongs to no declaration")
  }

  private mutating func read(_ declaration: inout SwiftDeclaration, _ context: Context) -> Bool {
    let word = cursor.text()
    switch word {
    case "class", "struct", "enum", "actor", "protocol", "extension":
      readType(&declaration, word)
    case "var", "let": readVariable(&declaration)
    case "func", "subscript", "init", "deinit", "macro":
      if word == "init", context == .file { return false }
      readFunction(&declaration, word)
    case "case":
      if context == .file { return false }
      readCases(&declaration)
    case "typealias": readAlias(&declaration)
    case "associatedtype":
      cursor.index += 2
      _ = readInheritance()
      if cursor.consume("="), cursor.consumeType() == nil { fail("this is not a type") }
      skipRequirements()
    case "import", "operator": skipLine()
    default:
      // The name and the braces of a group of precedences.
      cursor.index += 2
      if cursor.isSign("{") { cursor.consumeGroup() } else { fail("this begins no group") }
    }
    return true
  }

  private mutating func skipLine() {
    repeat {
      if cursor.token()?.opensGroup == true { cursor.consumeGroup() } else { cursor.index += 1 }
    } while cursor.isOnLine && !cursor.isSign(";")
  }

  /// Reads a macro that stands for declarations, such as `#Preview { … }`.
  private mutating func readMacro() {
    if !cursor.consumeExpression() { fail("this is not a macro") }
  }

  private mutating func readCondition(_ head: Head, _ context: Context) -> SwiftDeclaration? {
    guard cursor.isWord(condition: "#if"), head.attributes.isEmpty, head.modifiers.isEmpty else {
      // A statement such as `open(file)` looks like a head.
      if context != .file || !head.attributes.isEmpty { fail("no declaration follows") }
      return nil
    }
    let start = cursor.index
    var branches: [SwiftDeclaration.Branch] = []
    conditions += 1
    defer { conditions -= 1 }
    while !cursor.isWord(condition: "#endif") {
      let first = cursor.index
      let end = Int(source.tokens[first].partner)
      cursor.skipLine()
      let content = min(cursor.index, end)
      var branch = SwiftDeclaration.Branch(condition: first..<content, declarations: [])
      branch.declarations = readDeclarations(in: content..<end, context)
      branches.append(branch)
      cursor.index = end
    }
    cursor.index += 1
    return SwiftDeclaration(
      kind: .condition(branches), start: start, keyword: start, name: start..<start,
      annotations: [], attributes: [], modifiers: [], end: cursor.index,
      isConditional: conditions > 1)
  }

  private mutating func readType(_ declaration: inout SwiftDeclaration, _ word: String) {
    cursor.index += 1
    let start = cursor.index
    if word == "extension" {
      if cursor.consumeType() == nil { return fail("this names no type") }
    } else {
      guard cursor.token()?.isName == true else { return fail("this names no type") }
      cursor.index += 1
    }
    declaration.name = start..<cursor.index
    var parts = SwiftDeclaration.TypeParts(brace: 0)
    if word != "extension", cursor.isSign("<") {
      parts.isGeneric = word != "protocol"
      skipGenericParameters()
    }
    parts.inherited = readInheritance()
    skipRequirements()
    guard cursor.isSign("{"), mistake == nil else { return fail("a brace is missing here") }
    parts.brace = cursor.index
    let content = cursor.consumeGroup()
    parts.members = readDeclarations(in: content, .type)
    declaration.kind = .type(parts)
  }

  private mutating func readInheritance() -> [SwiftDeclaration.Inherited] {
    guard cursor.consume(":") else { return [] }
    var found: [SwiftDeclaration.Inherited] = []
    repeat {
      // A comma may end the list.
      if !found.isEmpty, cursor.isSign("{") || cursor.isWord("where") { break }
      let start = cursor.index
      guard let shape = cursor.consumeType() else {
        fail("this is not a type")
        break
      }
      found.append(.init(names: names(in: start..<cursor.index), shape: shape))
    } while cursor.consume(",")
    return found
  }

  /// The names in a type that is inherited, such as `(Entity & Sendable)`, without attributes.
  private func names(in range: Range<Int>) -> [String] {
    var content = TokenCursor(source, range)
    while content.consumeAttribute()
      || (content.token(1) != nil && content.consume(word: "nonisolated"))
    {}
    if content.isWord("any") || content.isWord("some") { return [source.text(of: range)] }
    // The label of an element of a tuple.
    if content.token()?.isName == true, content.isSign(":", 1), !content.isSign(":", 2) {
      content.index += 2
    }
    if content.isSign("(") {
      let start = content.index
      let inside = content.consumeGroup()
      if content.token() == nil { return elements(of: inside, at: ",").flatMap(names) }
      content.index = start
    }
    let rest = content.index..<range.upperBound
    let parts = elements(of: rest, at: "&")
    return parts.count > 1 ? parts.flatMap(names) : [source.text(of: rest)]
  }

  /// The parts of some tokens between signs that are in no brackets.
  private func elements(of range: Range<Int>, at sign: Unicode.Scalar) -> [Range<Int>] {
    if range.isEmpty { return [] }
    var parts: [Range<Int>] = []
    var content = TokenCursor(source, range)
    var start = range.lowerBound
    while content.token() != nil {
      if content.isSign(sign) {
        parts.append(start..<content.index)
        start = content.index + 1
      }
      if content.token()?.opensGroup == true { content.consumeGroup() } else { content.index += 1 }
    }
    if start < range.upperBound || parts.isEmpty { parts.append(start..<range.upperBound) }
    return parts
  }

  /// Takes generic parameters: names with their types, between angle brackets.
  mutating func skipGenericParameters() {
    guard cursor.isSign("<") else { return }
    cursor.index += 1
    while !cursor.isSign(">") {
      while cursor.consumeAttribute() {}
      if cursor.isWord("each") || cursor.isWord("let") { cursor.index += 1 }
      guard cursor.token()?.isName == true else { return fail("this is not a generic parameter") }
      cursor.index += 1
      if cursor.consume(":"), cursor.consumeType() == nil { return fail("this is not a type") }
      if !cursor.consume(",") { break }
    }
    skipRequirements()
    if !cursor.consume(">") { fail("this is not a generic parameter") }
  }

  /// Takes the requirements of a `where`.
  mutating func skipRequirements() {
    guard cursor.consume(word: "where") else { return }
    repeat {
      if cursor.isSign("{") { return }
      guard cursor.consumeType() != nil else { return fail("this is not a requirement") }
      if cursor.isSign("="), cursor.isSign("=", 1) {
        cursor.index += 2
        if cursor.isSign("-") { cursor.index += 1 }
        if cursor.token()?.kind == .number {
          cursor.index += 1
          continue
        }
      } else if !cursor.consume(":") {
        return fail("this is not a requirement")
      }
      if cursor.consumeType() == nil { return fail("this is not a type") }
    } while cursor.consume(",")
  }

  private mutating func readAlias(_ declaration: inout SwiftDeclaration) {
    cursor.index += 1
    guard cursor.token()?.isName == true else { return fail("this names no type") }
    declaration.name = cursor.index..<cursor.index + 1
    cursor.index += 1
    let isGeneric = cursor.isSign("<")
    if isGeneric { skipGenericParameters() }
    guard cursor.consume("="), let shape = cursor.consumeType() else {
      return fail("this is not a type")
    }
    skipRequirements()
    declaration.kind = .alias(isGeneric ? nil : shape)
  }
}
