internal import BoxDump
internal import BoxEngine
internal import BoxJSON
internal import BoxModel
internal import BoxReport
internal import BoxStorage
internal import BoxStoreTool

/// A page of the objects of an entity that fulfil a condition, in an order.
struct TablePage {
  /// The time for which objects are counted.
  static let countLimit = Duration.seconds(1)

  let context: PageContext
  let entity: EntitySchema
  let parameters: TableParameters
  private let columns: [TableColumn]
  private let order: [QueryOrder]

  /// Finds the names of a page.
  ///
  /// - Throws: ``BrowseProblem`` for an unknown entity, ``CommandFailure`` or `ConditionError` for an unknown
  ///   column or an order that cannot be read.
  init(_ context: PageContext, _ name: String, _ parameters: TableParameters) throws {
    let entity = try context.entity(name)
    self.context = context
    self.entity = entity
    self.parameters = parameters
    if let origin = parameters.origin { try context.requireWay(from: origin, to: entity) }
    if let limit = parameters.limit, limit > TableParameters.maximumLimit {
      throw BrowseProblem(400, "a page has at most \(TableParameters.maximumLimit) rows")
    }
    columns =
      try parameters.select.map { paths in
        var seen: Set<String> = []
        return try paths.compactMap { path in
          guard let column = try TableColumn(path, of: entity, context) else { return nil }
          if seen.insert(column.path).inserted { return column }
          throw BrowseProblem(400, "'\(path)' is selected twice; name it once")
        }
      } ?? TableColumn.all(of: entity, context)
    order =
      try parameters.order.map { try [QueryOrder](order: $0) }?.map { $0.naming(in: entity) } ?? []
  }

  /// The page.
  ///
  /// - Throws: `StoreError` if the store cannot be read, ``BrowseProblem`` for a place that there is not.
  func answer() throws -> BrowseAnswer {
    let query: PreparedQuery
    do throws(CommandFailure) {
      query = try context.open.query(entity, parameters.condition)
    } catch {
      return try frame(400, try top(nil, problem: error))
    }
    if let nearest = parameters.nearest, let object = parameters.object {
      return try neighbours(query, NearestVector(nearest, of: object))
    }
    let ordered = try query.ordered(by: order)
    let (start, isReversed) = try start(of: ordered)
    let labels = ObjectLabels(context.transaction)
    let rows = try TableRows(
      ordered, after: start, isReversed: isReversed,
      limit: parameters.limit ?? TableParameters.defaultLimit, in: context.transaction
    ) { try cells($0, $1, labels) }
    let count = try self.count(query, rows)
    let plan = try explanation(of: ordered)
    var content = try top(heading(count), problem: nil)
    content.append(
      """
      <div id="rows">\(plan)\(notes(rows, ordered, isReversed))\(table(rows))\(try pages(rows, ordered, isReversed))</div>
      """)
    return try frame(200, content)
  }

  private func cells(
    _ id: UInt64, _ record: borrowing RecordView, _ labels: ObjectLabels
  ) throws -> HTMLText {
    var cells: HTMLText = ""
    for column in columns {
      let cell = try column.cell(entity, id, record, context, labels)
      let kind: HTMLText = column.isNumber ? #" class="num""# : ""
      cells.append("<td role=\"cell\"\(kind) data-name=\"\(column.title)\">\(cell)</td>")
    }
    return cells
  }

  /// The page of the objects whose vectors are nearest to the vector of an object.
  private func neighbours(_ query: PreparedQuery, _ nearest: NearestVector) throws -> BrowseAnswer {
    let limit = parameters.limit ?? TableParameters.defaultNeighbours
    let labels = ObjectLabels(context.transaction)
    var rows: [TableRows.Row] = []
    do {
      let vector = try context.vector(nearest, of: entity)
      try context.transaction.neighbours(query, vector, maximum: limit).visit(
        in: context.transaction
      ) { id, record, distance in
        var cells = try cells(id, record, labels)
        cells.append(
          "<td role=\"cell\" class=\"num\" data-name=\"distance\">\("\(Float(distance))")</td>")
        rows.append(TableRows.Row(id: id, cells: cells))
        return .next
      }
    } catch StoreError.interrupted where !context.cancellation.isRequested {
      throw BrowseProblem(
        503, "a look at all vectors takes longer; add a condition, which leaves fewer")
    }
    var content = try top(heading(.exact(rows.count)), problem: nil)
    content.append(
      "<div id=\"rows\">\(try explanation(of: query, nearest))\(table(TableRows(rows)))</div>")
    return try frame(200, content)
  }

