internal import BoxJSON
internal import BoxModel
internal import BoxReport
internal import BoxStorage

/// The changes that opening a store with a model makes to its catalog, and the reasons against
/// them.
struct CatalogUpdate {
  /// The catalog after the opening.
  private(set) var catalog: Catalog
  /// Reasons to refuse, and warnings.
  private(set) var findings: [Finding] = []
  /// The same by element, for a ``OpeningForecast``.
  private(set) var refusals: [OpeningRefusal] = []
  /// UIDs of indexes that have to be built from the data.
  private(set) var indexesToBuild: Set<UID> = []
  /// Indexes that the model has and the catalog does not, as they are built later, by the UIDs of
  /// their properties.
  private(set) var deferredIndexes: [UID: CatalogIndex] = [:]
  /// UIDs of properties whose values have to differ for an index to be built.
  private(set) var uniqueIndexesToBuild: Set<UID> = []
  /// UIDs of indexes whose entries are no longer needed, with the kinds of their spaces.
  private(set) var indexesToDrop: [UID: SpaceKind] = [:]

  /// The properties without a type, as `Entity.property`.
  private var untyped: [String] = []
  /// The relations without a target, as `Entity.relation`.
  private var untargeted: [String] = []
  private let model: Model
  private let path: String
  /// Whether an entity has stored objects: without any there is nothing to misread.
  private let hasObjects: (UID) -> Bool
  private let ownerOfStored: [UID: UID]
  /// The positions of the entities of the model.
  private let positions: [UID: Int]
  /// The UIDs of the entities of the model by their folded names.
  private let uidsByName: [ExactText: UID]
  /// Whether the index of `Entity.property` may be deferred.
  private let mayDefer: (String) -> Bool

  /// The values of properties that are not optional, null for zero; nil if the opener does not know.
  private let constants: [UID: Value]?
  /// Whether the constants are copied from another store, whose objects are stored next.
  private let carriesConstants: Bool

  /// The advice about values of another type.
  private static let converting =
    "convert the values with `boxjoint migrate --store DIR --to MODEL`, or open the store with a history "
    + "(Store.open(history:))"

  /// Those of some slots that stored objects of an entity lack.
  private let missingSlots: (UID, Set<Int>) -> Set<Int>

  /// Plans the opening.
  ///
  /// - Parameters:
  ///   - stored: The catalog in the store; an empty one for a new store.
  ///   - model: The model to open it with.
  ///   - path: The path of the model file in findings.
  ///   - acceptsRegenerated: Whether a model that looks newly generated is accepted.
  ///   - retired: The UIDs that the last model of the store had retired; only called if needed.
  ///   - mayDefer: Whether the index of a property, named as `Entity.property`, may be
  ///     deferred; unique indexes and those of stored objects never are.
  ///   - constants: The values of properties that are not optional in objects without one, by UID; null for zero,
  ///     false or empty. Nil for an opener that has a model alone.
  ///   - carriesConstants: Whether the constants are copied from another store, whose objects are stored next.
  ///   - declarations: What is declared about relations; nil for an opener that leaves what is stored.
  ///   - missingSlots: Those of some slots that at least one stored object of an entity lacks; only called if needed.
  ///   - hasObjects: Whether the entity of a UID has stored objects.
  init(
    stored: Catalog, model: Model, path: String, acceptsRegenerated: Bool,
    retired: () -> Set<UID> = { [] },
    mayDefer: @escaping (String) -> Bool = { _ in false },
    constants: [UID: Value]? = nil, carriesConstants: Bool = false,
    declarations: Declarations? = nil,
    missingSlots: @escaping (UID, Set<Int>) -> Set<Int> = { $1 },
    hasObjects: @escaping (UID) -> Bool
  ) {
    self.constants = constants
    self.carriesConstants = carriesConstants
    self.missingSlots = missingSlots
    catalog = stored
    self.model = model
    self.path = path
    self.hasObjects = hasObjects
    self.mayDefer = mayDefer
    var owners: [UID: UID] = [:]
    for entity in stored.entities {
      for property in entity.properties { owners[property.uid] = entity.uid }
      for relation in entity.relations { owners[relation.uid] = entity.uid }
    }
    ownerOfStored = owners
    positions = Dictionary(
      model.entities.enumerated().map { ($1.pair.uid, $0) }, uniquingKeysWith: { first, _ in first }
    )
    uidsByName = Dictionary(
      model.entities.map { (foldedName($0.name), $0.pair.uid) },
      uniquingKeysWith: { first, _ in first })
    if !acceptsRegenerated { refuseRegenerated(stored, retired) }
    if findings.isEmpty { apply(to: stored) }
    if let declarations { catalog.adoptDeclarations(declarations) }
    refuseDeclarations(areGiven: declarations != nil)
    if catalog != stored { catalog.generation += 1 }
  }

