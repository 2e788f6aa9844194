/// Finds the lines that two texts have in common, in an order that both have.
///
/// Lines at both ends are matched first, then lines that are in both texts exactly once (the lines
/// of a model file that hold ids are). The rest between those is matched by Myers' method, with a
/// bounded number of edits at a time. Among many lines without a rare one the result may not be the
/// smallest difference, but the time stays bounded.
struct LineMatching {
  /// The line of the second text for each line of the first, or -1.
  private(set) var partners: [Int32]

  private let a: [Int32]
  private let b: [Int32]
  /// By line number: its occurrences in the current ranges, and its position in the second.
  private var inA: [Int32]
  private var inB: [Int32]
  private var place: [Int32]

  /// The recursion limit of the search for unique lines within ranges between unique lines.
  private static let depthLimit = 32
  /// The number of edits after which Myers' method stops and takes the best path so far.
  private static let editLimit = 256

  /// Matches the lines of two texts, numbered together.
  ///
  /// - Complexity: O(*n* log *n*) in the number of lines where differences are few.
  init(_ a: TextLines, _ b: TextLines, symbolCount: Int) {
    self.a = a.symbols
    self.b = b.symbols
    partners = Array(repeating: -1, count: a.count)
    inA = Array(repeating: 0, count: symbolCount)
    inB = inA
    place = inA
    run()
  }

  private struct Task {
    var x: Range<Int>
    var y: Range<Int>
    var depth: Int
  }

  private mutating func run() {
    var tasks = [Task(x: 0..<a.count, y: 0..<b.count, depth: 0)]
    while var task = tasks.popLast() {
      matchEnds(&task)
      if task.x.isEmpty || task.y.isEmpty { continue }
      let anchors = task.depth < Self.depthLimit ? uniqueAnchors(task) : []
      if anchors.isEmpty {
        matchByEdits(task.x, task.y)
        continue
      }
      var x = task.x.lowerBound
      var y = task.y.lowerBound
      for (i, j) in anchors {
        partners[i] = Int32(j)
        if x < i, y < j { tasks.append(Task(x: x..<i, y: y..<j, depth: task.depth + 1)) }
        (x, y) = (i + 1, j + 1)
      }
      tasks.append(
        Task(x: x..<task.x.upperBound, y: y..<task.y.upperBound, depth: task.depth + 1))
    }
  }

  private mutating func matchEnds(_ task: inout Task) {
    var (x, y) = (task.x.lowerBound, task.y.lowerBound)
    while x < task.x.upperBound, y < task.y.upperBound, a[x] == b[y] {
      partners[x] = Int32(y)
      (x, y) = (x + 1, y + 1)
    }
    var (xEnd, yEnd) = (task.x.upperBound, task.y.upperBound)
    while xEnd > x, yEnd > y, a[xEnd - 1] == b[yEnd - 1] {
      (xEnd, yEnd) = (xEnd - 1, yEnd - 1)
      partners[xEnd] = Int32(yEnd)
    }
    task.x = x..<xEnd
    task.y = y..<yEnd
  }

  /// The longest row of lines, in the order of both texts, that each range has exactly once.
  private mutating func uniqueAnchors(_ task: Task) -> [(Int, Int)] {
    for i in task.x { inA[Int(a[i])] += 1 }
    for j in task.y {
      inB[Int(b[j])] += 1
      place[Int(b[j])] = Int32(j)
    }
    var pairs: [(Int, Int)] = []
    for i in task.x {
      let symbol = Int(a[i])
      if inA[symbol] == 1, inB[symbol] == 1 { pairs.append((i, Int(place[symbol]))) }
    }
    for i in task.x { inA[Int(a[i])] = 0 }
    for j in task.y { inB[Int(b[j])] = 0 }
    return longestAscending(pairs)
  }

  /// The longest subsequence with ascending second numbers.
  private func longestAscending(_ pairs: [(Int, Int)]) -> [(Int, Int)] {
    // For each length the pair that a row of that length can end with earliest.
    var ends: [Int] = []
    var previous = [Int](repeating: -1, count: pairs.count)
    for (position, pair) in pairs.enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if pairs[ends[middle]].1 < pair.1 { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[position] = ends[low - 1] }
      if low == ends.count { ends.append(position) } else { ends[low] = position }
    }
    var result: [(Int, Int)] = []
    var position = ends.last ?? -1
    while position >= 0 {
      result.append(pairs[position])
      position = previous[position]
    }
    return result.reversed()
  }

  /// Matches by Myers' method, from the furthest place on whenever the limit is reached.
  private mutating func matchByEdits(_ x: Range<Int>, _ y: Range<Int>) {
    var (x, y) = (x, y)
    while !x.isEmpty, !y.isEmpty {
      let (right, down) = matchSomeByEdits(x, y)
      x = x.lowerBound + right..<x.upperBound
      y = y.lowerBound + down..<y.upperBound
    }
  }

  /// Matches a first part of the ranges; the result says how much of each.
  private mutating func matchSomeByEdits(_ x: Range<Int>, _ y: Range<Int>) -> (Int, Int) {
    let limit = min(Self.editLimit, x.count + y.count)
    let middle = limit + 1
    // For each diagonal the furthest place that can be reached, and a copy of it for each round.
    var reached = [Int](repeating: -1, count: 2 * middle + 1)
    reached[middle + 1] = 0
    var rounds: [[Int]] = []
    var best = (right: 0, down: 0, round: 0)
    for edits in 0...limit {
      best = (-1, 0, edits)
      for k in stride(from: -edits, through: edits, by: 2) {
        let goesDown =
          k == -edits || (k != edits && reached[middle + k - 1] < reached[middle + k + 1])
        var right = goesDown ? reached[middle + k + 1] : reached[middle + k - 1] + 1
        var down = right - k
        while right < x.count, down < y.count,
          a[x.lowerBound + right] == b[y.lowerBound + down]
        {
          (right, down) = (right + 1, down + 1)
        }
        reached[middle + k] = right
        if right <= x.count, down <= y.count, right + down > best.right + best.down {
          best = (right, down, edits)
        }
      }
      rounds.append(reached)
      if best.right == x.count, best.down == y.count { break }
    }
    walkBack(best, rounds, middle: middle, x.lowerBound, y.lowerBound)
    return (best.right, best.down)
  }

  private mutating func walkBack(
    _ best: (right: Int, down: Int, round: Int), _ rounds: [[Int]], middle: Int, _ x: Int, _ y: Int
  ) {
    var (right, down) = (best.right, best.down)
    for edits in stride(from: best.round, through: 0, by: -1) {
      var (fromRight, fromDown) = (0, 0)
      if edits > 0 {
        let before = rounds[edits - 1]
        let k = right - down
        let wentDown =
          k == -edits || (k != edits && before[middle + k - 1] < before[middle + k + 1])
        fromRight = before[middle + k + (wentDown ? 1 : -1)]
        fromDown = fromRight - k - (wentDown ? 1 : -1)
      }
      while right > fromRight, down > fromDown {
        (right, down) = (right - 1, down - 1)
        partners[x + right] = Int32(y + down)
      }
      (right, down) = (fromRight, fromDown)
    }
  }
}
