internal import BoxMerge
internal import BoxModel

/// What a merge gave, with what was published when it was decided.
struct MergeRun: Sendable {
  var result: MergeResult
  /// Nil where no id was contested, so that nobody had to ask.
  var published: PublishedModels?

  /// Why a merge did not come about.
  enum Failure: Error {
    case refused(MergeRefusal)
    case failed(CommandFailure)
  }

  /// Merges, and asks what is published, and what the sides were before, only if that matters.
  ///
  /// Both take several runs of git, and most merges have no contested id and no field that both sides
  /// changed. So the merge runs as if nothing were published and no history known, and once more if
  /// that came to a contested id or a conflict, or asks for the history.
  ///
  /// - Parameters:
  ///   - input: What is merged. The history that was read is kept in it, for merges with more answers.
  ///   - history: Reads the earlier versions of both sides; nil if they are not known. Where reading
  ///     them fails, the fields stay conflicts.
  ///   - lookUp: Reads what is published.
  /// - Returns: The result, and what was published if that was read.
  /// - Throws: ``Failure`` if the merge was refused or the looking up failed.
  static func merge(
    _ input: inout MergeInput, history: () async throws(CommandFailure) -> FieldHistory?,
    lookUp: () async throws(CommandFailure) -> PublishedModels
  ) async throws(Failure) -> MergeRun {
    var first = try result(of: input)
    if first.asksForHistory, let lines = try? await history() {
      input.history = lines
      first = try result(of: input)
    }
    guard first.dependsOnPublished else { return MergeRun(result: first, published: nil) }
    let published: PublishedModels
    do throws(CommandFailure) {
      published = try await lookUp()
    } catch {
      throw .failed(error)
    }
    var second = input
    second.published = published.published
    return MergeRun(result: try result(of: second), published: published)
  }

  private static func result(of input: MergeInput) throws(Failure) -> MergeResult {
    do throws(MergeRefusal) {
      return try input.merged()
    } catch {
      throw .refused(error)
    }
  }

  /// The record for reports.
  func record(result path: String? = nil, notes: [String] = []) -> MergeRecord {
    MergeRecord(
      status: result.isClean ? .merged : .conflicts, result: path,
      decisions: result.decisions, conflicts: result.conflicts,
      published: published?.published.sources ?? [],
      notes: notes + (published?.notes ?? []))
  }
}

extension MergeResult {
  /// Whether knowing what is published could change the result.
  fileprivate var dependsOnPublished: Bool {
    let rules = [
      MergeRule.renumbered, MergeRule.unified, MergeRule.indexUnified, MergeRule.generatedFlags,
    ]
    return !conflicts.isEmpty || decisions.contains { rules.contains($0.rule) }
  }
}
