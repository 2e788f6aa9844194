internal import BoxEngine
internal import BoxModel

/// The state of a client besides objects, pairs and ids, as its store has it.
struct SavedStatus {
  /// A transaction of the outbox.
  struct Transaction {
    var place: UInt64
    var head: OutboxHead
  }

  /// Whether the state was read.
  var isLoaded = false
  /// The number of the objects about which nothing is noted: the first one that the store had.
  var ownNumber: UInt64?
  /// The transactions by their marks, pending and kept ones.
  var transactions: [UInt64: Transaction] = [:]
  /// The places of the rejected transactions, by their marks.
  var rejections: [UInt64: UInt64] = [:]
  /// The place of the last transaction of the outbox that was read.
  var lastPlace: UInt64 = 0
  /// Transactions without numbers, in order.
  var captured: [PendingTransaction] = []
  var base: (position: UInt64, chain: UInt64) = (0, 0)
  var clock: (value: UInt64, offset: Int64) = (0, 0)
  var numbers: [UInt8] = []
  var views: [UInt8] = []
  /// The places from which on transactions know the properties of the model.
  var properties: [UID: UInt64] = [:] {
    didSet { hasNewProperties = properties.values.contains { $0 > 0 } }
  }
  /// Whether there may be transactions that do not know all properties.
  private(set) var hasNewProperties = false
  var storedProperties: [UInt8] = []
}

extension StoreClientBase {
  private static let numbersName = "numbers"
  private static let viewsName = "views"
  private static let propertiesName = "properties"

  // MARK: - Reading

  /// Reads the state.
  func load(_ transaction: Arrivals) throws(StoreError) {
    saved = SavedStatus()
    status = ClientStatus()
    saved.numbers = try transaction.state(Self.numbersName) ?? []
    saved.views = try transaction.state(Self.viewsName) ?? []
    saved.storedProperties = try transaction.state(Self.propertiesName) ?? []
    guard readNumbers(saved.numbers), readViews(saved.views), readProperties() else {
      throw transaction.damagedState
    }
    saved.lastPlace = try transaction.lastPlace()
    noteProperties()
    saved.base = try transaction.base()
    (status.position, status.chain) = saved.base
    for captured in try transaction.transactions(.outbox) {
      let pending = try pending(captured, transaction)
      saved.transactions[pending.mark] = .init(place: captured.place, head: captured.head)
      if captured.head.number == 0 {
        saved.captured.append(pending)
      } else if captured.head.state == .acknowledged {
        status.kept.append(pending)
      } else {
        status.outbox.append(pending)
      }
    }
    for rejected in try transaction.transactions(.rejections) {
      var pending = try pending(rejected, transaction)
      pending.void = nil
      saved.rejections[pending.mark] = rejected.place
      status.rejections.append(
        Rejection(
          transaction: pending, code: SyncCode(rawValue: rejected.head.code) ?? .unknown,
          place: Int(rejected.head.place)))
    }
    saved.isLoaded = true
  }

  /// Reads the clock, which puts of others move on.
  func readClock(_ transaction: Arrivals) throws(StoreError) {
    saved.clock = try transaction.clock()
    (status.clock, status.timeOffset) = saved.clock
  }

  /// The operations after which a transaction takes over no more.
  private static let takenAtOnce = 50_000

  /// The transactions that were captured since the last call, or the first of them.
  func takeCaptured(_ transaction: Arrivals) throws(StoreError) -> [PendingTransaction] {
    for captured in try transaction.transactions(.outbox, after: saved.lastPlace) {
      saved.lastPlace = captured.place
      let pending = try pending(captured, transaction)
      saved.transactions[pending.mark] = .init(place: captured.place, head: captured.head)
      saved.captured.append(pending)
    }
    var (count, operations) = (0, 0)
    while count < saved.captured.count, operations < Self.takenAtOnce {
      operations += saved.captured[count].operations.count
      count += 1
    }
    defer { saved.captured.removeFirst(count) }
    return Array(saved.captured.prefix(count))
  }

  /// Whether transactions were captured that the last call did not take.
  var hasMoreCaptured: Bool { !saved.captured.isEmpty }

  private func pending(
    _ captured: CapturedTransaction, _ transaction: Arrivals
  ) throws(StoreError) -> PendingTransaction {
    let head = captured.head
    var pending = PendingTransaction(
      number: head.number, n: head.n, mark: head.mark,
      void: head.code == 0 ? nil : SyncCode(rawValue: head.code) ?? .unknown, operations: [])
    pending.operations.reserveCapacity(captured.operations.count)
    for operation in captured.operations {
      if let operation = try self.operation(operation, at: captured.place, transaction) {
        pending.operations.append(operation)
      }
    }
    return pending
  }

