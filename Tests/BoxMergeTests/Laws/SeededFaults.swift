import BoxMerge
import BoxModel

/// A fault that a merge could have, put into one that has none.
enum SeededFault: String, CaseIterable, Sendable {
  case higherUIDKeepsContestedID, winnerDependsOnSide, forgetsRetiredOfTheirs, keepsOldTargetID
  case lowersLastEntityID, lowersLastPropertyID, lowersLastIndexID, takesFlagsOfOurs, inventsUID
  case revivesRemovedProperty, forgetsToRetire, renumbersUntouched, keepsOldTargetName
  case sameIndexIDTwice, retiresTwice, losesUnknownKey, removesWhatTheirsChanged, hidesConflict
  case ignoresPublished, losesRenameOfTheirs, dropsAddedProperty, keepsPoolOfOurs, lowerVersion
  case dropsIndexOfTheirs, unstableConflictIDs, ignoresChoices, reportsNoRenumbering
  case swapsNewIDsAgainstGhosts, replacesWhatWasKept

  /// A merge with the fault.
  func merge(_ input: MergeInput) throws -> MergeResult {
    switch self {
    case .hidesConflict:
      var result = try input.merged()
      result.conflicts = []
      result.resolved = [:]
      return result
    case .ignoresPublished:
      var other = input
      other.published = .nothing
      return try other.merged()
    case .unstableConflictIDs:
      var result = try input.merged()
      for k in result.conflicts.indices { result.conflicts[k].id += "@\(result.conflicts[k].ours)" }
      return result
    case .ignoresChoices:
      var other = input
      other.choices = [:]
      return try other.merged()
    case .replacesWhatWasKept:
      var other = input
      for conflict in try input.merged().conflicts
      where conflict.message.hasSuffix("retired that UID") {
        other.choices[conflict.id] = conflict.message.hasPrefix("ours") ? .ours : .theirs
      }
      return try other.merged()
    case .reportsNoRenumbering:
      var result = try input.merged()
      result.decisions.removeAll { $0.rule == MergeRule.renumbered }
      return result
    default: return try damaged(input.merged(), input)
    }
  }

  private func damaged(_ result: MergeResult, _ input: MergeInput) throws -> MergeResult {
    func damaged(_ bytes: [UInt8]) throws -> [UInt8] {
      let document = try ModelDocument(parsing: bytes)
      var model = document.model
      damage(&model, input, result)
      return document.rendered(model)
    }
    var copy = result
    copy.bytes = try damaged(result.bytes)
    for (resolution, bytes) in result.resolved { copy.resolved[resolution] = try damaged(bytes) }
    return copy
  }

  private func damage(_ model: inout Model, _ input: MergeInput, _ result: MergeResult) {
    let renumbered = result.decisions.filter { $0.rule == MergeRule.renumbered }
      .compactMap(\.element)
    switch self {
    case .higherUIDKeepsContestedID: swapIDs(&model, input, always: true)
    case .winnerDependsOnSide: swapIDs(&model, input, always: false)
    case .forgetsRetiredOfTheirs:
      let ours = Set(ElementKind.allCases.flatMap { input.ours.model[retired: $0] ?? [] })
      for kind in ElementKind.allCases { model[retired: kind]?.removeAll { !ours.contains($0) } }
    case .keepsOldTargetID:
      for e in model.entities.indices {
        for r in model.entities[e].relations?.indices ?? 0..<0 {
          guard let uid = model.entities[e].relations?[r].target.uid,
            renumbered.contains(ElementKey(.entity, uid))
          else { continue }
          model.entities[e].relations?[r].target.id -= 1
        }
      }
    case .lowersLastEntityID: lower(&model.lastEntityID, input.ours.model.lastEntityID)
    case .lowersLastIndexID: lower(&model.lastIndexID, input.ours.model.lastIndexID)
    case .lowersLastPropertyID:
      for e in model.entities.indices {
        let owner = model.entities[e].pair.uid
        lower(
          &model.entities[e].lastPropertyID, input.ours.model[last: .property(entity: owner)])
      }
    case .takesFlagsOfOurs, .keepsOldTargetName, .losesRenameOfTheirs, .dropsIndexOfTheirs:
      takeFromOurs(&model, input)
    case .inventsUID:
      if let e = model.entities.indices.last { model.entities[e].properties[0].pair.uid = 99_999 }
    case .revivesRemovedProperty: revive(&model, input)
    case .forgetsToRetire:
      let known = Set(
        ElementKind.allCases.flatMap {
          (input.ours.model[retired: $0] ?? []) + (input.theirs.model[retired: $0] ?? [])
        })
      for kind in ElementKind.allCases { model[retired: kind]?.removeAll { !known.contains($0) } }
    case .renumbersUntouched:
      guard
        let e = model.entities.firstIndex(where: { entity in
          input.base?.model.entities.contains { $0.pair == entity.pair } ?? false
        }), let property = model.entities[e].properties.first
      else { return }
      let pair = IDPair(
        id: (model.entities[e].lastPropertyID?.id ?? 0) + 1, uid: property.pair.uid)
      model.entities[e].properties[0].pair = pair
      model.entities[e].lastPropertyID = pair
    case .sameIndexIDTwice:
      for e in model.entities.indices {
        for p in model.entities[e].properties.indices {
          guard let index = model.entities[e].properties[p].indexID,
            renumbered.contains(ElementKey(.index, index.uid))
          else { continue }
          model.entities[e].properties[p].indexID?.id -= 1
        }
      }
    case .retiresTwice:
      if let uid = model.retiredPropertyUIDs?.last { model.retiredPropertyUIDs?.append(uid) }
    case .losesUnknownKey:
      if model.otherMembers.count > 3 { model.otherMembers.removeLast() }
    case .removesWhatTheirsChanged: removeChanged(&model, input)
    case .dropsAddedProperty:
      for e in model.entities.indices {
        let owner = model.entities[e].pair.uid
        model.entities[e].properties.removeAll { property in
          input.base?.model.entities.contains { $0.pair.uid == owner } ?? false
            && !isIn(input.base?.model, property) && !isIn(input.ours.model, property)
        }
      }
    case .keepsPoolOfOurs: model.newUIDPool = input.ours.model.newUIDPool
    case .lowerVersion:
      if let a = input.ours.model.version, let b = input.theirs.model.version {
        model.version = min(a, b)
      }
    case .swapsNewIDsAgainstGhosts:
      guard let last = model.lastRelationID, last.id > 1 else { return }
      for e in model.entities.indices {
        for r in model.entities[e].relations?.indices ?? 0..<0
        where model.entities[e].relations?[r].pair == last {
          model.entities[e].relations?[r].pair.id = last.id + 1
          model.lastRelationID = IDPair(id: last.id + 1, uid: last.uid)
        }
      }
    default: break
    }
  }
}

