import BoxMerge
import BoxModel
import BoxReport
import TestSupport

/// The laws of cases whose input is not what a merge is made for.
extension MergeLaws {
  mutating func checkWithoutBase(_ testCase: MergeCase) throws {
    var input = try testCase.input()
    guard isSound(input, testCase) else { return }
    input.base = nil
    for document in [input.ours, input.theirs] {
      let same = try merge(input.with(base: nil, ours: document, theirs: document))
      expect(same.isClean && same.bytes == document.bytes, "m(-,x,x)=x", "")
    }
    let result = try merge(input)
    try checkSymmetry(input, result, testCase)
    checkOutcome(input, result, testCase)
    try checkChoices(input, result, testCase)
  }

  mutating func checkRefusals(_ testCase: MergeCase) throws {
    var input = try testCase.input()
    let fresh = try document(
      ModelTool.run(testCase.freshScript), testCase.dialect(testCase.oddSide))
    switch testCase.oddSide {
    case .ours: input.ours = fresh
    case .theirs: input.theirs = fresh
    }
    var expected = MergeRefusal.regenerated(testCase.oddSide)
    if testCase.kind == .unrelated {
      input.base = nil
      expected = .unrelated
    }
    checkRefused(input, expected)
  }

  /// What has nothing in common is refused, and that it was generated anew is said of a side.
  mutating func checkRefused(_ input: MergeInput, _ expected: MergeRefusal) {
    do {
      let result = try merge(input)
      fail("what has nothing in common is refused", "it has \(result.conflicts.count) conflicts")
    } catch let refusal as MergeRefusal {
      expect(refusal == expected, "what has nothing in common is refused", "\(refusal)")
    } catch {
      fail("what has nothing in common is refused", "\(error)")
    }
  }

  mutating func checkMarkers(_ testCase: MergeCase) throws {
    let input = try testCase.input()
    let ours = input.ours.bytes
    let middle = ours.firstIndex(of: UInt8(ascii: "\n")) ?? 0
    let marked =
      Array(ours[...middle]) + Array("<<<<<<< ours\n=======\n>>>>>>> theirs\n".utf8)
      + Array(ours[(middle + 1)...])
    do {
      _ = try ModelDocument(parsing: marked)
      fail("a file with markers is no model", "it was read")
    } catch {
      expect(error.rule == ModelRule.conflictMarkers, "a file with markers is no model", "\(error)")
    }
  }

  /// What was wrong before is not a merge's to mend: a file comes back from one with itself.
  mutating func checkWrongLastPairs(_ input: MergeInput, _ testCase: MergeCase) throws {
    var rng = SplitMix64(seed: testCase.seed &+ 2)
    var model = testCase.model(.ours)
    let counters = [Counter.entity] + model.entities.map { .property(entity: $0.pair.uid) }
    let counter = rng.pick(counters)
    let elements = model.entities.flatMap { [$0.pair] + $0.properties.map(\.pair) }
    guard let last = model[last: counter], !elements.isEmpty else { return }
    switch rng.below(3) {
    case 0: model[last: counter] = IDPair(id: max(2, last.id) - 1, uid: last.uid)
    case 1: model[last: counter] = IDPair(id: last.id + 2, uid: last.uid)
    default: model[last: counter] = IDPair(id: last.id, uid: rng.pick(elements).uid)
    }
    let wrong = try document(model, testCase.dialect(.ours))
    let same = try merge(input.with(base: wrong, ours: wrong, theirs: wrong))
    expect(
      same.isClean && same.bytes == wrong.bytes, "m(x,x,x)=x with a wrong last pair",
      "\(counter): \(last) is \(model[last: counter].map(\.description) ?? "")")
  }

