package import BoxModel
internal import BoxStorage

/// The names of the spaces of data sync.
enum SyncSpace: String, CaseIterable {
  /// The values that exist once: the clock, the place of the seeding, the position of the base.
  case state = "y"
  /// The transactions that the server has not answered.
  case outbox = "yo"
  /// The server's versions of objects that these transactions name.
  case shadows = "ys"
  /// Whether the server has the pairs that they name.
  case pairs = "yq"
  /// The ids here of objects of other stores, by the identities that all stores know.
  case globalIDs = "yg"
  /// The lives and identities of objects, by their ids here.
  case localIDs = "yl"
  /// The pages and entries of a snapshot that is under way.
  case pages = "yp"
  /// The transactions that the server rejected.
  case rejections = "yr"

  var kind: SpaceKind {
    switch self {
    case .outbox, .pages, .rejections: .records
    case .state, .shadows, .pairs, .globalIDs, .localIDs: .bytes
    }
  }
}

extension SyncSpace {
  /// The content of the space in a few words.
  var contents: String {
    switch self {
    case .state: "state of data sync"
    case .outbox: "transactions for the server"
    case .shadows: "objects of the server"
    case .pairs: "pairs of the server"
    case .globalIDs: "ids by identity"
    case .localIDs: "lives and identities"
    case .pages: "snapshot under way"
    case .rejections: "rejected transactions"
    }
  }
}

/// The open spaces of data sync.
struct SyncSpaces: Hashable, Sendable {
  let state: Space
  let outbox: Space
  let shadows: Space
  let pairs: Space
  let globalIDs: Space
  let localIDs: Space
  let pages: Space
  let rejections: Space

  /// Opens all of them by a function.
  init(_ open: (SyncSpace) throws(StoreError) -> Space) throws(StoreError) {
    state = try open(.state)
    outbox = try open(.outbox)
    shadows = try open(.shadows)
    pairs = try open(.pairs)
    globalIDs = try open(.globalIDs)
    localIDs = try open(.localIDs)
    pages = try open(.pages)
    rejections = try open(.rejections)
  }

  subscript(_ space: SyncSpace) -> Space {
    switch space {
    case .state: state
    case .outbox: outbox
    case .shadows: shadows
    case .pairs: pairs
    case .globalIDs: globalIDs
    case .localIDs: localIDs
    case .pages: pages
    case .rejections: rejections
    }
  }
}

/// The keys of entries about objects and pairs: integers with the highest byte first, so that they are in order.
enum SyncKey {
  static func object(_ entity: UID, _ id: UInt64) -> [UInt8] { bytes(entity, id) }

  static func pair(_ pair: StoredPair) -> [UInt8] {
    bytes(pair.relation, pair.source, pair.target)
  }

  static func bytes(_ words: UInt64...) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(8 * words.count)
    for word in words {
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
      }
    }
    return bytes
  }

  /// The integers of a key; nil if it has another number of them.
  static func words(_ key: [UInt8], _ count: Int) -> [UInt64]? {
    guard key.count == 8 * count else { return nil }
    return (0..<count).map { word in
      key[8 * word..<8 * word + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
  }
}

/// A pair of a relation to many.
package struct StoredPair: Hashable, Comparable, Sendable {
  /// The UID of the relation.
  package var relation: UID
  /// The object that has the relation.
  package var source: UInt64
  /// The object that the relation targets.
  package var target: UInt64

  /// Creates a pair.
  package init(relation: UID, source: UInt64, target: UInt64) {
    (self.relation, self.source, self.target) = (relation, source, target)
  }

  /// Whether a pair comes before another one: by the relation, then by the source, then by the target.
  package static func < (a: StoredPair, b: StoredPair) -> Bool {
    (a.relation, a.source, a.target) < (b.relation, b.source, b.target)
  }
}
