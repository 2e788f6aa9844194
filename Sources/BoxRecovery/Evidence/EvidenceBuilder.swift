import BoxJSON
import BoxModel

/// Collects the facts of generated code, in the order of the code, and checks them at its end.
///
/// The facts of code with a problem are not used at all: half an entity could look like one from which
/// properties were removed.
struct EvidenceBuilder {
  private(set) var evidence: Evidence
  /// The positions of the entities by names of the language, such as types or variables.
  private var entitiesByAlias: [String: Int] = [:]
  /// To-many targets that code names by alias; they are resolved at the end.
  private var relationTargets: [UID: (alias: String, line: Int)] = [:]
  private var toOneAliases: [UID: (alias: String, line: Int)] = [:]
  /// Whether the properties of the last entity ended with its last property id.
  private(set) var isEntityOpen = false
  private var seen: [ElementKind: Set<UID>] = [:]
  private var count = 0
  /// The number of elements above which no generator has written the code.
  private static let maximumElements = 20_000
  /// The file that is read; a source may have several.
  var file: String

  /// Creates the builder of a source; `model` has what the language writes at the top level.
  init(source: String, language: CodeLanguage, model: Model) {
    evidence = Evidence(source: source, language: language, model: model)
    file = source
  }

  /// A model in which nothing is known.
  static var unknownModel: Model {
    var model = Model()
    model.lastEntityID = nil
    model.lastIndexID = nil
    model.lastRelationID = nil
    model.lastSequenceID = nil
    model.modelVersion = nil
    model.modelVersionParserMinimum = nil
    model.version = nil
    for kind in ElementKind.allCases { model[retired: kind] = nil }
    return model
  }

  var hasEntities: Bool { !evidence.model.entities.isEmpty }

  // MARK: Problems

  mutating func refuse(_ line: Int?, _ message: String) {
    // One broken file can have a problem on every line.
    if evidence.problems.count < 20 {
      evidence.problems.append(EvidenceProblem(place: place(line), message: message))
    }
  }

  mutating func remark(_ line: Int?, _ message: String) {
    if evidence.remarks.count < 20 {
      evidence.remarks.append(EvidenceProblem(place: place(line), message: message))
    }
  }

  private func place(_ line: Int?) -> String { line.map { "\(file):\($0)" } ?? evidence.source }

  /// Refuses the source because of an element.
  private mutating func refuse(_ key: ElementKey, _ message: String) {
    if evidence.problems.count < 20 {
      evidence.problems.append(EvidenceProblem(place: evidence.place(of: key), message: message))
    }
  }

  // MARK: Elements

  /// Adds an entity; the properties and relations that follow are its own.
  mutating func add(_ entity: Entity, alias: String? = nil, line: Int) {
    if count > Self.maximumElements { return }
    requireNew(.entity, entity.pair, entity.name, line)
    if let alias {
      if entitiesByAlias.updateValue(evidence.model.entities.count, forKey: alias) != nil {
        refuse(line, "\(alias) is described twice")
      }
    }
    var entity = entity
    entity.lastPropertyID = nil
    entity.relations = []
    evidence.model.entities.append(entity)
    isEntityOpen = true
  }

  mutating func add(_ property: Property, targetAlias: String? = nil, line: Int) {
    if count > Self.maximumElements { return }
    guard hasEntities else { return refuse(line, "the property \(property.name) has no entity") }
    requireNew(.property, property.pair, property.name, line)
    if let index = property.indexID { requireNew(.index, index, property.name, line) }
    if let targetAlias { toOneAliases[property.pair.uid] = (targetAlias, line) }
    evidence.model.entities[last].properties.append(property)
  }

  /// Adds a relation; one without a name is listed as such.
  mutating func add(_ relation: Relation, targetAlias: String? = nil, line: Int) {
    if count > Self.maximumElements { return }
    guard hasEntities else { return refuse(line, "the relation \(relation.pair) has no entity") }
    requireNew(.relation, relation.pair, relation.name, line)
    if relation.name.isEmpty { evidence.unnamedRelations.insert(relation.pair.uid) }
    if let targetAlias { relationTargets[relation.pair.uid] = (targetAlias, line) }
    evidence.model.entities[last].relations?.append(relation)
  }

  private var last: Int { evidence.model.entities.count - 1 }

  /// Changes the last entity.
  mutating func changeEntity(_ line: Int, _ change: (inout Entity) -> Void) {
    guard hasEntities else { return refuse(line, "there is no entity before this line") }
    change(&evidence.model.entities[last])
  }

  /// Changes the last property.
  mutating func changeProperty(_ line: Int, _ change: (inout Property) -> Void) {
    guard hasEntities, let position = evidence.model.entities[last].properties.indices.last else {
      return refuse(line, "there is no property before this line")
    }
    let before = evidence.model.entities[last].properties[position].indexID
    change(&evidence.model.entities[last].properties[position])
    let property = evidence.model.entities[last].properties[position]
    guard let index = property.indexID, index != before else { return }
    if before != nil { refuse(line, "\(property.name) has two indexes") }
    requireNew(.index, index, property.name, line)
  }

