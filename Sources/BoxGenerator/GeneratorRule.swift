internal import BoxJSON
package import BoxReport

/// The rules of annotated sources.
package enum GeneratorRule {
  static let notUTF8 = rule("BOX951", "source-not-utf8", "A source file is UTF-8")
  static let conflictMarkers = rule(
    "BOX952", "source-conflict-markers", "A source file has no conflict markers")
  static let unknownAnnotation = rule(
    "BOX953", "unknown-annotation", "An annotation and its options have documented names")
  static let annotationValue = rule(
    "BOX954", "annotation-value", "An annotation has a value that it allows, and fits its property")
  static let notStorable = rule(
    "BOX955", "type-not-storable", "A stored property has a type that a store holds")
  static let noID = rule("BOX956", "entity-without-id", "An entity has exactly one id")
  static let noInitializer = rule(
    "BOX957", "entity-without-init", "An entity has the initializer that the bindings call")
  static let duplicateType = rule(
    "BOX958", "duplicate-entity", "Entities and their members differ in name")
  static let notSupported = rule(
    "BOX959", "entity-form", "An entity is a class or a struct that the bindings can reach")
  static let unknownUID = rule(
    "BOX960", "annotation-uid", "The UID of an annotation is one of the model file")
  static let manyRemovals = rule(
    "BOX961", "many-removals", "A run removes at most half of the entities of a model file")
  static let model = rule(
    "BOX962", "model-not-editable", "The model file is valid, and the sources fit it")
  static let uidRequested = rule(
    "BOX963", "uid-requested", "An annotation \"uid\" has a number")
  static let lostUIDs = rule(
    "BOX964", "model-lost-uids",
    "The model file keeps the UIDs of its generated code and of its history")
  static let relation = rule(
    "BOX965", "relation-target", "A relation leads to an entity, and a backlink to a relation")
  static let backlinkOffered = rule(
    "BOX966", "backlink-offered", "A relation to many objects says if it is a backlink", .warning)
  static let typeChanged = rule(
    "BOX967", "type-changed",
    "A property keeps its type, or the sources say what becomes of its values")
  static let enumCases = rule(
    "BOX968", "implicit-raw-values", "The cases of a stored enum have explicit raw values", .warning
  )
  static let conditional = rule(
    "BOX969", "conditional-entity", "An entity is the same in every build", .warning)
  static let isolatedConverter = rule(
    "BOX970", "isolated-converter", "A converter can be called on any thread")
  static let lock = rule(
    "BOX971", "lock-not-readable", "The lock of the catalogue is one that can be read and written")
  static let notParsed = rule("BOX972", "source-not-parsed", "A source file is correct Swift")
  static let resetTarget = rule(
    "BOX973", "reset-target", "A relation to an entity that is reset is reset too", .warning)
  static let lostElement = rule(
    "BOX974", "element-lost", "An element keeps its UID, or the sources ask for another one")

  static let renamedModel = rule(
    "BOX975", "model-under-another-name", "A target that is renamed keeps its model")

  static let computedConstant = rule(
    "BOX976", "constant-computed", "Older objects get the initial value of a new property", .warning
  )

  static let leftBindings = rule(
    "BOX977", "bindings-left", "A target has the bindings of one generator")

  static let internalBindings = rule(
    "BOX978", "internal-bindings", "The bindings of a public entity are public", .warning)

  /// All rules, in the order of their ids.
  package static let all = [
    notUTF8, conflictMarkers, unknownAnnotation, annotationValue, notStorable, noID, noInitializer,
    duplicateType, notSupported, unknownUID, manyRemovals, model, uidRequested, lostUIDs, relation,
    backlinkOffered, typeChanged, enumCases, conditional, isolatedConverter, lock, notParsed,
    resetTarget, lostElement, renamedModel, computedConstant, leftBindings, internalBindings,
  ]

  private static func rule(
    _ id: String, _ name: String, _ summary: String, _ severity: Severity = .error
  ) -> Rule {
    Rule(id: id, name: name, summary: summary, severity: severity)
  }
}

extension Finding {
  /// A finding at a place of the sources.
  init(
    _ rule: Rule, at place: SourcePlace, _ message: String, advice: String,
    severity: Severity? = nil
  ) {
    self.init(
      rule: rule, severity: severity, message: message, advice: advice, path: place.path,
      region: SourceRegion(
        line: place.line, column: place.column, endLine: place.line,
        endColumn: place.column + 1),
      sourceLine: place.text.isEmpty ? nil : SourceLine(place.text))
  }
}
