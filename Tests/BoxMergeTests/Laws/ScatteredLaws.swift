import BoxMerge
import BoxModel
import BoxReport
import TestSupport

/// The laws of merges whose base is not an ancestor of the sides, and of merges one after the other.
extension MergeLaws {
  mutating func checkScattered(_ testCase: MergeCase) throws {
    let input = try testCase.input()
    // A UID that is used again may be the one that a counter still names.
    let documents = [input.base, input.ours, input.theirs].compactMap { $0 }
    if documents.contains(where: { !Version($0).errors.isEmpty }) { return }
    if MergeSide.allCases.contains(where: {
      isRegenerated(testCase.model($0), from: testCase.baseModel)
    }) {
      return
    }
    let result = try merge(input)
    checkOutcome(input, result, testCase)
    try checkChoices(input, result, testCase)
    // A UID is retired once, so the kind under which a side used it again is not kept: a second merge may
    // ask what the first one decided.
    let twice = uidsOfTwoKinds(input)
    if twice.isEmpty { try checkRepetition(input, result, testCase) }
    try checkOrder(input, result, testCase)
    if lacksNothing(input) {
      try checkSymmetry(
        input, result, testCase,
        but: countersBehindBase(input).union(counters(naming: twice, input)))
    }
  }

  /// The UIDs that the versions use for elements of different kinds.
  private func uidsOfTwoKinds(_ input: MergeInput) -> Set<UID> {
    var kinds: [UID: Set<ElementKind>] = [:]
    for version in [input.base, input.ours, input.theirs].compactMap({ $0.map(Version.init) }) {
      for key in version.keys { kinds[key.uid, default: []].insert(key.kind) }
    }
    return Set(kinds.filter { $0.value.count > 1 }.keys)
  }

  /// The counters whose last pair is of a UID of two kinds: a pair of ours stays after its element gave way
  /// to the other, and one of theirs does not come.
  private func counters(naming uids: Set<UID>, _ input: MergeInput) -> Set<Counter> {
    var found: Set<Counter> = []
    for version in [Version(input.ours), Version(input.theirs)] {
      for counter in version.counters {
        if let last = version.model[last: counter], uids.contains(last.uid) {
          found.insert(counter)
        }
      }
    }
    return found
  }

  /// Whether both sides mention all that the base does: what ours lacks is not what theirs lacks.
  private func lacksNothing(_ input: MergeInput) -> Bool {
    guard let base = input.base.map(Version.init) else { return true }
    let (ours, theirs) = (Version(input.ours), Version(input.theirs))
    // What a side gave and lost again is known by its last pair alone, if it is ours.
    for version in [ours, theirs] {
      for counter in version.counters {
        guard let pair = version.model[last: counter], !pair.isUnset else { continue }
        if !version.isKnown(ElementKey(counter.kind, pair.uid)) { return false }
      }
    }
    return base.keys.allSatisfy { ours.isKnown($0) && theirs.isKnown($0) }
  }

  /// The counters in which a side has not given what the base has: if that side is called ours, the
  /// other does not raise the last id, and else it stands.
  private func countersBehindBase(_ input: MergeInput) -> Set<Counter> {
    guard let base = input.base.map(Version.init) else { return [] }
    let sides = [Version(input.ours), Version(input.theirs)]
    return Set(
      base.counters.filter { counter in sides.contains { $0.last(counter) < base.last(counter) } })
  }

