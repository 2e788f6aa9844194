internal import Synchronization

/// The search for to-many relations that an asynchronous put would have to write, while they are tied to the store.
final class UnwrittenRelations: Sendable {
  /// The search on this thread.
  @TaskLocal static var current: UnwrittenRelations?

  private let found = Atomic(false)

  /// Whether there is one.
  var isFound: Bool { found.load(ordering: .relaxed) }

  func markFound() { found.store(true, ordering: .relaxed) }
}
