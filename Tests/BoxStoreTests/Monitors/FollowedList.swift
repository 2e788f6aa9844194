import BoxStore
import Synchronization
import Testing

/// A list that is kept by the differences of a monitor alone.
final class FollowedList<E: EntityInspectable & __EntityRelatable>: Sendable
where E == E.EntityBindingType.EntityType {
  private let state = Mutex((sections: [[Id]](), changes: 0))

  var sections: [[Id]] { state.withLock { $0.sections } }
  var ids: [Id] { sections.flatMap(\.self) }
  /// The number of changes so far.
  var changes: Int { state.withLock { $0.changes } }

  /// Replays a change, and compares the copy with the list of the change.
  func apply(_ change: ListChange<E>) {
    state.withLock { state in
      change.replay(on: &state.sections) { $0.value }
      state.changes += 1
      let expected = change.list.sections.indices.map { section in
        change.list.ids(inSection: section).map(\.value)
      }
      #expect(state.sections == expected, "\(change.events)")
    }
  }

  /// Applies what a subscription hands over, which must not be an error.
  func take(_ result: Result<ListChange<E>, any Error>, _ comment: Comment? = nil) {
    do {
      apply(try result.get())
    } catch {
      Issue.record(error, comment)
    }
  }
}

/// Whether something becomes true within five seconds.
func settles(_ isTrue: () -> Bool) async -> Bool {
  for _ in 0..<10_000 {
    if isTrue() { return true }
    try? await Task.sleep(for: .microseconds(500))
  }
  return isTrue()
}
