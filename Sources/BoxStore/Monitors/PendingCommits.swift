/// The contents of commits that a monitor was told of and has not looked at yet.
///
/// A monitor that reads a state must look at the commits up to that state, and leave later ones, of which
/// it is told while it reads: the state does not have them.
struct PendingCommits<Content: Sendable>: Sendable {
  private var commits: [(number: UInt64, content: Content)] = []
  private var isReading = false
  private let merge: @Sendable (inout Content, Content) -> Void

  /// Creates an empty list.
  ///
  /// - Parameter merge: Adds the content of a later commit to that of an earlier one.
  init(merge: @escaping @Sendable (inout Content, Content) -> Void) { self.merge = merge }

  var isEmpty: Bool { commits.isEmpty }

  /// Notes a commit.
  mutating func note(_ number: UInt64, _ content: Content) {
    // Whoever begins to read later sees them all.
    if !isReading, let last = commits.indices.last {
      commits[last].number = number
      merge(&commits[last].content, content)
    } else {
      commits.append((number, content))
    }
  }

  /// Keeps commits apart from now on, as a state is about to be read.
  mutating func beginReading() { isReading = true }

  /// Takes the commits that a state has; nil if it has none of them.
  mutating func take(through number: UInt64) -> Content? {
    isReading = false
    let seen = commits.prefix { $0.number <= number }
    guard var taken = seen.first?.content else { return nil }
    for commit in seen.dropFirst() { merge(&taken, commit.content) }
    commits.removeFirst(seen.count)
    return taken
  }
}
