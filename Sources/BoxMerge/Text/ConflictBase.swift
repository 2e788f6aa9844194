/// Finds the part of a base at each difference of two sides.
struct ConflictBase {
  private let base: TextLines
  private let hunks: ConflictHunks
  /// The line of the base for each line of a side, or -1.
  private let fromOurs: [Int32]
  private let fromTheirs: [Int32]

  init(_ base: TextLines, _ hunks: ConflictHunks, symbolCount: Int) {
    self.base = base
    self.hunks = hunks
    fromOurs = LineMatching(hunks.ours, base, symbolCount: symbolCount).partners
    fromTheirs = LineMatching(hunks.theirs, base, symbolCount: symbolCount).partners
  }

  /// The range of lines of the base for each hunk, ascending and apart.
  func sections() -> [Range<Int>] {
    var sections: [Range<Int>] = []
    var end = 0
    for (position, hunk) in hunks.hunks.enumerated() {
      let next =
        position + 1 < hunks.hunks.count
        ? hunks.hunks[position + 1]
        : ConflictHunk(
          ours: hunks.ours.count..<hunks.ours.count,
          theirs: hunks.theirs.count..<hunks.theirs.count)
      let isLast = position + 1 == hunks.hunks.count
      let from = max(
        end, anchorBefore(hunk, downTo: position > 0 ? hunks.hunks[position - 1] : nil))
      let to = anchorAfter(hunk, upTo: next) ?? (isLast ? base.count : reach(of: hunk))
      sections.append(from..<max(from, to))
      end = max(from, to)
    }
    return sections
  }

  /// The line of the base that both sides have at a common line.
  private func anchor(_ o: Int, _ t: Int) -> Int? {
    fromOurs[o] >= 0 && fromOurs[o] == fromTheirs[t] ? Int(fromOurs[o]) : nil
  }

  /// The line after the last base line that matches the common lines before a hunk.
  private func anchorBefore(_ hunk: ConflictHunk, downTo previous: ConflictHunk?) -> Int {
    var (o, t) = (hunk.ours.lowerBound, hunk.theirs.lowerBound)
    while o > previous?.ours.upperBound ?? 0 {
      (o, t) = (o - 1, t - 1)
      if let line = anchor(o, t) { return line + 1 }
    }
    return 0
  }

  /// The first base line that matches the common lines after a hunk.
  private func anchorAfter(_ hunk: ConflictHunk, upTo next: ConflictHunk) -> Int? {
    var (o, t) = (hunk.ours.upperBound, hunk.theirs.upperBound)
    while o < next.ours.lowerBound {
      if let line = anchor(o, t) { return line }
      (o, t) = (o + 1, t + 1)
    }
    return nil
  }

  /// The line after the last one of the base that a side has in a hunk.
  private func reach(of hunk: ConflictHunk) -> Int {
    let lines =
      hunk.ours.lazy.map { fromOurs[$0] }.max() ?? -1
    let others = hunk.theirs.lazy.map { fromTheirs[$0] }.max() ?? -1
    return Int(max(lines, others)) + 1
  }
}