  /// An operation with the properties of the model; nil if the model lacks its entity or relation.
  private func operation(
    _ captured: CapturedOperation, at place: UInt64, _ transaction: Arrivals
  ) throws(StoreError) -> SyncOperation<UInt64>? {
    guard let kind = OperationKind(rawValue: captured.kind.rawValue) else { return nil }
    if kind == .link || kind == .unlink {
      guard model.relations[captured.element] != nil else { return nil }
      return SyncOperation(
        kind,
        LocalPair(relation: captured.element, source: captured.id, target: captured.target))
    }
    guard let codec = codec(captured.element) else { return nil }
    let entity = codec.entity
    var fields = Fields<UInt64>()
    if let values = try transaction.values(of: captured) {
      let namesAll = kind == .insert || entity.mergesObjects
      fields = codec.fields(values, ofSlots: namesAll ? nil : captured.slots)
      if namesAll, saved.hasNewProperties {
        // What its app did not know, a transaction does not take away.
        for field in fields.list
        where field.value.isNull && place < saved.properties[field.property] ?? 0 {
          fields[field.property] = nil
        }
      }
    }
    return SyncOperation(
      kind, LocalKey(entity: captured.element, id: captured.id), life: captured.life,
      fields: fields, isFresh: captured.isFresh && !entity.sharesIDs)
  }

  // MARK: - Writing

  /// Writes what has changed of the state.
  func save(_ transaction: Arrivals) throws(StoreError) {
    if saved.ownNumber == nil { saved.ownNumber = status.number }
    // Operations are copied from where they are before they are removed there.
    try saveRejections(transaction)
    try saveTransactions(transaction)
    if (status.position, status.chain) != saved.base {
      saved.base = (status.position, status.chain)
      try transaction.setBase(position: status.position, chain: status.chain)
    }
    if (status.clock, status.timeOffset) != saved.clock {
      saved.clock = (status.clock, status.timeOffset)
      try transaction.setClock(status.clock, offset: status.timeOffset)
    }
    let (numbers, views) = (numbersBytes, viewsBytes)
    if numbers != saved.numbers { try transaction.setState(Self.numbersName, numbers) }
    if views != saved.views { try transaction.setState(Self.viewsName, views) }
    (saved.numbers, saved.views) = (numbers, views)
    if saved.hasNewProperties {
      // Later transactions begin after the last one.
      let next = saved.lastPlace == 0 ? 0 : saved.lastPlace + 1
      saved.properties = saved.properties.mapValues { min($0, next) }
    }
    let properties = propertiesBytes
    if properties != saved.storedProperties {
      try transaction.setState(Self.propertiesName, properties)
      saved.storedProperties = properties
    }
  }

  private func saveRejections(_ transaction: Arrivals) throws(StoreError) {
    for rejection in status.rejections {
      let rejected = rejection.transaction
      guard saved.rejections[rejected.mark] == nil,
        let known = saved.transactions[rejected.mark]
      else { continue }
      var head = known.head
      (head.number, head.n) = (rejected.number, rejected.n)
      (head.code, head.place) = (rejection.code.rawValue, UInt32(clamping: rejection.place))
      saved.rejections[rejected.mark] = try transaction.reject(known.place, as: head)
    }
    if saved.rejections.count == status.rejections.count { return }
    let left = Set(status.rejections.map(\.transaction.mark))
    for (mark, place) in saved.rejections where !left.contains(mark) {
      try transaction.removeTransaction(.rejections, at: place)
      saved.rejections[mark] = nil
    }
  }

  private func saveTransactions(_ transaction: Arrivals) throws(StoreError) {
    for pending in status.kept { try save(pending, .acknowledged, transaction) }
    for pending in status.outbox { try save(pending, .pending, transaction) }
    if saved.transactions.count
      > status.kept.count + status.outbox.count + saved.captured.count
    {
      let left = Set((status.kept + status.outbox + saved.captured).map(\.mark))
      for (mark, known) in saved.transactions where !left.contains(mark) {
        try transaction.removeTransaction(.outbox, at: known.place)
        saved.transactions[mark] = nil
      }
    }
    try order(status.kept, transaction)
    try order(status.outbox, transaction)
    saved.lastPlace = try transaction.lastPlace()
  }

