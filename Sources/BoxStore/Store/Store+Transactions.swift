internal import BoxEngine
internal import Dispatch

// The overloads differ in the parameter of the closure, which says what is meant.
// swift-format-ignore: AmbiguousTrailingClosureOverload
extension Store {
  // MARK: - Synchronous

  /// Runs a function in a write transaction, or in the one that is open on this thread.
  ///
  /// ```swift
  /// try store.runInTransaction {
  ///   try books.put(Book("Eden", by: try authors.get(1)))
  ///   try readers.put(Reader("Bob"))
  /// }  // on disk now; an error in the closure undoes both puts
  /// ```
  ///
  /// All boxes that the function uses on this thread take part, and see what it wrote. The outermost call
  /// commits when the function returns; the changes are on disk then. If the function throws, the whole
  /// transaction is undone. An error that leaves a nested call ends the whole transaction, even if it is
  /// caught further out.
  ///
  /// One transaction writes at a time. A function that waits for another thread, such as for a lock, can
  /// wait for ever if that one writes too.
  ///
  /// - Returns: The value of the function.
  /// - Throws: ``ObjectBoxError/cannotWriteWhileReading(message:)`` inside a read transaction,
  ///   ``ObjectBoxError/illegalState(message:)`` if the store is closed or an error has left a nested
  ///   call, errors of the storage, and the error of the function, unchanged.
  /// - Complexity: O(1) beside the function; it waits for other writers, and for the disk.
  @discardableResult
  public func runInTransaction<T>(_ block: () throws -> T) throws -> T {
    try write { _ in try block() }
  }

  /// Runs a function in a write transaction that it can cancel and ask for its changes, as
  /// `runInTransaction(_:)`.
  ///
  /// ```swift
  /// try store.runInTransaction { transaction in
  ///   try books.put(Book("Eden"))
  ///   print(transaction.changes(of: Book.self).inserted)
  ///   if try books.count() > 1000 { try transaction.cancel() }
  /// }
  /// ```
  ///
  /// - Throws: As `runInTransaction(_:)`.
  /// - Complexity: O(1) beside the function; it waits for other writers, and for the disk.
  @discardableResult
  public func runInTransaction<T>(_ block: (Transaction) throws -> T) throws -> T {
    try write(notesChanges: true, block)
  }

  /// Runs a function in a read transaction, or in the transaction that is open on this thread.
  ///
  /// ```swift
  /// let total = try store.runInReadOnlyTransaction {
  ///   try books.count() + readers.count()  // one state of the store
  /// }
  /// ```
  ///
  /// All reads see one state of the store. Readers do not wait for writers, nor writers for readers.
  ///
  /// - Returns: The value of the function.
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` if the store is closed, errors of the storage, and
  ///   the error of the function, unchanged.
  /// - Complexity: O(1) beside the function.
  @discardableResult
  public func runInReadOnlyTransaction<T>(_ block: () throws -> T) throws -> T {
    try read { _ in try block() }
  }

  /// Runs a function in a read transaction, as ``runInReadOnlyTransaction(_:)-(()->T)``.
  ///
  /// - Throws: As ``runInReadOnlyTransaction(_:)-(()->T)``.
  /// - Complexity: O(1) beside the function.
  @discardableResult
  public func runInReadOnlyTransaction<T>(_ block: (Transaction) throws -> T) throws -> T {
    try read(block)
  }

  private func write<T>(
    notesChanges: Bool = false, _ block: (Transaction) throws -> T
  ) throws -> T {
    try requireOpen()
    return try ObjectBoxError.wrapping {
      // An error of a nested write ends the transaction; an error of a converter only its put.
      if core.engine.currentTransaction?.isCoding == true { throw StoreError.usedWhileCoding }
      return try core.engine.write { engine in
        try TransactionState.uncancelled(engine) {
          try block(Transaction(engine, of: core, notesChanges: notesChanges))
        }
      }
    }
  }

  private func read<T>(_ block: (Transaction) throws -> T) throws -> T {
    try requireOpen()
    return try ObjectBoxError.wrapping {
      try core.engine.read { engine in
        if engine.isCoding { throw StoreError.usedWhileCoding }
        return try block(Transaction(engine, of: core))
      }
    }
  }

  // MARK: - Asynchronous

  /// Runs a function in a write transaction on a thread of the store.
  ///
  /// ```swift
  /// let id = try await store.runInTransaction { transaction in
  ///   try transaction.importObject(Book.self, from: ["title": "Eden"])?.id
  /// }
  /// ```
  ///
  /// Calls run in the order in which they were made; those that wait share one commit. One that throws
  /// leaves no changes and does not affect the others.
  ///
  /// The function cannot be `async`: a write transaction belongs to one thread, and keeps all other
  /// writers waiting.
  ///
  /// - Returns: The value of the function, once its changes are on disk.
  /// - Throws: As `runInTransaction(_:)`.
  /// - Complexity: O(1) beside the function; it waits for other writers, and for the disk.
  @discardableResult
  public func runInTransaction<T: Sendable>(
    _ block: sending @escaping (Transaction) throws -> T
  ) async throws -> T {
    try requireOpen()
    let work = Transferred(block)
    do {
      return try await core.engine.submit { [core] engine in
        try TransactionState.scoped(engine) {
          try work.value(Transaction(engine, of: core, notesChanges: true))
        }
      }
    } catch let error as StoreError {
      throw ObjectBoxError(error)
    }
  }

  /// Runs a function in a read transaction on another thread.
  ///
  /// The value belongs to the caller: objects that were read may be used on the thread that asked for
  /// them, with their relations.
  ///
  /// - Returns: The value of the function.
  /// - Throws: As ``runInReadOnlyTransaction(_:)-(()->T)``.
  /// - Complexity: O(1) beside the function.
  public func runInReadOnlyTransaction<T>(
    _ block: sending @escaping (Transaction) throws -> sending T
  ) async throws -> sending T {
    try requireOpen()
    let work = Transferred(block)
    let store = self
    let result = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        let result = Result { try store.read { try work.value($0) } }
        continuation.resume(returning: Transferred(result))
      }
    }
    nonisolated(unsafe) let value = try result.value.get()
    return unsafe value
  }
}

/// A value that one thread hands over to another.
///
/// `@unchecked Sendable` holds because the creator does not use the value after handing it over.
struct Transferred<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