  private func frame(_ status: Int, _ content: HTMLText) throws -> BrowseAnswer {
    try StoreFrame(context, entity.name, current: .table(entity: entity.name)).answer(
      status, content)
  }

  /// The path of the same question with a change.
  func link(_ change: (inout TableParameters) -> Void) -> String {
    var parameters = parameters
    parameters.isPatient = false
    change(&parameters)
    return context.link(.table(entity: entity.name), parameters.text)
  }

  // MARK: - Places

  /// The place after which the rows begin, and whether they are read backwards from it.
  private func start(
    of query: PreparedQuery
  ) throws -> (place: ListKey?, isReversed: Bool) {
    switch parameters.place {
    case .first: return (nil, false)
    case .last: return (nil, true)
    case .after(let text): return (try place(text, query), false)
    case .before(let text): return (try place(text, query), true)
    case .id(let id):
      guard try context.transaction.contains(entity, id),
        let place = try context.transaction.place(before: id, in: query)
      else { throw try context.missing(entity, id) }
      return (place, false)
    }
  }

  private func place(_ text: String, _ query: PreparedQuery) throws -> ListKey {
    switch try TableCursor(text, order) {
    case .place(let place): return place
    case .object(let id):
      if let place = try context.transaction.place(of: id, in: query) { return place }
      throw BrowseProblem(
        410, "\(entity.name) \(id), at which this page began, is gone; begin at the first page")
    }
  }

  private func cursor(_ row: TableRows.Row?, _ query: PreparedQuery) throws -> String? {
    guard let row else { return nil }
    // Of a damaged record the id is known alone, and then ids are the order.
    let place =
      row.isDamaged ? ListKey(id: row.id) : try context.transaction.place(of: row.id, in: query)
    return place.map { TableCursor($0).text(order) }
  }

  // MARK: - The question

  private func top(_ heading: HTMLText?, problem: CommandFailure?) throws -> HTMLText {
    """
    <div class="top">\(try way())<div class="title"><h1>\(value: entity.name)</h1>\(heading ?? "")</div>
    \(form(problem))
    <div class="tools">\(columnChoice)<span class="grow"></span>\(problem == nil ? exports : "")\(command)</div></div>

    """
  }

  /// The way by which the reader came.
  private func way() throws -> HTMLText {
    guard let origin = parameters.origin else { return "" }
    return "<nav class=\"crumbs\" aria-label=\"Path\">\(try context.way(from: origin))</nav>"
  }

  private func form(_ problem: CommandFailure?) -> HTMLText {
    let path = context.link(.table(entity: entity.name))
    let raw = parameters.isRaw ? "&raw=1" : ""
    let help = context.link(.complete, "?entity=" + PercentText.value(entity.name) + raw)
    let bad: HTMLText = problem == nil ? "" : #" aria-invalid="true" aria-describedby="problem""#
    var hidden: HTMLText = ""
    for (name, value) in parameters.kept where !["where", "order-by"].contains(name) {
      hidden.append("<input type=\"hidden\" name=\"\(name)\" value=\"\(exactly: value)\"/>")
    }
    return """
      <form class="ask" method="get" action="\(path)">
      <label for="where">Condition</label>
      <textarea class="where" id="where" name="where" rows="1" spellcheck="false" autocomplete="off" \
      autocapitalize="off" data-complete="\(help)"\(bad)>\(exactly: parameters.condition ?? "")</textarea>
      \(orderField)\(hidden)
      <button class="primary" type="submit">Show</button>
      \(problem.map(explanation) ?? "")</form>
      """
  }

  /// The field of the order; none where the distance is the order.
  private var orderField: HTMLText {
    if let nearest = parameters.nearest, let object = parameters.object {
      return
        "<span></span><span class=\"soft\">nearest to \(value: entity.name) \(object.text) by \(value: nearest)</span>"
    }
    return """
      <label for="order">Order</label>
      <input class="order" id="order" name="order-by" spellcheck="false" autocomplete="off" autocapitalize="off" \
      value="\(exactly: parameters.order ?? "")"/>
      """
  }

  /// An error in the condition, with its place underlined.
  private func explanation(_ problem: CommandFailure) -> HTMLText {
    let problem = ConditionProblem(problem)
    let message: HTMLText = "<p class=\"problem\" id=\"problem\">\(problem.message)</p>"
    guard let line = problem.line else { return message }
    return """
      \(message)
      <pre class="place">\(line.before)<mark class="err">\(line.part)</mark>\(line.after)</pre>
      """
  }

