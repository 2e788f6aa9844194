package import BoxDump
internal import BoxEngine
internal import BoxJSON
internal import BoxStorage
internal import Dispatch
internal import Synchronization

/// Reports changes of the objects of an entity while programs make them, for `boxjoint store watch`.
package struct WatchRequest {
  /// The directory of the store.
  package var store: String
  /// The entity.
  package var entity: String
  /// The condition that objects fulfil; nil for all.
  package var condition: String?
  /// Whether only ids of objects are reported.
  package var isOfIDs = false
  /// The time without a change after which it ends; nil for none.
  package var idle: Duration?
  /// The time after which it ends; nil for none.
  package var timeout: Duration?
  /// Whether the watch has been cancelled; called twenty times a second.
  package var isEnded: () -> Bool = { false }
  /// The receiver of the lines.
  package var stream: any DumpOutput
  /// The form of integers and dates, without converters.
  package var values = ValueForm()
  /// The catalogue of converters; nil to show values as they are stored.
  package var catalogue: CatalogueChoice? = CatalogueChoice()
  /// The way to open the store.
  package var access = StoreAccess()

  /// Creates a request for all objects of an entity.
  package init(_ store: String, _ entity: String, to stream: any DumpOutput) {
    self.store = store
    self.entity = entity
    self.stream = stream
  }

  /// Writes a line for each change until the end.
  ///
  /// - Throws: ``CommandFailure`` of the kind `usage` for a condition that cannot be read, and as
  ///   ``onStore(_:_:)``.
  /// - Complexity: O(log *n*) for each changed object; O(*n*) in all objects once with a condition.
  package func run(in place: Workspace) throws {
    var access = access
    access.hearsOthers = true
    try OpenStore.with(store, access, catalogue, isReadOnly: true, in: place) { try run(on: $0) }
  }

  private func run(on open: OpenStore) throws {
    let entity = try open.entity(entity)
    let query = try open.query(entity, condition)
    let columns =
      isOfIDs ? [] : try RowColumn.all(of: entity, in: open.store, open.values(values))
    let (waiting, location) = (CommitQueue(), StorageLocation.directory(store))
    // Before the first look: so nothing between both is missed.
    let observation = try open.store.observe([entity]) { waiting.add($0) }
    defer { observation.cancel() }
    var reported = ReportedObjects(
      open.store, entity, query, columns, isConditional: condition != nil, isOfIDs: isOfIDs,
      ResultOutput(try stream.open("")))
    try reported.begin()
    let start = ContinuousClock.now
    var (last, looked) = (start, start)
    while !isEnded() {
      let commits = waiting.drain()
      let now = ContinuousClock.now
      if try reported.report(commits) { last = now }
      if let idle, now - last >= idle { break }
      if let timeout, now - start >= timeout { break }
      if now - looked > .seconds(1) {
        if !location.exists { throw StoreError.noStore("\(location)") }
        // The watch ends when the model of the store changes.
        if try !open.store.hasCurrentModel() { throw StoreError.modelChangedElsewhere }
        looked = now
      }
    }
    try reported.end()
  }
}

/// Commits that were received, until they are reported.
private final class CommitQueue: Sendable {
  private let commits = Mutex<[CommitChanges]>([])
  private let arrival = DispatchSemaphore(value: 0)

  func add(_ commit: CommitChanges) {
    commits.withLock { $0.append(commit) }
    arrival.signal()
  }

  /// Waits for a moment, and takes what has come.
  func drain() -> [CommitChanges] {
    _ = arrival.wait(timeout: .now() + .milliseconds(50))
    return commits.withLock { commits in
      defer { commits = [] }
      return commits
    }
  }
}

/// The objects that fulfil a condition, and the lines about their changes.
private struct ReportedObjects {
  private let store: ObjectStore
  private let entity: EntitySchema
  private let query: PreparedQuery
  private let columns: [RowColumn]
  /// The names of the columns, as keys of JSON.
  private let keys: [String]
  private let isOfIDs: Bool
  private let lines: ResultOutput
  /// The ids of the objects that fulfil the condition; nil without one.
  private var matchingIDs: Set<UInt64>?
  /// The number of the last commit that was read or reported.
  private var number: UInt64 = 0

