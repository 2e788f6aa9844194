internal import BoxReport

/// A version that a model is compared with to find elements that began without their data.
package struct ResetBase: Sendable {
  /// The name in messages, such as `HEAD`.
  package var name: String
  /// The model in the version.
  package var model: Model
  /// The models of the other versions that the same commit was made of: what one of them has is not new.
  package var siblings: [Model]

  /// Creates a version.
  package init(name: String, model: Model, siblings: [Model] = []) {
    self.name = name
    self.model = model
    self.siblings = siblings
  }
}

extension Model {
  /// The elements of an earlier version that have a new UID and no longer exist under the old one.
  ///
  /// Such an element has the kind, the owner, the name (without regard to case) and the type of the earlier one.
  /// A reset that was asked for looks the same, unless its UID was on offer in the earlier version: then it is not
  /// among them. Of an entity that was reset there is the entity alone.
  ///
  /// - Parameter base: The earlier version.
  /// - Returns: The earlier elements with the new ones, in the order of the earlier version.
  /// - Complexity: O(*n*) in the number of elements of both.
  package func resets(since base: ResetBase) -> [RenameFix] {
    let earlier = base.model
    let lookup = ModelLookup(self)
    let versions = ([earlier] + base.siblings).map { ModelLookup($0) }
    let offered = Set(earlier.newUIDPool ?? [])
    func isNew(_ kind: ElementKind, _ uid: UID) -> Bool {
      !offered.contains(uid)
        && versions.allSatisfy { $0[kind, uid] == nil && !$0.isRetired(uid) }
    }
    var result: [RenameFix] = []
    for before in earlier.entities {
      guard let position = lookup.entity(before.pair.uid) else {
        if let new = lookup.entity(named: before.name).map({ entities[$0].pair.uid }),
          isNew(.entity, new)
        {
          result.append(
            RenameFix(
              old: ElementKey(.entity, before.pair.uid), new: ElementKey(.entity, new)))
        }
        continue
      }
      let now = entities[position]
      if now == before { continue }
      let members = MemberIndex(now)
      for property in before.properties where lookup[.property, property.pair.uid] == nil {
        guard let p = members.property(named: property.name) else { continue }
        let new = now.properties[p]
        if isNew(.property, new.pair.uid), property.hasType(of: new) {
          result.append(
            RenameFix(
              old: ElementKey(.property, property.pair.uid),
              new: ElementKey(.property, new.pair.uid)))
        }
      }
      for relation in before.relations ?? [] where lookup[.relation, relation.pair.uid] == nil {
        guard let r = members.relation(named: relation.name), let new = now.relations?[r] else {
          continue
        }
        if isNew(.relation, new.pair.uid), relation.target.uid == new.target.uid {
          result.append(
            RenameFix(
              old: ElementKey(.relation, relation.pair.uid),
              new: ElementKey(.relation, new.pair.uid)))
        }
      }
    }
    return result
  }

  /// Whether neither element of a reset is live: the removal was a version of its own.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  package func lacksBoth(of reset: RenameFix) -> Bool {
    let lookup = ModelLookup(self)
    return lookup[reset.old.kind, reset.old.uid] == nil
      && lookup[reset.new.kind, reset.new.uid] == nil
  }
}

extension Property {
  /// Whether stored values of the other property mean the same here.
  fileprivate func hasType(of other: Property) -> Bool {
    let flags: PropertyFlags = [.id, .unsigned]
    return type == other.type && self.flags.intersection(flags) == other.flags.intersection(flags)
      && relationTarget.map(foldedName) == other.relationTarget.map(foldedName)
  }
}

/// The answer to a reset: what is known about it.
package enum ResetVerdict: Hashable, Sendable {
  /// Nobody has either version of it: the element can get its UID back.
  case open
  /// A version has it, so that it cannot be reverted without a loss; the value names the version.
  case settled(String)
}

extension ModelDocument {
  /// The issue of a reset; nil if the model does not have it.
  ///
  /// - Parameters:
  ///   - reset: The earlier element with the new one.
  ///   - base: The version that has the earlier one.
  ///   - verdict: The answer to it.
  ///   - approval: The command that states it.
  /// - Returns: The issue, with a fix if the reset is open.
  package func issue(
    of reset: RenameFix, since base: ResetBase, _ verdict: ResetVerdict, approval: String
  ) -> ModelIssue? {
    guard let place = lookup[reset.new.kind, reset.new.uid] else { return nil }
    let checker = ModelChecker(self, limit: 0)
    let fact =
      "\(model.label(place)) has the UID \(reset.new.uid), and had \(reset.old.uid) in \(base.name)"
    switch verdict {
    case .open:
      return ModelIssue(
        ModelRule.reset, severity: nil, at: checker.pairRange(place),
        fact + ": it begins without the data of that version",
        advice: "let the fix give that UID back; if it is meant to begin without data, run "
          + "`\(approval)`",
        fix: .restore(reset, from: base.model))
    case .settled(let reason):
      return ModelIssue(
        ModelRule.reset, severity: .warning, at: checker.pairRange(place),
        "\(fact); \(reason)",
        advice:
          "databases may have data under either UID, so neither is right for all of them; run "
          + "`\(approval)` if it is meant so", fix: nil)
    }
  }
}
