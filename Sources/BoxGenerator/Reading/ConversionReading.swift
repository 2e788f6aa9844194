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
  /// The enum of which the property has a list or a set, once the form is read; nil for other values.
  private(set) var listedEnum: ListedEnum?

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
    if let element, let declared = scope.enumeration(element.enumeration) {
      return list(of: element, declared, type, values["default"], annotation)
    }
    return rawValue(type, values["default"], annotation)
  }

  // MARK: - Lists of enums

  /// The elements of a list or a set.
  private struct Element {
    var enumeration: String
    var isSet = false
    /// Whether unknown raw values stay.
    var isPreserved = false
  }

  private var element: Element? {
    switch shape {
    case .array(let shape): Self.element(shape, isSet: false)
    case .named("Set", let arguments) where arguments.count == 1:
      Self.element(arguments[0], isSet: true)
    default: nil
    }
  }

  private static func element(_ shape: TypeShape, isSet: Bool) -> Element? {
    switch shape {
    case .named(let name, []): Element(enumeration: name, isSet: isSet)
    case .named(let name, let arguments) where name.lastName == "Preserved" && arguments.count == 1:
      if case .named(let name, []) = arguments[0] {
        Element(enumeration: name, isSet: isSet, isPreserved: true)
      } else {
        nil
      }
    default: nil
    }
  }

  /// The types of lists, by the types of the raw values.
  private static let lists: [SwiftValueType: SwiftValueType] = [
    .int: .int64s, .int64: .int64s, .int32: .int32s, .int16: .int16s, .string: .strings,
  ]

  private mutating func list(
    of element: Element, _ declared: EnumDeclaration, _ given: SwiftValueType?, _ fallback: String?,
    _ annotation: Annotation
  ) -> StorageForm? {
    if let places = scope.clash(element.enumeration) {
      findings.append(.clash(of: element.enumeration, with: name, at: annotation.place, places))
      return nil
    }
    let raw = declared.rawType.flatMap { storedType(scope.resolved($0).spelling) }
    guard let raw, let type = Self.lists[raw] else {
      report(
        annotation,
        raw == nil
          ? "The enum \"\(element.enumeration)\" has no raw values"
          : "The raw values of \"\(element.enumeration)\" are \(raw?.rawValue ?? ""), of which no list is stored",
        "Give it a raw type such as Int or String, as \"enum \(element.enumeration): Int\"")
      return nil
    }
    if let given, given != type {
      report(
        annotation,
        "The raw values of \"\(name)\" are \(type.rawValue), not \(given.rawValue)",
        "Write \"dbType\": \"\(type.rawValue)\", or leave it out")
      return nil
    }
    var arguments = "BoxConvert.PreservedConverter<\(declared.path)>()"
    if !element.isPreserved {
      guard let fallback else {
        report(
          annotation, "The conversion of \"\(name)\" has no \"default\"",
          "Add one for unknown elements, as convert = { \"default\": \".unknown\" }, or declare them as"
            + " \"Preserved<\(element.enumeration)>\"")
        return nil
      }
      arguments = "BoxConvert.EnumConverter<\(declared.path)>(default: \(fallback))"
    }
    reportImplicitValues(of: declared, element.enumeration, type: raw)
    listedEnum = ListedEnum(type: declared.path, raw: raw)
    let converter = ConverterCall(
      type: "BoxConvert." + (element.isSet ? "SetConverter" : "ListConverter"), isTyped: true,
      arguments: arguments)
    return .converted(by: converter, to: type, default: nil)
  }

  private mutating func reportImplicitValues(
    of enumeration: EnumDeclaration, _ name: String, type: SwiftValueType
  ) {
    if type == .string || !enumeration.cases.contains(where: { $0.rawValue == nil }) { return }
    findings.append(
      Finding(
        GeneratorRule.enumCases, at: enumeration.place,
        "The enum \"\(name)\" has cases without explicit raw values",
        advice:
          "Write them: implicit ones change when a case is inserted, and stored values do not"))
  }

  // MARK: - Single values

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
    if let enumeration { reportImplicitValues(of: enumeration, typeName, type: type) }
    return .rawValue(type: enumeration?.path ?? typeName, raw: type, default: fallback)
  }

  private mutating func report(_ annotation: Annotation, _ message: String, _ advice: String) {
    findings.append(
      Finding(GeneratorRule.annotationValue, at: annotation.place, message, advice: advice))
  }
}