  init(
    _ store: ObjectStore, _ entity: EntitySchema, _ query: PreparedQuery, _ columns: [RowColumn],
    isConditional: Bool, isOfIDs: Bool, _ lines: ResultOutput
  ) {
    (self.store, self.entity, self.query) = (store, entity, query)
    (self.columns, self.isOfIDs, self.lines) = (columns, isOfIDs, lines)
    keys = columns.map { JSONValue.string($0.name).text(indent: 0) }
    matchingIDs = isConditional ? [] : nil
  }

  /// Reads the current objects.
  mutating func begin() throws {
    try store.read { transaction in
      number = try transaction.number
      try refresh(transaction)
    }
  }

  private mutating func refresh(_ transaction: Transaction) throws {
    if matchingIDs != nil { matchingIDs = Set(try transaction.ids(query)) }
  }

  /// Writes the changes of commits; returns whether there were any.
  mutating func report(_ commits: [CommitChanges]) throws -> Bool {
    var hasReported = false
    for commit in commits where commit.number > number {
      number = commit.number
      for changes in commit.entities {
        try store.read { transaction in
          if changes.isWhole {
            append(commit.number, "whole")
            lines.append("}")
            try lines.endLine()
            try refresh(transaction)
            hasReported = true
          } else {
            let reported = try report(changes.coalesced, of: commit.number, transaction)
            hasReported = hasReported || reported
          }
        }
      }
    }
    if hasReported { try lines.flush() }
    return hasReported
  }

  private mutating func report(
    _ changes: [ObjectChange], of number: UInt64, _ transaction: Transaction
  ) throws -> Bool {
    let ids = changes.filter { $0.kind != .removed }.map(\.id)
    var objects: [UInt64: [UInt8]] = [:]
    var row = RowCells(.json)
    try transaction.visit(ids, fulfilling: query) { id, record in
      for column in columns { try column.append(id, record, transaction, to: &row) }
      objects[id] = object(row)
      row.clear()
      return .next
    }
    var hasReported = false
    for change in changes {
      let wasFulfilling = matchingIDs?.remove(change.id) != nil
      let object = objects[change.id]
      if object != nil { matchingIDs?.insert(change.id) }
      guard let word = word(of: change.kind, wasFulfilling, exists: object != nil) else { continue }
      append(number, word)
      lines.append(",\"id\":\(change.id)")
      if let object, !isOfIDs {
        lines.append(",\"object\":")
        lines.append(object)
      }
      lines.append("}")
      try lines.endLine()
      hasReported = true
    }
    return hasReported
  }

  /// The word for a change; nil if it is not reported.
  private func word(of kind: ObjectChange.Kind, _ wasFulfilling: Bool, exists: Bool) -> String? {
    let isKnown = matchingIDs == nil || wasFulfilling
    return switch kind {
    case .removed: isKnown ? "removed" : nil
    // A later commit has removed it, and says so.
    case _ where !exists: matchingIDs != nil && wasFulfilling ? "left" : nil
    case .inserted: "inserted"
    case .updated: "updated"
    }
  }

  /// Appends the begin of a line.
  private func append(_ number: UInt64, _ word: String) {
    lines.append(
      "{\"commit\":\(number),\"entity\":\(JSONValue.string(entity.name).text(indent: 0)),\"kind\":\"\(word)\""
    )
  }

  private func object(_ row: borrowing RowCells) -> [UInt8] {
    var bytes: [UInt8] = []
    for (position, key) in keys.enumerated() {
      bytes += (position == 0 ? "{" : ",").utf8
      bytes += key.utf8
      bytes += ":".utf8
      bytes += row[position]
    }
    bytes += "}".utf8
    return bytes
  }

  func end() throws { try lines.finish() }
}
