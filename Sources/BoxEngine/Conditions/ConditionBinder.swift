internal import BoxJSON
internal import BoxModel
internal import BoxReport

/// Checks a condition against an entity, in the order of its names, and prepares it to run.
struct ConditionBinder {
  private typealias Exits = PredicateBuilder.Exits

  /// The condition on one entity, as far as it is bound: at first the entity of the whole condition, inside
  /// of a link the entity at its end.
  fileprivate struct Scope {
    let entity: EntitySchema
    var parts: [PreparedQuery.Part] = []
    var sets: [PreparedQuery.SetQuery] = []
    /// The steps of the part that is being bound.
    var steps = PredicateBuilder()
  }

  /// A condition whose steps were added.
  fileprivate struct Bound {
    /// The first step, or the one that follows where it has none.
    var entry: Int32
    var access: AccessCandidate?
    /// The access to the objects that do not fulfil it.
    var negatedAccess: AccessCandidate?
  }

  private let schema: StoreSchema
  private let converters: ConditionConverters?
  private let places: ConditionPlaces
  private let limits: PlannerLimits
  /// The number of the names and of the values that were bound.
  private var (nameCount, valueCount) = (0, 0)
  /// The place of the name that is being bound.
  private var position: JSONPosition?
  private var scope: Scope

  private var entity: EntitySchema { scope.entity }

  init(
    _ entity: EntitySchema, _ schema: StoreSchema, _ converters: ConditionConverters?,
    _ places: ConditionPlaces, _ limits: PlannerLimits
  ) {
    scope = Scope(entity: entity)
    self.schema = schema
    self.converters = converters
    self.places = places
    self.limits = limits
  }

  /// Binds the whole condition.
  ///
  /// - Throws: ``ConditionError`` with the place of a name that the entity does not have, or of a value with
  ///   the wrong type: it says what to write.
  /// - Complexity: O(*n*) in the size of the condition.
  mutating func prepared(_ condition: Condition) throws(ConditionError) -> PreparedQuery {
    try bindParts(condition)
    return scope.query(condition, limits)
  }

  /// Binds a condition that has to hold: each of the parts of an "and" by itself.
  private mutating func bindParts(_ condition: Condition) throws(ConditionError) {
    if case .and(let parts) = condition {
      for part in parts { try bindParts(part) }
    } else {
      scope.add(condition, try bind(condition, Exits()))
    }
  }

  private mutating func bind(
    _ condition: Condition, _ exits: Exits
  ) throws(ConditionError) -> Bound {
    switch condition {
    case .and(let parts):
      let (entry, accesses) = try bind(parts, exits, isAll: true)
      return Bound(entry: entry, access: .all(of: accesses))
    case .or(let parts):
      let (entry, accesses) = try bind(parts, exits, isAll: false)
      return Bound(entry: entry, access: .any(of: accesses))
    case .not(let part): return try bind(part, exits.negated).negated
    case .isNull(let name):
      return try bind(condition, name, exits) { (binder) throws(ConditionError) in binder.isNull }
    case .isNotNull(let name):
      return try bind(condition, name, exits, isNegated: true) {
        (binder) throws(ConditionError) in binder.isNull
      }
    case .compare(let name, let comparison, let literal, let ignoringCase):
      return try bind(condition, name, exits) { (binder) throws(ConditionError) in
        try binder.compare(comparison, literal, ignoringCase)
      }
    case .between(let name, let low, let high, let ignoringCase):
      return try bind(condition, name, exits) { (binder) throws(ConditionError) in
        try binder.between(low, high, ignoringCase)
      }
    case .isOneOf(let name, let literals, let ignoringCase):
      return try bind(condition, name, exits) { (binder) throws(ConditionError) in
        try binder.isOneOf(literals, ignoringCase)
      }
    case .match(let name, let match, let literal, let ignoringCase):
      return try bind(condition, name, exits) { (binder) throws(ConditionError) in
        try binder.match(match, literal, ignoringCase)
      }
    case .element(let name, let comparison, let literal, let ignoringCase):
      return try bind(condition, name, exits) { (binder) throws(ConditionError) in
        try binder.element(comparison, literal, ignoringCase)
      }
    case .elementMatch(let name, let match, let literal, let ignoringCase):
      return try bind(condition, name, exits) { (binder) throws(ConditionError) in
        try binder.elementMatch(match, literal, ignoringCase)
      }
    case .link(let link, let part):
      takePosition()
      return try follow(link, exits) { (binder) throws(ConditionError) in
        try binder.prepared(part)
      }
    case .nearest(let name, let vector, let maximum):
      takePosition()
      return try along(condition, name, exits) { (binder, exits) throws(ConditionError) in
        try binder.nearest(name, vector, maximum, exits)
      }
    }
  }