  /// The update of a store whose model is known to change nothing.
  init(settled catalog: Catalog, _ model: Model, path: String) {
    self.catalog = catalog
    self.model = model
    self.path = path
    (constants, carriesConstants) = (nil, false)
    (ownerOfStored, positions, uidsByName) = ([:], [:], [:])
    hasObjects = { _ in true }
    mayDefer = { _ in false }
    missingSlots = { $1 }
  }

  /// Whether the catalog stays as it is, nothing is reported, and nothing has to be built or removed.
  func changesNothing(in stored: Catalog) -> Bool {
    findings.isEmpty && indexesToBuild.isEmpty && deferredIndexes.isEmpty && indexesToDrop.isEmpty
      && catalog == stored
  }

  /// Whether the store may be opened.
  var isAllowed: Bool { !findings.contains { $0.severity == .error } }

  private mutating func report(_ rule: Rule, _ message: String, _ advice: String) {
    findings.append(Finding(rule: rule, message: message, advice: advice, path: path))
  }

  private mutating func report(
    _ rule: Rule, _ kind: ElementKind, _ uid: UID, _ message: String, _ advice: String
  ) {
    object(rule, kind, uid, message)
    report(rule, message, advice)
  }

  private mutating func object(
    _ rule: Rule, _ kind: ElementKind, _ uid: UID, _ message: String
  ) {
    refusals.append(
      OpeningRefusal(rule: rule, element: ElementKey(kind, uid), message: message))
  }

  private mutating func noteUntargeted(_ relation: Relation, of entity: Entity) {
    let label = "\(entity.name).\(relation.name)"
    untargeted.append(label)
    object(
      OpeningRule.targetUnset, .relation, relation.pair.uid,
      "\(label) does not say which entity it refers to")
  }

  private mutating func refuseRegenerated(_ stored: Catalog, _ retired: () -> Set<UID>) {
    let recognition = ModelRecognition(of: model, shown: stored.shownUIDs) {
      stored.allUIDs.union(retired())
    }
    if !recognition.looksRegenerated { return }
    report(
      OpeningRule.regenerated,
      "the model knows \(recognition.recognized) of the \(recognition.shown) UIDs in the store, which "
        + "had no model with \(recognition.unknown) of the \(recognition.total) UIDs of this one: it "
        + "looks newly generated",
      "restore the model file from version control, or find it with `boxjoint recover`")
  }

  private mutating func apply(to stored: Catalog) {
    var updated: [CatalogEntity] = []
    for entity in stored.entities {
      if let position = positions[entity.uid] {
        updated.append(merged(entity, model.entities[position]))
      } else {
        updated.append(hidden(entity))
      }
    }
    let storedEntities = Set(stored.entities.map(\.uid))
    for entity in model.entities where !storedEntities.contains(entity.pair.uid) {
      if let owner = ownerOfStored[entity.pair.uid] {
        report(
          OpeningRule.kindChanged, .entity, entity.pair.uid,
          "\(entity.name) has the UID \(entity.pair.uid) of a part of \(name(of: owner))",
          "give the entity a UID of its own")
        continue
      }
      updated.append(merged(CatalogEntity(uid: entity.pair.uid, name: entity.name), entity))
    }
    catalog.entities = updated
    reportGaps()
    reportUnknownConstants()
  }

