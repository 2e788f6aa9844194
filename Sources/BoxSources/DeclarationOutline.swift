/// The part of a declaration that a generator of bindings can see: its head, its stored properties, cases, initializers
/// and converters, and all annotations; no bodies, and nothing that is computed.
struct DeclarationOutline: Hashable {
  /// The keyword: `class`, `struct`, `enum`, `actor`, `protocol`, `extension` or `typealias`.
  var keyword: String
  /// The names of the types around it and its own, between dots, without backticks.
  var path: String
  /// The head and the members, each the texts of its tokens with a space between.
  var lines: [String]
  /// The stored properties, which count for an entity alone.
  var properties: [String] = []
  /// The initializers of an extension, which count where bindings can call them.
  var initializers: [Initializer] = []
  /// The words in its head and members, but for the stored properties.
  var lineWords: Set<String> = []
  /// The words in the stored properties.
  var propertyWords: Set<String> = []
  /// Whether it has an annotation or conforms to `Entity`.
  var isEntity = false

  var words: Set<String> { lineWords.union(propertyWords) }

  /// The name of the type, without those around it.
  var name: String { path.split(separator: ".").last.map(String.init) ?? path }

  /// An initializer as it counts, and the number of its parameters.
  struct Initializer: Hashable {
    var text: String
    var parameters: Int
  }

  /// The least number of parameters of an initializer that sets all that is stored.
  var requiredParameters: Int {
    properties.count { property in
      let words = property.split(separator: " ")
      return !property.contains("transient") && !(words.contains("let") && words.contains("="))
    }
  }

  /// A head or a member as it counts: its tokens with a space between.
  struct Line {
    var text = ""
    var words: Set<String> = []
    var isAnnotated = false
  }

  /// Adds the head or a member.
  mutating func add(_ line: Line) {
    if line.text.isEmpty { return }
    lines.append(line.text)
    lineWords.formUnion(line.words)
    if line.isAnnotated { isEntity = true }
  }

  /// Adds an initializer of an extension.
  mutating func addInitializer(_ line: Line, parameters: Int) {
    initializers.append(Initializer(text: line.text, parameters: parameters))
    lineWords.formUnion(line.words)
  }

  /// Adds a stored property.
  mutating func addProperty(_ line: Line) {
    properties.append(line.text)
    propertyWords.formUnion(line.words)
    if line.isAnnotated { isEntity = true }
  }
}

/// Reads the outlines of the declarations of a file.
struct OutlineReader {
  private let source: SourceTokens
  private let tokens: [SwiftToken]
  private var index = 0
  /// The number of types around the place that is read.
  private var depth = 0
  private(set) var declarations: [DeclarationOutline] = []

  /// Reads the tokens of a file.
  ///
  /// - Complexity: O(*n*) in the number of tokens.
  init(_ source: SourceTokens) {
    self.source = source
    tokens = source.tokens
    while index < tokens.count {
      var top = DeclarationOutline(keyword: "", path: "", lines: [])
      readMembers(of: &top)
      // A brace too many ends the file in the view of the reader; what follows is read all the same.
      index += 1
    }
  }

  private static let typeKeywords: Set<String> = [
    "class", "struct", "enum", "actor", "protocol", "extension",
  ]

  private func token(_ offset: Int = 0) -> SwiftToken? {
    index + offset < tokens.count ? tokens[index + offset] : nil
  }

  private func text(_ token: SwiftToken?) -> String {
    token.map { source.text(of: $0) } ?? ""
  }

  private func isWord(_ token: SwiftToken?, _ word: String) -> Bool {
    token.map { source.isWord($0, word) } ?? false
  }

  private func line(of tokens: [SwiftToken]) -> DeclarationOutline.Line {
    var line = DeclarationOutline.Line()
    for token in tokens {
      let text = text(token)
      if !line.text.isEmpty { line.text += " " }
      line.text += text
      switch token.kind {
      case .word: line.words.insert(text.withoutBackticks)
      case .annotation:
        line.isAnnotated = true
        line.words.formUnion(
          text.utf8.split { !$0.isPartOfWord }.map { String(Substring($0)) })
      case .literal, .sign: break
      }
    }
    return line
  }

