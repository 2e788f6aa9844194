internal import BoxJSON
internal import BoxModel
internal import BoxReport

/// Binds the parts of a condition to an entity, in the order of its names.
struct ConditionBinder {
  typealias Node = BoundCondition.Node
  typealias Literal = Condition.Literal

  private let schema: StoreSchema
  private let converters: ConditionConverters?
  private let positions: [JSONPosition]
  private let valuePositions: [JSONPosition]
  /// The number of the names and of the values that were bound.
  private var (nameCount, valueCount) = (0, 0)
  /// The place of the name that is being bound.
  private var position: JSONPosition?
  /// The entity that is bound to at the moment: at first the one of the condition, behind a link the
  /// one at its end.
  private var entity: EntitySchema
  /// The sets that the condition on the entity needs.
  private var sets: [BoundCondition.SetSource] = []

  init(
    _ entity: EntitySchema, _ schema: StoreSchema, _ converters: ConditionConverters?,
    positions: [JSONPosition], valuePositions: [JSONPosition]
  ) {
    self.entity = entity
    self.schema = schema
    self.converters = converters
    self.positions = positions
    self.valuePositions = valuePositions
  }

  /// Binds the whole condition.
  mutating func bound(_ condition: Condition) throws(ConditionError) -> BoundCondition {
    let node = try bind(condition)
    return BoundCondition(entity: entity, condition: condition, node: node, sets: sets)
  }

  private mutating func bind(_ condition: Condition) throws(ConditionError) -> Node {
    switch condition {
    case .and(let parts): return .and(try bind(parts))
    case .or(let parts): return .or(try bind(parts))
    case .not(let part): return .not(try bind(part))
    case .isNull(let name):
      return try bind(condition, name, values: 0) { (binder) throws(ConditionError) in
        binder.isNull
      }
    case .isNotNull(let name):
      return try bind(condition, name, values: 0) { (binder) throws(ConditionError) in
        .not(binder.isNull)
      }
    case .compare(let name, let comparison, let literal, let ignoringCase):
      return try bind(condition, name, values: 1) { (binder) throws(ConditionError) in
        try binder.compare(comparison, literal, ignoringCase)
      }
    case .between(let name, let low, let high, let ignoringCase):
      return try bind(condition, name, values: 2) { (binder) throws(ConditionError) in
        try binder.between(low, high, ignoringCase)
      }
    case .isOneOf(let name, let literals, let ignoringCase):
      return try bind(condition, name, values: literals.count) { (binder) throws(ConditionError) in
        try binder.isOneOf(literals, ignoringCase)
      }
    case .match(let name, let match, let literal, let ignoringCase):
      return try bind(condition, name, values: 1) { (binder) throws(ConditionError) in
        try binder.match(match, literal, ignoringCase)
      }
    case .element(let name, let comparison, let literal, let ignoringCase):
      return try bind(condition, name, values: 1) { (binder) throws(ConditionError) in
        try binder.element(comparison, literal, ignoringCase)
      }
    case .elementMatch(let name, let match, let literal, let ignoringCase):
      return try bind(condition, name, values: 1) { (binder) throws(ConditionError) in
        try binder.elementMatch(match, literal, ignoringCase)
      }
    case .link(let link, let part):
      takePosition()
      return try follow(link, part) { (binder) throws(ConditionError) in try binder.bind(part) }
    case .nearest(let name, let vector, let maximum):
      takePosition()
      return try along(condition, name) { (binder) throws(ConditionError) in
        try binder.nearest(name, vector, maximum)
      }
    }
  }

  private mutating func bind(_ parts: [Condition]) throws(ConditionError) -> [Node] {
    var nodes: [Node] = []
    for part in parts { nodes.append(try bind(part)) }
    return nodes
  }

  private mutating func takePosition() {
    position = nameCount < positions.count ? positions[nameCount] : nil
    nameCount += 1
  }

  // MARK: - Properties

  private mutating func bind(
    _ condition: Condition, _ name: Condition.PropertyName, values count: Int,
    _ test: (PropertyBinder) throws(ConditionError) -> Node
  ) throws(ConditionError) -> Node {
    takePosition()
    let start = min(valueCount, valuePositions.count)
    let places = valuePositions[start..<min(start + count, valuePositions.count)]
    valueCount += count
    return try along(condition, name) { (binder) throws(ConditionError) in
      let index = try binder.property(name)
      return try test(
        try PropertyBinder(index, binder.entity, binder.converters, name, binder.position, places))
    }
  }

