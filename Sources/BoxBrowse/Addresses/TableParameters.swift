internal import BoxDump
internal import BoxModel
internal import BoxStoreTool

/// The parameters of a table, which are the options of `boxjoint query` and the place of the page.
struct TableParameters: Hashable {
  /// The maximum number of rows of a page.
  static let maximumLimit = 500
  /// The number of rows of a page without a limit.
  static let defaultLimit = 50
  /// The number of nearest objects without a limit.
  static let defaultNeighbours = 10

  /// The place at which a page begins or ends.
  enum Place: Hashable {
    case first
    case last
    case after(String)
    case before(String)
    /// At an object.
    case id(UInt64)
  }

  /// The condition; nil for all objects.
  var condition: String?
  /// The order, as ``QueryOrder`` reads it; nil for the ids.
  var order: String?
  /// The paths of the columns; nil for all properties and relations.
  var select: [String]?
  /// The number of rows; nil for the default.
  var limit: Int?
  var place = Place.first
  /// Whether values are shown as they are stored.
  var isRaw = false
  /// The vector property by which objects are near to ``object``; nil for objects in an order.
  var nearest: String?
  /// The object whose vector is meant.
  var object: UInt64?
  /// The zone of dates, as `DateZone` reads it; nil for UTC.
  var zone: String?
  /// The same as a zone.
  var dateZone: DateZone? { zone.flatMap { DateZone($0) } }
  /// Whether the page says how the objects are found.
  var explains = false
  /// Whether the script replaces rows that apps change.
  var isLive = false
  /// Whether the objects that fulfil the condition are counted.
  var counts = false
  /// Whether the answer may take a minute.
  var isPatient = false
  /// The relation by which the reader came, as the names of its object and itself.
  var origin: RelationOrigin?

  /// The names of the parameters that a query has, also one that is exported.
  private static let queryNames = [
    "where", "nearest", "of", "order-by", "select", "limit", "raw", "zone",
  ]
  private static let names =
    queryNames + ["after", "before", "id", "count", "explain", "live", "wait", "from"]

  /// Whether a parameter has a name.
  static func isName(_ name: some StringProtocol) -> Bool { names.contains { $0 == name } }

  init() {}

  /// Reads the query of an address.
  ///
  /// - Parameters:
  ///   - query: The text after the question mark, as a form sends it.
  ///   - isExport: Whether it is the one of an export, which has no pages.
  /// - Throws: ``BrowseProblem`` for a parameter that is unknown, given twice or without a meaning.
  /// - Complexity: O(*n*) in the length of the query.
  init(_ query: some StringProtocol, isExport: Bool = false) throws(BrowseProblem) {
    var seen: Set<String> = []
    for (name, value) in try QueryItems.read(query) {
      try Self.requireKnown(name, isExport ? Self.queryNames : Self.names)
      if name == "select" {
        select = (select ?? []) + NamePath.parts(of: value, at: ",").filter { !$0.isEmpty }
        continue
      }
      guard seen.insert(name).inserted else {
        throw BrowseProblem(400, "the parameter \(name) is given twice; give it once")
      }
      // A form sends its empty fields.
      if !value.isEmpty { try set(name, value) }
    }
    if select?.isEmpty ?? false { select = nil }
    try requireNeighbours()
  }

  /// Refuses parameters that mean nothing beside `nearest`, or without it.
  private func requireNeighbours() throws(BrowseProblem) {
    if (nearest == nil) != (object == nil) {
      throw BrowseProblem(
        400, "nearest is a property, and of the id of the object whose vector is meant; give both")
    }
    if nearest != nil, order != nil || place != .first {
      throw BrowseProblem(
        400, "the rows are ordered by distance; leave out order-by, after, before and id")
    }
  }

  private static func requireKnown(_ name: String, _ known: [String]) throws(BrowseProblem) {
    if known.contains(name) { return }
    let nearest = NamePath.nearest(to: name, among: known)
    throw BrowseProblem(
      400,
      "there is no parameter \(name); "
        + (nearest.map { "did you mean \($0)?" } ?? "there are \(known.joined(separator: ", "))"))
  }

  private mutating func set(_ name: String, _ value: String) throws(BrowseProblem) {
    switch name {
    case "where": condition = value
    case "order-by": order = value
    case "limit": limit = try Self.limit(value)
    case "raw": isRaw = try Self.flag(name, value)
    case "nearest": nearest = value
    case "of": object = try Self.id(value)
    case "zone": zone = try Self.zone(value)
    case "count": counts = try Self.flag(name, value)
    case "explain": explains = try Self.flag(name, value)
    case "live": isLive = try Self.flag(name, value)
    case "wait":
      isPatient = try Self.patience(value)
    case "from": origin = try RelationOrigin(value)
    default:
      if place != .first {
        throw BrowseProblem(400, "a page begins at one place; give one of after, before and id")
      }
      place = try Self.place(name, value)
    }
  }

  private static func place(_ name: String, _ value: String) throws(BrowseProblem) -> Place {
    if name == "after" { return .after(value) }
    if name == "before" { return value == "end" ? .last : .before(value) }
    return .id(try id(value))
  }

