internal import BoxEngine
internal import BoxModel
internal import BoxReport
internal import BoxStorage
internal import BoxStoreTool

/// The parts of a store with their sizes.
struct OverviewPage {
  private let context: PageContext

  init(_ context: PageContext) { self.context = context }

  /// The page.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  /// - Complexity: O(*n*) in the number of entities, indexes and relations.
  func answer() throws -> BrowseAnswer {
    let store = context.open.store
    let statistics = try store.statistics()
    let status = try store.status()
    let objects = statistics.entities.reduce(0) { $0 + $1.objects.entries }
    let head =
      "\(counted(statistics.entities.filter { !$0.isHidden }.count, "entity", "entities")), "
      + "\(counted(objects, "object")), \(bytesText(status.size))"
    return try StoreFrame(context, "Overview", current: .overview).answer(
      200,
      """
      <div class="top"><div class="title"><h1>\(value: context.store.name)</h1><span class="soft">\(head)</span></div></div>
      <div class="over"><div>\(table(statistics, status.size))\(diagram)</div>
      <aside aria-label="The file">\(file(status, statistics))</aside></div>
      """)
  }

  private func table(_ statistics: StoreStatistics, _ size: Int) -> HTMLText {
    var rows: HTMLText = ""
    func row(_ kind: HTMLText, _ title: HTMLText, _ note: String, _ sizes: SpaceStatistics) {
      let share =
        size == 0 ? 0 : min(100, Int((Double(sizes.bytes) / Double(size) * 100).rounded()))
      rows.append(
        """
        <tr\(kind)><th scope="row">\(title)</th><td class="wide">\(note)</td>\
        <td class="num">\(grouped(sizes.entries))</td><td class="num">\(bytesText(sizes.bytes))</td>\
        <td class="wide"><svg role="img" aria-label="\(String(share)) % of the file" width="100%" height="8">\
        <rect width="\(String(share))%" height="8"/></svg></td></tr>

        """)
    }
    for entity in statistics.entities {
      if entity.isHidden {
        row("", "\(value: entity.name)", "hidden: not in the model", entity.objects)
        continue
      }
      let link = context.link(.table(entity: entity.name))
      row(
        "", "<a href=\"\(link)\">\(value: entity.name)</a>",
        "entity, last id \(entity.lastID)", entity.objects)
      for index in entity.indexes {
        row(
          #" class="sub""#, "\(value: index.property)",
          "index by \(index.kind.rawValue)\(index.isUnique ? ", unique" : "")", index.entries)
      }
      for relation in entity.relations {
        let target = context.open.store.entity(entity.uid)?.relation(named: relation.name)
          .flatMap { context.open.store.entity($0.target) }
        row(
          #" class="sub""#, "\(value: relation.name)",
          "relation to many \(target?.name ?? "objects of a hidden entity")", relation.entries)
      }
    }
    return """
      <table class="list"><caption class="hide">What the store has</caption><thead><tr><th scope="col">Name</th>\
      <th scope="col" class="wide">Kind</th><th scope="col" class="num">Entries</th>\
      <th scope="col" class="num">Size</th><th scope="col" class="wide"><span class="hide">Share</span></th></tr></thead>
      <tbody>
      \(rows)</tbody></table>
      """
  }

  /// The drawing of the model, the facts of which are in the table.
  private var diagram: HTMLText {
    let path = context.link(.diagram)
    let entities = context.open.store.entities
    if entities.isEmpty { return "" }
    if entities.count > ModelPage.drawnEntities {
      return "<p><a href=\"\(path)\">The diagram of the model</a></p>"
    }
    return """
      <figure class="figure"><h2 id="model">The model that it was last opened with</h2>\
      <a href="\(path)"><img class="diagram" src="\(path)" alt="Diagram of the entities and their relations"/></a></figure>
      """
  }

  private func file(_ status: StorageStatus, _ statistics: StoreStatistics) -> HTMLText {
    let free = status.freeBytes.map { ", \(bytesText($0)) of it free" } ?? ""
    var notes: HTMLText = ""
    for warning in context.open.store.warnings {
      notes.append("<p class=\"note amber\">\(warning.message.sentence)</p>")
    }
    let directory = shellOperand(context.store.path)
    return """
      <div class="card"><h2>The file</h2><dl class="facts"><dt>directory</dt><dd><code>\(value: context.store.path)</code></dd>\
      <dt>size</dt><dd>\(bytesText(status.size) + free)</dd>\
      <dt>limit</dt><dd>\(bytesText(status.limit))</dd>\
      <dt>changes</dt><dd>\(counted(Int(clamping: status.lastTransaction), "transaction"))</dd>\
      <dt>readers</dt><dd>\("\(status.readers.count) of \(status.maximumReaders)")</dd>\
      <dt>format</dt><dd>\(String(statistics.format))</dd></dl>\(notes)
      <p><a href="\(context.link(.check))">Check every record, index and relation</a></p></div>
      <div class="card"><h2>As a command</h2>\(context.command(["store", "info", directory]))</div>
      """
  }
}

/// The findings of a check of a store.
struct CheckPage {
  private let context: PageContext

  init(_ context: PageContext) { self.context = context }

  /// The page.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  /// - Complexity: O(*n* log *n*) in the number of entries, until the time is over.
  func answer() throws -> BrowseAnswer {
    let content = try findings().map { $0.isEmpty ? clean : list($0) } ?? late
    let directory = shellOperand(context.store.path)
    return try StoreFrame(context, "Check for damage", current: .check).answer(
      200,
      """
      <div class="top"><h1>Check for damage</h1>\(content)
      \(context.command(["store", "verify", directory]))</div>
      """)
  }

  /// The findings; nil if the time was over.
  private func findings() throws -> [Finding]? {
    do {
      return try context.open.store.verify()
    } catch {
      if error == .interrupted, !context.cancellation.isRequested { return nil }
      throw error
    }
  }

  private var late: HTMLText {
    """
    <p class="note amber">The check takes longer than \("\(StoreAnswers.limit.components.seconds)") s, \
    so it was ended. The command looks at everything:</p>
    """
  }

  private var clean: HTMLText {
    "<p class=\"note green\">Every record, index and relation is undamaged; this took \(context.elapsed).</p>"
  }

  private func list(_ findings: [Finding]) -> HTMLText {
    var items: HTMLText = ""
    for finding in findings {
      items.append(
        "<li><strong>\(finding.message.sentence)</strong> <span class=\"soft\">\(finding.rule.id)</span>"
      )
      if let advice = finding.advice { items.append("<p>\(advice.sentence)</p>") }
      items.append("</li>\n")
    }
    return
      "<div class=\"note red\"><p>\(counted(findings.count, "finding"))</p></div><ol class=\"findings\">\(items)</ol>"
  }
}