  /// Refuses declarations that the model does not fit.
  private mutating func refuseDeclarations(areGiven: Bool) {
    for (uid, finding) in catalog.declarations.refusals(of: model, areGiven: areGiven, path: path) {
      object(finding.rule, .property, uid, finding.message)
      findings.append(finding)
    }
  }

  private func name(of entity: UID) -> String {
    catalog.entities.first { $0.uid == entity }?.name ?? "\(entity)"
  }

  private mutating func hidden(_ entity: CatalogEntity) -> CatalogEntity {
    var entity = entity
    if !entity.isHidden { warnIfNotRetired(.entity, entity.uid, entity.name) }
    entity.isHidden = true
    for position in entity.properties.indices { dropIndex(of: &entity.properties[position]) }
    return entity
  }

  private mutating func warnIfNotRetired(_ kind: ElementKind, _ uid: UID, _ name: String) {
    if model[retired: kind]?.contains(uid) ?? false { return }
    report(
      OpeningRule.hiddenNotRetired, kind, uid,
      "\(name) (\(uid)) is stored, but neither in the model nor retired; its data is hidden",
      "restore it in the model file, or add the UID to \(kind.retiredListKey)")
  }

  private mutating func dropIndex(of property: inout CatalogProperty) {
    if let index = property.index { indexesToDrop[index.uid] = property.indexSpaceKind }
    property.index = nil
  }

  private mutating func merged(_ stored: CatalogEntity, _ entity: Entity) -> CatalogEntity {
    var result = stored
    result.name = entity.name
    result.isHidden = false
    let holdsObjects = hasObjects(stored.uid)
    let positions = Dictionary(
      entity.properties.enumerated().map { ($1.pair.uid, $0) },
      uniquingKeysWith: { first, _ in first })
    let lacked = holdsObjects ? missingSlots(of: stored) : []
    for position in result.properties.indices {
      if let found = positions[result.properties[position].uid] {
        let property = entity.properties[found]
        let isLacked = lacked.contains(result.properties[position].slot)
        updateProperty(
          property, into: &result.properties[position], of: entity, holdsObjects, isLacked)
      } else {
        hide(&result.properties[position], of: entity)
      }
    }
    let known = Set(stored.properties.map(\.uid))
    for property in entity.properties.sorted(by: { $0.pair.id < $1.pair.id })
    where !known.contains(property.pair.uid)
      && isFree(.property, property.pair.uid, property.name, entity)
    {
      add(property, to: &result, of: entity, holdsObjects)
    }
    requireSameID(stored, entity, holdsObjects)
    mergeRelations(stored, entity, into: &result)
    return result
  }

  private mutating func isFree(
    _ kind: ElementKind, _ uid: UID, _ name: String, _ entity: Entity
  ) -> Bool {
    guard let owner = ownerOfStored[uid] else { return true }
    if owner == entity.pair.uid {
      report(
        OpeningRule.kindChanged, kind, uid,
        "\(entity.name).\(name) is another kind of element than what is stored under its UID \(uid)",
        "give it a UID of its own")
    } else {
      report(
        OpeningRule.moved, kind, uid,
        "\(entity.name).\(name) is stored as a part of \(self.name(of: owner))",
        "give it a UID of its own, or move it back")
    }
    return false
  }

  private mutating func hide(_ property: inout CatalogProperty, of entity: Entity) {
    if !property.isHidden {
      warnIfNotRetired(.property, property.uid, "\(entity.name).\(property.name)")
    }
    property.isHidden = true
    // Objects that are put meanwhile have no value.
    property.isRequired = false
    dropIndex(of: &property)
  }

