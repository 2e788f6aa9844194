internal import Synchronization

/// The handles, boxes, monitors and subscriptions that use a store, which a test asks for at its end.
///
/// The stores of applications have none, so that nothing is counted there.
package final class OpenHolders: Sendable {
  private struct Entry: Sendable {
    var name: String
    /// The holder that this one is a part of, and with which it ends.
    var parent: Int?
  }

  private struct State: Sendable {
    var next = 0
    var entries: [Int: Entry] = [:]
  }

  private let state = Mutex(State())

  /// Creates a list without any.
  package init() {}

  /// The names of all holders, in the order in which they began.
  ///
  /// - Complexity: O(*n* log *n*).
  package var names: [String] { names(except: nil) }

  /// The names of all holders but one and its parts.
  fileprivate func names(except number: Int?) -> [String] {
    state.withLock { state in
      state.entries.sorted { $0.key < $1.key }
        .filter { $0.key != number && ($0.value.parent != number || number == nil) }
        .map(\.value.name)
    }
  }

  /// Adds a holder.
  ///
  /// - Parameters:
  ///   - name: The name, such as "a Store".
  ///   - parent: The holder with which it ends; nil for none.
  /// - Returns: The place of the holder.
  func add(_ name: String, parent: Int? = nil) -> OpenHolder {
    let number = state.withLock { state in
      state.next += 1
      state.entries[state.next] = Entry(name: name, parent: parent)
      return state.next
    }
    return OpenHolder(self, number)
  }

  fileprivate func remove(_ number: Int) {
    state.withLock { state in
      state.entries = state.entries.filter { $0.key != number && $0.value.parent != number }
    }
  }
}

/// The place of one holder in the list of a store; it ends when it is released.
final class OpenHolder: Sendable {
  private let holders: OpenHolders
  private let number: Int

  fileprivate init(_ holders: OpenHolders, _ number: Int) {
    self.holders = holders
    self.number = number
  }

  deinit { end() }

  /// Takes the holder and its parts off the list.
  func end() { holders.remove(number) }

  /// Adds a part, which ends with this holder.
  func addPart(_ name: String) -> OpenHolder { holders.add(name, parent: number) }

  /// The names of all holders but this one and its parts.
  var others: [String] { holders.names(except: number) }
}

extension Store {
  /// Those who use the store beside this handle and its boxes; none for a store that was not made for a test.
  package var otherHolders: [String] { holder?.others ?? [] }
}
