import BoxMerge
import BoxModel
import BoxReport

/// The laws that look at one merged model beside the three that it comes from.
extension MergeLaws {
  mutating func checkOutcome(
    _ input: MergeInput, _ result: MergeResult, _ testCase: MergeCase
  ) {
    let files =
      result.isClean ? [result.bytes] : [.ours, .theirs].compactMap { result.resolved[$0] }
    for file in files {
      guard let document = parse(file, "the result is a model") else { continue }
      var outcome = OutcomeLaws(
        base: input.base.map(Version.init), ours: Version(input.ours),
        theirs: Version(input.theirs), merged: Version(document), result: result,
        published: testCase.publishedModelsForLaws())
      outcome.isScattered = testCase.kind == .scattered || testCase.kind == .picked
      outcome.check()
      for violation in outcome.violations { fail(violation.law, violation.detail) }
    }
  }
}

extension MergeCase {
  /// The ids of each published model.
  func publishedModelsForLaws() -> [PublishedIDs] {
    published.map { prefix in
      PublishedIDs(
        ModelTool.run(
          baseScript + (sidesWithTail.contains(prefix.side) ? tail : [])
            + script(prefix.side).prefix(prefix.count)))
    }
  }
}

/// The ids of a published model.
struct PublishedIDs {
  private var ids: [ElementKey: (id: UInt32, counter: Counter)] = [:]
  private var lasts: [Counter: UInt32] = [:]

  init(_ model: Model) {
    for counter in [Counter.entity, .index, .relation]
      + model.entities.map({ Counter.property(entity: $0.pair.uid) })
    {
      lasts[counter] = model[last: counter]?.id
    }
    model.forEachElement { place, pair in
      let counter = model.counter(of: place)
      ids[ElementKey(place.kind, pair.uid)] = (pair.id, counter)
      lasts[counter] = max(lasts[counter] ?? 0, pair.id)
    }
  }

  func id(of key: ElementKey, in counter: Counter) -> UInt32? {
    ids[key].flatMap { $0.counter == counter ? $0.id : nil }
  }

  func keys(with id: UInt32, in counter: Counter) -> [ElementKey] {
    ids.filter { $0.value == (id, counter) }.map(\.key)
  }

  func last(_ counter: Counter) -> UInt32 { lasts[counter] ?? 0 }

  func has(_ key: ElementKey) -> Bool { ids[key] != nil }
}

struct OutcomeLaws {
  let base: Version?
  let ours: Version
  let theirs: Version
  let merged: Version
  let result: MergeResult
  let published: [PublishedIDs]
  /// Whether the sides may lack what the base has.
  var isScattered = false
  private(set) var violations: [LawViolation] = []
  private var covered: Set<ElementKey> = []

  init(
    base: Version?, ours: Version, theirs: Version, merged: Version, result: MergeResult,
    published: [PublishedIDs]
  ) {
    (self.base, self.ours, self.theirs, self.merged) = (base, ours, theirs, merged)
    (self.result, self.published) = (result, published)
    covered = coveredByConflicts()
  }

  var inputs: [Version] { [base, ours, theirs].compactMap { $0 } }

  mutating func fail(_ law: String, _ detail: String) {
    violations.append(LawViolation(law: law, detail: detail))
  }

  mutating func check() {
    checkSoundness()
    checkLastPairs()
    checkPresence()
    checkQuestions()
    checkRefusals()
    if result.isClean { checkReport() }
    // Where the rules lead nowhere one whole file is chosen.
    if result.conflicts.contains(where: { $0.rule == MergeRule.wholeModel }) { return }
    if !isScattered { checkUIDs() }
    if isScattered { return }
    checkLastIDs()
    checkIDs()
    checkPublishedIDs()
    checkWinners()
    checkScalars()
    if let base {
      let toOurs = ModelDifference(from: base.model, to: ours.model)
      let toTheirs = ModelDifference(from: base.model, to: theirs.model)
      checkEdits(ours, toOurs, theirs, toTheirs)
      checkEdits(theirs, toTheirs, ours, toOurs)
      checkNothingInvented(base, toOurs, toTheirs)
    }
  }

