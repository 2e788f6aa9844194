internal import BoxModel
internal import BoxReport
internal import BoxSources

/// Reads the members of an entity type, or of a struct that is embedded in one.
struct MemberReading {
  let owner: String
  let scope: Scope
  let isStruct: Bool
  /// The paths of the struct that is read and those that it is in; empty for an entity.
  let outer: [String]
  private(set) var properties: [SourceProperty] = []
  /// The structs whose members are among the properties, each after the one that it is in.
  private(set) var embeddings: [SourceEmbedding] = []
  /// The structs that were read, by their paths; nil for one with a mistake.
  private var types: [String: EmbeddedType?]
  private(set) var collections: [SourceCollection] = []
  private(set) var findings: [Finding] = []
  /// All stored members, also those that are not persisted, as the initializer of a struct has them.
  private(set) var stored: [StoredMember] = []

  init(
    owner: String, scope: Scope, isStruct: Bool, outer: [String] = [],
    types: [String: EmbeddedType?] = [:]
  ) {
    self.owner = owner
    self.scope = scope
    self.isStruct = isStruct
    self.outer = outer
    self.types = types
  }

  /// The members of the type itself that are stored, with their names in Swift.
  var persisted: [(name: String, place: SourcePlace)] {
    properties.filter { $0.embedding == nil }.map { ($0.swiftName, $0.place) }
      + embeddings.filter { $0.outer == nil }.map { ($0.swiftName, $0.place) }
      + collections.map { ($0.swiftName, $0.place) }
  }

  mutating func read(_ variables: MemberDeclarations.Variables) {
    switch variables {
    case .always(let variable): read(variable)
    case .conditional(let variables): for variable in variables { refuse(conditional: variable) }
    }
  }

  /// Reports a stored property that only some builds have.
  private mutating func refuse(conditional variable: VariableDeclaration) {
    guard !variable.isLeftOut, !variable.annotations.contains(where: \.isTransient),
      let binding = variable.bindings.first(where: { !$0.isComputed })
    else { return }
    findings.append(
      Finding(
        GeneratorRule.conditional, at: binding.place,
        "The property \"\(binding.name)\" of \"\(owner)\" is inside \"#if\"",
        advice:
          "Move it out of the condition, or annotate it with \"// \(scope.prefix): transient\"",
        severity: .error))
  }

  /// Reads one declaration of variables; what is static, computed, lazy or weak is left out.
  private mutating func read(_ variable: VariableDeclaration) {
    for annotation in variable.trailingAnnotations {
      findings.append(
        Finding(
          GeneratorRule.annotationValue, at: annotation.place,
          "The annotation \"\(annotation.name)\" stands after a declaration",
          advice: "Move it to the line above the declaration"))
    }
    if variable.isLeftOut {
      refuseAnnotations(of: variable)
      return
    }
    let isTransient = variable.annotations.contains(where: \.isTransient)
    for binding in variable.bindings {
      if binding.isComputed {
        refuseAnnotations(of: variable)
        continue
      }
      let member = StoredMember(binding, variable, isPersisted: !isTransient)
      stored.append(member)
      if !isTransient { read(member, binding, variable.annotations) }
    }
  }

  private mutating func read(
    _ member: StoredMember, _ binding: VariableDeclaration.Binding, _ annotations: [Annotation]
  ) {
    let place = binding.place
    guard binding.isName else {
      return refuse(place, member.name, "is a tuple")
    }
    if member.isConstant, !isStruct {
      return refuse(place, member.name, "is a constant, which cannot be set when an object is read")
    }
    if member.isPrivate {
      return refuse(place, member.name, "is private, so that bindings cannot reach it")
    }
    if let clash = member.shape.flatMap({ scope.aliasClash($0) }) {
      findings.append(.clash(of: clash.name, with: binding.name, at: place, clash.places))
      return
    }
    guard let shape = member.shape.map({ scope.resolved($0) }) else {
      return refuse(
        place, member.name, "has no type that can be read from its text", "Write its type")
    }
    if annotations.contains(where: { $0.name == "embedded" }) {
      return embed(member, shape, annotations, at: place)
    }
    if !outer.isEmpty, let reason = shape.reasonNotEmbedded {
      return refuse(place, member.name, reason, "Move it to the entity")
    }
    var reading = PropertyReading(
      owner: owner, member: member, shape: shape, scope: scope, place: place,
      isEmbedded: !outer.isEmpty)
    reading.read(annotations)
    findings += reading.findings
    if let property = reading.property { properties.append(property) }
    if let collection = reading.collection { collections.append(collection) }
  }

