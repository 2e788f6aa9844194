import BoxModel
import TestSupport
import Testing

/// The laws of the difference of two models, on steps of real histories.
@Suite(.enabled(if: Corpus.isAvailable, "../shared/corpus is not there"))
struct DifferenceTests {
  @Test func aModelDoesNotDifferFromItself() throws {
    let corpus = try #require(Corpus.shared)
    for file in corpus.snapshots {
      let model = try #require(file.document?.model)
      #expect(ModelDifference(from: model, to: model).changes.isEmpty, "\(file)")
    }
  }

  @Test func swappingTheModelsSwapsBeforeAndAfter() throws {
    let corpus = try #require(Corpus.shared)
    for step in corpus.evolutions {
      guard let old = step.old.document?.model, let new = step.new.document?.model else { continue }
      let forth = ModelDifference(from: old, to: new)
      let back = ModelDifference(from: new, to: old)
      #expect(forth.sortedKeys == back.sortedKeys, "\(step.new)")
      for (key, change) in forth.changes {
        switch (change, back.changes[key]) {
        case (.added, .removed), (.removed, .added): break
        case (.changed(let fields), .changed(let others)):
          let swapped = others.map { FieldChange($0.field, before: $0.after, after: $0.before) }
          #expect(Set(fields) == Set(swapped), "\(step.new) \(key)")
        default: Issue.record("\(step.new) \(key): \(change)")
        }
      }
    }
  }

  @Test func realStepsHaveTheKindsThatAnotherProgramCounted() throws {
    let corpus = try #require(Corpus.shared)
    var compared = 0
    for (step, counts) in corpus.evolutionKinds {
      guard let old = step.old.document, let new = step.new.document, old.isComplete,
        new.isComplete, counts["regenerated"] == 0
      else { continue }
      let difference = ModelDifference(from: old.model, to: new.model)
      #expect(difference.count(.entity, isAdded) == counts["ent_add"], "\(step.old) \(step.new)")
      #expect(difference.count(.entity, isRemoved) == counts["ent_del"], "\(step.old) \(step.new)")
      #expect(difference.renames(.entity) == counts["ent_rename"], "\(step.old) \(step.new)")
      #expect(difference.renames(.property) == counts["prop_rename"], "\(step.old) \(step.new)")
      compared += 1
    }
    print("steps compared: \(compared)")
    #expect(compared > 1_000)
  }

  private func isAdded(_ change: ElementChange) -> Bool { change == .added }

  private func isRemoved(_ change: ElementChange) -> Bool {
    if case .removed = change { true } else { false }
  }
}

extension ModelDifference {
  fileprivate func count(_ kind: ElementKind, _ isWanted: (ElementChange) -> Bool) -> Int {
    changes.count { $0.key.kind == kind && isWanted($0.value) }
  }

  /// Elements with another name; one that is in another entity too is two changes to the program
  /// that counted.
  fileprivate func renames(_ kind: ElementKind) -> Int {
    count(kind) { change in
      guard case .changed(let fields) = change else { return false }
      return fields.contains { $0.field == .name } && !fields.contains { $0.field == .owner }
    }
  }
}
