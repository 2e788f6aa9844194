internal import BoxModel
internal import BoxSources

/// Writes the bindings of one entity.
struct EntityWriter {
  let entity: BoundEntity
  let access: String
  /// The members of the entity, and after them the members of each embedded struct.
  private let members: [OwnMembers]

  init(_ entity: BoundEntity, visibility: String) {
    self.entity = entity
    access = visibility
    members = OwnMembers.all(of: entity)
  }

  /// The members of an embedded struct; of the entity for nil.
  func members(of embedding: Int?) -> OwnMembers { members[1 + (embedding ?? -1)] }

  private var type: String { entity.type }
  private var id: String { entity.id.source.swiftName }

  func lines() -> [String] {
    var lines = ["", "// MARK: - \(type.withoutBackticks)", ""]
    lines += conformance()
    lines += queries()
    lines += binding()
    if entity.source.isStruct { lines += structs() }
    return lines
  }

  private func conformance() -> [String] {
    [
      "nonisolated extension \(type): \(entity.source.conforms ? "" : "Entity, ")EntityInspectable,"
        + " __EntityRelatable {",
      "  \(access) typealias EntityType = \(type)",
      "  \(access) typealias EntityBindingType = \(entity.binding)", "",
      "  \(access) static let entityInfo = EntityInfo(name: \(entity.source.name.swiftLiteral), id:"
        + " \(entity.number))",
      "  \(access) static let entityBinding = \(entity.binding)()", "",
      "  \(access) var _id: EntityId<\(type)> { \(entity.typedID(id)) }", "}", "",
    ]
  }

  // MARK: - Queries

  private func queries() -> [String] {
    var members: [(name: String, type: String, value: String)] = []
    for property in self.members(of: nil).properties {
      let type = queryType(of: property.source)
      let key = property.source.isID ? ", isPrimaryKey: true" : ""
      members.append(
        (property.source.swiftName, type, "Property(propertyId: \(property.number)\(key))"))
    }
    for embedding in self.members(of: nil).embeddings {
      let type = namespace(of: embedding)
      members.append((entity.source.embeddings[embedding].swiftName, type, type + "()"))
    }
    for collection in entity.collections {
      let end =
        switch collection.end {
        case .relation(let number): ".relationId(\(number))"
        case .backlinkOfProperty(let number, _): ".valuePropertyId(\(number))"
        case .backlinkOfRelation(let number): ".backlinkRelationId(\(number))"
        }
      members.append(
        (
          collection.source.swiftName, "ToManyProperty<\(collection.source.target)>",
          "ToManyProperty(\(end))"
        ))
    }
    var lines = [
      "nonisolated extension \(type) {",
      "  /// Properties and relations, for queries: `box.query { \(type).\(id) == 3 }`.",
    ]
    lines += members.map { "  \(access) static var \($0.name): \($0.type) { \($0.value) }" }
    for owner in ["Property", "QueryCondition"] {
      lines += ["}", "", "nonisolated extension ObjectBox.\(owner) where E == \(type) {"]
      lines += members.map { member in
        // Inside the extension of a generic type its bare name means that type.
        let arguments = member.value.drop { $0 != "(" }
        let value = member.name.isReachable ? "\(type).\(member.name)" : member.type + arguments
        return "  \(access) static var \(member.name): \(member.type) { \(value) }"
      }
    }
    return lines + ["}", ""] + keys() + enums()
  }

  /// The unique properties as keys; beside the properties of queries, as members of another declaration.
  private func keys() -> [String] {
    let members = entity.properties.compactMap { property -> String? in
      let source = property.source
      // A member of an embedded struct has no name of its own in the type.
      guard source.embedding == nil, source.flags.contains(.unique), !source.isID,
        source.swiftName.isReachable, let value = source.form.keyType
      else { return nil }
      let key = "UniqueKey<\(type), \(source.form.isUUID ? "UUID" : value.rawValue)>"
      return
        "  \(access) static var \(source.swiftName): \(key) { UniqueKey(propertyId: \(property.number)) }"
    }
    guard !members.isEmpty else { return [] }
    return [
      "nonisolated extension ObjectBox.Entity where Self == \(type) {",
      "  /// Unique properties, to get and put objects by them: `box.put(object, matching: \(type).…)`.",
    ] + members + ["}", ""]
  }

