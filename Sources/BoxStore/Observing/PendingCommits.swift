/// The contents of commits that an observer or a monitor has received and not processed yet.
///
/// A reader of a state takes the commits up to that state, merged into one. It leaves later ones, which
/// arrive while it reads: the state does not have them.
struct PendingCommits<Content: Sendable>: Sendable {
  private var commits: [(number: UInt64, content: Content)] = []
  private var isReading = false
  /// The number up to which the commits were last taken.
  private(set) var seen: UInt64 = 0
  private let merge: @Sendable (inout Content, Content) -> Void

  /// Creates an empty list.
  ///
  /// - Parameter merge: Adds the content of a later commit to the content of an earlier one.
  init(merge: @escaping @Sendable (inout Content, Content) -> Void) { self.merge = merge }

  var isEmpty: Bool { commits.isEmpty }
  /// The number of the last commit.
  var newest: UInt64? { commits.last?.number }

  /// Appends a commit.
  mutating func append(_ number: UInt64, _ content: Content) {
    // A read that begins later sees them all.
    if !isReading, let last = commits.indices.last {
      // The end of a store has the highest number, and commits on the way can come after it.
      commits[last].number = max(commits[last].number, number)
      merge(&commits[last].content, content)
    } else {
      commits.append((number, content))
    }
  }

  /// Keeps commits apart from now on, as a state is about to be read.
  ///
  /// This is not needed if nobody looks at the contents.
  mutating func beginReading() { isReading = true }

  /// Consumes the commits that a state has; nil if it has none of them.
  mutating func consume(through number: UInt64) -> Content? {
    isReading = false
    seen = max(seen, number)
    let seen = commits.prefix { $0.number <= number }
    guard var taken = seen.first?.content else { return nil }
    for commit in seen.dropFirst() { merge(&taken, commit.content) }
    commits.removeFirst(seen.count)
    return taken
  }
}
