internal import BoxJSON
internal import BoxModel
internal import BoxSources

/// The entities of the sources, by the names of their types, with the model that has their numbers.
struct BoundSchema: Sendable {
  let entities: [String: SourceEntity]
  private let sources: [SourceEntity]
  private let model: Model
  private let lookup: ModelLookup

  init(_ entities: [SourceEntity], _ model: Model) {
    self.entities = Dictionary(entities.map { ($0.typeName, $0) }) { first, _ in first }
    sources = entities
    self.model = model
    lookup = ModelLookup(model)
  }

  /// The parameters of vector indexes that the model file lacks, in the order of the sources.
  ///
  /// - Complexity: O(*n*) in the number of properties.
  var vectors: [(uid: UID, parameters: String)] {
    sources.flatMap { source -> [(uid: UID, parameters: String)] in
      let indexed = source.properties.filter { $0.hnswParams != nil }
      if indexed.isEmpty { return [] }
      let properties = element(of: source)?.properties ?? []
      return indexed.compactMap { property in
        guard let stored = properties.first(where: { $0.name.hasSameBytes(as: property.name) }),
          stored.hnswParams == nil, let parameters = property.hnswParams
        else { return nil }
        return (stored.pair.uid, parameters.filter { !$0.isWhitespace })
      }
    }
  }

  /// The values of properties that are not optional in objects without one, in the order of the sources.
  ///
  /// - Complexity: O(*n*) in the number of properties.
  var constants: [(uid: UID, constant: SourceConstant)] {
    sources.flatMap { source -> [(uid: UID, constant: SourceConstant)] in
      let properties = element(of: source)?.properties ?? []
      let uids = Dictionary(properties.map { ($0.name, $0.pair.uid) }) { first, _ in first }
      return source.properties.compactMap { property in
        guard let constant = property.constant, let uid = uids[property.name] else { return nil }
        return (uid, constant)
      }
    }
  }

  /// The declarations of annotations about relations, by ascending UID.
  ///
  /// - Complexity: O(*n* log *n*) in the number of members.
  var declarations: BoxModel.Declarations {
    var declarations: [UID: RelationDeclaration] = [:]
    func declare(
      _ rule: SourceRule?, _ side: WritableKeyPath<RelationDeclaration, DeleteRule?>,
      _ relation: (uid: UID, name: String)?
    ) {
      guard let rule, let relation else { return }
      declarations[
        relation.uid, default: RelationDeclaration(relation: relation.uid, name: relation.name)
      ][keyPath: side] = rule.rule
    }
    for source in sources {
      for property in source.properties
      where property.deleteRule != nil || property.inverseDeleteRule != nil {
        let relation = relation(property: property.name, of: source)
        declare(property.deleteRule, \.sourceRemoved, relation)
        declare(property.inverseDeleteRule, \.targetRemoved, relation)
      }
      for collection in source.collections
      where collection.deleteRule != nil || collection.inverseDeleteRule != nil {
        if collection.link == .standalone {
          let relation = relation(collection: collection.name, of: source)
          declare(collection.deleteRule, \.sourceRemoved, relation)
          declare(collection.inverseDeleteRule, \.targetRemoved, relation)
        } else {
          declare(collection.deleteRule, \.targetRemoved, relation(behind: collection))
        }
      }
    }
    return BoxModel.Declarations(
      relations: declarations.values.sorted { $0.relation < $1.relation })
  }

  private func relation(property name: String, of source: SourceEntity) -> (uid: UID, name: String)?
  {
    guard let entity = element(of: source) else { return nil }
    return entity.properties.first { $0.name.hasSameBytes(as: name) }.map {
      ($0.pair.uid, "\(entity.name).\($0.name)")
    }
  }

  private func relation(collection name: String, of source: SourceEntity) -> (
    uid: UID, name: String
  )? {
    guard let entity = element(of: source) else { return nil }
    return entity.relations?.first { $0.name.hasSameBytes(as: name) }.map {
      ($0.pair.uid, "\(entity.name).\($0.name)")
    }
  }

