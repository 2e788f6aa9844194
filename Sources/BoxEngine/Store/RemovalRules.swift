internal import BoxJSON
internal import BoxModel

/// The delete rules for removals of objects of one entity.
struct RemovalRules: Sendable {
  /// The relations whose objects at the other side are removed too.
  fileprivate(set) var cascades: [RuledLink] = []
  /// The relations whose objects at the other side forbid the removal, if they stay.
  fileprivate(set) var denials: [RuledLink] = []
  /// The relations to one of other objects that become null.
  fileprivate(set) var nullified: [RuledLink] = []

  /// Whether the record of an object refers to others.
  var readsRecord: Bool { cascades.contains(where: \.isInRecord) }

  fileprivate var isEmpty: Bool { cascades.isEmpty && denials.isEmpty && nullified.isEmpty }
}

/// A relation of an entity, as the removal of an object of the entity follows it.
struct RuledLink: Sendable {
  /// The route from an object to those at the other side.
  enum Route: Sendable {
    /// The id in a slot of the record.
    case target(slot: Int)
    /// The objects whose property refers to it, by the position of the property.
    case sources(property: Int)
    /// The targets of a relation to many.
    case targets(RelationSchema)
    /// The sources of a relation to many.
    case owners(RelationSchema)
  }

  /// The position of the entity at the other side.
  let other: Int
  let route: Route
  /// The relation, as `Entity.relation`.
  let name: String
  /// The position among the ends of all relations that have a rule.
  let number: Int

  fileprivate var isInRecord: Bool { if case .target = route { true } else { false } }
}

extension RemovalRules {
  /// The rules of each entity of a model, by its position; nil for an entity without any.
  ///
  /// Relations that the model lacks have none, nor have those to an entity that it lacks.
  ///
  /// - Parameters:
  ///   - declarations: The declarations of the store.
  ///   - model: The model in force.
  ///   - catalog: The catalog of the store.
  ///   - relations: The relations to many that are not hidden.
  /// - Returns: The rules.
  /// - Complexity: O(*n*) in the elements of the model and the declarations.
  static func all(
    _ declarations: Declarations, in model: Model, _ catalog: Catalog,
    relations: [UID: RelationSchema]
  ) -> [RemovalRules?] {
    var rules = Array(repeating: RemovalRules(), count: model.entities.count)
    if declarations.isEmpty { return rules.map { _ in nil } }
    let places = RulePlaces(model, catalog)
    for (number, declaration) in declarations.relations.enumerated() {
      if let toOne = places.toOnes[declaration.relation] {
        let target = RuledLink(
          other: toOne.target, route: .target(slot: toOne.slot), name: toOne.name,
          number: 2 * number)
        let sources = RuledLink(
          other: toOne.entity, route: .sources(property: toOne.property), name: toOne.name,
          number: 2 * number + 1)
        rules[toOne.entity].add(target, declaration.sourceRemoved)
        rules[toOne.target].add(sources, declaration.targetRemoved)
      } else if let relation = relations[declaration.relation],
        let source = places.entities[relation.source],
        let target = places.entities[relation.target]
      {
        let name = "\(model.entities[source].name).\(relation.name)"
        rules[source].add(
          RuledLink(other: target, route: .targets(relation), name: name, number: 2 * number),
          declaration.sourceRemoved)
        rules[target].add(
          RuledLink(other: source, route: .owners(relation), name: name, number: 2 * number + 1),
          declaration.targetRemoved)
      }
    }
    return rules.map { $0.isEmpty ? nil : $0 }
  }

  private mutating func add(_ link: RuledLink, _ rule: DeleteRule?) {
    switch rule {
    case .cascade: cascades.append(link)
    case .deny: denials.append(link)
    case .nullify:
      // Pairs of a relation to many go with either object, and a source with its own value.
      if case .sources = link.route { nullified.append(link) }
    case .noAction, nil: break
    }
  }
}

extension [RuledLink] {
  /// The names of the relations, each once: a relation of an entity to itself can have a rule for both sides.
  var names: [String] {
    var names: [ExactText] = []
    for link in self where !names.contains(ExactText(link.name)) {
      names.append(ExactText(link.name))
    }
    return names.map(\.text)
  }
}

/// The places of the elements of a model that rules are about.
private struct RulePlaces {
  struct ToOne {
    var entity: Int
    var property: Int
    var slot: Int
    var target: Int
    var name: String
  }

  let entities: [UID: Int]
  let toOnes: [UID: ToOne]

  init(_ model: Model, _ catalog: Catalog) {
    let entities = Dictionary(
      model.entities.enumerated().map { ($1.pair.uid, $0) }, uniquingKeysWith: { first, _ in first }
    )
    var toOnes: [UID: ToOne] = [:]
    for stored in catalog.entities {
      guard let position = entities[stored.uid] else { continue }
      let entity = model.entities[position]
      let properties = Dictionary(
        entity.properties.enumerated().map { ($1.pair.uid, $0) },
        uniquingKeysWith: { first, _ in first })
      for known in stored.properties {
        guard let property = properties[known.uid],
          let target = known.target.flatMap({ entities[$0] })
        else { continue }
        toOnes[known.uid] = ToOne(
          entity: position, property: property, slot: known.slot, target: target,
          name: "\(entity.name).\(known.name)")
      }
    }
    (self.entities, self.toOnes) = (entities, toOnes)
  }
}
