internal import CLMDB

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
  /// The names of the spaces that only one of two states has, or that have other pages in the other.
  ///
  /// A space whose entries were written with the same bytes can be among them.
  ///
  /// - Parameter older: Another read transaction of the same storage.
  /// - Returns: The names, in the order of their bytes.
  /// - Throws: ``StorageError`` of kind `closed`, `damaged` or `other`.
  /// - Complexity: O(*n*) in the number of spaces.
  package func changedSpaces(since older: StorageTransaction) throws(StorageError) -> [String] {
    var (old, new) = (
      try LMDBCursor(Self.names, in: older), try LMDBCursor(Self.names, in: self)
    )
    defer {
      old.close()
      new.close()
    }
    var changed: [String] = []
    var (hasOld, hasNew) = (try old.move(MDB_FIRST), try new.move(MDB_FIRST))
    while hasOld || hasNew {
      let (left, right) = unsafe (PageBytes(old.keyBytes), PageBytes(new.keyBytes))
      let isOld = hasOld && !(hasNew && KeyOrder.bytes.precedes(right, left))
      let isNew = hasNew && !(hasOld && KeyOrder.bytes.precedes(left, right))
      let isSame = unsafe isOld && isNew && old.valueBytes.elementsEqual(new.valueBytes)
      if !isSame {
        unsafe changed.append(String(decoding: (isNew ? new : old).keyBytes, as: UTF8.self))
      }
      if isOld { hasOld = try old.move(MDB_NEXT) }
      if isNew { hasNew = try new.move(MDB_NEXT) }
    }
    return changed
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
  ///   - body: Called with the change, the key and the value, taken from the newer state if it has the entry.
  ///     The bytes stay valid until both transactions end.
  /// - Returns: Whether the differences are those that the function was called with. If not, more pages
  ///   differ, a page is damaged, the space is of another kind in the other state, or the storage has no
  ///   locks; then the calls mean nothing.
  /// - Throws: ``StorageError`` of kind `closed`, `damaged` or `other`, and the error of `body`.
  /// - Complexity: O(*p* log *n*) in the *p* pages that differ and all *n* pages.
  package func visitDifferences(
    ofSpace name: String, since older: StorageTransaction, maximumPages: Int,
    _ body: (
      _ change: EntryChange, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) throws -> Void
  ) throws -> Bool {
    let (before, after) = (try older.record(ofSpace: name), try record(ofSpace: name))
    if before?.root ?? PageFormat.noPage == after?.root ?? PageFormat.noPage { return true }
    guard environment.hasLocks, !isWritable, !older.isWritable,
      let pages = try environment.mappedPages(in: self)
    else { return false }
    var difference = PageDifference(pages, maximumPages: maximumPages)
    do {
      try unsafe difference.visit(before ?? .empty, after ?? .empty, body)
    } catch is DifferenceUnknown {
      return false
    }
    return true
  }

  /// The record of a space; nil if the space does not exist.
  func record(ofSpace name: String) throws(StorageError) -> DatabaseRecord? {
    // LMDB has no order for the names before a process opens a space, or this.
    var handle: MDB_dbi = 0
    try unsafe check(mdb_dbi_open(try live(), nil, 0, &handle), "read the names of spaces")
    var name = name
    let value: UnsafeRawBufferPointer?
    do {
      unsafe value = try name.withUTF8 {
        try unsafe self.value(Self.names, UnsafeRawBufferPointer($0))
      }
    } catch let error as StorageError { throw error } catch {
      throw StorageError(.other, "\(error)")
    }
    guard let bytes = unsafe value else { return nil }
    guard bytes.count == PageFormat.databaseRecordSize else {
      throw StorageError(.damaged, "the record of the space \(name) is damaged; restore a backup")
    }
    return DatabaseRecord(unsafe PageBytes(bytes))
  }
}
