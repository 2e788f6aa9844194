internal import BoxMerge
internal import BoxModel

/// The result of a merge, with the published models that decided it.
struct MergeRun: Sendable {
  var result: MergeResult
  /// The published models; nil if the merge did not depend on them, so that they were not looked up.
  var published: PublishedModels?

  /// The reason for a failed merge.
  enum Failure: Error {
    case refused(MergeRefusal)
    case failed(CommandFailure)
  }

  /// Merges, and reads the published models and the history only if they matter.
  ///
  /// Each takes several runs of git, and most merges have no contested id and no field that both
  /// sides changed. So the merge first runs without published models and history. It runs again if
  /// a field asks for the history, and if it made a conflict or a decision that the published models
  /// can change.
  ///
  /// - Parameters:
  ///   - input: The versions to merge. The history that was read is kept in it, for merges with
  ///     more answers.
  ///   - history: Called to read the earlier versions of both sides; nil if they are not known. If
  ///     it throws, the fields stay conflicts.
  ///   - lookUp: Called to read the published models.
  /// - Returns: The result, with the published models if they were read.
  /// - Throws: ``Failure`` if the merge was refused or `lookUp` failed.
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
    return try await merge(input, published)
  }

  /// Merges with what is published, and with its history if an element may have been published before.
  ///
  /// - Throws: ``Failure`` if the merge was refused or the history cannot be read.
  static func merge(
    _ input: MergeInput, _ published: PublishedModels
  ) async throws(Failure) -> MergeRun {
    var input = input
    input.published = published.published
    let result = try Self.result(of: input)
    guard result.asksForPublishedHistory else {
      return MergeRun(result: result, published: published)
    }
    let known: PublishedModels?
    do throws(CommandFailure) {
      known = try await published.withHistory()
    } catch {
      throw .failed(error)
    }
    guard let known else { return MergeRun(result: result, published: published) }
    input.published = known.published
    return MergeRun(result: try Self.result(of: input), published: known)
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
