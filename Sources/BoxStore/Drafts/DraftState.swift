internal import BoxEngine

/// The things that a draft keeps between its calls.
struct DraftState: Sendable {
  /// The changes.
  private(set) var content = DraftContent()
  /// The hashes of the objects that the application has read; nil for those that were missing.
  private(set) var seen: [DraftKey: Int?] = [:]
  /// The steps that can be undone, the last one last.
  private var done: [DraftStep] = []
  /// The changes since the last step.
  private var open = DraftStep()
  /// The steps that can be made again.
  private var undone: [DraftStep] = []

  var canUndo: Bool { !open.isEmpty || !done.isEmpty }
  var canRedo: Bool { !undone.isEmpty }

  /// Records the changes of a call.
  mutating func recordChanges(_ changed: DraftContent) {
    content = changed
    let step = content.endStep()
    if step.isEmpty { return }
    open.append(step)
    undone = []
  }

  /// Records what the application has read, except what the draft has changed.
  mutating func recordReads(_ hashes: [(key: DraftKey, hash: Int?)]) {
    for (key, hash) in hashes where content.records[key] == nil { seen[key] = .some(hash) }
  }

  /// Ends a step.
  mutating func flush() {
    if open.isEmpty { return }
    done.append(open)
    open = DraftStep()
  }

  mutating func undo() -> Bool {
    flush()
    guard let step = done.popLast() else { return false }
    undone.append(content.revert(step))
    return true
  }

  mutating func redo() -> Bool {
    guard let step = undone.popLast() else { return false }
    done.append(content.revert(step))
    return true
  }

  /// Begins again, after the changes were committed.
  mutating func finish(_ stored: [(key: DraftKey, hash: Int?)]) {
    let before = seen
    self = DraftState()
    seen = before
    recordReads(stored)
  }
}
