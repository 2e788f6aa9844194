internal import BoxEngine

/// The differences between two states of a list, from the objects that were changed in between.
///
/// All others keep their order, so the work depends on the changes, and on the number of sections, and
/// not on the number of objects.
struct ListDifference {
  private struct Survivor {
    var id: UInt64
    var old: Int
    var new: Int
    var from: ListPosition
    var to: ListPosition
    /// Whether it can have kept its place among the objects that were not changed.
    var mayStay: Bool
  }

  private let old: ListState
  private let new: ListState
  private let oldPositions: ListPositions
  private let newPositions: ListPositions
  private var removed: [(id: UInt64, position: Int)] = []
  private var inserted: [(id: UInt64, position: Int)] = []
  private var survivors: [Survivor] = []
  /// The sections of either state that are the same in the other one.
  private var kept: Set<String> = []

  /// Compares two states.
  ///
  /// - Parameters:
  ///   - old: The earlier state.
  ///   - new: The later state.
  ///   - changes: The places of all objects that were changed in between, by their ids.
  /// - Complexity: O(*k* log *n* + *s*) for *k* changes and *s* sections.
  init(from old: ListState, to new: ListState, _ changes: [UInt64: KeyChange]) {
    self.old = old
    self.new = new
    oldPositions = ListPositions(old)
    newPositions = ListPositions(new)
    for (id, change) in changes {
      let before = change.old.map(oldPositions.position)
      let after = change.new.map(newPositions.position)
      switch (before, after) {
      case (let before?, let after?):
        survivors.append(
          Survivor(
            id: id, old: before, new: after, from: oldPositions.split(before),
            to: newPositions.split(after), mayStay: false))
      case (let before?, nil): removed.append((id, before))
      case (nil, let after?): inserted.append((id, after))
      case (nil, nil): break
      }
    }
    kept = keptSections()
    findCandidates()
  }

  // MARK: - Sections

  /// Those in both states; if some have changed their order, only those with an object that was not
  /// changed, as these cannot have.
  private func keptSections() -> Set<String> {
    let names = Set(old.runs.names)
    let common = new.runs.names.filter(names.contains)
    let commonSet = Set(common)
    if common == old.runs.names.filter(commonSet.contains) { return commonSet }
    var changed = Array(repeating: 0, count: new.runs.names.count)
    for survivor in survivors { changed[survivor.to.section] += 1 }
    for (_, position) in inserted { changed[newPositions.split(position).section] += 1 }
    return Set(
      new.runs.names.indices.filter { changed[$0] < new.runs.counts[$0] }
        .map { new.runs.names[$0] })
  }

  // MARK: - Moves

  /// Finds the changed objects that have as many unchanged ones in front of them as before.
  private mutating func findCandidates() {
    let oldChanged = (survivors.map(\.old) + removed.map(\.position)).sorted()
    let newChanged = (survivors.map(\.new) + inserted.map(\.position)).sorted()
    for index in survivors.indices {
      let survivor = survivors[index]
      let before = survivor.old - oldChanged.firstPosition { $0 >= survivor.old }
      let after = survivor.new - newChanged.firstPosition { $0 >= survivor.new }
      let name = new.runs.names[survivor.to.section]
      survivors[index].mayStay =
        before == after && kept.contains(name) && old.runs.names[survivor.from.section] == name
    }
    survivors.sort { $0.new < $1.new }
    let candidates = survivors.indices.filter { survivors[$0].mayStay }
    let staying = Set(Self.longestAscent(candidates.map { survivors[$0].old }))
    for (number, index) in candidates.enumerated() {
      survivors[index].mayStay = staying.contains(number)
    }
  }

  /// The indexes of a longest ascending subsequence.
  ///
  /// - Complexity: O(*n* log *n*).
  private static func longestAscent(_ values: [Int]) -> [Int] {
    /// For each length, the index of the least value that ends such a sequence.
    var ends: [Int] = []
    var previous = Array(repeating: -1, count: values.count)
    for index in values.indices {
      let length = ends.firstPosition { values[$0] >= values[index] }
      if length > 0 { previous[index] = ends[length - 1] }
      if length == ends.count { ends.append(index) } else { ends[length] = index }
    }
    var result: [Int] = []
    var index = ends.last ?? -1
    while index >= 0 {
      result.append(index)
      index = previous[index]
    }
    return result
  }

  // MARK: - Events

  /// The events in their documented order.
  func events<E>(_ type: E.Type = E.self) -> [ListEvent<E>] {
    var events: [ListEvent<E>] = []
    for (index, name) in old.runs.names.enumerated().reversed() where !kept.contains(name) {
      events.append(.removeSection(name, from: index))
    }
    for (index, name) in new.runs.names.enumerated() where !kept.contains(name) {
      events.append(.insertSection(name, at: index))
    }
    for (id, position) in removed.sorted(by: { $0.position > $1.position }) {
      events.append(.remove(EntityId(id), from: oldPositions.split(position)))
    }
    for (id, position) in inserted.sorted(by: { $0.position < $1.position }) {
      events.append(.insert(EntityId(id), at: newPositions.split(position)))
    }
    for survivor in survivors where !survivor.mayStay {
      events.append(.move(EntityId(survivor.id), from: survivor.from, to: survivor.to))
    }
    for survivor in survivors where survivor.mayStay {
      events.append(.update(EntityId(survivor.id), at: survivor.to))
    }
    return events
  }
}