  private static func id(_ value: String) throws(BrowseProblem) -> UInt64 {
    guard let id = UInt64(value) else {
      throw BrowseProblem(400, "an id is a number, and not '\(value)'")
    }
    return id
  }

  /// The meaning of the parameter `zone`.
  ///
  /// - Throws: ``BrowseProblem`` for a value that is not a zone.
  static func zone(_ value: String) throws(BrowseProblem) -> String {
    if DateZone(value) != nil { return value }
    throw BrowseProblem(400, "zone is UTC, local, or an offset such as +02:00, and not '\(value)'")
  }

  /// The meaning of the parameter `wait`.
  ///
  /// - Throws: ``BrowseProblem`` for another value than 60.
  static func patience(_ value: String) throws(BrowseProblem) -> Bool {
    guard value == "60" else { throw BrowseProblem(400, "wait is 60, and not \(value)") }
    return true
  }

  /// The meaning of the parameter `limit`.
  ///
  /// - Throws: ``BrowseProblem`` for another value than a number from 1 on.
  static func limit(_ value: String) throws(BrowseProblem) -> Int {
    guard let limit = Int(value), limit >= 1 else {
      throw BrowseProblem(400, "limit is a number from 1 on, and not '\(value)'")
    }
    return limit
  }

  /// The meaning of a parameter that is 1.
  ///
  /// - Throws: ``BrowseProblem`` for another value.
  static func flag(_ name: String, _ value: String) throws(BrowseProblem) -> Bool {
    guard value == "1" else {
      throw BrowseProblem(400, "\(name) is 1 or left out, and not '\(value)'")
    }
    return true
  }

  // MARK: - Writing

  /// The parameters with a question mark before them; empty without any.
  ///
  /// - Complexity: O(*n*) in their length.
  var text: String { QueryItems.text(query + pageItems) }

  /// The parameters of an export of all rows.
  var exportText: String { QueryItems.text(whole.query) }

  /// The same for all rows: a limit is the length of a page, and only of nearest objects it says which these are.
  private var whole: TableParameters {
    var whole = self
    if nearest == nil { whole.limit = nil }
    return whole
  }

  /// The parameters of the query, in the order in which they are written.
  var query: [(name: String, value: String)] {
    var items: [(name: String, value: String)] = []
    if let condition { items.append(("where", condition)) }
    if let nearest { items.append(("nearest", nearest)) }
    if let object { items.append(("of", "\(object)")) }
    if let order { items.append(("order-by", order)) }
    if let select { items.append(("select", select.joined(separator: ","))) }
    if let limit { items.append(("limit", "\(limit)")) }
    if isRaw { items.append(("raw", "1")) }
    if let zone { items.append(("zone", zone)) }
    return items
  }

  /// The parameters that a form of the page keeps.
  var kept: [(name: String, value: String)] {
    query + (isLive ? [("live", "1")] : []) + (origin.map { [("from", $0.text)] } ?? [])
  }

  /// The options of `boxjoint query` for all rows, each with its value, if it has one.
  var options: [(name: String, value: String?)] {
    whole.query.flatMap { (name, value) -> [(name: String, value: String?)] in
      switch name {
      case "raw": [("raw", nil)]
      // Without it dates are the numbers that are stored.
      case "zone": [("dates", "iso"), ("zone", value)]
      default: [(name, value)]
      }
    }
  }

  private var pageItems: [(name: String, value: String)] {
    var items: [(name: String, value: String)] = []
    switch place {
    case .first: break
    case .last: items.append(("before", "end"))
    case .after(let cursor): items.append(("after", cursor))
    case .before(let cursor): items.append(("before", cursor))
    case .id(let id): items.append(("id", "\(id)"))
    }
    if counts { items.append(("count", "1")) }
    if explains { items.append(("explain", "1")) }
    if isLive { items.append(("live", "1")) }
    if isPatient { items.append(("wait", "60")) }
    if let origin { items.append(("from", origin.text)) }
    return items
  }

  /// The same question with its first page.
  var atStart: TableParameters {
    var start = self
    (start.place, start.isPatient) = (.first, false)
    return start
  }
}

/// The relation of an object by which the reader came to a table.
struct RelationOrigin: Hashable {
  var entity: String
  var id: UInt64
  var relation: String

  init(_ entity: String, _ id: UInt64, _ relation: String) {
    (self.entity, self.id, self.relation) = (entity, id, relation)
  }

  /// Reads ``text``.
  ///
  /// - Throws: ``BrowseProblem`` for another text.
  init(_ text: String) throws(BrowseProblem) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, let entity = PercentText.name(parts[0]), let id = UInt64(parts[1]),
      let relation = PercentText.name(parts[2])
    else { throw BrowseProblem(400, "from is an entity, an id and a relation, as Film/1313/cast") }
    self.init(entity, id, relation)
  }

  /// The three as parts of a path.
  var text: String { "\(PercentText.segment(entity))/\(id)/\(PercentText.segment(relation))" }
}

/// The reason why a page is not shown.
struct BrowseProblem: Error {
  /// The status of HTTP.
  var status: Int
  /// One sentence without a trailing period.
  var message: String

  init(_ status: Int, _ message: String) { (self.status, self.message) = (status, message) }
}
