internal import BoxSources

/// Collects from the declarations of a file what entities may refer to.
struct DeclarationCollector {
  private(set) var found = Declarations()
  private let source: SourceTokens
  private let places: PlaceTable
  private let prefix: String
  /// The names of the types around.
  private var path: [String] = []
  private var privateDepth = 0
  private var isLocal = false

  init(_ source: SourceTokens, _ places: PlaceTable, prefix: String) {
    self.source = source
    self.places = places
    self.prefix = prefix
  }

  /// Collects declarations with all inside of them, also the types in bodies.
  mutating func collect(_ declarations: [SwiftDeclaration]) {
    for declaration in declarations {
      switch declaration.kind {
      case .type(let parts): collectType(declaration, parts)
      case .alias(let shape?):
        found.addAlias(
          joined(path + [text(of: declaration.name)]), of: shape,
          at: place(declaration.name.lowerBound),
          isHidden: isHidden || Self.isPrivate(declaration.modifiers))
      case .condition(let branches):
        for branch in branches { collect(branch.declarations) }
      default: break
      }
      if declaration.locals.isEmpty { continue }
      let wasLocal = isLocal
      isLocal = true
      collect(declaration.locals)
      isLocal = wasLocal
    }
  }

  // MARK: - Types

  /// Whether only a file or a function sees what is declared here.
  private var isHidden: Bool { isLocal || privateDepth > 0 }

  private func joined(_ path: [String]) -> String { path.joined(separator: ".").withoutBackticks }

  private mutating func collectType(
    _ declaration: SwiftDeclaration, _ parts: SwiftDeclaration.TypeParts
  ) {
    path.append(text(of: declaration.name))
    let isPrivate = Self.isPrivate(declaration.modifiers)
    if isPrivate { privateDepth += 1 }
    defer {
      path.removeLast()
      if isPrivate { privateDepth -= 1 }
    }
    let kind = text(of: declaration.keyword..<declaration.keyword + 1)
    let owner = joined(path)
    let inherited = kind == "protocol" ? [] : parts.inherited.flatMap(\.names)
    let isEntity = inherited.contains(where: SwiftDeclaration.isEntityProtocol)
    collectConverters(parts.members, declaration.attributes, owner)
    if kind == "extension" {
      if isEntity { found.extendedEntities.insert(owner) }
      for member in parts.members {
        if case .initializer(let function) = member.kind {
          found.initializers[owner, default: []].append(initializer(member, function))
        }
      }
    } else {
      // The fingerprint of bindings does not cover conformances in extensions.
      if parts.inherited.contains(where: Self.isValueConverter) {
        found.valueConverters.insert(owner)
      }
      let annotations = annotations(declaration.annotations)
      let isAnnotated = annotations.contains { $0.name.lowercased() == "entity" }
      if kind == "class" || kind == "struct" || isAnnotated || isEntity {
        addType(declaration, parts, kind, inherited, annotations)
      }
      if kind == "enum" { addEnum(declaration, parts) }
    }
    collect(parts.members)
  }

  private mutating func addType(
    _ declaration: SwiftDeclaration, _ parts: SwiftDeclaration.TypeParts, _ kind: String,
    _ inherited: [String], _ annotations: [Annotation]
  ) {
    let members = members(parts.members)
    let joined = path.joined(separator: ".")
    let isPublic = Self.isPublic(declaration)
    found.types.append(
      TypeDeclaration(
        kind: kind, path: joined, isGeneric: parts.isGeneric, inherited: inherited,
        members: members, annotations: annotations,
        // Its own name too, as initializers may be in extensions of other files.
        names: members.names.union([joined.lastName]),
        isLocal: isLocal, isConditional: declaration.isConditional, isPrivate: privateDepth > 0,
        isPublic: path.count == 1 && isPublic, prefix: prefix,
        place: place(declaration.name.lowerBound),
        unknownWord: unknownWord(in: [declaration] + parts.members)))
  }

  private static func isPublic(_ declaration: SwiftDeclaration) -> Bool {
    declaration.modifiers.contains { ["public", "open"].contains($0.name) && !$0.hasDetail }
  }

  private func unknownWord(in declarations: [SwiftDeclaration]) -> TypeDeclaration.UnknownWord? {
    for declaration in declarations {
      if let word = declaration.unknownWord {
        return .init(text: text(of: word..<word + 1), place: place(word))
      }
      if case .condition(let branches) = declaration.kind,
        let found = unknownWord(in: branches.flatMap(\.declarations))
      {
        return found
      }
    }
    return nil
  }

  private mutating func addEnum(
    _ declaration: SwiftDeclaration, _ parts: SwiftDeclaration.TypeParts
  ) {
    var cases: [EnumDeclaration.Case] = []
    for member in parts.members {
      guard case .enumCase(let elements) = member.kind else { continue }
      cases += elements.map { element in
        .init(
          name: text(of: element.name..<element.name + 1).withoutBackticks,
          rawValue: element.rawValue.map(rawValue), place: place(element.name))
      }
    }
    found.add(
      EnumDeclaration(
        path: path.joined(separator: "."), rawType: parts.inherited.first?.shape, cases: cases,
        place: place(declaration.name.lowerBound), isHidden: isHidden,
        isPublic: Self.isPublic(declaration)))
  }

