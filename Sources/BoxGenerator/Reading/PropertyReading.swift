internal import BoxModel
internal import BoxReport
internal import BoxSources

/// Reads one stored member of an entity: its type, and then its annotations.
struct PropertyReading {
  let owner: String
  let member: StoredMember
  let scope: Scope
  let place: SourcePlace
  private(set) var property: SourceProperty?
  private(set) var collection: SourceCollection?
  private(set) var findings: [Finding] = []
  private var listedEnum: ListedEnum?
  private let isOptional: Bool
  private let shape: TypeShape
  /// Whether the owner is a struct that is embedded.
  private let isEmbedded: Bool

  static let names = [
    "id", "id-companion", "index", "unique", "transient", "name", "uid", "date-nano", "flex",
    "type", "default",
    "convert", "convert-type", "backlink", "hnswIndex", "externalName", "externalType", "syncClock",
    "syncPrecedence", "deleteRule", "inverseDeleteRule", "embedded", "was",
  ]
  /// The annotations that are for an object as a whole, or for one property of it.
  private static let entityNames: Set<String> = [
    "id", "id-companion", "hnswIndex", "externalName", "syncClock", "syncPrecedence",
  ]
  private static let collectionNames = [
    "backlink", "relation", "name", "uid", "transient", "externalName", "externalType",
    "deleteRule",
    "inverseDeleteRule",
  ]

  init(
    owner: String, member: StoredMember, shape: TypeShape, scope: Scope, place: SourcePlace,
    isEmbedded: Bool
  ) {
    self.isEmbedded = isEmbedded
    self.owner = owner
    self.member = member
    self.scope = scope
    self.place = place
    (self.shape, isOptional) = shape.withoutOptional
  }

  mutating func read(_ annotations: [Annotation]) {
    let name = member.name.withoutBackticks
    if case .named("ToMany", let targets) = shape, let target = targets.last, !isOptional {
      // Files of old generators name the type of the owner too: ToMany<Customer, Order>.
      readCollection(target, name, annotations)
      return
    }
    guard let (form, type) = form(annotations) else { return }
    var property = SourceProperty(
      swiftName: member.name, name: name, form: form, storedType: type, place: place)
    property.isOptional = isOptional
    property.isConstant = member.isConstant
    property.swiftType = shape.spelling
    property.initialValue = member.initialValue
    property.listedEnum = listedEnum
    if case .rawValue = form, case .named(let type, []) = shape {
      property.hasPublicEnum = scope.enumeration(type).map { scope.isPublic($0) }
    }
    if let value = form.value, value.isUnsigned { property.flags = .unsigned }
    if case .toOne = form { property.flags = [.indexed, .indexPartialSkipZero] }
    for annotation in annotations { apply(annotation, to: &property) }
    for annotation in annotations where annotation.name == "default" {
      applyDefault(annotation, to: &property)
    }
    if property.flags.isSuperset(of: [.syncClock, .syncPrecedence]) {
      report(place, "is both the clock and the precedence", "Remove one of the annotations")
    }
    if member.isPrivatelySet, !(isStructValue && !property.isID) {
      findings.append(
        .notStored(
          member.name, of: owner, "has a private setter, so that bindings cannot set it", at: place,
          remedy: "Remove \"private(set)\"", prefix: scope.prefix))
    }
    self.property = property
  }

  private var isStructValue: Bool {
    let positions = scope.declarations.positions[owner] ?? []
    return positions.contains { scope.declarations.types[$0].kind == "struct" }
  }

  // MARK: - Types

  /// The form in which the member is stored, and its type in the model file; nil after a finding.
  private mutating func form(_ annotations: [Annotation]) -> (StorageForm, PropertyType)? {
    if let annotation = annotations.first(where: { $0.name == "convert" }) {
      var reading = ConversionReading(
        owner: owner, name: member.name, shape: shape, isOptional: isOptional, scope: scope)
      let form = reading.form(of: annotation)
      findings += reading.findings
      listedEnum = reading.listedEnum
      return form.flatMap { form in form.value.map { (form, $0.storedType) } }
    }
    switch shape {
    case .named("ToOne", let targets) where !targets.isEmpty && !isOptional:
      return (.toOne(targets[targets.count - 1].spelling), .relation)
    case .named("EntityId", let targets) where targets.count == 1:
      return (.id("EntityId<\(targets[0].spelling)>"), .long)
    default: break
    }
    if let value = SwiftValueType(spelling: shape.spelling) {
      return (.value(value), value.storedType)
    }
    let reading = TypedConverterReading(
      shape: shape, isOptional: isOptional, initial: isStructValue ? nil : "entity.\(member.name)",
      scope: scope)
    if let form = reading.form, let value = form.value { return (form, value.storedType) }
    refuseType()
    return nil
  }

