internal import BoxJSON
public import BoxModel
internal import BoxReport
internal import BoxStorage

/// A property of the objects of a query, or of related objects: `title`, `author.name`,
/// `cast.born`.
public struct QueryColumn: Sendable {
  /// The names of the path, without backquotes, with periods between them.
  public var name: String { path.title }
  /// The path.
  package let path: NamePath
  /// The entity that has the property.
  public let entity: EntitySchema
  /// The property at the end of the path.
  public let property: PropertySchema
  /// Whether an object can have several values, as a to-many relation is on the path.
  public let isToMany: Bool
  /// Whether the bits of signed integers are read as unsigned ones.
  package var takesBitsAsUnsigned = false

  let source: EntitySchema
  let field: RecordField
  let traits: SlotTraits
  let steps: [Step]

  /// A relation of the path.
  enum Step: Sendable {
    case toOne(slot: Int, UID, EntitySchema)
    case toMany(RelationSchema, EntitySchema)

    /// The target entity.
    var entity: EntitySchema {
      switch self {
      case .toOne(_, _, let entity), .toMany(_, let entity): entity
      }
    }

    /// The UID of the relation, or of the property that is one.
    var uid: UID {
      switch self {
      case .toOne(_, let uid, _): uid
      case .toMany(let relation, _): relation.uid
      }
    }

    /// The ids of an object's targets.
    func ends(
      _ id: UInt64, _ record: borrowing RecordView, _ transaction: Transaction
    ) throws(StoreError) -> [UInt64] {
      switch self {
      case .toOne(let slot, _, _): record.uint64(slot).map { [$0] } ?? []
      case .toMany(let relation, _): try transaction.targets(relation, of: id)
      }
    }
  }

  /// Whether the property is a vector, bytes not being one.
  public var isVector: Bool { field.type.isVector }
}

extension ObjectStore {
  /// The column of a path.
  ///
  /// - Parameters:
  ///   - path: Names of relations and of a property at the end, with periods between them, and in
  ///     backquotes or as they are; the name of the entity can come first.
  ///   - entity: The entity of the objects.
  /// - Returns: The column.
  /// - Throws: ``ConditionError`` for a name that there is not, with the nearest, and for a path that is
  ///   longer than one of a condition may be.
  /// - Complexity: O(*n*) in the length of the path and the properties of its entities.
  public func column(
    _ path: String, of entity: EntitySchema
  ) throws(ConditionError) -> QueryColumn {
    do throws(ConditionError) {
      return try column(NamePath(reading: path), of: entity)
    } catch {
      // The text as a name of its own, with its periods and backquotes.
      guard entity.property(named: path) != nil else { throw error }
      return try column(NamePath([path]), of: entity)
    }
  }

  private func column(
    _ path: NamePath, of entity: EntitySchema
  ) throws(ConditionError) -> QueryColumn {
    var names = try entity.namesOfMembers(path)
    var (current, steps, isToMany): (EntitySchema, [QueryColumn.Step], Bool) = (entity, [], false)
    while names.count > 1, let name = names.first {
      guard let link = current.link(named: name) else {
        let rest = path.text(from: names.startIndex)
        guard current.property(named: rest) != nil else {
          throw current.unknown("relation", name, current.linkNames)
        }
        // A name with periods of its own.
        names = [rest]
        break
      }
      names = names.dropFirst()
      guard let next = self.entity(link.target) else {
        throw ConditionError("\(current.name).\(name) refers to an entity that the model lacks")
      }
      switch link.kind {
      case .toOne(let position):
        let property = current.properties[position]
        steps.append(.toOne(slot: property.slot, property.uid, next))
      case .toMany(let relation):
        isToMany = true
        steps.append(.toMany(relation, next))
      }
      current = next
    }
    let name = names.first ?? ""
    guard let position = current.properties.firstIndex(where: { $0.name.hasSameBytes(as: name) })
    else {
      guard let relation = current.relation(named: name) else {
        throw current.unknown("property", name, current.properties.map(\.name))
      }
      let advice = self.entity(relation.target)?.exampleName.map {
        ", such as \(path).\(NamePath.quoted($0))"
      }
      throw ConditionError(
        "\(current.name).\(name) is a relation to many; name a property of its objects"
          + (advice ?? ""))
    }
    let field = RecordField(position, current)
    return QueryColumn(
      path: path, entity: current, property: current.properties[position], isToMany: isToMany,
      source: entity, field: field, traits: field.type.traits, steps: steps)
  }
}

