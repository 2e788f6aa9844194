internal import BoxReport
internal import SwiftSyntax

/// Collects the entities of one file.
final class EntityVisitor: SyntaxVisitor {
  private(set) var entities: [SourceEntity] = []
  private(set) var findings: [Finding] = []
  private let locations: SourceLocationConverter
  private var depth = 0

  init(_ locations: SourceLocationConverter) {
    self.locations = locations
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    if isEntity(node, node.inheritanceClause) {
      refuse(node, node.name.text, "is a struct", "Make it a class")
    }
    depth += 1
    return .visitChildren
  }

  override func visitPost(_ node: StructDeclSyntax) { depth -= 1 }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    if isEntity(node, node.inheritanceClause) { readEntity(node) }
    depth += 1
    return .visitChildren
  }

  override func visitPost(_ node: ClassDeclSyntax) { depth -= 1 }

  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    depth += 1
    return .visitChildren
  }

  override func visitPost(_ node: EnumDeclSyntax) { depth -= 1 }

  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    depth += 1
    return .visitChildren
  }

  override func visitPost(_ node: ExtensionDeclSyntax) { depth -= 1 }

  private func readEntity(_ node: ClassDeclSyntax) {
    let name = node.name.text
    if depth > 0 {
      refuse(node, name, "is inside another declaration", "Move it to file level")
      return
    }
    if node.genericParameterClause != nil {
      refuse(node, name, "is generic", "Declare a class for each argument")
      return
    }
    if !hasPlainInitializer(node) {
      findings.append(
        Finding(
          GeneratorRule.noInitializer, at: place(node.name),
          "The entity \"\(name)\" has no initializer without parameters",
          advice: "Add \"required init() {}\""))
    }
    var entity = SourceEntity(
      typeName: name, name: name.withoutBackticks, properties: [], place: place(node.name))
    for (annotation, place) in annotations(of: node) {
      switch annotation.name {
      case "entity", "Entity": break
      case "name": entity.name = annotation.value ?? entity.name
      case "uid": entity.uid = uid(annotation, place)
      default: reportUnknown(annotation, place, among: ["entity", "name", "uid"])
      }
    }
    var reader = PropertyReading(owner: name)
    for member in node.memberBlock.members {
      guard let variable = member.decl.as(VariableDeclSyntax.self) else { continue }
      reader.read(
        variable, annotations: annotations(of: variable), place: { self.place($0) })
    }
    let result = reader.finished(at: entity.place)
    findings += result.findings
    entity.properties = result.properties
    entities.append(entity)
  }

  private func hasPlainInitializer(_ node: ClassDeclSyntax) -> Bool {
    let initializers = node.memberBlock.members.compactMap {
      $0.decl.as(InitializerDeclSyntax.self)
    }
    if initializers.isEmpty { return true }
    return initializers.contains { initializer in
      initializer.optionalMark == nil
        && initializer.signature.parameterClause.parameters.allSatisfy { $0.defaultValue != nil }
    }
  }

  private func isEntity(_ node: some DeclSyntaxProtocol, _ clause: InheritanceClauseSyntax?) -> Bool
  {
    let inherits = clause?.inheritedTypes.contains {
      ["Entity", "ObjectBox.Entity", "BoxStore.Entity"].contains($0.type.trimmedDescription)
    }
    return inherits == true
      || annotations(of: node).contains { ["entity", "Entity"].contains($0.0.name) }
  }

  /// The annotations in the comments before a declaration, with their places.
  private func annotations(of node: some DeclSyntaxProtocol) -> [(Annotation, SourcePlace)] {
    var found: [(Annotation, SourcePlace)] = []
    var position = node.position
    for piece in node.leadingTrivia {
      if case .lineComment(let text) = piece, let parsed = Annotation.parse(comment: text) {
        found += parsed.map { ($0, place(at: position)) }
      } else if case .docLineComment(let text) = piece,
        let parsed = Annotation.parse(comment: text)
      {
        found += parsed.map { ($0, place(at: position)) }
      }
      position += piece.sourceLength
    }
    return found
  }

  private func uid(_ annotation: Annotation, _ place: SourcePlace) -> UInt64? {
    if let uid = annotation.value.flatMap({ UInt64($0) }) { return uid }
    findings.append(.uidWithoutNumber(place))
    return nil
  }

  private func reportUnknown(
    _ annotation: Annotation, _ place: SourcePlace, among names: [String]
  ) {
    findings.append(.unknownAnnotation(annotation.name, place, among: names))
  }

  private func refuse(
    _ node: some DeclSyntaxProtocol, _ name: String, _ reason: String, _ advice: String
  ) {
    findings.append(
      Finding(
        GeneratorRule.notSupported, at: place(at: node.positionAfterSkippingLeadingTrivia),
        "The entity \"\(name)\" \(reason)", advice: advice))
  }

  private func place(_ node: some SyntaxProtocol) -> SourcePlace {
    place(at: node.positionAfterSkippingLeadingTrivia)
  }

  private func place(at position: AbsolutePosition) -> SourcePlace {
    let location = locations.location(for: position)
    return SourcePlace(path: location.file, line: location.line, column: location.column)
  }
}

extension Finding {
  static func uidWithoutNumber(_ place: SourcePlace) -> Finding {
    Finding(
      GeneratorRule.annotationValue, at: place, "The annotation \"uid\" has no number",
      advice: "Give it the UID of the model file, such as uid = 1234")
  }

  static func unknownAnnotation(
    _ name: String, _ place: SourcePlace, among names: [String]
  ) -> Finding {
    let nearest = nearestName(to: name, among: names)
    return Finding(
      GeneratorRule.unknownAnnotation, at: place, "There is no annotation \"\(name)\" here",
      advice: nearest.map { "Did you mean \"\($0)\"?" }
        ?? "Use one of: \(names.joined(separator: ", "))")
  }
}

extension String {
  /// The name of an identifier that may stand in backticks.
  var withoutBackticks: String {
    count > 2 && first == "`" && last == "`" ? String(dropFirst().dropLast()) : self
  }
}
