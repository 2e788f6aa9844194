import BoxEngine
import BoxModel
import BoxStorage
import Synchronization

/// A copy of the objects and links of some entities in memory, which follows what its observer is told.
///
/// Only what was told is read again: what is missed makes the copy differ.
final class FollowedCopy: Sendable {
  struct Link: Hashable {
    var relation: UID
    var source: UInt64
    var target: UInt64
  }

  struct Content: Equatable {
    var objects: [UID: [UInt64: [Value]]] = [:]
    var links: Set<Link> = []
  }

  struct State {
    var content = Content()
    /// The commits that were told.
    var commits: [CommitChanges] = []
    var failure: String?
  }

  private let store: ObjectStore
  private let entities: [EntitySchema]
  private let state = Mutex(State())
  private let observation = Mutex<Observation?>(nil)

  /// Begins to follow.
  init(_ store: ObjectStore, _ entities: [EntitySchema]) throws {
    self.store = store
    self.entities = entities
    let observed = try store.observe(entities) { [weak self] in self?.follow($0) }
    observation.withLock { $0 = observed }
    let content = try store.read { try read($0) }
    state.withLock { $0.content = content }
  }

  /// Ends the following.
  func end() { observation.withLock { $0.take() }?.cancel() }

  /// The commits that were told since the last call.
  func takeCommits() -> [CommitChanges] {
    state.withLock { state in
      defer { state.commits = [] }
      return state.commits
    }
  }

  /// The difference between the copy and the store, which nobody writes to meanwhile; nil for none.
  func difference() throws -> String? {
    store.waitForObservers()
    let real = try store.read { try read($0) }
    return state.withLock { state in
      if let failure = state.failure { return failure }
      if state.content == real { return nil }
      for entity in entities {
        let (copy, found) = (
          state.content.objects[entity.uid] ?? [:], real.objects[entity.uid] ?? [:]
        )
        for id in Set(copy.keys).union(found.keys).sorted() where copy[id] != found[id] {
          return "\(entity.name) \(id) is \(found[id] ?? []), and \(copy[id] ?? []) was told"
        }
      }
      return "links \(real.links.symmetricDifference(state.content.links)) differ"
    }
  }

  private func read(_ transaction: Transaction) throws -> Content {
    var content = Content()
    for entity in entities {
      var objects: [UInt64: [Value]] = [:]
      try transaction.visitObjects(entity) { object in
        objects[object.id] = object.values
        return .next
      }
      content.objects[entity.uid] = objects
      for relation in entity.relations {
        for source in objects.keys {
          for target in try transaction.targets(relation, of: source) {
            content.links.insert(Link(relation: relation.uid, source: source, target: target))
          }
        }
      }
    }
    return content
  }

  private func follow(_ commit: CommitChanges) {
    do {
      try store.read { transaction in
        var content = state.withLock { $0.content }
        for changes in commit.entities {
          guard let entity = entities.first(where: { $0.uid == changes.entity }) else { continue }
          if changes.isWhole {
            content = try read(transaction)
            break
          }
          for change in changes.changes {
            content.objects[entity.uid]?[change.id] = try transaction.get(entity, change.id)?.values
            if change.kind == .removed {
              let own = Set(entity.relations.map(\.uid))
              content.links = content.links.filter {
                $0.source != change.id || !own.contains($0.relation)
              }
            }
          }
          for change in changes.relations {
            let link = Link(relation: change.relation, source: change.source, target: change.target)
            if change.isAdded { content.links.insert(link) } else { content.links.remove(link) }
          }
        }
        // The pairs that went with an object are not listed; it can be new in the same commit, and gone again.
        for relation in entities.flatMap(\.relations) {
          content.links = content.links.filter { link in
            link.relation != relation.uid
              || content.objects[relation.target]?[link.target] != nil
                && content.objects[relation.source]?[link.source] != nil
          }
        }
        let followed = content
        state.withLock { state in
          if let last = state.commits.last?.number, last >= commit.number {
            state.failure = state.failure ?? "commit \(commit.number) was told after \(last)"
          }
          state.content = followed
          state.commits.append(commit)
        }
      }
    } catch {
      state.withLock { $0.failure = $0.failure ?? "\(error)" }
    }
  }
}