  private mutating func updateProperty(
    _ property: Property, into stored: inout CatalogProperty, of entity: Entity,
    _ holdsObjects: Bool, _ isLacked: Bool
  ) {
    let label = "\(entity.name).\(property.name)"
    let target = targetUID(of: property)
    let isUnsigned = property.flags.contains(.unsigned)
    guard let type = storableType(of: property, label) else { return }
    if holdsObjects {
      if type != stored.type {
        report(
          OpeningRule.typeChanged, .property, property.pair.uid,
          "\(label) is of type \(type), and its stored values are of type \(stored.type)",
          Self.converting
            + "; or restore the type, or give the property a new UID, which starts it without values"
        )
      } else if isUnsigned != stored.flags.contains(.unsigned) {
        report(
          OpeningRule.signChanged, .property, property.pair.uid,
          "\(label) is \(isUnsigned ? "unsigned" : "signed"), and its stored values are "
            + "\(isUnsigned ? "signed" : "unsigned")",
          Self.converting
            + "; or restore the flag, or give the property a new UID, which starts it without values"
        )
      } else if target != stored.target {
        report(
          OpeningRule.targetChanged, .property, property.pair.uid,
          "\(label) refers to another entity than its stored values",
          "give the relation a new UID, or restore its target")
      }
    }
    // The keys of the old type are of another kind, even where there are none yet.
    if type != stored.type {
      dropIndex(of: &stored)
      stored.constant = nil
    }
    stored.name = property.name
    stored.isHidden = false
    stored.type = type
    stored.flags = property.flags
    stored.target = target
    let constant = stored.constant
    updateConstant(property, into: &stored, label, isLacked: isLacked)
    // Its entries are of other values.
    if stored.constant != constant { dropIndex(of: &stored) }
    updateIndex(property, into: &stored, label, holdsObjects)
  }

  /// The type of a property; nil for one that cannot be stored, which is noted.
  private mutating func storableType(of property: Property, _ label: String) -> PropertyType? {
    guard let type = property.type else {
      untyped.append(label)
      object(OpeningRule.unknownType, .property, property.pair.uid, "\(label) has no type")
      return nil
    }
    if property.slotType != nil { return type }
    report(
      OpeningRule.unknownType, .property, property.pair.uid,
      "\(label) is of \(type), which cannot be stored",
      ModelAdvice.typeUnknown)
    return nil
  }

  /// Reports all properties without a type and all relations without a target, each as one finding:
  /// files of early generators have none of them.
  private mutating func reportGaps() {
    if let first = untyped.first {
      let has = untyped.count == 1 ? "\(first) has" : "\(Self.few(untyped, "properties")) have"
      report(
        OpeningRule.unknownType, "\(has) no type, so values cannot be stored",
        ModelAdvice.typeMissing)
    }
    if let first = untargeted.first {
      let say =
        untargeted.count == 1
        ? "\(first) does not say which entity it refers to"
        : "\(Self.few(untargeted, "relations")) do not say which entity they refer to"
      report(OpeningRule.targetUnset, say, ModelAdvice.targetUnset)
    }
  }

  /// The number of things, and the first three of them.
  private static func few(_ labels: [String], _ noun: String) -> String {
    let rest = labels.count > 3 ? ", …" : ""
    return "\(labels.count) \(noun) (\(labels.prefix(3).joined(separator: ", "))\(rest))"
  }

  private func targetUID(of property: Property) -> UID? {
    guard property.type == .relation, let name = property.relationTarget else { return nil }
    return uidsByName[foldedName(name)]
  }

