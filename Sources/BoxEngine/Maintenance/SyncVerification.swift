internal import BoxModel
internal import BoxReport
internal import BoxStorage

/// Checks the entries of data sync, each by itself and against each other.
struct SyncVerification {
  private struct Object: Hashable {
    var entity: UID
    var id: UInt64
  }

  private let schema: StoreSchema
  private let storage: StorageAccess
  private let spaces: SyncSpaces
  private let report: (_ rule: Rule, _ message: String) -> Void
  /// The objects and pairs that transactions of the outbox name.
  private var objects: Set<Object> = []
  private var pairs: Set<StoredPair> = []
  /// Whether a transaction is damaged, so that others may be named.
  private var isUncertain = false

  /// Checks the spaces of a store.
  ///
  /// - Throws: ``StoreError/storage(_:)``.
  /// - Complexity: O(*n* log *n*) in the entries and the operations of the outbox.
  static func run(
    _ schema: StoreSchema, _ spaces: SyncSpaces, _ storage: StorageAccess,
    report: @escaping (_ rule: Rule, _ message: String) -> Void
  ) throws(StoreError) {
    var verification = SyncVerification(schema, spaces, storage, report)
    try verification.run()
  }

  private init(
    _ schema: StoreSchema, _ spaces: SyncSpaces, _ storage: StorageAccess,
    _ report: @escaping (_ rule: Rule, _ message: String) -> Void
  ) {
    (self.schema, self.spaces, self.storage, self.report) = (schema, spaces, storage, report)
  }

  private mutating func run() throws(StoreError) {
    try verifyOutbox()
    try verifyRejections()
    try verifyShadows()
    try verifyPairs()
    try verifyIdentities()
    try verifyState()
  }

  // MARK: - Transactions

  private mutating func verifyOutbox() throws(StoreError) {
    var damaged: [UInt64] = []
    var (objects, pairs) = (objects, pairs)
    try OutboxReader(space: spaces.outbox, storage: storage).visit { place, transaction in
      guard let transaction else {
        damaged.append(place)
        return .next
      }
      if transaction.head.state != .pending { return .next }
      for operation in transaction.operations {
        if operation.kind.isPair {
          pairs.insert(
            StoredPair(
              relation: operation.element, source: operation.id, target: operation.target))
        } else {
          objects.insert(Object(entity: operation.element, id: operation.id))
        }
      }
      return .next
    }
    (self.objects, self.pairs, isUncertain) = (objects, pairs, !damaged.isEmpty)
    for place in damaged {
      report(
        StoreRule.damagedOutbox, "transaction \(place) of the outbox is damaged")
    }
  }

  private func verifyRejections() throws(StoreError) {
    try OutboxReader(space: spaces.rejections, storage: storage).visit { place, transaction in
      if transaction == nil {
        report(
          StoreRule.damagedOutbox, "the rejected transaction \(place) is damaged")
      }
      return .next
    }
  }

  // MARK: - The server's versions

  private func verifyShadows() throws(StoreError) {
    var missing = objects
    try storage.values(spaces.shadows) { key, stored in
      guard let words = SyncKey.words(key, 2),
        let shadow = StoredCheckpoint.content(of: stored, under: key)
          .flatMap({ Shadow(decoding: $0) })
      else {
        report(
          StoreRule.needlessShadow, "the server's version of \(object(key)) is damaged")
        return .next
      }
      if isUncertain { return .next }
      for id in shadow.ids(through: words[1]) {
        let isNamed = missing.remove(Object(entity: words[0], id: id)) != nil
        if isNamed || shadow.isParked { continue }
        report(
          StoreRule.needlessShadow,
          "\(name(words[0])) \(id) has a version of the server, and no waiting transaction names it"
        )
        // An entry can say that it is about more objects than there are.
        break
      }
      return .next
    }
    if isUncertain { return }
    for object in missing.sorted(by: { ($0.entity, $0.id) < ($1.entity, $1.id) }) {
      report(
        StoreRule.needlessShadow,
        "\(name(object.entity)) \(object.id) lacks the version of the server, and a waiting transaction names it"
      )
    }
  }

