import BoxJSON
import BoxReport

@testable import BoxModel

/// A way to break one rule in a file that keeps it.
struct Mutation {
  var rule: Rule
  /// The edits, the one with the issue first; nil where the file has nothing to break.
  var edits: (ModelDocument) -> [TextEdit?]?
  /// The place of the issue, if it is not at the first edit.
  var place: ((ModelDocument) -> Int?)?
  /// Whether mending the issue gives the file back as it was.
  var fixRestores = false

  init(
    _ rule: Rule, fixRestores: Bool = false, place: ((ModelDocument) -> Int?)? = nil,
    edits: @escaping (ModelDocument) -> [TextEdit?]?
  ) {
    self.rule = rule
    self.edits = edits
    self.place = place
    self.fixRestores = fixRestores
  }

  /// A mutation of the flags of a plain property.
  static func flags(
    _ rule: Rule, _ flags: PropertyFlags, where isFit: @escaping (Property) -> Bool = { _ in true }
  ) -> Mutation {
    Mutation(rule) { document in
      document.plainProperties.first { isFit($0.property) }.map {
        [document.settingFlags($0.property.flags.union(flags).rawValue, of: $0.place)]
      }
    }
  }
}

extension Mutation {
  /// A plain property that becomes a vector of floats with an index.
  private static func vectorIndex(_ rule: Rule, _ parameters: String) -> Mutation {
    Mutation(rule) { document in
      document.plainProperties.first {
        $0.property.flags.isEmpty && $0.property.type != nil && $0.property.hnswParams == nil
      }.map {
        [
          document.inserting("\"hnswParams\": \(parameters)", into: $0.place),
          document.replacing("type", of: $0.place, with: "28"),
        ]
      }
    }
  }

  static var ids: [Mutation] {
    [
      Mutation(ModelRule.duplicateEntityID) { document in
        document.unreferencedEntity.map { e in
          let entities = document.model.entities
          return [
            document.replacing(
              "id", of: .entity(e), with: "\"\(entities[0].pair.id):\(entities[e].pair.uid)\"")
          ]
        }
      },
      Mutation(ModelRule.duplicatePropertyID) { document in
        document.plainProperties.first { $0.property.pair.id != idOfFirst($0.place, document) }.map
        {
          [
            document.replacing(
              "id", of: $0.place,
              with: "\"\(idOfFirst($0.place, document)):\($0.property.pair.uid)\"")
          ]
        }
      },
      Mutation(ModelRule.duplicateIndexID) { document in
        let indexed = document.properties.filter { $0.property.indexID != nil }
        guard let first = indexed.first?.property.indexID,
          let other = indexed.dropFirst().first(where: {
            $0.property.indexID != document.model.lastIndexID
          }), let index = other.property.indexID
        else { return nil }
        return [
          document.replacing("indexId", of: other.place, with: "\"\(first.id):\(index.uid)\"")
        ]
      },
      Mutation(ModelRule.duplicateRelationID) { document in
        guard let first = document.relations.first?.relation.pair,
          let other = document.relations.dropFirst().first(where: {
            $0.relation.pair != document.model.lastRelationID
          })
        else { return nil }
        return [
          document.replacing(
            "id", of: other.place, with: "\"\(first.id):\(other.relation.pair.uid)\"")
        ]
      },
      Mutation(ModelRule.lastIDTooLow, fixRestores: true) { document in
        guard let (e, entity) = highestIsLast(document),
          let lower = entity.properties.first(where: { $0.pair != entity.lastPropertyID })
        else { return nil }
        return [document.replacing("lastPropertyId", of: .entity(e), with: "\"\(lower.pair)\"")]
      },
      Mutation(ModelRule.lastIDMismatch, fixRestores: true) { document in
        guard let (e, entity) = highestIsLast(document), let last = entity.lastPropertyID else {
          return nil
        }
        return [
          document.replacing(
            "lastPropertyId", of: .entity(e), with: "\"\(last.id):\(document.freeUID)\"")
        ]
      },
      Mutation(
        ModelRule.lastIDMissing, fixRestores: true,
        place: { document in
          highestIsLast(document).map {
            document.json.range(of: document.node(.entity($0.0))).lowerBound
          }
        },
        edits: { document in
          highestIsLast(document).map { [document.removing("lastPropertyId", of: .entity($0.0))] }
        }),
      Mutation(ModelRule.lastIDUnknown) { document in
        guard document.model.retiredEntityUIDs != nil, let last = document.model.lastEntityID else {
          return nil
        }
        return [
          document.replacing(root: "lastEntityId", with: "\"\(last.id + 1):\(document.freeUID)\"")
        ]
      },
      Mutation(ModelRule.lastIDZero, fixRestores: true) { document in
        let unset = ["lastRelationId", "lastIndexId"].filter { key in
          document.json.value(forKey: key, in: document.json.root)
            .map { document.json.text(of: $0) } == "\"\""
        }
        return unset.count < 2 ? nil : [document.replacing(root: unset[0], with: "\"0:0\"")]
      },
      Mutation(ModelRule.uidOutOfRange) { document in
        document.plainProperties.first.map {
          [
            document.replacing(
              "id", of: $0.place, with: "\"\($0.property.pair.id):9223372036854775808\"")
          ]
        }
      },
      Mutation(ModelRule.malformedPair) { document in
        document.plainProperties.first.map {
          [document.replacing("id", of: $0.place, with: "\"0\($0.property.pair)\"")]
        }
      },
      Mutation(ModelRule.duplicateUID) { document in
        document.plainProperties.first { $0.property.pair.id != idOfFirst($0.place, document) }.map
        {
          let first = document.model.entities[$0.place.entity].properties[0]
          return [
            document.replacing(
              "id", of: $0.place, with: "\"\($0.property.pair.id):\(first.pair.uid)\"")
          ]
        }
      },
      Mutation(ModelRule.liveAndRetired, fixRestores: true) { document in
        document.properties.first.map {
          [document.prepending([$0.property.pair.uid], to: "retiredPropertyUids")]
        }
      },
      Mutation(ModelRule.retiredTwice) { document in
        let uid = document.freeUID
        return [document.prepending([uid, uid], to: "retiredPropertyUids")]
      },
      Mutation(ModelRule.offeredAndUsed) { document in
        guard document.model.newUIDPool == nil, let used = document.model.entities.first?.pair.uid,
          let key = document.json.members(of: document.json.root).last?.key
        else { return nil }
        let start = document.json.range(of: key).lowerBound
        return [TextEdit(range: start..<start, text: "\"newUidPool\": [\(used)], ")]
      },
    ]
  }

