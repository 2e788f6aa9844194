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

  /// Merges, and asks what is published only if that matters.
  ///
  /// Looking refs up takes several runs of git, and most merges have no contested id: so the merge
  /// runs as if nothing were published, and once more if that came to a contested id or a conflict.
  ///
  /// - Throws: ``Failure`` if the merge was refused or the looking up failed.
  static func merge(
    _ input: MergeInput, lookUp: () async throws(CommandFailure) -> PublishedModels
  ) async throws(Failure) -> MergeRun {
    let first = try result(of: input)
    guard first.dependsOnPublished else { return MergeRun(result: first, published: nil) }
    let published: PublishedModels
    do throws(CommandFailure) {
      published = try await lookUp()
    } catch {
      throw .failed(error)
    }
    var input = input
    input.published = published.published
    return MergeRun(result: try result(of: input), published: published)
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