  private var columnChoice: HTMLText {
    let shown = Set(columns.map(\.path))
    let path = context.link(.table(entity: entity.name))
    var boxes: HTMLText = ""
    let known = (try? TableColumn.all(of: entity, context)) ?? []
    for column in known + columns.filter({ column in !known.contains { $0.path == column.path } }) {
      let mark: HTMLText = shown.contains(column.path) ? #" checked="checked""# : ""
      boxes.append(
        """
        <label><input type="checkbox" name="select" value="\(exactly: column.path)"\(mark)/> \(column.title) \
        <small>\(column.note)</small></label>
        """)
    }
    var hidden: HTMLText = ""
    for (name, value) in parameters.kept where name != "select" {
      hidden.append("<input type=\"hidden\" name=\"\(name)\" value=\"\(exactly: value)\"/>")
    }
    return """
      <details class="drop"><summary class="button">Columns</summary><div>
      <form method="get" action="\(path)">\(hidden)\(boxes)<button type="submit">Show these</button></form></div></details>
      """
  }

  /// The same columns by name, as the command and exports have them.
  private var named: TableParameters {
    var named = parameters
    if named.select == nil, !entity.relations.isEmpty {
      named.select = [context.idName(entity)] + columns.map(\.path)
    }
    return named
  }

  private var exports: HTMLText {
    var links: HTMLText = ""
    let formats: [(QueryFormat, String)] = [
      (.csv, "CSV"), (.ndjson, "NDJSON"), (.json, "JSON"), (.markdown, "Markdown"), (.html, "HTML"),
    ]
    for (format, name) in formats {
      let path = context.link(.export(entity: entity.name, format), named.exportText)
      links.append("<a href=\"\(path)\" download=\"download\">\(name)</a>")
    }
    return
      "<details class=\"drop right\"><summary class=\"button\">Export</summary><div>\(links)</div></details>"
  }

  private var command: HTMLText {
    """
    <details class="drop right"><summary class="button">As a command</summary><div>\(context.command(words))</div>\
    </details>
    """
  }

  /// The words of the command.
  var words: [String] {
    let words = [
      "query", shellOperand(context.store.path), shellQuoted(NamePath.quoted(entity.name)),
    ]
    return words
      + named.options.map { name, value in
        value.map { "\\\n  " + context.option(name, TypedText.of($0)) } ?? "--\(name)"
      }
  }

  // MARK: - Rows

  private func notes(
    _ rows: TableRows, _ query: PreparedQuery, _ isReversed: Bool
  ) -> HTMLText {
    switch rows.end {
    case .last, .more: return ""
    case .deadline(let place, let looked):
      let cursor = TableCursor(place).text(order)
      let path = link { $0.place = isReversed ? .before(cursor) : .after(cursor) }
      let all = (try? context.transaction.count(entity)).map { " of \(grouped($0))" } ?? ""
      return note(
        "\(grouped(rows.rows.count)) found among \(grouped(looked))\(all) objects that were looked at",
        "<a href=\"\(path)\">continue</a>")
    case .unordered:
      let path = link { $0.isPatient = true }
      let patience: HTMLText = "<a href=\"\(path)\">continue (60 s at most)</a>"
      if order.isEmpty { return note("The condition takes longer", patience) }
      let count = (try? context.transaction.count(entity)) ?? 0
      let sorted = columns.first { $0.note.contains("index") && $0.order != nil }
      let other = sorted?.order.map { name in
        " · <a href=\"\(link { $0 = $0.atStart; $0.order = name })\">order by \(name) (index)</a>"
          as HTMLText
      }
      return note(
        "Ordering \(counted(count, "object")) takes longer",
        "\(patience)\(other ?? "")")
    case .damaged(let text):
      let path = link {
        $0 = $0.atStart; $0.order = nil
      }
      return note(
        text.sentence, "<a href=\"\(path)\">order by id, which shows the others</a>", "red")
    }
  }

  func note(_ text: String, _ links: HTMLText, _ kind: String = "amber") -> HTMLText {
    "<p class=\"note \(kind)\" role=\"status\"><span>\(text)</span> \(links)</p>\n"
  }