  private func verifyPairs() throws(StoreError) {
    var missing = pairs
    let relations = Dictionary(schema.relations.map { ($0.uid, $0) }) { $1 }
    try storage.values(spaces.pairs) { (key, stored) throws(StoreError) in
      guard let words = SyncKey.words(key, 3), let relation = relations[words[0]],
        let content = StoredCheckpoint.content(of: stored, under: key),
        content == [0] || content == [1]
      else {
        report(
          StoreRule.pairShadow, "the server's version of a pair of \(name(key)) is damaged")
        return .next
      }
      let pair = StoredPair(relation: words[0], source: words[1], target: words[2])
      let isNamed = missing.remove(pair) != nil
      if isNamed || isUncertain { return .next }
      if try mayWait(pair, relation) { return .next }
      report(
        StoreRule.pairShadow,
        "\(relation.name) has a version of the server from \(pair.source) to \(pair.target), and nothing waits for it"
      )
      return .next
    }
    for pair in missing.sorted() where !isUncertain {
      report(
        StoreRule.pairShadow,
        "\(relations[pair.relation]?.name ?? "\(pair.relation)") lacks the version of the server from "
          + "\(pair.source) to \(pair.target), and a waiting transaction names it")
    }
  }

  /// Whether an object of a pair was removed and may come back, or is not here yet.
  private func mayWait(_ pair: StoredPair, _ relation: RelationSchema) throws(StoreError) -> Bool {
    for (entity, id) in [(relation.source, pair.source), (relation.target, pair.target)] {
      if objects.contains(Object(entity: entity, id: id)) { return true }
      guard let space = schema.objects(of: entity)?.space else { continue }
      if try !storage.hasValue(space, id) { return true }
    }
    return false
  }

  // MARK: - Identities and state

  private func verifyIdentities() throws(StoreError) {
    try storage.values(spaces.localIDs) { (key, stored) throws(StoreError) in
      guard let words = SyncKey.words(key, 2),
        let identity = StoredCheckpoint.content(of: stored, under: key)
          .flatMap({ LocalIdentity(decoding: $0) })
      else {
        report(StoreRule.mapsDisagree, "the identity of \(object(key)) is damaged")
        return .next
      }
      if identity.number == 0 && identity.id == 0 { return .next }
      let global = SyncKey.bytes(words[0], identity.number, identity.id)
      if try localID(of: global) == words[1] { return .next }
      report(
        StoreRule.mapsDisagree, "\(object(key)) has an identity under which it is not found")
      return .next
    }
    try storage.values(spaces.globalIDs) { (key, _) throws(StoreError) in
      guard let words = SyncKey.words(key, 3), let id = try localID(of: key) else {
        report(StoreRule.mapsDisagree, "an identity of \(name(key)) is damaged")
        return .next
      }
      let local = SyncKey.object(words[0], id)
      let identity = try storage.bytes(spaces.localIDs, local)
        .flatMap { StoredCheckpoint.content(of: $0, under: local) }
        .flatMap { LocalIdentity(decoding: $0) }
      if identity?.number == words[1] && identity?.id == words[2] { return .next }
      report(
        StoreRule.mapsDisagree, "an identity names \(object(local)), which has another one")
      return .next
    }
  }

  private func localID(of global: [UInt8]) throws(StoreError) -> UInt64? {
    guard let stored = try storage.bytes(spaces.globalIDs, global),
      let content = StoredCheckpoint.content(of: stored, under: global)
    else { return nil }
    var reader = SyncReader(content[...])
    let id = reader.varint()
    return reader.rest.isEmpty ? id : nil
  }

  private func verifyState() throws(StoreError) {
    try storage.values(spaces.state) { key, stored in
      if let content = StoredCheckpoint.content(of: stored, under: key) {
        if !StoredBase.lacksChain(key, content) { return .next }
        report(
          StoreRule.positionWithoutChain, "the position of data sync has no chain")
      } else {
        report(StoreRule.positionWithoutChain, "the state of data sync is damaged")
      }
      return .next
    }
    try unsafe storage.records(spaces.pages, from: nil, .forward) { key, value in
      if unsafe OutboxValue.content(value, key) == nil {
        report(
          StoreRule.positionWithoutChain, "a page of a snapshot of data sync is damaged")
      }
      return .next
    }
  }

  // MARK: - Names

  private func name(_ entity: UID) -> String { schema.objects(of: entity)?.name ?? "\(entity)" }

  private func name(_ key: [UInt8]) -> String {
    guard key.count >= 8 else { return "?" }
    let uid = key[..<8].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    return schema.relations.first { $0.uid == uid }?.name ?? name(uid)
  }

  private func object(_ key: [UInt8]) -> String {
    SyncKey.words(key, 2).map { "\(name($0[0])) \($0[1])" } ?? "an object"
  }
}

extension StoreSchema {
  /// All relations to many, also those that the model lacks.
  var relations: [RelationSchema] { entities.flatMap(\.relations) + hiddenRelations }
}