  /// The elements that conflicts name, with their owners and their parts.
  private func coveredByConflicts() -> Set<ElementKey> {
    let named = Set(result.conflicts.flatMap(\.elements))
    if named.isEmpty { return [] }
    var covered = named
    for version in inputs {
      for (key, owner) in version.owners {
        let top = version.owners[owner] ?? owner
        if named.contains(key) || named.contains(owner) || named.contains(top) {
          covered.formUnion([key, owner])
          if named.contains(key) || named.contains(owner) { covered.insert(top) }
        }
      }
    }
    // Parts of what became covered as an owner stay uncovered unless they are named themselves.
    return covered
  }

  func isCovered(_ key: ElementKey) -> Bool { covered.contains(key) }
}

extension OutcomeLaws {
  private mutating func checkSoundness() {
    if let conflict = result.conflicts.first(where: { $0.rule == MergeRule.wholeModel }) {
      fail("sound sides never end in a conflict about the whole model", conflict.message)
    }
    let known = Set(inputs.flatMap { $0.document.check().map(\.rule.id) })
    for issue in merged.document.check() {
      if issue.rule == ModelRule.lastIDUnknown, hasLastPairOfOtherKind { continue }
      if issue.severity == .error || !known.contains(issue.rule.id) {
        fail("the result passes check", "\(issue.rule.id) \(issue.message)")
      }
    }
  }

  /// Whether a last pair names a UID that is in use or retired as that of another kind, and so cannot be
  /// retired: the number stays, and no other UID is true.
  private var hasLastPairOfOtherKind: Bool {
    merged.counters.contains { counter in
      guard let uid = merged.model[last: counter]?.uid else { return false }
      return ElementKind.allCases.contains {
        $0 != counter.kind && merged.isKnown(ElementKey($0, uid))
      }
    }
  }

  private mutating func checkUIDs() {
    let before = inputs.reduce(into: Set<ElementKey>()) { $0.formUnion($1.keys) }
    let after = merged.keys
    for key in before.subtracting(after).sorted() {
      fail("no UID is lost", "\(key.kind) \(key.uid)")
    }
    for key in after.subtracting(before).sorted() {
      fail("nothing is invented", "\(key.kind) \(key.uid)")
    }
  }

  private mutating func checkLastIDs() {
    for counter in merged.counters {
      let last = merged.last(counter)
      let before = inputs.map { $0.last(counter) }.max() ?? 0
      // No UID could stand beside it: it is of an element elsewhere, or of one with a lower number.
      let hasNoUID = inputs.contains { version in
        let pair = version.model[last: counter]
        return version.last(counter) == before
          && (pair.map { merged.hasElsewhere($0.uid, counter) } ?? false
            || isWithoutUID(counter, pair))
      }
      if last < before, !hasNoUID, !hasReturned(counter, from: before) {
        fail("no last id is lowered", "\(counter): \(before) to \(last)")
      }
      let highest = merged.pairs.values.lazy.filter { $0.counter == counter }.map(\.pair.id).max()
      // An entity that an answer brings back counts on from what was published of it.
      let ever = published.map { $0.last(counter) }.max() ?? 0
      if last > max(before, highest ?? 0, ever), !isOfUnifiedEntity(counter) {
        fail("no id is skipped", "\(counter): \(last) above \(before) and \(highest ?? 0)")
      }
    }
  }

  /// Whether the element that had a last id has a lower one again, under which it is published.
  private func hasReturned(_ counter: Counter, from last: UInt32) -> Bool {
    inputs.contains { version in
      version.pairs.contains { key, place in
        guard place.counter == counter, place.pair.id == last, let now = merged.pairs[key] else {
          return false
        }
        return now.pair.id < last && publishedIDs(of: key, in: counter).contains(now.pair.id)
      }
    }
  }

  /// Whether different elements are published under an id, so that not each can have it.
  private func isPublishedTwice(_ id: UInt32, _ counter: Counter) -> Bool {
    published.reduce(into: Set<ElementKey>()) { $0.formUnion($1.keys(with: id, in: counter)) }
      .count > 1
  }

