internal import BoxModel
internal import BoxStorage

/// The server's version of an object, or of several ones with consecutive ids that the server does not have.
enum Shadow: Hashable {
  /// No object of a number of ids, of which the key has the last one.
  case absent(count: UInt64)
  /// An object that the server does not have, with its life.
  case dead(life: UInt32, isParked: Bool = false)
  /// The record of an object.
  case object(life: UInt32, record: [UInt8], isParked: Bool = false)

  private static let parked: UInt8 = 0x80

  func append(to bytes: inout [UInt8]) {
    switch self {
    case .absent(let count):
      bytes.append(0)
      bytes.append(varint: count)
    case .dead(let life, let isParked):
      bytes.append(1 | (isParked ? Self.parked : 0))
      bytes.append(varint: UInt64(life))
    case .object(let life, let record, let isParked):
      bytes.append(2 | (isParked ? Self.parked : 0))
      bytes.append(varint: UInt64(life))
      bytes += record
    }
  }

  init?(decoding bytes: [UInt8]) {
    var reader = SyncReader(bytes[...])
    guard let kind = reader.byte(), let number = reader.varint() else { return nil }
    let isParked = kind & Self.parked != 0
    switch (kind & ~Self.parked, UInt32(exactly: number)) {
    case (0, _) where number > 0 && reader.rest.isEmpty: self = .absent(count: number)
    case (1, let life?) where reader.rest.isEmpty: self = .dead(life: life, isParked: isParked)
    case (2, let life?):
      self = .object(life: life, record: Array(reader.rest), isParked: isParked)
    default: return nil
    }
  }

  /// Whether another object has a unique value of the object, so that it is out of the store.
  var isParked: Bool {
    switch self {
    case .absent: false
    case .dead(_, let isParked), .object(_, _, let isParked): isParked
    }
  }

  /// The ids of an entry, of which its key has the last one.
  func ids(through last: UInt64) -> ClosedRange<UInt64> {
    guard case .absent(let count) = self, count <= last else { return last...last }
    return last - count + 1...last
  }
}

/// The life and the identity of an object that has not life 1 and an id of this store.
package struct LocalIdentity: Hashable, Sendable {
  /// The life.
  package var life: UInt32 = 0
  /// The number of the branch that made the object; 0 for the own one.
  package var number: UInt64 = 0
  /// Its id there.
  package var id: UInt64 = 0

  /// Whether another branch made the object.
  package var isForeign: Bool { number != 0 || id != 0 }

  /// Creates an identity, by default for an object of the own branch.
  package init(life: UInt32, number: UInt64 = 0, id: UInt64 = 0) {
    (self.life, self.number, self.id) = (life, number, id)
  }

  var encoded: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(varint: UInt64(life))
    bytes.append(fixed: number)
    bytes.append(varint: id)
    return bytes
  }

  /// Creates the identity of an object that never was.
  package init() {}

  init?(decoding bytes: [UInt8]) {
    var reader = SyncReader(bytes[...])
    guard let life = reader.small(), let number = reader.fixed(UInt64.self),
      let id = reader.varint(), reader.rest.isEmpty
    else { return nil }
    (self.life, self.number, self.id) = (life, number, id)
  }
}

/// A look-up by object in a space with the keys of objects, that remembers where nothing is.
///
/// A walk in the order of the ids then looks once for each entry that it meets.
struct ObjectEntries {
  private var gap: (entity: UID, ids: ClosedRange<UInt64>)?

  /// The content of the entry that is about an object; nil without one.
  ///
  /// The content of a damaged entry is empty: the objects stay usable, and a verification names it.
  ///
  /// - Parameters:
  ///   - entity: The UID of the entity.
  ///   - id: The id of the object.
  ///   - space: The space.
  ///   - storage: The transaction.
  ///   - first: The first id that an entry is about, by its key and its content.
  /// - Returns: The content.
  /// - Throws: ``StoreError/storage(_:)``.
  /// - Complexity: O(1) where it is known that nothing is there, else O(log *n*).
  mutating func content(
    _ entity: UID, _ id: UInt64, _ space: Space, _ storage: StorageAccess,
    first: (_ last: UInt64, _ content: [UInt8]) -> UInt64 = { last, _ in last }
  ) throws(StoreError) -> [UInt8]? {
    if let gap, gap.entity == entity, gap.ids.contains(id) { return nil }
    var found: [UInt8]?
    var end = UInt64.max
    try storage.values(space, from: SyncKey.object(entity, id)) { key, stored in
      guard let words = SyncKey.words(key, 2), words[0] == entity else { return .stop }
      let content = StoredCheckpoint.content(of: stored, under: key) ?? []
      let from = first(words[1], content)
      if from <= id { found = content } else { end = from - 1 }
      return .stop
    }
    if found == nil { gap = (entity, id...end) }
    return found
  }

  /// Forgets where nothing is, as something was written.
  mutating func forget() { gap = nil }
}
