internal import BoxEngine

/// A list at one time: the places of its objects, and its sections.
struct ListState: Sendable {
  private(set) var keys: KeyList
  private(set) var runs: SectionRuns

  /// Creates a list.
  ///
  /// - Parameters:
  ///   - entries: The objects in order, each with the name of its section.
  ///   - isDivided: Whether there are sections.
  /// - Throws: ``SectionRuns/Split``.
  init(_ entries: [(key: ListKey, section: String)], isDivided: Bool) throws(SectionRuns.Split) {
    keys = KeyList(entries.map(\.key))
    runs = SectionRuns(isDivided: isDivided)
    for entry in entries { try runs.append(entry.section) }
  }

  mutating func insert(_ key: ListKey, section: String) throws(SectionRuns.Split) {
    try runs.insert(section, at: keys.insert(key))
  }

  mutating func remove(_ key: ListKey) {
    runs.remove(at: keys.remove(key))
  }
}

/// The places of an object before and after changes; nil where it is not in the list.
struct KeyChange: Sendable {
  var old: ListKey?
  var new: ListKey?
}

/// The state of a list monitor.
struct ListSnapshot<E: EntityInspectable & __EntityRelatable>: MonitoredState
where E == E.EntityBindingType.EntityType {
  /// The list.
  let list: ListState

  static var isSentAtFirst: Bool { true }

  static func add(_ delta: [UInt64: KeyChange], to earlier: inout [UInt64: KeyChange]?) {
    var changes = earlier ?? [:]
    for (id, change) in delta {
      changes[id, default: KeyChange(old: change.old)].new = change.new
    }
    earlier = changes
  }

  static func event(
    from old: ListSnapshot?, to new: ListSnapshot, _ delta: [UInt64: KeyChange]?
  ) -> ListChange<E>? {
    let list = MonitoredList<E>(state: new.list)
    guard let old else { return ListChange(events: [], list: list, isInitial: true) }
    let events = ListDifference(from: old.list, to: new.list, delta ?? [:]).events(E.self)
    return events.isEmpty ? nil : ListChange(events: events, list: list, isInitial: false)
  }
}

/// Positions of keys in a list.
struct ListPositions {
  private let state: ListState
  private let starts: [Int]
  private let sectionStarts: [Int]

  init(_ state: ListState) {
    self.state = state
    starts = state.keys.starts
    sectionStarts = state.runs.starts
  }

  /// The position of a key among all objects.
  func position(of key: ListKey) -> Int { state.keys.position(of: key, starts) }

  /// The section and the position in it.
  func split(_ position: Int) -> ListPosition {
    let section = sectionStarts.firstPosition { $0 > position } - 1
    return ListPosition(section: section, item: position - sectionStarts[section])
  }
}
