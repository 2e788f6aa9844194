internal import BoxModel

/// The links that the paths of columns have followed in a read transaction.
///
/// Many objects have the same targets. Without it, an object in the middle of a path would be read once
/// on each way to it, and the ways are the product of the links: 490,000 links of two relations are
/// 343 million ways.
final class PathLinks {
  /// The links of each relation, by its UID, or by the UID of the property for a to-one relation.
  private var steps: [UID: StepLinks] = [:]
  /// The number of bytes that links may still take, about.
  private var room: Int
  /// The number of objects that were read to follow a link.
  private(set) var readCount = 0

  /// Creates links, none of which were followed.
  ///
  /// - Parameter room: The number of bytes that links may take; others are read again.
  init(room: Int = 128 << 20) { self.room = room }

  /// The targets of some objects, each once, in the order of their ids.
  ///
  /// - Parameters:
  ///   - step: The UID of the relation.
  ///   - ids: The ids of the others, each once.
  ///   - read: Called with an id; returns the ids of the object's targets.
  /// - Returns: The ids.
  /// - Throws: The error of `read`.
  func ends(
    of step: UID, _ ids: [UInt64], _ read: (UInt64) throws(StoreError) -> [UInt64]
  ) throws(StoreError) -> [UInt64] {
    let links = steps[step] ?? StepLinks()
    steps[step] = links
    links.begin()
    for id in ids where !links.follow(id) {
      readCount += 1
      let ends = try read(id)
      if room > 0 {
        room -= links.add(ends, of: id)
      } else {
        links.found += ends
      }
    }
    return links.found.sortedAndUnique()
  }
}

/// The links of a relation that were read.
private final class StepLinks {
  /// For each source, the range of its targets.
  private var ranges: [UInt64: Range<Int>] = [:]
  /// The numbers of the targets of all sources.
  private var targets: [Int32] = []
  /// The number of each target, and the target of each number.
  private var numbers: [UInt64: Int32] = [:]
  private var ids: [UInt64] = []
  /// For each number, the last search that has found its target.
  private var marks: [UInt32] = []
  private var search: UInt32 = 0
  /// The number of targets with a number that the search has found.
  private var numbered = 0
  /// The targets that the search has found; only those without a number can be there twice.
  var found: [UInt64] = []

  /// Begins another search.
  func begin() {
    if search == .max {
      marks = [UInt32](repeating: 0, count: marks.count)
      search = 0
    }
    search += 1
    numbered = 0
    found.removeAll(keepingCapacity: true)
  }

  /// Adds the targets of a source; returns whether they are known.
  func follow(_ source: UInt64) -> Bool {
    guard let range = ranges[source] else { return false }
    // Nothing more can be found.
    if numbered == ids.count { return true }
    for index in range { mark(Int(targets[index])) }
    return true
  }

  private func mark(_ number: Int) {
    if marks[number] == search { return }
    marks[number] = search
    numbered += 1
    found.append(ids[number])
  }

  /// Adds the targets of a source that was read; returns the bytes that it takes to keep them.
  ///
  /// Numbers of 32 bits are enough for what there is room for.
  func add(_ ends: [UInt64], of source: UInt64) -> Int {
    let (start, known) = (targets.count, ids.count)
    for end in ends {
      let number = numbers[end] ?? Int32(ids.count)
      if number == ids.count {
        numbers[end] = number
        ids.append(end)
        marks.append(0)
      }
      targets.append(number)
      mark(Int(number))
    }
    ranges[source] = start..<targets.count
    // An entry of a table takes about 48 bytes.
    return 48 + 4 * ends.count + 48 * (ids.count - known)
  }
}
