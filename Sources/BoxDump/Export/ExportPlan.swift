internal import BoxConvert
internal import BoxEngine
internal import BoxJSON
internal import BoxModel

/// The entities, relations and forms that an export writes, resolved against a store.
struct ExportPlan {
  struct EntityPlan {
    var schema: EntitySchema
    var properties: [(schema: PropertySchema, form: WrittenForm)]
    var condition: PreparedQuery?
    /// A query for all objects, in whose visit the store can be read; nil if no visit does that.
    var all: PreparedQuery?
    /// The ids of the objects to write; nil for all that meet the condition.
    var chosen: [UInt64]?
  }

  struct RelationPlan {
    var schema: RelationSchema
    /// `Entity.relation`.
    var name: String
    /// The positions of the source's and the target's plan.
    var source: Int
    var target: Int
  }

  private(set) var entities: [EntityPlan] = []
  private(set) var relations: [RelationPlan] = []
  /// The limitations of the dump, one sentence each.
  private(set) var warnings: [String] = []
  private(set) var isImportable = true
  /// `Entity.property` of what was asked for, in the order of the model.
  private(set) var fields: [String]?
  private(set) var constants: [DumpHeader.Constant] = []
  private(set) var redacted: [DumpHeader.RedactedProperty] = []
  /// The condition as the header may show it: nil where it has a value of what is redacted.
  private(set) var shownCondition: String?

  private let options: ExportOptions
  private let store: ObjectStore

  /// Whether every object that a store shows is written.
  func isWhole(of store: ObjectStore) -> Bool {
    options.limit == nil && options.chosen == nil && entities.allSatisfy { $0.condition == nil }
      && entities.count == store.entities.count
  }

  init(_ store: ObjectStore, _ options: ExportOptions) throws(DumpError) {
    self.store = store
    self.options = options
    if let limit = options.limit, limit < 0 {
      throw DumpError("the limit is \(limit) and has to be 0 or more", kind: .usage)
    }
    try requireFiles()
    let chosen = try chosenEntities()
    if let table = options.table {
      try table.requireValid()
      if options.shape != .directory && chosen.count != 1 {
        throw DumpError(
          "a table has one entity, and \(chosen.count) are to be exported", kind: .usage,
          remedy: .nameDirectory)
      }
    }
    let wanted = try wantedFields(chosen)
    let redactions = try redactions(chosen)
    let condition = try preparedCondition(chosen)
    shownCondition = conditionToShow(redactions)
    let key = RedactionKey()
    for schema in chosen {
      var properties: [(PropertySchema, WrittenForm)] = []
      for property in schema.properties {
        let isWanted =
          wanted[ExactText(schema.name)].map {
            $0.contains(ExactText(property.name)) || property.flags.contains(.id)
          }
          ?? true
        if !isWanted { continue }
        let redaction = redactions[ExactText(schema.name + "." + property.name)]
        properties.append(
          (property, try form(property, of: schema, redaction, key)))
        if let redaction {
          redacted.append(.init(schema.name + "." + property.name, redaction))
        } else if let constant = property.constantValue {
          constants.append(.init(schema.name + "." + property.name, "\(constant)"))
        }
      }
      entities.append(
        EntityPlan(
          schema: schema, properties: properties,
          condition: condition?.query.entity == schema ? condition : nil,
          chosen: options.chosen.map { $0.ids[schema.uid] ?? [] }))
    }
    if !wanted.isEmpty {
      fields = chosen.flatMap { schema in
        (schema.properties.map(\.name) + schema.relations.map(\.name))
          .filter { wanted[ExactText(schema.name)]?.contains(ExactText($0)) ?? false }.map {
            schema.name + "." + $0
          }
      }
    }
    addRelations(wanted)
    try requireDistinctNames()
    if let table = options.table { try requireReadableNull(table) }
    if options.table != nil { try prepareVisits(Set(relations.map(\.source))) }
    if options.chosen != nil { try prepareVisits(Set(entities.indices)) }
  }

  /// Throws if a number of objects in a file is given that the shape does not have.
  private func requireFiles() throws(DumpError) {
    guard let rows = options.rowsPerFile else { return }
    if rows < 1 {
      throw DumpError("the rows of a file are \(rows) and have to be 1 or more", kind: .usage)
    }
    if options.layout != .dump(.directory) {
      throw DumpError("only a dump that is a directory has several files", kind: .usage)
    }
  }

  /// Throws if a line could be an object or an entry.
  private func requireDistinctNames() throws(DumpError) {
    if options.layout != .dump(.lines) { return }
    let names = Set(entities.map { ExactText($0.schema.name) })
    guard let relation = relations.first(where: { names.contains(ExactText($0.name)) }) else {
      return
    }
    throw DumpError(
      "an entity and a relation are both called \(relation.name), and lines cannot tell them apart",
      kind: .usage, remedy: .nameShape)
  }

