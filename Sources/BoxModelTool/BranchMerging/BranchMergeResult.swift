package import BoxMerge

/// A model file that a merge of branches merged.
package struct MergedModel: Sendable {
  /// The path from the top of the repository.
  package var path: String
  /// The decisions and open conflicts; nil if the file was merged as text.
  package var record: MergeRecord?
  /// The reason why the file was merged as text, in one sentence without a trailing period.
  package var textReason: String?

  /// Whether a conflict of the model is open.
  package var isOpen: Bool { record.map { $0.status != .merged } ?? false }
}

/// A conflict of git's own.
package struct TreeConflict: Hashable, Sendable {
  /// The path from the top of the repository.
  package var path: String
  /// The kind in git's words, such as `modify/delete`.
  package var kind: String
  /// The message of git.
  package var message: String
}

/// The result of a merge of two branches that changed neither.
package struct BranchMergeResult: Sendable {
  /// The outcome.
  package enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// There is nothing to merge.
    case upToDate = "up-to-date"
    /// A merge of texts gives the same, so that a hosting site can do it.
    case clean
    /// Everything is merged, and a merge of texts would not give it.
    case merged
    /// Something is open.
    case conflicts
    /// A side of a model was generated again.
    case refused
  }

  /// The outcome of a merge of texts, which a hosting site makes.
  package enum SiteMerge: String, Hashable, Sendable, CaseIterable {
    /// The same tree.
    case same
    /// Another tree, without a conflict.
    case different
    /// Conflicts.
    case conflicts
  }

  /// The branch that the other is merged into.
  package var ours: BranchTip
  /// The branch that is merged.
  package var theirs: BranchTip
  /// The outcome.
  package var outcome: Outcome
  /// The hash of the merged tree; nil if there is nothing to merge or something is open.
  package var tree: String?
  /// The outcome of a merge of texts; nil if there is nothing to merge.
  package var siteMerge: SiteMerge?
  /// The model files that both sides changed.
  package var models: [MergedModel] = []
  /// The conflicts of git's own.
  package var conflicts: [TreeConflict] = []
  /// Further notes for the reader, one sentence each without a trailing period.
  package var notes: [String] = []

  /// Creates the result for branches with nothing to merge.
  init(upToDate ours: BranchTip, _ theirs: BranchTip) {
    self.ours = ours
    self.theirs = theirs
    outcome = .upToDate
  }

  /// Creates the result from what git and the driver say.
  init(
    _ ours: BranchTip, _ theirs: BranchTip, _ merge: TreeMergeOutput, asText: TreeMergeOutput,
    _ verdicts: [String: MergeDriver.Verdict]
  ) {
    (self.ours, self.theirs) = (ours, theirs)
    models = verdicts.sorted { $0.key < $1.key }.compactMap { MergedModel($0.key, $0.value) }
    siteMerge = !asText.isClean ? .conflicts : asText.tree == merge.tree ? .same : .different
    let open = Set(models.filter(\.isOpen).map(\.path))
    conflicts = Self.conflicts(merge, ours, theirs).filter { conflict in
      !(open.contains(conflict.path) && ["contents", "add/add"].contains(conflict.kind))
    }
    if models.contains(where: { $0.record?.status == .refused }) {
      outcome = .refused
    } else if !merge.isClean {
      outcome = .conflicts
    } else {
      outcome = siteMerge == .same ? .clean : .merged
      tree = merge.tree
    }
  }

  private static func conflicts(
    _ merge: TreeMergeOutput, _ ours: BranchTip, _ theirs: BranchTip
  ) -> [TreeConflict] {
    let word = "CONFLICT ("
    var found: [TreeConflict] = []
    for message in merge.messages where message.kind.hasPrefix(word) {
      let kind = message.kind.dropFirst(word.count).prefix { $0 != ")" }
      let text = [ours, theirs].reduce(message.text) { $0.replacing(part: $1.commit, by: $1.name) }
      found.append(
        TreeConflict(path: message.paths.first ?? "", kind: String(kind), message: text))
    }
    let named = Set(merge.messages.flatMap(\.paths))
    for file in merge.files where !named.contains(file.path) {
      found.append(
        TreeConflict(path: file.path, kind: "unmerged", message: "the sides cannot be joined"))
    }
    return found
  }

  /// The decisions that people should know, with the path of the model.
  package var relevantDecisions: [(path: String, decision: Decision)] {
    models.flatMap { model in
      (model.record?.relevantDecisions ?? []).map { (model.path, $0) }
    }
  }
}

extension MergedModel {
  /// Nil for a file that is not a model.
  fileprivate init?(_ path: String, _ verdict: MergeDriver.Verdict) {
    switch verdict {
    case .byUID(let record): self.init(path: path, record: record)
    case .asText(let reason?): self.init(path: path, textReason: reason)
    case .asText(nil): return nil
    }
  }
}
