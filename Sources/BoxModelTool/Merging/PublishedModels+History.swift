internal import BoxMerge
internal import BoxModel

/// The history of the published refs, which tells what they no longer have.
extension PublishedModels {
  /// The maximum number of versions of a file that are read.
  private static let versionLimit = 2000
  /// The number of versions that are in memory at once.
  private static let batchSize = 64

  /// Decides on elements that two versions have under different ids, by what their merge bases have.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  mutating func settle(_ versions: [Version]) async throws(CommandFailure) {
    guard let source else { return }
    let models = versions.map(\.model)
    var ancestors: [VersionPair: [Model]] = [:]
    for pair in published.contradictions(of: models) {
      let (first, second) = (versions[pair.first], versions[pair.second])
      let bases = try await source.git.mergeBases(of: first.commit, and: second.commit)
      // The file may have been moved since.
      let paths = Set([first.path, second.path]).sorted()
      ancestors[pair] = try await source.git.blobs(
        bases.flatMap { base in paths.map { "\(base):\($0)" } }
      )
      .compactMap { bytes in bytes.flatMap { (try? ModelDocument(parsing: $0))?.model } }
    }
    published.settleContradictions(of: models, ancestors: ancestors)
  }

  /// The models with the history of each, so that what they no longer have gets the id that it had.
  ///
  /// - Returns: The models; nil if they are not of git.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  /// - Complexity: O(*n*) in the size of all versions of the file; two or three runs of git for each ref.
  func withHistory() async throws(CommandFailure) -> PublishedModels? {
    guard let source else { return nil }
    let cutOff = try await source.git.isShallow() ? "git fetch --unshallow" : nil
    var result = self
    for (number, place) in source.places.enumerated() where !place.commits.isEmpty {
      var history = PublishedHistory(cutOff: cutOff)
      let lines = try await source.git.versions(
        of: place.path, upTo: place.commits, limit: Self.versionLimit)
      var rest = (lines.first + lines.others)[...]
      while !rest.isEmpty {
        let batch = Array(rest.prefix(Self.batchSize))
        rest = rest.dropFirst(Self.batchSize)
        for bytes in try await source.git.blobs(batch) {
          guard let bytes, let document = try? ModelDocument(parsing: bytes) else { continue }
          history.add(document.model)
        }
      }
      result.published.models[number].history = history
    }
    return result
  }
}
