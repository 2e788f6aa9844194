import BoxMerge
import BoxModel

/// Finds out which of the situations of the documentation of merging a merge is in.
struct SituationCounter {
  private(set) var counts: [Int: Int] = [:]

  mutating func count(_ testCase: MergeCase, _ input: MergeInput) {
    switch testCase.kind {
    case .unrelated: note(27)
    case .regenerated: note(29)
    case .markers: note(30)
    case .withoutBase: note(26)
    case .sound, .scattered, .picked: break
    }
    guard testCase.kind == .sound || testCase.kind == .withoutBase else { return }
    guard let base = input.base else { return }
    note(28)
    if !testCase.isOfOneDialect { note(25) }
    let pair = SidePair(base: Version(base), a: Version(input.ours), b: Version(input.theirs))
    for number in 1...32 where pair.isIn(number) { note(number) }
  }

  mutating func add(_ other: SituationCounter) { counts.merge(other.counts, uniquingKeysWith: +) }

  private mutating func note(_ situation: Int) { counts[situation, default: 0] += 1 }

  /// A table of a few lines.
  func table() -> String {
    (1...32).map { "\($0): \(counts[$0] ?? 0)" }.joined(separator: "  ")
  }
}

private struct SidePair {
  let base: Version
  let a: Version
  let b: Version
  let toA: ModelDifference
  let toB: ModelDifference

  init(base: Version, a: Version, b: Version) {
    (self.base, self.a, self.b) = (base, a, b)
    toA = ModelDifference(from: base.model, to: a.model)
    toB = ModelDifference(from: base.model, to: b.model)
  }

  func isIn(_ number: Int) -> Bool {
    switch number {
    case 1: areContested(.entity)
    case 2: areContested(.property)
    case 3: areContested(.index)
    case 4: areContested(.relation)
    case 5: areTwins(.entity)
    case 6: areTwins(.property)
    case 7: areTwins(.index)
    case 8:
      eitherWay { x, y in
        keys(x).contains {
          isRemoved($0, x) && !changed($0, y).isDisjoint(with: [.name, .type])
            || isRemoved($0, x)
              && changed($0, y).contains { if case .flag = $0 { true } else { false } }
        }
      }
    case 9:
      eitherSide { x, y, _, b in
        keys(x).contains { $0.kind == .entity && isRemoved($0, x) && adds(to: $0, y, b) }
      }
    case 10:
      eitherSide { x, y, _, b in
        keys(x).contains { $0.kind == .entity && isRemoved($0, x) && addsUse(of: $0.uid, y, b) }
      }
    case 11: keys(toA).contains { isRemoved($0, toA) && isRemoved($0, toB) }
    case 12:
      eitherWay { x, y in
        keys(x).contains { isRemoved($0, x) && !isRemoved($0, y) }
          && keys(y).contains { isRemoved($0, y) && !isRemoved($0, x) }
      }
    case 13:
      eitherSide { x, y, a, _ in
        keys(x).contains {
          isReset($0, x, a) && !changed($0, y).isDisjoint(with: [.name, .index])
        }
      }
    case 14: keys(toA).contains { isReset($0, toA, a) && isReset($0, toB, b) }
    case 15: eitherWay { x, _ in keys(x).contains { changed($0, x).contains(.type) } }
    case 16:
      keys(toA).contains {
        !flags($0, toA).isEmpty && !flags($0, toB).isEmpty && flags($0, toA) != flags($0, toB)
      }
    case 17:
      keys(toA).contains {
        isRenamed($0, toA) && isRenamed($0, toB) && after($0, toA) != after($0, toB)
      }
    case 18:
      eitherSide { x, y, a, b in
        keys(x).contains { key in
          key.kind == .property && isRenamed(key, x)
            && keys(y).contains {
              $0.kind == .property && y[$0.kind, $0.uid] == .added && b.names[$0] == a.names[key]
                && b.owners[$0] == a.owners[key]
            }
        }
      }
    case 19:
      eitherSide { x, y, _, b in
        keys(x).contains { $0.kind == .entity && isRenamed($0, x) && addsUse(of: $0.uid, y, b) }
      }
    case 20:
      areContested(.entity)
        && [a, b].contains { version in
          version.model.entities.contains { entity in
            (entity.relations ?? []).contains { base.lookup.entity($0.target.uid) == nil }
          }
        }
    case 21:
      base.counters.contains {
        a.last($0) > base.last($0) && b.last($0) > base.last($0) && a.last($0) != b.last($0)
      }
    case 22:
      base.counters.contains { counter in
        guard a.last(counter) == b.last(counter), a.last(counter) > base.last(counter),
          let x = a.model[last: counter], let y = b.model[last: counter], x != y
        else { return false }
        let kind = counter.kind
        return a.pairs[ElementKey(kind, x.uid)] == nil || b.pairs[ElementKey(kind, y.uid)] == nil
      }
    case 23: !(a.model.newUIDPool ?? []).isEmpty || !(b.model.newUIDPool ?? []).isEmpty
    case 24:
      a.model.version != b.model.version
        || a.model.modelVersionParserMinimum != b.model.modelVersionParserMinimum
    case 31:
      eitherWay { x, y in
        keys(x).contains { x[$0.kind, $0.uid] == .added && $0.kind != .index }
          && keys(y).contains { y[$0.kind, $0.uid] == .added && $0.kind != .index }
      }
    case 32:
      [ElementKind.entity, .property].contains(where: areContested)
        && [a, b].contains { $0.model.entities.contains { $0.flags.contains(.syncEnabled) } }
    default: false
    }
  }

