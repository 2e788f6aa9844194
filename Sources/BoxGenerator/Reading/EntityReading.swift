internal import BoxModel
internal import BoxReport
internal import BoxSources

/// Reads one entity type.
struct EntityReading {
  private let declaration: TypeDeclaration
  private let scope: Scope
  private(set) var findings: [Finding] = []
  private(set) var entity: SourceEntity?

  static let names = ["entity", "name", "uid", "sync", "externalName"]

  init(_ declaration: TypeDeclaration, _ declarations: Declarations, target: String) {
    self.declaration = declaration
    scope = Scope(
      declarations: declarations, path: declaration.path, prefix: declaration.prefix,
      target: target)
    read()
  }

  private var name: String { declaration.path.withoutBackticks }

  private mutating func read() {
    if let (reason, advice) = obstacle {
      report(
        GeneratorRule.notSupported, declaration.place, "The entity \"\(name)\" \(reason)", advice)
      return
    }
    if let word = declaration.unknownWord {
      findings.append(.unknownWord(word, in: "entity \"\(name)\""))
      return
    }
    if declaration.isConditional {
      report(
        GeneratorRule.conditional, declaration.place,
        "The entity \"\(name)\" is inside \"#if\", and the bindings are not",
        "Move it out of the condition, or be sure that all builds have it")
    }
    var entity = SourceEntity(
      typeName: declaration.path,
      name: declaration.path.split(separator: ".").last.map { String($0).withoutBackticks } ?? "",
      isStruct: declaration.kind == "struct", place: declaration.place)
    entity.isPublic = declaration.isPublic
    entity.conforms = declaration.conformsToEntity(in: scope.declarations)
    for annotation in declaration.annotations { apply(annotation, to: &entity) }
    var members = MemberReading(
      owner: name, scope: scope, isStruct: entity.isStruct)
    for variables in declaration.members.variables { members.read(variables) }
    members.chooseID(at: declaration.place)
    entity.properties = members.properties
    entity.embeddings = members.embeddings
    entity.collections = members.collections
    findings += members.findings
    checkSync(entity)
    var initializer = InitializerReading(
      declaration, extensions: scope.declarations.initializers[name] ?? [], members: members)
    entity.arguments = initializer.arguments
    findings += initializer.takeFindings()
    self.entity = entity
  }

  /// The reason why the bindings cannot exist, and what to do.
  private var obstacle: (String, String)? {
    switch declaration.kind {
    case "class", "struct": break
    case "enum": return ("is an enum", "Make it a class or a struct")
    case "protocol": return ("is a protocol", "Annotate the classes that conform to it")
    default: return ("is an actor", "Make it a class or a struct")
    }
    if declaration.isLocal {
      return ("is inside a function, where bindings cannot reach it", "Move it to file level")
    }
    if declaration.isPrivate {
      return ("is private, so that bindings cannot reach it", "Remove \"private\" before it")
    }
    if declaration.isGeneric {
      return (
        "is generic, and a store has one kind of object for it", "Declare a type per argument"
      )
    }
    let parent = declaration.inherited.first {
      scope.declarations.entityClasses.contains($0.withoutBackticks)
    }
    if let parent {
      return (
        "inherits from the entity \"\(parent)\"",
        "Repeat the properties in both classes, or relate them by a ToOne"
      )
    }
    return nil
  }

  private mutating func apply(_ annotation: Annotation, to entity: inout SourceEntity) {
    switch (annotation.name, annotation.value) {
    case ("entity", nil), ("Entity", nil): break
    case ("name", .text(let name)?) where !name.isEmpty: entity.name = name
    case ("uid", _): entity.uid = uid(annotation)
    case ("sync", nil): entity.flags.insert(.syncEnabled)
    case ("sync", .options(let options)?):
      entity.flags.insert(.syncEnabled)
      for option in options {
        switch (option.key, option.value) {
        case ("sharedGlobalIds", "true"): entity.flags.insert(.sharedGlobalIDs)
        case ("sharedGlobalIds", "false"): break
        case ("sharedGlobalIds", _): reportValue(annotation)
        default:
          findings.append(
            .unknownName(option.key, annotation.place, among: ["sharedGlobalIds"], isOption: true))
        }
      }
    case ("externalName", .text(let name)?) where !name.isEmpty: entity.externalName = name
    case (let name, _) where Self.names.contains(name): reportValue(annotation)
    case (let name, _):
      findings.append(.unknownName(name, annotation.place, among: Self.names))
    }
  }

