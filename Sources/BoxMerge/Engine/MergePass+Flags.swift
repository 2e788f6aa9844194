import BoxModel

/// Flags that are sound on each side and contradict each other together.
extension MergePass {
  mutating func settleFlags() throws(Obstacle) {
    for property in draft.properties.all {
      let key = ElementKey(.property, property.uid)
      if isContradictory(property.value), !wasContradictory(key) { try settleFlags(of: key) }
    }
    for entity in draft.entities.all {
      let key = ElementKey(.entity, entity.uid)
      if isContradictory(entity.value), !wasContradictory(key) { try settleFlags(of: key) }
    }
    try settleSingles()
  }

  private func isContradictory(_ entity: Entity) -> Bool {
    entity.flags.contains(.sharedGlobalIDs) && !entity.flags.contains(.syncEnabled)
  }

  private func isContradictory(_ property: Property) -> Bool {
    let flags = property.flags
    let wantsIndex = flags.isIndexed || !flags.isDisjoint(with: .needsIndex)
    return flags.isSuperset(of: [.indexHash, .indexHash64])
      || (flags.contains(.uniqueOnConflictReplace) && !flags.contains(.unique))
      || (!flags.isIndexed && !flags.isDisjoint(with: .needsIndex))
      || (property.type != nil && wantsIndex != (property.indexID != nil))
      || flags.isSuperset(of: [.syncClock, .syncPrecedence])
      || (property.type.map { isOutOfPlace(flags, on: $0) } ?? false)
  }

  /// Flags that mean nothing for a type.
  private func isOutOfPlace(_ flags: PropertyFlags, on type: PropertyType) -> Bool {
    guard type.isKnown else { return false }
    return (flags.contains(.id) && type != .long)
      || !type.unsupportedFlags(in: flags.subtracting(.indexed)).isEmpty
  }

  private func wasContradictory(_ key: ElementKey) -> Bool {
    MergeSide.allCases.contains { side in
      let view = view(side, key)
      if key.kind == .entity { return view.entity(key.uid).map(isContradictory) ?? false }
      return view.property(key.uid).map { isContradictory($0.element) } ?? false
    }
  }

  private mutating func settleFlags(of key: ElementKey) throws(Obstacle) {
    let label = label(key)
    let conflict = Conflict(
      id: "flags-clash/\(key.kind)/\(key.uid)", rule: MergeRule.flagsClash, elements: [key],
      label: label, message: "the flags that both sides gave \(label) contradict each other",
      ours: flagsMeaning(key, .ours), theirs: flagsMeaning(key, .theirs))
    let resolution = resolve(conflict)
    try takeFlags(of: [key], from: resolution)
  }

  /// Takes all flags of elements from one version; if they already are, no version has valid ones
  /// and the merge fails.
  private mutating func takeFlags(
    of keys: [ElementKey], from resolution: Resolution
  ) throws(Obstacle) {
    for key in keys where state.rulings.flagsFrom.updateValue(resolution, forKey: key) != nil {
      throw Obstacle(
        reason: "the flags of \(label(key)) contradict each other on either side",
        elements: [key])
    }
  }

  private func flagsMeaning(_ key: ElementKey, _ side: MergeSide) -> String {
    let names =
      if key.kind == .entity {
        sides[side].entity(key.uid)?.flags.setNames ?? []
      } else {
        sides[side].property(key.uid)?.element.flags.setNames ?? []
      }
    let flags = names.isEmpty ? "no flags" : "the flags \(names.joined(separator: ", "))"
    return "\(label(key)) has \(flags), as \(side) has it"
  }

  // MARK: - What an entity has one of

  private mutating func settleSingles() throws(Obstacle) {
    var marked: [UID: [Property]] = [:]
    for property in draft.properties.all
    where !property.value.flags.isDisjoint(with: [.id, .syncClock, .syncPrecedence]) {
      marked[property.owner, default: []].append(property.value)
    }
    for entity in draft.entities.all {
      let candidates = marked[entity.uid] ?? []
      for flag in [PropertyFlags.id, .syncClock, .syncPrecedence] {
        try settle(flag, entity, candidates.filter { $0.flags.contains(flag) })
      }
      let clocks = candidates.filter { !$0.flags.isDisjoint(with: [.syncClock, .syncPrecedence]) }
      if !clocks.isEmpty, !entity.value.flags.contains(.syncEnabled) {
        try settleSync(entity, clocks)
      }
    }
  }

  private mutating func settle(
    _ flag: PropertyFlags, _ entity: MergedEntity, _ all: [Property]
  ) throws(Obstacle) {
    guard all.count > 1 else { return }
    let sides = self.sides
    func holders(_ side: MergeSide) -> [Property] {
      all.filter { sides[side].property($0.pair.uid)?.element.flags.contains(flag) ?? false }
    }
    if MergeSide.allCases.contains(where: { holders($0).count > 1 }) { return }
    let name = flag.setNames.joined()
    let key = ElementKey(.entity, entity.uid)
    let describe = { (side: MergeSide) in
      "the property of \(entity.name) with the flag \(name) is "
        + holders(side).map(\.name).joined(separator: ", ")
    }
    let conflict = Conflict(
      id: "not-twice/entity/\(entity.uid)/\(flag.rawValue)", rule: MergeRule.notTwice,
      elements: [key] + all.map { ElementKey(.property, $0.pair.uid) }.sorted(), label: entity.name,
      message: "\(entity.name) has several properties with the flag \(name): "
        + all.map(\.name).joined(separator: ", "),
      ours: describe(.ours), theirs: describe(.theirs))
    let resolution = resolve(conflict)
    let kept = resolution.side.map { Set(holders($0).map(\.pair.uid)) } ?? []
    for property in all where !kept.contains(property.pair.uid) {
      let key = ElementKey(.property, property.pair.uid)
      if source(resolution)?.property(property.pair.uid) == nil, flag == .id {
        state.rulings.dropped.insert(key)
      } else {
        try takeFlags(of: [key], from: resolution)
      }
    }
  }

  /// Properties with flags of Sync in an entity that is no longer synchronized.
  private mutating func settleSync(
    _ entity: MergedEntity, _ clocks: [Property]
  ) throws(Obstacle) {
    let key = ElementKey(.entity, entity.uid)
    let isSoundOnSides = MergeSide.allCases.allSatisfy { side in
      let isSynced = sides[side].entity(entity.uid)?.flags.contains(.syncEnabled) ?? true
      return isSynced
        || clocks.allSatisfy {
          sides[side].property($0.pair.uid)?.element.flags
            .isDisjoint(with: [.syncClock, .syncPrecedence]) ?? true
        }
    }
    guard isSoundOnSides else { return }
    let conflict = Conflict(
      id: "flags-clash/entity/\(entity.uid)/sync", rule: MergeRule.flagsClash,
      elements: [key] + clocks.map { ElementKey(.property, $0.pair.uid) }.sorted(),
      label: entity.name,
      message: "one side stopped synchronizing \(entity.name), and the other has "
        + clocks.map(\.name).joined(separator: ", ") + " steer its synchronization",
      ours: flagsMeaning(key, .ours), theirs: flagsMeaning(key, .theirs))
    let resolution = resolve(conflict)
    try takeFlags(
      of: [key] + clocks.map { ElementKey(.property, $0.pair.uid) }, from: resolution)
  }
}