  private func publishedIDs(of key: ElementKey, in counter: Counter) -> Set<UInt32> {
    Set(published.compactMap { $0.id(of: key, in: counter) })
  }

  /// Whether published databases may know an id as another element than this one.
  private func isTaken(_ id: UInt32, _ counter: Counter, for key: ElementKey) -> Bool {
    let ids = publishedIDs(of: key, in: counter)
    return !ids.contains(id) && (!ids.isEmpty || published.contains { $0.last(counter) >= id })
  }

  /// A published element keeps its id, whoever has changed it; nothing else has one that was given before.
  private mutating func checkPublishedIDs() {
    for (key, (pair, counter)) in merged.pairs where !isCovered(key) {
      let ids = publishedIDs(of: key, in: counter)
      if let id = ids.first, ids.count == 1 {
        if pair.id != id, !isPublishedTwice(id, counter) {
          fail("a published id stays", "\(key.kind) \(key.uid): \(id) to \(pair.id)")
        }
      } else if ids.isEmpty, isTaken(pair.id, counter, for: key), !isOfUnifiedEntity(counter) {
        fail(
          "what is not published comes after what is", "\(key.kind) \(key.uid): \(pair.id)")
      }
    }
  }

  /// An entity that took up another goes on counting where the other was.
  private func isOfUnifiedEntity(_ counter: Counter) -> Bool {
    guard case .property(let owner) = counter else { return false }
    return base?.lookup.entity(owner) == nil
      && (ours.lookup.entity(owner) == nil || theirs.lookup.entity(owner) == nil)
  }

  /// An element keeps its id, or has got one that nobody ever had.
  private mutating func checkIDs() {
    for (key, (pair, counter)) in merged.pairs {
      let versions = inputs.compactMap { version in
        version.pairs[key].flatMap { $0.counter == counter ? $0.pair.id : nil }
      }
      // The number in another entity means nothing here.
      func id(_ version: Version?) -> UInt32? {
        version?.pairs[key].flatMap { $0.counter == counter ? $0.pair.id : nil }
      }
      let (a, b, original) = (id(ours), id(theirs), id(base))
      guard !versions.isEmpty else { continue }
      let isFresh = pair.id > (inputs.map { $0.last(counter) }.max() ?? 0)
      // Also one that a side gave it last before it removed it.
      if !isFresh && !versions.contains(pair.id)
        && !publishedIDs(of: key, in: counter).contains(pair.id)
        && !inputs.contains(where: { $0.model[last: counter] == pair })
      {
        fail("no id is given twice", "\(key.kind) \(key.uid) has got \(pair), it had \(versions)")
      }
      if let original, a == original, b == original, pair.id != original,
        !isTaken(original, counter, for: key)
      {
        fail(
          "an id that no side changed stays", "\(key.kind) \(key.uid): \(original) to \(pair.id)")
      }
      if let expected = expectedID(a, b, original), pair.id != expected.id {
        let other = expected.side == .ours ? theirs : ours
        let isContested =
          expected.id <= lastGiven(by: counter, in: other)
          && expected.id > (base?.last(counter) ?? 0)
        if !isContested && !isCovered(key) && base != nil
          && !isTaken(expected.id, counter, for: key)
        {
          fail("an uncontested id stays", "\(key.kind) \(key.uid): \(expected.id) to \(pair.id)")
        }
        if !result.decisions.contains(where: {
          $0.rule == MergeRule.renumbered && $0.element == key
        }), result.isClean {
          fail("renumbering is reported", "\(key.kind) \(key.uid): \(expected.id) to \(pair.id)")
        }
      }
    }
  }

  /// The last id of a counter: for the properties of an entity that the version does not have, that
  /// of the entity of the same name, which became one with it.
  private func lastGiven(by counter: Counter, in version: Version) -> UInt32 {
    guard case .property(let owner) = counter, version.lookup.entity(owner) == nil,
      let name = [ours, theirs].lazy.compactMap({ $0.names[ElementKey(.entity, owner)] }).first,
      let twin = version.names.first(where: { $0.key.kind == .entity && $0.value == name })?.key
    else { return version.last(counter) }
    return version.last(.property(entity: twin.uid))
  }

