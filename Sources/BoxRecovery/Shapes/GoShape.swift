import BoxModel

/// The shape of code for Go: a call on `model` for each element, in several files of one package.
///
/// The names of relations and their targets are in the bindings beside the calls.
struct GoShape {
  private var builder: EvidenceBuilder
  /// The entities of variables such as `NoteBinding`.
  private var bindings: [String: IDPair] = [:]
  private var relationNames: [UInt32: String] = [:]
  /// The variables in the order in which `objectbox-model.go` registers them.
  private var registered: [String] = []

  /// Reads the evidence of the files of a package; nil if they have none of the calls.
  ///
  /// - Parameters:
  ///   - files: The paths and the bytes of the files.
  ///   - source: The name of all of them.
  /// - Returns: The evidence.
  static func evidence(in files: [(path: String, bytes: [UInt8])], source: String) -> Evidence? {
    var shape = GoShape(source: source)
    let readers = files.map { (path: $0.path, reader: CodeReader($0.bytes, .go)) }
    for (path, reader) in readers {
      shape.builder.file = path
      shape.readBindings(reader)
    }
    for (path, reader) in readers {
      shape.builder.file = path
      shape.readCalls(reader)
    }
    return shape.finish(readers)
  }

  private init(source: String) {
    builder = EvidenceBuilder(source: source, language: .go, model: EvidenceBuilder.unknownModel)
  }

  private mutating func finish(_ code: [(path: String, reader: CodeReader)]) -> Evidence? {
    guard builder.hasEntities || !builder.evidence.problems.isEmpty else { return nil }
    let isWhole = builder.evidence.model.lastEntityID != nil
    let order = registered.compactMap { bindings[$0]?.uid }
    let missing = registered.filter { bindings[$0] == nil }
    if let name = missing.first {
      builder.remark(nil, "\(name) is registered, and the file with its entity is missing")
    }
    let isOrdered =
      missing.isEmpty && Set(order) == Set(builder.evidence.model.entities.map(\.pair.uid))
    builder.changeModel { model in
      if isWhole {
        model.lastIndexID = model.lastIndexID ?? .unset
        model.lastRelationID = model.lastRelationID ?? .unset
      }
      guard isOrdered else { return }
      let positions = Dictionary(
        zip(order, order.indices), uniquingKeysWith: { first, _ in first })
      model.entities.sort { positions[$0.pair.uid] ?? 0 < positions[$1.pair.uid] ?? 0 }
    }
    return builder.finish(
      isComplete: isWhole && isOrdered && code.allSatisfy(\.reader.isBalanced), code: code)
  }

  /// Reads `var NoteBinding = note_EntityInfo{…}` and `Tags: &objectbox.RelationToMany{…}`.
  private mutating func readBindings(_ reader: CodeReader) {
    for position in reader.tokens.indices {
      guard let word = reader.word(position) else { continue }
      if word == "var", let name = reader.word(position + 1), reader.isMark(position + 2, "="),
        let link = reader.chain(at: position + 3, depth: 1)?.chain.last,
        let uid = link.argument("Uid"), let entity = link.argument("Entity")?.chain?.last,
        let pair = CodeExpression.pair(entity.argument("Id"), uid)
      {
        if let other = bindings.updateValue(pair, forKey: name), other != pair {
          builder.refuse(reader.line(of: position), "\(name) is defined twice")
        }
      } else if word == "RelationToMany", reader.isMark(position + 1, "{"),
        let link = reader.chain(at: position, depth: 1)?.chain.first,
        let id = link.argument("Id")?.number.flatMap({ UInt32(exactly: $0) }),
        let name = label(before: position, in: reader)
      {
        relationNames[id] = name
      }
    }
  }

  /// The label of `Tags: &objectbox.RelationToMany`.
  private func label(before position: Int, in reader: CodeReader) -> String? {
    var back = position
    if reader.isMark(back - 1, ".") { back -= 2 }
    if reader.isMark(back - 1, "&") { back -= 1 }
    return reader.isMark(back - 1, ":") ? reader.word(back - 2) : nil
  }

