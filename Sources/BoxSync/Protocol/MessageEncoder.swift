/// Writes messages; those with objects need the numbering of the session's welcome.
package struct MessageEncoder {
  private let numbering: Numbering?
  private var writer = ByteWriter()
  /// The numbers of stores in the message, at the places that its ids name.
  private var numbers: [UInt64: Int] = [:]
  private var numberList: [UInt64] = []

  /// The bytes of a message.
  ///
  /// - Parameters:
  ///   - message: The message; what its numbering does not have is left out.
  ///   - numbering: The numbering of the session; nil before its welcome.
  /// - Returns: The bytes of one message.
  /// - Complexity: O(*n*) in the size of the message.
  package static func encode(_ message: SyncMessage, _ numbering: Numbering?) -> [UInt8] {
    var encoder = MessageEncoder(numbering: numbering)
    let kind = encoder.body(message)
    var result = ByteWriter()
    result.byte(kind.rawValue)
    result.byte(0)
    if [.changes, .entries, .page].contains(kind) {
      result.varint(encoder.numberList.count)
      for number in encoder.numberList { result.fixed(number) }
    }
    result.append(encoder.writer)
    return result.bytes
  }

  private init(numbering: Numbering?) { self.numbering = numbering }

  private mutating func body(_ message: SyncMessage) -> MessageKind {
    switch message {
    case .hello(let lowest, let highest):
      writer.varint(UInt64(lowest))
      writer.varint(UInt64(highest))
      return .hello
    case .challenge(let nonce, let kinds, let time):
      writer.fixed(nonce)
      writer.varint(kinds.count)
      for kind in kinds { writer.varint(UInt64(kind)) }
      writer.varint(time)
      return .challenge
    case .login(let login): return write(login)
    case .welcome(let welcome): return write(welcome)
    case .refuse(let code, let text, let retryAfter):
      writer.varint(UInt64(code.rawValue))
      writer.text(text)
      writer.varint(UInt64(retryAfter))
      return .refuse
    case .model(let model):
      writer.byte(model == nil ? 0 : 1)
      if let model { SyncModelCoding.write(model, &writer) }
      return .model
    case .changes(let submissions): return write(submissions)
    case .entries(let entries): return write(entries)
    case .answer(let number, let n, let mark, let code, let position):
      place(number, n)
      writer.fixed(mark)
      writer.varint(UInt64(code.rawValue))
      writer.varint(position)
      return .answer
    case .fork(let number, let n):
      place(number, n)
      return .fork
    case .unsure(let number, let n):
      place(number, n)
      return .unsure
    case .page(let effects):
      write(effects)
      return .page
    case .end(let position):
      writer.varint(position)
      return .end
    case .credit(let bytes):
      writer.varint(bytes)
      return .credit
    case .ping(let value):
      writer.varint(value)
      return .ping
    case .pong(let value):
      writer.varint(value)
      return .pong
    case .goodbye(let code, let text):
      writer.varint(UInt64(code.rawValue))
      writer.text(text)
      return .goodbye
    }
  }

  private mutating func place(_ number: UInt64, _ n: UInt64) {
    writer.fixed(number)
    writer.varint(n)
  }

  // MARK: - The beginning of a session

  private mutating func write(_ login: Login) -> MessageKind {
    writer.varint(login.credentials.count)
    for credential in login.credentials {
      writer.varint(UInt64(credential.kind))
      writer.blob(credential.bytes)
    }
    writer.fixed(login.model)
    writer.fixed(login.baseModel)
    writer.varint(login.position)
    writer.fixed(login.chain)
    writer.varint(login.variables.count)
    for (name, value) in login.variables.sorted(by: { $0.key < $1.key }) {
      writer.text(name)
      writer.text(value)
    }
    write(login.views)
    writer.varint(login.numbers.count)
    for declaration in login.numbers {
      place(declaration.number, declaration.first)
      writer.varint(declaration.marks.count)
      for mark in declaration.marks {
        writer.varint(mark.n)
        writer.fixed(mark.mark)
      }
    }
    return .login
  }

  private mutating func write(_ views: [UID: UInt64]) {
    writer.varint(views.count)
    for (entity, digest) in views.sorted(by: { $0.key < $1.key }) {
      writer.fixed(entity)
      writer.fixed(digest)
    }
  }

  private mutating func write(_ welcome: Welcome) -> MessageKind {
    SyncModelCoding.write(welcome.model, &writer)
    switch welcome.plan {
    case .entries: writer.byte(0)
    case .scoped(let entities):
      writer.byte(1)
      writer.varint(entities.count)
      for entity in entities { writer.fixed(entity) }
    case .full: writer.byte(2)
    }
    writer.varint(welcome.head)
    writer.fixed(welcome.chain)
    writer.varint(welcome.rows.count)
    for row in welcome.rows {
      place(row.number, row.last)
      writer.byte(row.isMoved ? 1 : 0)
      writer.varint(row.fates.count)
      for fate in row.fates {
        writer.varint(fate.n)
        writer.fixed(fate.mark)
        writer.varint(UInt64(fate.code.rawValue))
        writer.varint(fate.position)
      }
    }
    write(welcome.views)
    writer.varint(welcome.time)
    writer.varint(UInt64(welcome.window))
    return .welcome
  }

  // MARK: - Transactions

  private mutating func write(_ submissions: [Submission]) -> MessageKind {
    var start = submissions.startIndex
    while start < submissions.endIndex {
      let first = submissions[start]
      var end = start + 1
      // Those that follow each other under one number need no numbers of their own.
      while end < submissions.endIndex, submissions[end].number == first.number,
        submissions[end].previous == first.previous,
        submissions[end].n == first.n + UInt64(end - start)
      {
        end += 1
      }
      writer.varint(index(first.number))
      writer.varint(index(first.previous))
      writer.varint(first.n)
      writer.varint(end - start)
      for submission in submissions[start..<end] {
        writer.fixed(submission.mark)
        // The lowest bit says that the transaction is void; the rest is the code then.
        if let void = submission.void {
          writer.varint(UInt64(void.rawValue) << 1 | 1)
          continue
        }
        writer.varint(submission.operations.count << 1)
        for operation in submission.operations { write(operation, own: first.number) }
      }
      start = end
    }
    return .changes
  }

  private mutating func write(_ entries: SessionEntries) -> MessageKind {
    writer.varint(entries.from)
    writer.varint(entries.to)
    writer.fixed(entries.chain)
    writer.varint(entries.list.count)
    var position = entries.from
    for entry in entries.list {
      writer.varint(entry.position - position)
      position = entry.position
      writer.byte(
        (entry.mark != nil ? 1 : 0) | (entry.effects == nil ? 2 : 0) | (entry.code != .ok ? 4 : 0))
      writer.varint(index(entry.number))
      writer.varint(entry.n)
      if let mark = entry.mark { writer.fixed(mark) }
      if entry.code != .ok {
        writer.varint(UInt64(entry.code.rawValue))
        writer.varint(entry.place)
      }
      if let effects = entry.effects { write(effects) }
    }
    return .entries
  }

  private mutating func index(_ number: UInt64) -> Int {
    if number == 0 { return 0 }
    if let index = numbers[number] { return index }
    numberList.append(number)
    numbers[number] = numberList.count
    return numberList.count
  }

  private mutating func write(_ id: GlobalID) {
    writer.varint(index(id.number))
    writer.varint(id.id)
  }

  /// The kind with bits that say that the life is 1 and that the object has the number of its transaction, the
  /// element, the object and its life.
  private mutating func head(
    _ kind: UInt8, _ element: Int, _ id: GlobalID, life: UInt32? = nil, flags: UInt8 = 0,
    own: UInt64? = nil
  ) {
    let isOwn = id.number == own
    writer.byte(kind | flags | (life == 1 ? 8 : 0) | (isOwn ? 16 : 0))
    writer.varint(element)
    if isOwn { writer.varint(id.id) } else { write(id) }
    if let life, life != 1 { writer.varint(UInt64(life)) }
  }

  private mutating func write(_ operation: SyncOperation<GlobalID>, own: UInt64) {
    let kind = operation.kind.rawValue
    if let target = operation.target {
      let number = numbering?.number(ofRelation: operation.element) ?? 0
      head(kind, number, operation.object, own: own)
      return write(target)
    }
    let number = numbering?.number(ofEntity: operation.element) ?? 0
    head(kind, number, operation.object, life: operation.life, own: own)
    if operation.kind != .remove { write(operation.fields, number) }
  }

  private mutating func write(_ fields: Fields<GlobalID>, _ entity: Int) {
    guard let properties = numbering?.entities[entity].properties else { return }
    var mask = [UInt8](repeating: 0, count: (properties.count + 7) / 8)
    for (place, property) in properties.enumerated() where fields[property.uid] != nil {
      mask[place / 8] |= 1 << (place % 8)
    }
    for byte in mask { writer.byte(byte) }
    for property in properties {
      switch fields[property.uid] {
      case .value(let value)?: writer.value(value)
      case .reference(let id)?:
        writer.byte(ValueTag.reference.rawValue)
        write(id)
      case nil: break
      }
    }
  }

  // MARK: - Effects

  private mutating func write(_ effects: [Effect<GlobalID>]) {
    writer.varint(effects.count)
    for effect in effects {
      switch effect {
      case .put(let key, let life, let fields, let isWhole):
        let number = numbering?.number(ofEntity: key.entity) ?? 0
        head(1, number, key.id, life: life, flags: isWhole ? 16 : 0)
        write(fields, number)
      case .pairs(let key, let pairs):
        head(2, numbering?.number(ofEntity: key.entity) ?? 0, key.id)
        writer.varint(pairs.count)
        for pair in pairs {
          writer.varint(numbering?.number(ofRelation: pair.relation) ?? 0)
          write(pair.target)
        }
      case .remove(let key, let life):
        head(3, numbering?.number(ofEntity: key.entity) ?? 0, key.id, life: life)
      case .forget(let key, let life):
        head(4, numbering?.number(ofEntity: key.entity) ?? 0, key.id, life: life)
      case .link(let pair), .unlink(let pair):
        if case .link = effect {
          head(5, numbering?.number(ofRelation: pair.relation) ?? 0, pair.source)
        } else {
          head(6, numbering?.number(ofRelation: pair.relation) ?? 0, pair.source)
        }
        write(pair.target)
      }
    }
  }
}
