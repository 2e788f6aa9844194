/// The pages of a file that a walk has seen, each with its use.
struct PageMap {
  /// The use of a page.
  enum Use { case used, free }

  /// Pages from 0 to the last one.
  let count: UInt64
  /// Pages below this one have bits.
  ///
  /// The others are few: free pages after the end of the file.
  private let mapped: UInt64
  private var used: [UInt64]
  private var free: [UInt64]
  private var freePastEnd: Set<UInt64> = []
  /// Pages seen so far.
  private(set) var seen: UInt64 = 0
  private(set) var freeCount: UInt64 = 0

  /// A map of pages of which those up to `filePages` are in the file.
  ///
  /// It takes two bits for each page that is in the file.
  init(count: UInt64, filePages: UInt64) {
    self.count = count
    mapped = min(count, filePages)
    used = Array(repeating: 0, count: Int(mapped / 64 + 1))
    free = used
  }

  /// Pages that the map has and the file has too.
  var pagesInFile: UInt64 { mapped }

  /// The use that a page was seen with; nil if the page was not seen.
  func use(of page: UInt64) -> Use? {
    guard page < mapped else { return freePastEnd.contains(page) ? .free : nil }
    let (word, bit) = (Int(page / 64), UInt64(1) << (page % 64))
    if used[word] & bit != 0 { return .used }
    return free[word] & bit != 0 ? .free : nil
  }

  /// Notes a use of a page that was not seen before.
  mutating func mark(_ page: UInt64, as use: Use) {
    let (word, bit) = (Int(page / 64), UInt64(1) << (page % 64))
    switch use {
    case .used: used[word] |= bit
    case .free:
      freeCount += 1
      if page < mapped { free[word] |= bit } else { freePastEnd.insert(page) }
    }
    seen += 1
  }

  /// The first page in the file that was not seen.
  func firstUnseen() -> UInt64? {
    for word in used.indices {
      let unseen = ~(used[word] | free[word])
      let page = UInt64(word) * 64 + UInt64(unseen.trailingZeroBitCount)
      if unseen != 0 { return page < mapped ? page : nil }
    }
    return nil
  }
}