  /// Sets the flags of the last property, which no generator does twice.
  mutating func setFlags(_ flags: PropertyFlags, line: Int) {
    if evidence.model.entities.last?.properties.last?.flags ?? [] != [] {
      refuse(line, "a property has flags twice; a line may be missing before this one")
    }
    changeProperty(line) { $0.flags = flags }
  }

  /// Changes the last relation.
  mutating func changeRelation(_ line: Int, _ change: (inout Relation) -> Void) {
    guard hasEntities, let count = evidence.model.entities[last].relations?.count, count > 0 else {
      return refuse(line, "there is no relation before this line")
    }
    if var relation = evidence.model.entities[last].relations?[count - 1] {
      change(&relation)
      if !relation.name.isEmpty { evidence.unnamedRelations.remove(relation.pair.uid) }
      evidence.model.entities[last].relations?[count - 1] = relation
    }
  }

  /// Ends the last entity with the pair of its last property.
  mutating func endEntity(_ pair: IDPair, line: Int) {
    guard hasEntities, isEntityOpen else {
      return refuse(line, "a last property id belongs to no entity")
    }
    requireRange(pair, line)
    evidence.model.entities[last].lastPropertyID = pair
    isEntityOpen = false
  }

  /// Removes the last entity, in which the code ends: its last property may be a half.
  mutating func dropLastEntity() {
    guard let entity = evidence.model.entities.popLast() else { return }
    let count = evidence.model.entities.count
    entitiesByAlias = entitiesByAlias.filter { $0.value < count }
    remark(nil, "the code ends inside of \(entity.name), which is not used")
    for relation in entity.relations ?? [] {
      evidence.unnamedRelations.remove(relation.pair.uid)
    }
    isEntityOpen = false
  }

  /// Notes the last pair of a counter of the whole model.
  mutating func setLast(_ counter: Counter, _ pair: IDPair, line: Int) {
    if !pair.isUnset { requireRange(pair, line) }
    if let before = evidence.model[last: counter], before != pair {
      refuse(line, "\(counter.kind.lastPairKey) is \(pair), and was \(before) before")
    }
    evidence.model[last: counter] = pair
  }

  /// Changes what is known at the top level.
  mutating func changeModel(_ change: (inout Model) -> Void) { change(&evidence.model) }

  /// Renames the relations for which the code has a name in another place.
  mutating func nameRelations(_ name: (_ alias: String, IDPair) -> String?) {
    for (alias, e) in entitiesByAlias {
      for r in (evidence.model.entities[e].relations ?? []).indices {
        guard let pair = evidence.model.entities[e].relations?[r].pair,
          evidence.unnamedRelations.contains(pair.uid), let found = name(alias, pair)
        else { continue }
        evidence.model.entities[e].relations?[r].name = found
        evidence.unnamedRelations.remove(pair.uid)
      }
    }
  }

  private mutating func requireNew(_ kind: ElementKind, _ pair: IDPair, _ name: String, _ line: Int)
  {
    requireRange(pair, line)
    count += 1
    if count == Self.maximumElements + 1 {
      refuse(line, "the code has more than \(Self.maximumElements) elements")
    }
    let key = ElementKey(kind, pair.uid)
    evidence.places[key] = place(line)
    if !seen[kind, default: []].insert(pair.uid).inserted {
      refuse(line, "another \(kind) has the UID \(pair.uid) of the \(kind) \(name) too")
    } else if seen.contains(where: { $0.key != kind && $0.value.contains(pair.uid) }) {
      remark(
        line, "the UID \(pair.uid) of the \(kind) \(name) is used by another kind of element too")
    }
  }

  private mutating func requireRange(_ pair: IDPair, _ line: Int) {
    if pair.id == 0 || pair.uid == 0 {
      refuse(line, "\(pair) is not an id and a UID")
    }
  }

  // MARK: The end

