internal import BoxEngine
internal import BoxModel

/// The ids of the objects that the last commits changed.
///
/// The numbers of its commits follow each other. If one is missing, another process has written, and
/// what it changed is not known.
struct CommitLog: Sendable {
  private var commits: [FollowedChanges] = []
  /// The position of the first commit that was not forgotten.
  private var start = 0
  private var idCount = 0
  private let maximumIDs: Int

  /// Creates a log that remembers at most `maximumIDs` ids.
  init(maximumIDs: Int = 1 << 16) { self.maximumIDs = maximumIDs }

  mutating func append(_ changes: FollowedChanges) {
    if let last = commits.last, last.number + 1 != changes.first {
      (commits, start, idCount) = ([], 0, 0)
    }
    // It is not known which of several commits changed an object, so each counts as one that did. With more
    // than 64, comparing all vectors is cheaper.
    if changes.number - changes.first > 64 { return }
    for number in changes.first...changes.number {
      var one = changes
      (one.first, one.number) = (number, number)
      commits.append(one)
      idCount += Self.count(changes)
    }
    while idCount > maximumIDs || commits.count - start > 4096 {
      idCount -= Self.count(commits[start])
      commits[start].ids = [:]
      start += 1
    }
    if start > 4096 {
      commits.removeFirst(start)
      start = 0
    }
  }

  /// Removes the last changes if their commit failed.
  mutating func removeLast(_ number: UInt64) {
    guard let last = commits.last, last.number == number else { return }
    if start < commits.count { idCount -= Self.count(last) }
    commits.removeLast()
    start = min(start, commits.count)
  }

  private static func count(_ changes: FollowedChanges) -> Int {
    changes.ids.values.reduce(0) { $0 + $1.count }
  }

  /// The ids that commits of a range changed; nil if not all of these commits are known, and if there are
  /// more ids than a number.
  ///
  /// - Complexity: O(*n*) in the commits of the range and their ids.
  func ids(
    of entity: UID, after low: UInt64, through high: UInt64, atMost maximum: Int
  ) -> Set<UInt64>? {
    if low == high { return [] }
    guard start < commits.count, let last = commits.last,
      low + 1 >= commits[start].number, high <= last.number
    else { return nil }
    let first = start + Int(low + 1 - commits[start].number)
    var ids: Set<UInt64> = []
    for commit in commits[first..<first + Int(high - low)] {
      ids.formUnion(commit.ids[entity] ?? [])
      if ids.count > maximum { return nil }
    }
    return ids
  }
}
