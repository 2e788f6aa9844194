/// An open request to merge a branch: a pull request of GitHub, a merge request of GitLab.
struct SiteRequest: Hashable, Sendable {
  /// The number by which people know it.
  var number: Int
  /// The branch that is to be merged.
  var source: String
  /// The commit at the end of that branch.
  var commit: String
  /// The branch into which it is to be merged.
  var target: String
  /// Whether the branch is in another repository.
  var isFork: Bool
  /// Whether it is neither merged nor closed.
  var isOpen: Bool
}

/// A comment on a request.
struct SiteComment: Hashable, Sendable {
  var id: Int
  var text: String
  /// Whether the user of the token wrote it.
  var isOwn: Bool
}

/// The state of a commit that a site shows beside it.
enum SiteStatus: Hashable, Sendable { case success, failure, error }

/// A hosting site with requests.
///
/// Every function throws a ``CommandFailure`` of the kind `inputOutput` if the site cannot be reached,
/// does not accept the token, or answers something that it should not.
protocol Site: Sendable {
  /// The open requests, as far as they are into a branch, and from one.
  func requests(into target: String?, from source: String?) throws(CommandFailure) -> [SiteRequest]
  /// A request by its number.
  func request(_ number: Int) throws(CommandFailure) -> SiteRequest
  /// The comments on a request, the oldest first.
  func comments(on number: Int) throws(CommandFailure) -> [SiteComment]
  /// Writes a comment.
  func comment(on number: Int, _ text: String) throws(CommandFailure)
  /// Changes the text of a comment.
  func edit(_ comment: SiteComment, on number: Int, _ text: String) throws(CommandFailure)
  /// Removes a comment.
  func remove(_ comment: SiteComment, on number: Int) throws(CommandFailure)
  /// Shows a state beside a commit.
  func setStatus(
    of commit: String, _ status: SiteStatus, _ description: String
  ) throws(CommandFailure)
  /// The ref of the repository that has the branch of a request, also if that is in another repository.
  func reference(of number: Int) -> String
}

/// The name of the status that a site shows.
let siteStatusName = "boxjoint/merge"

extension Site {
  /// Writes a text as the one comment with a mark: changes the comment that has the mark, or adds one.
  ///
  /// Two programs that begin at the same time both find none. So each looks again after it has added one,
  /// and removes its own unless it is the oldest.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - mark: A word that tells comments for different purposes apart.
  ///   - number: The request.
  ///   - correcting: A text in the earlier comment without which it stays as it is, and without which none
  ///     is added; nil to write in any case.
  /// - Throws: ``CommandFailure`` as the functions of the site.
  func putComment(
    _ text: String, mark: String, on number: Int, correcting: String? = nil
  ) throws(CommandFailure) {
    let line = "<!-- boxjoint:\(mark) -->"
    let body = line + "\n" + text
    func own() throws(CommandFailure) -> [SiteComment] {
      try comments(on: number).filter { $0.isOwn && $0.text.hasPrefix(line) }
        .sorted { $0.id < $1.id }
    }
    if let first = try own().first {
      if let correcting, !first.text.hasPart(correcting) { return }
      // Sites change the line endings.
      if first.text.split(whereSeparator: \.isNewline) == body.split(whereSeparator: \.isNewline) {
        return
      }
      return try edit(first, on: number, body)
    }
    if correcting != nil { return }
    try comment(on: number, body)
    let all = try own()
    guard let first = all.first, all.count > 1 else { return }
    for other in all.dropFirst() { try remove(other, on: number) }
    try edit(first, on: number, body)
  }
}
