internal import BoxJSON
internal import BoxModel
internal import BoxReport

/// The destinations that a mapping names, checked against the new model.
struct MappingDestinations {
  private let model: Model
  /// The problems, in the order of the mapping.
  private(set) var problems: [MappingProblem] = []

  /// Looks up the entities and the properties of a model that a mapping names as its destinations.
  ///
  /// - Complexity: O(*n* · *m*) in what the mapping names and the elements of the model.
  init(of mapping: ModelMapping, in model: Model) {
    self.model = model
    for entity in mapping.entities {
      switch entity.action {
      case .delete: break
      case .insert: require(entity.entity, entity.position)
      case .copy(let name): if let name { require(name, entity.position) }
      case .transform(let rules):
        for rule in rules { require(rule, of: entity) }
      case .function(let destinations, _):
        for destination in destinations { require(destination.entity, entity.position) }
      }
    }
  }

  private mutating func require(_ rule: ObjectRule, of entity: EntityMigration) {
    guard let name = rule.entity else { return }
    guard let found = require(name, rule.position ?? entity.position) else { return }
    let members = MemberIndex(found)
    for property in rule.properties
    where members.property(named: property.name) == nil
      && members.relation(named: property.name) == nil
    {
      problems.append(.noDestination(property.name, of: found, at: property.position))
    }
  }

  @discardableResult
  private mutating func require(_ name: String, _ position: JSONPosition?) -> Entity? {
    let folded = foldedName(name)
    if let found = model.entities.first(where: { foldedName($0.name) == folded }) { return found }
    problems.append(
      MappingProblem(
        "the new model has no entity '\(name)'; it has: \(model.entities.map(\.name).listed)",
        at: position))
    return nil
  }
}