  /// The properties of enums with their cases; beside the properties of queries, as members of another declaration.
  private func enums() -> [String] {
    let members = entity.properties.compactMap { property -> String? in
      let source = property.source
      guard source.embedding == nil, case .rawValue(let name, _, _) = source.form,
        let isPublic = source.hasPublicEnum, source.swiftName.isReachable,
        source.form.keyType != nil
      else { return nil }
      let value = "EnumProperty<\(type), \(name)> { EnumProperty(propertyId: \(property.number)) }"
      return "  \(isPublic ? access : "internal") static var \(source.swiftName): \(value)"
    }
    guard !members.isEmpty else { return [] }
    return [
      "nonisolated extension ObjectBox.EntityInspectable where Self == \(type) {",
      "  /// Enums by their cases, for queries: `box.query { \(type).… == .… }`.",
    ] + members + ["}", ""]
  }

  /// The type of a property in queries.
  func queryType(of property: SourceProperty) -> String {
    if property.isID { return "Property<\(type), \(entity.idType), \(entity.idType)>" }
    switch property.form {
    case .toOne(let target): return "Property<\(type), EntityId<\(target)>, \(target)>"
    case .id(let id): return "Property<\(type), \(id)\(property.isOptional ? "?" : ""), Void>"
    case .value(let value), .rawValue(_, let value, _), .converted(_, let value, _):
      let values = value.conditionType(
        isOptional: property.isNullable, hasVectorIndex: property.hnswParams != nil)
      return "Property<\(type), \(values), Void>"
    }
  }

  // MARK: - Binding

  private func binding() -> [String] {
    var lines = [
      "/// Writes and reads the objects of `\(type.withoutBackticks)`.",
      "nonisolated \(access) final class \(entity.binding): EntityBinding {",
      "  \(access) typealias EntityType = \(type)",
      "  \(access) typealias IdType = \(entity.idType)", "", "  \(access) init() {}", "",
      "  \(access) func generatorBindingVersion() -> Int { 2 }", "",
      "  \(access) func entityId(of entity: \(type)) -> Id { \(entity.idValue("entity.\(id)")) }",
      "",
    ]
    lines += namespaces(in: nil)
    lines += setID()
    lines += setToOne()
    lines += collect()
    lines += postPut()
    lines += create()
    return lines + ["}"]
  }

  private func setID() -> [String] {
    let value = entity.idFrom("entityId")
    if !entity.source.isStruct {
      return [
        "  \(access) func setEntityIdUnlessStruct(of entity: \(type), to entityId: Id) {",
        "    entity.\(id) = \(value)", "  }", "",
      ]
    }
    var lines = ["  \(access) func setStructEntityId(of entity: inout \(type), to entityId: Id) {"]
    if entity.id.source.isConstant {
      let arguments = entity.source.arguments.map { argument in
        let isID = argument.member == id.withoutBackticks
        return labelled(argument, isID ? value : "entity.\(swiftName(of: argument.member))")
      }
      lines += call(type, arguments, prefix: "entity = ")
    } else {
      lines.append("    entity.\(id) = \(value)")
    }
    return lines + ["  }", ""]
  }

  private func setToOne() -> [String] {
    let relations = entity.properties.filter {
      if case .toOne = $0.source.form { true } else { false }
    }
    if relations.isEmpty { return [] }
    return [
      "  \(access) func setToOneRelation(_ propertyId: obx_schema_id, of entity: \(type), to entityId: Id?)"
        + " {", "    switch propertyId {",
    ]
      + relations.map {
        "    case \($0.number): entity.\($0.source.swiftName).targetId = entityId.map { EntityId($0) }"
      } + [
        "    default: fatalError(\"\(type.withoutBackticks) has no relation \\(propertyId)\")",
        "    }",
        "  }", "",
      ]
  }

  private func collect() -> [String] {
    var lines = [
      "  \(access) func collect(",
      "    fromEntity entity: \(type), id: Id, propertyCollector: FlatBufferBuilder, store: Store",
      "  ) throws {",
    ]
    // Wide fields first: the record is smallest so.
    let ordered = entity.properties.filter { !$0.source.isID }
      .sorted { ($1.source.form.width, $0.number) < ($0.source.form.width, $1.number) }
    for property in ordered {
      let name = path(of: property.source)
      let value: String
      switch property.source.form {
      case .rawValue: value = property.source.isOptional ? name + "?.rawValue" : name + ".rawValue"
      case .converted(let converter, _, _) where converter.isTyped:
        value = "\(name), by: \(converter.type)(\(converter.arguments))"
      case .converted(let converter, let stored, _):
        // What is in a struct that is nil is not converted.
        value =
          property.source.isInOptional
          ? "(\(container(of: property.source))).flatMap"
            + " { \(converter.type).convert($0.\(property.source.swiftName)) as \(stored.rawValue)? }"
          : "\(converter.type).convert(\(name))"
      case .toOne:
        lines.append("    propertyCollector.collect(\(name), at: \(property.offset), store: store)")
        continue
      case .id(let type):
        value =
          type.hasPrefix("EntityId")
          ? name + (property.source.isOptional ? "?.value" : ".value") : name
      case .value: value = name
      }
      lines.append("    propertyCollector.collect(\(value), at: \(property.offset))")
    }
    return lines + ["  }", ""]
  }