  /// Binds conditions of which all have to hold, or some.
  private mutating func bind(
    _ parts: [Condition], _ exits: Exits, isAll: Bool
  ) throws(ConditionError) -> (entry: Int32, accesses: [AccessCandidate?]) {
    var (entry, label): (Int32?, Int32?) = (nil, nil)
    var accesses: [AccessCandidate?] = []
    for (index, part) in parts.enumerated() {
      var partExits = exits
      let isLast = index == parts.count - 1
      let next = isLast ? nil : scope.steps.label()
      if let next {
        if isAll { partExits.onTrue = next } else { partExits.onFalse = next }
      }
      let bound = try bind(part, partExits)
      if let label { scope.steps.define(label, bound.entry) } else { entry = bound.entry }
      accesses.append(bound.access)
      label = next
    }
    return (entry ?? (isAll ? exits.onTrue : exits.onFalse), accesses)
  }

  private mutating func takePosition() {
    position = nameCount < places.names.count ? places.names[nameCount] : nil
    nameCount += 1
  }

  // MARK: - Properties

  private mutating func bind(
    _ condition: Condition, _ name: Condition.PropertyName, _ exits: Exits, isNegated: Bool = false,
    _ test: (PropertyBinder) throws(ConditionError) -> FieldTest
  ) throws(ConditionError) -> Bound {
    takePosition()
    let start = min(valueCount, places.values.count)
    valueCount += condition.valueCount
    let values = places.values[start..<max(start, min(valueCount, places.values.count))]
    return try along(condition, name, exits) { (binder, exits) throws(ConditionError) in
      let index = try binder.property(name)
      let property = try PropertyBinder(
        index, binder.entity, binder.converters, name, binder.position, values)
      let test = try test(property)
      let isToOne = property.schema.target != nil
      if !isNegated { return binder.scope.add(test, exits, isToOne: isToOne) }
      return binder.scope.add(test, exits.negated, isToOne: isToOne).negated
    }
  }

  private mutating func nearest(
    _ name: Condition.PropertyName, _ vector: [Float], _ maximum: Int, _ exits: Exits
  ) throws(ConditionError) -> Bound {
    let binder = try PropertyBinder(try property(name), entity, nil, name, position, [])
    let measure = try entity.measure(from: vector, binder.schema, at: position)
    let all = PreparedQuery(allOf: entity)
    return scope.add(
      .nearest(all, binder.schema, measure, max(0, maximum)), RecordField(idOf: entity), exits)
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
    _ condition: Condition, _ name: Condition.PropertyName, _ exits: Exits,
    _ end: (inout ConditionBinder, Exits) throws(ConditionError) -> Bound
  ) throws(ConditionError) -> Bound {
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
    return try along(condition, path, exits, end)
  }

  private mutating func along(
    _ condition: Condition, _ path: ArraySlice<String>, _ exits: Exits,
    _ end: (inout ConditionBinder, Exits) throws(ConditionError) -> Bound
  ) throws(ConditionError) -> Bound {
    guard let first = path.first else { return try end(&self, exits) }
    let rest = path.dropFirst()
    return try follow(.forward(first), exits) { (binder) throws(ConditionError) in
      let condition = condition.at(rest)
      binder.scope.add(condition, try binder.along(condition, rest, Exits(), end))
      return binder.scope.query(condition, binder.limits)
    }
  }