  /// The evidence, checked as a whole.
  ///
  /// - Parameters:
  ///   - isComplete: Whether the code has everything that its generator writes.
  ///   - code: The files of the source.
  /// - Returns: The evidence, with the problems that were found.
  /// - Complexity: O(*n* log *n*) in the size of the code.
  mutating func finish(
    isComplete: Bool, code: [(path: String, reader: CodeReader)]
  ) -> Evidence {
    let endsInEntity = isEntityOpen
    if endsInEntity { dropLastEntity() }
    resolveAliases()
    let model = evidence.model
    let names = Dictionary(
      model.entities.map { (foldedName($0.name), $0) }, uniquingKeysWith: { first, _ in first })
    if names.count < model.entities.count { refuse(nil, "two entities have the same name") }
    checkCounter(
      .entity, model.lastEntityID, model.entities.map { ($0.pair, $0.name) })
    checkCounter(
      .index, model.lastIndexID,
      model.entities.flatMap { entity in
        entity.properties.compactMap { property in
          property.indexID.map { ($0, "index of \(entity.name).\(property.name)") }
        }
      })
    checkCounter(
      .relation, model.lastRelationID,
      model.entities.flatMap { entity in
        (entity.relations ?? []).map { ($0.pair, "\(entity.name).\($0.name)") }
      })
    let pairs = Set(model.entities.map(\.pair))
    for entity in model.entities { check(entity, names, pairs) }
    let isWhole =
      isComplete && !endsInEntity && hasEntities && evidence.model.lastEntityID != nil
    if evidence.problems.isEmpty { requireEverythingRead(in: code, isWhole: isWhole) }
    evidence.isComplete = isWhole && evidence.problems.isEmpty
    return evidence
  }

  private mutating func check(
    _ entity: Entity, _ names: [ExactText: Entity], _ pairs: Set<IDPair>
  ) {
    let key = ElementKey(.entity, entity.pair.uid)
    checkCounter(
      .property(entity: entity.pair.uid), entity.lastPropertyID,
      entity.properties.map { ($0.pair, "\(entity.name).\($0.name)") })
    if Set(entity.properties.map { foldedName($0.name) }).count < entity.properties.count {
      refuse(key, "two properties of \(entity.name) have the same name")
    }
    for property in entity.properties {
      let key = ElementKey(.property, property.pair.uid)
      if let target = property.relationTarget, names[foldedName(target)] == nil {
        refuse(key, "\(entity.name).\(property.name) refers to \(target), which is not in the code")
      }
      if property.type == .relation, property.relationTarget == nil {
        refuse(key, "\(entity.name).\(property.name) is a relation without a target")
      }
      if property.type != .relation, property.relationTarget != nil {
        refuse(key, "\(entity.name).\(property.name) has a target and is not a relation")
      }
      // Generators index every to-one relation, only strings by hash, and have one type of ids. Calls
      // that lost their property belong to the one before it here.
      if property.type == .relation, property.indexID == nil {
        refuse(key, "\(entity.name).\(property.name) is a relation without an index")
      }
      if property.flags.contains(.indexHash) || property.flags.contains(.indexHash64),
        property.type != .string
      {
        refuse(key, "\(entity.name).\(property.name) has an index by hash, and is not a string")
      }
      if property.flags.contains(.id), property.type != .long {
        refuse(key, "\(entity.name).\(property.name) is an ID, and not a long")
      }
      if property.flags.isIndexed || property.flags.contains(.unique), property.indexID == nil {
        refuse(key, "\(entity.name).\(property.name) has the flags of an index, but no index")
      }
      if !property.flags.isIndexed, !property.flags.contains(.unique), property.indexID != nil {
        refuse(key, "\(entity.name).\(property.name) has an index, but no flag of one")
      }
    }
    for relation in entity.relations ?? [] where !pairs.contains(relation.target) {
      refuse(
        ElementKey(.relation, relation.pair.uid),
        "the relation \(relation.pair) refers to \(relation.target), which is not in the code")
    }
  }

  private mutating func checkCounter(
    _ counter: Counter, _ last: IDPair?, _ elements: [(pair: IDPair, name: String)]
  ) {
    var ids: Set<UInt32> = []
    for element in elements where !ids.insert(element.pair.id).inserted {
      refuse(
        ElementKey(counter.kind, element.pair.uid),
        "the \(counter.kind) id \(element.pair.id) of \(element.name) is given twice")
    }
    guard let last else { return }
    for element in elements where element.pair.id >= last.id && element.pair != last {
      refuse(
        ElementKey(counter.kind, element.pair.uid),
        "\(element.name) is \(element.pair), and \(counter.kind.lastPairKey) is \(last)")
    }
  }

  private mutating func resolveAliases() {
    for e in evidence.model.entities.indices {
      for p in evidence.model.entities[e].properties.indices {
        let uid = evidence.model.entities[e].properties[p].pair.uid
        guard let (alias, line) = toOneAliases[uid] else { continue }
        guard let target = entitiesByAlias[alias] else {
          refuse(line, "the target \(alias) is not in the code")
          continue
        }
        let name = evidence.model.entities[target].name
        evidence.model.entities[e].properties[p].relationTarget = name
      }
      for r in (evidence.model.entities[e].relations ?? []).indices {
        guard let uid = evidence.model.entities[e].relations?[r].pair.uid,
          let (alias, line) = relationTargets[uid]
        else { continue }
        guard let target = entitiesByAlias[alias] else {
          refuse(line, "the target \(alias) is not in the code")
          continue
        }
        let pair = evidence.model.entities[target].pair
        evidence.model.entities[e].relations?[r].target = pair
      }
    }
  }
}
