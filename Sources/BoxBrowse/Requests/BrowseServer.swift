internal import BoxDump
internal import BoxEngine
internal import BoxModel
package import BoxStoreTool
package import BoxWorkspace

/// The pages of some stores: a function of a request, without a network.
package final class BrowseServer: Sendable {
  /// The secret with which every path begins.
  package let key: BrowseKey
  /// The stores, in the order in which they are listed.
  package let stores: [BrowseStore]
  let place: Workspace
  let catalogue: CatalogueChoice
  /// The model file that the stores are compared with.
  let versions: ModelVersions
  private let access: BrowseAccess

  /// Creates the pages of stores.
  ///
  /// - Parameters:
  ///   - stores: The stores, with different names.
  ///   - catalogue: The converters.
  ///   - model: The model file, or `REF:PATH`, that the stores are compared with; nil for the only model of the
  ///     repository.
  ///   - hosts: Names of this machine besides the usual ones.
  ///   - key: The secret.
  ///   - place: The place of the settings.
  package init(
    _ stores: [BrowseStore], _ catalogue: CatalogueChoice, model: String? = nil, hosts: [String],
    key: BrowseKey, in place: Workspace
  ) {
    self.stores = stores
    self.catalogue = catalogue
    versions = ModelVersions(model, configurationPath: catalogue.configurationPath, in: place)
    self.key = key
    self.place = place
    access = BrowseAccess(key, hosts: hosts)
  }

  /// The path of the first page: of the only store, or of the list of stores.
  package var path: String {
    address(stores.count == 1 ? .page(store: stores[0].name, .overview) : .stores)
  }

  /// The path of a view, such as `Film?where=year == 2014`, of the first store.
  ///
  /// - Parameter view: An entity, and perhaps the parameters of its table, as they are typed: without any
  ///   encoding, and separated by `&`.
  /// - Returns: The path.
  /// - Throws: ``CommandFailure`` of the kind `usage` for an entity, columns or parameters that there are not, and for a
  ///   condition that cannot be read; and as ``BrowseStore/open(_:)``.
  package func path(ofView view: String) throws -> String {
    let halves = view.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let entity = NamePath.name(String(halves.first ?? ""))
    var items: [(name: Substring, value: String)] = []
    for part in halves.count > 1
      ? halves[1].split(separator: "&", omittingEmptySubsequences: false) : []
    {
      let name = part.prefix { $0 != "=" }
      if items.isEmpty || name.utf8.count < part.utf8.count && TableParameters.isName(name) {
        items.append((name, String(part.dropFirst(name.count + 1))))
      } else {
        // An operator such as && is a part of a condition.
        items[items.count - 1].value += "&" + part
      }
    }
    let query = items.map { PercentText.value(String($0.name)) + "=" + PercentText.value($0.value) }
    do {
      let parameters = try TableParameters(query.joined(separator: "&"))
      let page = BrowseAddress.StorePage.table(entity: entity)
      let answers = StoreAnswers(self, stores[0], page, "", BrowseCancellation())
      try answers.require(parameters, of: entity)
      return address(.page(store: stores[0].name, page)) + parameters.text
    } catch let problem as BrowseProblem {
      throw CommandFailure(.usage, "--at: \(problem.message)")
    }
  }

  /// Closes the stores that have not been used for half a second; to be called several times a second.
  package func restUnused() {
    for store in stores { store.restIfUnused() }
  }

  /// The path of a page, with the key.
  func address(_ address: BrowseAddress) -> String { "/" + key.text + address.path }

  // MARK: - Answers

  /// The answer to a request that is refused by its head; nil for one that is answered.
  package func refusal(_ request: BrowseRequest) -> BrowseAnswer? {
    guard var answer = access.refusal(request) else { return nil }
    answer.secure()
    return answer
  }

  /// The answer to a request whose head cannot be read.
  ///
  /// - Parameter isTooLarge: Whether the head is over the limit.
  /// - Returns: The answer.
  package static func malformed(isTooLarge: Bool) -> BrowseAnswer {
    var answer = BrowseAccess.malformed(isTooLarge: isTooLarge)
    answer.secure()
    return answer
  }

  /// The largest body of a request in bytes.
  package static let maximumBody = BrowseAccess.maximumBody

  /// The answer to a request whose body is larger than it may be.
  package static var bodyTooLarge: BrowseAnswer {
    var answer = BrowseAccess.bodyTooLarge
    answer.secure()
    return answer
  }

  /// The answer to a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - cancellation: The request of the reader to end.
  /// - Returns: The answer; its body is empty for `HEAD` only where the server leaves it out.
  /// - Complexity: At most two seconds, or a minute where the address says so.
  package func answer(
    _ request: BrowseRequest, _ cancellation: BrowseCancellation
  ) -> BrowseAnswer {
    if let refusal = refusal(request) { return refusal }
    let (path, query) = parts(of: request)
    var answer = answer(path, query, cancellation)
    answer.secure()
    return answer
  }

  /// The answer to a request that a few system calls can answer, such as the question of an open page, once a
  /// second, for the last commit; nil for all others, and where a store has to be opened.
  ///
  /// - Complexity: O(1).
  package func answerAtOnce(_ request: BrowseRequest) -> BrowseAnswer? {
    guard access.refusal(request) == nil else { return nil }
    let (path, query) = parts(of: request)
    guard query.isEmpty, case .page(let name, .state)? = BrowseAddress(path: path),
      var answer = store(named: name)?.progressOfFile?.answer
    else { return nil }
    answer.secure()
    return answer
  }

  /// The path of a request after the key, and what follows a question mark.
  private func parts(of request: BrowseRequest) -> (path: Substring, query: Substring) {
    let target = request.target.dropFirst(1 + key.text.utf8.count)
    let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    return (halves[0], halves.count > 1 ? halves[1] : "")
  }

  private func store(named name: String) -> BrowseStore? {
    stores.first { $0.name.utf8.elementsEqual(name.utf8) }
  }

  private func answer(
    _ path: Substring, _ query: Substring, _ cancellation: BrowseCancellation
  ) -> BrowseAnswer {
    switch BrowseAddress(path: path) {
    case nil: return problem(BrowseProblem(404, "there is no such page"), nil)
    case .stores:
      if stores.count == 1 {
        var answer = BrowseAnswer(302, text: "")
        answer.fields.append(("Location", self.path))
        return answer
      }
      return BrowseAnswer(200, html: PlainPage(self, "Stores").html(storeList))
    case .asset(let asset): return BrowseAnswer(asset)
    case .page(let name, let page):
      guard let store = store(named: name) else {
        let nearest = NamePath.nearest(to: name, among: stores.map(\.name))
        return problem(
          BrowseProblem(
            404, "there is no store \(name)" + (nearest.map { "; did you mean \($0)?" } ?? "")),
          nil)
      }
      let answers = StoreAnswers(self, store, page, String(query), cancellation)
      return answers.answer()
    }
  }

  private var storeList: HTMLText {
    var text: HTMLText = #"<ul class="stores">"#
    for store in stores {
      let path = address(.page(store: store.name, .overview))
      text.append(
        "<li><a href=\"\(path)\">\(value: store.name)</a> <code>\(value: store.path)</code></li>")
    }
    text.append("</ul>")
    return text
  }

  /// A page that says why another one is not shown.
  func problem(_ problem: BrowseProblem, _ store: BrowseStore?) -> BrowseAnswer {
    var text: HTMLText = "<div class=\"note red\"><p>\(problem.message.sentence)</p></div>"
    if let store {
      let path = address(.page(store: store.name, .overview))
      text.append("<p><a href=\"\(path)\">To the overview of \(value: store.name)</a></p>")
    } else {
      text.append("<p><a href=\"\(address(.stores))\">To the stores</a></p>")
    }
    return BrowseAnswer(
      problem.status, html: PlainPage(self, problem.status.title).html(text))
  }
}

extension Int {
  /// A status of HTTP in words.
  var title: String {
    switch self {
    case 400: "This cannot be read"
    case 404: "Not found"
    case 410: "Gone"
    case 503: "Not now"
    default: "This did not work"
    }
  }
}

extension String {
  /// The message of an error with its period.
  ///
  /// It begins as it does on a terminal: its first word may be a name or a path.
  var sentence: String { self + (hasSuffix("?") || hasSuffix(".") ? "" : ".") }
}
