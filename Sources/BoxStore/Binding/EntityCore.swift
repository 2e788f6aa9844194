internal import BoxEngine
internal import BoxModel
internal import BoxStorage

/// The transaction of the engine; this module has a type of the same name.
typealias EngineTransaction = BoxEngine.Transaction

// swift-format-ignore: NoLeadingUnderscores
/// An entity of an open store as its boxes and bindings use it.
public final class __EntityCore: Sendable {
  let schema: EntitySchema
  let fields: EntityFields
  /// Whether relations lead from or to the entity, so that a put of an object can put others.
  let hasRelations: Bool
  /// Whether a put of an object can remove others: the entity, or one that its relations reach, replaces on
  /// conflict.
  let replacesOthers: Bool
  /// The positions of the target entities of to-one relations, by the ids of the properties; -1 for others.
  private let targets: [Int32]

  init(_ schema: EntitySchema, in engine: ObjectStore) {
    self.schema = schema
    fields = EntityFields(schema)
    hasRelations =
      !Self.neighbours(of: schema, engine).isEmpty
      || engine.entities.contains { Self.neighbours(of: $0, engine).contains(schema) }
    var targets: [Int32] = []
    for property in schema.properties {
      guard let target = property.target.flatMap({ engine.entity($0) }) else { continue }
      let id = Int(property.id)
      targets += Array(repeating: -1, count: max(0, id + 1 - targets.count))
      targets[id] = Int32(target.position)
    }
    self.targets = targets
    replacesOthers = Self.reachable(from: schema, engine).contains { entity in
      entity.properties.contains(where: \.replacesOthers)
    }
  }

  /// The entities at the other end of the relations of an entity.
  private static func neighbours(of entity: EntitySchema, _ engine: ObjectStore) -> Set<
    EntitySchema
  > {
    let targets = entity.properties.compactMap(\.target) + entity.relations.map(\.target)
    return Set(targets.compactMap { engine.entity($0) })
  }

  /// The entity and all entities that its relations reach, in either direction.
  private static func reachable(from entity: EntitySchema, _ engine: ObjectStore) -> Set<
    EntitySchema
  > {
    let edges = engine.entities.map { ($0, neighbours(of: $0, engine)) }
    var found: Set = [entity]
    var isGrowing = true
    while isGrowing {
      let before = found.count
      for (source, targets) in edges
      where found.contains(source) || !targets.isDisjoint(with: found) {
        found.insert(source)
        found.formUnion(targets)
      }
      isGrowing = found.count > before
    }
    return found
  }

  /// The position of the target entity of a to-one relation; nil for any other property.
  func target(at offset: UInt16) -> Int? {
    let id = EntityFields.propertyID(at: offset)
    guard targets.indices.contains(id), targets[id] >= 0 else { return nil }
    return Int(targets[id])
  }

  // MARK: - Messages

  /// `Entity.property`, or the offset where the model has no such property.
  func name(_ offset: UInt16) -> String {
    let id = EntityFields.propertyID(at: offset)
    let property = UInt32(exactly: id).flatMap { schema.property(withID: $0) }
    return property.map { "\(schema.name).\($0.name)" } ?? "\(schema.name), property id \(id)"
  }

  func mismatch(_ offset: UInt16, wanted: FieldForm, isRead: Bool) -> ObjectBoxError {
    let form = fields[EntityFields.propertyID(at: offset)].form
    let does = isRead ? "reads" : "writes"
    return .propertyTypeMismatch(
      message: form == .absent
        ? "the binding \(does) \(name(offset)), and the model has no such property; "
          + "generate the binding again with the model of the store"
        : "the binding \(does) \(name(offset)) as \(wanted.words), and the model says \(form.words); "
          + "generate the binding again with the model of the store")
  }

  func collectedTwice(_ offset: UInt16) -> ObjectBoxError {
    .illegalArgument(
      message: "the binding writes \(name(offset)) twice; remove one of the calls")
  }

  func outOfRange(_ value: String, _ offset: UInt16, bits: Int) -> ObjectBoxError {
    .illegalArgument(
      message: "\(name(offset)) has \(bits) bits, and \(value) does not fit; "
        + "store a smaller number, or give the property another type")
  }

  func dateOutOfRange(_ offset: UInt16, isNanoseconds: Bool) -> ObjectBoxError {
    .illegalArgument(
      message:
        "\(name(offset)) counts \(isNanoseconds ? "nanoseconds" : "milliseconds") in 64 bits, "
        + "and the date does not fit; store one nearer to 1970")
  }

  /// The error of a put that updates without an id.
  var noIDToUpdate: StoreError { .notFound(entity: schema.name, id: 0) }
}

extension PropertySchema {
  /// Whether an object that is put replaces the one that has its value of this property.
  var replacesOthers: Bool { index?.replacesOnConflict ?? false }
}
