internal import BoxConvert
internal import BoxEngine
internal import BoxModel

/// Changes of elements that both models have.
extension Planner {
  mutating func planFields(_ key: ElementKey) {
    guard case .changed(let fields)? = difference[key.kind, key.uid] else { return }
    for change in fields {
      switch (key.kind, change.field) {
      case (_, .id): planRenumbered(key, change)
      case (_, .name): planRenamed(key, change)
      case (_, .owner): planMoved(key, change)
      case (.property, .type): planType(key, change, fields)
      case (.property, .index): planIndex(key, change)
      case (_, .target): planTarget(key, change)
      case (.entity, .flag(let bit)): planEntityFlag(key, change, EntityFlags(rawValue: bit))
      case (_, .flag(let bit)): planFlag(key, change, PropertyFlags(rawValue: bit))
      case (_, .plain), (_, .other): planValue(key, change)
      case (_, .type), (_, .index): break
      }
    }
  }

  /// A change of a field by the rule that its row names.
  private mutating func planValue(_ key: ElementKey, _ change: FieldChange) {
    let row = change.field.row(in: key.kind)
    let subject = subject(key, field: change.field.key(in: key.kind))
    let before = words.before(change.before)
    let after = words.after(change.after)
    var rule = row.planned[key.kind].flatMap { ChangeRule.named[$0] } ?? .unknownKeyChanged
    var reason = ""
    if rule.rule == ChangeRule.vectorParametersChanged.rule {
      if let failure = newVectorIndexFailure(key) {
        rule = .vectorIndexNotServed
        reason = ": \(failure)"
      } else if changesVectorIndex(key) {
        rule = .vectorIndexChanged
      }
    }
    add(
      rule, subject,
      before: before, after: after,
      "\(change.field) of \(label(subject)) changed from \(before ?? "none") to \(after ?? "none")\(reason)",
      covers: [.field(key, change.field)])
  }

  /// The reason why a vector index no longer has a graph; nil if it has one, or had none for the same reason.
  private func newVectorIndexFailure(_ key: ElementKey) -> String? {
    guard let property = new.property(key.uid, newLookup), property.hnswParams != nil,
      let reason = property.vectorIndex.failureReason,
      reason != old.property(key.uid, oldLookup)?.vectorIndex.failureReason
    else { return nil }
    return reason
  }

  /// Whether the vectors of a property are found by another distance, or have another length.
  private func changesVectorIndex(_ key: ElementKey) -> Bool {
    guard let before = old.property(key.uid, oldLookup)?.vectorIndex,
      let after = new.property(key.uid, newLookup)?.vectorIndex
    else { return false }
    return before.distanceName != after.distanceName || before.dimensions != after.dimensions
  }

  private mutating func planRenumbered(_ key: ElementKey, _ change: FieldChange) {
    let rule =
      switch key.kind {
      case .entity: ChangeRule.entityRenumbered
      case .property: ChangeRule.propertyRenumbered
      case .index: ChangeRule.indexRenumbered
      case .relation: ChangeRule.relationRenumbered
      }
    let subject = subject(key)
    let before = words.before(change.before) ?? ""
    let after = words.after(change.after) ?? ""
    add(
      rule, subject, before: before, after: after,
      "\(label(subject)) has the id \(after), and had \(before)",
      covers: [.field(key, change.field)])
  }

  private mutating func planRenamed(_ key: ElementKey, _ change: FieldChange) {
    let rule =
      switch key.kind {
      case .entity: ChangeRule.entityRenamed
      case .property, .index: ChangeRule.propertyRenamed
      case .relation: ChangeRule.relationRenamed
      }
    let subject = subject(key, field: ElementField.name.key)
    let before = words.before(change.before) ?? ""
    add(
      rule, subject, before: before, after: words.after(change.after),
      "the \(key.kind) \(before) is called \(label(subject)) now",
      covers: [.field(key, change.field)])
  }

  private mutating func planMoved(_ key: ElementKey, _ change: FieldChange) {
    let subject = subject(key)
    let rule: ChangeRule
    switch key.kind {
    case .entity: return
    case .index: rule = ChangeRule.indexMoved
    case .relation: rule = ChangeRule.relationMoved
    case .property: rule = ChangeRule.propertyMoved
    }
    add(
      rule, subject, before: words.before(change.before), after: words.after(change.after),
      "\(label(subject)) was a part of \(words.before(change.before) ?? "another entity")",
      covers: [.field(key, change.field)])
  }