  private mutating func refuseType() {
    var reason = "has the type \"\(shape.spelling)\", which is not stored"
    var remedy = "Give it a stored type, or a converter"
    switch shape {
    case .named("ToOne", _), .named("ToMany", _):
      reason = isOptional ? "is an optional relation" : "is a relation without a target type"
      remedy = "Declare it as \"var \(member.name): ToOne<Target> = nil\""
    case .named(let name, _) where scope.enumeration(name) != nil:
      reason = "is an enum without the annotation \"convert\""
      remedy = "Annotate it with \"// \(scope.prefix): convert = { \"default\": \".someCase\" }\""
    case .array(let element) where scope.declarations.isEntity(element.spelling, in: scope):
      reason = "is an array of objects, which is not stored"
      remedy = "Declare it as \"var \(member.name): ToMany<\(element.spelling)> = nil\""
    case .named(let name, _) where scope.declarations.isEntity(name, in: scope):
      reason = "is another object, which is not stored in it"
      remedy = "Declare it as \"var \(member.name): ToOne<\(name)> = nil\""
    default: break
    }
    findings.append(
      .notStored(
        member.name, of: owner, reason, at: place, remedy: remedy, prefix: scope.prefix))
  }

  // MARK: - Annotations

  private mutating func apply(_ annotation: Annotation, to property: inout SourceProperty) {
    let before = property
    switch (annotation.name, annotation.value) {
    case (let name, _) where isEmbedded && Self.entityNames.contains(name):
      doesNotFit(
        annotation, "Remove it, or move the property to the entity: \"\(owner)\" is embedded")
    case ("id", let value): applyID(value, annotation, to: &property)
    case ("id-companion", nil) where property.storedType.isDate:
      property.flags.insert(.idCompanion)
    case ("index", let value): applyIndex(value, annotation, to: &property)
    case ("unique", nil): property.flags.insert(.unique)
    case ("unique", .options(let options)?):
      property.flags.insert(.unique)
      applyUnique(options, annotation, to: &property)
    case ("name", .text(let name)?) where !name.isEmpty: property.name = name
    case ("uid", _): property.uid = uid(annotation)
    case ("was", .text(let name)?) where !name.isEmpty:
      property.earlierNames.append(
        EarlierName(name: name, written: "\"\(name)\"", place: annotation.place))
    case ("date-nano", nil), ("type", .text("date-nano")?): applyDateNano(annotation, to: &property)
    case ("flex", nil), ("type", .text("flex")?): applyFlex(annotation, to: &property)
    case ("hnswIndex", .options(let options)?):
      guard property.form == .value(.floats) else {
        doesNotFit(annotation, "Declare the property as [Float], or remove the annotation")
        return
      }
      var index = VectorIndexReading()
      property.hnswParams = index.parameters(options, annotation, of: member.name)
      findings += index.findings
      property.flags.insert(.indexed)
    case ("externalName", .text(let name)?) where !name.isEmpty: property.externalName = name
    case ("externalType", .text(let text)?) where ExternalType.code(of: text) != nil:
      property.externalType = ExternalType.code(of: text)
    case ("syncClock", nil): applySync(.syncClock, annotation, to: &property)
    case ("syncPrecedence", nil): applySync(.syncPrecedence, annotation, to: &property)
    case ("deleteRule", _), ("inverseDeleteRule", _): applyRule(annotation, to: &property)
    case ("convert", _), ("transient", nil), ("default", _): break
    case ("convert-type", nil):
      if property.storedType == .relation || property.isID {
        return doesNotFit(
          annotation, "Remove the annotation: the values of an id and of a relation are ids")
      }
      property.convertsType = true
    case ("backlink", _):
      doesNotFit(
        annotation, "Annotate the ToMany in the other type that leads back to \"\(member.name)\"",
        severity: .warning)
    case (let name, _) where Self.names.contains(name):
      findings.append(.wrongValue(annotation, of: member.name))
    case (let name, _):
      findings.append(.unknownName(name, annotation.place, among: Self.names))
    }
    var flags = property.flags
    // Values are unique by an index.
    if !flags.isIndexed, !flags.isDisjoint(with: .needsIndex) { flags.insert(.indexed) }
    if !property.storedType.unsupportedFlags(in: flags).isEmpty {
      property.flags = before.flags
      doesNotFit(annotation, "Remove the annotation")
    }
  }

  private mutating func applyRule(_ annotation: Annotation, to property: inout SourceProperty) {
    guard case .toOne = property.form else {
      return doesNotFit(annotation, "Remove the annotation: only relations have rules for removals")
    }
    if annotation.name == "deleteRule" {
      property.deleteRule = rule(annotation)
    } else {
      property.inverseDeleteRule = rule(annotation)
    }
  }