  /// The order in which elements stand decides nothing.
  mutating func checkOrder(
    _ input: MergeInput, _ result: MergeResult, _ testCase: MergeCase
  ) throws {
    var rng = SplitMix64(seed: testCase.seed &+ 3)
    func shuffled(_ document: ModelDocument, _ dialect: TestDialect) throws -> ModelDocument {
      var model = document.model
      model.otherMembers.removeAll { $0.key.hasPrefix("_note") }
      model.entities = rng.shuffled(model.entities)
      for e in model.entities.indices {
        model.entities[e].properties = rng.shuffled(model.entities[e].properties)
        model.entities[e].relations = model.entities[e].relations.map { rng.shuffled($0) }
      }
      return try BoxMergeTests.document(model, dialect)
    }
    // Dialects that sort would undo it.
    let other = try merge(
      input.with(
        base: input.base.map { try shuffled($0, .dart) }, ours: shuffled(input.ours, .dart),
        theirs: shuffled(input.theirs, .dart)))
    let law = "the order of elements decides nothing"
    expect(
      Set(result.conflicts.map(\.id)) == Set(other.conflicts.map(\.id)), law,
      "conflicts \(result.conflicts.map(\.id).sorted()) and \(other.conflicts.map(\.id).sorted())")
    guard let a = parse(result.bytes, law)?.model, var b = parse(other.bytes, law)?.model else {
      return
    }
    // The files were written by another generator.
    (b.modelVersionParserMinimum, b.otherMembers) = (a.modelVersionParserMinimum, a.otherMembers)
    let found = differences(a, b)
    expect(found.isEmpty, law, found)
  }

  /// A commit of theirs is picked onto ours, and then all of theirs is merged: what the sources of
  /// either have keeps its UID.
  mutating func checkPicked(_ testCase: MergeCase) throws {
    let script = testCase.script(.theirs)
    func theirs(_ count: Int) throws -> ModelDocument {
      try document(
        ModelTool.run(testCase.baseScript + script.prefix(count)), testCase.dialect(.theirs))
    }
    let input = try testCase.input()
    let (parent, commit) = try (
      theirs(testCase.picked.lowerBound), theirs(testCase.picked.upperBound)
    )
    let documents = [parent.model, commit.model, input.ours.model, input.theirs.model]
    guard isSound(input, testCase),
      !documents.contains(where: { isRegenerated($0, from: testCase.baseModel) }),
      !isRegenerated(input.ours.model, from: parent.model)
    else { return }
    let picking = input.with(base: parent, ours: input.ours, theirs: commit)
    let picked = try merge(picking)
    checkOutcome(picking, picked, testCase)
    try checkRepetition(picking, picked, testCase)
    guard picked.isClean, let ours = parse(picked.bytes, "picking") else { return }
    if isRegenerated(ours.model, from: testCase.baseModel) { return }
    for merging in [
      input.with(base: input.base, ours: ours, theirs: input.theirs),
      input.with(base: input.base, ours: input.theirs, theirs: ours),
    ] {
      let result = try merge(merging)
      checkOutcome(merging, result, testCase)
      try checkRepetition(merging, result, testCase)
      try checkSymmetry(merging, result, testCase)
      guard result.isClean, let merged = parse(result.bytes, "merging") else { continue }
      checkSources(input, Version(ours), merged)
    }
  }

  /// Everything that a side added, and that nobody took away, has the UID that it was given.
  private mutating func checkSources(
    _ input: MergeInput, _ picked: Version, _ merged: ModelDocument
  ) {
    guard let base = input.base.map(Version.init) else { return }
    let (ours, theirs) = (Version(input.ours), Version(input.theirs))
    let merged = Version(merged)
    let declared = Set(merged.names.keys.compactMap(merged.declaration))
    for (version, other) in [(ours, theirs), (theirs, ours)] {
      version.model.forEachElement { place, pair in
        let key = ElementKey(place.kind, pair.uid)
        guard base.pairs[key] == nil, other.pairs[key] == nil, merged.pairs[key] == nil
        else { return }
        // Two of one name became one, and one of the index of a property gave way.
        if key.kind == .index || version.declaration(of: key).map(declared.contains) ?? false {
          return
        }
        // It went with its entity, which a side removed.
        if let owner = version.owners[key], merged.pairs[owner] == nil { return }
        fail("what a side added has its UID after a pick", "\(version.model.label(place)) \(pair)")
      }
    }
  }
}
