package import BoxStorage

/// A transaction of the outbox.
package struct CapturedTransaction: Hashable, Sendable {
  /// Its place among the transactions of the store.
  package var place: UInt64
  /// Its head.
  package var head: OutboxHead
  /// Its operations, in order.
  package var operations: [CapturedOperation]
}

/// Reads the transactions of a space.
struct OutboxReader {
  let space: Space
  let storage: StorageAccess

  /// Visits the transactions after a place in order, each with its place; nil for one that is damaged.
  ///
  /// - Throws: ``StoreError/storage(_:)`` and the error of `body`.
  /// - Complexity: O(*n*) in the bytes, and memory for one transaction.
  func visit(
    after start: UInt64 = 0,
    _ body: (_ place: UInt64, CapturedTransaction?) throws(StoreError) -> VisitStep
  ) throws(StoreError) {
    var place: UInt64?
    var parts: [(part: UInt64, content: [UInt8]?)] = []
    var isStopped = false
    let first = OutboxKey.key(start + 1)
    try unsafe storage.records(space, from: start == 0 ? nil : first, .forward) {
      (key, value) throws(StoreError) in
      if let place, place != OutboxKey.transaction(key) {
        isStopped = try body(place, Self.transaction(place, parts)) == .stop
        parts = []
        if isStopped { return .stop }
      }
      place = OutboxKey.transaction(key)
      parts.append(
        (key & OutboxKey.maximumPart, unsafe OutboxValue.content(value, key)))
      return .next
    }
    if let place, !isStopped { _ = try body(place, Self.transaction(place, parts)) }
  }

  /// A transaction of its parts; nil unless all that the head promises is there and whole.
  private static func transaction(
    _ place: UInt64, _ parts: [(part: UInt64, content: [UInt8]?)]
  ) -> CapturedTransaction? {
    guard parts.first?.part == 0,
      let head = parts[0].content.flatMap({ OutboxHead(decoding: $0) }),
      parts.count == Int(head.chunks) + 1
    else { return nil }
    var transaction = CapturedTransaction(place: place, head: head, operations: [])
    for (index, part) in parts.enumerated().dropFirst() {
      guard part.part == UInt64(index),
        let operations = part.content.flatMap({ OperationWriter.operations(in: $0) })
      else { return nil }
      transaction.operations += operations
    }
    return transaction.operations.count == Int(head.operations) ? transaction : nil
  }

  /// Visits the heads of the transactions in order, each with its place; nil for one that is damaged.
  ///
  /// - Throws: ``StoreError/storage(_:)``.
  /// - Complexity: O(log *n*) for each transaction, whatever its size.
  func visitHeads(
    _ body: (_ place: UInt64, OutboxHead?) throws(StoreError) -> Void
  ) throws(StoreError) {
    var last: UInt64?
    while let (key, value) = try unsafe storage.nextRecord(space, after: last) {
      let place = OutboxKey.transaction(key)
      let content = unsafe OutboxValue.content(value, key)
      let isHead = key & OutboxKey.maximumPart == 0
      try body(place, isHead ? content.flatMap { OutboxHead(decoding: $0) } : nil)
      last = OutboxKey.key(place, part: OutboxKey.maximumPart)
    }
  }
}

extension Transaction {
  /// Visits the transactions of the outbox in order; nil for one that is damaged.
  ///
  /// A store that is not switched on has no outbox.
  ///
  /// - Throws: ``StoreError/transactionEnded``, ``StoreError/storage(_:)`` and the error of `body`.
  /// - Complexity: O(*n*) in the bytes of the outbox, and memory for one transaction.
  package func visitOutbox(
    _ body: (_ place: UInt64, CapturedTransaction?) throws(StoreError) -> VisitStep
  ) throws(StoreError) {
    let storage = try reading()
    guard let spaces = store.captureSchema?.spaces else { return }
    try OutboxReader(space: spaces.outbox, storage: storage).visit(body)
  }
}