  private mutating func rule(_ annotation: Annotation) -> SourceRule? {
    let names = DeleteRule.allCases.map(\.rawValue)
    var text = ""
    if case .text(let value)? = annotation.value { text = value }
    if let rule = DeleteRule(rawValue: text) {
      return SourceRule(rule: rule, place: annotation.place)
    }
    let nearest = text.isEmpty ? nil : nearestName(to: text, among: names)
    findings.append(
      .wrongValue(
        annotation, of: member.name,
        advice: nearest.map { "Did you mean \"\($0)\"?" }
          ?? "Use one of: \(names.joined(separator: ", "))"))
    return nil
  }

  private mutating func applyID(
    _ value: AnnotationValue?, _ annotation: Annotation, to property: inout SourceProperty
  ) {
    switch property.form {
    case .id, .value(.id), .value(.uint64), .value(.int64): break
    default:
      doesNotFit(annotation, "Declare the id as Id, EntityId, UInt64 or Int64")
      return
    }
    property.makeID()
    guard let value else { return }
    guard case .options(let options) = value else {
      findings.append(.wrongValue(annotation, of: member.name))
      return
    }
    for option in options {
      switch (option.key, option.value) {
      case ("assignable", "true"): property.flags.insert(.idSelfAssignable)
      case ("assignable", "false"): break
      case ("assignable", _): findings.append(.wrongValue(annotation, of: member.name))
      default:
        findings.append(
          .unknownName(option.key, annotation.place, among: ["assignable"], isOption: true))
      }
    }
  }

  /// Takes the value of objects that have none.
  private mutating func applyDefault(_ annotation: Annotation, to property: inout SourceProperty) {
    guard property.hasConstant, case .text(let text)? = annotation.value else {
      return doesNotFit(
        annotation,
        "Remove the annotation: a property has a value in all objects if it is neither optional"
          + " nor unique, nor an id or a relation")
    }
    let isMember = text.dropFirst(text.first == "." ? 1 : 0).allSatisfy {
      $0.isLetter || $0.isNumber || $0 == "_" || $0 == "."
    }
    switch property.form {
    case .value(.date) where Int64(text) != nil: property.declare("\(text) as Int64")
    case .value(let type) where type.holds(text):
      property.declare("\(type == .string ? text.swiftLiteral : text) as \(type.rawValue)")
    case .rawValue, .converted:
      guard isMember, text.hasPrefix("."), text.count > 1, isCase(text.dropFirst()) else {
        // A converter may be given what it stores.
        guard case .converted(_, let type, _) = property.form, !text.hasPrefix("."),
          type.holds(text)
        else { fallthrough }
        property.declare("\(type == .string ? text.swiftLiteral : text) as \(type.rawValue)")
        return
      }
      property.initialValue = .member("", String(text.dropFirst()))
    default:
      doesNotFit(
        annotation,
        "Write a number, true or false, a text, or a case such as \".other\"; of a date the stored number"
      )
    }
  }

  /// Whether the type of the property may have a static member of the name; an enum of the sources has its cases.
  private func isCase(_ name: Substring) -> Bool {
    guard case .named(let type, []) = shape, let declared = scope.enumeration(type) else {
      return true
    }
    return declared.cases.contains { $0.name.withoutBackticks == name }
  }

  private mutating func applyIndex(
    _ value: AnnotationValue?, _ annotation: Annotation, to property: inout SourceProperty
  ) {
    property.flags.subtract(.indexKind)
    switch value {
    case nil where property.form.isUUID: property.flags.insert(.indexHash64)
    case nil: property.flags.insert(property.storedType == .string ? .indexHash : .indexed)
    case .text("value")?: property.flags.insert(.indexed)
    case .text("hash")?: property.flags.insert(.indexHash)
    case .text("hash64")?: property.flags.insert(.indexHash64)
    default:
      findings.append(
        .wrongValue(
          annotation, of: member.name, advice: "Use \"value\", \"hash\" or \"hash64\", or no value")
      )
    }
  }

  private mutating func applyUnique(
    _ options: [AnnotationOption], _ annotation: Annotation, to property: inout SourceProperty
  ) {
    for option in options {
      switch (option.key, option.value) {
      case ("onConflict", "replace"): property.flags.insert(.uniqueOnConflictReplace)
      case ("onConflict", "fail"): break
      case ("onConflict", _): findings.append(.wrongValue(annotation, of: member.name))
      default:
        findings.append(
          .unknownName(option.key, annotation.place, among: ["onConflict"], isOption: true))
      }
    }
  }

  private mutating func applyDateNano(
    _ annotation: Annotation, to property: inout SourceProperty
  ) {
    guard property.storedType.isDate || property.storedType == .long else {
      return doesNotFit(annotation, "Declare the property as Date or Int64")
    }
    property.storedType = .dateNano
    property.flags.remove(.unsigned)
  }