  private func table(_ rows: TableRows) -> HTMLText {
    var body: HTMLText = ""
    for row in rows.rows {
      let path = context.link(entity, row.id)
      let id: HTMLText =
        "<th role=\"rowheader\" scope=\"row\" class=\"num\"><a href=\"\(path)\">\(row.id.text)</a></th>"
      if row.isDamaged {
        body.append(
          """
          <tr role="row" class="damaged">\(id)<td role="cell" colspan="\(String(max(1, columns.count)))">\(row.cells)</td></tr>

          """)
      } else {
        body.append("<tr role=\"row\">\(id)\(row.cells)</tr>\n")
      }
    }
    if rows.rows.isEmpty {
      body.append(
        "<tr role=\"row\"><td role=\"cell\" class=\"soft\" colspan=\"\(String(columns.count + 1))\">no objects</td></tr>"
      )
    }
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="Objects"><table class="data" role="table">\
      <caption class="hide">\(value: entity.name)</caption>
      <thead><tr>\(headings)</tr></thead>
      <tbody>
      \(body)</tbody></table></div>

      """
  }

  private var headings: HTMLText {
    var text = heading(
      context.idName(entity), "id", context.idName(entity), isNumber: true)
    for column in columns {
      text.append(heading(column.title, column.note, column.order, isNumber: column.isNumber))
    }
    if parameters.nearest != nil {
      text.append(heading("distance", "nearest first", nil, isNumber: true))
    }
    return text
  }

  private func heading(
    _ title: String, _ note: String, _ name: String?, isNumber: Bool
  ) -> HTMLText {
    let rank = name.flatMap { name in
      order.firstIndex { NamePath.quoted($0.property).utf8.elementsEqual(name.utf8) }
    }
    let isDescending = rank.map { order[$0].isDescending } ?? false
    var kind: HTMLText = isNumber ? #" class="num""# : ""
    if rank != nil {
      kind.append(isDescending ? #" aria-sort="descending""# : #" aria-sort="ascending""#)
    }
    guard let name, let path = orderLink(name, rank, isDescending) else {
      return "<th scope=\"col\"\(kind)>\(title)<small>\(note)</small></th>"
    }
    let mark = rank.map { (isDescending ? "↓" : "↑") + (order.count > 1 ? " \($0 + 1)" : "") } ?? ""
    return """
      <th scope="col"\(kind)><a href="\(path)">\(title)</a> <span class="ord">\(mark)</span><small>\(note)</small></th>
      """
  }

  /// The path of the same question ordered by a property, the other way round if it is the order already.
  private func orderLink(_ name: String, _ rank: Int?, _ isDescending: Bool) -> String? {
    if entity.idPosition == nil, name == "id", entity.property(named: "id") == nil { return nil }
    return link {
      $0 = $0.atStart
      ($0.nearest, $0.object) = (nil, nil)
      $0.order = rank == 0 && !isDescending ? name + " desc" : name
    }
  }

  // MARK: - Pages

  private func pages(
    _ rows: TableRows, _ query: PreparedQuery, _ isReversed: Bool
  ) throws -> HTMLText {
    let hasMore = rows.end == .more
    let isFirst = isReversed ? rows.end == .last : parameters.place == .first
    let isLast = isReversed ? parameters.place == .last : rows.end == .last
    let before = isReversed && !hasMore ? nil : try cursor(rows.rows.first, query)
    let after = !isReversed && !hasMore ? nil : try cursor(rows.rows.last, query)
    var previous = before.map { cursor in link { $0.place = .before(cursor) } }
    // Of a page without rows that is not the first one, all rows are before it.
    if rows.rows.isEmpty, rows.end == .last, !isReversed { previous = link { $0.place = .last } }
    let path = context.link(.table(entity: entity.name))
    var hidden: HTMLText = ""
    for (name, value) in parameters.kept {
      hidden.append("<input type=\"hidden\" name=\"\(name)\" value=\"\(exactly: value)\"/>")
    }
    return """
      <nav class="pages" aria-label="Pages">
      \(button("First", isFirst ? nil : link { $0.place = .first }))
      \(button("‹ Previous", isFirst ? nil : previous, "prev"))
      \(button("Next ›", isLast ? nil : after.map { cursor in link { $0.place = .after(cursor) } }, "next"))
      \(button("Last", isLast ? nil : link { $0.place = .last }))
      <span class="grow"></span><span class="soft">\(counted(rows.rows.count, "row"))</span>
      <form method="get" action="\(path)">\(hidden)<label for="go">Go to id</label> \
      <input id="go" name="id" inputmode="numeric" autocomplete="off"/> <button type="submit">Go</button></form>
      </nav>
      """
  }

  private func button(_ title: String, _ path: String?, _ rel: String? = nil) -> HTMLText {
    guard let path else { return "<span class=\"button\" aria-disabled=\"true\">\(title)</span>" }
    let rel: HTMLText = rel.map { " rel=\"\($0)\"" } ?? ""
    return "<a class=\"button\" href=\"\(path)\"\(rel)>\(title)</a>"
  }
}
