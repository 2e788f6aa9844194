internal import BoxModel
internal import BoxReport

extension StoreModel {
  /// The model with some of the entities, for a store that has these alone.
  ///
  /// An app can keep its objects in several stores side by side, each with a part of the model:
  ///
  /// ```swift
  /// let notes = try Store(model: try model.subset(Note.self, Tag.self), directory: "notes")
  /// let cache = try Store(model: try model.subset(Download.self), directory: "cache")
  /// ```
  ///
  /// - Parameter types: The entity types.
  /// - Returns: The model; ids and UIDs are the same as in the whole one.
  /// - Throws: As ``subset(entities:)``.
  /// - Complexity: O(*n*) in the size of the model.
  public func subset(_ types: any EntityInspectable.Type...) throws -> StoreModel {
    try subset(entities: types.map { $0.entityInfo.entityName })
  }

  /// The model with some of the entities, by their names in the model.
  ///
  /// - Parameter names: The names of the entities.
  /// - Returns: The model; ids and UIDs are the same as in the whole one.
  /// - Throws: ``ObjectBoxError/schema(message:)`` if the model cannot be read or lacks an entity, and for a
  ///   relation that leads from an entity of the subset to one outside of it; all of these are named.
  /// - Complexity: O(*n*) in the size of the model.
  public func subset(entities names: [String]) throws -> StoreModel {
    let document = try document()
    var model = document.model
    let known = model.entities.map(\.name)
    var problems = names.filter { !known.contains($0) }.map { name in
      "it has no entity \(name)"
        + (nearestName(to: name, among: known).map { "; did you mean \($0)?" } ?? "")
    }
    let lookup = ModelLookup(model)
    let kept = Set(model.entities.filter { names.contains($0.name) }.map(\.pair.uid))
    for entity in model.entities where kept.contains(entity.pair.uid) {
      for property in entity.properties {
        guard case .entity(let target)? = model.target(of: property, lookup) else { continue }
        problems += model.cut(entity, property.name, target, kept)
      }
      for relation in entity.relations ?? [] {
        problems += model.cut(entity, relation.name, relation.target.uid, kept)
      }
    }
    if !problems.isEmpty {
      throw ObjectBoxError.schema(
        message: "the model has no such subset: \(problems.joined(separator: "; "))")
    }
    model.entities.removeAll { !kept.contains($0.pair.uid) }
    let uids = Set(model.entities.flatMap { $0.properties.map(\.pair.uid) })
    var declarations = try declarations()
    let relations = Set(model.entities.flatMap { ($0.relations ?? []).map(\.pair.uid) })
    declarations?.relations.removeAll {
      !uids.contains($0.relation) && !relations.contains($0.relation)
    }
    return StoreModel(
      bytes: document.rendered(model), constants: constants?.filter { uids.contains($0.key) },
      declarations: declarations)
  }
}

extension Model {
  /// The problem of a relation that leads out of a subset; empty if it does not.
  fileprivate func cut(
    _ entity: BoxModel.Entity, _ member: String, _ target: UID, _ kept: Set<UID>
  ) -> [String] {
    if kept.contains(target) { return [] }
    let name = entities.first { $0.pair.uid == target }?.name ?? "\(target)"
    return ["\(entity.name).\(member) refers to \(name), which is not in it; add \(name)"]
  }
}
