internal import BoxConvert
internal import BoxDump
internal import BoxEngine
internal import BoxModel
internal import BoxReport
internal import BoxStorage
internal import BoxStoreTool

/// An object with its values and its relations in both directions.
struct ObjectPage {
  /// The number of objects at the end of a relation that the page lists.
  private static let listed = 100

  private let context: PageContext
  private let entity: EntitySchema
  private let id: UInt64
  private let origin: RelationOrigin?
  private let labels: ObjectLabels

  /// Finds the entity of a page.
  ///
  /// - Throws: ``BrowseProblem`` for an unknown one, and for an origin that has no relation to it.
  init(
    _ context: PageContext, _ name: String, _ id: UInt64, _ origin: RelationOrigin?
  ) throws {
    self.context = context
    entity = try context.entity(name)
    self.id = id
    self.origin = origin
    if let origin { try context.requireWay(from: origin, to: entity) }
    labels = ObjectLabels(context.transaction)
  }

  /// The page.
  ///
  /// - Throws: ``BrowseProblem`` if there is no such object, `StoreError` if the store cannot be read.
  func answer() throws -> BrowseAnswer {
    let object: DynamicObject?
    do throws(StoreError) {
      object = try context.transaction.get(entity, id)
    } catch {
      guard case .damagedRecord = error else { throw error }
      let note: HTMLText = "<p class=\"note red\">\(error.description.sentence)</p>"
      return try frame("\(entity.name) \(id)", note, "")
    }
    guard let object else { throw try context.missing(entity, id) }
    var title = "\(entity.name) \(id)"
    if let label = labels.property(of: entity),
      case .string(let text)? = object.value(named: label.name),
      !text.isEmpty
    {
      title = String(String.UnicodeScalarView(text.unicodeScalars.prefix(120)))
    }
    return try frame(title, "", try properties(object))
  }

  private func frame(
    _ title: String, _ note: HTMLText, _ properties: HTMLText
  ) throws -> BrowseAnswer {
    let words = [
      "store", "get", shellOperand(context.store.path), shellQuoted(NamePath.quoted(entity.name)),
      "\(id)",
    ]
    return try StoreFrame(context, title, current: .table(entity: entity.name)).answer(
      200,
      """
      <div class="top">\(try way())
      <div class="title"><h1>\(value: title)</h1><span class="soft">\(value: entity.name) \(id.text)</span>\
      <span class="grow"></span>\(try neighbours())</div>\(note)</div>
      <div class="object"><dl class="props">
      \(properties)\(try targets())</dl>
      <aside aria-label="Relations and the record">\(try sources())
      <div class="card"><h2>As a command</h2>\(context.command(words))</div></aside></div>
      """)
  }

  /// The way by which the reader came.
  private func way() throws -> HTMLText {
    let table = context.link(.table(entity: entity.name))
    var text: HTMLText = #"<nav class="crumbs" aria-label="Path">"#
    if let origin {
      text.append(
        "\(try context.way(from: origin)) <span aria-hidden=\"true\">›</span> ")
    }
    text.append(
      "<a href=\"\(table)\">\(value: entity.name)</a> <span aria-hidden=\"true\">›</span> <span>\(id.text)</span></nav>"
    )
    return text
  }

  private func neighbours() throws -> HTMLText {
    func neighbour(_ from: UInt64, _ direction: VisitDirection) throws -> UInt64? {
      var found: UInt64?
      do {
        try context.transaction.visit(entity, from: from, direction) { id, _ in
          found = id
          return .stop
        }
      } catch StoreError.damagedRecord(_, let id, _) {
        found = id
      }
      return found
    }
    var text: HTMLText = #"<span class="actions">"#
    if id > 0, let before = try neighbour(id - 1, .backward) {
      let path = context.link(entity, before)
      text.append("<a class=\"button\" rel=\"prev\" href=\"\(path)\">‹ \(before.text)</a> ")
    }
    if id < .max, let after = try neighbour(id + 1, .forward) {
      let path = context.link(entity, after)
      text.append("<a class=\"button\" rel=\"next\" href=\"\(path)\">\(after.text) ›</a>")
    }
    text.append("</span>")
    return text
  }

  // MARK: - Values

  private func properties(_ object: DynamicObject) throws -> HTMLText {
    var text: HTMLText = ""
    if entity.idPosition == nil { text.append(row("id", "id", "\(id.text)")) }
    for (position, property) in entity.properties.enumerated() {
      if position == entity.idPosition {
        text.append(row(property.name, "id", "\(id.text)"))
        continue
      }
      let value = object.values[position]
      if let target = property.target {
        text.append(
          row(property.name, toOneNote(target), try toOne(value, property, target)))
        continue
      }
      let view = try ValueView(property, of: entity, context.open, zone: context.zone)
      let download = context.link(
        .value(entity: entity.name, id: id, property: property.name))
      var shown = view.page(value, download)
      if case .floats(let elements) = value, !elements.isEmpty {
        shown.append(
          "<div class=\"under\"><a href=\"\(neighbours(by: property))\">nearest to this</a></div>")
      }
      text.append(row(property.name, note(property), shown))
    }
    return text
  }