  /// The id that one side gave, if the other gave none; the higher one if one of them moved the element.
  private func expectedID(
    _ a: UInt32?, _ b: UInt32?, _ original: UInt32?
  ) -> (id: UInt32, side: MergeSide)? {
    switch (a, b) {
    case (let a?, nil): original == nil ? (a, .ours) : nil
    case (nil, let b?): original == nil ? (b, .theirs) : nil
    case (let a?, let b?) where original != nil && (a == original || b == original):
      a > b ? (a, .ours) : (b, .theirs)
    default: nil
    }
  }

  /// Published, else the lower UID.
  private mutating func checkWinners() {
    for (key, (pair, counter)) in ours.pairs where base?.pairs[key] == nil {
      guard theirs.pairs[key] == nil, isLiveAlike(key, ours) else { continue }
      let rivals = theirs.pairs.filter {
        $0.value.counter == counter && $0.value.pair.id == pair.id && $0.key != key
          && base?.pairs[$0.key] == nil && ours.pairs[$0.key] == nil
      }
      guard let rival = rivals.keys.first, isLiveAlike(rival, theirs), !isCovered(key),
        !isCovered(rival)
      else { continue }
      let expected: ElementKey
      if isTaken(pair.id, counter, for: key), isTaken(pair.id, counter, for: rival) { continue }
      switch (rank(key, pair.id, counter), rank(rival, pair.id, counter)) {
      case (nil, nil): expected = key.uid < rival.uid ? key : rival
      case (_?, nil): expected = key
      case (nil, _?): expected = rival
      case (_?, _?):
        fail("both are published: a conflict", "\(key.kind) id \(pair.id)")
        continue
      }
      if merged.pairs[expected]?.pair.id != pair.id {
        fail(
          "published, else the lower UID keeps an id",
          "\(expected.kind) \(expected.uid) had \(pair.id), "
            + "has \(merged.pairs[expected]?.pair.id ?? 0)")
      }
    }
  }

  private func rank(_ key: ElementKey, _ id: UInt32, _ counter: Counter) -> Int? {
    published.firstIndex { $0.id(of: key, in: counter) == id }
  }

  private func isLiveAlike(_ key: ElementKey, _ version: Version) -> Bool {
    guard let now = merged.pairs[key], let then = version.pairs[key] else { return false }
    return now.counter == then.counter
  }

  private mutating func checkScalars() {
    guard let base else { return }
    let scalars: [(String, (Model) -> Int?)] = [
      ("modelVersion", { $0.modelVersion }), ("version", { $0.version }),
      ("modelVersionParserMinimum", { $0.modelVersionParserMinimum }),
    ]
    for (name, value) in scalars {
      let (o, a, b) = (value(base.model), value(ours.model), value(theirs.model))
      let expected = a == b ? a : a == o ? b : b == o ? a : max(a ?? 0, b ?? 0)
      if value(merged.model) != expected {
        fail("versions are merged", "\(name): \(String(describing: value(merged.model)))")
      }
    }
    let pools = [base, ours, theirs].map { Set($0.model.newUIDPool ?? []) }
    let pool = pools[1].intersection(pools[2]).union(pools[1].union(pools[2]).subtracting(pools[0]))
      .filter { !merged.lookup.isLive($0) && !merged.lookup.isRetired($0) }
    if Set(merged.model.newUIDPool ?? []) != pool {
      fail("the pool is merged", "\(merged.model.newUIDPool ?? []), expected \(pool.sorted())")
    }
    if !result.isClean { return }
    let keys = Set(inputs.flatMap { $0.model.otherMembers.map(\.key) })
    for key in keys {
      let text = { (version: Version) in version.model.otherMembers.first { $0.key == key }?.text }
      let (o, a, b) = (text(base), text(ours), text(theirs))
      let expected = a == b ? a : a == o ? b : a
      if a == b || a == o || b == o, text(merged) != expected {
        fail("unknown keys are merged", "\(key): \(text(merged) ?? "nothing")")
      }
    }
  }
}