  /// The text of a literal: digits without underscores, or the content of a string.
  private func rawValue(_ range: Range<Int>) -> String {
    if case .string(let text?) = SwiftExpression(range, in: source) { return text }
    let isString = range.count == 1 && source.tokens[range.lowerBound].kind == .string
    if isString { return text(of: range) }
    return text(of: range).filter { $0 != "_" && !$0.isWhitespace }
  }

  private mutating func collectConverters(
    _ members: [SwiftDeclaration], _ attributes: [SwiftDeclaration.Attribute], _ owner: String
  ) {
    for member in members {
      guard case .function(let function) = member.kind, text(of: member.name) == "convert",
        let parameter = function.parameters.first
      else { continue }
      var converter = found.converters[owner] ?? ConverterDeclaration()
      converter.parameters.append(parameter.shape)
      let isFree = member.modifiers.contains { $0.name == "nonisolated" }
      let actor = Self.globalActor(member.attributes) ?? Self.globalActor(attributes)
      if let actor, !isFree { converter.isolation = (actor, place(member.name.lowerBound)) }
      found.converters[owner] = converter
    }
  }

  private static func isValueConverter(_ inherited: SwiftDeclaration.Inherited) -> Bool {
    if case .named(let name, _) = inherited.shape {
      name.lastName == "ValueConverter"
    } else {
      false
    }
  }

  /// The attribute that isolates a declaration; the names of global actors end in "Actor".
  private static func globalActor(_ attributes: [SwiftDeclaration.Attribute]) -> String? {
    attributes.first { $0.name.hasSuffix("Actor") }?.name
  }

  private static func isPrivate(_ modifiers: [SwiftDeclaration.Modifier]) -> Bool {
    // `private(set)` is about writing.
    modifiers.contains { ["private", "fileprivate"].contains($0.name) && !$0.hasDetail }
  }

  // MARK: - Members

  private func members(_ declarations: [SwiftDeclaration]) -> MemberDeclarations {
    var members = MemberDeclarations()
    for member in declarations {
      switch member.kind {
      case .variable(let bindings): members.variables.append(.always(variable(member, bindings)))
      case .condition(let branches):
        let inside = branches.flatMap(\.declarations).compactMap { member in
          if case .variable(let bindings) = member.kind { variable(member, bindings) } else { nil }
        }
        members.variables.append(.conditional(inside))
      case .initializer(let function): members.initializers.append(initializer(member, function))
      default: break
      }
    }
    return members
  }

  private static let leavingOut: Set<String> = ["static", "class", "lazy", "weak", "unowned"]

  private func variable(
    _ declaration: SwiftDeclaration, _ bindings: [SwiftDeclaration.Binding]
  ) -> VariableDeclaration {
    let modifiers = declaration.modifiers
    var shape: TypeShape?
    var found: [VariableDeclaration.Binding] = []
    for binding in bindings.reversed() {
      let value = binding.value.map { SwiftExpression($0, in: source) }
      if let annotated = binding.shape {
        shape = annotated
      } else if let value {
        shape = TypeShape(of: value)
      }
      found.append(
        .init(
          name: text(of: binding.pattern), isName: binding.isName, shape: shape,
          hasType: binding.shape != nil, hasValue: value != nil,
          initialValue: value.map { InitialValue($0) }, isComputed: binding.isComputed,
          place: place(binding.pattern.lowerBound)))
    }
    return VariableDeclaration(
      bindings: found.reversed(), annotations: annotations(declaration.annotations),
      trailingAnnotations: annotations(declaration.trailingAnnotations),
      isConstant: text(of: declaration.keyword..<declaration.keyword + 1) == "let",
      isLeftOut: modifiers.contains { Self.leavingOut.contains($0.name) },
      isPrivate: Self.isPrivate(modifiers),
      isPrivatelySet: modifiers.contains {
        ["private", "fileprivate"].contains($0.name) && $0.hasDetail
      })
  }

  private func initializer(
    _ declaration: SwiftDeclaration, _ function: SwiftDeclaration.FunctionParts
  ) -> InitializerDeclaration {
    InitializerDeclaration(
      parameters: function.parameters.map { parameter in
        .init(
          label: parameter.label == "_" ? nil : parameter.label, name: parameter.name,
          hasDefault: parameter.hasDefault)
      },
      isCallable: function.isPlain && !Self.isPrivate(declaration.modifiers))
  }

  // MARK: - Tokens

  private func text(of range: Range<Int>) -> String { source.text(of: range) }

  private func place(_ token: Int) -> SourcePlace {
    places.place(at: source.tokens[token].range.lowerBound)
  }

  private func annotations(_ comments: [AnnotationComment]) -> [Annotation] {
    comments.flatMap { comment in
      AnnotationParser.parse(
        comment: String(decoding: source.bytes[comment.range], as: UTF8.self), prefix: prefix,
        place: places.place(at: comment.range.lowerBound)) ?? []
    }
  }
}
