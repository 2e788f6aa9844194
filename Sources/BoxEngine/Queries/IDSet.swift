/// A set of ids of objects: sorted, or a bit for each id where that takes less memory.
@safe final class IDSet: Sendable {
  /// The number of ids.
  let count: Int
  /// Nothing is written to it after the initializer.
  private nonisolated(unsafe) let words: UnsafeMutableBufferPointer<UInt64>
  /// The number of ids that have a bit; 0 for sorted ids.
  private let bitCount: UInt64

  /// Creates a set of ids in any order, which may repeat.
  ///
  /// - Complexity: O(*n*) where the ids are dense or in order, else O(*n* log *n*).
  init(_ ids: [UInt64]) {
    let highest = ids.max() ?? 0
    // A bit for each takes no more memory than the ids themselves.
    if !ids.isEmpty, highest / 64 < UInt64(ids.count) {
      bitCount = highest + 1
      unsafe words = .allocate(capacity: Int(highest / 64) + 1)
      unsafe words.initialize(repeating: 0)
      var count = 0
      for id in ids {
        let (word, bit) = (Int(id / 64), UInt64(1) << (id % 64))
        if unsafe words[word] & bit == 0 { count += 1 }
        unsafe words[word] |= bit
      }
      self.count = count
    } else {
      let sorted = ids.sortedAndUnique()
      bitCount = 0
      unsafe words = .allocate(capacity: max(1, sorted.count))
      _ = unsafe words.initialize(from: sorted)
      count = sorted.count
    }
  }

  deinit { unsafe words.deallocate() }

  /// Whether an id is in the set.
  ///
  /// - Complexity: O(1) or O(log *n*).
  @inline(__always)
  func contains(_ id: UInt64) -> Bool {
    if bitCount > 0 {
      return unsafe id < bitCount && words[Int(id / 64)] & (1 << (id % 64)) != 0
    }
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if unsafe words[middle] < id { low = middle + 1 } else { high = middle }
    }
    return unsafe low < count && words[low] == id
  }

  /// The ids in ascending order.
  ///
  /// - Complexity: O(*n*).
  var ids: [UInt64] {
    if bitCount == 0 { return unsafe Array(words[..<count]) }
    var ids: [UInt64] = []
    ids.reserveCapacity(count)
    for word in unsafe words.indices {
      var bits = unsafe words[word]
      while bits != 0 {
        ids.append(UInt64(word) * 64 + UInt64(bits.trailingZeroBitCount))
        bits &= bits - 1
      }
    }
    return ids
  }
}

extension [UInt64] {
  /// The numbers in ascending order, each once.
  ///
  /// - Complexity: O(*n*) if they are in order, else O(*n* log *n*).
  func sortedAndUnique() -> [UInt64] {
    var isAscending = true
    for index in indices.dropFirst() where self[index] <= self[index - 1] {
      isAscending = false
      break
    }
    if isAscending { return self }
    var result: [UInt64] = []
    result.reserveCapacity(count)
    for number in sorted() where number != result.last { result.append(number) }
    return result
  }

  /// The numbers that both have; both are in ascending order.
  ///
  /// Steps in the longer one grow as long as they fall short (galloping search).
  ///
  /// - Complexity: O(*m* log(*n* / *m*)) for *m* numbers in the shorter one.
  func intersection(_ other: [UInt64]) -> [UInt64] {
    let (short, long) = count <= other.count ? (self, other) : (other, self)
    var result: [UInt64] = []
    var start = 0
    for number in short {
      var step = 1
      while start + step < long.count, long[start + step] < number { step *= 2 }
      var (low, high) = (start + step / 2, Swift.min(start + step + 1, long.count))
      while low < high {
        let middle = (low + high) / 2
        if long[middle] < number { low = middle + 1 } else { high = middle }
      }
      start = low
      if start >= long.count { break }
      if long[start] == number { result.append(number) }
    }
    return result
  }
}
