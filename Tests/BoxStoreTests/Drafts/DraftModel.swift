import BoxStore

/// The values of a setting.
struct SettingValue: Hashable {
  var key: String?
  var count: Int32
}

/// The settings of a store in memory, with the rules of their model: keys are unique, and an object
/// replaces the one that has its key.
struct SettingTable: Equatable {
  private(set) var values: [Id: SettingValue] = [:]
  /// The ids that were removed, also if they were put again.
  private(set) var removed: Set<Id> = []

  init(_ values: [Id: SettingValue] = [:]) { self.values = values }

  mutating func put(_ id: Id, _ value: SettingValue) {
    if let key = value.key {
      for (other, stored) in values where other != id && stored.key == key { remove(other) }
    }
    values[id] = value
  }

  mutating func remove(_ id: Id) {
    if values.removeValue(forKey: id) != nil { removed.insert(id) }
  }

  func id(ofKey key: String) -> Id? { values.first { $0.value.key == key }?.key }
}

/// A draft in memory, by the rules that the documentation states.
struct ModelDraft {
  struct Change: Equatable {
    var value: SettingValue?
    var base: SettingValue?
    /// Whether the stored object is removed first.
    var isReplaced = false
  }

  private(set) var changes: [Id: Change] = [:]
  private var seen: [Id: SettingValue?] = [:]
  /// The changes before each step, and before the open one.
  private var done: [[Id: Change]] = []
  private var open: [Id: Change]?
  private var undone: [[Id: Change]] = []

  /// The objects that the draft shows.
  func view(_ store: [Id: SettingValue]) -> [Id: SettingValue] {
    var table = SettingTable(store)
    for id in changes.keys { table.remove(id) }
    for (id, change) in changes { if let value = change.value { table.put(id, value) } }
    return table.values
  }

  mutating func read(_ ids: some Sequence<Id>, _ store: [Id: SettingValue]) {
    for id in ids where changes[id] == nil { seen[id] = .some(store[id]) }
  }

  /// Takes the changes of a call from one table to another.
  mutating func take(
    _ table: SettingTable, from view: [Id: SettingValue], _ store: [Id: SettingValue]
  ) {
    let before = changes
    for id in Set(view.keys).union(table.values.keys).union(table.removed) {
      let (now, stored, known) = (table.values[id], store[id], changes[id])
      if now == view[id] && !table.removed.contains(id) { continue }
      let wasRemoved =
        table.removed.contains(id) || known.map { $0.isReplaced || $0.value == nil } ?? false
      let isReplaced = wasRemoved && now != nil && stored != nil
      if now == stored && !isReplaced {
        changes[id] = nil
        continue
      }
      let base = known.map(\.base) ?? seen[id] ?? stored
      changes[id] = Change(value: now, base: base, isReplaced: isReplaced)
    }
    if changes == before { return }
    if open == nil { open = before }
    undone = []
  }

  mutating func flush() {
    if let open { done.append(open) }
    open = nil
  }

  mutating func undo() -> Bool {
    flush()
    guard let before = done.popLast() else { return false }
    undone.append(changes)
    changes = before
    return true
  }

  mutating func redo() -> Bool {
    guard let after = undone.popLast() else { return false }
    done.append(changes)
    changes = after
    return true
  }

  func conflicts(_ store: [Id: SettingValue]) -> [Id] {
    changes.filter { id, change in
      store[id] != change.base && store[id] != change.value
    }.keys.sorted()
  }

  mutating func finish(_ store: [Id: SettingValue]) {
    let committed = changes
    let before = seen
    self = ModelDraft()
    seen = before
    for id in committed.keys { seen[id] = .some(store[id]) }
  }
}
