import BoxModel

@testable import BoxEngine

/// Describes a model in a few lines; ids and UIDs follow from the order unless they are given.
struct EngineModel {
  struct PropertySpec {
    var name: String
    var type: PropertyType
    var flags: PropertyFlags = []
    var target: String?
    var uid: UID?

    static func id(_ flags: PropertyFlags = []) -> PropertySpec {
      PropertySpec(name: "id", type: .long, flags: flags.union(.id))
    }
  }

  struct EntitySpec {
    var name: String
    var uid: UID
    var properties: [PropertySpec]
    /// Names of relations to many, each with the name of its target.
    var relations: [(name: String, target: String)] = []
    var retired: [UID] = []
  }

  var entities: [EntitySpec]
  var retired: [UID] = []

  init(_ entities: EntitySpec...) { self.entities = entities }

  /// The UID of the property at a position, from 0, of an entity; its index has the next one.
  static func uid(_ entity: UID, property position: Int) -> UID {
    entity * 1000 + UID(position) * 2 + 2
  }

  /// The model file.
  func document() throws -> ModelDocument {
    var model = Model()
    var lastIndex = IDPair.unset
    var lastRelation = IDPair.unset
    for (position, spec) in entities.enumerated() {
      var entity = Entity(
        pair: IDPair(id: UInt32(position + 1), uid: spec.uid), name: spec.name)
      for (position, property) in spec.properties.enumerated() {
        let uid = property.uid ?? Self.uid(spec.uid, property: position)
        var result = Property(
          pair: IDPair(id: UInt32(position + 1), uid: uid), name: property.name,
          type: property.type, flags: property.flags)
        if property.flags.isIndexed {
          lastIndex = IDPair(id: lastIndex.id + 1, uid: uid + 1)
          result.indexID = lastIndex
        }
        result.relationTarget = property.target
        entity.properties.append(result)
        entity.lastPropertyID = result.pair
      }
      for relation in spec.relations {
        lastRelation = IDPair(
          id: lastRelation.id + 1, uid: spec.uid * 1000 + 900 + UID(lastRelation.id))
        let target = entities.firstIndex { $0.name == relation.target } ?? 0
        let pair = IDPair(id: UInt32(target + 1), uid: entities[target].uid)
        entity.relations =
          (entity.relations ?? []) + [
            Relation(pair: lastRelation, name: relation.name, target: pair)
          ]
      }
      model.entities.append(entity)
      model.lastEntityID = entity.pair
    }
    model.lastIndexID = lastIndex
    model.lastRelationID = lastRelation
    model.retiredPropertyUIDs = retired
    return try ModelDocument(parsing: Self.empty.rendered(model))
  }

  private static var empty: ModelDocument {
    get throws {
      try ModelDocument(
        parsing: Array(
          #"""
          {
            "entities": [],
            "lastEntityId": "0:0",
            "lastIndexId": "0:0",
            "lastRelationId": "0:0",
            "lastSequenceId": "0:0",
            "modelVersion": 5,
            "modelVersionParserMinimum": 5,
            "retiredEntityUids": [],
            "retiredIndexUids": [],
            "retiredPropertyUids": [],
            "retiredRelationUids": [],
            "version": 1
          }
          """#.utf8))
    }
  }
}