  private mutating func applyFlex(_ annotation: Annotation, to property: inout SourceProperty) {
    guard property.storedType == .byteVector || property.storedType == .flex else {
      return doesNotFit(annotation, "Declare the property as Data or [UInt8]")
    }
    property.storedType = .flex
  }

  private mutating func applySync(
    _ flag: PropertyFlags, _ annotation: Annotation, to property: inout SourceProperty
  ) {
    guard property.storedType == .long, property.form == .value(.int64), !isOptional else {
      return doesNotFit(annotation, "Declare the property as Int64")
    }
    property.flags.insert(flag)
  }

  private mutating func uid(_ annotation: Annotation) -> UIDRequest? {
    do throws(MalformedUID) {
      return try UIDRequest(annotation)
    } catch {
      findings.append(.wrongValue(annotation, of: member.name))
      return nil
    }
  }

  // MARK: - To-many relations

  private mutating func readCollection(
    _ target: TypeShape, _ name: String, _ annotations: [Annotation]
  ) {
    var collection = SourceCollection(
      swiftName: member.name, name: name, target: target.spelling, place: place)
    if member.isPrivatelySet, !isStructValue {
      report(place, "has a private setter", "Remove \"private(set)\"")
    }
    for annotation in annotations {
      switch (annotation.name, annotation.value) {
      case ("backlink", .text(let name)?) where !name.isEmpty:
        collection.link = .unresolvedBacklink(name)
      case ("backlink", nil):
        findings.append(
          .wrongValue(
            annotation, of: member.name,
            advice: "Name the relation of the other type that leads back"))
      case ("relation", nil): collection.isRelation = true
      case ("name", .text(let name)?) where !name.isEmpty: collection.name = name
      case ("uid", _): collection.uid = uid(annotation)
      case ("externalName", .text(let name)?) where !name.isEmpty: collection.externalName = name
      case ("externalType", .text(let text)?) where ExternalType.code(of: text) != nil:
        collection.externalType = ExternalType.code(of: text)
      case ("deleteRule", _): collection.deleteRule = rule(annotation)
      case ("inverseDeleteRule", _): collection.inverseDeleteRule = rule(annotation)
      case ("transient", nil): break
      case (let name, _) where Self.collectionNames.contains(name):
        findings.append(.wrongValue(annotation, of: member.name))
      case (let name, _) where Self.names.contains(name):
        doesNotFit(annotation, "Remove the annotation")
      case (let name, _):
        findings.append(.unknownName(name, annotation.place, among: Self.collectionNames))
      }
    }
    if collection.isRelation, collection.link != .standalone {
      report(place, "is a backlink and a relation of its own", "Remove one of the annotations")
    }
    if case .unresolvedBacklink = collection.link, let rule = collection.inverseDeleteRule {
      report(
        rule.place, "is a backlink, which has no \"inverseDeleteRule\"",
        "Annotate the relation that it leads back from with \"deleteRule\"")
    }
    if case .unresolvedBacklink = collection.link, let uid = collection.uid {
      report(
        uid.place, "is a backlink, which has no UID",
        "Annotate the relation that it leads back from")
    }
    self.collection = collection
  }

  private mutating func doesNotFit(
    _ annotation: Annotation, _ advice: String, severity: Severity? = nil
  ) {
    findings.append(.doesNotFit(annotation, member.name, advice, severity: severity))
  }

  private mutating func report(_ place: SourcePlace, _ reason: String, _ advice: String) {
    findings.append(
      Finding(
        GeneratorRule.annotationValue, at: place, "The property \"\(member.name)\" \(reason)",
        advice: advice))
  }
}

extension SourceProperty {
  /// Takes the stored value of objects that have none.
  fileprivate mutating func declare(_ value: String) {
    declaredConstant = .expression("PropertyConstant(\(value))")
    declaredValue = value
  }
}

extension StorageForm {
  /// Whether it is the text of a UUID that was found by its type.
  var isUUID: Bool {
    if case .converted(.uuid, _, _) = self { true } else { false }
  }

  /// The type of the stored value; nil for a relation.
  var value: SwiftValueType? {
    switch self {
    case .id: .id
    case .value(let type), .rawValue(_, let type, _), .converted(_, let type, _): type
    case .toOne: nil
    }
  }
}

extension Declarations {
  /// Whether a name means an entity.
  func isEntity(_ name: String, in scope: Scope) -> Bool {
    let name = name.withoutBackticks
    return types.contains {
      let path = $0.path.withoutBackticks
      return (path == name || path.hasSuffix("." + name)) && $0.isEntity(in: self)
    }
  }
}
