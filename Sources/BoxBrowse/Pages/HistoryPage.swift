internal import BoxEngine
internal import BoxMigration
internal import BoxModel
internal import BoxReport
internal import BoxStoreTool

/// The versions of the model file in git, with the place of the store among them.
struct HistoryPage {
  private let context: PageContext
  private let versions: ModelVersions.Versions
  private let limit: Int

  /// Creates the page.
  ///
  /// - Parameters:
  ///   - context: What the page is made of.
  ///   - versions: The versions.
  ///   - limit: The maximum number of versions that were read.
  init(_ context: PageContext, _ versions: ModelVersions.Versions, limit: Int) {
    self.context = context
    self.versions = versions
    self.limit = limit
  }

  /// The page.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  /// - Complexity: O(*n*) in the sizes of the models.
  func answer() throws -> BrowseAnswer {
    let history = versions.history
    let stored = context.open.store.model
    let place = history.position(of: stored)
    var rows: HTMLText = ""
    if let current = versions.current, current != history.versions.first?.model {
      rows.append(
        """
        <tr\(mark(place == nil && current == stored))><th scope="row">work tree</th><td class="wide"></td>\
        <td>\(value: history.file)\(here(place == nil && current == stored))</td><td>changed</td><td class="wide"></td></tr>

        """)
    }
    for (position, version) in history.versions.enumerated() {
      rows.append(row(version, isHere: position == place))
    }
    let command = [
      "history", context.option("limit", "\(limit)"), shellOperand(history.file),
    ]
    return try StoreFrame(context, "History", current: .history).answer(
      200,
      """
      <div class="top"><div class="title"><h1>History</h1>\
      <span class="soft">\(value: history.file), \(counted(history.versions.count, "version"))</span></div>
      \(note(place != nil || versions.current == stored))</div>
      <div class="over"><div><table class="list rail"><caption class="hide">Versions of the model, the latest first</caption>
      <thead><tr><th scope="col">Commit</th><th scope="col" class="wide">Date</th><th scope="col">Names</th>\
      <th scope="col">Class</th><th scope="col" class="wide">Steps</th></tr></thead>
      <tbody>
      \(rows)</tbody></table>\(more)</div>
      <aside aria-label="Commands"><div class="card"><h2>As a command</h2>\(context.command(command))</div></aside></div>
      """)
  }

  private func note(_ isKnown: Bool) -> HTMLText {
    if isKnown { return "" }
    let path = context.link(.change)
    return """
      <p class="note amber" role="status"><span>The model of the store is none of these versions.</span> \
      <a href="\(path)">the change to the model file</a></p>
      """
  }

  private func mark(_ isHere: Bool) -> HTMLText {
    isHere ? #" class="here" aria-current="true""# : ""
  }

  private func here(_ isHere: Bool) -> HTMLText {
    isHere ? #" <strong class="pill">this store</strong>"# : ""
  }

  private func row(_ version: FileHistory.Version, isHere: Bool) -> HTMLText {
    var steps: HTMLText = ""
    for step in version.plan?.steps ?? [] { steps.append("<li>\(step.message)</li>\n") }
    let count = version.plan?.steps.count ?? 0
    let list: HTMLText =
      count == 0
      ? "" : "<details><summary>\(counted(count, "step"))</summary><ul>\(steps)</ul></details>"
    let word = version.plan?.gravestClass?.rawValue
    let kind: HTMLText =
      word.map { "<span class=\"class \($0)\">\($0)</span>" }
      ?? "\(version.plan == nil ? version.note ?? "" : "no change")"
    let names = version.names.joined(separator: ", ")
    return """
      <tr\(mark(isHere))><th scope="row"><code>\(String(version.commit.prefix(12)))</code></th>\
      <td class="wide">\(String(version.date.prefix(10)))</td><td>\(names)\(here(isHere))</td><td>\(kind)</td>\
      <td class="wide">\(list)</td></tr>

      """
  }

  /// The way to more versions, where there may be some.
  private var more: HTMLText {
    let history = versions.history
    if history.isCutOff {
      return "<p class=\"soft\">The clone is shallow; earlier versions are missing.</p>"
    }
    guard history.versions.count >= limit, limit < ModelParameters.maximumLimit else { return "" }
    let path = context.link(.history, "?limit=\(min(10 * limit, ModelParameters.maximumLimit))")
    return "<p><a href=\"\(path)\">more versions</a></p>"
  }
}
