internal import BoxJSON
internal import BoxReport
internal import BoxSources

/// A struct as it is embedded: its members, and the members of the structs in it.
struct EmbeddedType {
  /// The path, as `Address` or `Library.Address`.
  var path: String
  /// The stored properties, with the names that they have in the struct.
  var properties: [SourceProperty] = []
  var embeddings: [SourceEmbedding] = []
  var arguments: [InitializerArgument] = []

  /// The number of structs that are in each other, itself among them.
  var depth: Int {
    var depths: [Int] = []
    for embedding in embeddings { depths.append(1 + (embedding.outer.map { depths[$0] } ?? 1)) }
    return depths.max() ?? 1
  }

  /// The number of structs and properties in it, and itself.
  var count: Int { 1 + embeddings.count + properties.count }

  /// Whether an object with the struct has a value of one of its properties at least.
  var hasValue: Bool { properties.contains { !$0.isNullable } }
}

/// Reads a member that is annotated with `embedded`.
struct EmbeddingReading {
  private let member: StoredMember
  private let scope: Scope
  /// The paths of the structs that it is in.
  private let outer: [String]
  private let place: SourcePlace
  private let isOptional: Bool
  private let shape: TypeShape
  /// The structs that were read, by their paths; nil for one with a mistake.
  private var types: [String: EmbeddedType?]
  private(set) var findings: [Finding] = []
  private(set) var embedding: SourceEmbedding?
  /// The struct, with the names of its properties in the owner of the member.
  private(set) var type: EmbeddedType?

  private static let names = ["embedded", "was"]

  init(
    _ member: StoredMember, _ shape: TypeShape, _ scope: Scope, outer: [String],
    types: [String: EmbeddedType?], place: SourcePlace
  ) {
    self.member = member
    self.scope = scope
    self.outer = outer
    self.types = types
    self.place = place
    (self.shape, isOptional) = shape.withoutOptional
  }

  /// Hands over the structs that were read.
  mutating func takeTypes() -> [String: EmbeddedType?] {
    defer { types = [:] }
    return types
  }

  mutating func read(_ annotations: [Annotation]) {
    guard let declaration = declaration(annotations), var type = read(declaration) else { return }
    if isOptional, !type.hasValue {
      report(
        GeneratorRule.embeddedOptional,
        "\(member.name.withoutBackticks) is optional and \(name(of: declaration)) has only optional members,"
          + " so nil could not be told from an empty one",
        "Give it a member that is not optional, or make \(member.name.withoutBackticks) not optional"
      )
      return
    }
    apply(annotations, to: &type)
    embedding = SourceEmbedding(
      swiftName: member.name, outer: nil, typeName: type.path, isOptional: isOptional,
      arguments: type.arguments, place: place)
    self.type = type
  }

  // MARK: - The struct

  private func name(of declaration: TypeDeclaration) -> String {
    declaration.path.withoutBackticks
  }

  /// The declaration of the struct; nil after a finding.
  private mutating func declaration(_ annotations: [Annotation]) -> TypeDeclaration? {
    guard case .named(let name, _) = shape, SwiftValueType(spelling: shape.spelling) == nil else {
      for annotation in annotations where annotation.name == "embedded" {
        findings.append(
          .doesNotFit(
            annotation, member.name, "Remove it: a struct is embedded, and no other type is"))
      }
      return nil
    }
    let found = scope.types(name)
    let visible = found.filter { !$0.isLocal && !$0.isPrivate }
    guard let declaration = visible.first ?? found.first else {
      report(
        GeneratorRule.embeddedType,
        scope.enumeration(name) == nil
          ? "\(shape.spelling) is not declared in the sources of \(scope.target); use a converter"
          : "\(name) is an enum; use the annotation \"convert\"",
        "A struct of the target can be embedded, as its members are read from its declaration")
      return nil
    }
    if visible.count > 1 {
      findings.append(.clash(of: name, with: member.name, at: place, visible.map(\.place)))
      return nil
    }
    if let (message, advice) = obstacle(declaration) {
      report(GeneratorRule.embeddedType, "\(self.name(of: declaration)) \(message)", advice)
      return nil
    }
    return declaration
  }

  /// The reason why a type cannot be embedded, and what to do.
  private func obstacle(_ declaration: TypeDeclaration) -> (String, String)? {
    if declaration.isEntity(in: scope.declarations) {
      return ("is an entity, and has an id of its own", "Relate to it by a ToOne")
    }
    if declaration.kind == "class" {
      return (
        "is a class, which two objects could share; make it a struct",
        "Or store it by a converter"
      )
    }
    if declaration.kind != "struct" {
      return ("is not a struct", "Make it one, or use a converter")
    }
    if declaration.isGeneric {
      return ("is generic, and its members have no one type", "Declare a struct per argument")
    }
    if declaration.isLocal {
      return ("is inside a function, where bindings cannot reach it", "Move it to file level")
    }
    if declaration.isPrivate {
      return ("is private, so that bindings cannot reach it", "Remove \"private\" before it")
    }
    if outer.contains(where: { $0.hasSameBytes(as: declaration.path) }) {
      return ("holds itself", "Remove the member, or relate entities by a ToOne")
    }
    if outer.count >= SourceEmbedding.maximumDepth { return tooDeep }
    return nil
  }

