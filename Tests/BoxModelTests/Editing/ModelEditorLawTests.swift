import BoxModel
import TestSupport
import Testing

/// The laws of edits, on random sequences.
struct ModelEditorLawTests {
  private static let rounds = TestSeed.count("BOXJOINT_SOAK_EDITS", default: 400)

  @Test func editsGiveWhatTheRulesSay() throws {
    var random = TestSeed.next()
    var refusals = 0
    for round in 0..<Self.rounds {
      var sequence = EditSequence(SplitMix64(seed: random.next()))
      var document = try ModelDocument(parsing: ModelDocument.newFile)
      for _ in 0..<(1 + random.below(40)) {
        if let problem = sequence.step() {
          Issue.record("round \(round): \(problem)")
          return
        }
        // The file follows edit by edit, as the commands write it.
        document = try ModelDocument(parsing: document.rendered(sequence.editor.model))
        #expect(document.isComplete)
        let issues = document.check()
        #expect(issues.isEmpty, "round \(round): \(issues) after \(sequence.log)")
        #expect(
          GeneratorRules(of: document.model).agrees(with: sequence.rules),
          "round \(round): \(sequence.log)")
      }
      refusals += sequence.refusals
    }
    #expect(refusals > Self.rounds, "hardly any edit was refused")
  }
}