  private mutating func planType(
    _ key: ElementKey, _ change: FieldChange, _ fields: [FieldChange]
  ) {
    let subject = subject(key, field: ElementField.type.key)
    // The sign and the target of another type mean nothing to stored values. A generator that
    // states types where an early one did not states the flags too.
    let isStated = change.before == nil
    let folded = fields.filter {
      switch $0.field {
      case .target: true
      case .flag(let bit): isStated || bit == PropertyFlags.unsigned.rawValue
      default: false
      }
    }
    let before = words.before(change.before)
    let after = words.after(change.after)
    let covers = ([change] + folded).map { PlanCoverage.field(key, $0.field) }
    let message =
      "\(label(subject)) is of type \(after ?? "none"), and was of type \(before ?? "none")"
    guard case .type(let from)? = change.before else {
      return add(
        ChangeRule.typeStated, subject, before: before, after: after, message, covers: covers
      ) { planner, step in
        if let place = subject.newPlace { step.engine = planner.limited(step.engine, place) }
      }
    }
    guard case .type(let to)? = change.after, to.isKnown else {
      return add(
        ChangeRule.typeNotStorable, subject, before: before, after: after, message, covers: covers)
    }
    let name = label(subject)
    let flags = old.property(key.uid, oldLookup)?.flags ?? []
    let newFlags = new.property(key.uid, newLookup)?.flags ?? []
    add(
      ChangeRule.typeChanged, subject, before: before, after: after, message, covers: covers
    ) { planner, step in
      step.conversion = TypeConversion(from: from, flags, to: to, newFlags, of: name)
    }
  }

  private mutating func planTarget(_ key: ElementKey, _ change: FieldChange) {
    let coverage = PlanCoverage.field(key, change.field)
    if isCovered(coverage) { return }
    let isStated = change.before == nil && key.kind == .relation
    let subject = subject(key, field: change.field.key(in: key.kind))
    let before = words.before(change.before)
    let after = words.after(change.after)
    add(
      isStated ? ChangeRule.targetStated : ChangeRule.targetChanged, subject, before: before,
      after: after,
      "\(label(subject)) has the target \(after ?? "nothing"), and had \(before ?? "nothing")",
      covers: [coverage])
  }

  private mutating func planEntityFlag(
    _ key: ElementKey, _ change: FieldChange, _ flag: EntityFlags
  ) {
    let isSync = !flag.isDisjoint(with: [.syncEnabled, .sharedGlobalIDs])
    let subject = subject(key, field: ElementField.flags.key)
    let word = flag.setNames.joined()
    add(
      isSync ? ChangeRule.syncChanged : ChangeRule.entityFlagChanged, subject,
      before: flagText(word, change.before), after: flagText(word, change.after),
      "\(label(subject)) \(change.after == .isSet(true) ? "has" : "no longer has") the flag \(word)",
      covers: [.field(key, change.field)])
  }

  private func flagText(_ word: String, _ value: FieldValue?) -> String {
    value == .isSet(true) ? word : "no \(word)"
  }

  private mutating func planFlag(
    _ key: ElementKey, _ change: FieldChange, _ flag: PropertyFlags
  ) {
    let coverage = PlanCoverage.field(key, change.field)
    if isCovered(coverage) { return }
    let isSet = change.after == .isSet(true)
    let rule: ChangeRule =
      switch flag {
      case .id: ChangeRule.idPropertyChanged
      case .notNull: ChangeRule.notNullChanged
      case .unique: isSet ? ChangeRule.uniqueAdded : ChangeRule.uniqueRemoved
      case .indexPartialSkipNull, .indexPartialSkipZero: ChangeRule.indexSkipChanged
      case .unsigned: ChangeRule.signChanged
      case .uniqueOnConflictReplace: ChangeRule.conflictStrategyChanged
      case .expirationTime: ChangeRule.expirationChanged
      case .idMonotonicSequence, .idSelfAssignable, .idCompanion: ChangeRule.idAssignmentChanged
      case .syncClock, .syncPrecedence: ChangeRule.syncFlagChanged
      case .nonPrimitiveType, .virtual: ChangeRule.languageFlagChanged
      default: ChangeRule.unknownFlagChanged
      }
    let subject = subject(key, field: ElementField.flags.key)
    let word = flag.setNames.joined()
    add(
      rule, subject, before: flagText(word, change.before), after: flagText(word, change.after),
      "\(label(subject)) \(isSet ? "has" : "no longer has") the flag \(word)", covers: [coverage]
    ) { planner, step in
      if flag == .indexPartialSkipZero && !isSet && planner.wasUnique(subject)
        && planner.forecast.objects(to: key, by: OpeningRule.notUnique)
      {
        step.engine = EngineVerdict(
          .latent, "the index is rebuilt; a store in which two objects have zero is refused",
          .untouched, rule: OpeningRule.notUnique)
      }
    }
  }