  private var tooDeep: (String, String) {
    (
      "is more than \(SourceEmbedding.maximumDepth) structs deep",
      "Embed fewer structs in each other, or store one by a converter"
    )
  }

  /// The members of the struct, which is read once for an entity; nil after a finding.
  private mutating func read(_ declaration: TypeDeclaration) -> EmbeddedType? {
    let path = declaration.path
    if types[path] == nil { types[path] = .some(readMembers(declaration)) }
    guard let type = types[path] ?? nil else { return nil }
    if outer.count + type.depth > SourceEmbedding.maximumDepth {
      report(
        GeneratorRule.embeddedType, "\(name(of: declaration)) \(tooDeep.0)", tooDeep.1)
      return nil
    }
    return type
  }

  private mutating func readMembers(_ declaration: TypeDeclaration) -> EmbeddedType? {
    if let word = declaration.unknownWord {
      findings.append(.unknownWord(word, in: "struct \"\(name(of: declaration))\""))
      return nil
    }
    if declaration.isConditional {
      findings.append(
        Finding(
          GeneratorRule.conditional, at: declaration.place,
          "The struct \"\(name(of: declaration))\" is inside \"#if\", and the bindings are not",
          advice: "Move it out of the condition, or be sure that all builds have it"))
    }
    var members = MemberReading(
      owner: name(of: declaration), scope: scope.inside(declaration), isStruct: true,
      outer: outer + [declaration.path], types: takeTypes())
    for variables in declaration.members.variables { members.read(variables) }
    var initializer = InitializerReading(
      declaration,
      extensions: scope.declarations.initializers[name(of: declaration)] ?? [],
      members: members)
    findings += members.findings
    // It may be one with the members that were refused.
    let isWhole = members.findings.allSatisfy { $0.severity != .error }
    if isWhole { findings += initializer.takeFindings() }
    types = members.takeTypes()
    return EmbeddedType(
      path: declaration.path, properties: members.properties, embeddings: members.embeddings,
      arguments: initializer.arguments)
  }

  // MARK: - Names

  /// Gives the properties the names that they have in the owner of the member.
  private mutating func apply(_ annotations: [Annotation], to type: inout EmbeddedType) {
    var prefix = member.name.withoutBackticks + "_"
    var earlier: [(position: Int, name: EarlierName)] = []
    for annotation in annotations {
      switch (annotation.name, annotation.value) {
      case ("embedded", nil): break
      case ("embedded", .text(let text)?): prefix = text
      case ("was", .options(let options)?):
        earlier += earlierNames(options, annotation, of: type)
      case ("was", _):
        findings.append(
          .wrongValue(
            annotation, of: member.name,
            advice: "Write the earlier names of members, as was = {\"street\": \"street\"}"))
      case (let name, _) where Self.names.contains(name):
        findings.append(.wrongValue(annotation, of: member.name))
      case (let name, _) where PropertyReading.names.contains(name):
        findings.append(
          .doesNotFit(
            annotation, member.name, "Remove it, or write it above a member of \(type.path)"))
      case (let name, _):
        findings.append(.unknownName(name, annotation.place, among: Self.names))
      }
    }
    for position in type.properties.indices {
      type.properties[position].name = prefix + type.properties[position].name
      for other in type.properties[position].earlierNames.indices {
        type.properties[position].earlierNames[other].name =
          prefix + type.properties[position].earlierNames[other].name
      }
      if isOptional { type.properties[position].isInOptional = true }
    }
    for (position, name) in earlier { type.properties[position].earlierNames.append(name) }
  }

  /// The earlier names that an annotation gives to members; they have no prefix.
  private mutating func earlierNames(
    _ options: [AnnotationOption], _ annotation: Annotation, of type: EmbeddedType
  ) -> [(position: Int, name: EarlierName)] {
    let positions = Dictionary(
      type.properties.enumerated().map { (ExactText($0.element.name), $0.offset) }
    ) { first, _ in first }
    return options.compactMap { option in
      guard let position = positions[ExactText(option.key)], !option.value.isEmpty else {
        findings.append(
          .unknownName(
            option.key, annotation.place, among: type.properties.map(\.name), isOption: true))
        return nil
      }
      let written = "{\"\(option.key)\": \"\(option.value)\"}"
      return (
        position, EarlierName(name: option.value, written: written, place: annotation.place)
      )
    }
  }

  private mutating func report(_ rule: Rule, _ message: String, _ advice: String) {
    findings.append(Finding(rule, at: place, message, advice: advice))
  }
}
