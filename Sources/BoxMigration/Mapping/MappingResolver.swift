internal import BoxConvert
internal import BoxJSON
internal import BoxModel
internal import BoxReport

/// Checks a mapping against the two models that it leads from and to.
struct MappingResolver {
  let old: Side
  let new: Side
  let mapping: ModelMapping?
  /// Properties of which every stored value is known to fit a new sign.
  private let fitting: Set<UID>
  var result = ResolvedMapping()
  /// The positions of the sources of the result, by their entities.
  var sourcePositions: [UID: Int] = [:]
  private(set) var problems: [MappingProblem] = []

  typealias Route = ResolvedMapping.Route

  /// Resolves a mapping, or infers one if it is nil.
  init(from old: Model, to new: Model, _ mapping: ModelMapping?, fitting: Set<UID> = []) {
    self.old = Side(old, "old")
    self.new = Side(new, "new")
    self.mapping = mapping
    self.fitting = fitting
    resolve()
  }

  /// One of the two models, with its elements by UID and by name.
  struct Side {
    let model: Model
    let lookup: ModelLookup
    /// The name of the model in messages.
    let word: String

    init(_ model: Model, _ word: String) {
      self.model = model
      lookup = ModelLookup(model)
      self.word = word
    }

    func entity(_ uid: UID) -> Entity? { lookup.entity(uid).map { model.entities[$0] } }

    func entity(named name: String) -> Entity? {
      lookup.entity(named: name).map { model.entities[$0] }
    }

    func name(of entity: UID) -> String { self.entity(entity)?.name ?? "\(entity)" }

    /// The UID of the entity that a to-one relation refers to; nil for any other property.
    func target(of property: Property) -> UID? {
      guard property.type == .relation, let name = property.relationTarget else { return nil }
      return entity(named: name)?.pair.uid
    }
  }

  /// An entity with its members by UID and by name.
  struct IndexedEntity {
    let entity: Entity
    let members: MemberIndex

    init(_ entity: Entity) {
      self.entity = entity
      members = MemberIndex(entity)
    }

    var name: String { entity.name }
    var uid: UID { entity.pair.uid }
    var properties: [Property] { entity.properties }
    func position(of property: UID) -> Int? { members.property(property) }
    func position(named name: String) -> Int? { members.property(named: name) }
    func relation(named name: String) -> Relation? {
      members.relation(named: name).flatMap { entity.relations?[$0] }
    }
  }

  mutating func report(_ message: String, _ position: JSONPosition?) {
    problems.append(MappingProblem(message, at: position))
  }

  private mutating func resolve() {
    var named: [UID: EntityMigration] = [:]
    var empty: Set<UID> = []
    for entity in mapping?.entities ?? [] {
      if case .insert = entity.action {
        guard let found = find(entity.entity, in: new, entity.position) else { continue }
        if !empty.insert(found.pair.uid).inserted {
          report("'\(entity.entity)' occurs twice", entity.position)
        }
      } else if let found = find(entity.entity, in: old, entity.position) {
        if named.updateValue(entity, forKey: found.pair.uid) != nil {
          report("'\(entity.entity)' occurs twice", entity.position)
        }
      }
    }
    for entity in old.model.entities {
      let migration = named[entity.pair.uid]
      guard let source = source(of: entity, migration, empty) else { continue }
      sourcePositions[entity.pair.uid] = result.sources.count
      result.sources.append(source)
    }
    requireDistinct(empty)
    for source in result.sources.indices {
      for route in result.sources[source].routes.indices { resolveLinks(source, route) }
    }
    resolveTargets()
    result.separateCopies(from: old.model, old.lookup)
  }

  private mutating func find(
    _ name: String, in side: Side, _ position: JSONPosition?
  ) -> Entity? {
    if let found = side.entity(named: name) { return found }
    let names = side.model.entities.map(\.name).listed
    report("the \(side.word) model has no entity '\(name)'; it has: \(names)", position)
    return nil
  }

  // MARK: - Entities