  private func postPut() -> [String] {
    var lines: [String] = []
    for property in entity.properties {
      guard case .toOne = property.source.form else { continue }
      lines.append("    entity.\(property.source.swiftName).attach(to: store)")
    }
    for collection in entity.collections {
      let name = collection.source.swiftName
      let arguments =
        switch collection.end {
        case .relation(let number):
          "sourceId: EntityId<\(type)>(id), store: store, relationId: \(number)"
        case .backlinkOfProperty(let number, let sourceName):
          "targetId: EntityId<\(type)>(id), store: store, sourceProperty:"
            + " \(self.sourceProperty(sourceName, number, of: collection.source.target))"
        case .backlinkOfRelation(let number):
          "targetId: EntityId<\(type)>(id), store: store, relationId: \(number)"
        }
      lines += [
        "    if !entity.\(name).canInteractWithDb {",
        "      try entity.\(name).attach(", "        \(arguments))", "    }",
      ]
    }
    if lines.isEmpty { return [] }
    return [
      "  \(access) func postPut(fromEntity entity: \(type), id: Id, store: Store) throws {"
    ] + lines + ["  }", ""]
  }

  private func create() -> [String] {
    let failing = entity.properties.contains { $0.source.form.canFail } ? "throws " : ""
    let head =
      "  \(access) func createEntity(entityReader: FlatBufferReader, store: Store) \(failing)-> \(type) {"
    if entity.source.isStruct {
      let arguments = entity.source.arguments.compactMap { argument in
        value(of: argument.member).map { labelled(argument, $0) }
      }
      return [head, "    let _id: \(entity.idType) = \(readID)"] + creation(in: nil, indent: 4)
        + call(type, arguments, prefix: "return ") + ["  }"]
    }
    var lines = [head, "    let entity = \(type)()"]
    if !entity.collections.isEmpty { lines.append("    let _id: \(entity.idType) = \(readID)") }
    for property in members(of: nil).properties {
      let name = property.source.swiftName
      // A relation is read into the one that the new object has: no other one is made.
      if case .toOne = property.source.form, !property.source.isOptional {
        let id = "entityReader.read(at: \(property.offset))"
        lines.append("    if !ToOne.load(\(id), into: &entity.\(name), store: store) {")
        lines += ["      entity.\(name) = \(read(property))", "    }"]
        continue
      }
      let value = property.source.isID && entity.collections.isEmpty ? readID : read(property)
      lines.append("    entity.\(name) = \(value)")
    }
    lines += creation(in: nil, indent: 4)
    for position in members(of: nil).embeddings {
      let name = entity.source.embeddings[position].swiftName
      lines.append("    entity.\(name) = \(Self.local(position))")
    }
    for collection in entity.collections {
      let name = collection.source.swiftName
      lines.append("    if !ToMany\(read(collection, into: "loading: &entity.\(name), ")) {")
      lines += ["      entity.\(name) = \(read(collection))", "    }"]
    }
    return lines + ["    return entity", "  }"]
  }

  private var readID: String {
    entity.idType == "Int64"
      ? "Int64(bitPattern: entityReader.read(at: \(entity.id.offset)))"
      : "entityReader.read(at: \(entity.id.offset))"
  }

  /// The expression of a member of the entity, or of an embedded struct, in the arguments of its initializer.
  func value(of member: String, in embedding: Int? = nil) -> String? {
    switch members(of: embedding)[member] {
    case .property(let property)?: return read(property)
    case .embedding(let inner)?: return Self.local(inner)
    case nil: break
    }
    if embedding != nil { return nil }
    return entity.collections.first { $0.source.swiftName.withoutBackticks == member }
      .map { read($0) }
  }

  private func read(_ property: BoundEntity.BoundProperty) -> String {
    guard let missing = missingValue(of: property.source) else { return stored(property) }
    return "entityReader.hasValue(atAnyOf: [\(property.offset)]) ? \(stored(property)) : \(missing)"
  }

