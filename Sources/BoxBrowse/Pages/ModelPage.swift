internal import BoxEngine
internal import BoxMigration
internal import BoxModel
internal import BoxReport
internal import BoxStoreTool

/// The parameters of the pages about the model.
struct ModelParameters: Hashable {
  /// The number of versions of a history without a limit.
  static let defaultLimit = 50
  /// The maximum number of versions of a history.
  static let maximumLimit = 500

  /// Whether the objects of the store are counted, whatever its size.
  var counts = false
  /// Whether the answer may take a minute.
  var isPatient = false
  /// The maximum number of versions.
  var limit = Self.defaultLimit

  /// Reads the query of an address.
  ///
  /// - Parameters:
  ///   - query: The text after the question mark.
  ///   - names: The parameters that the page has.
  /// - Throws: ``BrowseProblem`` for a parameter that is unknown, given twice or without a meaning.
  init(_ query: String, _ names: [String]) throws(BrowseProblem) {
    var seen: Set<String> = []
    for (name, value) in try QueryItems.read(query) {
      guard names.contains(name) else {
        throw BrowseProblem(400, "this page has no parameter \(name)")
      }
      guard seen.insert(name).inserted else {
        throw BrowseProblem(400, "the parameter \(name) is given twice; give it once")
      }
      switch name {
      case "count": counts = try TableParameters.flag(name, value)
      case "limit":
        limit = try TableParameters.limit(value)
        if limit > Self.maximumLimit {
          throw BrowseProblem(400, "a page has at most \(Self.maximumLimit) versions")
        }
      default: isPatient = try TableParameters.patience(value)
      }
    }
  }
}

/// The model of a store: its diagram and its file.
struct ModelPage {
  /// The maximum number of entities in a drawing on a page.
  static let drawnEntities = 60
  /// The largest part of a model file on the page, in bytes.
  private static let shownSize = 256 << 10

  private let context: PageContext

  init(_ context: PageContext) { self.context = context }

  /// The page.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  /// - Complexity: O(*n*) in the size of the model.
  func answer() throws -> BrowseAnswer {
    let model = context.open.store.model
    let properties = model.entities.reduce(0) { $0 + $1.properties.count }
    let head =
      "\(counted(model.entities.count, "entity", "entities")), \(counted(properties, "property", "properties"))"
    let text = try context.transaction.modelText()
    let source = SourceReference.store(context.store.path).argument
    return try StoreFrame(context, "Model", current: .model).answer(
      200,
      """
      <div class="top"><div class="title"><h1>Model</h1><span class="soft">\(head)</span></div>
      <p class="soft">The model that the store was last opened with.</p></div>
      <div class="over"><div>\(diagram)\(file(text))</div>
      <aside aria-label="Commands"><div class="card"><h2>As a command</h2>\
      \(context.command(["show", shellQuoted(source)]))\
      \(context.command(["diagram", shellQuoted(source)]))</div></aside></div>
      """)
  }

  private var diagram: HTMLText {
    let path = context.link(.diagram)
    if context.open.store.entities.count > Self.drawnEntities {
      return "<p><a href=\"\(path)\">The diagram of the model</a></p>"
    }
    return """
      <figure class="figure"><h2>Diagram</h2><a href="\(path)">\
      <img class="diagram" src="\(path)" alt="Diagram of the entities and their relations"/></a></figure>
      """
  }

  private func file(_ text: [UInt8]) -> HTMLText {
    let shown = text.prefix(Self.shownSize)
    let part = shown.count < text.count ? "the first \(bytesText(shown.count)) of " : ""
    let path = context.link(.modelFile)
    // Half a character at the end is shown as a replacement.
    return """
      <figure class="figure"><h2>Model file</h2><pre class="file" tabindex="0" role="region" \
      aria-label="Model file">\(lines: String(decoding: shown, as: UTF8.self))</pre>\
      <div class="under"><span>\(part + bytesText(text.count))</span> <a href="\(path)">download</a></div></figure>
      """
  }
}

extension PageContext {
  /// A page with the reason why the store is compared with no model file.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  func withoutModel(
    _ title: String, _ page: BrowseAddress.StorePage, _ reason: String
  ) throws -> BrowseAnswer {
    let directory = shellOperand(store.path)
    var commands: HTMLText = ""
    for model in ["FILE", "REF:PATH"] {
      commands.append(command(["browse", option("model", model), directory]))
    }
    return try StoreFrame(self, title, current: page).answer(
      200,
      """
      <div class="top"><h1>\(title)</h1><p class="note amber" role="status">\(reason.sentence)</p>
      <p>The model file, or its version in a revision, is named where the server starts:</p>
      \(commands)</div>
      """)
  }

  /// A page that says that git has not ended yet.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  func late(_ title: String, _ page: BrowseAddress.StorePage) throws -> BrowseAnswer {
    let path = link(page, "?wait=60")
    return try StoreFrame(self, title, current: page).answer(
      200,
      """
      <div class="top"><h1>\(title)</h1><p class="note amber" role="status"><span>Git has not ended yet.</span> \
      <a href="\(path)">continue (60 s at most)</a></p></div>
      """)
  }
}