  /// The resolved rules for the objects of an old entity; nil if they are dropped.
  private mutating func source(
    of entity: Entity, _ migration: EntityMigration?, _ empty: Set<UID>
  ) -> ResolvedMapping.Source? {
    let same = new.entity(entity.pair.uid)
    guard let migration else {
      guard let same, !empty.contains(same.pair.uid) else { return nil }
      return .init(
        entity: entity.pair.uid, routes: [route(entity, same, .same, nil)], position: nil)
    }
    var source = ResolvedMapping.Source(
      entity: entity.pair.uid, routes: [], position: migration.position)
    switch migration.action {
    case .delete, .insert: return nil
    case .copy(let name):
      guard let target = destination(name, entity, same, migration.position) else { return nil }
      source.routes = [route(entity, target, .same, migration.position)]
    case .transform(let rules):
      for rule in rules {
        let place = rule.position ?? migration.position
        guard let target = destination(rule.entity, entity, same, place) else { continue }
        source.routes.append(route(entity, target, rule.ids, place, rule))
      }
    case .function(let destinations, let function):
      source.function = function
      for place in destinations.isEmpty ? [nil] : destinations.map({ Optional($0) }) {
        guard let target = destination(place?.entity, entity, same, migration.position) else {
          continue
        }
        source.routes.append(
          route(entity, target, place?.ids ?? .same, migration.position, isLenient: true))
      }
    }
    return source
  }

  private mutating func destination(
    _ name: String?, _ entity: Entity, _ same: Entity?, _ position: JSONPosition?
  ) -> Entity? {
    if let name { return find(name, in: new, position) }
    if same == nil {
      report(
        "the new model has no entity with the UID of '\(entity.name)'; name its new "
          + "entity with 'to'", position)
    }
    return same
  }

  /// Two entities whose objects keep their ids cannot become one.
  private mutating func requireDistinct(_ empty: Set<UID>) {
    var keepers: [UID: UID] = [:]
    for source in result.sources {
      let following = source.routes.filter { $0.ids != .new }
      for (number, route) in following.enumerated() where route.ids == .shifted {
        if let other = following.indices.first(where: {
          $0 != number && following[$0].new == route.new
        }) {
          report(
            "'\(old.name(of: route.old))' becomes '\(new.name(of: route.new))' twice, so relations "
              + "cannot follow; give one of them \"ids\": \"new\"",
            following[max(number, other)].position)
          break
        }
      }
      for route in source.routes {
        let name = new.name(of: route.new)
        if empty.contains(route.new) {
          report("'\(name)' is declared empty, but a rule creates objects for it", route.position)
        }
        if route.ids != .same { continue }
        guard let first = keepers.updateValue(route.old, forKey: route.new) else { continue }
        if first == route.old {
          // Of two rules at most one may apply to an object: that is for the data to show.
          if route.conditions.isEmpty && source.function == nil {
            report(
              "'\(old.name(of: first))' becomes '\(name)' twice, with the same id; give one of them "
                + "\"ids\": \"new\"", route.position)
          }
          continue
        }
        report(
          "'\(old.name(of: first))' and '\(old.name(of: route.old))' both become '\(name)' with the "
            + "ids that they have; give one of them \"ids\": \"shifted\" or \"new\"",
          route.position ?? source.position)
      }
    }
  }

  // MARK: - Properties

  typealias NamedRule = (name: String, position: JSONPosition?, rule: PropertyRule)

  private mutating func route(
    _ from: Entity, _ to: Entity, _ ids: IDRule, _ position: JSONPosition?,
    _ rule: ObjectRule = ObjectRule(), isLenient: Bool = false
  ) -> Route {
    var route = Route(
      old: from.pair.uid, new: to.pair.uid, ids: ids, carriers: [], position: position)
    let (from, to) = (IndexedEntity(from), IndexedEntity(to))
    var rules: [ExactText: NamedRule] = [:]
    for property in rule.properties {
      if rules.updateValue(property, forKey: foldedName(property.name)) != nil {
        report("'\(to.name).\(property.name)' has two rules", property.position)
      }
      if to.position(named: property.name) != nil { continue }
      guard let relation = to.relation(named: property.name) else {
        problems.append(.noDestination(property.name, of: to.entity, at: property.position))
        continue
      }
      if let links = links(property, relation, from, to) { route.links.append(links) }
    }
    for (index, property) in to.properties.enumerated() where !property.flags.contains(.id) {
      if let given = rules[foldedName(property.name)] {
        if let carrier = carrier(given.rule, from, to, index, given.position) {
          route.carriers.append(carrier)
        }
      } else if let carrier = inferred(from, to, index, position, isLenient) {
        route.carriers.append(carrier)
      }
    }
    if let index = to.properties.firstIndex(where: { $0.flags.contains(.id) }),
      let given = rules[foldedName(to.properties[index].name)]
    {
      route.assignedID = idCarrier(given, ids, from, to, index)
    }
    for condition in rule.conditions {
      if let condition = resolved(condition, from) { route.conditions.append(condition) }
    }
    return route
  }

