import BoxJSON
import BoxReport
import TestSupport
import Testing

@testable import BoxModel

/// Every rule is broken in every file that has something to break.
struct CheckTests {
  private func counts(_ document: ModelDocument) -> [Rule: Int] {
    document.check().reduce(into: [:]) { $0[$1.rule, default: 0] += 1 }
  }

  private func count(_ rule: Rule, at line: Int, of document: ModelDocument) -> Int {
    document.check().count { $0.rule == rule && document.line(of: $0.range.lowerBound) == line }
  }

  @Test func writtenFilesHaveNothingToFind() throws {
    #expect(Corpus.written.count == 8)
    for file in Corpus.written {
      let document = try #require(file.document, "\(file)")
      let found = Set(document.check().map(\.rule))
      let expected = [ModelRule.versionOld, ModelRule.targetUnset]
      #expect(found == (file.name == "early.json" ? Set(expected) : []), "\(file)")
    }
  }

  @Test(.promise(110, 112, 116)) func aBrokenRuleIsFoundInWrittenFiles() throws {
    try breakEveryRule(in: Corpus.written)
  }

  @Test(.enabled(if: Corpus.isAvailable, "../shared/corpus is not there"))
  func aBrokenRuleIsFoundInRealFiles() throws {
    try breakEveryRule(in: try #require(Corpus.shared).snapshots)
  }

  /// A broken rule is found at its line and nowhere else.
  private func breakEveryRule(in files: [Corpus.File]) throws {
    var counts: [String: Int] = [:]
    for file in files {
      let document = try #require(file.document, "\(file)")
      guard document.isComplete else { continue }
      let before = self.counts(document)
      for mutation in Mutation.all {
        let rule = mutation.rule
        // Where a file breaks a rule already, its places cannot be told from the new one.
        guard before[rule] == nil, let edits = mutation.edits(document)?.compactMap({ $0 }),
          let edit = edits.first
        else { continue }
        let mutated = try ModelDocument(parsing: document.bytes(after: edits))
        let new = self.counts(mutated).filter { before[$0.key] == nil }
        #expect(Set(new.keys) == [rule], "\(file) \(rule.name) \(new.keys.map(\.name))")
        let place = mutation.place?(document) ?? edit.range.lowerBound
        let isMoved = place > edit.range.upperBound
        let removedLines =
          document.line(of: edit.range.upperBound) - document.line(of: edit.range.lowerBound)
        let line = document.line(of: place) - (isMoved ? removedLines : 0)
        #expect(
          count(rule, at: line, of: mutated) == new[rule], "\(file) \(rule.name) line \(line)")
        counts[rule.id, default: 0] += 1
        checkFix(mutation, of: mutated, to: document, "\(file)")
      }
    }
    for mutation in Mutation.all {
      print("\(mutation.rule.id) \(mutation.rule.name): broken in \(counts[mutation.rule.id] ?? 0)")
      #expect(counts[mutation.rule.id] ?? 0 > 0, "\(mutation.rule.name)")
    }
    let covered = Set(Mutation.all.map(\.rule.id))
    let wholeFile = [ModelRule.conflictMarkers, ModelRule.notJSON, ModelRule.notAModel].map(\.id)
    // The files of rules about removals have a test of their own.
    for rule in ModelRule.all where rule.id < "BOX180" && !wholeFile.contains(rule.id) {
      #expect(covered.contains(rule.id), "\(rule.name) is never broken")
    }
  }

  /// Mending leaves nothing of the rule, and touches no line that was not broken.
  private func checkFix(
    _ mutation: Mutation, of mutated: ModelDocument, to original: ModelDocument, _ file: String
  ) {
    // A file that had something to mend before would be mended there too.
    guard !original.check().contains(where: { $0.fix != nil }) else { return }
    let (fixed, applied) = mutated.fixed()
    let broken = mutated.check().filter { $0.rule == mutation.rule && $0.fix != nil }
    #expect(applied.isEmpty == broken.isEmpty, "\(file) \(mutation.rule.name)")
    if broken.isEmpty { return }
    #expect(!fixed.check().contains { $0.rule == mutation.rule }, "\(file) \(mutation.rule.name)")
    // A key that was in the only entity of a file comes back where its generator usually has it; a
    // file that two generators wrote has two orders, and those with a comment are of no known one.
    let isUnknown =
      mutation.rule == ModelRule.lastIDMissing
      && (original.model.entities.count == 1 || original.hasTwoOrders
        || original.json.value(forKey: "comment", in: original.json.root) != nil)
    if mutation.fixRestores && !isUnknown {
      #expect(fixed.bytes.elementsEqual(original.bytes), "\(file) \(mutation.rule.name)")
    }
    let before = lines(original)
    let after = lines(fixed)
    #expect(
      after.difference(from: before).count <= 8, "\(file) \(mutation.rule.name): more was changed")
  }

  private func lines(_ document: ModelDocument) -> [Substring] {
    String(decoding: document.bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }
}

extension ModelDocument {
  /// Whether some entities have their name before the last id of their properties, and others after.
  fileprivate var hasTwoOrders: Bool {
    let isNameFirst = nodes.entities.map { entity in
      let keys = json.members(of: entity.object).map { json.key($0.key) }
      return keys.firstIndex(of: "name") ?? 0 < keys.firstIndex(of: "lastPropertyId") ?? 0
    }
    return Set(isNameFirst).count > 1
  }
}
