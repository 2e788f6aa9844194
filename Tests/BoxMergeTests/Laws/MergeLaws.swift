import BoxMerge
import BoxModel
import BoxReport
import TestSupport

/// Merges, or does so wrongly on purpose.
typealias MergeFunction = @Sendable (MergeInput) throws -> MergeResult

/// A law that a merge broke.
struct LawViolation: Hashable, CustomStringConvertible {
  var law: String
  var detail: String

  var description: String { "\(law): \(detail)" }
}

/// Holds a merge to the laws of merging.
struct MergeLaws {
  let merge: MergeFunction
  private(set) var violations: [LawViolation] = []
  private var isClean = false

  /// The laws that the merge breaks on a case.
  static func violations(of testCase: MergeCase, _ merge: @escaping MergeFunction) -> [LawViolation]
  {
    checked(testCase, merge).violations
  }

  /// The laws that the merge breaks on a case, and whether that is of sound sides without a conflict.
  static func checked(
    _ testCase: MergeCase, _ merge: @escaping MergeFunction
  ) -> (violations: [LawViolation], isClean: Bool) {
    var laws = MergeLaws(merge: merge)
    do {
      try laws.check(testCase)
    } catch {
      laws.fail("no-refusal", "\(error)")
    }
    return (laws.violations, laws.isClean)
  }

  private init(merge: @escaping MergeFunction) { self.merge = merge }

  mutating func fail(_ law: String, _ detail: @autoclosure () -> String) {
    if violations.count < 16 { violations.append(LawViolation(law: law, detail: detail())) }
  }

  mutating func expect(_ isTrue: Bool, _ law: String, _ detail: @autoclosure () -> String) {
    if !isTrue { fail(law, detail()) }
  }

  private mutating func check(_ testCase: MergeCase) throws {
    switch testCase.kind {
    case .sound: try checkSound(testCase)
    case .withoutBase: try checkWithoutBase(testCase)
    case .unrelated, .regenerated: try checkRefusals(testCase)
    case .scattered: try checkScattered(testCase)
    case .picked: try checkPicked(testCase)
    case .markers: try checkMarkers(testCase)
    }
  }

  private mutating func checkSound(_ testCase: MergeCase) throws {
    let input = try testCase.input()
    guard isSound(input, testCase) else { return }
    // Scripts can remove all there was and add the same names again, which is the same thing.
    if let side = MergeSide.allCases.first(where: {
      isRegenerated(testCase.model($0), from: testCase.baseModel)
    }) {
      return checkRefused(input, .regenerated(side))
    }
    try checkIdentities(input, testCase)
    try checkWrongLastPairs(input, testCase)
    let result = try merge(input)
    isClean = result.isClean
    try checkSymmetry(input, result, testCase)
    checkOutcome(input, result, testCase)
    try checkByteOrderMarks(input, result, testCase)
    try checkChoices(input, result, testCase)
    try checkRepetition(input, result, testCase)
    try checkTakingBack(testCase, input, result)
  }

  /// The laws speak of sound sides: that the generated ones are is a law of the generator.
  mutating func isSound(_ input: MergeInput, _ testCase: MergeCase) -> Bool {
    for document in [input.base, input.ours, input.theirs].compactMap({ $0 }) {
      let errors = document.check().filter { $0.severity == .error }
      if let first = errors.first {
        fail("generator", first.message)
        return false
      }
    }
    return true
  }

  mutating func parse(_ bytes: [UInt8], _ law: String) -> ModelDocument? {
    do {
      return try ModelDocument(parsing: bytes)
    } catch {
      fail(law, "the result is not a model: \(error.message)")
      return nil
    }
  }
}

/// A merge with nothing, and with itself.
extension MergeLaws {
  mutating func checkIdentities(_ input: MergeInput, _ testCase: MergeCase) throws {
    guard let base = input.base else { return }
    for (side, document) in [(MergeSide.ours, input.ours), (.theirs, input.theirs)] {
      let same = try merge(input.with(base: base, ours: document, theirs: document))
      expect(same.isClean && same.bytes == document.bytes, "m(b,x,x)=x", "\(side)")
      // What is published, and what was given last, has the better claim.
      guard isSettled(document.model, since: base.model, testCase) else { continue }
      let forward = try merge(input.with(base: base, ours: base, theirs: document))
      expect(forward.isClean, "m(b,b,x)=x", "\(side): \(forward.conflicts.map(\.message))")
      if let model = parse(forward.bytes, "m(b,b,x)=x")?.model {
        let found = differences(document.model, model)
        expect(found.isEmpty, "m(b,b,x)=x", "\(side): \(found)")
        if testCase.baseDialect == testCase.dialect(side) {
          expect(forward.bytes == document.bytes, "m(b,b,x)=x in bytes", "\(side)")
        }
      }
      let kept = try merge(input.with(base: base, ours: document, theirs: base))
      expect(kept.isClean && kept.bytes == document.bytes, "m(b,x,b)=x", "\(side)")
    }
  }

