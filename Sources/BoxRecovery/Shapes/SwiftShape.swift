import BoxModel

/// The shape of `EntityInfo.generated.swift` of ObjectBox's generator: a statement for each property.
///
/// The code names types where a model has entity names, and to-many relations only beside the model.
struct SwiftShape {
  private let reader: CodeReader
  private var builder: EvidenceBuilder
  /// The names and ids of entities by the names of their types.
  private var names: [String: (name: String, id: UInt32)] = [:]
  /// The names of relations, by the type that has them and their ids.
  private var relationNames: [String: [UInt32: String]] = [:]

  /// The types whose descriptions `cModel()` calls, in its order.
  private var builtTypes: [String] = []
  private var describedTypes: Set<String> = []

  /// Reads the evidence of code; nil if it has none of the calls.
  static func evidence(in bytes: [UInt8], source: String) -> Evidence? {
    var shape = SwiftShape(reader: CodeReader(bytes, .swift), source: source)
    return shape.read()
  }

  private init(reader: CodeReader, source: String) {
    self.reader = reader
    builder = EvidenceBuilder(
      source: source, language: .swift, model: EvidenceBuilder.unknownModel)
  }

  private mutating func read() -> Evidence? {
    readNames()
    for position in reader.tokens.indices where reader.beginsChain(position) {
      guard let name = reader.word(position), Self.receivers.contains(name),
        reader.isMark(position + 1, "."), let (chain, _) = reader.chain(at: position)
      else { continue }
      readStatement(chain, reader.line(of: position))
    }
    guard builder.hasEntities || !builder.evidence.problems.isEmpty else { return nil }
    let isWhole = builder.evidence.model.lastEntityID != nil
    if isWhole {
      // These calls are left out where nothing was given.
      builder.changeModel { model in
        model.lastIndexID = model.lastIndexID ?? .unset
        model.lastRelationID = model.lastRelationID ?? .unset
      }
    }
    let found = relationNames
    builder.nameRelations { type, pair in found[type]?[pair.id] }
    let missing = builtTypes.first { !describedTypes.contains($0) }
    if let missing { builder.remark(nil, "\(missing) is built, and its description is missing") }
    return builder.finish(
      isComplete: isWhole && reader.isBalanced && missing == nil,
      code: [(path: builder.file, reader: reader)])
  }

  private static let receivers: Set<String> = ["modelBuilder", "entityBuilder"]

  /// Reads `EntityInfo(name: "Note", id: 1)` and `ToManyProperty(.relationId(1))`.
  private mutating func readNames() {
    var type = ""
    for position in reader.tokens.indices {
      guard let word = reader.word(position) else { continue }
      switch word {
      case "extension":
        guard let (chain, _) = reader.chain(at: position + 1) else { continue }
        type = chain.links.map(\.name).joined(separator: ".")
      case "EntityInfo" where reader.isMark(position + 1, "("):
        guard let link = reader.chain(at: position)?.chain.first,
          let name = link.argument("name")?.text,
          let id = link.argument("id")?.number.flatMap({ UInt32(exactly: $0) })
        else { continue }
        if let other = names.updateValue((name, id), forKey: type), other != (name, id) {
          builder.refuse(reader.line(of: position), "\(type) has two names or ids")
        }
      case "ToManyProperty" where reader.isMark(position + 1, "("):
        guard let link = reader.chain(at: position)?.chain.first,
          let call = link.values(1)?.first?.chain?.first, call.name == "relationId",
          let id = call.values(1)?.first?.number.flatMap({ UInt32(exactly: $0) }),
          let name = variable(before: position)
        else { continue }
        relationNames[type, default: [:]][id] = name
      case "buildEntity" where reader.isMark(position - 1, "."):
        // `try Note.buildEntity(modelBuilder: modelBuilder)`
        var words: [String] = []
        var back = position - 2
        while let part = reader.word(back) {
          words.insert(part, at: 0)
          guard reader.isMark(back - 1, ".") else { break }
          back -= 2
        }
        builtTypes.append(words.joined(separator: "."))
      default: continue
      }
    }
  }