  // MARK: - Members

  /// Reads up to the brace that closes the members, which is left.
  private mutating func readMembers(of outline: inout DeclarationOutline) {
    var head: [SwiftToken] = []
    while let next = token(), !next.isSign("}") {
      switch next.kind {
      case .annotation, .literal:
        head.append(next)
        index += 1
      case .sign:
        readSign(next, &head)
      case .word:
        readWord(next, &head, &outline)
      }
    }
    // Annotations that nothing follows.
    outline.add(line(of: head.filter { $0.kind == .annotation }))
  }

  private mutating func readSign(_ sign: SwiftToken, _ head: inout [SwiftToken]) {
    switch Unicode.Scalar(sign.first) {
    case "@":
      // An attribute with its arguments.
      head.append(sign)
      index += 1
      while let name = token(), name.kind == .word || name.isSign("."), !name.startsLine {
        head.append(name)
        index += 1
        if token()?.isSign(".") != true, name.kind == .word { break }
      }
      if token()?.isSign("(") == true, token()?.startsLine == false { head += balanced() }
    case "(", "[":
      let group = balanced()
      // As in `private(set)`.
      if !head.isEmpty { head += group }
    case "{": skipBalanced()
    default: index += 1
    }
  }

  private mutating func readWord(
    _ word: SwiftToken, _ head: inout [SwiftToken], _ outline: inout DeclarationOutline
  ) {
    if word.first == UInt8(ascii: "#") {
      // Annotations before a directive are those of no declaration.
      outline.add(line(of: head.filter { $0.kind == .annotation }))
      head.removeAll { $0.kind == .annotation }
      return readDirective(&outline)
    }
    let text = text(word)
    switch text {
    case "class" where isModifier: append(&head)
    case _ where Self.typeKeywords.contains(text): readType(&head, in: outline)
    case "var", "let": readVariable(&head, &outline)
    case "case":
      // Of an enum; in a statement of a script it does no harm.
      outline.add(line(of: head + statement()))
      head = []
    case "init", "func": readFunction(&head, &outline)
    case "typealias": readAlias(&head, in: outline)
    case "import", "associatedtype", "operator", "precedencegroup":
      _ = statement()
      head = []
    case "deinit", "subscript":
      _ = signature()
      if token()?.isSign("{") == true { skipBalanced() }
      head = []
    default: append(&head)
    }
  }

  private mutating func append(_ head: inout [SwiftToken]) {
    if let next = token() { head.append(next) }
    index += 1
  }

  /// Whether `class` stands before a member, and begins no type.
  private var isModifier: Bool {
    guard let next = token(1), next.kind == .word else { return false }
    return [
      "func", "var", "let", "subscript", "override", "final", "private", "public", "internal",
    ]
    .contains(text(next))
  }

  /// Reads `#if` and its like, up to the end of the line.
  private mutating func readDirective(_ outline: inout DeclarationOutline) {
    var line: [SwiftToken] = []
    repeat {
      if let next = token() { line.append(next) }
      index += 1
    } while token().map { !$0.startsLine && !$0.isSign("}") } ?? false
    outline.add(self.line(of: line))
  }

  // MARK: - Declarations