  /// Whether a merge has no reason to change an id of a model: each published element has its id, all others
  /// come after what was published, and none has a lower one than before.
  private func isSettled(_ model: Model, since base: Model, _ testCase: MergeCase) -> Bool {
    let published = testCase.publishedModelsForLaws()
    let before = PublishedIDs(base)
    var result = true
    model.forEachElement { place, pair in
      let key = ElementKey(place.kind, pair.uid)
      let counter = model.counter(of: place)
      let known = Set(published.compactMap { $0.id(of: key, in: counter) })
      let isAfter = published.allSatisfy { $0.last(counter) < pair.id }
      let isRaised = before.id(of: key, in: counter) ?? 0 <= pair.id
      if known != [pair.id], !(known.isEmpty && isAfter && isRaised) { result = false }
    }
    return result
  }

  /// Whichever side is called ours, the result is the same, but for the numbers of some counters.
  mutating func checkSymmetry(
    _ input: MergeInput, _ result: MergeResult, _ testCase: MergeCase,
    but counters: Set<Counter> = []
  ) throws {
    let mirror = try merge(input.swapped)
    let law = "symmetry"
    let inBytes = testCase.dialect(.ours) == testCase.dialect(.theirs)
    expect(
      Set(result.conflicts.map(\.id)) == Set(mirror.conflicts.map(\.id)), law,
      "conflicts \(result.conflicts.map(\.id).sorted()) and \(mirror.conflicts.map(\.id).sorted())")
    if result.isClean {
      compare(result.bytes, mirror.bytes, law, inBytes, counters)
    }
    for side in MergeSide.allCases {
      guard let a = result.resolved[Resolution(side)],
        let b = mirror.resolved[Resolution(side.other)]
      else {
        if !result.isClean { fail("resolved", "\(side) is not there") }
        continue
      }
      compare(a, b, "symmetry of all-\(side)", inBytes, counters)
    }
    // Where something is open, decisions are those that its resolutions have in common.
    guard result.isClean else { return }
    let decided = { (result: MergeResult) in
      Set(
        result.decisions.filter { $0.rule != MergeRule.dialectKept }
          .map { "\($0.rule.id) \($0.element?.uid ?? 0)" })
    }
    let difference = decided(result).symmetricDifference(decided(mirror))
    expect(difference.isEmpty, "symmetry of decisions", "\(difference.sorted())")
  }

  private mutating func compare(
    _ a: [UInt8], _ b: [UInt8], _ law: String, _ inBytes: Bool, _ counters: Set<Counter>
  ) {
    if a == b { return }
    guard var x = parse(a, law)?.model, var y = parse(b, law)?.model else { return }
    if !counters.isEmpty {
      (x, y) = (x.withoutNumbers(of: counters), y.withoutNumbers(of: counters))
    }
    let found = differences(x, y)
    if !found.isEmpty {
      fail(law, found)
    } else if inBytes, counters.isEmpty, x.withSortedLists != y.withSortedLists {
      fail(law + " of orders", "the elements are the same")
    }
  }
}

/// The law of byte order marks.
extension MergeLaws {
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// A byte order mark in any of the versions changes nothing but that the result has it if ours does.
  mutating func checkByteOrderMarks(
    _ input: MergeInput, _ result: MergeResult, _ testCase: MergeCase
  ) throws {
    var rng = SplitMix64(seed: testCase.seed &+ 3)
    let marks = (0..<3).map { _ in rng.oneIn(2) }
    func marked(_ document: ModelDocument, _ isMarked: Bool) throws -> ModelDocument {
      isMarked ? try ModelDocument(parsing: Self.mark + document.bytes) : document
    }
    guard let base = input.base else { return }
    let found = try merge(
      input.with(
        base: marked(base, marks[0]), ours: marked(input.ours, marks[1]),
        theirs: marked(input.theirs, marks[2])))
    let law = "byte order marks"
    // A side that differs from the base in its mark alone has changed it.
    let sides = [input.ours, input.theirs]
    if sides.contains(where: { $0.bytes == base.bytes }), Set(marks).count > 1 { return }
    let isMarked = marks[1]
    expect(found.bytes == (isMarked ? Self.mark : []) + result.bytes, law, "\(marks)")
    expect(found.conflicts == result.conflicts, law, "\(marks): \(found.conflicts.map(\.id))")
    expect(found.decisions == result.decisions, law, "\(marks): \(found.decisions.map(\.message))")
  }
}