  /// The name of the variable whose body begins shortly before a token.
  private func variable(before position: Int) -> String? {
    for back in 1...30 where reader.word(position - back) == "var" {
      return reader.word(position - back + 1)
    }
    return nil
  }

  private mutating func readStatement(_ chain: CodeChain, _ line: Int) {
    guard let call = chain.calls.first else { return }
    switch call.name {
    case "entityBuilder": readEntity(call, line)
    case "addProperty": readProperty(call, line)
    case "addToOneRelation": readToOne(call, line)
    case "addToManyRelation": readToMany(call, line)
    case "lastProperty": readLast(call, line) { $0.endEntity($1, line: line) }
    case "lastEntity": readLast(call, line) { $0.setLast(.entity, $1, line: line) }
    case "lastIndex": readLast(call, line) { $0.setLast(.index, $1, line: line) }
    case "lastRelation": readLast(call, line) { $0.setLast(.relation, $1, line: line) }
    case "flags": readEntityFlags(call, line)
    case "externalName": readEntityName(call, line)
    case "relationExternalType", "relationExternalName": readRelationExternal(call, line)
    case "finish": return
    default: return builder.remark(line, "\(call.name) is not understood")
    }
    // What is chained to the call belongs to what the call added.
    for link in chain.calls.dropFirst() {
      readChained(link, to: call.name, line)
    }
  }

  private mutating func readChained(_ link: CodeLink, to call: String, _ line: Int) {
    let value = link.values(1)?.first
    switch (call, link.name) {
    case ("addProperty", "externalType"), ("addToOneRelation", "externalType"):
      guard let type = value?.number.flatMap({ Int(exactly: $0) }) else {
        return builder.refuse(line, "an external type is not a number")
      }
      builder.changeProperty(line) { $0.externalType = type }
    case ("addProperty", "externalName"), ("addToOneRelation", "externalName"):
      guard let name = value?.text else {
        return builder.refuse(line, "an external name is not a string")
      }
      builder.changeProperty(line) { $0.externalName = name }
    case ("entityBuilder", "flags"), ("externalName", "flags"): readEntityFlags(link, line)
    case ("entityBuilder", "externalName"), ("flags", "externalName"):
      readEntityName(link, line)
    // The parameters of a vector index are not in the file.
    case ("addProperty", "hnswParams"): return
    default: builder.remark(line, "\(link.name) after \(call) is not understood")
    }
  }

  private mutating func readRelationExternal(_ call: CodeLink, _ line: Int) {
    guard let value = call.values(1)?.first else { return }
    builder.changeRelation(line) { relation in
      if let name = value.text { relation.externalName = name }
      if let type = value.number.flatMap({ Int(exactly: $0) }) { relation.externalType = type }
    }
  }

  private mutating func readEntityName(_ call: CodeLink, _ line: Int) {
    guard let name = call.values(1)?.first?.text else {
      return builder.refuse(line, "an external name is not a string")
    }
    builder.changeEntity(line) { $0.externalName = name }
  }

  private mutating func readEntityFlags(_ call: CodeLink, _ line: Int) {
    guard let flags = call.values(1)?.first.flatMap(FlagWords.entity) else {
      return builder.refuse(line, "the flags of an entity are not understood")
    }
    builder.changeEntity(line) { $0.flags = flags }
  }

  private mutating func readLast(
    _ call: CodeLink, _ line: Int, _ body: (inout EvidenceBuilder, IDPair) -> Void
  ) {
    guard let pair = pair(call) else {
      return builder.refuse(line, "\(call.name) has no id and UID")
    }
    body(&builder, pair)
  }

