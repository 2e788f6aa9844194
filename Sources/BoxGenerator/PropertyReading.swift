internal import BoxModel
internal import BoxReport
internal import SwiftSyntax

/// Reads the stored properties of one entity.
struct PropertyReading {
  let owner: String
  private var properties: [SourceProperty] = []
  private var findings: [Finding] = []

  init(owner: String) { self.owner = owner }

  private static let names = [
    "id", "index", "unique", "transient", "name", "uid", "date-nano",
  ]

  /// Reads one declaration of variables; what is static, computed, lazy or weak is left out.
  mutating func read(
    _ variable: VariableDeclSyntax, annotations: [(Annotation, SourcePlace)],
    place: (PatternBindingSyntax) -> SourcePlace
  ) {
    let skipped: Set<String> = ["static", "class", "lazy", "weak"]
    if variable.modifiers.contains(where: { skipped.contains($0.name.text) }) { return }
    if annotations.contains(where: { $0.0.name == "transient" }) { return }
    // In `var a, b: Int` the type stands at the last name alone.
    var type: TypeSyntax?
    var bindings: [(PatternBindingSyntax, TypeSyntax?)] = []
    for binding in variable.bindings.reversed() {
      type = binding.typeAnnotation?.type ?? (binding.initializer == nil ? type : nil)
      bindings.append((binding, type))
    }
    for (binding, type) in bindings.reversed() where !Self.isComputed(binding) {
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text else {
        refuse(place(binding), "pattern", "has no name")
        continue
      }
      if variable.bindingSpecifier.text == "let" {
        refuse(place(binding), name, "is a constant")
        continue
      }
      guard let spelling = Self.spelling(type, binding.initializer?.value) else {
        refuse(place(binding), name, "has no type that can be read from its text")
        continue
      }
      guard let value = SwiftValueType(spelling: spelling.name) else {
        refuse(place(binding), name, "has the type \"\(spelling.name)\", which is not stored")
        continue
      }
      var property = SourceProperty(
        swiftName: name, name: name.withoutBackticks, type: value,
        isOptional: spelling.isOptional, storedType: value.storedType,
        flags: value.isUnsigned ? .unsigned : [], place: place(binding))
      for (annotation, place) in annotations { apply(annotation, place, to: &property) }
      properties.append(property)
    }
  }

  /// The properties, one of them marked as the id, and the findings.
  mutating func finished(
    at place: SourcePlace
  ) -> (properties: [SourceProperty], findings: [Finding]) {
    if !properties.contains(where: \.isID) {
      let candidates = properties.indices.filter { properties[$0].type == .id }
      let usual = candidates.first { properties[$0].swiftName == "id" }
      if let chosen = usual ?? (candidates.count == 1 ? candidates[0] : nil) {
        properties[chosen].flags.insert(.id)
      }
    }
    let ids = properties.filter(\.isID)
    if ids.count != 1 || ids[0].type != .id || ids[0].isOptional {
      findings.append(
        Finding(
          GeneratorRule.noID, at: place,
          "The entity \"\(owner)\" does not have exactly one id of type Id",
          advice: "Add \"var id: Id = 0\", or annotate one with \"// objectbox: id\""))
    }
    return (properties, findings)
  }

  private mutating func apply(
    _ annotation: Annotation, _ place: SourcePlace, to property: inout SourceProperty
  ) {
    let value = annotation.value?.filter { !$0.isWhitespace }
    switch (annotation.name, value) {
    case ("id", nil): property.flags.insert(.id)
    case ("id", "{\"assignable\":true}"): property.flags.formUnion([.id, .idSelfAssignable])
    case ("index", nil): property.flags.insert(property.type == .string ? .indexHash : .indexed)
    case ("index", "value"): property.flags.insert(.indexed)
    case ("index", "hash"): property.flags.insert(.indexHash)
    case ("index", "hash64"): property.flags.insert(.indexHash64)
    case ("unique", nil): property.flags.insert(.unique)
    case ("unique", "{\"onConflict\":\"replace\"}"):
      property.flags.formUnion([.unique, .uniqueOnConflictReplace])
    case ("name", let name?): property.name = name
    case ("date-nano", nil) where property.type == .date: property.storedType = .dateNano
    case ("uid", let text?):
      property.uid = UInt64(text)
      if property.uid == nil { findings.append(.uidWithoutNumber(place)) }
    case ("uid", nil): findings.append(.uidWithoutNumber(place))
    case (let name, _) where Self.names.contains(name):
      findings.append(
        Finding(
          GeneratorRule.annotationValue, at: place,
          "The annotation \"\(name)\" of \"\(property.name)\" has a value that it does not allow",
          advice: "Correct the value, or remove the annotation"))
    case (let name, _):
      findings.append(.unknownAnnotation(name, place, among: Self.names))
    }
    let unsupported = property.storedType.unsupportedFlags(in: property.flags)
    if !unsupported.isEmpty {
      property.flags.subtract(unsupported)
      findings.append(
        Finding(
          GeneratorRule.annotationValue, at: place,
          "The annotation \"\(annotation.name)\" does not fit the type of \"\(property.name)\"",
          advice: "Remove the annotation"))
    }
  }

  private mutating func refuse(_ place: SourcePlace, _ name: String, _ reason: String) {
    findings.append(
      Finding(
        GeneratorRule.notStorable, at: place, "The property \"\(name)\" of \"\(owner)\" \(reason)",
        advice: "Give it a stored type, or annotate it with \"// objectbox: transient\""))
  }

  private static func isComputed(_ binding: PatternBindingSyntax) -> Bool {
    switch binding.accessorBlock?.accessors {
    case nil: false
    case .getter: true
    case .accessors(let accessors):
      accessors.contains { !["willSet", "didSet"].contains($0.accessorSpecifier.text) }
    }
  }

  /// The name of a declared type, or of the type of a literal.
  private static func spelling(
    _ type: TypeSyntax?, _ value: ExprSyntax?
  ) -> (name: String, isOptional: Bool)? {
    if let type {
      if let optional = type.as(OptionalTypeSyntax.self) {
        return (optional.wrappedType.trimmedDescription, true)
      }
      let text = type.trimmedDescription
      for prefix in ["Optional<", "Swift.Optional<"] where text.hasPrefix(prefix) {
        return (String(text.dropFirst(prefix.count).dropLast()), true)
      }
      return (text, false)
    }
    guard let value else { return nil }
    if value.is(StringLiteralExprSyntax.self) { return ("String", false) }
    if value.is(BooleanLiteralExprSyntax.self) { return ("Bool", false) }
    let number = value.as(PrefixOperatorExprSyntax.self)?.expression ?? value
    if number.is(IntegerLiteralExprSyntax.self) { return ("Int", false) }
    if number.is(FloatLiteralExprSyntax.self) { return ("Double", false) }
    if let call = value.as(FunctionCallExprSyntax.self) {
      return (call.calledExpression.trimmedDescription, false)
    }
    return nil
  }
}
