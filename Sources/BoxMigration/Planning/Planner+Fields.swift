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

  /// The reason why no graph serves a vector index any more; nil if one does, or none did for the same reason.
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
      "\(label(subject)) leads to \(after ?? "nothing"), and led to \(before ?? "nothing")",
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
    let subject = subject(key, field: ElementField.indexID.key)
    var indexSubject = subject
    indexSubject.kind = .index
    let coverage = PlanCoverage.field(key, change.field)
    let name = label(subject)
    let before = words.before(change.before)
    let after = words.after(change.after)
    let (oldUID, newUID) = (Self.uid(change.before), Self.uid(change.after))
    let removedIndex = oldUID.map { ElementKey(.index, $0) }
    let addedIndex = newUID.map { ElementKey(.index, $0) }
    if let uid = newUID ?? oldUID { indexSubject.uid = uid }
    func isPresence(_ key: ElementKey?) -> Bool {
      guard let key, let change = difference[key.kind, key.uid] else { return false }
      if case .changed = change { return false }
      return true
    }
    let covers =
      [coverage]
      + [removedIndex, addedIndex].compactMap { $0 }.filter { isPresence($0) }.map { .element($0) }
    let limit: (Planner, inout PlanStep) -> Void = { planner, step in
      if let place = subject.newPlace { step.engine = planner.limited(step.engine, place) }
    }
    switch (oldUID, newUID) {
    case (nil, let uid?):
      if !isPresence(addedIndex) {
        return add(
          ChangeRule.indexMoved, indexSubject, before: before, after: after,
          "the index with the UID \(uid) is on \(name) now", covers: covers, edit: limit)
      }
      if oldLookup.isRetired(uid) {
        return add(
          ChangeRule.revived, indexSubject, before: "retired", after: after,
          "the index of \(name) has the UID \(uid), which was retired", covers: covers,
          edit: limit)
      }
      if let owner = indexID(subject.newPlace).flatMap({ goneIndex(withID: $0.id) }) {
        return add(
          ChangeRule.idReused, indexSubject, before: owner, after: after,
          "the new index of \(name) has the id of the \(owner), which was removed", covers: covers,
          edit: limit)
      }
      add(
        ChangeRule.indexAdded, indexSubject, before: before, after: after,
        "\(name) is indexed \(after ?? "") from now on", covers: covers, edit: limit)
    case (let uid?, nil):
      guard let removedIndex, case .removed(let removal)? = difference[.index, uid] else {
        return add(
          ChangeRule.indexMoved, indexSubject, before: before, after: after,
          "the index with the UID \(uid) is no longer on \(name)", covers: covers)
      }
      add(
        removal == .retired ? ChangeRule.indexRemoved : ChangeRule.indexForgotten, indexSubject,
        before: before, after: after,
        removal == .retired
          ? "\(name) is no longer indexed"
          : "\(name) is no longer indexed, and the UID \(removedIndex.uid) of its index is not retired",
        covers: covers)
    case (let a?, let b?) where a != b:
      add(
        isPresence(removedIndex) || isPresence(addedIndex)
          ? ChangeRule.indexReplaced : ChangeRule.indexMoved,
        indexSubject, before: before, after: after, "\(name) has another index than before",
        covers: covers, edit: limit)
    default:
      add(
        ChangeRule.indexKindChanged, indexSubject, before: before, after: after,
        "\(name) is indexed \(after ?? "in no way"), and was indexed \(before ?? "in no way")",
        covers: covers, edit: limit)
    }
  }

  private static func uid(_ value: FieldValue?) -> UID? {
    guard case .index(_, let uid)? = value else { return nil }
    return uid
  }

  private func indexID(_ place: ElementPlace?) -> IDPair? {
    guard case .property(let e, let p)? = place else { return nil }
    return new.entities[e].properties[p].indexID
  }
}