extension EntitySchema {
  /// The names of a path without the name of the entity, which can come first.
  fileprivate func namesOfMembers(_ path: NamePath) throws(ConditionError) -> ArraySlice<String> {
    let names = path.names[...]
    if names.count > ConditionParser.maximumDepth { throw ConditionParser.pathTooLong(at: nil) }
    guard names.count > 1, names.first?.hasSameBytes(as: name) == true else { return names }
    let rest = names.dropFirst()
    // Only a path that continues with the relation of that name is unambiguous.
    if link(named: name) != nil, rest.count == 1 || rest.first?.hasSameBytes(as: name) != true {
      let own = path.text(from: rest.startIndex)
      let name = NamePath.quoted(name)
      throw ConditionError(
        "\(name) is the entity and a relation of it: write \(own) for the entity, or "
          + "\(name).\(name).\(own) for the relation")
    }
    return rest
  }

  /// The name of a property that conditions and columns can have: of the id, if there is one.
  var exampleName: String? {
    idPosition.map { properties[$0].name } ?? properties.first?.name
  }

  /// The error for a name that the entity does not have.
  func unknown(
    _ kind: String, _ name: String, _ names: [String], at position: JSONPosition? = nil
  ) -> ConditionError {
    let nearest = NamePath.nearest(to: name, among: names)
    let all =
      names.isEmpty
      ? "it has none" : "it has \(names.map(NamePath.quoted).joined(separator: ", "))"
    return ConditionError(
      "\(self.name) has no \(kind) \(name); " + (nearest.map { "did you mean \($0)?" } ?? all),
      position: position)
  }
}

extension QueryColumn {
  /// Visits the records at the end of the path of an object, each once, in the order of their ids.
  ///
  /// The objects of each relation on the path are a set: over all ways to them the work would grow with
  /// each relation.
  func visitEnds(
    _ id: UInt64, _ record: borrowing RecordView, _ transaction: Transaction,
    _ storage: StorageAccess, _ body: (UInt64, borrowing RecordView) -> Void
  ) throws(StoreError) {
    guard let first = steps.first, let last = steps.last else { return body(id, record) }
    var ids = try first.ends(id, record, transaction).sortedAndUnique()
    // What was read stays true for the whole of a read transaction, and for one object in another.
    let links = transaction.pathLinks
    for (step, next) in zip(steps, steps.dropFirst()) {
      ids = try links.ends(of: next.uid, ids) { (id) throws(StoreError) in
        try transaction.checkInterruptionOfLookUp()
        // The target of a to-one relation may have been removed.
        guard let bytes = try unsafe storage.value(step.entity.space, id) else { return [] }
        return try next.ends(id, unsafe transaction.view(step.entity, id, bytes), transaction)
      }
    }
    for id in ids {
      try transaction.checkInterruptionOfLookUp()
      guard let bytes = try unsafe storage.value(last.entity.space, id) else { continue }
      body(id, try unsafe transaction.view(last.entity, id, bytes))
    }
  }

  /// The value in a record of the entity at the end.
  func value(_ id: UInt64, _ record: borrowing RecordView) -> Value {
    let value = field.slot < 0 ? .unsigned(id) : record.value(field.slot, field.type)
    if takesBitsAsUnsigned, case .integer(let number) = value {
      return .unsigned(unsignedBits(of: number))
    }
    if property.target != nil, case .unsigned(0) = value { return .null }
    return value
  }

  /// The unsigned number of the bits of a signed one.
  func unsignedBits(of number: Int64) -> UInt64 {
    UInt64(bitPattern: number) & (.max >> UInt64(64 - 8 * field.type.width))
  }
}

extension Transaction {
  /// The values of a column of an object: one for its own property, or none if a to-one relation has no
  /// target; over to-many relations, one for each object at the end of the path, in the order of their ids.
  ///
  /// - Throws: ``StoreError/damagedRecord(entity:id:_:)``, ``StoreError/transactionEnded`` or
  ///   ``StoreError/storage(_:)``.
  /// - Complexity: O(log *n*) for each object on the path.
  public func values(
    _ column: QueryColumn, _ id: UInt64, _ record: borrowing RecordView
  ) throws(StoreError) -> [Value] {
    var values: [Value] = []
    try column.visitEnds(id, record, self, try reading()) { id, record in
      values.append(column.value(id, record))
    }
    return values
  }
}
