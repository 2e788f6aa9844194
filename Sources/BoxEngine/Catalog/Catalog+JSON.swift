internal import BoxJSON
internal import BoxModel

extension Catalog {
  /// The catalog as it is stored.
  func encoded() -> [UInt8] {
    let features = features
    var members: [JSONValue.Member] = [
      .init("format", .int(format)), .init("generation", .int(generation)),
      .init("entities", .array(entities.map(\.json))),
    ]
    if !features.isEmpty {
      members.insert(.init("features", .array(features.map { .string($0.rawValue) })), at: 1)
    }
    if !declarations.isEmpty {
      let objects = declarations.relations.map {
        JSONValue.object($0.members(uid: .uint($0.relation)))
      }
      members.append(.init("declarations", .array(objects)))
    }
    if let sync { members.append(.init("sync", .array(sync.map { .uint($0) }))) }
    return Array(JSONValue.object(members).text(indent: 0).utf8)
  }

  /// Reads a stored catalog.
  ///
  /// - Throws: ``StoreError/newerFormat(_:)`` or ``StoreError/damagedCatalog(_:)``.
  init(decoding bytes: [UInt8]) throws(StoreError) {
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(parsing: bytes)
    } catch {
      throw StoreError.damagedCatalog(error.message)
    }
    let reader = CatalogReader(document)
    let format = try reader.integer("format", in: document.root)
    if format > Self.formatVersion { throw StoreError.newerFormat("format \(format)") }
    if format > 1 {
      for feature in try reader.array("features", in: document.root) {
        let name = try reader.string(feature)
        if Feature(rawValue: name) == nil { throw StoreError.newerFormat("the feature \(name)") }
      }
    }
    generation = try reader.integer("generation", in: document.root)
    entities = try reader.array("entities", in: document.root).map(reader.entity)
    if document.value(forKey: "declarations", in: document.root) != nil {
      declarations = try reader.declarations(try reader.array("declarations", in: document.root))
    }
    if document.value(forKey: "sync", in: document.root) != nil {
      sync = try reader.synchronized(try reader.array("sync", in: document.root))
    }
  }
}

extension CatalogEntity {
  fileprivate var json: JSONValue {
    [
      "uid": .uint(uid), "name": .string(name), "hidden": .bool(isHidden),
      "nextSlot": .int(nextSlot), "properties": .array(properties.map(\.json)),
      "relations": .array(
        relations.map {
          [
            "uid": .uint($0.uid), "name": .string($0.name), "hidden": .bool($0.isHidden),
            "target": .uint($0.target),
          ]
        }),
    ]
  }
}

extension CatalogProperty {
  fileprivate var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("uid", .uint(uid)), .init("name", .string(name)),
      .init("hidden", .bool(isHidden)), .init("type", .int(Int(type.rawValue))),
      .init("flags", .int(Int(flags.rawValue))), .init("slot", .int(slot)),
    ]
    if isRequired { members.append(.init("required", .bool(true))) }
    if let constant {
      let texts = constant.texts.map { JSONValue.string($0) }
      members.append(.init("constant", type == .stringVector ? .array(texts) : texts[0]))
    }
    if let target { members.append(.init("target", .uint(target))) }
    if let index {
      members.append(
        .init(
          "index",
          [
            "uid": .uint(index.uid), "kind": .string(index.kind.rawValue),
            "unique": .bool(index.isUnique), "skipsZero": .bool(index.skipsZero),
          ]))
    }
    return .object(members)
  }
}

/// Reads the members of the stored catalog.
private struct CatalogReader {
  private let document: JSONDocument
  private let decoder: JSONValueDecoder

  init(_ document: JSONDocument) {
    self.document = document
    decoder = JSONValueDecoder()
  }

  func member(_ key: String, in object: JSONNode) throws(StoreError) -> JSONNode {
    guard let node = document.value(forKey: key, in: object) else {
      throw StoreError.damagedCatalog("\(key) is missing")
    }
    return node
  }

  func array(_ key: String, in object: JSONNode) throws(StoreError) -> [JSONNode] {
    document.elements(of: try member(key, in: object))
  }

  func integer(_ key: String, in object: JSONNode) throws(StoreError) -> Int {
    guard let value = Int(document.text(of: try member(key, in: object))) else {
      throw StoreError.damagedCatalog("\(key) is not an integer")
    }
    return value
  }

  func uid(_ key: String, in object: JSONNode) throws(StoreError) -> UID {
    guard let uid = UID(document.text(of: try member(key, in: object))) else {
      throw StoreError.damagedCatalog("\(key) is not a UID")
    }
    return uid
  }