  private mutating func updateIndex(
    _ property: Property, into stored: inout CatalogProperty, _ label: String,
    _ holdsObjects: Bool
  ) {
    let wanted = index(of: property, label)
    let isKept = wanted == stored.index
    if isKept && (wanted == nil || holdsObjects) { return }
    if let wanted, !wanted.isUnique, mayDefer(label) {
      dropIndex(of: &stored)
      deferredIndexes[stored.uid] = wanted
      return
    }
    if isKept { return }
    dropIndex(of: &stored)
    stored.index = wanted
    guard let wanted else { return }
    indexesToBuild.insert(wanted.uid)
    if wanted.isUnique { uniqueIndexesToBuild.insert(stored.uid) }
  }

  private mutating func index(of property: Property, _ label: String) -> CatalogIndex? {
    if let index = CatalogIndex(of: property) { return index }
    guard property.indexID != nil,
      let type = property.slotType
    else { return nil }
    let isNearness = type == .floats
    // A graph serves it, beside the store; without one, vectors are compared.
    if isNearness, property.vectorIndex.failureReason == nil { return nil }
    report(
      OpeningRule.vectorIndex, .property, property.pair.uid,
      isNearness
        ? "the index of \(label) for nearest neighbours is not built"
        : "the index of \(label) is not built, as its type has none; two objects can have one value",
      isNearness
        ? "search its vectors by a scan, or remove the index"
        : "index another property, or remove the index")
    return nil
  }

  private mutating func add(
    _ property: Property, to result: inout CatalogEntity, of entity: Entity,
    _ holdsObjects: Bool
  ) {
    let label = "\(entity.name).\(property.name)"
    guard let type = storableType(of: property, label) else { return }
    if result.nextSlot >= RecordLayout.maximumSlots {
      report(
        OpeningRule.tooManyProperties, .property, property.pair.uid,
        "\(entity.name) has no slot left for \(property.name)",
        "give its further properties to a new entity")
      return
    }
    var added = CatalogProperty(
      uid: property.pair.uid, name: property.name, type: type, flags: property.flags,
      slot: result.nextSlot, target: targetUID(of: property))
    result.nextSlot += 1
    updateConstant(property, into: &added, label, isLacked: holdsObjects || carriesConstants)
    updateIndex(property, into: &added, label, false)
    result.properties.append(added)
  }

  // MARK: - Constants

  /// The slots that some objects of an entity lack, among those that may need a constant.
  private func missingSlots(of stored: CatalogEntity) -> Set<Int> {
    guard let constants else { return [] }
    let asked = stored.properties.filter {
      !$0.isRequired && $0.constant == nil && constants[$0.uid] != nil
    }
    return asked.isEmpty ? [] : missingSlots(stored.uid, Set(asked.map(\.slot)))
  }

  /// Keeps the value that objects without one have, from the first opening that gives one.
  ///
  /// - Parameters:
  ///   - property: The property of the model.
  ///   - stored: The property of the catalog.
  ///   - label: Its name, for messages.
  ///   - isLacked: Whether stored objects have no value.
  private mutating func updateConstant(
    _ property: Property, into stored: inout CatalogProperty, _ label: String, isLacked: Bool
  ) {
    guard let constants else { return }
    guard let value = constants[property.pair.uid] else {
      (stored.constant, stored.isRequired) = (nil, false)
      return
    }
    guard let type = property.slotType else { return }
    if !property.flags.isDisjoint(with: [.id, .unique]) || property.type == .relation {
      return refuse(
        property,
        "\(label) (\(property.pair.uid)) is unique, an id or a relation, and has a constant")
    }
    do throws(ValueMismatch) {
      let constant = try StoredConstant(value, type)
      if stored.constant == nil, !stored.isRequired, isLacked { stored.constant = constant }
      if let kept = stored.constant, kept != constant { noteKept(kept, type, property, label) }
      stored.isRequired = true
    } catch {
      refuse(
        property,
        "the constant \(value) does not fit \(label) (\(property.pair.uid)): it takes \(error.words)"
      )
    }
  }

