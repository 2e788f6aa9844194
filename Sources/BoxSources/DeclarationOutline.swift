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
  /// The words in the stored properties that are annotated with `embedded`, their types among them.
  var embeddedWords: Set<String> = []
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

    fileprivate mutating func add(_ text: String) {
      if !self.text.isEmpty { self.text += " " }
      self.text += text
    }
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
    if line.isAnnotated {
      isEntity = true
      if line.words.contains("embedded") { embeddedWords.formUnion(line.words) }
    }
  }
}

extension SourceDeclarations {
  /// The outlines of the declarations, without bodies.
  ///
  /// A file that cannot be read has one outline, its text: no bindings can be of it.
  var outlines: [DeclarationOutline] {
    if mistake != nil {
      var outline = DeclarationOutline(keyword: "mistake", path: "", lines: [])
      outline.isEntity = true
      outline.lines = [String(decoding: source.bytes, as: UTF8.self)]
      return [outline]
    }
    var writer = OutlineWriter(source: source)
    var top = DeclarationOutline(keyword: "", path: "", lines: [])
    writer.add(declarations, to: &top)
    return writer.outlines
  }
}

/// Makes the outlines of declarations.
private struct OutlineWriter {
  let source: SourceTokens
  var outlines: [DeclarationOutline] = []

  init(source: SourceTokens) { self.source = source }

  /// The texts of comments, and of the tokens that follow them, with a space between.
  private func line(
    _ comments: [AnnotationComment], _ tokens: some Sequence<Int>,
    _ behind: [AnnotationComment] = []
  ) -> DeclarationOutline.Line {
    var line = DeclarationOutline.Line()
    add(comments, to: &line)
    for index in tokens {
      let token = source.tokens[index]
      let text = source.text(of: token)
      switch token.kind {
      case .word, .quotedName, .number, .macro, .condition: line.words.insert(text.withoutBackticks)
      case .string, .regex, .sign: break
      }
      line.add(text)
    }
    add(behind, to: &line)
    return line
  }

  private func add(_ comments: [AnnotationComment], to line: inout DeclarationOutline.Line) {
    for comment in comments {
      let text = String(decoding: source.bytes[comment.range], as: UTF8.self)
      // Without its slashes, with one space between its words.
      let body = text.drop { $0 == "/" || $0 == "*" || $0.isWhitespace }
      let words = body.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      line.add(words)
      line.isAnnotated = true
      line.words.formUnion(words.utf8.split { !$0.isPartOfWord }.map { String(Substring($0)) })
    }
  }

  mutating func add(_ declarations: [SwiftDeclaration], to outline: inout DeclarationOutline) {
    for declaration in declarations { add(declaration, to: &outline) }
  }

  private mutating func add(
    _ declaration: SwiftDeclaration, to outline: inout DeclarationOutline
  ) {
    switch declaration.kind {
    case .type(let parts): addType(declaration, parts, in: outline)
    case .alias: addAlias(declaration, in: outline)
    case .variable(let bindings): addVariable(declaration, bindings, to: &outline)
    case .function(let parts), .initializer(let parts):
      addFunction(declaration, parts, to: &outline)
    case .enumCase:
      outline.add(line(declaration.annotations, declaration.start..<declaration.end))
    case .condition(let branches):
      for branch in branches {
        outline.add(line([], branch.condition))
        add(branch.declarations, to: &outline)
      }
      outline.add(line([], [declaration.end - 1]))
    case .other: break
    }
  }

  private func path(_ name: String, in outer: DeclarationOutline) -> String {
    outer.path.isEmpty ? name : "\(outer.path).\(name)"
  }

  private mutating func addType(
    _ declaration: SwiftDeclaration, _ parts: SwiftDeclaration.TypeParts,
    in outer: DeclarationOutline
  ) {
    let keyword = source.text(of: source.tokens[declaration.keyword])
    let names = declaration.name.map { source.tokens[$0] }.prefix { !$0.isSign("<") }
    let name = names.map { source.text(of: $0).withoutBackticks }.joined()
    var outline = DeclarationOutline(keyword: keyword, path: path(name, in: outer), lines: [])
    let isEntity = parts.inherited.contains {
      $0.names.contains(where: SwiftDeclaration.isEntityProtocol)
    }
    // An extension that makes no entity counts for its members alone.
    if keyword != "extension" || isEntity {
      outline.add(line(declaration.annotations, declaration.start..<parts.brace))
    }
    add(parts.members, to: &outline)
    if isEntity { outline.isEntity = true }
    // Directives around what does not count do not count either.
    let hasMembers = !outline.properties.isEmpty || !outline.initializers.isEmpty
    if keyword == "extension", !hasMembers, outline.lines.allSatisfy({ $0.hasPrefix("#") }) {
      return
    }
    if hasMembers || !outline.lines.isEmpty { outlines.append(outline) }
  }

  private mutating func addAlias(_ declaration: SwiftDeclaration, in outer: DeclarationOutline) {
    let name = source.text(of: declaration.name).withoutBackticks
    var outline = DeclarationOutline(keyword: "typealias", path: path(name, in: outer), lines: [])
    outline.add(line(declaration.annotations, declaration.start..<declaration.end))
    outlines.append(outline)
  }

  private func addVariable(
    _ declaration: SwiftDeclaration, _ bindings: [SwiftDeclaration.Binding],
    to outline: inout DeclarationOutline
  ) {
    let isComputed = bindings.contains(where: \.isComputed)
    let behind = declaration.trailingAnnotations
    let isAnnotated = !declaration.annotations.isEmpty || !behind.isEmpty
    let isStatic = declaration.modifiers.contains { $0.name == "static" }
    let holdsNone = ["extension", "enum", "protocol", ""].contains(outline.keyword)
    if !isAnnotated && ((isComputed && bindings.count == 1) || isStatic || holdsNone) { return }
    // Without the bodies of accessors.
    var tokens: [Int] = []
    var start = declaration.start
    for binding in bindings {
      tokens += start..<binding.headEnd
      start = binding.end
    }
    var property = line(declaration.annotations, tokens, behind)
    if isComputed { property.text += " {}" }
    outline.addProperty(property)
  }

  private func addFunction(
    _ declaration: SwiftDeclaration, _ parts: SwiftDeclaration.FunctionParts,
    to outline: inout DeclarationOutline
  ) {
    let isInitializer =
      if case .initializer = declaration.kind { true } else { false }
    let isAnnotated = !declaration.annotations.isEmpty
    var isWanted =
      isInitializer || isAnnotated
      || source.text(of: declaration.name).withoutBackticks == "convert"
    // In an extension, where it is one of a class, bindings call none that takes a value.
    let isConvenience =
      outline.keyword == "extension"
      && declaration.modifiers.contains { $0.name == "convenience" }
    if isConvenience, !isAnnotated, parts.parameters.contains(where: { !$0.hasDefault }) {
      isWanted = false
    }
    if !isWanted { return }
    let line = line(declaration.annotations, declaration.start..<parts.signatureEnd)
    if isInitializer, outline.keyword == "extension", !isAnnotated, !isConvenience {
      outline.addInitializer(line, parameters: parts.parameters.count)
    } else {
      outline.add(line)
    }
  }
}