  /// Throws if a reader of a table could not tell a value from a text.
  ///
  /// A value that is written like null is in quotes, and quotes make a number or a boolean a text where a converter
  /// takes both.
  private func requireReadableNull(_ table: TableForm) throws(DumpError) {
    let null = Array(table.null.utf8)
    guard DelimitedText.isScalar(null), let document = try? JSONDocument(parsing: null) else {
      return
    }
    let value = document.exactValue(of: document.root)
    for entity in entities {
      for case (let property, .converted(let converter)) in entity.properties {
        guard let asValue = try? converter.stored(value),
          let asText = try? converter.stored(.string(table.null)), asValue != asText
        else { continue }
        throw DumpError(
          "\(entity.schema.name).\(property.name) has a converter that reads \(table.null.quotedForDisplay) both as a "
            + "text and as a value, so it cannot be the field for null: an import would take one for the other",
          kind: .usage, remedy: .nameNull)
      }
    }
  }

  /// Prepares the visits in which the store is read, or whose objects are chosen.
  private mutating func prepareVisits(_ positions: Set<Int>) throws(DumpError) {
    for position in positions {
      do throws(ConditionError) {
        entities[position].all = try store.prepare(StoreQuery(entities[position].schema))
      } catch {
        throw DumpError(error.message, kind: .usage)
      }
    }
  }

  private mutating func addRelations(_ wanted: [ExactText: Set<ExactText>]) {
    for (source, plan) in entities.enumerated() {
      for relation in plan.schema.relations {
        if let names = wanted[ExactText(plan.schema.name)],
          !names.contains(ExactText(relation.name))
        {
          continue
        }
        let name = plan.schema.name + "." + relation.name
        guard let target = entities.firstIndex(where: { $0.schema.uid == relation.target }) else {
          warnings.append("\(name) is left out, as the entity that it refers to is not exported")
          continue
        }
        relations.append(
          RelationPlan(schema: relation, name: name, source: source, target: target))
      }
    }
  }

  // MARK: - Names

  private func chosenEntities() throws(DumpError) -> [EntitySchema] {
    if let chosen = options.chosen {
      return store.entities.filter { chosen.entities.contains($0.uid) }
    }
    guard let names = options.entities else { return store.entities }
    var chosen: Set<UID> = []
    for name in names {
      guard let entity = store.entities.entity(named: name) else { throw store.unknownEntity(name) }
      chosen.insert(entity.uid)
    }
    return store.entities.filter { chosen.contains($0.uid) }
  }

  /// Splits `Entity.name`; where one entity is exported only, its name may be left out.
  private func split(
    _ text: String, _ chosen: [EntitySchema]
  ) throws(DumpError) -> (entity: EntitySchema, name: String) {
    if chosen.count == 1, let entity = chosen.first,
      entity.hasMember(named: entity.memberName(text))
    {
      return (entity, entity.memberName(text))
    }
    if let (entity, name) = chosen.member(named: text) {
      if entity.hasMember(named: name) { return (entity, name) }
      let names = entity.memberNames.map(NamePath.quoted)
      throw DumpError(
        "\(entity.name) has no property \(name); it has \(names.joined(separator: ", "))",
        kind: .usage)
    }
    let path = NamePath(reading: text)
    if path.names.count == 1 {
      throw DumpError(chosen.requestForEntity(of: path.names[0]), kind: .usage)
    }
    let name = store.entities.member(named: text)?.entity.name ?? path.names[0]
    if store.entities.contains(where: { $0.name == name }) {
      throw DumpError(
        "\(text) is not exported, as \(name) is not", kind: .usage, remedy: .exportEntity(name))
    }
    throw store.unknownEntity(name)
  }

  private func wantedFields(
    _ chosen: [EntitySchema]
  ) throws(DumpError) -> [ExactText: Set<ExactText>] {
    var wanted: [ExactText: Set<ExactText>] = [:]
    for field in options.fields ?? [] {
      let (entity, name) = try split(field, chosen)
      wanted[ExactText(entity.name), default: []].insert(ExactText(name))
    }
    return wanted
  }

  // MARK: - Conditions

  private func preparedCondition(_ chosen: [EntitySchema]) throws(DumpError) -> PreparedQuery? {
    guard let text = options.condition else { return nil }
    do throws(ConditionError) {
      let parsed = try ConditionParser.parse(text)
      try requireOneEntity(parsed)
      let named = parsed.condition.ownNames.lazy.compactMap(\.first).first { name in
        store.entities.contains { $0.name.hasSameBytes(as: name) }
      }
      if let named,
        !chosen.contains(where: { $0.name.hasSameBytes(as: named) || $0.hasLink(named: named) })
      {
        throw ConditionError(
          "\(named) is not an entity that is exported", position: parsed.positions.first)
      }
      return try prepared(parsed, chosen, named)
    } catch {
      throw DumpError(
        error.message, kind: .usage, path: "condition", position: error.position,
        remedy: .correctCondition)
    }
  }

  private func requireOneEntity(_ parsed: ParsedCondition) throws(ConditionError) {
    let names = Set(parsed.condition.ownNames.compactMap(\.first)).filter { name in
      store.entities.contains { $0.name.hasSameBytes(as: name) }
    }
    let relations = names.filter { name in store.entities.contains { $0.hasLink(named: name) } }
    if names.count > 1, relations.isEmpty {
      throw ConditionError(
        "a condition can be about one entity only, and this one names "
          + names.sorted().joined(separator: " and "), position: parsed.positions.first)
    }
  }