  /// Hands over the structs that were read, so that no copy of them is made.
  mutating func takeTypes() -> [String: EmbeddedType?] {
    defer { types = [:] }
    return types
  }

  /// Reads a member whose own members are properties.
  private mutating func embed(
    _ member: StoredMember, _ shape: TypeShape, _ annotations: [Annotation], at place: SourcePlace
  ) {
    if member.isPrivatelySet, !isStruct {
      return refuse(
        place, member.name, "has a private setter, so that bindings cannot set it",
        "Remove \"private(set)\"")
    }
    var reading = EmbeddingReading(
      member, shape, scope, outer: outer, types: takeTypes(), place: place)
    reading.read(annotations)
    findings += reading.findings
    types = reading.takeTypes()
    guard let embedding = reading.embedding, let type = reading.type else { return }
    guard properties.count + embeddings.count + type.count <= SourceEmbedding.maximumCount else {
      findings.append(
        Finding(
          GeneratorRule.embeddedType, at: place,
          "\(owner) has more than \(SourceEmbedding.maximumCount) embedded structs and members",
          advice: "Embed fewer structs, or relate entities by a ToOne"))
      return
    }
    let position = embeddings.count
    embeddings.append(embedding)
    for var inner in type.embeddings {
      inner.outer = position + 1 + (inner.outer ?? -1)
      embeddings.append(inner)
    }
    for var property in type.properties {
      property.embedding = position + 1 + (property.embedding ?? -1)
      properties.append(property)
    }
  }

  /// Marks the id: an annotated property, then `id`, then the only one of the type.
  mutating func chooseID(at place: SourcePlace) {
    let annotated = properties.indices.filter { properties[$0].isID }
    if annotated.count > 1 {
      let names = annotated.map { "\"\(properties[$0].swiftName)\"" }.joined(separator: " and ")
      findings.append(
        Finding(
          GeneratorRule.noID, at: properties[annotated[1]].place,
          "The entity \"\(owner)\" has more than one id: \(names)",
          advice: "Remove the annotation \"id\" from all but one"))
      return
    }
    if annotated.isEmpty {
      let candidates = properties.indices.filter { properties[$0].isUsualID(of: owner) }
      let usual = candidates.first { properties[$0].swiftName.withoutBackticks == "id" }
      guard let chosen = usual ?? (candidates.count == 1 ? candidates.first : nil) else {
        reportNoID(candidates, place)
        return
      }
      properties[chosen].makeID()
    }
    guard let id = properties.first(where: \.isID) else { return }
    if id.isOptional {
      findings.append(
        Finding(
          GeneratorRule.noID, at: id.place, "The id of \"\(owner)\" is optional",
          advice: "Declare it as \"var \(id.swiftName): Id = 0\"; 0 is the id of a new object"))
    }
  }

  private mutating func reportNoID(_ candidates: [Int], _ place: SourcePlace) {
    let names = candidates.map { "\"\(properties[$0].swiftName)\"" }.joined(separator: " and ")
    findings.append(
      Finding(
        GeneratorRule.noID, at: place,
        candidates.isEmpty
          ? "The entity \"\(owner)\" has no id"
          : "The entity \"\(owner)\" may have the id \(names)",
        advice: candidates.isEmpty
          ? "Add \"var id: Id\(isStruct ? "" : " = 0")\""
          : "Annotate one with \"// \(scope.prefix): id\""))
  }

