import Testing

@testable import BoxStore

/// Commits that wait for an observer or a monitor become one.
struct PendingCommitsTests {
  /// A commit that was on its way when the store was closed does not take the place of the end.
  @Test func theEndOfAStoreStaysWhatIsDue() {
    var commits = PendingCommits<[Int]> { $0 += $1 }
    commits.append(.max, [1])
    commits.append(5, [2])
    #expect(commits.newest == .max)
    #expect(commits.consume(through: 5) == nil)
    #expect(commits.consume(through: .max) == [1, 2])
    #expect(commits.isEmpty)
  }

  /// A state has the commits up to its number, and later ones wait for the next.
  @Test func commitsDuringAReadWait() {
    var commits = PendingCommits<[Int]> { $0 += $1 }
    commits.append(3, [3])
    commits.append(4, [4])
    commits.beginReading()
    commits.append(5, [5])
    commits.append(6, [6])
    #expect(commits.consume(through: 5) == [3, 4, 5])
    #expect(commits.seen == 5)
    #expect(commits.consume(through: 6) == [6])
  }
}