  /// The carrier of a rule that gives ids; nil if it cannot.
  private mutating func idCarrier(
    _ given: NamedRule, _ ids: IDRule,
    _ from: IndexedEntity, _ to: IndexedEntity, _ index: Int
  ) -> ValueCarrier? {
    let property = to.properties[index]
    let name = "'\(to.name).\(property.name)'"
    if !property.flags.contains(.idSelfAssignable) {
      report(
        "\(name) is an id that the store gives, and takes no rule; let the app assign it "
          + "(ID_SELF_ASSIGNABLE), or leave the rule out", given.position)
    } else if given.rule.source == nil || given.rule.backlink != nil {
      report("\(name) is an id, which needs 'from': each object has one of its own", given.position)
    } else if ids != .same {
      report("\(name) has a rule, so 'ids' has no effect; leave one of them out", given.position)
    } else {
      return carrier(given.rule, from, to, index, given.position)
    }
    return nil
  }

  /// The carrier of a property without a rule: from the property of the same UID or, between two
  /// entities, of the same name.
  private mutating func inferred(
    _ from: IndexedEntity, _ to: IndexedEntity, _ index: Int, _ position: JSONPosition?,
    _ isLenient: Bool
  ) -> ValueCarrier? {
    let property = to.properties[index]
    let found =
      from.position(of: property.pair.uid)
      ?? (from.uid == to.uid ? nil : from.position(named: property.name))
    guard let found else { return nil }
    let source = from.properties[found]
    guard let before = StoredType(source), let after = StoredType(property) else { return nil }
    var carrier = ValueCarrier(
      source: found, destination: index, kind: .same, names: (source.name, property.name))
    if before != after {
      let conversion = TypeConversion(
        from: before.type, source.flags, to: after.type, property.flags,
        of: "\(from.name).\(source.name)")
      let isSignOnly = before.type == after.type
      if conversion.fidelity != .exact, !isSignOnly || !fitting.contains(property.pair.uid) {
        // A function decides itself about the value.
        if isLenient { return nil }
        report(
          "'\(to.name).\(property.name)' changes from \(before) to \(after); map its "
            + "values", position)
        return nil
      }
      carrier.kind = .types(conversion, after)
    }
    return carrier
  }

  private mutating func carrier(
    _ rule: PropertyRule, _ from: IndexedEntity, _ to: IndexedEntity, _ index: Int,
    _ position: JSONPosition?
  ) -> ValueCarrier? {
    let property = to.properties[index]
    guard let after = StoredType(property) else {
      report("'\(to.name).\(property.name)' has no type that can be stored", position)
      return nil
    }
    guard let write = form(rule.write, to.entity, property) else { return nil }
    var carrier = ValueCarrier(
      source: nil, destination: index, kind: .none, unfit: rule.unfit,
      names: ("", property.name))
    if let defaultValue = rule.defaultValue {
      guard let value = stored(defaultValue, after, write.converter) else {
        report(
          "\(defaultValue.words) is not a value of '\(to.name).\(property.name)'",
          defaultValue.position)
        return nil
      }
      carrier.defaultValue = value
    }
    if rule.source == nil && rule.backlink == nil { return carrier }
    guard let origin = origin(of: rule, from, position) else { return nil }
    carrier.names.source = origin.name
    guard let source = origin.property else {
      return only(carrier, rule, of: origin, for: property, of: to, position)
    }
    if rule.unfit == .first {
      report(
        "'unfit: first' is for the objects of a relation, and '\(origin.name)' has one value",
        position)
      return nil
    }
    let hint =
      source.type == .string && property.type?.traits?.unit != nil
      ? "; to make a date of the text, 'write' is meant" : ""
    guard let before = StoredType(source),
      let read = form(rule.read, origin.entity, source, hint: hint)
    else {
      return nil
    }
    (carrier.source, carrier.related) = (origin.position, origin.related)
    if read.converter != nil || write.converter != nil {
      carrier.kind = .converters(read.converter, write.converter, after)
    } else if before == after || source.flags.contains(.id) && property.type == .relation {
      carrier.kind = .same
    } else {
      let conversion = TypeConversion(
        from: before.type, source.flags, to: after.type, property.flags,
        of: "\(origin.entity.name).\(source.name)")
      if conversion.fidelity == .none {
        report(
          "\(before) does not become \(after) by itself; say with 'read' and 'write' what a value "
            + "means", position)
        return nil
      }
      carrier.kind = .types(conversion, after)
    }
    return carrier
  }

