internal import BoxModel
internal import BoxStorage

/// The objects that were in a store when capture was switched on, and are not in the outbox yet.
///
/// First come the objects of all entities, then the pairs of all relations: a pair has an effect only after both of its
/// objects.
struct SyncSeed: Hashable {
  struct Step: Hashable {
    /// The UID of an entity or of a relation.
    var element: UID
    var isRelation: Bool
    /// The last id that was given when capture was switched on.
    var limit: UInt64
  }

  var steps: [Step]
  /// The step that is under way.
  var index = 0
  /// The first id of it that is not done.
  var next: UInt64 = 1

  static let key = Array("seed".utf8)

  /// Whether an object, or the pairs of a source, are yet to be captured.
  func isPending(_ element: UID, _ id: UInt64) -> Bool {
    guard let place = steps.firstIndex(where: { $0.element == element }) else { return false }
    return id <= steps[place].limit && (place > index || place == index && id >= next)
  }

  mutating func finishStep() { (index, next) = (index + 1, 1) }

  var isFinished: Bool { index >= steps.count }

  // MARK: - Storing

  static func read(_ space: Space, _ storage: StorageAccess) throws(StoreError) -> SyncSeed? {
    guard let stored = try storage.bytes(space, key) else { return nil }
    guard let content = StoredCheckpoint.content(of: stored, under: key),
      let seed = SyncSeed(decoding: content)
    else { throw .damagedCheckpoint }
    return seed
  }

  /// Writes the place, or removes it at the end.
  func write(_ space: Space, _ storage: StorageAccess) throws(StoreError) {
    if isFinished {
      _ = try storage.remove(space, Self.key)
    } else {
      try StoredCheckpoint.put(encoded, under: Self.key, space, storage)
    }
  }

  private var encoded: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(varint: UInt64(index))
    bytes.append(varint: next)
    for step in steps {
      bytes.append(step.isRelation ? 1 : 0)
      bytes.append(fixed: step.element)
      bytes.append(varint: step.limit)
    }
    return bytes
  }

  private init?(decoding bytes: [UInt8]) {
    var reader = SyncReader(bytes[...])
    guard let index = reader.varint().flatMap({ Int(exactly: $0) }), let next = reader.varint()
    else { return nil }
    (steps, self.index, self.next) = ([], index, next)
    while !reader.rest.isEmpty {
      guard let kind = reader.byte(), kind <= 1, let element = reader.fixed(UInt64.self),
        let limit = reader.varint()
      else { return nil }
      steps.append(Step(element: element, isRelation: kind == 1, limit: limit))
    }
  }

  init(steps: [Step]) { self.steps = steps }
}