  private mutating func readType(
    _ head: inout [SwiftToken], in outer: DeclarationOutline
  ) {
    let keyword = text(token())
    let name = typeName()
    var line = head
    while let next = token(), !next.isSign("{"), !next.isSign("}") {
      if next.isSign("(") {
        line += balanced()
      } else {
        line.append(next)
        index += 1
      }
    }
    head = []
    var outline = DeclarationOutline(
      keyword: keyword, path: outer.path.isEmpty ? name : "\(outer.path).\(name)", lines: [])
    let isEntity = inherits(line)
    // An extension that makes no entity counts for its members alone.
    if keyword != "extension" || isEntity { outline.add(self.line(of: line)) }
    if token()?.isSign("{") == true {
      if depth < SourceNesting.limit {
        depth += 1
        index += 1
        readMembers(of: &outline)
        index += 1
        depth -= 1
      } else {
        skipBalanced()
      }
    }
    if isEntity { outline.isEntity = true }
    // Directives around what does not count do not count either.
    if keyword == "extension", outline.properties.isEmpty, outline.initializers.isEmpty,
      outline.lines.allSatisfy({ $0.hasPrefix("#") })
    {
      return
    }
    let isEmpty =
      outline.lines.isEmpty && outline.properties.isEmpty && outline.initializers.isEmpty
    if !isEmpty { declarations.append(outline) }
  }

  /// The name after a keyword of a type, with dots in an extension; nothing is read.
  private func typeName() -> String {
    var names: [String] = []
    var offset = 1
    while let name = token(offset), name.kind == .word {
      names.append(text(name).withoutBackticks)
      guard token(offset + 1)?.isSign(".") == true else { break }
      offset += 2
    }
    return names.joined(separator: ".")
  }

  /// Whether a head names the protocol of entities after its colon.
  private func inherits(_ head: [SwiftToken]) -> Bool {
    guard let colon = head.firstIndex(where: { $0.isSign(":") }) else { return false }
    return head[colon...].contains { isWord($0, "Entity") || isWord($0, "`Entity`") }
  }

  private mutating func readAlias(_ head: inout [SwiftToken], in outer: DeclarationOutline) {
    let name = text(token(1)).withoutBackticks
    var outline = DeclarationOutline(
      keyword: "typealias", path: outer.path.isEmpty ? name : "\(outer.path).\(name)", lines: [])
    outline.add(line(of: head + statement()))
    head = []
    declarations.append(outline)
  }

  private mutating func readVariable(
    _ head: inout [SwiftToken], _ outline: inout DeclarationOutline
  ) {
    var line = head
    head = []
    let body = statement(stopsBeforeBody: true)
    line += body
    var isComputed = false
    if token()?.isSign("{") == true {
      let first = token(1)
      isComputed = first != nil && !isObserver(first)
      skipBalanced()
    }
    // An annotation behind a property, on its line.
    while let next = token(), next.kind == .annotation, !next.startsLine {
      line.append(next)
      index += 1
    }
    let isAnnotated = line.contains { $0.kind == .annotation }
    let isStatic = line.contains { isWord($0, "static") }
    let holdsNone = ["extension", "enum", "protocol", ""].contains(outline.keyword)
    if !isAnnotated && (isComputed || isStatic || holdsNone) { return }
    var property = self.line(of: line)
    if isComputed { property.text += " {}" }
    outline.addProperty(property)
  }

  private mutating func readFunction(
    _ head: inout [SwiftToken], _ outline: inout DeclarationOutline
  ) {
    var isWanted =
      isWord(token(), "init") || text(token(1)).withoutBackticks == "convert"
      || head.contains { $0.kind == .annotation }
    // In an extension, where it is one of a class, bindings call none that takes a value.
    let isConvenience =
      outline.keyword == "extension" && head.contains { isWord($0, "convenience") }
    let isInitializer = isWord(token(), "init")
    let isAnnotated = head.contains { $0.kind == .annotation }
    let signature = signature()
    let parameters = parameters(of: signature)
    if isConvenience, !isAnnotated, parameters.contains(false) { isWanted = false }
    let line = head + signature
    head = []
    if token()?.isSign("{") == true { skipBalanced() }
    if !isWanted { return }
    if isInitializer, outline.keyword == "extension", !isAnnotated, !isConvenience {
      outline.addInitializer(self.line(of: line), parameters: parameters.count)
    } else {
      outline.add(self.line(of: line))
    }
  }

