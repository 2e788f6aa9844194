/// Commits theirs on a new branch `feature`, and ours on the branch that is checked out.
///
/// - Throws: ``TestFailure`` if git refuses.
public func branchOff(
  _ repository: TemporaryRepository, _ file: String, _ ours: SmallModel, _ theirs: SmallModel
) async throws {
  try await repository.git("switch", "--quiet", "-c", "feature")
  try await repository.commit([file: theirs.text])
  try await repository.git("switch", "--quiet", "-")
  try await repository.commit([file: ours.text])
}
