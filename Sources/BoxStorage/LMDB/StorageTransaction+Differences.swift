/// A change of an entry between two states of a space.
package enum EntryChange: Hashable, Sendable {
  /// Only the newer state has the entry.
  case inserted
  /// Only the older state has the entry.
  case removed
  /// Both states have the key, with other bytes as its value; not in spaces of sets.
  case updated
}

extension StorageTransaction {
  /// The names of the spaces that an older state does not have, that this one does not have, or that have
  /// other pages, in the order of their bytes.
  ///
  /// A space whose entries were written with the same bytes can be among them.
  ///
  /// - Parameter older: Another read transaction of the same storage.
  /// - Throws: ``StorageError`` of kind `closed`, `damaged` or `other`.
  /// - Complexity: O(*n*) in the number of spaces.
  package func changedSpaces(since older: StorageTransaction) throws(StorageError) -> [String] {
    []
  }

  /// Calls a function with each entry of a space that differs between an older state and this one, in the
  /// order of the keys.
  ///
  /// An entry of a space of sets is a key with one member. A space that only one state has is empty in the
  /// other. No transaction overwrites a page while another one reads it, so the states differ in the pages
  /// whose numbers differ, and no other page is read.
  ///
  /// - Parameters:
  ///   - name: The name of the space.
  ///   - older: Another read transaction of the same storage, open as this one is. It need not have begun
  ///     before this one.
  ///   - maximumPages: The most leaf pages of a state that the other does not have.
  ///   - body: Called with the change, the key and the value, which is that of the newer state if it has
  ///     the entry. The bytes stay valid until both transactions end.
  /// - Returns: Whether the differences are those that the function was called with. If not, more pages
  ///   differ, a page is damaged, the space is of another kind in the other state, or the storage has no
  ///   locks; then the calls mean nothing.
  /// - Throws: ``StorageError`` of kind `closed`, `damaged` or `other`, and the error of `body`.
  /// - Complexity: O(*p* log *n*) in the number of pages that differ and that of all pages.
  package func visitDifferences(
    ofSpace name: String, since older: StorageTransaction, maximumPages: Int,
    _ body: (
      _ change: EntryChange, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) throws -> Void
  ) throws -> Bool {
    false
  }
}
