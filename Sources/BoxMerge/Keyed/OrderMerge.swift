/// Merges the orders of keys, so that it does not matter which side is called ours.
struct OrderMerge {
  private let base: [[UInt8]]?
  private let ours: [[UInt8]]
  private let theirs: [[UInt8]]
  private let members: Set<[UInt8]>

  /// Creates the orders of three versions, of which only some keys are in the result.
  init(_ keys: KeyedVersions<[[UInt8]]>, members: Set<[UInt8]>) {
    base = keys.base.map { $0.filter(members.contains) }
    ours = (keys.ours ?? []).filter(members.contains)
    theirs = (keys.theirs ?? []).filter(members.contains)
    self.members = members
  }

  /// Each key of the versions once, in an order that does not depend on the sides.
  static func all(_ keys: KeyedVersions<[[UInt8]]>) -> [[UInt8]] {
    Set((keys.base ?? []) + (keys.ours ?? []) + (keys.theirs ?? [])).sorted(by: precedes)
  }

  /// The members in their order.
  ///
  /// If both sides are sorted, so is the result. Otherwise keys that both sides have are in the order of the
  /// side that changed the order, and the key of one side follows the key that it follows there.
  func merged() -> [[UInt8]] {
    if Self.isSorted(ours), Self.isSorted(theirs) { return members.sorted(by: Self.precedes) }
    let (inOurs, inTheirs) = (Set(ours), Set(theirs))
    let common = inOurs.intersection(inTheirs)
    let spine = self.spine(common)
    let runs = [self.runs(ours, common), self.runs(theirs, common)]
    var result: [[UInt8]] = []
    func placeRuns(after key: [UInt8]?) {
      let found = runs.compactMap { $0[key] }
      for run in found.sorted(by: { Self.precedes($0[0], $1[0]) }) { result += run }
    }
    placeRuns(after: nil)
    for key in spine {
      result.append(key)
      placeRuns(after: key)
    }
    // The keys that the base alone has, where it is the answer.
    return result + members.subtracting(result).sorted(by: Self.precedes)
  }

  /// The keys of both sides.
  private func spine(_ common: Set<[UInt8]>) -> [[UInt8]] {
    let (first, second) = (ours.filter(common.contains), theirs.filter(common.contains))
    if first == second { return first }
    if let base {
      let before = base.filter(common.contains)
      let known = Set(before)
      let isFirstAsBefore = first.filter(known.contains) == before
      if isFirstAsBefore != (second.filter(known.contains) == before) {
        return isFirstAsBefore ? second : first
      }
    }
    let isFirst = first.lexicographicallyPrecedes(second, by: Self.precedes)
    return isFirst ? first : second
  }

  /// The keys of one side alone, by the common key before them.
  private func runs(_ keys: [[UInt8]], _ common: Set<[UInt8]>) -> [[UInt8]?: [[UInt8]]] {
    var runs: [[UInt8]?: [[UInt8]]] = [:]
    var anchor: [UInt8]?
    for key in keys {
      if common.contains(key) { anchor = key } else { runs[anchor, default: []].append(key) }
    }
    return runs
  }

  private static func isSorted(_ keys: [[UInt8]]) -> Bool {
    zip(keys, keys.dropFirst()).allSatisfy { precedes($0, $1) }
  }

  private static func precedes(_ first: [UInt8], _ second: [UInt8]) -> Bool {
    first.lexicographicallyPrecedes(second)
  }
}