  private func save(
    _ pending: PendingTransaction, _ state: OutboxHead.State, _ transaction: Arrivals
  ) throws(StoreError) {
    guard let known = saved.transactions[pending.mark] else { return }
    var head = known.head
    (head.number, head.n, head.state) = (pending.number, pending.n, state)
    if let void = pending.void {
      (head.code, head.chunks, head.operations, head.bytes) = (void.rawValue, 0, 0, 0)
    }
    if head == known.head { return }
    try transaction.setHead(head, at: known.place)
    saved.transactions[pending.mark]?.head = head
  }

  /// Gives transactions the places of each other where they are not in order.
  private func order(
    _ transactions: [PendingTransaction], _ transaction: Arrivals
  ) throws(StoreError) {
    let places = transactions.compactMap { saved.transactions[$0.mark]?.place }
    if zip(places, places.dropFirst()).allSatisfy({ $0 < $1 }) { return }
    let sorted = places.sorted()
    try transaction.moveTransactions(zip(places, sorted).map { (from: $0, to: $1) })
    for (pending, place) in zip(transactions, sorted) {
      saved.transactions[pending.mark]?.place = place
    }
  }

  // MARK: - Numbers and views

  private var numbersBytes: [UInt8] {
    guard saved.ownNumber != nil || !status.lastN.isEmpty else { return [] }
    var writer = ByteWriter()
    for number in [status.number ?? 0, status.previousNumber, saved.ownNumber ?? 0] {
      writer.fixed(number)
    }
    Self.write(status.origins, &writer)
    Self.write(status.lastN, &writer)
    return writer.bytes
  }

  private func readNumbers(_ bytes: [UInt8]) -> Bool {
    Self.read(bytes, Self.numbersName) { (reader) throws(MessageFailure) in
      let (number, previous, own) = (
        try reader.fixed64(), try reader.fixed64(), try reader.fixed64()
      )
      status.number = number == 0 ? nil : number
      status.previousNumber = previous
      saved.ownNumber = own == 0 ? nil : own
      status.origins = try Self.map(&reader)
      status.lastN = try Self.map(&reader)
    }
  }

  private var viewsBytes: [UInt8] {
    if status.baseModel == 0 && status.views.isEmpty { return [] }
    var writer = ByteWriter()
    writer.fixed(status.baseModel)
    Self.write(status.views, &writer)
    return writer.bytes
  }

  private func readViews(_ bytes: [UInt8]) -> Bool {
    Self.read(bytes, Self.viewsName) { (reader) throws(MessageFailure) in
      status.baseModel = try reader.fixed64()
      status.views = try Self.map(&reader)
    }
  }

  // MARK: - Properties

  /// Notes which properties the model has: those that are new to it are unknown to the transactions that there are.
  func noteProperties() {
    let isFirst = saved.properties.isEmpty
    let place = isFirst || saved.lastPlace == 0 ? 0 : saved.lastPlace + 1
    let uids = model.entities.values.flatMap(\.properties).map(\.uid)
    saved.properties = Dictionary(uids.map { ($0, saved.properties[$0] ?? place) }) { $1 }
  }

  private var propertiesBytes: [UInt8] {
    var writer = ByteWriter()
    Self.write(saved.properties, &writer)
    return writer.bytes
  }

  private func readProperties() -> Bool {
    Self.read(saved.storedProperties, Self.propertiesName) { (reader) throws(MessageFailure) in
      saved.properties = try Self.map(&reader)
    }
  }

  /// Reads a value of the state, if there is one; false if it is not what was written.
  private static func read(
    _ bytes: [UInt8], _ name: String, _ body: (inout ByteReader) throws(MessageFailure) -> Void
  ) -> Bool {
    if bytes.isEmpty { return true }
    var reader = ByteReader(bytes[...], message: name)
    do throws(MessageFailure) {
      try body(&reader)
      return reader.isAtEnd
    } catch {
      return false
    }
  }

  private static func write(_ map: [UInt64: UInt64], _ writer: inout ByteWriter) {
    writer.varint(map.count)
    for (key, value) in map.sorted(by: { $0.key < $1.key }) {
      writer.fixed(key)
      writer.fixed(value)
    }
  }

  private static func map(
    _ reader: inout ByteReader
  ) throws(MessageFailure) -> [UInt64: UInt64] {
    var map: [UInt64: UInt64] = [:]
    for _ in 0..<(try reader.count(bytesEach: 16)) {
      let key = try reader.fixed64()
      map[key] = try reader.fixed64()
    }
    return map
  }
}