  /// Whether the values of a property had to differ.
  private func wasUnique(_ subject: Subject) -> Bool {
    guard case .property(let e, let p)? = subject.oldPlace else { return false }
    return old.entities[e].properties[p].flags.contains(.unique)
  }

  // MARK: - Indexes

  private mutating func planIndex(_ key: ElementKey, _ change: FieldChange) {
    let planned = PlannedIndex(subject(key, field: ElementField.indexID.key), key, change, self)
    switch (planned.oldUID, planned.newUID) {
    case (nil, let uid?): planAdded(planned, uid)
    case (let uid?, nil): planRemoved(planned, uid)
    case (let a?, let b?) where a != b:
      add(
        planned.hasPresence ? ChangeRule.indexReplaced : ChangeRule.indexMoved, planned,
        before: planned.before, "\(planned.name) has another index than before")
    default:
      add(
        ChangeRule.indexKindChanged, planned, before: planned.before,
        "\(planned.name) is indexed \(planned.after ?? "in no way"), and was indexed "
          + (planned.before ?? "in no way"))
    }
  }

  private mutating func planAdded(_ planned: PlannedIndex, _ uid: UID) {
    let name = planned.name
    if !planned.hasPresence {
      add(
        ChangeRule.indexMoved, planned, before: planned.before,
        "the index with the UID \(uid) is on \(name) now")
    } else if oldLookup.isRetired(uid) {
      add(
        ChangeRule.revived, planned, before: "retired",
        "the index of \(name) has the UID \(uid), which was retired")
    } else if let owner = indexID(planned.property.newPlace).flatMap({ removedIndex(withID: $0.id) }
    ) {
      add(
        ChangeRule.idReused, planned, before: owner,
        "the new index of \(name) has the id of the \(owner), which was removed")
    } else {
      add(
        ChangeRule.indexAdded, planned, before: planned.before,
        "\(name) is indexed \(planned.after ?? "") from now on")
    }
  }

  private mutating func planRemoved(_ planned: PlannedIndex, _ uid: UID) {
    let (rule, message): (ChangeRule, String) =
      switch difference[.index, uid] {
      case .removed(.retired)?:
        (ChangeRule.indexRemoved, "\(planned.name) is no longer indexed")
      case .removed?:
        (
          ChangeRule.indexForgotten,
          "\(planned.name) is no longer indexed, and the UID \(uid) of its index is not retired"
        )
      default:
        (
          ChangeRule.indexMoved,
          "the index with the UID \(uid) is no longer on \(planned.name)"
        )
      }
    add(
      rule, planned.index, before: planned.before, after: planned.after, message,
      covers: planned.covers)
  }

  /// Adds the step of an index that the property has, within the limits of its type.
  private mutating func add(
    _ rule: ChangeRule, _ planned: PlannedIndex, before: String?, _ message: String
  ) {
    add(
      rule, planned.index, before: before, after: planned.after, message, covers: planned.covers
    ) { planner, step in
      if let place = planned.property.newPlace { step.engine = planner.limited(step.engine, place) }
    }
  }

  private func indexID(_ place: ElementPlace?) -> IDPair? {
    guard case .property(let e, let p)? = place else { return nil }
    return new.entities[e].properties[p].indexID
  }
}

/// A change of the index of a property, with all that its step shows.
private struct PlannedIndex {
  let property: Planner.Subject
  let index: Planner.Subject
  /// The name of the property.
  let name: String
  let (before, after): (String?, String?)
  let (oldUID, newUID): (UID?, UID?)
  /// Whether an index of the property was added or removed, rather than moved.
  let hasPresence: Bool
  let covers: [PlanCoverage]

  init(
    _ property: Planner.Subject, _ key: ElementKey, _ change: FieldChange, _ planner: Planner
  ) {
    self.property = property
    name = planner.label(property)
    (before, after) = (planner.words.before(change.before), planner.words.after(change.after))
    (oldUID, newUID) = (Self.uid(change.before), Self.uid(change.after))
    var index = property
    index.kind = .index
    if let uid = newUID ?? oldUID { index.uid = uid }
    self.index = index
    let present = [oldUID, newUID].compactMap { $0 }.map { ElementKey(.index, $0) }.filter {
      switch planner.difference[$0.kind, $0.uid] {
      case .changed?, nil: false
      default: true
      }
    }
    hasPresence = !present.isEmpty
    covers = [.field(key, change.field)] + present.map { .element($0) }
  }

  private static func uid(_ value: FieldValue?) -> UID? {
    guard case .index(_, let uid)? = value else { return nil }
    return uid
  }
}
