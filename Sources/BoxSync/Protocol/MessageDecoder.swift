/// Reads messages from strangers.
package struct MessageDecoder {
  private let numbering: Numbering
  private var reader: ByteReader
  private var numbers: [UInt64] = [0]

  /// The message that bytes have.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of one message.
  ///   - numbering: The numbering of the session; nil before its welcome.
  /// - Returns: Nil for a kind of message that later versions may have and this one skips.
  /// - Throws: `MessageFailure` if the bytes are not a message; its text names the field.
  /// - Complexity: O(*n*) in the number of bytes.
  package static func decode(
    _ bytes: [UInt8], _ numbering: Numbering?
  ) throws(MessageFailure) -> SyncMessage? {
    guard bytes.count <= SyncLimits.message else {
      throw MessageFailure(
        .reqRejected, "a message has \(bytes.count) bytes, and \(SyncLimits.message) is the limit")
    }
    guard let first = bytes.first else { throw MessageFailure(.reqRejected, "a message is empty") }
    if first >= 128 { return nil }
    guard let kind = MessageKind(rawValue: first) else {
      throw MessageFailure(.badVersion, "a message has the unknown kind \(first)")
    }
    var reader = ByteReader(bytes.dropFirst(), message: "\(kind)")
    guard try reader.byte() == 0 else {
      throw MessageFailure(.badVersion, "the message '\(kind)' has unknown flags")
    }
    if [.changes, .entries, .page].contains(kind), numbering == nil {
      throw MessageFailure(.reqRejected, "the message '\(kind)' came before the welcome")
    }
    var decoder = MessageDecoder(
      numbering: numbering ?? Numbering(SyncModel([])), reader: reader)
    let message = try decoder.body(kind)
    try decoder.reader.finish()
    return message
  }

  private init(numbering: Numbering, reader: ByteReader) {
    (self.numbering, self.reader) = (numbering, reader)
  }

  private mutating func body(_ kind: MessageKind) throws(MessageFailure) -> SyncMessage {
    switch kind {
    case .hello: return .hello(lowest: try reader.small(), highest: try reader.small())
    case .challenge:
      let nonce = try reader.fixed64()
      let kinds = try reader.list { (r: inout ByteReader) throws(MessageFailure) in try r.small() }
      return .challenge(nonce: nonce, kinds: kinds, time: try time())
    case .login: return .login(try login())
    case .welcome: return .welcome(try welcome())
    case .refuse:
      return .refuse(
        try reader.code(), text: try reader.text(), retryAfter: try reader.small())
    case .model:
      switch try reader.byte() {
      case 0: return .model(nil)
      case 1: return .model(try SyncModelCoding.read(&reader))
      default: throw reader.failure("has unknown flags")
      }
    case .changes: return .changes(try changes())
    case .entries: return .entries(try entries())
    case .answer:
      return .answer(
        number: try number(), n: try reader.identifier(), mark: try reader.fixed64(),
        try reader.code(), position: try reader.bounded())
    case .fork: return .fork(number: try number(), n: try reader.identifier())
    case .unsure: return .unsure(number: try number(), n: try reader.identifier())
    case .page:
      try readNumbers()
      return .page(try effects())
    case .end: return .end(try reader.bounded())
    case .credit: return .credit(try reader.bounded())
    case .ping: return .ping(try reader.varint())
    case .pong: return .pong(try reader.varint())
    case .goodbye: return .goodbye(try reader.code(), text: try reader.text())
    }
  }

  private mutating func number() throws(MessageFailure) -> UInt64 {
    let number = try reader.fixed64()
    guard number > 0, number <= Int64.max else {
      throw reader.failure("has a number of 0 or above 2^63-1")
    }
    return number
  }

  private mutating func time() throws(MessageFailure) -> UInt64 {
    let time = try reader.varint()
    guard time <= SyncLimits.time else { throw reader.failure("has a time above 2^47") }
    return time
  }

  private mutating func readNumbers() throws(MessageFailure) {
    reader.place = ("its numbers", nil)
    for _ in 0..<(try reader.count(bytesEach: 8)) { numbers.append(try number()) }
    reader.place = ("its head", nil)
  }

  // MARK: - The beginning of a session

  private mutating func login() throws(MessageFailure) -> Login {
    var login = Login()
    reader.place = ("its credentials", nil)
    login.credentials = try reader.list(bytesEach: 2) {
      (r: inout ByteReader) throws(MessageFailure) in
      Login.Credential(kind: try r.small(), bytes: try r.blob())
    }
    reader.place = ("its base", nil)
    login.model = try reader.fixed64()
    login.baseModel = try reader.fixed64()
    login.position = try reader.bounded()
    login.chain = try reader.fixed64()
    reader.place = ("its variables", nil)
    for _ in 0..<(try reader.count(bytesEach: 2)) {
      login.variables[try reader.text()] = try reader.text()
    }
    login.views = try views()
    for index in 0..<(try reader.count(bytesEach: 10)) {
      reader.place = ("number", index + 1)
      let (number, first) = (try number(), try reader.identifier())
      var marks: [Login.Declaration.Mark] = []
      for _ in 0..<(try reader.count(bytesEach: 9)) {
        marks.append(.init(n: try reader.identifier(), mark: try reader.fixed64()))
      }
      login.numbers.append(.init(number: number, first: first, marks: marks))
    }
    return login
  }

  private mutating func views() throws(MessageFailure) -> [UID: UInt64] {
    reader.place = ("its views", nil)
    var views: [UID: UInt64] = [:]
    for _ in 0..<(try reader.count(bytesEach: 16)) {
      views[try reader.fixed64()] = try reader.fixed64()
    }
    return views
  }

  private mutating func welcome() throws(MessageFailure) -> Welcome {
    reader.place = ("its model", nil)
    let model = try SyncModelCoding.read(&reader)
    reader.place = ("its plan", nil)
    let plan: Welcome.Plan
    switch try reader.byte() {
    case 0: plan = .entries
    case 1:
      plan = .scoped(
        try reader.list(bytesEach: 8) { (r: inout ByteReader) throws(MessageFailure) in
          try r.fixed64()
        })
    case 2: plan = .full
    default: throw reader.failure("has an unknown kind")
    }
    let (head, chain) = (try reader.bounded(), try reader.fixed64())
    var rows: [Welcome.Row] = []
    for index in 0..<(try reader.count(bytesEach: 11)) {
      reader.place = ("row", index + 1)
      let (number, last) = (try number(), try reader.bounded())
      let flags = try reader.byte()
      guard flags < 2 else { throw reader.failure("has unknown flags") }
      var fates: [NumberRow.Fate] = []
      for _ in 0..<(try reader.count(bytesEach: 11)) {
        fates.append(
          .init(
            n: try reader.identifier(), mark: try reader.fixed64(), code: try reader.code(),
            position: try reader.bounded()))
      }
      rows.append(.init(number: number, last: last, fates: fates, isMoved: flags == 1))
    }
    let views = try views()
    reader.place = ("its limits", nil)
    return Welcome(
      model: model, plan: plan, head: head, chain: chain, rows: rows, views: views,
      time: try time(), window: try reader.small())
  }

  // MARK: - Transactions

  private mutating func changes() throws(MessageFailure) -> [Submission] {
    try readNumbers()
    var list: [Submission] = []
    while !reader.isAtEnd {
      reader.place = ("transaction", list.count + 1)
      let (number, previous) = (try storeNumber(), try storeNumber())
      guard number != 0 else { throw reader.failure("has a number of 0 or above 2^63-1") }
      let first = try reader.identifier()
      let count = try reader.count(bytesEach: 9)
      guard count > 0, UInt64(count) <= UInt64(Int64.max) - first else {
        throw reader.failure("has an invalid count")
      }
      for index in 0..<count {
        reader.place = ("transaction", list.count + 1)
        let mark = try reader.fixed64()
        var void: SyncCode?
        let head = try reader.small()
        var operations: [SyncOperation<GlobalID>] = []
        if head & 1 == 1 {
          void = SyncCode(rawValue: head >> 1)
          guard let void, void != .ok else { throw reader.failure("has an unknown code") }
        } else {
          let count = try reader.check(head >> 1, bytesEach: 3)
          for _ in 0..<count { operations.append(try operation(number)) }
        }
        list.append(
          Submission(
            number: number, previous: previous, n: first + UInt64(index), mark: mark, void: void,
            operations: operations))
      }
    }
    return list
  }

  private mutating func entries() throws(MessageFailure) -> SessionEntries {
    try readNumbers()
    let (from, to, chain) = (try reader.bounded(), try reader.bounded(), try reader.fixed64())
    var position = from
    var list: [SessionEntry] = []
    for index in 0..<(try reader.count(bytesEach: 4)) {
      reader.place = ("entry", index + 1)
      let step = try reader.identifier()
      let flags = try reader.byte()
      guard step <= to, position <= to - step, flags < 8 else {
        throw reader.failure("has a position after the last, or unknown flags")
      }
      position += step
      let (number, n) = (try storeNumber(), try reader.identifier())
      let mark = flags & 1 != 0 ? try reader.fixed64() : nil
      var (code, place) = (SyncCode.ok, 0)
      if flags & 4 != 0 { (code, place) = (try reader.code(), Int(try reader.small())) }
      list.append(
        SessionEntry(
          position: position, number: number, n: n, mark: mark, code: code, place: place,
          effects: flags & 2 != 0 ? nil : try effects()))
    }
    guard from <= to else { throw reader.failure("has a position after the last") }
    return SessionEntries(from: from, to: to, chain: chain, list: list)
  }

  private mutating func storeNumber() throws(MessageFailure) -> UInt64 {
    let index = try reader.varint()
    guard index < UInt64(numbers.count) else { throw reader.failure("names a missing number") }
    return numbers[Int(index)]
  }

  private mutating func id() throws(MessageFailure) -> GlobalID {
    GlobalID(number: try storeNumber(), id: try reader.identifier())
  }

  private mutating func entity() throws(MessageFailure) -> SyncEntity {
    let number = try reader.varint()
    guard number < UInt64(numbering.entities.count) else {
      throw reader.failure("names an entity beyond the model")
    }
    return numbering.entities[Int(number)]
  }

  private mutating func relation() throws(MessageFailure) -> SyncRelation {
    let number = try reader.varint()
    guard number < UInt64(numbering.relations.count) else {
      throw reader.failure("names a relation beyond the model")
    }
    return numbering.relations[Int(number)]
  }

  /// A life, which is even for an object that is gone.
  private mutating func life(isOne: Bool, isAlive: Bool) throws(MessageFailure) -> UInt32 {
    let life = isOne ? 1 : try reader.small()
    guard life <= SyncLimits.life, (life % 2 == 1) == isAlive else {
      throw reader.failure("has a life that does not fit")
    }
    return life
  }

  private mutating func operation(
    _ own: UInt64
  ) throws(MessageFailure) -> SyncOperation<GlobalID> {
    let head = try reader.byte()
    guard head < 32, let kind = OperationKind(rawValue: head & 7),
      kind != .replaced
    else { throw reader.failure("has an unknown kind of operation") }
    let isOwn = head & 16 != 0
    if kind == .link || kind == .unlink {
      let relation = try relation().uid
      let source = isOwn ? GlobalID(number: own, id: try reader.identifier()) : try id()
      return SyncOperation(kind, GlobalPair(relation: relation, source: source, target: try id()))
    }
    let entity = try entity()
    let object = isOwn ? GlobalID(number: own, id: try reader.identifier()) : try id()
    let key = GlobalKey(entity: entity.uid, id: object)
    let life = try life(isOne: head & 8 != 0, isAlive: true)
    let fields = kind == .remove ? Fields() : try fields(entity)
    return SyncOperation(kind, key, life: life, fields: fields)
  }

  private mutating func fields(_ entity: SyncEntity) throws(MessageFailure) -> Fields<GlobalID> {
    let count = entity.properties.count
    let mask = try reader.take((count + 7) / 8)
    if count % 8 != 0, let last = mask.last, last >> (count % 8) != 0 {
      throw reader.failure("has bits of properties beyond the model")
    }
    var fields = Fields<GlobalID>()
    for (place, property) in entity.properties.enumerated()
    where mask[mask.startIndex + place / 8] & 1 << (place % 8) != 0 {
      guard let tag = ValueTag(rawValue: try reader.byte()) else {
        throw reader.failure("has an unknown kind of value")
      }
      guard tag == .null || (tag == .reference) == (property.target != nil) else {
        throw reader.failure("has a value that does not fit its property")
      }
      fields[property.uid] =
        tag == .reference ? .reference(try id()) : .value(try reader.value(tag))
    }
    return fields
  }

  // MARK: - Effects

  private mutating func effects() throws(MessageFailure) -> [Effect<GlobalID>] {
    var list: [Effect<GlobalID>] = []
    for _ in 0..<(try reader.count(bytesEach: 4)) { list.append(try effect()) }
    return list
  }

  private mutating func effect() throws(MessageFailure) -> Effect<GlobalID> {
    let head = try reader.byte()
    let isOne = head & 8 != 0
    guard head < 32, head < 16 || head & 7 == 1 else {
      throw reader.failure("has an unknown kind of effect")
    }
    switch head & 7 {
    case 1:
      let entity = try entity()
      let key = GlobalKey(entity: entity.uid, id: try id())
      let life = try life(isOne: isOne, isAlive: true)
      return .put(key, life: life, try fields(entity), isWhole: head & 16 != 0)
    case 2:
      let key = GlobalKey(entity: try entity().uid, id: try id())
      var pairs: [GlobalPair] = []
      for _ in 0..<(try reader.count(bytesEach: 3)) {
        pairs.append(
          GlobalPair(relation: try relation().uid, source: key.id, target: try id()))
      }
      return .pairs(key, pairs)
    case 3:
      let key = GlobalKey(entity: try entity().uid, id: try id())
      return .remove(key, life: try life(isOne: isOne, isAlive: false))
    case 4:
      let key = GlobalKey(entity: try entity().uid, id: try id())
      return .forget(key, life: try life(isOne: isOne, isAlive: false))
    case 5:
      return .link(
        GlobalPair(relation: try relation().uid, source: try id(), target: try id()))
    case 6:
      return .unlink(
        GlobalPair(relation: try relation().uid, source: try id(), target: try id()))
    default: throw reader.failure("has an unknown kind of effect")
    }
  }
}