  /// Binds a condition on the objects at the other end of a relation, in a scope of its own.
  private mutating func follow(
    _ link: Condition.Link, _ exits: Exits,
    _ condition: (inout ConditionBinder) throws(ConditionError) -> PreparedQuery
  ) throws(ConditionError) -> Bound {
    let found = try resolve(link)
    var outer = Scope(entity: found.other)
    swap(&scope, &outer)
    let query = try condition(&self)
    swap(&scope, &outer)
    let field: RecordField
    if case .toOne(let property) = found.link {
      field = RecordField(property, entity)
    } else {
      field = RecordField(idOf: entity)
    }
    return scope.add(.linked(found.link, query), field, exits)
  }

  private func resolve(
    _ link: Condition.Link
  ) throws(ConditionError) -> (link: FollowedLink, other: EntitySchema) {
    switch link {
    case .forward(let name):
      guard let found = entity.link(named: name) else {
        throw entity.unknown("relation", name, entity.linkNames, at: position)
      }
      return (found.forward, try target(found, name))
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
          "\(entityName).\(relation) does not refer to \(entity.name)", position: self.position)
      }
      return (found.backward, other)
    }
  }

  private func target(
    _ link: EntityLink, _ name: String
  ) throws(ConditionError) -> EntitySchema {
    guard let position = schema.positions.byUID[link.target] else {
      throw ConditionError(
        "\(entity.name).\(name) refers to an entity that the model lacks", position: position)
    }
    return schema.entities[position]
  }
}

extension ConditionBinder.Bound {
  /// The negation, whose steps are the same with exchanged exits.
  var negated: Self { Self(entry: entry, access: negatedAccess, negatedAccess: access) }
}

extension ConditionBinder.Scope {
  /// The query for what the parts find.
  func query(_ condition: Condition, _ limits: PlannerLimits) -> PreparedQuery {
    PreparedQuery(StoreQuery(entity, condition), parts, sets, [], limits)
  }

  /// Adds a part whose steps exist already.
  mutating func add(_ condition: Condition, _ bound: ConditionBinder.Bound) {
    parts.append(
      PreparedQuery.Part(
        condition: condition, candidate: bound.access,
        predicate: Predicate(steps, from: bound.entry)))
    steps = PredicateBuilder()
  }

  /// Adds a test that an id is in a set.
  mutating func add(
    _ set: PreparedQuery.SetQuery, _ field: RecordField, _ exits: PredicateBuilder.Exits
  ) -> ConditionBinder.Bound {
    sets.append(set)
    return add(FieldTest(field, .isIn(sets.count - 1)), exits)
  }

  private mutating func add(
    _ test: FieldTest, _ exits: PredicateBuilder.Exits
  ) -> ConditionBinder.Bound {
    ConditionBinder.Bound(
      entry: steps.add(test, exits), access: AccessFinder(entity: entity).candidate(test))
  }

  /// Adds a test of a property; 0 counts as no value of a to-one relation.
  mutating func add(
    _ test: FieldTest, _ exits: PredicateBuilder.Exits, isToOne: Bool
  ) -> ConditionBinder.Bound {
    let zero = FieldTest(
      test.field, .unsigned(IntegerTest(.equal, IntegerLimit(floor: 0, isExact: true))))
    switch test.kind {
    case .isNull where isToOne:
      let label = steps.label()
      let isNull = add(test, .init(onTrue: exits.onTrue, onFalse: label))
      steps.define(label, steps.add(zero, exits))
      return ConditionBinder.Bound(entry: isNull.entry)
    case .unsigned(let values) where isToOne && values.holdsOfZero:
      let label = steps.label()
      let passes = add(test, .init(onTrue: label, onFalse: exits.onFalse))
      steps.define(label, steps.add(zero, exits.negated))
      return ConditionBinder.Bound(entry: passes.entry, access: .all(of: [passes.access, nil]))
    default: return add(test, exits)
    }
  }
}
