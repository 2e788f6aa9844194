import BoxJSON
import BoxModel
import BoxReport

/// The shape of `objectbox.g.dart`: constructor calls in each other, with everything but `newUidPool`.
///
/// Up to version 0.14 the code holds the model as one map literal.
struct DartShape {
  private let reader: CodeReader
  private var builder: EvidenceBuilder
  private var models = 0

  /// Reads the evidence of code; nil if it has none of the calls.
  static func evidence(in bytes: [UInt8], source: String) -> Evidence? {
    var shape = DartShape(reader: CodeReader(bytes, .dart), source: source)
    return shape.read()
  }

  private init(reader: CodeReader, source: String) {
    self.reader = reader
    builder = EvidenceBuilder(
      source: source, language: .dart, model: EvidenceBuilder.unknownModel)
  }

  private mutating func read() -> Evidence? {
    var position = 0
    while position < reader.tokens.count {
      guard let name = reader.word(position), ["ModelEntity", "ModelInfo"].contains(name),
        let (chain, end) = reader.chain(at: position), let link = chain.calls.last
      else {
        position += 1
        continue
      }
      let line = reader.line(of: position)
      switch (name, link.name) {
      case ("ModelEntity", "ModelEntity"): readEntity(link, line)
      case ("ModelInfo", "ModelInfo"): readModel(link, line)
      case ("ModelInfo", "fromMap"):
        if let found = readMap(link, line) { return found }
      default: break
      }
      // The entities of a model may be inside of it.
      position = name == "ModelInfo" ? position + 1 : end
    }
    if !builder.hasEntities && models == 0 { return nil }
    return builder.finish(
      isComplete: models == 1 && reader.isBalanced,
      code: [(path: builder.file, reader: reader)])
  }

  private mutating func readModel(_ link: CodeLink, _ line: Int) {
    // The constructor of a model always has arguments.
    guard link.argument("lastEntityId") != nil else { return }
    models += 1
    if models > 1 { builder.refuse(line, "the code holds a second model") }
    for (counter, label) in [
      (Counter.entity, "lastEntityId"), (.index, "lastIndexId"), (.relation, "lastRelationId"),
    ] {
      guard let pair = pair(link.argument(label)) else {
        builder.refuse(line, "\(label) is not an id and a UID")
        continue
      }
      builder.setLast(counter, pair, line: line)
    }
    let sequence = pair(link.argument("lastSequenceId"))
    var lists: [ElementKind: [UID]] = [:]
    for kind in ElementKind.allCases {
      guard let argument = link.argument(kind.retiredListKey) else { continue }
      guard let list = argument.list?.map(\.number), list.allSatisfy({ $0 != nil }) else {
        builder.refuse(line, "\(kind.retiredListKey) is not a list of UIDs")
        continue
      }
      lists[kind] = list.compactMap(\.self)
    }
    builder.changeModel { model in
      model.lastSequenceID = sequence
      model.modelVersion = link.argument("modelVersion")?.number.flatMap { Int(exactly: $0) }
      model.modelVersionParserMinimum =
        link.argument("modelVersionParserMinimum")?.number.flatMap { Int(exactly: $0) }
      model.version = link.argument("version")?.number.flatMap { Int(exactly: $0) }
      for (kind, list) in lists { model[retired: kind] = list }
    }
  }

  private mutating func readEntity(_ link: CodeLink, _ line: Int) {
    guard let pair = pair(link.argument("id")), let name = link.argument("name")?.text else {
      return builder.refuse(line, "an entity has no id or no name")
    }
    var entity = Entity(pair: pair, name: name)
    if let flags = link.argument("flags") {
      guard let bits = FlagWords.entity(flags) else {
        return builder.refuse(line, "the flags of \(name) are not numbers")
      }
      entity.flags = bits
    }
    entity.externalName = link.argument("externalName")?.text
    builder.add(entity, line: line)
    for item in elements(link, "properties", line) { readProperty(item, of: name) }
    for item in elements(link, "relations", line) { readRelation(item, of: name) }
    guard let last = self.pair(link.argument("lastPropertyId")) else {
      return builder.refuse(line, "\(name) has no last property id")
    }
    builder.endEntity(last, line: line)
  }