  private mutating func nearest(
    _ name: Condition.PropertyName, _ vector: [Float], _ maximum: Int
  ) throws(ConditionError) -> Node {
    let binder = try PropertyBinder(try property(name), entity, nil, name, position, [])
    let measure = try entity.measure(from: vector, binder.schema, at: position)
    sets.append(.init(kind: .nearest(binder.field, measure, max(0, maximum))))
    return .isIn(BoundCondition.Field(idOf: entity), sets.count - 1)
  }

  private func property(_ written: Condition.PropertyName) throws(ConditionError) -> Int {
    let name = written.property
    if let found = entity.properties.firstIndex(where: { $0.name.hasSameBytes(as: name) }) {
      return found
    }
    if let link = entity.link(named: name) {
      let end = schema.positions.byUID[link.target].flatMap { schema.entities[$0].exampleName }
      let forObjects = written.path.isEmpty ? ", or any(\(written), …)" : ""
      throw ConditionError(
        "\(entity.name).\(name) is a relation; write \(written).\(NamePath.quoted(end ?? "id"))\(forObjects)",
        position: position)
    }
    throw entity.unknown("property", name, entity.properties.map(\.name), at: position)
  }

  // MARK: - Links

  /// Follows the path of the name in a condition, and binds what is at its end.
  private mutating func along(
    _ condition: Condition, _ name: Condition.PropertyName,
    _ end: (inout ConditionBinder) throws(ConditionError) -> Node
  ) throws(ConditionError) -> Node {
    var path = name.path[...]
    if let first = path.first, first == entity.name {
      if entity.link(named: first) != nil {
        let rest = Condition.PropertyName(name.property, path: Array(path.dropFirst()))
        let link = Condition.Link.forward(first)
        // The rest may begin with the name once more.
        let own =
          rest.path.first == first ? "any(\(link), \(NamePath.quoted(name.property)) …)" : "\(rest)"
        throw ConditionError(
          "\(first) is the entity and a relation of it: write \(own) for the entity, or "
            + "any(\(link), …) for the relation", position: position)
      }
      path = path.dropFirst()
    }
    return try along(condition, path, end)
  }

  private mutating func along(
    _ condition: Condition, _ path: ArraySlice<String>,
    _ end: (inout ConditionBinder) throws(ConditionError) -> Node
  ) throws(ConditionError) -> Node {
    guard let first = path.first else { return try end(&self) }
    let rest = path.dropFirst()
    return try follow(.forward(first), condition.at(rest)) { (binder) throws(ConditionError) in
      try binder.along(condition, rest, end)
    }
  }

  /// Binds a condition on the objects at the other end of a relation.
  private mutating func follow(
    _ link: Condition.Link, _ condition: Condition,
    _ part: (inout ConditionBinder) throws(ConditionError) -> Node
  ) throws(ConditionError) -> Node {
    let found = try resolve(link)
    let (entity, sets) = (self.entity, self.sets)
    (self.entity, self.sets) = (found.other, [])
    let node = try part(&self)
    let inner = BoundCondition(
      entity: self.entity, condition: condition, node: node, sets: self.sets)
    (self.entity, self.sets) = (entity, sets)
    self.sets.append(.init(kind: .linked(found.link, inner)))
    let field: BoundCondition.Field
    if case .toOne(let property) = found.link {
      field = BoundCondition.Field(property, entity)
    } else {
      field = BoundCondition.Field(idOf: entity)
    }
    return .isIn(field, self.sets.count - 1)
  }

  private func resolve(
    _ link: Condition.Link
  ) throws(ConditionError) -> (link: BoundCondition.Link, other: EntitySchema) {
    switch link {
    case .forward(let name):
      guard let found = entity.link(named: name) else {
        throw entity.unknown("relation", name, entity.linkNames, at: position)
      }
      return (found.bound, try target(found, name))
    case .backward(let entityName, let relation):
      guard let position = schema.positions.byName[ExactText(entityName)] else {
        let names = schema.entities.map(\.name)
        throw ConditionError(
          "there is no entity \(entityName)"
            + (NamePath.nearest(to: entityName, among: names).map { "; did you mean \($0)?" } ?? ""),
          position: self.position)
      }
      let other = schema.entities[position]
      guard let found = other.link(named: relation) else {
        throw other.unknown("relation", relation, other.linkNames, at: self.position)
      }
      if found.target != entity.uid {
        throw ConditionError(
          "\(entityName).\(relation) does not lead to \(entity.name)", position: self.position)
      }
      return (found.backward, other)
    }
  }

  private func target(
    _ link: EntityLink, _ name: String
  ) throws(ConditionError) -> EntitySchema {
    guard let position = schema.positions.byUID[link.target] else {
      throw ConditionError(
        "\(entity.name).\(name) leads to an entity that the model lacks", position: position)
    }
    return schema.entities[position]
  }
}
