extension DeclarationReader {
  // MARK: - Variables

  mutating func readVariable(_ declaration: inout SwiftDeclaration) {
    cursor.index += 1
    var bindings: [SwiftDeclaration.Binding] = []
    repeat {
      guard var binding = readPattern() else { return fail("this names no variable") }
      if cursor.consume(":") {
        binding.shape = cursor.consumeType()
        if binding.shape == nil { return fail("this is not a type") }
      }
      if cursor.isSign("="), !cursor.isSign("=", 1) {
        cursor.index += 1
        let start = cursor.index
        guard cursor.consumeExpression() else { return fail("this is not an expression") }
        binding.value = start..<cursor.index
      }
      binding.headEnd = cursor.index
      if cursor.isSign("{"),
        binding.value == nil || cursor.isOnLine || cursor.startsObservers
      {
        binding.isComputed = isComputed
        cursor.consumeGroup()
      }
      binding.end = cursor.index
      bindings.append(binding)
    } while cursor.consume(",")
    declaration.name = bindings[0].pattern
    declaration.kind = .variable(bindings)
  }

  private mutating func readPattern() -> SwiftDeclaration.Binding? {
    guard let next = cursor.token() else { return nil }
    let start = cursor.index
    if next.isSign("(") {
      cursor.consumeGroup()
      return .init(pattern: start..<cursor.index, isName: false)
    }
    guard next.isName,
      next.kind == .quotedName || !SwiftWords.keywords.contains(source.text(of: next))
    else { return nil }
    cursor.index += 1
    return .init(pattern: start..<cursor.index, isName: !source.isWord(next, "_"))
  }

  /// Whether the braces that begin here have more than observers.
  private var isComputed: Bool {
    var content = cursor
    content = TokenCursor(source, content.consumeGroup())
    var hasAccessors = false
    while content.token() != nil {
      while content.isSign("@") { if !content.consumeAttribute() { return true } }
      if ["mutating", "nonmutating", "__consuming", "consuming", "borrowing", "yielding"]
        .contains(where: { content.isWord($0) }), content.isWord(of: SwiftWords.accessors, 1)
      {
        content.index += 1
      }
      guard content.isWord(of: SwiftWords.accessors) else { return true }
      if !content.isWord("willSet"), !content.isWord("didSet") { return true }
      hasAccessors = true
      content.index += 1
      if content.isSign("(") { content.consumeGroup() }
      _ = content.skipEffects()
      if content.isSign("{") { content.consumeGroup() }
    }
    return !hasAccessors
  }

  mutating func readFunction(
    _ declaration: inout SwiftDeclaration, _ word: String
  ) {
    cursor.index += 1
    var isPlain = true
    if word == "func" || word == "macro" {
      let start = cursor.index
      if cursor.token()?.isName == true {
        cursor.index += 1
      } else if cursor.isOperator {
        skipOperatorName()
      } else {
        return fail("this names no function")
      }
      declaration.name = start..<cursor.index
    } else if word == "init", cursor.isSign("?") || cursor.isSign("!") {
      isPlain = false
      cursor.index += 1
    }
    if cursor.isSign("<") {
      isPlain = false
      skipGenericParameters()
    }
    var parameters: [SwiftDeclaration.Parameter] = []
    if word != "deinit" {
      guard cursor.isSign("(") else { return fail("parameters are missing here") }
      parameters = readParameters()
    }
    if cursor.isWord("async") || cursor.isWord("throws") || cursor.isWord("rethrows")
      || cursor.isWord("reasync")
    {
      isPlain = false
    }
    _ = cursor.skipEffects()
    if cursor.consumeArrow(), cursor.consumeType() == nil { return fail("this is not a type") }
    if word == "macro", cursor.consume("="), !cursor.consumeExpression() {
      return fail("this is not a macro")
    }
    skipRequirements()
    var parts = SwiftDeclaration.FunctionParts(
      parameters: parameters, isPlain: isPlain, signatureEnd: cursor.index)
    let end = cursor.index
    if cursor.isSign("{"), word != "macro" { cursor.consumeGroup() } else { cursor.index = end }
    parts.signatureEnd = end
    declaration.kind = word == "init" ? .initializer(parts) : .function(parts)
  }

  /// Takes the name of an operator, up to the generic parameters that may follow it.
  private mutating func skipOperatorName() {
    let start = cursor.index
    cursor.skipOperator()
    // The last `<` of `func <<T>(a: T)` begins the generic parameters.
    if !cursor.isSign("("), cursor.index > start + 1, source.tokens[cursor.index - 1].isSign("<") {
      cursor.index -= 1
    }
  }

  private mutating func readParameters() -> [SwiftDeclaration.Parameter] {
    let inside = cursor.consumeGroup()
    let after = cursor
    cursor = TokenCursor(source, inside)
    defer { cursor = after }
    var parameters: [SwiftDeclaration.Parameter] = []
    while mistake == nil {
      if cursor.token() == nil { break }
      guard let parameter = readParameter() else {
        fail("this is not a parameter")
        break
      }
      parameters.append(parameter)
      if cursor.token() != nil, !cursor.consume(",") {
        fail("this is not a parameter")
        break
      }
    }
    return parameters
  }

  private mutating func readParameter() -> SwiftDeclaration.Parameter? {
    while cursor.isSign("@") {
      guard cursor.consumeAttribute() else { return nil }
    }
    while let next = cursor.token(), next.kind == .word,
      ["isolated", "_const", "borrowing", "consuming", "__owned", "__shared", "inout"].contains(
        source.text(of: next)), cursor.token(1)?.isName == true, cursor.token(2)?.isName == true
    {
      cursor.index += 1
    }
    guard let label = cursor.token(), label.isName else { return nil }
    cursor.index += 1
    var name = label
    if let second = cursor.token(), second.isName {
      name = second
      cursor.index += 1
    }
    guard cursor.consume(":"), let shape = cursor.consumeType() else { return nil }
    if cursor.isSign("."), cursor.isSign(".", 1), cursor.isSign(".", 2) { cursor.index += 3 }
    let hasDefault = cursor.isSign("=")
    if hasDefault {
      cursor.index += 1
      if !cursor.consumeExpression() { return nil }
    }
    return .init(
      label: source.text(of: label), name: source.text(of: name), shape: shape,
      hasDefault: hasDefault)
  }

  mutating func readCases(_ declaration: inout SwiftDeclaration) {
    cursor.index += 1
    var cases: [SwiftDeclaration.Case] = []
    repeat {
      guard cursor.token()?.isName == true else { return fail("this names no case") }
      var element = SwiftDeclaration.Case(name: cursor.index)
      cursor.index += 1
      if cursor.isSign("("), cursor.isOnLine { cursor.consumeGroup() }
      if cursor.isSign("=") {
        cursor.index += 1
        let start = cursor.index
        guard cursor.consumeExpression() else { return fail("this is not a value") }
        element.rawValue = start..<cursor.index
      }
      cases.append(element)
    } while cursor.consume(",")
    declaration.name = cases[0].name..<cases[0].name + 1
    declaration.kind = .enumCase(cases)
  }
}
