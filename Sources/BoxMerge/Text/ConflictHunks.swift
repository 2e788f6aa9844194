/// A place where two texts differ: a range of lines of each, one of them may be empty.
struct ConflictHunk: Hashable {
  var ours: Range<Int>
  var theirs: Range<Int>
}

/// The differences of two texts, arranged for reading.
struct ConflictHunks {
  let ours: TextLines
  let theirs: TextLines
  private(set) var hunks: [ConflictHunk] = []

  /// The number of common lines without a letter or digit, up to which they join the hunks around
  /// them.
  ///
  /// Git joins over any three lines; here a common line that says something stays outside.
  private static let bridgeLimit = 3

  init(ours: TextLines, theirs: TextLines, symbolCount: Int) {
    self.ours = ours
    self.theirs = theirs
    collect(LineMatching(ours, theirs, symbolCount: symbolCount).partners)
    for position in hunks.indices { slide(position) }
    join()
  }

  private mutating func collect(_ partners: [Int32]) {
    var (o, t) = (0, 0)
    while o < ours.count || t < theirs.count {
      if o < ours.count, partners[o] == t {
        (o, t) = (o + 1, t + 1)
        continue
      }
      let (firstO, firstT) = (o, t)
      while o < ours.count, partners[o] < 0 { o += 1 }
      t = o < ours.count ? Int(partners[o]) : theirs.count
      hunks.append(ConflictHunk(ours: firstO..<o, theirs: firstT..<t))
    }
  }

  /// Moves a hunk that one side added to the place where it starts at the lowest depth and not with
  /// a closing bracket, if the lines around it allow that.
  private mutating func slide(_ position: Int) {
    let hunk = hunks[position]
    guard hunk.ours.isEmpty != hunk.theirs.isEmpty else { return }
    let isOurs = hunk.theirs.isEmpty
    let text = isOurs ? ours : theirs
    let range = isOurs ? hunk.ours : hunk.theirs
    // A line stays between hunks, so that they remain what they are.
    func room(_ gap: Int?, _ whole: Int) -> Int { gap.map { $0 - 1 } ?? whole }
    let above = room(
      position > 0 ? hunk.ours.lowerBound - hunks[position - 1].ours.upperBound : nil,
      hunk.ours.lowerBound)
    let below = room(
      position + 1 < hunks.count
        ? hunks[position + 1].ours.lowerBound - hunk.ours.upperBound : nil,
      ours.count - hunk.ours.upperBound)
    var (lowest, highest) = (0, 0)
    while -lowest < above,
      text.symbols[range.lowerBound + lowest - 1] == text.symbols[range.upperBound + lowest - 1]
    {
      lowest -= 1
    }
    while highest < below,
      text.symbols[range.lowerBound + highest] == text.symbols[range.upperBound + highest]
    {
      highest += 1
    }
    let best = (lowest...highest).reversed().min { a, b in
      weight(text, range.lowerBound + a) < weight(text, range.lowerBound + b)
    }
    guard let best, best != 0 else { return }
    hunks[position] = ConflictHunk(
      ours: hunk.ours.lowerBound + best..<hunk.ours.upperBound + best,
      theirs: hunk.theirs.lowerBound + best..<hunk.theirs.upperBound + best)
  }

  private func weight(_ text: TextLines, _ line: Int) -> (Int, Int) {
    let mark = text.firstMark(of: line)
    return (text.indent(of: line), mark == UInt8(ascii: "}") || mark == UInt8(ascii: "]") ? 1 : 0)
  }

  private mutating func join() {
    var joined: [ConflictHunk] = []
    for hunk in hunks {
      if let last = joined.last, isBridge(last.ours.upperBound..<hunk.ours.lowerBound) {
        joined[joined.count - 1] = ConflictHunk(
          ours: last.ours.lowerBound..<hunk.ours.upperBound,
          theirs: last.theirs.lowerBound..<hunk.theirs.upperBound)
      } else {
        joined.append(hunk)
      }
    }
    hunks = joined
  }

  private func isBridge(_ lines: Range<Int>) -> Bool {
    lines.count <= Self.bridgeLimit
      && !ours[lines].contains { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"):
          true
        default: false
        }
      }
  }
}
