import SwiftSyntax

/// Collects the declarations of one file.
final class DeclarationVisitor: SyntaxVisitor {
  private(set) var found = Declarations()
  private let source: FileSource
  /// The names of the types around.
  private var path: [String] = []
  private var privateDepth = 0
  private var conditionDepth = 0
  private var bodyDepth = 0
  private var hiddenEnums = KnownNames()
  private var hiddenAliases = KnownNames()

  /// Whether only a file or a function sees what is declared here.
  private var isHidden: Bool { bodyDepth > 0 || privateDepth > 0 }

  /// The names of declarations: of several with a name, the first that all files see counts, and else the first.
  private struct KnownNames {
    private var isHidden: [String: Bool] = [:]

    /// Whether a declaration replaces those that were there.
    mutating func takes(_ name: String, isHidden: Bool) -> Bool {
      guard let known = self.isHidden[name], !known || isHidden else {
        self.isHidden[name] = isHidden
        return true
      }
      return false
    }
  }

  init(_ source: FileSource) {
    self.source = source
    super.init(viewMode: .sourceAccurate)
  }

  // MARK: - Types

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(
      "struct", node, node.structKeyword, node.name, node.modifiers, node.inheritanceClause,
      node.memberBlock.members, isGeneric: node.genericParameterClause != nil, node.attributes)
  }

  override func visitPost(_ node: StructDeclSyntax) { leave(node.modifiers) }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(
      "class", node, node.classKeyword, node.name, node.modifiers, node.inheritanceClause,
      node.memberBlock.members, isGeneric: node.genericParameterClause != nil, node.attributes)
  }

  override func visitPost(_ node: ClassDeclSyntax) { leave(node.modifiers) }

  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(
      "actor", node, node.actorKeyword, node.name, node.modifiers, node.inheritanceClause,
      node.memberBlock.members, isGeneric: node.genericParameterClause != nil, node.attributes)
  }

  override func visitPost(_ node: ActorDeclSyntax) { leave(node.modifiers) }

  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    let result = enter(
      "enum", node, node.enumKeyword, node.name, node.modifiers, node.inheritanceClause,
      node.memberBlock.members, isGeneric: node.genericParameterClause != nil, node.attributes)
    let name = path.joined(separator: ".")
    let declared = EnumDeclaration(
      path: name, rawType: node.inheritanceClause?.inheritedTypes.first.map { TypeShape($0.type) },
      cases: node.memberBlock.members.flatMap(cases), place: source.place(of: node.name))
    if hiddenEnums.takes(name.withoutBackticks, isHidden: isHidden) {
      found.enums[name.withoutBackticks] = declared
    }
    return result
  }

  override func visitPost(_ node: EnumDeclSyntax) { leave(node.modifiers) }

  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(
      "protocol", node, node.protocolKeyword, node.name, node.modifiers, nil,
      node.memberBlock.members, isGeneric: false, node.attributes)
  }

  override func visitPost(_ node: ProtocolDeclSyntax) { leave(node.modifiers) }

  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    let name = node.extendedType.trimmedText
    path.append(name)
    if Self.isPrivate(node.modifiers) { privateDepth += 1 }
    let owner = path.joined(separator: ".").withoutBackticks
    if Self.names(node.inheritanceClause).contains(where: Self.isEntityProtocol) {
      found.extendedEntities.insert(owner)
    }
    for member in node.memberBlock.members {
      if let initializer = member.decl.as(InitializerDeclSyntax.self) {
        found.initializers[owner, default: []].append(InitializerDeclaration(initializer))
      }
    }
    collectConverters(node.memberBlock.members, node.attributes, owner)
    return .visitChildren
  }

  override func visitPost(_ node: ExtensionDeclSyntax) { leave(node.modifiers) }

  override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
    if node.genericParameterClause == nil {
      let name = (path + [node.name.text]).joined(separator: ".").withoutBackticks
      if hiddenAliases.takes(name, isHidden: isHidden || Self.isPrivate(node.modifiers)) {
        found.aliases[name] = TypeShape(node.initializer.value)
      }
    }
    return .skipChildren
  }

  // MARK: - Conditions and bodies

  override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
    conditionDepth += 1
    return .visitChildren
  }

  override func visitPost(_ node: IfConfigDeclSyntax) { conditionDepth -= 1 }

  override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind { enterBody() }

  override func visitPost(_ node: CodeBlockSyntax) { bodyDepth -= 1 }

  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { enterBody() }

  override func visitPost(_ node: ClosureExprSyntax) { bodyDepth -= 1 }

  override func visit(_ node: AccessorBlockSyntax) -> SyntaxVisitorContinueKind { enterBody() }

  override func visitPost(_ node: AccessorBlockSyntax) { bodyDepth -= 1 }

  override func visit(_ node: SwitchCaseSyntax) -> SyntaxVisitorContinueKind { enterBody() }

  override func visitPost(_ node: SwitchCaseSyntax) { bodyDepth -= 1 }

  private func enterBody() -> SyntaxVisitorContinueKind {
    bodyDepth += 1
    return .visitChildren
  }

  // MARK: - Parts

  private func enter(
    _ kind: String, _ node: some DeclSyntaxProtocol, _ keyword: TokenSyntax, _ name: TokenSyntax,
    _ modifiers: DeclModifierListSyntax, _ inheritance: InheritanceClauseSyntax?,
    _ members: MemberBlockItemListSyntax, isGeneric: Bool, _ attributes: AttributeListSyntax
  ) -> SyntaxVisitorContinueKind {
    path.append(name.text)
    if Self.isPrivate(modifiers) { privateDepth += 1 }
    let annotations = source.annotations(of: node, upTo: keyword)
    let inherited = Self.names(inheritance)
    let joined = path.joined(separator: ".")
    collectConverters(members, attributes, joined.withoutBackticks)
    let isAnnotated = annotations.contains { $0.name.lowercased() == "entity" }
    if kind == "class" || kind == "struct" || isAnnotated
      || inherited.contains(where: Self.isEntityProtocol)
    {
      let members = MemberDeclarations(members, source)
      found.types.append(
        TypeDeclaration(
          kind: kind, path: joined, isGeneric: isGeneric, inherited: inherited,
          members: members, annotations: annotations,
          // Its own name too, as initializers may be in extensions of other files.
          names: members.names.union([joined.lastName]),
          isLocal: bodyDepth > 0, isConditional: conditionDepth > 0, isPrivate: privateDepth > 0,
          isPublic: path.count == 1
            && modifiers.contains { ["public", "open"].contains($0.name.text) && $0.detail == nil },
          prefix: source.prefix, place: source.place(of: name)))
    }
    return .visitChildren
  }

  private func leave(_ modifiers: DeclModifierListSyntax) {
    path.removeLast()
    if Self.isPrivate(modifiers) { privateDepth -= 1 }
  }

  private func collectConverters(
    _ members: MemberBlockItemListSyntax, _ attributes: AttributeListSyntax, _ owner: String
  ) {
    for member in members {
      guard let function = member.decl.as(FunctionDeclSyntax.self),
        function.name.text == "convert",
        let parameter = function.signature.parameterClause.parameters.first
      else { continue }
      var converter = found.converters[owner] ?? ConverterDeclaration()
      converter.parameters.append(TypeShape(parameter.type))
      let isFree = function.modifiers.contains { $0.name.text == "nonisolated" }
      let actor = Self.globalActor(function.attributes) ?? Self.globalActor(attributes)
      if let actor, !isFree {
        converter.isolation = (actor, source.place(of: function.name))
      }
      found.converters[owner] = converter
    }
  }

  /// The attribute that isolates a declaration; the names of global actors end in "Actor".
  private static func globalActor(_ attributes: AttributeListSyntax) -> String? {
    attributes.lazy.compactMap { $0.as(AttributeSyntax.self)?.attributeName.trimmedText }
      .first { $0.hasSuffix("Actor") }
  }

  private static let entityProtocols: Set<String> = [
    "Entity", "ObjectBox.Entity", "BoxStore.Entity",
  ]

  static func isEntityProtocol(_ name: String) -> Bool {
    entityProtocols.contains(name.withoutBackticks)
  }

  private static func names(_ clause: InheritanceClauseSyntax?) -> [String] {
    (clause?.inheritedTypes).map { list in list.flatMap { names($0.type) } } ?? []
  }

  /// The names in a type that is inherited, such as `(Entity & Sendable)`.
  private static func names(_ type: TypeSyntax) -> [String] {
    if let attributed = type.as(AttributedTypeSyntax.self) { return names(attributed.baseType) }
    if let composition = type.as(CompositionTypeSyntax.self) {
      return composition.elements.flatMap { names($0.type) }
    }
    if let tuple = type.as(TupleTypeSyntax.self) {
      return tuple.elements.flatMap { names($0.type) }
    }
    return [type.trimmedText]
  }

  static func isPrivate(_ modifiers: DeclModifierListSyntax) -> Bool {
    // `private(set)` is about writing.
    modifiers.contains {
      ["private", "fileprivate"].contains($0.name.text) && $0.detail == nil
    }
  }

  private func cases(_ member: MemberBlockItemSyntax) -> [EnumDeclaration.Case] {
    guard let declaration = member.decl.as(EnumCaseDeclSyntax.self) else { return [] }
    return declaration.elements.map { element in
      EnumDeclaration.Case(
        name: element.name.text.withoutBackticks,
        rawValue: element.rawValue.map { Self.rawValue($0.value) },
        place: source.place(of: element.name))
    }
  }

  /// The text of a literal: digits without underscores, or the content of a string.
  private static func rawValue(_ expression: ExprSyntax) -> String {
    if let string = expression.as(StringLiteralExprSyntax.self) {
      return string.representedLiteralValue ?? string.trimmedDescription
    }
    return expression.trimmedDescription.filter { $0 != "_" && !$0.isWhitespace }
  }
}