  private mutating func readCalls(_ reader: CodeReader) {
    for position in reader.tokens.indices where reader.beginsChain(position) {
      guard reader.word(position) == "model", reader.isMark(position + 1, "."),
        let (chain, _) = reader.chain(at: position), chain.links.count == 2,
        let call = chain.last, call.arguments != nil
      else { continue }
      read(call, reader.line(of: position))
    }
  }

  private mutating func read(_ call: CodeLink, _ line: Int) {
    switch call.name {
    case "Entity":
      guard let values = call.values(3), let name = values[0].text,
        let pair = CodeExpression.pair(values[1], values[2])
      else { return builder.refuse(line, "an entity is not understood") }
      builder.add(Entity(pair: pair, name: name), line: line)
    case "EntityFlags":
      guard let flags = call.values(1)?.first.flatMap(FlagWords.entity) else {
        return builder.refuse(line, "the flags of an entity are not understood")
      }
      builder.changeEntity(line) { $0.flags = flags }
    case "Property":
      guard let values = call.values(4), let name = values[0].text,
        let type = FlagWords.type(values[1]), let pair = CodeExpression.pair(values[2], values[3])
      else { return builder.refuse(line, "a property is not understood") }
      builder.add(Property(pair: pair, name: name, type: type), line: line)
    case "PropertyFlags":
      guard let flags = call.values(1)?.first.flatMap(FlagWords.property) else {
        return builder.refuse(line, "the flags of a property are not understood")
      }
      builder.setFlags(flags, line: line)
    case "PropertyIndex":
      guard let pair = pair(call) else {
        return builder.refuse(line, "an index has no id and UID")
      }
      builder.changeProperty(line) { $0.indexID = pair }
    case "PropertyRelation":
      guard let values = call.values(3), let target = values[0].text,
        let index = CodeExpression.pair(values[1], values[2])
      else { return builder.refuse(line, "a to-one relation is not understood") }
      builder.changeProperty(line) { property in
        property.relationTarget = target
        property.indexID = index
      }
    case "Relation": readRelation(call, line)
    case "RegisterBinding":
      if let name = call.values(1)?.first?.chain?.singleName { registered.append(name) }
    case "EntityLastPropertyId": readLast(call, line) { $0.endEntity($1, line: line) }
    case "LastEntityId": readLast(call, line) { $0.setLast(.entity, $1, line: line) }
    case "LastIndexId": readLast(call, line) { $0.setLast(.index, $1, line: line) }
    case "LastRelationId": readLast(call, line) { $0.setLast(.relation, $1, line: line) }
    case "GeneratorVersion": return
    default: builder.remark(line, "model.\(call.name) is not understood")
    }
  }

  private mutating func readRelation(_ call: CodeLink, _ line: Int) {
    guard let values = call.values(4), let pair = CodeExpression.pair(values[0], values[1]),
      let target = CodeExpression.pair(values[2], values[3]) ?? binding(values[2], values[3])
    else { return builder.refuse(line, "a to-many relation is not understood") }
    builder.add(
      Relation(pair: pair, name: relationNames[pair.id] ?? "", target: target), line: line)
  }

  /// The pair of `TagBinding.Id, TagBinding.Uid`.
  private func binding(_ id: CodeExpression, _ uid: CodeExpression) -> IDPair? {
    guard let id = id.chain?.links.map(\.name), let uid = uid.chain?.links.map(\.name),
      id.count == 2, uid.count == 2, id[0] == uid[0], id[1] == "Id", uid[1] == "Uid"
    else { return nil }
    return bindings[id[0]]
  }

  private func pair(_ call: CodeLink) -> IDPair? {
    call.values(2).flatMap { CodeExpression.pair($0[0], $0[1]) }
  }

  private mutating func readLast(
    _ call: CodeLink, _ line: Int, _ body: (inout EvidenceBuilder, IDPair) -> Void
  ) {
    guard let pair = pair(call) else {
      return builder.refuse(line, "\(call.name) has no id and UID")
    }
    body(&builder, pair)
  }
}
