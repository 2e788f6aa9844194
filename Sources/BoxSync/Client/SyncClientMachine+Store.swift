package import BoxEngine

extension SyncClientMachine where Base == StoreClientBase {
  /// Creates the machine of a store of the engine, which it switches on.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - model: The part of its model that is synchronized; nil for what is flagged.
  /// - Throws: As ``StoreClientBase/init(_:model:)``, and as ``perform(_:)``.
  package init(_ store: ObjectStore, model: SyncModel? = nil) throws(StoreError) {
    let base = try StoreClientBase(store, model: model)
    self.init(base, model: base.model) { .random(in: .min ... .max) }
    try perform { _ in }
  }

  /// Calls functions of the machine in one transaction of the store, after taking over what apps have committed.
  ///
  /// If it throws, the store is as it was, and the connection has ended.
  ///
  /// - Parameter body: Calls functions of the machine; every call belongs into one.
  /// - Returns: The value of `body`.
  /// - Throws: `StoreError.damaged` with BOX712 if a transaction of the outbox is damaged, and the errors of the storage.
  /// - Complexity: O(*n*) in the outbox, and in what changes.
  package mutating func perform<R>(
    _ body: (inout SyncClientMachine) -> R
  ) throws(StoreError) -> R {
    while true {
      if let result = try attempt(body) { return result }
    }
  }

  /// Takes over what apps have committed, and calls functions of the machine if that was all.
  ///
  /// - Returns: Nil if more is left: a store with many objects is taken over in several transactions.
  private mutating func attempt<R>(
    _ body: (inout SyncClientMachine) -> R
  ) throws(StoreError) -> R? {
    let base = view.base
    let known = events.count
    do throws(StoreError) {
      let result = try StoreError.only {
        try base.store.writeArrivals { arrivals in
          let isNew = !base.saved.isLoaded
          let captured = try base.begin(arrivals)
          if isNew { view = ClientView(base, model: view.model) }
          adopt(captured)
          let result = base.hasMoreCaptured ? nil : body(&self)
          try base.finish()
          return result
        }
      }
      base.end(isCommitted: true)
      return result
    } catch {
      base.end(isCommitted: false)
      end()
      events.removeLast(max(0, events.count - known))
      throw error
    }
  }

  /// Puts transactions of apps into the outbox, under numbers.
  private mutating func adopt(_ captured: [PendingTransaction]) {
    for var transaction in captured {
      let number =
        status.number ?? StoreNumber.make(mark: transaction.mark, previous: status.previousNumber)
      if status.number == nil {
        (status.number, status.origins[number]) = (number, status.previousNumber)
      }
      view.base.noteNumber(number)
      transaction.number = number
      transaction.n = (status.lastN[number] ?? 0) + 1
      status.lastN[number] = transaction.n
      if !view.base.isOwn(number) {
        for key in transaction.insertedKeys {
          view.base.bind(key, to: GlobalID(number: number, id: key.id))
        }
      }
      view.enqueue(transaction, isDone: !mayDiffer(transaction))
    }
    if !captured.isEmpty { view.recompute() }
  }

  /// Whether a store can show something else after a transaction than what the app wrote: where a put has no effect by
  /// its precedence, and where a value may be free for an object that is parked.
  private func mayDiffer(_ transaction: PendingTransaction) -> Bool {
    !view.base.parked.isEmpty
      || transaction.operations.contains { view.model.entities[$0.element]?.precedence != nil }
  }
}
