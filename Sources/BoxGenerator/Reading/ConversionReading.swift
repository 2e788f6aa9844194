internal import BoxReport
internal import BoxSources

/// Reads the annotation `convert`.
struct ConversionReading {
  let owner: String
  let name: String
  let shape: TypeShape
  let isOptional: Bool
  let scope: Scope
  private(set) var findings: [Finding] = []

  init(owner: String, name: String, shape: TypeShape, isOptional: Bool, scope: Scope) {
    self.owner = owner
    self.name = name
    self.shape = shape
    self.isOptional = isOptional
    self.scope = scope
  }

  private static let options = ["dbType", "converter", "default"]

  /// The form in which the property is stored; nil after a finding.
  mutating func form(of annotation: Annotation) -> StorageForm? {
    var values: [String: String] = [:]
    switch annotation.value {
    case nil: break
    case .options(let options)?:
      for option in options {
        guard Self.options.contains(option.key), !option.value.isEmpty else {
          findings.append(
            .unknownName(option.key, annotation.place, among: Self.options, isOption: true))
          return nil
        }
        values[option.key] = option.value
      }
    default:
      findings.append(
        .wrongValue(
          annotation, of: name,
          advice:
            "Write options in braces, as { \"dbType\": \"Int\", \"converter\": \"MyConverter\" }"))
      return nil
    }
    var type: SwiftValueType?
    if let text = values["dbType"] {
      type = storedType(text)
      if type == nil {
        report(
          annotation, "The \"dbType\" of \"\(name)\" is \"\(text)\", which is not stored",
          "Use a type such as Int, String or Data")
        return nil
      }
    }
    if let converter = values["converter"] {
      return converted(by: converter, to: type, values["default"], annotation)
    }
    return rawValue(type, values["default"], annotation)
  }

  private func storedType(_ text: String) -> SwiftValueType? {
    var text = text.filter { !$0.isWhitespace }
    // A missing value is read as one with or without the question mark.
    if text.last == "?" { text.removeLast() }
    if text.hasPrefix("Array<"), text.last == ">" {
      text = "[" + text.dropFirst(6).dropLast() + "]"
    }
    for module in ["Swift.", "Foundation.", "ObjectBox."] where text.hasPrefix(module) {
      text.removeFirst(module.count)
    }
    return SwiftValueType(spelling: text)
  }

  private mutating func converted(
    by converter: String, to type: SwiftValueType?, _ fallback: String?, _ annotation: Annotation
  ) -> StorageForm? {
    guard let type else {
      report(
        annotation, "The converter of \"\(name)\" has no \"dbType\"",
        "Add the type that it converts to, as \"dbType\": \"Int\"")
      return nil
    }
    if let isolation = scope.converter(converter)?.isolation {
      findings.append(
        Finding(
          GeneratorRule.isolatedConverter, at: isolation.place,
          "The converter \"\(converter)\" is isolated to \"\(isolation.actor)\"",
          advice: "Declare it as nonisolated: objects are read on any thread"))
    }
    return .converted(by: scope.call(ofConverter: converter), to: type, default: fallback)
  }

  private mutating func rawValue(
    _ declared: SwiftValueType?, _ fallback: String?, _ annotation: Annotation
  ) -> StorageForm? {
    guard case .named(let typeName, []) = shape else {
      report(
        annotation, "\"\(name)\" of type \"\(shape.spelling)\" is converted without a converter",
        "Name one: convert = { \"dbType\": \"String\", \"converter\": \"MyConverter\" }")
      return nil
    }
    let enumeration = scope.enumeration(typeName)
    if enumeration != nil, let places = scope.clash(typeName) {
      findings.append(.clash(of: typeName, with: name, at: annotation.place, places))
      return nil
    }
    let known = enumeration?.rawType.flatMap { storedType(scope.resolved($0).spelling) }
    if let declared, let known, declared != known {
      report(
        annotation,
        "The raw values of \"\(typeName)\" are \(known.rawValue), not \(declared.rawValue)",
        "Write \"dbType\": \"\(known.rawValue)\", or leave it out")
      return nil
    }
    guard let type = declared ?? known else {
      report(
        annotation,
        enumeration == nil
          ? "The type of the raw values of \"\(typeName)\" is not in the sources"
          : "The enum \"\(typeName)\" has no raw values",
        enumeration == nil
          ? "Add it to the annotation, as \"dbType\": \"Int\""
          : "Give it a raw type, as \"enum \(typeName): Int\", or name a converter")
      return nil
    }
    if fallback == nil, !isOptional {
      report(
        annotation, "The conversion of \"\(name)\" has no \"default\"",
        "Add one for missing and unknown values, as convert = { \"default\": \".unknown\" }")
      return nil
    }
    let isImplicit = enumeration?.cases.contains { $0.rawValue == nil } ?? false
    if isImplicit, let enumeration, type != .string {
      findings.append(
        Finding(
          GeneratorRule.enumCases, at: enumeration.place,
          "The enum \"\(typeName)\" has cases without explicit raw values",
          advice:
            "Write them: implicit ones change when a case is inserted, and stored values do not"))
    }
    return .rawValue(type: enumeration?.path ?? typeName, raw: type, default: fallback)
  }

  private mutating func report(_ annotation: Annotation, _ message: String, _ advice: String) {
    findings.append(
      Finding(GeneratorRule.annotationValue, at: annotation.place, message, advice: advice))
  }
}
