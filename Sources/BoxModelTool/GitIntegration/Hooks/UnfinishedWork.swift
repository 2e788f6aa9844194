internal import BoxSystem

/// Work of git that is in progress while a hook runs, in which the work tree is not to be written.
struct UnfinishedWork: Hashable, Sendable {
  /// Whether git changes the work tree again after the hook, or refuses to if it has changes.
  var keepsWorkTree: Bool
  /// The commit before a sequence of reverts whose last one is done; nil otherwise.
  var startOfSequence: String?

  /// Detects the work by its files in a repository's own directory.
  init(gitDirectory: String) {
    func exists(_ name: String) -> Bool {
      ((try? fileAttributes(at: joinPath(gitDirectory, name))) ?? nil) != nil
    }
    func text(_ name: String) -> String? {
      (try? SourceFile.read(joinPath(gitDirectory, name)).bytes).map {
        String(decoding: $0, as: UTF8.self)
      }
    }
    let steps = (text("sequencer/todo") ?? "").split(whereSeparator: \.isNewline)
      .filter { !$0.hasPrefix("#") }
    // The step that is done is still the first of the list.
    let hasSteps = steps.count > 1
    keepsWorkTree =
      hasSteps
      || ["rebase-merge", "rebase-apply", "MERGE_AUTOSTASH"].contains(where: exists)
    startOfSequence =
      hasSteps || steps.isEmpty
      ? nil : text("sequencer/head").map { String($0.prefix { !$0.isNewline }) }
  }
}