  private func eitherWay(_ body: (ModelDifference, ModelDifference) -> Bool) -> Bool {
    body(toA, toB) || body(toB, toA)
  }

  private func eitherSide(
    _ body: (ModelDifference, ModelDifference, Version, Version) -> Bool
  ) -> Bool { body(toA, toB, a, b) || body(toB, toA, b, a) }

  private func keys(_ difference: ModelDifference) -> Dictionary<ElementKey, ElementChange>.Keys {
    difference.changes.keys
  }

  private func isRemoved(_ key: ElementKey, _ difference: ModelDifference) -> Bool {
    if case .removed? = difference[key.kind, key.uid] { true } else { false }
  }

  private func changed(_ key: ElementKey, _ difference: ModelDifference) -> Set<Field> {
    guard case .changed(let changes)? = difference[key.kind, key.uid] else { return [] }
    return Set(changes.map(\.field))
  }

  private func flags(_ key: ElementKey, _ difference: ModelDifference) -> Set<Field> {
    changed(key, difference).filter { if case .flag = $0 { true } else { $0 == .index } }
  }

  private func isRenamed(_ key: ElementKey, _ difference: ModelDifference) -> Bool {
    changed(key, difference).contains(.name)
  }

  private func after(_ key: ElementKey, _ difference: ModelDifference) -> FieldValue? {
    guard case .changed(let changes)? = difference[key.kind, key.uid] else { return nil }
    return changes.first { $0.field == .name }?.after
  }

  private func added(_ kind: ElementKind, _ version: Version) -> [ElementKey] {
    version.pairs.keys.filter { $0.kind == kind && base.pairs[$0] == nil }
  }

  private func areContested(_ kind: ElementKind) -> Bool {
    let others = added(kind, b)
    return added(kind, a).contains { key in
      others.contains {
        $0 != key && a.pairs[key]?.pair.id == b.pairs[$0]?.pair.id
          && a.pairs[key]?.counter == b.pairs[$0]?.counter
      }
    }
  }

  private func areTwins(_ kind: ElementKind) -> Bool {
    let others = added(kind, b)
    return added(kind, a).contains { key in
      guard let owner = a.owners[key] ?? Optional(key), kind == .entity || base.pairs[owner] != nil
      else { return false }
      return others.contains {
        $0 != key && a.names[key] == b.names[$0] && a.owners[key] == b.owners[$0]
      }
    }
  }

  private func adds(to entity: ElementKey, _ difference: ModelDifference, _ version: Version)
    -> Bool
  {
    difference.changes.contains { key, change in
      guard case .added = change, let owner = version.owners[key] else { return false }
      return owner == entity || version.owners[owner] == entity
    }
  }

  private func addsUse(of target: UID, _ difference: ModelDifference, _ version: Version) -> Bool {
    version.model.entities.contains { entity in
      entity.properties.contains {
        difference[.property, $0.pair.uid] == .added
          && version.model.target(of: $0, version.lookup) == .entity(target)
      }
        || (entity.relations ?? []).contains {
          difference[.relation, $0.pair.uid] == .added && $0.target.uid == target
        }
    }
  }

  private func isReset(_ key: ElementKey, _ difference: ModelDifference, _ version: Version) -> Bool
  {
    key.kind == .property && isRemoved(key, difference)
      && difference.changes.contains { candidate, change in
        guard case .added = change, candidate.kind == .property else { return false }
        return version.names[candidate] == base.names[key]
          && version.owners[candidate] == base.owners[key]
      }
  }
}