  /// The calls in a list, which may be wrapped as `List.unmodifiable([…])`.
  private mutating func elements(_ link: CodeLink, _ label: String, _ line: Int) -> [CodeLink] {
    guard var list = link.argument(label) else { return [] }
    if let wrapped = list.chain?.calls.last?.values(1)?.first, list.list == nil { list = wrapped }
    let links = list.list?.map { $0.chain?.calls.last }
    guard let links, links.allSatisfy({ $0 != nil }) else {
      builder.refuse(line, "\(label) is not a list of calls")
      return []
    }
    return links.compactMap(\.self)
  }

  private mutating func readProperty(_ link: CodeLink, of entity: String) {
    let line = reader.line(of: link.token)
    guard link.name == "ModelProperty", let pair = pair(link.argument("id")),
      let name = link.argument("name")?.text,
      let type = link.argument("type").flatMap(FlagWords.type),
      let flags = link.argument("flags").flatMap(FlagWords.property)
    else { return builder.refuse(line, "a property of \(entity) is not understood") }
    var property = Property(pair: pair, name: name, type: type, flags: flags)
    if let index = link.argument("indexId") {
      guard let pair = self.pair(index) else {
        return builder.refuse(line, "the index of \(entity).\(name) has no id and UID")
      }
      property.indexID = pair
    }
    property.relationTarget = link.argument("relationTarget")?.text
    property.externalName = link.argument("externalName")?.text
    property.externalType = link.argument("externalType")?.number.flatMap { Int(exactly: $0) }
    builder.add(property, line: line)
  }

  private mutating func readRelation(_ link: CodeLink, of entity: String) {
    let line = reader.line(of: link.token)
    guard link.name == "ModelRelation", let pair = pair(link.argument("id")),
      let name = link.argument("name")?.text, let target = self.pair(link.argument("targetId"))
    else { return builder.refuse(line, "a relation of \(entity) is not understood") }
    var relation = Relation(pair: pair, name: name, target: target)
    relation.externalName = link.argument("externalName")?.text
    relation.externalType = link.argument("externalType")?.number.flatMap { Int(exactly: $0) }
    builder.add(relation, line: line)
  }

  /// `IdUid(1, 2)`.
  private func pair(_ expression: CodeExpression?) -> IDPair? {
    guard let link = expression?.chain?.calls.last, link.name == "IdUid",
      let values = link.values(2)
    else { return nil }
    return CodeExpression.pair(values[0], values[1])
  }

  // MARK: A map literal

  private func readMap(_ link: CodeLink, _ line: Int) -> Evidence? {
    guard let literal = link.arguments?.first?.value, let json = Self.json(literal),
      let document = try? ModelDocument(parsing: Array(json.text().utf8)), document.isComplete
    else { return nil }
    var evidence = Evidence(source: builder.evidence.source, language: .dart, model: document.model)
    evidence.isComplete = true
    document.model.forEachElement { place, pair in
      evidence.places[ElementKey(place.kind, pair.uid)] = "\(evidence.source):\(line)"
    }
    return evidence
  }

  private static func json(_ expression: CodeExpression) -> JSONValue? {
    switch expression {
    case .number(let value): return .uint(value)
    case .text(let value): return .string(value)
    case .list(let items):
      let values = items.map(json)
      return values.contains { $0 == nil } ? nil : .array(values.compactMap(\.self))
    case .map(let entries):
      var members: [(String, JSONValue?)] = []
      for entry in entries {
        guard let key = entry.key.text else { return nil }
        // `null` is a key that the file does not have.
        if entry.value.isNull { continue }
        guard let value = json(entry.value) else { return nil }
        members.append((key, value))
      }
      return .compact(members)
    case .chain, .decimal, .union, .opaque: return nil
    }
  }
}