  /// The relation that a backlink leads back from.
  private func relation(behind backlink: SourceCollection) -> (uid: UID, name: String)? {
    guard let target = entities[backlink.target] else { return nil }
    switch backlink.link {
    case .standalone, .unresolvedBacklink: return nil
    case .backlinkOfProperty(let name):
      return target.properties.first { $0.swiftName.hasSameBytes(as: name) }
        .flatMap { relation(property: $0.name, of: target) }
    case .backlinkOfCollection(let name):
      return target.collections.first { $0.swiftName.hasSameBytes(as: name) }
        .flatMap { relation(collection: $0.name, of: target) }
    }
  }

  /// The element of the model that an entity has, if any.
  fileprivate func element(of source: SourceEntity) -> Entity? {
    lookup.entity(named: source.name).map { model.entities[$0] }
  }
}

/// An entity with the numbers that the model gives it and its members.
struct BoundEntity {
  let source: SourceEntity
  let number: UInt32
  let id: BoundProperty
  /// The properties, the id among them, in the order of the sources.
  let properties: [BoundProperty]
  let collections: [BoundCollection]

  struct BoundProperty {
    let source: SourceProperty
    let number: UInt32

    /// The place of the value in the table of a record, as the bindings name it.
    var offset: UInt32 { 2 + 2 * number }
  }

  struct BoundCollection {
    let source: SourceCollection
    let end: End

    /// The element of the model that has the links.
    enum End {
      case relation(UInt32)
      /// The to-one of the target, with its Swift name.
      case backlinkOfProperty(UInt32, String)
      case backlinkOfRelation(UInt32)
    }
  }

  /// Looks the numbers up; nil if the model lacks an element, which it never does after a run.
  init?(_ source: SourceEntity, in schema: BoundSchema) {
    guard let entity = schema.element(of: source) else { return nil }
    self.source = source
    number = entity.pair.id
    let numbers = Dictionary(entity.properties.map { (ExactText($0.name), $0.pair.id) }) {
      first, _ in first
    }
    properties = source.properties.compactMap { property in
      numbers[ExactText(property.name)].map { BoundProperty(source: property, number: $0) }
    }
    guard let id = properties.first(where: \.source.isID) else { return nil }
    self.id = id
    collections = source.collections.compactMap { collection in
      Self.end(of: collection, entity, in: schema)
        .map { BoundCollection(source: collection, end: $0) }
    }
  }

  private static func end(
    of collection: SourceCollection, _ entity: Entity, in schema: BoundSchema
  ) -> BoundCollection.End? {
    let target = schema.entities[collection.target]
    let targetEntity = target.flatMap { schema.element(of: $0) }
    switch collection.link {
    case .unresolvedBacklink: return nil
    case .standalone:
      return entity.relations?.first { $0.name.hasSameBytes(as: collection.name) }.map {
        .relation($0.pair.id)
      }
    case .backlinkOfProperty(let name):
      guard let property = target?.properties.first(where: { $0.swiftName.hasSameBytes(as: name) })
      else {
        return nil
      }
      return targetEntity?.properties.first { $0.name.hasSameBytes(as: property.name) }
        .map { .backlinkOfProperty($0.pair.id, name) }
    case .backlinkOfCollection(let name):
      guard let relation = target?.collections.first(where: { $0.swiftName.hasSameBytes(as: name) })
      else {
        return nil
      }
      return targetEntity?.relations?.first { $0.name.hasSameBytes(as: relation.name) }
        .map { .backlinkOfRelation($0.pair.id) }
    }
  }

  var type: String { source.typeName }

  /// The name of the class that writes and reads the objects.
  var binding: String {
    type.withoutBackticks.split(separator: ".").joined(separator: "_") + "Binding"
  }

  // MARK: - The id

  /// The Swift type of the id, as the bindings name it.
  var idType: String {
    if case .id(let type) = id.source.form {
      if type.hasPrefix("EntityId<") { return "EntityId<\(self.type)>" }
      if type == "Int64" { return type }
    }
    return "Id"
  }

  private var isTyped: Bool { idType.hasPrefix("EntityId") }

  /// The number of an id.
  func idValue(_ expression: String) -> String {
    idType == "Id" ? expression : expression + ".value"
  }

  /// An id of the type of the property, from a number.
  func idFrom(_ number: String) -> String {
    switch idType {
    case "Id": number
    case "Int64": "Int64(bitPattern: \(number))"
    default: "EntityId(\(number))"
    }
  }

  /// A typed id, from an id of the type of the property.
  func typedID(_ expression: String) -> String {
    isTyped ? expression : "EntityId<\(type)>(\(idValue(expression)))"
  }
}
