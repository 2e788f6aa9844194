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
    // Scripts can leave nothing that a side could have in common with the base.
    let other = testCase.model(testCase.oddSide.other)
    if isRegenerated(other, from: testCase.baseModel) || testCase.freshScript.isEmpty { return }
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

  /// Versions without a common element are refused, with the right side as the regenerated one.
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
      fail("a file with markers is not a model", "it was read")
    } catch {
      expect(
        error.rule == ModelRule.conflictMarkers, "a file with markers is not a model", "\(error)")
    }
  }

  /// A merge does not fix earlier errors: a file that is merged with itself comes back.
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
}