  /// A side that lost elements is merged as if it had retired them.
  mutating func checkUnsound(_ testCase: MergeCase) throws {
    let base = testCase.baseModel
    let script = testCase.kind == .neverHad ? [] : testCase.script(testCase.oddSide)
    var repaired = ModelTool(model: base)
    for uid in testCase.oddElements.sorted() {
      repaired.apply(.removeEntity(uid))
      repaired.apply(.removeProperty(uid))
    }
    var odd = ModelTool(model: repaired.model)
    for kind in ElementKind.allCases { odd.model[retired: kind] = base[retired: kind] }
    if testCase.kind == .neverHad, !rollBack(&odd.model, base) { return }
    for edit in script {
      repaired.apply(edit)
      odd.apply(edit)
    }
    if repaired.model == odd.model || isRegenerated(odd.model, from: base) { return }
    let sound = try testCase.input()
    let dialect = testCase.dialect(testCase.oddSide)
    let other = testCase.oddSide == .ours ? sound.theirs : sound.ours
    func input(_ model: Model) throws -> MergeInput {
      let side = try document(model, dialect)
      let result = sound.with(base: sound.base, ours: side, theirs: other)
      return testCase.oddSide == .ours ? result : result.swapped
    }
    let expected = try merge(input(repaired.model))
    let result = try merge(input(odd.model))
    let law = "\(testCase.kind) is repaired"
    expect(
      Set(result.conflicts.map(\.id)) == Set(expected.conflicts.map(\.id)), law,
      "conflicts \(result.conflicts.map(\.id)) and \(expected.conflicts.map(\.id))")
    if let a = parse(result.bytes, law)?.model, let b = parse(expected.bytes, law)?.model,
      result.isClean
    {
      let found = differences(a, b)
      expect(found.isEmpty, law, found)
    }
    if result.isClean {
      let lost = ModelDifference(from: base, to: odd.model)
      for key in missed(testCase.oddElements, base, odd.model, other.model) {
        let rule =
          switch lost[key.kind, key.uid] {
          case .removed(.forgotten): MergeRule.forgotten
          case .removed(.neverHad): MergeRule.takenBack
          default: MergeRule.removed
          }
        expect(
          result.decisions.contains { $0.rule == rule && $0.element == key },
          "\(law), and that is said", "\(key.uid): \(result.decisions.map(\.rule.id))")
      }
    }
    if testCase.kind == .neverHad { try checkCherryPick(input(odd.model).swapped, base) }
  }

  /// Those of the elements that the other side still has, and whose entity neither side removed.
  private func missed(
    _ uids: Set<UID>, _ base: Model, _ odd: Model, _ other: Model
  ) -> [ElementKey] {
    let (odd, other) = (ModelLookup(odd), ModelLookup(other))
    var missed: [ElementKey] = []
    base.forEachElement { place, pair in
      let owner = base.entities[place.entity].pair.uid
      guard uids.contains(pair.uid), odd[place.kind, pair.uid] == nil,
        other[place.kind, pair.uid] != nil
      else { return }
      if place.kind == .entity || odd.entity(owner) != nil {
        missed.append(ElementKey(place.kind, pair.uid))
      }
    }
    return missed
  }

  /// Takes back the counters of what is gone; whether that makes it something never had.
  private func rollBack(_ model: inout Model, _ base: Model) -> Bool {
    var isRolledBack = false
    for counter in [Counter.entity] + model.entities.map({ .property(entity: $0.pair.uid) }) {
      let ids: [IDPair]
      switch counter {
      case .entity: ids = model.entities.map(\.pair)
      case .property(let owner):
        ids = model.entities.first { $0.pair.uid == owner }?.properties.map(\.pair) ?? []
      default: ids = []
      }
      guard let last = base[last: counter], !ids.contains(last),
        base.entities.contains(where: {
          $0.pair == last || $0.properties.contains { $0.pair == last }
        }),
        let highest = ids.max(by: { $0.id < $1.id })
      else { continue }
      model[last: counter] = highest
      isRolledBack = true
    }
    return isRolledBack
  }

  /// On ours, what was never there stays out and is not retired.
  private mutating func checkCherryPick(_ input: MergeInput, _ base: Model) throws {
    let result = try merge(input)
    guard let picked = parse(result.bytes, "cherry-pick") else { return }
    let errors = Version(picked).errors
    expect(errors.isEmpty, "a cherry-pick passes check", "\(errors)")
    guard result.isClean else { return }
    let (ours, merged) = (ModelLookup(input.ours.model), ModelLookup(picked.model))
    let changed = input.base.map { ModelDifference(from: $0.model, to: input.theirs.model) }
    for entity in base.entities
    where ours.entity(entity.pair.uid) == nil
      && entity.pair.id > (input.ours.model.lastEntityID?.id ?? 0)
      && changed?[.entity, entity.pair.uid] == nil
    {
      expect(
        merged.entity(entity.pair.uid) == nil && !merged.isRetired(.entity, entity.pair.uid),
        "what ours never had stays out", "entity \(entity.pair)")
    }
  }
}
