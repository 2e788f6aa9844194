internal import BoxEngine
internal import BoxModel
internal import BoxReport
internal import BoxStoreTool

// The way by which the reader came to a page.

extension PageContext {
  /// Requires that the relation of an origin joins its entity and another one, in one of the two directions.
  ///
  /// The object of the origin may be gone by now; then the page says so.
  ///
  /// - Throws: ``BrowseProblem`` for an unknown entity and for another relation, with the nearest.
  func requireWay(
    from origin: RelationOrigin, to entity: EntitySchema
  ) throws(BrowseProblem) {
    let source = try self.entity(origin.entity)
    let known = Self.relations(of: source, to: entity) + Self.relations(of: entity, to: source)
    if known.contains(where: { $0.utf8.elementsEqual(origin.relation.utf8) }) { return }
    let nearest = NamePath.nearest(to: origin.relation, among: known)
    throw BrowseProblem(
      404,
      "no relation \(origin.relation) joins \(source.name) and \(entity.name)"
        + (nearest.map { "; did you mean \($0)?" } ?? ""))
  }

  /// The names of the relations whose target is an entity.
  private static func relations(of source: EntitySchema, to target: EntitySchema) -> [String] {
    source.properties.filter { $0.target == target.uid }.map(\.name)
      + source.relations.filter { $0.target == target.uid }.map(\.name)
  }

  /// The object of an origin, and its relation.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  /// - Complexity: O(log *n*).
  func way(from origin: RelationOrigin) throws -> HTMLText {
    let object: HTMLText = "\(value: origin.entity) \(origin.id.text)"
    let source = try entity(origin.entity)
    let start: HTMLText
    if try transaction.contains(source, origin.id) {
      let path = link(source, origin.id)
      start = "<a href=\"\(path)\">\(object)</a>"
    } else {
      start =
        "<span class=\"id\">\(origin.id.text)</span> <span class=\"nil\">no such \(source.name)</span>"
    }
    return """
      \(start) <span aria-hidden="true">›</span> <span>\(value: origin.relation)</span>
      """
  }
}
