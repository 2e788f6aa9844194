internal import BoxConvert
internal import BoxDump
internal import BoxEngine
internal import BoxModel
internal import BoxReport
internal import BoxStoreTool

/// A column of a table beside the ids.
struct TableColumn {
  /// The number of values of a path that a cell shows.
  private static let shownValues = 3

  /// The path as `--select` takes it.
  let path: String
  /// The path in the heading.
  let title: String
  /// The type and the index in the heading.
  let note: String
  /// The name by which rows can be ordered; nil for none.
  let order: String?
  /// Whether the cells stand at the right.
  let isNumber: Bool
  private let kind: Kind

  private enum Kind {
    case own(QueryColumn, ValueView)
    case path(QueryColumn, ValueView)
    case toOne(QueryColumn, EntitySchema?)
    case toMany(RelationSchema, EntitySchema?)
  }

  /// The columns of an entity: its properties without the id, and its relations.
  ///
  /// - Throws: `DumpError` or `ConditionError` if a converter does not fit its property.
  static func all(of entity: EntitySchema, _ context: PageContext) throws -> [TableColumn] {
    let names = entity.properties.indices.filter { $0 != entity.idPosition }.map {
      entity.properties[$0].name
    }
    let relations = entity.relations.map(\.name).filter { entity.property(named: $0) == nil }
    return try (names + relations).compactMap {
      try TableColumn(NamePath.quoted($0), of: entity, context)
    }
  }

  /// The column of a path; nil for the id, which every row has.
  ///
  /// - Throws: `ConditionError` for a name that there is not, with the nearest, `DumpError` if a converter
  ///   does not fit the property.
  init?(_ path: String, of entity: EntitySchema, _ context: PageContext) throws {
    let store = context.open.store
    let single = NamePath.name(path) { entity.hasMember(named: $0) || $0 == entity.addedIDName }
    if single == entity.addedIDName { return nil }
    if let relation = entity.relation(named: single), entity.property(named: single) == nil {
      let target = store.entity(relation.target)
      self.path = NamePath.quoted(single)
      (title, isNumber, order) = (single, false, nil)
      note = "to many \(target?.name ?? "objects of a hidden entity")"
      kind = .toMany(relation, target)
      return
    }
    let column = try store.column(path, of: entity)
    let property = column.property
    if column.isOwn, property.flags.contains(.id) { return nil }
    self.path = column.path.description
    title = column.name
    if column.isOwn, let target = property.target {
      let target = store.entity(target)
      note = "to one \(target?.name ?? "object of a hidden entity")" + Self.indexNote(property)
      (order, isNumber) = (NamePath.quoted(property.name), false)
      kind = .toOne(column, target)
      return
    }
    let view = try ValueView(property, of: column.entity, context.open, zone: context.zone)
    let type = StoredType(property.modelType, property.flags)?.description ?? "unknown type"
    note = type + Self.indexNote(property)
    isNumber = view.isNumber && !column.isToMany
    order = column.isOwn && !column.isVector ? NamePath.quoted(property.name) : nil
    kind = column.isOwn ? .own(column, view) : .path(column, view)
  }

  private static func indexNote(_ property: PropertySchema) -> String {
    property.index.map { " · index" + ($0.isUnique ? ", unique" : "") } ?? ""
  }

  /// The cell of an object.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  /// - Complexity: O(log *n*) for each object on a path.
  func cell(
    _ entity: EntitySchema, _ id: UInt64, _ record: borrowing RecordView, _ context: PageContext,
    _ labels: ObjectLabels
  ) throws -> HTMLText {
    let transaction = context.transaction
    switch kind {
    case .own(let column, let view):
      return view.cell(try transaction.values(column, id, record).first ?? .null)
    case .path(let column, let view):
      let values = try transaction.values(column, id, record)
      guard column.isToMany else { return view.cell(values.first ?? .null) }
      if values.isEmpty { return #"<span class="nil">[ ]</span>"# }
      var text: HTMLText = #"<span class="list">"#
      for value in values.prefix(Self.shownValues) {
        text.append("<span class=\"tag\">\(view.cell(value))</span> ")
      }
      if values.count > Self.shownValues {
        text.append("<span class=\"soft\">… of \(grouped(values.count))</span>")
      }
      text.append("</span>")
      return text
    case .toOne(let column, let target):
      guard case .unsigned(let other)? = try transaction.values(column, id, record).first,
        other != 0
      else { return #"<span class="nil">null</span>"# }
      guard let target else { return "\(other.text)" }
      return try context.link(
        target, other, labels, from: RelationOrigin(entity.name, id, title))
    case .toMany(let relation, let target):
      return try targets(relation, target, entity, id, context, labels)
    }
  }

  private func targets(
    _ relation: RelationSchema, _ target: EntitySchema?, _ entity: EntitySchema, _ id: UInt64,
    _ context: PageContext, _ labels: ObjectLabels
  ) throws -> HTMLText {
    let count = try context.transaction.count(.targets(relation), of: id) ?? 0
    guard let target, count > 0,
      let first = try context.transaction.ids(.targets(relation), of: id, limit: 1).first
    else {
      return count == 0
        ? #"<span class="nil">[ ]</span>"# : "<span class=\"count\">\(grouped(count))</span>"
    }
    let origin = RelationOrigin(entity.name, id, relation.name)
    let more: HTMLText = count > 1 ? "<span class=\"soft\">, …</span>" : ""
    return """
      <a class="count" href="\(context.targets(of: relation, entity, id))">\(grouped(count))</a> \
      \(try context.link(target, first, labels, from: origin))\(more)
      """
  }
}

extension PageContext {
  /// The path of the table of the targets of a relation to many.
  func targets(of relation: RelationSchema, _ entity: EntitySchema, _ id: UInt64) -> String {
    guard let target = open.store.entity(relation.target) else { return link(.overview) }
    let back = "any(\(NamePath([entity.name, relation.name])), \(idName(entity)) == \(id))"
    return table(target, back, from: RelationOrigin(entity.name, id, relation.name))
  }

  /// The path of the table of the objects that have an object as the target of a relation.
  func sources(_ source: EntitySchema, _ condition: String, from origin: RelationOrigin) -> String {
    table(source, condition, from: origin)
  }

  private func table(
    _ entity: EntitySchema, _ condition: String, from origin: RelationOrigin
  ) -> String {
    var parameters = TableParameters()
    (parameters.condition, parameters.zone) = (condition, zoneName)
    parameters.origin = origin
    return link(.table(entity: entity.name), parameters.text)
  }

  /// The name of the id of an entity in conditions.
  func idName(_ entity: EntitySchema) -> String {
    entity.idPosition.map { NamePath.quoted(entity.properties[$0].name) } ?? "id"
  }
}