  /// Reports annotations that have no effect, as their property is not stored.
  private mutating func refuseAnnotations(of variable: VariableDeclaration) {
    for annotation in variable.annotations where !annotation.isTransient {
      let name = variable.bindings.first?.name ?? ""
      findings.append(
        Finding(
          GeneratorRule.annotationValue, at: annotation.place,
          "The annotation \"\(annotation.name)\" has no effect on \"\(name)\", which is not stored",
          advice: "Remove the annotation"))
    }
  }

  private mutating func refuse(
    _ place: SourcePlace, _ name: String, _ reason: String, _ remedy: String? = nil
  ) {
    findings.append(
      .notStored(
        name, of: owner, reason, at: place,
        remedy: remedy ?? "Make it an internal variable", prefix: scope.prefix))
  }
}

/// A variable or a constant that objects have.
struct StoredMember: Hashable {
  /// The name, in backticks where the sources write it so.
  var name: String
  var shape: TypeShape?
  var isConstant: Bool
  var isPrivate: Bool
  /// Whether only the type itself sets it.
  var isPrivatelySet: Bool
  var hasDefault: Bool
  var initialValue: InitialValue?
  var isPersisted: Bool

  init(
    _ binding: VariableDeclaration.Binding, _ variable: VariableDeclaration, isPersisted: Bool
  ) {
    name = binding.name
    shape = binding.shape
    isConstant = variable.isConstant
    isPrivate = variable.isPrivate
    isPrivatelySet = variable.isPrivatelySet
    var isOptional = false
    if case .optional? = shape { isOptional = true }
    // A variable of an optional type begins as nil; a wrapper may have an initial value of its own.
    hasDefault = binding.hasValue || (isOptional && !isConstant && binding.hasType)
    initialValue = binding.initialValue
    self.isPersisted = isPersisted
  }
}

extension TypeShape {
  /// The reason why no member of an embedded struct can have the type; nil if one can.
  fileprivate var reasonNotEmbedded: String? {
    switch self {
    case .optional(let inner): inner.reasonNotEmbedded
    case .named("ToOne", _), .named("ToMany", _):
      "is a relation, which an embedded struct cannot have"
    case .named("Id", []), .named("EntityId", _): "is an id, which an embedded struct cannot have"
    default: nil
    }
  }
}

extension Annotation {
  var isTransient: Bool { name == "transient" && value == nil }
}

extension SourceProperty {
  /// Whether it is an id if it is the only candidate.
  fileprivate func isUsualID(of owner: String) -> Bool {
    switch form {
    case .value(.id): true
    case .id(let type):
      // The id of another entity is a value.
      type == "EntityId<\(owner)>" || owner.hasSuffix("." + type.dropFirst(9).dropLast())
    default: false
    }
  }

  /// Makes it the id of its entity.
  mutating func makeID() {
    if case .value(let type) = form { form = .id(type.rawValue) }
    flags.remove(.unsigned)
    flags.insert(.id)
  }
}

extension Finding {
  /// A type that is declared in several ways, such as in the branches of a condition.
  static func clash(
    of name: String, with member: String, at place: SourcePlace, _ places: [SourcePlace]
  ) -> Finding {
    let texts = places.prefix(2).map { "\($0.path):\($0.line)" }
    return Finding(
      GeneratorRule.duplicateType, at: place,
      "The type \"\(name)\" of \"\(member)\" is declared differently at"
        + " \(texts.joined(separator: " and "))",
      advice: "Declare it once for all builds, outside of \"#if\"")
  }

  static func notStored(
    _ name: String, of owner: String, _ reason: String, at place: SourcePlace, remedy: String,
    prefix: String
  ) -> Finding {
    Finding(
      GeneratorRule.notStorable, at: place, "The property \"\(name)\" of \"\(owner)\" \(reason)",
      advice: "\(remedy), or annotate it with \"// \(prefix): transient\"")
  }
}