  /// The form in which a rule gives or takes values.
  private enum ValueForm {
    case plain
    case converted(BoundConverter)

    var converter: BoundConverter? {
      if case .converted(let converter) = self { converter } else { nil }
    }
  }

  /// The form that a rule asks for; nil if its converter is not valid.
  private mutating func form(
    _ node: CatalogueNode?, _ entity: Entity, _ property: Property, hint: String = ""
  ) -> ValueForm? {
    guard let node else { return .plain }
    let name = "Entity.property"
    var members = [
      CatalogueNode.Member(
        key: "properties", position: node.position,
        value: CatalogueNode(.mapping([.init(key: name, position: node.position, value: node)])))
    ]
    if let types = mapping?.types {
      members.insert(.init(key: "types", position: types.position, value: types), at: 0)
    }
    do {
      let catalogue = try Catalogue(
        CatalogueNode(.mapping(members)), registry: mapping?.registry ?? ConverterRegistry())
      guard let type = property.type,
        let converter = try catalogue.converter(
          entity: "Entity", property: "property", type: type, flags: property.flags)
      else {
        report(
          "the converter of '\(entity.name).\(property.name)' is not registered", node.position)
        return nil
      }
      return .converted(converter)
    } catch let error as CatalogueError {
      report(error.message, error.position ?? node.position)
    } catch let error as IncompatibleConverter {
      report(
        "'\(entity.name).\(property.name)': \(error.message)\(hint)",
        error.position ?? node.position)
    } catch {
      report("\(error)", node.position)
    }
    return nil
  }

  private func stored(
    _ node: CatalogueNode, _ type: StoredType, _ converter: BoundConverter?
  ) -> Value? {
    guard let converter else {
      return PlainForm.stored(node.json, as: type) ?? Self.date(node.json, type)
    }
    return try? converter.stored(node.json)
  }

  private mutating func resolved(
    _ condition: ObjectCondition, _ entity: IndexedEntity
  ) -> ResolvedMapping.Condition? {
    guard let origin = origin(condition.property, entity, condition.position) else { return nil }
    guard let property = origin.property else {
      // A relation either has objects or not.
      if condition.values.contains(where: { $0 != .null }) {
        report(
          "'\(entity.name).\(condition.property)' is a relation to many, which is null or is not",
          condition.position)
      }
      return .init(
        property: nil, related: origin.related, values: condition.values.isEmpty ? [] : [.null],
        isNegated: condition.isNegated)
    }
    guard let type = StoredType(property) else { return nil }
    var values: Set<Value> = []
    var includesNaN = false
    for json in condition.values {
      guard let value = PlainForm.stored(json, as: type) ?? Self.date(json, type) else {
        report(
          "\(CatalogueNode(json).words) is not a value of '\(entity.name).\(condition.property)'",
          condition.position)
        return nil
      }
      if value.isNaN { includesNaN = true }
      // An id is always unsigned in an object.
      values.insert(property.flags.contains(.id) ? value.asID : value)
    }
    return .init(
      property: origin.position, related: origin.related, values: values, includesNaN: includesNaN,
      isNegated: condition.isNegated)
  }

  /// The value of a date in ISO 8601; nil if the property has none, or not this one.
  private static func date(_ json: JSONValue, _ type: StoredType) -> Value? {
    guard let unit = type.type.traits?.unit, case .string(let text) = json,
      let moment = ISO8601.moment(text), ISO8601.seconds.contains(moment.seconds),
      let count = unit.count(moment).flatMap({ Int(exactly: $0) })
    else { return nil }
    return PlainForm.stored(.int(count), as: type)
  }
}

extension Model {
  /// The property with a UID.
  func property(_ uid: UID, _ lookup: ModelLookup) -> Property? {
    guard case .property(let e, let p)? = lookup[.property, uid] else { return nil }
    return entities[e].properties[p]
  }
}

extension Value {
  fileprivate var asID: Value {
    if case .integer(let value) = self, value >= 0 { return .unsigned(UInt64(value)) }
    return self
  }
}

extension CatalogueNode {
  /// The value as in a message.
  fileprivate var words: String {
    switch content {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .text(let text): "'\(text)'"
    case .list: "a list"
    case .mapping: "a mapping"
    }
  }
}
