internal import BoxStorage

/// A stable sort of integer entries by key and member.
enum RadixSort {
  /// Sorts by key, then by member with some of its bits left aside; equals stay in their order.
  ///
  /// - Complexity: O(*n*) times the number of bytes in which the entries differ; at most sixteen.
  static func sort(_ entries: inout [IntegerEntry], ignoring ignored: UInt64 = 0) {
    if isSorted(entries, ignoring: ignored) { return }
    if entries.count < 256 {
      let mask = ~ignored
      // The sort of the standard library is stable, though it does not promise it.
      entries = entries.enumerated().sorted { a, b in
        let first = (a.element.key, a.element.member & mask, a.offset)
        return first < (b.element.key, b.element.member & mask, b.offset)
      }.map(\.element)
      return
    }
    var (allOr, allAnd) = (IntegerEntry(key: 0, member: 0), IntegerEntry(key: .max, member: .max))
    for entry in entries {
      allOr.key |= entry.key
      allOr.member |= entry.member
      allAnd.key &= entry.key
      allAnd.member &= entry.member
    }
    let differing = IntegerEntry(
      key: allOr.key ^ allAnd.key, member: (allOr.member ^ allAnd.member) & ~ignored)
    var scratch = [IntegerEntry](
      repeating: IntegerEntry(key: 0, member: 0), count: entries.count)
    for shift in stride(from: UInt64(0), to: 64, by: 8) where differing.member >> shift & 255 != 0 {
      pass(&entries, &scratch) { Int(($0.member & ~ignored) >> shift & 255) }
    }
    for shift in stride(from: UInt64(0), to: 64, by: 8) where differing.key >> shift & 255 != 0 {
      pass(&entries, &scratch) { Int($0.key >> shift & 255) }
    }
  }

  private static func isSorted(_ entries: [IntegerEntry], ignoring ignored: UInt64) -> Bool {
    var previous = IntegerEntry(key: 0, member: 0)
    for entry in entries {
      let current = IntegerEntry(key: entry.key, member: entry.member & ~ignored)
      if current < previous { return false }
      previous = current
    }
    return true
  }

  @inline(__always)
  private static func pass(
    _ entries: inout [IntegerEntry], _ scratch: inout [IntegerEntry],
    _ digit: (IntegerEntry) -> Int
  ) {
    unsafe withUnsafeTemporaryAllocation(of: Int.self, capacity: 256) { places in
      unsafe places.initialize(repeating: 0)
      for entry in entries { unsafe places[digit(entry)] += 1 }
      var start = 0
      for value in 0..<256 { unsafe (places[value], start) = unsafe (start, start + places[value]) }
      unsafe scratch.withUnsafeMutableBufferPointer { target in
        for entry in entries {
          let value = digit(entry)
          unsafe target[places[value]] = entry
          unsafe places[value] += 1
        }
      }
    }
    swap(&entries, &scratch)
  }
}
