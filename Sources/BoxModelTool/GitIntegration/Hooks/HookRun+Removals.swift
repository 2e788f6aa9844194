internal import BoxMerge
internal import BoxModel

extension HookRun {
  /// Says which published elements a merge removed from a file that git took as it was in one of the commits, so that no
  /// driver said it.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run, `badConfiguration` if the settings
  ///   are wrong.
  mutating func addRemovals(
    in file: String, at tip: String, from parents: [String]
  ) async throws(CommandFailure) {
    let git = place.git
    let models = try await git.blobs(([tip] + parents).map { "\($0):\(file)" }).map { bytes in
      bytes.flatMap { (try? ModelDocument(parsing: $0))?.model }
    }
    guard let merged = models[0] else { return }
    let gone = models.dropFirst().compactMap(\.self).flatMap { merged.elementsLost(from: $0) }
    if gone.isEmpty { return }
    let wanted = PublishedModels.Wanted(path: file, model: merged, patterns: [])
    let references = try await published()
    var published = try await PublishedModels.lookUp(
      wanted, references, isDefault: true, git: git
    ).published.models
    // Without a remote, what is checked out is the published branch, and has the merge already.
    if let own = references.resolved.first(where: { $0.commit == tip }), let before = models[1] {
      published.append(PublishedModel(name: own.name, model: before))
    }
    var said: Set<ElementKey> = []
    for (key, name) in gone {
      guard said.insert(key).inserted, let model = published.first(where: { $0.has(key) }) else {
        continue
      }
      report.advice.append(
        "boxjoint: \(here(file)): \(name) is removed, which \(model.name) has; if its source is still "
          + "there, the next build begins it without its data: build, and run 'boxjoint check --fix' "
          + "before you commit")
    }
  }
}