/// The laws of resolving, repeating and undoing.
extension MergeLaws {
  mutating func checkChoices(
    _ input: MergeInput, _ result: MergeResult, _ testCase: MergeCase
  ) throws {
    if result.isClean {
      expect(result.resolved.isEmpty, "resolved", "without a conflict there are resolved files")
      return
    }
    let ids = result.conflicts.map(\.id)
    expect(Set(ids).count == ids.count, "conflict ids are unique", "\(ids)")
    expect(
      result.bytes == result.resolved[.ours], "where conflicts are open the file has ours", "")
    for side in MergeSide.allCases {
      var told = input
      for id in ids { told.choices[id] = Resolution(side) }
      let chosen = try merge(told)
      expect(
        chosen.isClean, "all choices leave none", "\(side): \(chosen.conflicts.map(\.id))")
      expect(
        chosen.bytes == result.resolved[Resolution(side)], "choices give the resolved file",
        "\(side)")
      var favored = input
      favored.favor = side
      let all = try merge(favored)
      expect(
        all.isClean && all.bytes == chosen.bytes, "favor is all choices",
        "\(side): \(all.conflicts.map(\.id))")
    }
    var rng = SplitMix64(seed: testCase.seed &+ 1)
    var mixed = input
    for id in ids { mixed.choices[id] = rng.oneIn(2) ? .ours : .theirs }
    var chosen = try merge(mixed)
    // The index of one side with the flags of the other may be a contradiction of its own.
    for _ in 0..<4 where !chosen.isClean {
      for conflict in chosen.conflicts { mixed.choices[conflict.id] = .ours }
      chosen = try merge(mixed)
    }
    expect(chosen.isClean, "all choices leave none", "mixed: \(chosen.conflicts.map(\.id))")
    if let document = parse(chosen.bytes, "mixed choices") {
      let errors = Version(document).errors
      expect(errors.isEmpty, "mixed choices give a sound model", "\(errors)")
    }
  }

  mutating func checkRepetition(
    _ input: MergeInput, _ result: MergeResult, _ testCase: MergeCase
  ) throws {
    guard result.isClean, let base = input.base, let merged = parse(result.bytes, "repetition")
    else { return }
    for (ours, theirs, isWrittenOver) in [
      (merged, input.theirs, true), (input.ours, merged, testCase.isOfOneDialect),
      (merged, input.ours, true),
    ] {
      let again = try merge(input.with(base: base, ours: ours, theirs: theirs))
      expect(again.isClean, "merging again", "\(again.conflicts.map(\.message))")
      guard again.isClean, let model = parse(again.bytes, "merging again")?.model else { continue }
      let found = differences(merged.model, model)
      expect(found.isEmpty, "merging again", found)
      if isWrittenOver {
        expect(again.bytes == merged.bytes, "merging again changes no byte", found)
      }
    }
  }

  mutating func checkTakingBack(
    _ testCase: MergeCase, _ input: MergeInput, _ result: MergeResult
  ) throws {
    if result.isClean { return }
    for conflict in result.conflicts.prefix(2) {
      for side in MergeSide.allCases {
        if try !canTakeBack(conflict, of: result, side, testCase, input) {
          fail("taking back ends a conflict", "\(side): \(conflict.id), \(conflict.message)")
        }
      }
    }
  }

  private func canTakeBack(
    _ conflict: Conflict, of result: MergeResult, _ side: MergeSide, _ testCase: MergeCase,
    _ input: MergeInput
  ) throws -> Bool {
    let named = uids(of: conflict, among: result.conflicts, input)
    func isGone(_ changed: MergeCase) throws -> Bool {
      try !merge(changed.input(input, changing: side)).conflicts.contains {
        $0.id == conflict.id
      }
    }
    let script = testCase.script(side)
    if try isGone(testCase.without(named, of: side)) { return true }
    // A removal takes away more than it names, and a shared edit may stand on both sides.
    for index in script.indices where try isGone(testCase.without(index, of: side)) { return true }
    let shared = script.filter { testCase.script(side.other).contains($0) }
    if !shared.isEmpty { return true }
    var bare = testCase
    // What concerns the model as a whole has no UID, and may be changed more than once.
    bare.scripts[side] = script.filter {
      $0.uids.isDisjoint(with: named) && !isRemoval($0) && !(named.isEmpty && $0.uids.isEmpty)
    }
    return try isGone(bare)
  }

  /// The elements that a conflict names, and their parts: a change of any of them may be its edit.
  private func uids(
    of conflict: Conflict, among conflicts: [Conflict], _ input: MergeInput
  ) -> Set<UID> {
    var keys = Set(conflict.elements)
    let versions = [input.base, input.ours, input.theirs].compactMap({ $0 }).map(Version.init)
    // An answer about their entity brings two members of one name together.
    let owners = Set(
      versions.flatMap { version in conflict.elements.compactMap { version.owners[$0] } })
    for other in conflicts where !owners.isDisjoint(with: other.elements) {
      keys.formUnion(other.elements)
    }
    for version in versions {
      for (key, owner) in version.owners {
        if keys.contains(owner) || version.owners[owner].map(keys.contains) ?? false {
          keys.insert(key)
        }
      }
    }
    return Set(keys.map(\.uid))
  }

  private func isRemoval(_ edit: ToolEdit) -> Bool {
    switch edit {
    case .removeEntity, .removeProperty, .removeRelation, .removeIndex, .reset: true
    default: false
    }
  }
}