  /// Prepares the condition for the one entity that it can be about.
  private func prepared(
    _ parsed: ParsedCondition, _ chosen: [EntitySchema], _ named: String?
  ) throws(ConditionError) -> PreparedQuery {
    var fitting: [PreparedQuery] = []
    for entity in chosen {
      do throws(ConditionError) {
        fitting.append(
          try store.prepare(entity, parsed, converters: options.converters?.ofConditions))
      } catch {
        // Of one that is named, or the only one that has such properties, the error is the answer.
        if chosen.count == 1 || named?.hasSameBytes(as: entity.name) == true { throw error }
        let others = chosen.filter { $0 != entity }
        if parsed.hasNames(of: entity), !others.contains(where: parsed.hasNames) { throw error }
      }
    }
    let names = parsed.condition.ownNames.compactMap(\.property)
    if fitting.count == 1, !parsed.condition.ownNames.isEmpty { return fitting[0] }
    // A name that no entity has is reported first, then a name that several have.
    let missing = names.first { name in chosen.allSatisfy { $0.property(named: name) == nil } }
    throw ConditionError(
      chosen.requestForEntity(of: missing ?? names.first ?? "property"),
      position: parsed.positions.first)
  }

  private mutating func conditionToShow(_ redactions: [ExactText: Redaction]) -> String? {
    guard let text = options.condition, let parsed = try? ConditionParser.parse(text) else {
      return options.condition
    }
    let hidden = parsed.condition.names.flatMap(\.components).first { name in
      redactions.keys.contains { $0.text.splitAtPeriods().last?.hasSameBytes(as: name) == true }
    }
    guard let hidden else { return text }
    warnings.append(
      "the condition is not in the header, as \(hidden) is redacted and it has a value of it")
    return nil
  }

  // MARK: - Redaction

  private func redactions(_ chosen: [EntitySchema]) throws(DumpError) -> [ExactText: Redaction] {
    var redactions: [ExactText: Redaction] = [:]
    for item in options.redactions {
      let (entity, name) = try split(item.name, chosen)
      guard entity.property(named: name) != nil else {
        throw DumpError(
          "\(entity.name).\(name) is a relation to many, which cannot be redacted", kind: .usage,
          remedy: .leaveRelationOut)
      }
      let full = entity.name + "." + name
      if let other = redactions[ExactText(full)], other != item.redaction {
        throw DumpError("\(full) is redacted in two ways", kind: .usage)
      }
      redactions[ExactText(full)] = item.redaction
    }
    return redactions
  }

  private mutating func form(
    _ property: PropertySchema, of entity: EntitySchema, _ redaction: Redaction?,
    _ key: RedactionKey
  ) throws(DumpError) -> WrittenForm {
    let name = NamePath([entity.name, property.name])
    guard let redaction else { return try WrittenForm(property, of: entity, options.values) }
    if property.flags.contains(.id) {
      throw DumpError("\(name) is the id, which identifies the objects", kind: .usage)
    }
    if property.modelType == .relation, redaction != .null {
      throw DumpError("\(name) is a relation, which can be redacted by null only", kind: .usage)
    }
    // No two values of hash are equal, and null is not a value of an index.
    if property.flags.contains(.unique), redaction == .mask, options.database == nil {
      isImportable = false
      warnings.append(
        "\(name) is unique, so the result will not import: redact it by hash or null instead")
    }
    switch redaction {
    case .null: return .redacted(.constant(Array("null".utf8)))
    case .mask: return .redacted(.mask(property))
    case .hash:
      let types: [SlotType] = [.string, .bytes, .int64, .uint64]
      let isDate = property.modelType.traits?.unit != nil
      guard types.contains(property.type), !isDate, property.modelType != .flex else {
        throw DumpError(
          "\(name) has the type \(property.modelType), and hash is for strings, bytes and integers of 64 "
            + "bits: redact it by null or mask", kind: .usage)
      }
      return .redacted(.hash(key))
    }
  }
}

extension [EntitySchema] {
  /// The message for a name that says nothing of its entity: it has those which the name may mean.
  func requestForEntity(of name: String) -> String {
    let names = filter { $0.property(named: name) != nil || $0.relation(named: name) != nil }
      .map { "\(NamePath([$0.name, name]))" }
    if names.isEmpty {
      // A list is taken apart at its commas.
      let odd = NamePath.part(name, of: flatMap(\.memberNames))
      return "no entity has a property \(name.quotedForDisplay)"
        + (odd.map { "; did you mean \($0)?" } ?? "")
    }
    return "write \(names.joined(separator: " or ")) instead of \(name)"
  }
}

extension ParsedCondition {
  /// Whether an entity has all that the condition names, whatever their types are.
  fileprivate func hasNames(of entity: EntitySchema) -> Bool {
    condition.ownNames.allSatisfy { name in
      guard let first = name.first, first != entity.name else {
        return name.property.map { entity.property(named: $0) != nil } ?? true
      }
      return entity.hasLink(named: first)
    }
  }
}
