internal import BoxMigration
internal import BoxStoreTool

/// The place of a page, without the key and the parameters.
enum BrowseAddress: Hashable {
  /// The list of the stores.
  case stores
  /// A file of the pages themselves.
  case asset(BrowseAsset)
  /// A page of a store.
  case page(store: String, StorePage)

  /// A page of a store.
  enum StorePage: Hashable {
    case overview
    case check
    /// The model of the store.
    case model
    /// The text of that model.
    case modelFile
    /// The drawing of the model.
    case diagram
    /// The versions of the model file in git.
    case history
    /// The change from the model of the store to the model file.
    case change
    /// The drawing of the change.
    case changeDiagram
    /// The change in another form.
    case changeExport(ChangeFormat)
    /// The number of the last transaction, for the script.
    case state
    /// The words that can follow in a condition, for the script.
    case complete
    case table(entity: String)
    case export(entity: String, QueryFormat)
    case object(entity: String, id: UInt64)
    /// A value as a file.
    case value(entity: String, id: UInt64, property: String)
  }

  /// The path after the key.
  ///
  /// - Complexity: O(*n*) in the length of the names.
  var path: String {
    switch self {
    case .stores: "/"
    case .asset(let asset): "/-/" + asset.rawValue
    case .page(let store, let page): "/" + PercentText.segment(store) + "/" + page.path
    }
  }

  /// Reads a path after the key; nil for one that no page has.
  ///
  /// - Complexity: O(*n*) in the length of the path.
  init?(path: some StringProtocol) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    guard let first = parts.first else { return nil }
    let rest = parts.dropFirst()
    if first == "-" {
      guard rest.count == 1, let asset = rest.first.flatMap({ BrowseAsset(rawValue: String($0)) })
      else { return nil }
      self = .asset(asset)
    } else if rest.isEmpty {
      if !first.isEmpty { return nil }
      self = .stores
    } else {
      guard !first.isEmpty, let store = PercentText.name(first), let page = StorePage(rest) else {
        return nil
      }
      self = .page(store: store, page)
    }
  }
}

/// The form of a change as a file, by the ending of its name.
enum ChangeFormat: String, Hashable, CaseIterable {
  case html, json, sarif
  case markdown = "md"

  /// The form as the plan knows it.
  var plan: PlanFormat {
    switch self {
    case .html: .html
    case .json: .json
    case .sarif: .sarif
    case .markdown: .markdown
    }
  }
}

/// A file of the pages themselves.
enum BrowseAsset: String, Hashable, CaseIterable {
  case style = "browse.css"
  case script = "browse.js"
  case icon = "icon.svg"
}

extension BrowseAddress.StorePage {
  fileprivate var path: String {
    switch self {
    case .overview: ""
    case .check: "-/check"
    case .model: "-/model"
    case .modelFile: "-/model.json"
    case .diagram: "-/model.svg"
    case .history: "-/history"
    case .change: "-/change"
    case .changeDiagram: "-/change.svg"
    case .changeExport(let format): "-/change." + format.rawValue
    case .state: "-/state"
    case .complete: "-/complete"
    case .table(let entity): PercentText.segment(entity)
    case .export(let entity, let format):
      PercentText.segment(entity) + "." + (format == .markdown ? "md" : format.rawValue)
    case .object(let entity, let id): PercentText.segment(entity) + "/\(id)"
    case .value(let entity, let id, let property):
      PercentText.segment(entity) + "/\(id)/" + PercentText.segment(property)
    }
  }

  /// The pages with a name of their own.
  private static let named: [BrowseAddress.StorePage] =
    [
      .check, .model, .modelFile, .diagram, .history, .change, .changeDiagram, .state, .complete,
    ] + ChangeFormat.allCases.map { .changeExport($0) }

  fileprivate init?(_ parts: ArraySlice<some StringProtocol>) {
    guard let first = parts.first else { return nil }
    let rest = Array(parts.dropFirst())
    if first.isEmpty {
      if !rest.isEmpty { return nil }
      self = .overview
    } else if first == "-" {
      guard rest.count == 1, let page = Self.named.first(where: { $0.path == "-/" + rest[0] })
      else { return nil }
      self = page
    } else if rest.isEmpty {
      self.init(table: first)
    } else {
      // Without leading zeros and signs, so that an object has one address.
      guard let entity = PercentText.name(first), let id = UInt64(rest[0]), "\(id)" == rest[0],
        rest.count <= 2
      else { return nil }
      if rest.count == 1 {
        self = .object(entity: entity, id: id)
      } else if let property = PercentText.name(rest[1]), !rest[1].isEmpty {
        self = .value(entity: entity, id: id, property: property)
      } else {
        return nil
      }
    }
  }

  /// Reads the segment of a table, or of an export of it: names have no period that is not encoded.
  private init?(table segment: some StringProtocol) {
    guard let dot = segment.firstIndex(of: ".") else {
      guard let entity = PercentText.name(segment) else { return nil }
      self = .table(entity: entity)
      return
    }
    let ending = String(segment[segment.index(after: dot)...])
    let format =
      ending == "md" ? QueryFormat.markdown : QueryFormat(rawValue: ending)
    guard let format, ![.text, .markdown].contains(format) || ending == "md",
      let entity = PercentText.name(segment[..<dot]), dot != segment.startIndex
    else { return nil }
    self = .export(entity: entity, format)
  }
}
