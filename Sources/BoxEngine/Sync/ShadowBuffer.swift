internal import BoxModel
internal import BoxStorage

/// The server's versions of objects that a transaction has changed, until they are written.
struct ShadowBuffer {
  /// An object, by the position of its entity.
  typealias Key = DisplacedObjects.Key

  private struct Version {
    var life: UInt32
    /// The place of the record in `bytes`; nil for an object that the server does not have.
    var record: Range<Int>?
  }

  private var versions: [Key: Version] = [:]
  /// The ids of new objects, by the position of the entity; each list in ascending order.
  private var runs: [Int: [ClosedRange<UInt64>]] = [:]
  /// The ids of the new objects that were added last, which the next one may follow.
  private var run: (entity: Int, ids: ClosedRange<UInt64>)?
  private var bytes: [UInt8] = []

  /// The bytes that it takes, about.
  var size: Int { bytes.count + 64 * versions.count }

  func contains(_ key: Key) -> Bool {
    if versions[key] != nil { return true }
    if let run, run.entity == key.entity, run.ids.contains(key.id) { return true }
    guard let runs = runs[key.entity] else { return false }
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].upperBound < key.id { low = middle + 1 } else { high = middle }
    }
    return low < runs.count && runs[low].contains(key.id)
  }

  /// Adds a new object, of which the server knows nothing.
  mutating func addNew(_ key: Key) {
    if let run, run.entity == key.entity, run.ids.upperBound + 1 == key.id {
      self.run = (key.entity, run.ids.lowerBound...key.id)
    } else {
      endRun()
      run = (key.entity, key.id...key.id)
    }
  }

  private mutating func endRun() {
    guard let (entity, ids) = run else { return }
    run = nil
    if runs[entity]?.last.map({ $0.upperBound < ids.lowerBound }) ?? true {
      runs[entity, default: []].append(ids)
    } else {
      for id in ids { versions[Key(entity: entity, id: id)] = Version(life: 0, record: nil) }
    }
  }

  /// Adds the version of an object that has none yet; without a record, of one that the server does not have.
  mutating func add(_ key: Key, life: UInt32, _ record: UnsafeRawBufferPointer?) {
    if contains(key) { return }
    guard let record = unsafe record else {
      versions[key] = Version(life: life, record: nil)
      return
    }
    let start = bytes.count
    unsafe bytes.append(contentsOf: record)
    versions[key] = Version(life: life, record: start..<bytes.count)
  }

  /// Writes the versions of objects that have none in the storage.
  mutating func write(
    _ schema: CaptureSchema, _ known: inout ShadowEntries, to storage: StorageAccess
  ) throws(StoreError) {
    let space = schema.spaces.shadows
    endRun()
    for (position, ranges) in runs.sorted(by: { $0.key < $1.key }) {
      guard let entity = schema.entities[position]?.uid else { continue }
      for range in ranges {
        let shadow = Shadow.absent(count: range.upperBound - range.lowerBound + 1)
        try Self.put(shadow, entity, range.upperBound, space, storage)
      }
    }
    let ordered = versions.sorted { ($0.key.entity, $0.key.id) < ($1.key.entity, $1.key.id) }
    known.forget()
    for (key, version) in ordered {
      guard let entity = schema.entities[key.entity]?.uid,
        try !known.contains(entity, key.id, space, storage)
      else { continue }
      let shadow =
        version.record.map { Shadow.object(life: version.life, record: Array(bytes[$0])) }
        ?? .dead(life: version.life)
      try Self.put(shadow, entity, key.id, space, storage)
    }
    known.forget()
    clear()
  }

  private mutating func clear() {
    versions.removeAll(keepingCapacity: true)
    runs.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Writes the version of an object.
  static func put(
    _ shadow: Shadow, _ entity: UID, _ id: UInt64, _ space: Space, _ storage: StorageAccess
  ) throws(StoreError) {
    var content: [UInt8] = []
    shadow.append(to: &content)
    try StoredCheckpoint.put(content, under: SyncKey.object(entity, id), space, storage)
  }
}

/// The look-up of stored versions.
struct ShadowEntries {
  private var entries = ObjectEntries()

  mutating func contains(
    _ entity: UID, _ id: UInt64, _ space: Space, _ storage: StorageAccess
  ) throws(StoreError) -> Bool {
    try entries.content(entity, id, space, storage) { last, content in
      Shadow(decoding: content)?.ids(through: last).lowerBound ?? last
    } != nil
  }

  mutating func forget() { entries.forget() }
}
