internal import BoxStorage
internal import Synchronization

/// The state up to which the commits of others were delivered, the pin, and the later ones that readers have seen.
///
/// The difference of two states does not show what was changed between them and changed back. Who has read a state
/// in between, and hears only of the difference, would keep what is gone. So a difference ends at each state
/// that a reader of this opening sees: a read transaction holds it until it was delivered.
///
/// `@unchecked Sendable` holds because every access to these properties holds the lock. Of the pin, others than the
/// thread that delivers read the number alone.
final class PinnedStates: @unchecked Sendable {
  /// The way from the state that was delivered last to the current one.
  struct Way {
    /// The states in their order, each a read transaction; the last one is the pin from now on, and the others
    /// are the caller's.
    var states: [StorageAccess]
    /// Whether there was no room for the old pin, or for a state that a reader saw.
    var isIncomplete: Bool
  }

  private let lock = Lock()
  private var pin: StorageAccess?
  private var seen: [StorageAccess] = []
  private var isIncomplete = false
  /// The number of the commit of this opening that followed the pin, if others have committed since.
  private var own: UInt64?
  /// The number of the pin; 0 if it was given up, and `idle` if nobody listens.
  private let delivered = Atomic<UInt64>(idle)

  private static let idle = UInt64.max
  /// A reader takes a place in the store, which all processes share; where half of the places are taken, none is kept.
  private static let maximumSeen = 4

  /// The number of the pin; nil without one.
  var number: UInt64? { lock.withLock { pin?.number } }

  /// Begins with a state, which counts as delivered.
  func begin(_ first: StorageAccess) { lock.withLock { replacePin(first) } }

  /// Gives all states back.
  func end() {
    lock.withLock {
      replacePin(nil)
      delivered.store(Self.idle, ordering: .releasing)
    }
  }

  // MARK: - Reading

  /// Begins a read transaction of this opening.
  ///
  /// - Throws: The error of ``StorageHandle/beginRead()``.
  /// - Complexity: O(1), and without a lock where the state was delivered or nobody listens.
  func beginRead(_ storage: StorageHandle) throws(StoreError) -> StorageAccess {
    let delivered = delivered.load(ordering: .acquiring)
    if delivered == Self.idle { return try storage.beginRead() }
    do throws(StoreError) {
      let access = try storage.beginRead()
      if access.number == delivered { return access }
      access.abort()
    } catch {
      guard error.isTooManyReaders else { throw error }
    }
    return try lock.withLock { () throws(StoreError) in try beginKept(storage) }
  }

  /// Begins a read transaction, and a second one that holds its state.
  private func beginKept(_ storage: StorageHandle) throws(StoreError) -> StorageAccess {
    var access = try beginAfterSeen(storage)
    for _ in 0...Self.maximumSeen {
      // Without a pin, the next delivery says that everything may have changed.
      guard let pin, access.number > pin.number, access.number != own else { return access }
      if seen.contains(where: { $0.number == access.number }) { return access }
      guard seen.count < Self.maximumSeen, storage.base.hasRoomForReaders,
        let second = try? storage.beginRead()
      else { break }
      if second.number == access.number {
        seen.append(second)
        return access
      }
      access.abort()
      access = second
    }
    isIncomplete = true
    return access
  }

  /// Begins a read transaction; where all places are taken, it ends those that hold what readers saw, and tries again.
  private func beginAfterSeen(_ storage: StorageHandle) throws(StoreError) -> StorageAccess {
    do throws(StoreError) {
      return try storage.beginRead()
    } catch {
      guard error.isTooManyReaders, !seen.isEmpty else { throw error }
      dropSeen()
      isIncomplete = true
      return try storage.beginRead()
    }
  }

  // MARK: - Going on

  /// Makes the current state the pin, and returns the way there.
  ///
  /// Where all places for readers are taken, the pin is ended first.
  ///
  /// - Returns: Nil if the pin is the current state, or if no place is left.
  /// - Throws: The error of ``StorageHandle/beginRead()``.
  func advance(_ storage: StorageHandle) throws(StoreError) -> Way? {
    try lock.withLock { () throws(StoreError) in
      guard let newer = try beginAfterAll(storage) else { return nil }
      if newer.number == pin?.number {
        newer.abort()
        return nil
      }
      if newer.number == own {
        replacePin(newer)
        return Way(states: [newer], isIncomplete: false)
      }
      let between = seen.filter { $0.number != own }.sorted { $0.number < $1.number }
      let way = Way(
        states: (pin.map { [$0] } ?? []) + between.filter { $0.number < newer.number } + [newer],
        isIncomplete: isIncomplete || pin == nil)
      for state in seen where state.number >= newer.number || state.number == own { state.abort() }
      (pin, seen) = (nil, [])
      replacePin(newer)
      return way
    }
  }

  /// Makes the state after a commit of this opening the pin, if no other process has committed since.
  ///
  /// - Parameters:
  ///   - number: The number of the commit, the one after the pin.
  ///   - storage: The storage.
  /// - Returns: Whether it is the pin.
  func move(to number: UInt64, of storage: StorageHandle) -> Bool {
    lock.withLock {
      own = number
      guard let newer = try? beginAfterSeen(storage) else { return false }
      if newer.number == number {
        replacePin(newer)
        return true
      }
      newer.abort()
      return false
    }
  }

  /// Begins a read transaction; where all places are taken, it ends those that hold what readers saw, and then the pin.
  ///
  /// - Returns: Nil if another reader takes the last place meanwhile.
  private func beginAfterAll(_ storage: StorageHandle) throws(StoreError) -> StorageAccess? {
    while true {
      do throws(StoreError) {
        return try beginAfterSeen(storage)
      } catch {
        guard error.isTooManyReaders else { throw error }
        if pin == nil { return nil }
        replacePin(nil)
      }
    }
  }

  private func replacePin(_ state: StorageAccess?) {
    pin?.abort()
    pin = state
    dropSeen()
    (isIncomplete, own) = (false, nil)
    delivered.store(state?.number ?? 0, ordering: .releasing)
  }

  private func dropSeen() {
    for state in seen { state.abort() }
    seen = []
  }
}
