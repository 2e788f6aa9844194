internal import BoxReport

/// The rules of annotated sources.
enum GeneratorRule {
  static let notUTF8 = rule("BOX951", "source-not-utf8", "A source file is UTF-8")
  static let conflictMarkers = rule(
    "BOX952", "source-conflict-markers", "A source file has no conflict markers")
  static let unknownAnnotation = rule(
    "BOX953", "unknown-annotation", "An annotation has a documented name")
  static let annotationValue = rule(
    "BOX954", "annotation-value", "An annotation has a value that it allows")
  static let notStorable = rule(
    "BOX955", "type-not-storable", "A stored property has a type that a store holds")
  static let noID = rule("BOX956", "entity-without-id", "An entity has exactly one id")
  static let noInitializer = rule(
    "BOX957", "entity-without-init", "An entity class has an initializer without parameters")
  static let duplicateType = rule(
    "BOX958", "duplicate-entity-type", "Two entities differ in name")
  static let notSupported = rule(
    "BOX959", "entity-form", "An entity is a class at file level without generic parameters")
  static let unknownUID = rule(
    "BOX960", "annotation-uid", "The UID of an annotation is one of the model file")
  static let manyRemovals = rule(
    "BOX961", "many-removals", "A run removes at most half of the entities of a model file")
  static let model = rule(
    "BOX962", "model-not-editable", "The model file is valid, and the sources fit it")

  private static func rule(_ id: String, _ name: String, _ summary: String) -> Rule {
    Rule(id: id, name: name, summary: summary, severity: .error)
  }
}

extension Finding {
  /// A finding at a place of the sources.
  init(_ rule: Rule, at place: SourcePlace, _ message: String, advice: String) {
    self.init(
      rule: rule, message: message, advice: advice, path: place.path,
      region: SourceRegion(
        line: place.line, column: place.column, endLine: place.line, endColumn: place.column))
  }
}