  private mutating func readEntity(_ call: CodeLink, _ line: Int) {
    guard let type = call.argument("for")?.chain else { return }
    let words = type.links.map(\.name)
    let alias = (words.last == "self" ? words.dropLast() : words[...]).joined(separator: ".")
    guard let pair = pair(call) else {
      return builder.refuse(
        line, "the entity of \(alias) has no id; code of generators before 0.9 has none")
    }
    guard let (name, id) = names[alias] else {
      return builder.refuse(line, "the name of the entity of \(alias) is not in the code")
    }
    guard id == pair.id else {
      return builder.refuse(line, "\(alias) has the id \(id), and \(pair.id) here")
    }
    describedTypes.insert(alias)
    builder.add(Entity(pair: pair, name: name), alias: alias, line: line)
  }

  /// The id and the UID of a call.
  private func pair(_ call: CodeLink) -> IDPair? {
    CodeExpression.pair(call.argument("id"), call.argument("uid"))
  }

  private mutating func readProperty(_ call: CodeLink, _ line: Int) {
    guard builder.isEntityOpen, let pair = pair(call), let name = call.argument("name")?.text,
      let type = call.argument("type").flatMap(Self.type)
    else { return builder.refuse(line, "a property is not understood") }
    add(Property(pair: pair, name: name, type: type.mapped), call, line)
  }

  private mutating func readToOne(_ call: CodeLink, _ line: Int) {
    guard builder.isEntityOpen, let pair = pair(call), let name = call.argument("name")?.text,
      let target = call.argument("targetEntityInfo")?.chain?.links,
      let type = target.lazy.compactMap(\.generic).first
        ?? (target.count > 1 ? target[0].name : nil)
    else { return builder.refuse(line, "a to-one relation is not understood") }
    add(Property(pair: pair, name: name, type: .relation), call, line, target: type)
  }

  private mutating func add(
    _ found: Property, _ call: CodeLink, _ line: Int, target: String? = nil
  ) {
    var property = found
    if let flags = call.argument("flags") {
      guard let bits = FlagWords.property(flags) else {
        return builder.refuse(line, "the flags of \(property.name) are not understood")
      }
      property.flags = bits
    }
    if call.argument("indexId") != nil {
      guard let index = CodeExpression.pair(call.argument("indexId"), call.argument("indexUid"))
      else { return builder.refuse(line, "the index of \(property.name) has no id and UID") }
      property.indexID = index
    }
    builder.add(property, targetAlias: target, line: line)
  }

  private mutating func readToMany(_ call: CodeLink, _ line: Int) {
    guard builder.isEntityOpen, let pair = pair(call),
      let target = CodeExpression.pair(call.argument("targetId"), call.argument("targetUid"))
    else { return builder.refuse(line, "a to-many relation is not understood") }
    builder.add(Relation(pair: pair, name: "", target: target), line: line)
  }

  /// A type that the code names.
  private enum NamedType {
    case mapped(PropertyType)
    /// A type of Swift that the generator could not map, and left out of the model.
    case unmapped

    var mapped: PropertyType? {
      if case .mapped(let type) = self { type } else { nil }
    }
  }

  /// The type that the code names: of a property, or of Swift as until version 1.7; nil if it names none.
  private static func type(_ expression: CodeExpression) -> NamedType? {
    guard let links = expression.chain?.links, let last = links.last else { return nil }
    guard last.name == "entityPropertyType" else {
      return FlagWords.type(expression).map { .mapped($0) }
    }
    let words = links.dropLast().map(\.name)
    if words == ["Byte"] { return .unmapped }
    guard let name = words.last, let type = swiftTypes[name] else { return nil }
    return .mapped(type)
  }

  private static let swiftTypes: [String: PropertyType] = [
    "Bool": .bool, "Int8": .byte, "UInt8": .byte, "Int16": .short, "UInt16": .short,
    "Int32": .int, "UInt32": .int, "Int": .long, "Int64": .long, "UInt": .long, "UInt64": .long,
    "Id": .long, "EntityId": .long, "Float": .float, "Double": .double, "TimeInterval": .double,
    "String": .string, "Date": .date, "Data": .byteVector, "[UInt8]": .byteVector,
    "[Int32]": .intVector, "[Int64]": .longVector, "[Float]": .floatVector,
    "[String]": .stringVector,
  ]
}
