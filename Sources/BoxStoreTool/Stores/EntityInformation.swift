internal import BoxConvert
package import BoxDump
internal import BoxEngine
package import BoxJSON
internal import BoxModel
internal import BoxReport
internal import BoxStorage

/// The output of `boxjoint store info` about one entity.
package struct EntityInformation {
  private let path: String
  private let sizes: StoreStatistics.EntitySizes
  private let properties: [PropertyLine]
  private let relations: [RelationLine]
  private let sample: ObjectSample

  private struct PropertyLine {
    var schema: PropertySchema
    var type: String
    /// The name of the target of a to-one relation.
    var target: String?
    /// The names that the converter lists.
    var names: [String]
  }

  private struct RelationLine {
    var schema: RelationSchema
    var target: String?
    var entries: Int
  }

  /// Reads the properties, the sizes and a few objects of an entity.
  ///
  /// - Parameters:
  ///   - directory: The directory of the store.
  ///   - name: The entity.
  ///   - values: The form of integers and dates, without converters.
  ///   - catalogue: The catalogue of converters; nil to show values as they are stored.
  ///   - access: The way to open the store.
  ///   - place: The place that paths refer to.
  /// - Throws: ``CommandFailure`` of the kind `usage` for an unknown entity, and as ``onStore(_:_:)``.
  /// - Complexity: O(*n*) in the number of pages.
  package init(
    _ directory: String, _ name: String, _ values: ValueForm, _ catalogue: CatalogueChoice?,
    _ access: StoreAccess, in place: Workspace
  ) throws {
    self = try OpenStore.with(directory, access, catalogue, isReadOnly: true, in: place) { open in
      try EntityInformation(try open.entity(name), values, open)
    }
  }

  private init(_ entity: EntitySchema, _ values: ValueForm, _ open: OpenStore) throws {
    path = open.path
    guard let sizes = try open.store.statistics().entities.first(where: { $0.uid == entity.uid })
    else { throw open.store.unknownEntity(entity.name) }
    self.sizes = sizes
    func target(_ uid: UID) -> String? { open.store.entity(uid)?.name }
    let converters = open.catalogue.map { ConditionConverters($0) }
    properties = try entity.properties.map { property in
      PropertyLine(
        schema: property,
        type: StoredType(property.modelType, property.flags)?.description
          ?? "\(property.modelType)",
        target: property.target.flatMap(target),
        names: try converters?.converter(entity, property)?.names ?? [])
    }
    relations = entity.relations.map { relation in
      RelationLine(
        schema: relation, target: target(relation.target),
        entries: sizes.relations.first { $0.uid == relation.uid }?.entries.entries ?? 0)
    }
    let columns = try RowColumn.all(
      of: entity, in: open.store, open.values(values))
    sample = try open.store.read { transaction in
      let query = try open.query(entity, nil)
      return try ObjectSample(
        try transaction.ids(query, limit: ObjectSample.maximumCount), of: sizes.objects.entries,
        query, columns,
        in: transaction)
    }
  }

  /// Tables for people.
  package var text: String {
    var rows = [["PROPERTY", "TYPE", "INDEX", ""]]
    for property in properties {
      let index = property.schema.index.map {
        "\($0.kind.rawValue)\($0.isUnique ? ", unique" : "")"
      }
      var notes: [String] = []
      if property.schema.flags.contains(.id) { notes.append("id") }
      if let target = property.target { notes.append("to \(target)") }
      if let constant = property.schema.constantValue {
        notes.append("\(constant) in objects without a value")
      }
      if !property.names.isEmpty { notes.append(property.names.listed) }
      rows.append([
        property.schema.name.escapedForDisplay, property.type, index ?? "",
        notes.joined(separator: ": ").escapedForDisplay,
      ])
    }
    for relation in relations {
      rows.append([
        relation.schema.name.escapedForDisplay, "to many", "",
        "to \((relation.target ?? "a hidden entity").escapedForDisplay), "
          + counted(relation.entries, "entry", "entries"),
      ])
    }
    for name in sizes.hiddenProperties {
      rows.append([name.escapedForDisplay, "", "", "hidden: not in the model"])
    }
    let head =
      "\(sizes.name.escapedForDisplay): \(counted(sizes.objects.entries, "object")), "
      + "\(bytesText(sizes.objects.bytes)), last id \(grouped(Int(clamping: sizes.lastID)))"
    let table = TextTable(rows).lines().joined(separator: "\n") + "\n"
    return "\(head)\n\n\(table)" + (sample.text.isEmpty ? "" : "\n" + sample.text)
  }

  /// The same for programs.
  package var json: JSONValue {
    [
      "schemaVersion": 2,
      "store": .string(path),
      "entity": .string(sizes.name),
      "uid": sizes.uid.uidJSON,
      "objects": .int(sizes.objects.entries),
      "bytes": .int(sizes.objects.bytes),
      "lastId": .uint(sizes.lastID),
      "properties": .array(
        properties.map { property in
          let index: JSONValue =
            property.schema.index.map {
              ["kind": .string($0.kind.rawValue), "unique": .bool($0.isUnique)]
            } ?? .null
          return [
            "name": .string(property.schema.name), "uid": property.schema.uid.uidJSON,
            "type": .string(property.type), "id": .bool(property.schema.flags.contains(.id)),
            "index": index, "target": property.target.map { .string($0) } ?? .null,
            "constant": property.schema.constantValue.map { .string("\($0)") } ?? .null,
            "names": .array(property.names.map { .string($0) }),
          ]
        }),
      "relations": .array(
        relations.map { relation in
          [
            "name": .string(relation.schema.name), "uid": relation.schema.uid.uidJSON,
            "target": relation.target.map { .string($0) } ?? .null,
            "entries": .int(relation.entries),
          ]
        }),
      "hiddenProperties": .array(sizes.hiddenProperties.map { .string($0) }),
      "examples": .array(sample.json),
    ]
  }
}