  private mutating func uid(_ annotation: Annotation) -> UIDRequest? {
    do throws(MalformedUID) {
      return try UIDRequest(annotation)
    } catch {
      reportValue(annotation)
      return nil
    }
  }

  private mutating func checkSync(_ entity: SourceEntity) {
    for flag in [PropertyFlags.syncClock, .syncPrecedence] {
      let marked = entity.properties.filter { $0.flags.contains(flag) }
      let word = flag == .syncClock ? "syncClock" : "syncPrecedence"
      if let second = marked.dropFirst().first {
        report(
          GeneratorRule.annotationValue, second.place,
          "Two properties of \"\(name)\" have the annotation \"\(word)\"", "Remove one of them")
      }
      if let first = marked.first, !entity.flags.contains(.syncEnabled) {
        report(
          GeneratorRule.annotationValue, first.place,
          "The annotation \"\(word)\" needs an entity with the annotation \"sync\"",
          "Annotate \"\(name)\" with \"sync\", or remove \"\(word)\"")
      }
    }
  }

  private mutating func reportValue(_ annotation: Annotation) {
    findings.append(.wrongValue(annotation, of: name))
  }

  private mutating func report(
    _ rule: Rule, _ place: SourcePlace, _ message: String, _ advice: String
  ) {
    findings.append(Finding(rule, at: place, message, advice: advice))
  }
}

extension TypeDeclaration {
  /// Whether it is annotated as an entity, or conforms to the protocol, here or in an extension.
  func isEntity(in declarations: Declarations) -> Bool {
    annotations.contains { $0.name.lowercased() == "entity" } || conformsToEntity(in: declarations)
  }

  /// Whether it conforms to the protocol, here or in an extension.
  func conformsToEntity(in declarations: Declarations) -> Bool {
    inherited.contains(where: SwiftDeclaration.isEntityProtocol)
      || declarations.extendedEntities.contains(path.withoutBackticks)
  }
}

/// An annotation `uid` with something else than a number.
struct MalformedUID: Error {}

extension UIDRequest {
  /// The request of an annotation.
  ///
  /// - Throws: ``MalformedUID``.
  init(_ annotation: Annotation) throws(MalformedUID) {
    guard annotation.value != nil else {
      self = .offer(annotation.place)
      return
    }
    guard let text = annotation.text, let uid = UInt64(text.filter { $0 != "_" }), uid > 0
    else { throw MalformedUID() }
    self = .chosen(uid, annotation.place)
  }
}

extension Finding {
  static func unknownName(
    _ name: String, _ place: SourcePlace, among names: [String], isOption: Bool = false
  ) -> Finding {
    let nearest = nearestName(to: name, among: names)
    let kind = isOption ? "option" : "annotation"
    return Finding(
      GeneratorRule.unknownAnnotation, at: place, "There is no \(kind) \"\(name)\" here",
      advice: nearest.map { "Did you mean \"\($0)\"?" }
        ?? "Use one of: \(names.joined(separator: ", "))")
  }

  /// A word of a declaration whose meaning is not known.
  static func unknownWord(_ word: TypeDeclaration.UnknownWord, in owner: String) -> Finding {
    Finding(
      GeneratorRule.notParsed, at: word.place,
      "The word \"\(word.text)\" in the \(owner) is unknown to this version",
      advice: "Correct it, or generate with a newer version of BoxJoint")
  }

  static func doesNotFit(
    _ annotation: Annotation, _ name: String, _ advice: String, severity: Severity? = nil
  ) -> Finding {
    Finding(
      GeneratorRule.annotationValue, at: annotation.place,
      "The annotation \"\(annotation.name)\" does not fit the type of \"\(name)\"", advice: advice,
      severity: severity)
  }

  static func wrongValue(
    _ annotation: Annotation, of name: String, advice: String? = nil
  ) -> Finding {
    Finding(
      GeneratorRule.annotationValue, at: annotation.place,
      "The annotation \"\(annotation.name)\" of \"\(name)\" has a value that it does not allow",
      advice: advice ?? "Correct the value, or remove the annotation")
  }
}