  private static func idOfFirst(_ place: ElementPlace, _ document: ModelDocument) -> UInt32 {
    document.model.entities[place.entity].properties[0].pair.id
  }

  /// An entity whose last property is there, and not its only one.
  private static func highestIsLast(_ document: ModelDocument) -> (Int, Entity)? {
    for (e, entity) in document.model.entities.enumerated() where entity.properties.count > 1 {
      let highest = entity.properties.max { $0.pair.id < $1.pair.id }
      if highest?.pair == entity.lastPropertyID { return (e, entity) }
    }
    return nil
  }
}

extension Mutation {
  static var namesAndTargets: [Mutation] {
    [
      Mutation(ModelRule.duplicateEntityName) { document in
        document.unreferencedEntity.map {
          let name = document.model.entities[0].name.uppercased()
          return [document.replacing("name", of: .entity($0), with: "\"\(name)\"")]
        }
      },
      Mutation(ModelRule.duplicatePropertyName) { document in
        document.plainProperties.first {
          $0.property.name != document.model.entities[$0.place.entity].properties[0].name
        }.map {
          let name = document.model.entities[$0.place.entity].properties[0].name.uppercased()
          return [document.replacing("name", of: $0.place, with: "\"\(name)\"")]
        }
      },
      Mutation(ModelRule.duplicateRelationName) { document in
        guard
          let e = document.model.entities.firstIndex(where: { $0.relations?.count ?? 0 > 1 }),
          let name = document.model.entities[e].relations?[0].name
        else { return nil }
        return [document.replacing("name", of: .relation(entity: e, 1), with: "\"\(name)\"")]
      },
      Mutation(ModelRule.emptyName) { document in
        document.plainProperties.first.map {
          [document.replacing("name", of: $0.place, with: "\"\"")]
        }
      },
      Mutation(ModelRule.nameTooLong) { document in
        document.plainProperties.first {
          $0.property.name != document.model.entities[$0.place.entity].properties[0].name
        }.map {
          let name = String(repeating: "n", count: 1025)
          return [document.replacing("name", of: $0.place, with: "\"\(name)\"")]
        }
      },
      Mutation(ModelRule.similarNames) { document in
        let properties = document.plainProperties
        return zip(properties, properties.dropFirst()).first {
          $0.place.entity == $1.place.entity
        }.map {
          [
            document.replacing("name", of: $1.place, with: #""e\u0301""#),
            document.replacing("name", of: $0.place, with: "\"\u{E9}\""),
          ]
        }
      },
      Mutation(ModelRule.targetMissing) { document in
        document.relations.first { !$0.relation.target.isUnset }.map {
          [document.replacing("targetId", of: $0.place, with: "\"1:\(document.freeUID)\"")]
        }
      },
      Mutation(ModelRule.targetIDMismatch, fixRestores: true) { document in
        document.relations.first { !$0.relation.target.isUnset }.map {
          let target = $0.relation.target
          return [
            document.replacing("targetId", of: $0.place, with: "\"\(target.id + 1):\(target.uid)\"")
          ]
        }
      },
      Mutation(ModelRule.targetUnset) { document in
        document.relations.first { !$0.relation.target.isUnset }.map {
          [document.replacing("targetId", of: $0.place, with: "\"\"")]
        }
      },
      Mutation(
        ModelRule.targetUnset,
        place: { document in
          document.relations.first.map {
            document.json.range(of: document.node($0.place)).lowerBound
          }
        },
        edits: { document in
          document.relations.first.map { [document.removingAnywhere("targetId", of: $0.place)] }
        }),
      Mutation(ModelRule.toOneTargetMissing) { document in
        document.properties.first { $0.property.relationTarget != nil }.map {
          [document.replacing("relationTarget", of: $0.place, with: "\"No such entity\"")]
        }
      },
      Mutation(ModelRule.toOneTargetMisplaced) { document in
        document.plainProperties.first.map {
          let name = document.model.entities[0].name
          return [document.inserting("\"relationTarget\": \"\(name)\"", into: $0.place)]
        }
      },
    ]
  }

  static var flagsAndTypes: [Mutation] {
    [
      Mutation(
        ModelRule.indexIDMissing,
        place: { document in
          indexed(document).flatMap { document.replacing("flags", of: $0, with: "") }?.range
            .lowerBound
        },
        edits: { document in indexed(document).map { [document.removing("indexId", of: $0)] } }),
      Mutation(ModelRule.indexFlagMissing) { document in
        guard let property = document.plainProperties.first, let last = document.model.lastIndexID,
          document.model.retiredIndexUIDs != nil
        else { return nil }
        let pair = IDPair(id: last.id + 1, uid: document.freeUID)
        return [
          document.inserting("\"indexId\": \"\(pair)\"", into: property.place),
          document.replacing(root: "lastIndexId", with: "\"\(pair)\""),
        ]
      },
      .flags(ModelRule.flagNeedsIndex, .unique),
      Mutation(ModelRule.twoHashes) { document in
        document.properties.first {
          $0.property.flags.contains(.indexHash) && $0.property.indexID != nil
        }.map {
          [document.settingFlags($0.property.flags.union(.indexHash64).rawValue, of: $0.place)]
        }
      },
      .flags(ModelRule.replaceNeedsUnique, .uniqueOnConflictReplace),
      Mutation(ModelRule.idPropertyCount) { document in
        document.plainProperties.first { property in
          let entity = document.model.entities[property.place.entity]
          return property.property.type == .long
            && (entity.properties.first { $0.flags.contains(.id) }?.pair.id ?? .max)
              < property.property.pair.id
            && entity.properties.allSatisfy { $0.type?.isKnown ?? false }
            && (entity.properties.firstIndex { $0.flags.contains(.id) } ?? .max)
              < (entity.properties.firstIndex { $0 == property.property } ?? 0)
        }.map {
          [document.settingFlags($0.property.flags.union(.id).rawValue, of: $0.place)]
        }
      },
      Mutation(ModelRule.idPropertyType) { document in
        document.properties.first {
          $0.property.flags.contains(.id) && $0.property.type == .long
            && document.model.entities[$0.place.entity].properties.allSatisfy {
              $0.type?.isKnown ?? false
            }
        }.map { [document.replacing("type", of: $0.place, with: "5")] }
      },
      Mutation(ModelRule.syncFlags) { document in
        document.plainProperties.first {
          !document.model.entities[$0.place.entity].flags.contains(.syncEnabled)
        }.map {
          [document.settingFlags($0.property.flags.union(.syncClock).rawValue, of: $0.place)]
        }
      },
      Mutation(ModelRule.sharedIDsNeedSync) { document in
        document.model.entities.firstIndex { !$0.flags.contains(.syncEnabled) }.map {
          let flags = document.model.entities[$0].flags.union(.sharedGlobalIDs)
          return [document.settingFlags(flags.rawValue, of: .entity($0))]
        }
      },
      Mutation(ModelRule.unknownType) { document in
        document.plainProperties.first { $0.property.flags.isEmpty }.map {
          [document.replacing("type", of: $0.place, with: "15")]
        }
      },
      .flags(ModelRule.flagTypeMismatch, .unsigned, where: { $0.type == .string }),
      Mutation(ModelRule.flagTypeMismatch) { document in
        guard
          let (place, property) = document.plainProperties.first(where: {
            $0.property.type == .byteVector
          }), let last = document.model.lastIndexID, document.model.retiredIndexUIDs != nil
        else { return nil }
        let pair = IDPair(id: last.id + 1, uid: document.freeUID)
        return [
          document.settingFlags(property.flags.union(.indexed).rawValue, of: place),
          document.inserting("\"indexId\": \"\(pair)\"", into: place),
          document.replacing(root: "lastIndexId", with: "\"\(pair)\""),
        ]
      },
      .vectorIndex(ModelRule.vectorParameters, "{\"dimensions\": 0}"),
      .vectorIndex(
        ModelRule.vectorParameters, "{\"dimensions\": 2, \"neighbours-per-node\": 40}"),
      .vectorIndex(ModelRule.vectorHints, "{\"dimensions\": 2, \"vector-cache-hint-size-kb\": 64}"),
      .flags(ModelRule.selfAssignableNeedsID, .idSelfAssignable),
      Mutation(
        ModelRule.typeMissing,
        place: { document in
          document.plainProperties.first.map {
            document.json.range(of: document.node($0.place)).lowerBound
          }
        },
        edits: { document in
          document.model.modelVersion != 5
            ? nil
            : document.plainProperties.first.map {
              [document.removingAnywhere("type", of: $0.place)]
            }
        }),
      .flags(ModelRule.unknownFlag, PropertyFlags(rawValue: 1 << 20)),
    ]
  }

  static var form: [Mutation] {
    [
      Mutation(ModelRule.versionTooNew) { document in
        [document.replacing(root: "modelVersionParserMinimum", with: "6")]
      },
      Mutation(ModelRule.versionOld) { document in
        document.model.modelVersion == 5 && document.model.modelVersionParserMinimum ?? 0 < 6
          ? [document.replacing(root: "modelVersion", with: "4")] : nil
      },
      Mutation(ModelRule.byteOrderMark) { document in
        [TextEdit(range: 0..<0, text: "\u{FEFF}")]
      },
      Mutation(ModelRule.rawTab) { document in
        document.plainProperties.first.map {
          [document.replacing("name", of: $0.place, with: "\"tab\there\"")]
        }
      },
      Mutation(
        ModelRule.missingKey,
        place: { document in
          document.plainProperties.first.map {
            document.json.range(of: document.node($0.place)).lowerBound
          }
        },
        edits: { document in
          document.plainProperties.first.map { [document.removing("name", of: $0.place)] }
        }),
      Mutation(ModelRule.wrongType) { document in
        document.plainProperties.first.map {
          [document.replacing("type", of: $0.place, with: "\"6\"")]
        }
      },
    ]
  }

  /// The last ids of the whole model; that of properties is among ``ids``.
  static var rootCounters: [Mutation] {
    [ElementKind.entity, .index, .relation].flatMap { kind -> [Mutation] in
      let key = kind.lastPairKey
      /// The last pair and a lower one, where the last one is in use.
      func pairs(_ document: ModelDocument) -> (last: IDPair, lower: IDPair)? {
        var pairs: [IDPair] = []
        document.model.forEachElement { if $0.kind == kind { pairs.append($1) } }
        let highest = pairs.max { $0.id < $1.id }
        guard let highest, highest == lastPair(kind, document.model),
          let lower = pairs.first(where: { $0.id < highest.id })
        else { return nil }
        return (highest, lower)
      }
      return [
        Mutation(ModelRule.lastIDTooLow, fixRestores: true) { document in
          pairs(document).map { [document.replacing(root: key, with: "\"\($0.lower)\"")] }
        },
        Mutation(ModelRule.lastIDMismatch, fixRestores: true) { document in
          pairs(document).map {
            [document.replacing(root: key, with: "\"\($0.last.id):\(document.freeUID)\"")]
          }
        },
        Mutation(
          ModelRule.lastIDMissing, fixRestores: true,
          place: { $0.json.range(of: $0.json.root).lowerBound },
          edits: { document in
            pairs(document).map { _ in [document.removing(key, from: document.json.root)] }
          }),
      ]
    }
  }

  private static func lastPair(_ kind: ElementKind, _ model: Model) -> IDPair? {
    switch kind {
    case .entity: model.lastEntityID
    case .property: nil
    case .index: model.lastIndexID
    case .relation: model.lastRelationID
    }
  }

  static var all: [Mutation] { ids + rootCounters + namesAndTargets + flagsAndTypes + form }

  private static func indexed(_ document: ModelDocument) -> ElementPlace? {
    document.properties.first {
      $0.property.indexID != nil && $0.property.indexID != document.model.lastIndexID
        && $0.property.flags.isIndexed && document.removing("indexId", of: $0.place) != nil
    }?.place
  }
}
