package import BoxModel
internal import BoxStorage

/// The place of an object in the order of a query.
///
/// Keys of one query compare as its results do; the id decides at last.
package struct ListKey: Hashable, Comparable, Sendable {
  let key: SortKey

  init(_ key: SortKey) { self.key = key }

  /// The id of the object.
  package var id: UInt64 { key.id }

  /// The place of an id in the order of the ids.
  package init(id: UInt64) { key = SortKey(id: id) }

  /// Whether the first object comes before the second one.
  package static func < (a: ListKey, b: ListKey) -> Bool { a.key < b.key }
}

extension ListKey {
  /// The number of bytes before the rest of a key.
  private static let headSize = 17

  /// The place as bytes, to be read again by ``init(bytes:)``: the group, the prefix, the id and the rest.
  ///
  /// They are of use for the same query and the same order alone.
  package var bytes: [UInt8] {
    var bytes = [key.group]
    for number in [key.prefix, key.id] {
      for shift in stride(from: UInt64(56), through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: number >> shift))
      }
    }
    return bytes + key.rest
  }

  /// Reads a place; nil for other bytes.
  ///
  /// Bytes that nobody has written are a place too, perhaps one that no object has.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count >= Self.headSize, let group = bytes.first, group <= 2 else { return nil }
    func number(_ offset: Int) -> UInt64 {
      bytes.dropFirst(offset).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
    key = SortKey(
      group: group, prefix: number(1), rest: Array(bytes.dropFirst(Self.headSize)), id: number(9))
  }
}

/// An object that a query finds, with its place in the order.
package struct ListEntry: Sendable {
  /// The place of the object.
  package let key: ListKey
  /// The value by which the object belongs to a section; null without sections.
  package let section: Value
}

/// Reads the places of all or some objects of a query.
package struct ListReader: Sendable {
  private let query: PreparedQuery
  private let section: QueryColumn?

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - section: A property of its entity, by which its objects are divided; nil for no sections.
  package init(_ query: PreparedQuery, sectionedBy section: QueryColumn?) {
    self.query = query
    self.section = section
  }

  /// Whether the change of an object changes no place but its own.
  package var isLocal: Bool { query.sets.isEmpty }

  /// The objects that the query finds, in its order.
  ///
  /// - Throws: As ``Transaction/visit(_:offset:limit:_:)-(PreparedQuery,_,_,_)``.
  /// - Complexity: As there.
  package func entries(_ transaction: Transaction) throws -> [ListEntry] {
    var entries: [ListEntry] = []
    try transaction.visit(query) { id, record in
      entries.append(entry(id, record))
      return .next
    }
    return entries
  }

  /// The objects among some that the query finds, by their ids.
  ///
  /// - Throws: As ``Transaction/visit(_:offset:limit:_:)-(PreparedQuery,_,_,_)``.
  /// - Complexity: O(log *n*) for each id.
  package func entries(
    of ids: some Sequence<UInt64>, _ transaction: Transaction
  ) throws -> [UInt64: ListEntry] {
    var entries: [UInt64: ListEntry] = [:]
    try transaction.visit(ids.sorted(), fulfilling: query) { id, record in
      entries[id] = entry(id, record)
      return .next
    }
    return entries
  }

  private func entry(_ id: UInt64, _ record: borrowing RecordView) -> ListEntry {
    ListEntry(key: query.place(id, record), section: section?.value(id, record) ?? .null)
  }
}
