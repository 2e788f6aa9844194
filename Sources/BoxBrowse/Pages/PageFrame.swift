internal import BoxEngine
internal import BoxReport
internal import BoxStoreTool

/// A page without a store around it.
struct PlainPage {
  private let server: BrowseServer
  private let title: String

  init(_ server: BrowseServer, _ title: String) {
    self.server = server
    self.title = title
  }

  func html(_ content: HTMLText) -> HTMLText {
    """
    \(PageParts.head(server, title))
    <body>
    <header class="bar">\(PageParts.brand(server.address(.stores)))</header>
    <main id="main" tabindex="-1"><div class="top"><h1>\(title)</h1>\(content)</div></main>
    </body>
    </html>

    """
  }
}

/// The parts that every page has.
enum PageParts {
  static func head(_ server: BrowseServer, _ title: String) -> HTMLText {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8"/>
    <meta name="viewport" content="width=device-width, initial-scale=1"/>
    <meta name="color-scheme" content="light dark"/>
    <title>\(title) – BoxJoint</title>
    <link rel="stylesheet" href="\(server.address(.asset(.style)))"/>
    <script type="module" src="\(server.address(.asset(.script)))"></script>
    <link rel="icon" type="image/svg+xml" href="\(server.address(.asset(.icon)))"/>
    </head>
    """
  }

  static func brand(_ path: String) -> HTMLText {
    """
    <a class="skip" href="#main">Skip to the content</a>
    <a class="brand" href="\(path)"><svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">\
    <path class="a" d="M2 2h18v5h-9v4h9v4h-9v5H2z"/><path class="b" d="M12 8h8v2h-8zM12 16h8v4h-8z"/></svg>\
    <span>BoxJoint</span></a>
    """
  }
}

/// A page of a store: the bar, the entities and the content.
struct StoreFrame {
  /// The maximum number of entities beside a page; the overview has all.
  private static let maximumEntities = 100

  private let context: PageContext
  private let title: String
  private let current: BrowseAddress.StorePage?

  /// Creates the frame of a page.
  ///
  /// - Parameters:
  ///   - context: What the page is made of.
  ///   - title: The title of the window, before the name of the store.
  ///   - current: The page that the navigation marks.
  init(_ context: PageContext, _ title: String, current: BrowseAddress.StorePage?) {
    self.context = context
    self.title = title
    self.current = current
  }

  /// The answer with the content in the frame.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  func answer(_ status: Int, _ content: HTMLText) throws -> BrowseAnswer {
    let store = context.store
    let number = String(try context.transaction.number)
    let news = store.takeNews().map { news in
      "<div class=\"top\"><p class=\"note\" role=\"status\">\(news)</p></div>" as HTMLText
    }
    return BrowseAnswer(
      status,
      html: """
        \(PageParts.head(context.server, title + " – " + store.name))
        <body data-state="\(context.link(.state))" data-transaction="\(number)" data-opening="\(String(store.openings))">
        <header class="bar">
        \(PageParts.brand(context.link(.overview)))
        <button class="menu" popovertarget="nav">Entities</button>
        \(stores)
        <span class="grow"></span>
        <span class="pill">read only</span>
        <span class="pill" id="live">transaction \(number)</span>
        </header>
        \(try navigation())
        <main id="main" tabindex="-1">
        \(news ?? "")\(content)
        </main>
        </body>
        </html>

        """)
  }

  private var stores: HTMLText {
    let name = context.store.name
    guard context.server.stores.count > 1 else { return "<b>\(value: name)</b>" }
    var list: HTMLText = ""
    for store in context.server.stores {
      let path = context.server.address(.page(store: store.name, .overview))
      let mark: HTMLText = store === context.store ? #" aria-current="true""# : ""
      list.append("<a href=\"\(path)\"\(mark)>\(value: store.name)</a>")
    }
    return
      "<details class=\"drop\"><summary class=\"button ghost\">\(value: name)</summary><div>\(list)</div></details>"
  }

  private func navigation() throws -> HTMLText {
    let entities = context.open.store.entities
    let counts = try entities.prefix(Self.maximumEntities).map {
      ($0, try context.transaction.count($0))
    }
    let largest = counts.map(\.1).max() ?? 0
    var list: HTMLText = ""
    for (entity, count) in counts {
      let page = BrowseAddress.StorePage.table(entity: entity.name)
      let share = largest == 0 ? 0 : Int((Double(count) / Double(largest) * 100).rounded(.up))
      list.append(
        """
        <li><a href="\(context.link(page))"\(mark(page))>\(value: entity.name) <span>\(grouped(count))</span>\
        <svg aria-hidden="true" width="100%" height="2"><rect width="\(String(share))%" height="2"/></svg></a></li>

        """)
    }
    if entities.count > counts.count {
      list.append(
        "<li><a href=\"\(context.link(.overview))\">all \(grouped(entities.count)) entities</a></li>"
      )
    }
    return """
      <nav id="nav" popover="auto" aria-label="The store">
      <h2>Entities</h2><ul>\(list)</ul>
      <h2>Model</h2><ul>
      <li><a href="\(context.link(.model))"\(mark(.model))>Diagram and file</a></li>
      <li><a href="\(context.link(.history))"\(mark(.history))>History</a></li>
      <li><a href="\(context.link(.change))"\(mark(.change))>Change to come</a></li>
      </ul>
      <h2>Store</h2><ul>
      <li><a href="\(context.link(.overview))"\(mark(.overview))>Overview</a></li>
      <li><a href="\(context.link(.check))"\(mark(.check))>Check for damage</a></li>
      </ul></nav>
      """
  }

  private func mark(_ page: BrowseAddress.StorePage) -> HTMLText {
    page == current ? #" aria-current="page""# : ""
  }
}
