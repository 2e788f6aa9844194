internal import BoxJSON
internal import BoxModel

extension Catalog {
  /// The catalog as it is stored.
  func encoded() -> [UInt8] {
    let value: JSONValue = [
      "format": .int(Self.formatVersion), "generation": .int(generation),
      "entities": .array(entities.map(\.json)),
    ]
    return Array(value.text(indent: 0).utf8)
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
    if format > Self.formatVersion { throw StoreError.newerFormat(format) }
    generation = try reader.integer("generation", in: document.root)
    entities = try reader.array("entities", in: document.root).map(reader.entity)
  }
}

extension CatalogEntity {
  fileprivate var json: JSONValue {
    [
      "uid": .int(Int(uid)), "name": .string(name), "hidden": .bool(isHidden),
      "nextSlot": .int(nextSlot), "properties": .array(properties.map(\.json)),
      "relations": .array(
        relations.map {
          [
            "uid": .int(Int($0.uid)), "name": .string($0.name), "hidden": .bool($0.isHidden),
            "target": .int(Int($0.target)),
          ]
        }),
    ]
  }
}

extension CatalogProperty {
  fileprivate var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("uid", .int(Int(uid))), .init("name", .string(name)),
      .init("hidden", .bool(isHidden)), .init("type", .int(Int(type.rawValue))),
      .init("flags", .int(Int(flags.rawValue))), .init("slot", .int(slot)),
    ]
    if let target { members.append(.init("target", .int(Int(target)))) }
    if let index {
      members.append(
        .init(
          "index",
          [
            "uid": .int(Int(index.uid)), "kind": .string(index.kind.rawValue),
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
    UID(truncatingIfNeeded: try integer(key, in: object))
  }

  func bool(_ key: String, in object: JSONNode) throws(StoreError) -> Bool {
    document.text(of: try member(key, in: object)) == "true"
  }

  func string(_ key: String, in object: JSONNode) throws(StoreError) -> String {
    guard let text = decoder.string(try member(key, in: object), in: document) else {
      throw StoreError.damagedCatalog("\(key) is not a string")
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
