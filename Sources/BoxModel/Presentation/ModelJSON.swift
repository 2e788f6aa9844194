package import BoxJSON
import BoxReport

extension Model {
  /// The version of the form of ``json(path:)``.
  private static let jsonSchemaVersion = 1

  /// The model with flags and types in words, as `Schemas/show.schema.json` describes it.
  ///
  /// UIDs are strings, since they go beyond the integers that many readers keep exactly.
  ///
  /// - Parameter path: The file as the user named it.
  /// - Returns: An object.
  /// - Complexity: O(*n*) in the size of the model.
  package func json(path: String) -> JSONValue {
    let lookup = ModelLookup(self)
    return .compact([
      ("schemaVersion", .int(Self.jsonSchemaVersion)),
      ("path", .string(path)),
      ("entities", .array(entities.map { json($0, lookup) })),
      (
        "last",
        .compact([
          ("entity", lastEntityID?.json), ("index", lastIndexID?.json),
          ("relation", lastRelationID?.json), ("sequence", lastSequenceID?.json),
        ])
      ),
      (
        "retired",
        .compact([
          ("entities", retiredEntityUIDs?.json), ("properties", retiredPropertyUIDs?.json),
          ("indexes", retiredIndexUIDs?.json), ("relations", retiredRelationUIDs?.json),
        ])
      ),
      ("offeredUids", newUIDPool?.json),
      ("formatVersion", modelVersion.map { .int($0) }),
      ("readersNeedVersion", modelVersionParserMinimum.map { .int($0) }),
      ("version", version.map { .int($0) }),
    ])
  }

  private func json(_ entity: Entity, _ lookup: ModelLookup) -> JSONValue {
    let own: [(String, JSONValue?)] = [
      ("id", .int(Int(entity.pair.id))),
      ("uid", entity.pair.uid.uidJSON),
      ("name", .string(entity.name)),
      ("flags", .array(entity.flags.setNames.map { .string($0) })),
      ("flagBits", .int(Int(entity.flags.rawValue))),
    ]
    let members: [(String, JSONValue?)] = [
      ("lastProperty", entity.lastPropertyID?.json),
      ("properties", .array(entity.properties.map { json($0, lookup) })),
      ("relations", .array((entity.relations ?? []).map { json($0, lookup) })),
    ]
    return .compact(own + entity.plain.json + members)
  }

  private func json(_ property: Property, _ lookup: ModelLookup) -> JSONValue {
    let target = property.relationTarget.map { name in
      Self.json(targetNamed: name, lookup.entity(named: name).map { entities[$0].pair.uid })
    }
    return .compact(
      [
        ("id", .int(Int(property.pair.id))),
        ("uid", property.pair.uid.uidJSON),
        ("name", .string(property.name)),
        ("type", property.type.map { .string($0.description) }),
        ("typeCode", property.type.map { .int(Int($0.rawValue)) }),
        ("flags", .array(property.flags.setNames.map { .string($0) })),
        ("flagBits", .int(Int(property.flags.rawValue))),
        ("index", property.indexID?.json),
        ("target", target),
      ] + property.plain.json)
  }

  private func json(_ relation: Relation, _ lookup: ModelLookup) -> JSONValue {
    let name = lookup.entity(relation.target.uid).map { entities[$0].name }
    let target = relation.target
    return .compact(
      [
        ("id", .int(Int(relation.pair.id))),
        ("uid", relation.pair.uid.uidJSON),
        ("name", .string(relation.name)),
        ("target", Self.json(targetNamed: name, target.isUnset ? nil : target.uid)),
      ] + relation.plain.json)
  }

  /// The target of a relation: its name and its UID, as far as they are known.
  private static func json(targetNamed name: String?, _ uid: UID?) -> JSONValue {
    .compact([("name", name.map { .string($0) }), ("uid", uid?.uidJSON)])
  }
}

extension PlainValues {
  /// The values as members of the element.
  fileprivate var json: [(String, JSONValue?)] { members.map { ($0.field.key, $0.value.json) } }
}

extension UID {
  /// The number as a string, as many readers of JSON round numbers of 64 bits.
  package var uidJSON: JSONValue { .string(String(self)) }
}

extension [UID] {
  fileprivate var json: JSONValue { .array(map(\.uidJSON)) }
}

extension IDPair {
  fileprivate var json: JSONValue { ["id": .int(Int(id)), "uid": uid.uidJSON] }
}