  private func stored(_ property: BoundEntity.BoundProperty) -> String {
    let read = "entityReader.read(at: \(property.offset))"
    let isOptional = property.source.isOptional
    switch property.source.form {
    case _ where property.source.isID: return "_id"
    case .id, .value: return read
    case .toOne: return "entityReader.read(at: \(property.offset), store: store)"
    case .rawValue(let type, let raw, let fallback):
      let stored = "(\(read) as \(raw.rawValue)?)"
      guard let fallback else { return "\(stored).flatMap(\(type).init(rawValue:))" }
      // A missing value of an optional property is nil, and an unknown one the default.
      if isOptional { return "\(stored).map { \(type)(rawValue: $0) ?? \(fallback) }" }
      return "\(stored).flatMap(\(type).init(rawValue:)) ?? \(fallback)"
    case .converted(let converter, _, let fallback):
      let converted =
        converter.isTyped
        ? "try entityReader.read(at: \(property.offset), by: \(converter.type)(\(converter.arguments)))"
        : "\(converter.type).convert(\(read))"
      let initial = fallback ?? typedInitial(of: property.source)
      return initial.map { "\(converted) ?? \($0)" } ?? converted
    }
  }

  /// The call that reads a to-many relation; a first argument names the relation to read into.
  private func read(
    _ collection: BoundEntity.BoundCollection, into first: String = ""
  ) -> String {
    let id = entity.typedID("_id")
    switch collection.end {
    case .relation(let number):
      return ".relation(\(first)sourceId: \(id), store: store, relationId: \(number))"
    case .backlinkOfProperty(let number, let sourceName):
      return ".backlink(\(first)store: store, sourceProperty:"
        + " \(self.sourceProperty(sourceName, number, of: collection.source.target)), targetId: \(id))"
    case .backlinkOfRelation(let number):
      return ".backlink(\(first)store: store, targetId: \(id), relationId: \(number))"
    }
  }

  /// The relation of a target that leads back.
  private func sourceProperty(_ name: String, _ number: UInt32, of target: String) -> String {
    name.isReachable
      ? "\(target).\(name)"
      : "Property<\(target), EntityId<\(type)>, \(type)>(propertyId: \(number))"
  }

  // MARK: - Structs

  private func structs() -> [String] {
    [
      "", "nonisolated extension Box where E == \(type) {",
      "  /// Puts a `\(type.withoutBackticks)`, and returns a copy that has its ID.",
      "  \(access) func put(struct entity: \(type)) throws -> \(type) {", "    var copy = entity",
      "    try put(&copy)", "    return copy", "  }", "",
      "  /// Puts several of `\(type.withoutBackticks)`, and returns copies that have their IDs.",
      "  \(access) func put(structs entities: [\(type)]) throws -> [\(type)] {",
      "    var copies = entities", "    let ids = try putAndReturnIDs(entities)",
      "    for position in copies.indices {",
      "      \(type).entityBinding.setStructEntityId(of: &copies[position], to: ids[position].value)",
      "    }", "    return copies", "  }", "}",
    ]
  }

  private func swiftName(of member: String) -> String {
    if case .property(let property)? = members(of: nil)[member] { return property.source.swiftName }
    if case .embedding(let position)? = members(of: nil)[member] {
      return entity.source.embeddings[position].swiftName
    }
    return entity.collections.first { $0.source.swiftName.withoutBackticks == member }?.source
      .swiftName ?? member
  }

  func labelled(_ argument: InitializerArgument, _ value: String) -> String {
    argument.label.map { "\($0.asLabel): \(value)" } ?? value
  }

  func call(
    _ name: String, _ arguments: [String], prefix: String, indent: Int = 4
  ) -> [String] {
    let margin = String(repeating: " ", count: indent)
    if arguments.isEmpty { return ["\(margin)\(prefix)\(name)()"] }
    return ["\(margin)\(prefix)\(name)("]
      + arguments.enumerated().map { position, argument in
        "\(margin)  \(argument)\(position == arguments.count - 1 ? ")" : ",")"
      }
  }
}

extension String {
  /// Whether a static member of the name is found after the name of its type and a period.
  fileprivate var isReachable: Bool {
    !["`self`", "`Type`", "`Protocol`", "`init`"].contains(self)
  }

  /// The name as the label of an argument, where few keywords need backticks.
  fileprivate var asLabel: String {
    let name = withoutBackticks
    if ["inout", "var", "let"].contains(name) { return "`\(name)`" }
    let isPlain = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return isPlain ? name : self
  }
}

extension StorageForm {
  /// Whether a stored value can be one that the type of the property does not have.
  fileprivate var canFail: Bool {
    if case .converted(let converter, _, _) = self { converter.isTyped } else { false }
  }

  /// The stored type of values by which objects can be found; nil for other types, and for relations.
  fileprivate var keyType: SwiftValueType? {
    switch self {
    case .id, .toOne: nil
    case .value(let type), .rawValue(_, let type, _), .converted(_, let type, _):
      type == .string || type == .date || type.storedType.isInteger ? type : nil
    }
  }

  /// The bytes of a value in the table of a record; 0 for a value outside of it.
  fileprivate var width: Int { value?.width ?? 8 }
}