  /// The path of the table of the objects whose vectors are nearest to the one of this object.
  private func neighbours(by property: PropertySchema) -> String {
    var parameters = TableParameters()
    (parameters.nearest, parameters.object) = (NamePath.quoted(property.name), id)
    parameters.zone = context.zoneName
    return context.link(.table(entity: entity.name), parameters.text)
  }

  private func note(_ property: PropertySchema) -> String {
    let type = StoredType(property.modelType, property.flags)?.description ?? "unknown type"
    return type + (property.index.map { " · index" + ($0.isUnique ? ", unique" : "") } ?? "")
  }

  private func toOneNote(_ target: UID) -> String {
    "to one \(context.open.store.entity(target)?.name ?? "object of a hidden entity")"
  }

  private func toOne(
    _ value: Value, _ property: PropertySchema, _ target: UID
  ) throws -> HTMLText {
    guard case .unsigned(let other) = value, other != 0 else {
      return #"<span class="nil">null</span>"#
    }
    guard let target = context.open.store.entity(target) else { return "\(other.text)" }
    return try context.link(
      target, other, labels, from: RelationOrigin(entity.name, id, property.name))
  }

  private func row(_ name: String, _ note: String, _ value: HTMLText) -> HTMLText {
    "<div><dt>\(value: name)<small>\(note)</small></dt><dd data-name=\"\(name)\">\(value)</dd></div>\n"
  }

  // MARK: - Relations

  private func targets() throws -> HTMLText {
    var text: HTMLText = ""
    for relation in entity.relations {
      let target = context.open.store.entity(relation.target)
      let end = TargetCount.targets(relation)
      let count = try context.transaction.count(end, of: id) ?? 0
      let note = "to many \(target?.name ?? "objects of a hidden entity")"
      guard let target, count > 0 else {
        let none: HTMLText = count == 0 ? #"<span class="nil">[ ]</span>"# : "\(grouped(count))"
        text.append(row(relation.name, note, none))
        continue
      }
      let origin = RelationOrigin(entity.name, id, relation.name)
      var list: HTMLText = #"<ul class="people">"#
      for other in try context.transaction.ids(end, of: id, limit: Self.listed) {
        list.append("<li>\(try context.link(target, other, labels, from: origin))</li>\n")
      }
      let path = context.targets(of: relation, entity, id)
      let shown = count > Self.listed ? "the first \(Self.listed) of " : ""
      list.append(
        """
        </ul><div class="under"><span>\(shown + counted(count, "object"))</span> <a href="\(path)">as a table</a></div>
        """)
      text.append(row(relation.name, note, list))
    }
    return text
  }

  /// The relations whose target is the object.
  private func sources() throws -> HTMLText {
    var items: HTMLText = ""
    for source in context.open.store.entities {
      for property in source.properties where property.target == entity.uid {
        let count = try context.transaction.count(.backlinks(source, property), of: id)
        let condition = "\(NamePath.quoted(property.name)) == \(id)"
        items.append(item(source, property.name, condition, count))
      }
      for relation in source.relations where relation.target == entity.uid {
        let count = try context.transaction.count(.sources(relation), of: id)
        let condition = "any(\(NamePath.quoted(relation.name)), \(context.idName(entity)) == \(id))"
        items.append(item(source, relation.name, condition, count))
      }
    }
    if items.utf8.isEmpty { return "" }
    return "<div class=\"card\"><h2>Relations to this object</h2><ul>\(items)</ul></div>"
  }

  private func item(
    _ source: EntitySchema, _ name: String, _ condition: String, _ count: Int?
  ) -> HTMLText {
    let path = context.sources(source, condition, from: RelationOrigin(entity.name, id, name))
    let number = count.map { grouped($0) } ?? "look for them"
    return """
      <li><a href="\(path)"><span class="grow">\(value: source.name) by \(value: name)</span> \
      <span class="count">\(number)</span></a></li>

      """
  }
}

extension PageContext {
  /// A value of an object as a file.
  ///
  /// - Throws: ``BrowseProblem`` if there is no such object or no such property, `StoreError` if the store
  ///   cannot be read.
  func download(_ name: String, _ id: UInt64, _ property: String) throws -> BrowseAnswer {
    let entity = try entity(name)
    guard let schema = entity.property(named: property) else {
      let nearest = NamePath.nearest(to: property, among: entity.properties.map(\.name))
      throw BrowseProblem(
        404,
        "\(entity.name) has no property \(property)"
          + (nearest.map { "; did you mean \($0)?" } ?? ""))
    }
    guard let object = try transaction.get(entity, id) else { throw try missing(entity, id) }
    let (bytes, ending): ([UInt8], String)
    switch object.value(named: schema.name) ?? .null {
    case .null: throw BrowseProblem(404, "\(entity.name) \(id) has no value for \(property)")
    case .string(let text): (bytes, ending) = (Array(text.utf8), "txt")
    case .bytes(let value): (bytes, ending) = (value, "bin")
    default:
      var cells = RowCells(.json)
      try transaction.get(entity, id) { record in
        try cells.append(ColumnForm(schema, of: entity, ValueForm()), id, record)
        cells.endCell()
      }
      (bytes, ending) = (Array(cells[0]) + [0x0A], "json")
    }
    var answer = BrowseAnswer(200, "application/octet-stream", bytes)
    answer.fields.append(StoreAnswers.attachment("\(entity.name)-\(id)-\(property)", ending))
    return answer
  }
}
