import Testing

@testable import BoxStore

/// Commits that wait for an observer or a monitor become one.
struct PendingCommitsTests {
  /// A commit that was on its way when the store was closed does not take the place of the end.
  @Test func theEndOfAStoreStaysWhatIsDue() {
    var commits = PendingCommits<[Int]> { $0 += $1 }
    commits.note(.max, [1])
    commits.note(5, [2])
    #expect(commits.newest == .max)
    #expect(commits.take(through: 5) == nil)
    #expect(commits.take(through: .max) == [1, 2])
    #expect(commits.isEmpty)
  }

  /// A state has the commits up to its number, and later ones wait for the next.
  @Test func commitsDuringAReadWait() {
    var commits = PendingCommits<[Int]> { $0 += $1 }
    commits.note(3, [3])
    commits.note(4, [4])
    commits.beginReading()
    commits.note(5, [5])
    commits.note(6, [6])
    #expect(commits.take(through: 5) == [3, 4, 5])
    #expect(commits.seen == 5)
    #expect(commits.take(through: 6) == [6])
  }
}