  /// The parameters in the head of a function: whether each has a default.
  private func parameters(of signature: [SwiftToken]) -> [Bool] {
    guard let open = signature.firstIndex(where: { $0.isSign("(") }) else { return [] }
    var result: [Bool] = []
    var (depth, isEmpty, hasDefault) = (0, true, false)
    for token in signature[open...] {
      if token.kind == .sign {
        switch Unicode.Scalar(token.first) {
        case "(", "[", "{":
          depth += 1
          if depth == 1 { continue }
        case ")", "]", "}":
          depth -= 1
          if depth == 0 { return isEmpty ? result : result + [hasDefault] }
        case "," where depth == 1:
          result.append(hasDefault)
          (isEmpty, hasDefault) = (true, false)
          continue
        case "=" where depth == 1: hasDefault = true
        default: break
        }
      }
      isEmpty = false
    }
    return result
  }

  // MARK: - Groups of tokens

  /// The tokens from an opening sign up to the one that closes it.
  private mutating func balanced() -> ArraySlice<SwiftToken> {
    let start = index
    skipBalanced()
    return tokens[start..<index]
  }

  /// Moves from an opening sign behind the one that closes it.
  private mutating func skipBalanced() {
    var depth = 0
    while index < tokens.count {
      let next = tokens[index]
      index += 1
      guard next.kind == .sign else { continue }
      switch Unicode.Scalar(next.first) {
      case "(", "[", "{": depth += 1
      case ")", "]", "}": depth -= 1
      default: break
      }
      if depth == 0 { break }
    }
  }

  /// The head of a function: up to its body, or to the end of the line.
  private mutating func signature() -> [SwiftToken] {
    var line: [SwiftToken] = []
    var last: SwiftToken?
    while let next = token(), !next.isSign("{"), !next.isSign("}"), !next.isSign(";") {
      if let last, next.startsLine, next.kind == .annotation || !continues(last, next) { break }
      if next.isSign("(") || next.isSign("[") {
        line += balanced()
      } else {
        line.append(next)
        index += 1
      }
      last = line.last
    }
    return line
  }

  /// The tokens of a declaration without a body, up to its last line.
  ///
  /// - Parameter stopsBeforeBody: Whether a brace ends it that follows no `=`.
  /// - Returns: The tokens, without the semicolon that may end them.
  private mutating func statement(stopsBeforeBody: Bool = false) -> [SwiftToken] {
    var line: [SwiftToken] = []
    var hasValue = false
    while let next = token(), !next.isSign("}"), !next.isSign(";") {
      let opensBody = next.isSign("{")
      if let last = line.last, next.startsLine, !opensBody {
        if next.kind == .annotation || !continues(last, next) { break }
      }
      if next.kind == .annotation, !line.isEmpty { break }
      if opensBody, stopsBeforeBody, !hasValue { break }
      // The observers of a property with a value.
      if opensBody, stopsBeforeBody, isObserver(token(1)) { break }
      if opensBody, next.startsLine, hasValue, line.last.map({ !$0.isSign("=") }) ?? false { break }
      if next.isSign("=") { hasValue = true }
      if next.isSign("(") || next.isSign("[") || opensBody {
        line += balanced()
      } else {
        line.append(next)
        index += 1
      }
    }
    return line
  }

  /// Whether a token at the start of a line belongs to what the line before says.
  private func continues(_ last: SwiftToken, _ next: SwiftToken) -> Bool {
    if last.kind == .sign, !"])}?!>".utf8.contains(last.first) { return true }
    if next.kind == .sign, !"@(".utf8.contains(next.first) { return true }
    return Self.wordsInside.contains(text(next)) || Self.wordsBefore.contains(text(last))
  }

  /// The words that begin no declaration.
  private static let wordsInside: Set<String> = [
    "where", "throws", "rethrows", "async", "as", "is",
  ]

  /// The words that end none.
  private static let wordsBefore: Set<String> = [
    "where", "throws", "async", "as", "is", "var", "let", "case", "init", "func",
  ]

  /// Whether a token begins an observer of a property, as the first one in braces.
  private func isObserver(_ token: SwiftToken?) -> Bool {
    isWord(token, "didSet") || isWord(token, "willSet")
  }
}