  func bool(_ key: String, in object: JSONNode) throws(StoreError) -> Bool {
    document.text(of: try member(key, in: object)) == "true"
  }

  func string(_ key: String, in object: JSONNode) throws(StoreError) -> String {
    try string(try member(key, in: object), key)
  }

  func string(_ node: JSONNode, _ name: String = "a feature") throws(StoreError) -> String {
    guard let text = decoder.string(node, in: document) else {
      throw StoreError.damagedCatalog("\(name) is not a string")
    }
    return text
  }

  func entity(_ node: JSONNode) throws(StoreError) -> CatalogEntity {
    let entity = CatalogEntity(
      uid: try uid("uid", in: node), name: try string("name", in: node),
      isHidden: try bool("hidden", in: node), nextSlot: try integer("nextSlot", in: node),
      properties: try array("properties", in: node).map(property),
      relations: try array("relations", in: node).map(relation))
    let slots = Set(entity.properties.map(\.slot))
    guard (0...RecordLayout.maximumSlots).contains(entity.nextSlot),
      slots.count == entity.properties.count,
      slots.allSatisfy({ (0..<entity.nextSlot).contains($0) })
    else { throw StoreError.damagedCatalog("the slots of \(entity.name) are impossible") }
    return entity
  }

  func declarations(_ nodes: [JSONNode]) throws(StoreError) -> Declarations {
    let relations = try nodes.map { (node) throws(StoreError) in
      RelationDeclaration(
        relation: try uid("relation", in: node), name: try string("name", in: node),
        sourceRemoved: try rule(.sourceRemoved, in: node),
        targetRemoved: try rule(.targetRemoved, in: node))
    }
    guard zip(relations, relations.dropFirst()).allSatisfy({ $0.relation < $1.relation }) else {
      throw StoreError.damagedCatalog("the declarations are not in order")
    }
    return Declarations(relations: relations)
  }

  /// The UIDs of the entities whose changes are captured.
  func synchronized(_ nodes: [JSONNode]) throws(StoreError) -> [UID] {
    let uids = nodes.compactMap { UID(document.text(of: $0)) }
    guard uids.count == nodes.count, zip(uids, uids.dropFirst()).allSatisfy({ $0 < $1 }) else {
      throw StoreError.damagedCatalog("the synchronized entities are not UIDs in order")
    }
    return uids
  }

  private func rule(_ key: RelationDeclaration.Key, in node: JSONNode) throws(StoreError)
    -> DeleteRule?
  {
    guard let value = document.value(forKey: key.rawValue, in: node) else { return nil }
    let name = try string(value, key.rawValue)
    guard let rule = DeleteRule(rawValue: name) else {
      throw StoreError.newerFormat("the rule \(name)")
    }
    return rule
  }

  private func relation(_ node: JSONNode) throws(StoreError) -> CatalogRelation {
    CatalogRelation(
      uid: try uid("uid", in: node), name: try string("name", in: node),
      target: try uid("target", in: node), isHidden: try bool("hidden", in: node))
  }

  private func property(_ node: JSONNode) throws(StoreError) -> CatalogProperty {
    var property = CatalogProperty(
      uid: try uid("uid", in: node), name: try string("name", in: node),
      type: PropertyType(rawValue: Int32(truncatingIfNeeded: try integer("type", in: node))),
      flags: PropertyFlags(
        rawValue: UInt32(truncatingIfNeeded: try integer("flags", in: node))),
      slot: try integer("slot", in: node), isHidden: try bool("hidden", in: node))
    if document.value(forKey: "target", in: node) != nil {
      property.target = try uid("target", in: node)
    }
    if document.value(forKey: "required", in: node) != nil {
      property.isRequired = try bool("required", in: node)
    }
    if let constant = document.value(forKey: "constant", in: node) {
      let nodes = property.type == .stringVector ? document.elements(of: constant) : [constant]
      property.constant = StoredConstant(
        texts: try nodes.map { (node) throws(StoreError) in try string(node, "a constant") })
      guard let type = SlotType(property.type, property.flags),
        property.constant?.value(type) != nil
      else { throw StoreError.damagedCatalog("the constant of \(property.name) is impossible") }
    }
    if let index = document.value(forKey: "index", in: node) {
      guard let kind = IndexKind(rawValue: try string("kind", in: index)) else {
        throw StoreError.damagedCatalog("the kind of an index is unknown")
      }
      property.index = CatalogIndex(
        uid: try uid("uid", in: index), kind: kind, isUnique: try bool("unique", in: index),
        skipsZero: try bool("skipsZero", in: index))
    }
    return property
  }
}