  private mutating func noteKept(
    _ kept: StoredConstant, _ type: SlotType, _ property: Property, _ label: String
  ) {
    report(
      OpeningRule.constantKept, .property, property.pair.uid,
      "\(label) is \(kept.value(type) ?? .null) in objects that were stored without it, and the bindings say otherwise",
      "put these objects again if they should have the new value")
  }

  private mutating func refuse(_ property: Property, _ message: String) {
    report(
      OpeningRule.wrongConstant, .property, property.pair.uid, message,
      "generate the bindings again from this model file")
  }

  /// Reports constants of properties that the model lacks.
  private mutating func reportUnknownConstants() {
    guard let constants else { return }
    let known = Set(model.entities.flatMap { $0.properties.map(\.pair.uid) })
    for uid in constants.keys.sorted() where !known.contains(uid) {
      report(
        OpeningRule.wrongConstant,
        "the bindings have a constant for the UID \(uid), which is no property"
          + " of the model", "generate the bindings again from this model file")
    }
  }

  private mutating func requireSameID(
    _ stored: CatalogEntity, _ entity: Entity, _ holdsObjects: Bool
  ) {
    let before = stored.properties.first { !$0.isHidden && $0.flags.contains(.id) }?.uid
    let after = entity.properties.first { $0.flags.contains(.id) }?.pair.uid
    guard holdsObjects, let before, before != after else { return }
    let message = "the id of \(entity.name) is another property than that of the stored objects"
    report(OpeningRule.idChanged, message, "restore the UID of the id property")
    for property in [before, after].compactMap({ $0 }) {
      object(OpeningRule.idChanged, .property, property, message)
    }
  }

  private mutating func mergeRelations(
    _ stored: CatalogEntity, _ entity: Entity, into result: inout CatalogEntity
  ) {
    let relations = entity.relations ?? []
    for position in result.relations.indices {
      let known = result.relations[position]
      guard let relation = relations.first(where: { $0.pair.uid == known.uid }) else {
        if !known.isHidden {
          warnIfNotRetired(.relation, known.uid, "\(entity.name).\(known.name)")
        }
        result.relations[position].isHidden = true
        continue
      }
      if relation.target.uid != known.target && hasObjects(stored.uid) {
        report(
          OpeningRule.targetChanged, .relation, relation.pair.uid,
          "\(entity.name).\(relation.name) refers to another entity than its stored entries",
          "give the relation a new UID, or restore its target")
      } else if relation.target.isUnset {
        noteUntargeted(relation, of: entity)
        continue
      }
      result.relations[position].name = relation.name
      result.relations[position].target = relation.target.uid
      result.relations[position].isHidden = false
    }
    let known = Set(stored.relations.map(\.uid))
    for relation in relations
    where !known.contains(relation.pair.uid)
      && isFree(.relation, relation.pair.uid, relation.name, entity)
    {
      if relation.target.isUnset {
        noteUntargeted(relation, of: entity)
        continue
      }
      result.relations.append(
        CatalogRelation(
          uid: relation.pair.uid, name: relation.name, target: relation.target.uid))
    }
  }
}

extension Property {
  /// The type of the property's slot; nil if its values cannot be stored.
  var slotType: SlotType? { type.flatMap { SlotType($0, flags) } }
}

extension CatalogIndex {
  /// The index that is built of a property; nil for a property without one, and for a type that has
  /// none: bytes and vectors have no order, nor is there a hash of them.
  init?(of property: Property) {
    guard let pair = property.indexID,
      let type = property.slotType,
      !type.isReference || type == .string
    else { return nil }
    let flags = property.flags
    self.init(
      uid: pair.uid, kind: .value, isUnique: flags.contains(.unique),
      skipsZero: flags.contains(.indexPartialSkipZero))
    if type == .string, flags.contains(.indexHash) { kind = .hash }
    if type == .string, flags.contains(.indexHash64) { kind = .hash64 }
  }
}
