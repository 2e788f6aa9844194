internal import CLMDB
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension Storage {
  /// The pages of the file in the map, which stays where it is.
  ///
  /// - Parameter transaction: A read transaction, which keeps its pages from being overwritten.
  /// - Returns: Nil if the file has no entries, or its heads change too fast.
  /// - Throws: ``StorageError``.
  func mappedPages(in transaction: StorageTransaction) throws(StorageError) -> MappedPages? {
    try requireSameProcess()
    guard let start = try unsafe mapStart(in: transaction) else { return nil }
    var (information, attributes) = unsafe (MDB_envinfo(), stat())
    try unsafe check(mdb_env_info(pointer, &information), "inspect \(place)")
    let file = try descriptor()
    if unsafe fstat(file, &attributes) != 0 { throw systemError(.other, "inspect \(place)") }
    let bytes = unsafe min(Int(attributes.st_size), information.me_mapsize)
    return unsafe MappedPages(start, pageSize: pageSize, count: UInt64(bytes / pageSize))
  }

  /// The start of the map, which LMDB does not give away.
  private func mapStart(
    in transaction: StorageTransaction
  ) throws(StorageError) -> UnsafeRawPointer? {
    if mapAddress.load(ordering: .relaxed) == 0 {
      var address = try findMap(in: transaction)
      // Its head may be overwritten by now.
      for _ in 0..<4 where address == nil {
        let newer = try beginRead()
        defer { newer.abort() }
        address = try findMap(in: newer)
      }
      mapAddress.store(address ?? 0, ordering: .relaxed)
    }
    return unsafe UnsafeRawPointer(bitPattern: mapAddress.load(ordering: .relaxed))
  }

  /// The address of the map: the address of the first key of the main database minus its offset in the file;
  /// nil if that offset is not known.
  ///
  /// The file says the way that LMDB takes to the key. The number that the page has in its header does not
  /// decide: it may be damaged, and another address must not be read.
  private func findMap(in transaction: StorageTransaction) throws(StorageError) -> UInt? {
    guard let place = try placeOfFirstKey(in: transaction.number) else { return nil }
    var cursor = try LMDBCursor(StorageTransaction.names, in: transaction)
    defer { cursor.close() }
    guard try cursor.move(MDB_FIRST) else { return nil }
    let key = UInt(bitPattern: unsafe cursor.keyBytes.baseAddress)
    return key > place ? key - place : nil
  }

  /// The offset in the file of the first key of the main database in a state; nil without keys, or if its
  /// head may be overwritten.
  private func placeOfFirstKey(in state: UInt64) throws(StorageError) -> UInt? {
    let file = try descriptor()
    // The number of a transaction decides which head LMDB takes.
    guard let head = page(state % 2, of: file, { MetaFields($0) }), head.transaction == state,
      // A writer that overwrites it has written the other one before.
      let other = page(1 - state % 2, of: file, { MetaFields($0) }), other.transaction <= state
    else { return nil }
    var number = head.main.root
    for _ in 0..<PageFormat.deepestTree {
      let node = page(number, of: file) { page -> (isLeaf: Bool, key: Int, child: UInt64)? in
        let node = PageNode(page, index: 0)
        let key = node.offset + PageFormat.nodeHeaderSize
        guard key <= page.count else { return nil }
        let flags = PageFlags(rawValue: page.uint16(at: 10))
        return (!flags.contains(.branch), key, node.child)
      }
      guard let node = node ?? nil else { return nil }
      if node.isLeaf { return UInt(number) * UInt(pageSize) + UInt(node.key) }
      number = node.child
    }
    return nil
  }

  /// Calls a function with a page as it is in the file; nil if the file ends before.
  private func page<R>(_ number: UInt64, of file: Int32, _ body: (PageBytes) -> R) -> R? {
    let (offset, isTooLarge) = number.multipliedReportingOverflow(by: UInt64(pageSize))
    guard !isTooLarge, let offset = off_t(exactly: offset) else { return nil }
    var bytes = [UInt8](repeating: 0, count: pageSize)
    return unsafe bytes.withUnsafeMutableBytes { bytes in
      guard unsafe pread(file, bytes.baseAddress, bytes.count, offset) == bytes.count else {
        return nil
      }
      return body(unsafe PageBytes(UnsafeRawBufferPointer(bytes)))
    }
  }
}