extension SeededFault {
  /// Gives a contested entity id to the other of its two contenders.
  private func swapIDs(_ model: inout Model, _ input: MergeInput, always: Bool) {
    for a in model.entities.indices {
      let first = model.entities[a].pair
      guard
        let rival = input.theirs.model.entities.first(where: {
          $0.pair.id == first.id && $0.pair.uid != first.uid
        })?.pair, input.ours.model.entities.contains(where: { $0.pair == first }),
        let b = model.entities.firstIndex(where: { $0.pair.uid == rival.uid }),
        always || first.uid < rival.uid
      else { continue }
      let other = model.entities[b].pair
      model.entities[a].pair.id = other.id
      model.entities[b].pair.id = first.id
      if model.lastEntityID == other {
        model.lastEntityID = IDPair(id: other.id, uid: first.uid)
      }
      for e in model.entities.indices {
        for r in model.entities[e].relations?.indices ?? 0..<0 {
          if model.entities[e].relations?[r].target.uid == first.uid {
            model.entities[e].relations?[r].target.id = other.id
          } else if model.entities[e].relations?[r].target.uid == other.uid {
            model.entities[e].relations?[r].target.id = first.id
          }
        }
      }
    }
  }

  private func lower(_ last: inout IDPair?, _ ours: IDPair?) {
    if let now = last, let ours, now.id > ours.id { last = ours }
  }

  /// Takes one field from ours in elements that all have.
  private func takeFromOurs(_ model: inout Model, _ input: MergeInput) {
    let ours = ModelLookup(input.ours.model)
    for e in model.entities.indices {
      for p in model.entities[e].properties.indices {
        guard
          case .property(let oe, let op)? = ours[
            .property, model.entities[e].properties[p].pair.uid]
        else { continue }
        let old = input.ours.model.entities[oe].properties[op]
        switch self {
        case .takesFlagsOfOurs where old.indexID == model.entities[e].properties[p].indexID:
          model.entities[e].properties[p].flags = old.flags
        case .keepsOldTargetName:
          model.entities[e].properties[p].relationTarget = old.relationTarget
        case .losesRenameOfTheirs: model.entities[e].properties[p].name = old.name
        case .dropsIndexOfTheirs where old.indexID == nil:
          model.entities[e].properties[p].indexID = nil
          model.entities[e].properties[p].flags.subtract([
            .indexed, .indexHash, .indexHash64, .unique,
          ])
        default: break
        }
      }
    }
  }

  private func revive(_ model: inout Model, _ input: MergeInput) {
    guard let base = input.base?.model else { return }
    for e in model.entities.indices {
      guard let old = base.entities.first(where: { $0.pair.uid == model.entities[e].pair.uid })
      else { continue }
      for property in old.properties where !isIn(model, property) && property.indexID == nil {
        model.entities[e].properties.append(property)
        model.retiredPropertyUIDs?.removeAll { $0 == property.pair.uid }
        return
      }
    }
  }

  /// Lets a removal by ours win over a change by theirs, silently.
  private func removeChanged(_ model: inout Model, _ input: MergeInput) {
    guard let base = input.base?.model else { return }
    let changes = ModelDifference(from: base, to: input.theirs.model)
    for e in model.entities.indices {
      for property in model.entities[e].properties where property.relationTarget == nil {
        if case .changed? = changes[.property, property.pair.uid], property.indexID == nil,
          !property.flags.contains(.id)
        {
          model.entities[e].properties.removeAll { $0 == property }
          model.retiredPropertyUIDs?.append(property.pair.uid)
          return
        }
      }
    }
  }

  private func isIn(_ model: Model?, _ property: Property) -> Bool {
    model?.entities.contains { $0.properties.contains { $0.pair.uid == property.pair.uid } }
      ?? false
  }
}
