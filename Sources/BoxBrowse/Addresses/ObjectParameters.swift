/// The parameters of the page of an object.
struct ObjectParameters: Hashable {
  /// The relation by which the reader came.
  var origin: RelationOrigin?
  /// The zone of dates, as `DateZone` reads it; nil for UTC.
  var zone: String?

  init(origin: RelationOrigin? = nil, zone: String? = nil) {
    (self.origin, self.zone) = (origin, zone)
  }

  /// Reads the query of an address.
  ///
  /// - Throws: ``BrowseProblem`` for a parameter that is unknown, given twice or without a meaning.
  /// - Complexity: O(*n*) in the length of the query.
  init(_ query: some StringProtocol) throws(BrowseProblem) {
    for (name, value) in try QueryItems.read(query) {
      switch name {
      case "from" where origin == nil: origin = try RelationOrigin(value)
      case "zone" where zone == nil: zone = try TableParameters.zone(value)
      default:
        throw BrowseProblem(
          400, "the page of an object has no parameter but from and zone, each given once")
      }
    }
  }

  /// The parameters with a question mark before them; empty without any.
  var text: String {
    QueryItems.text([("from", origin?.text), ("zone", zone)])
  }
}

/// The parameters of an address, in their order.
enum QueryItems {
  /// Reads the query of an address.
  ///
  /// - Throws: ``BrowseProblem`` for text that is not UTF-8 in percent encoding.
  static func read(
    _ query: some StringProtocol
  ) throws(BrowseProblem) -> [(name: String, value: String)] {
    var items: [(name: String, value: String)] = []
    for part in query.split(separator: "&") {
      let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = PercentText.text(halves[0]),
        let value = PercentText.text(halves.count > 1 ? halves[1] : "")
      else {
        throw BrowseProblem(
          400, "the address has a percent sign that does not begin a byte of UTF-8")
      }
      items.append((name, value))
    }
    return items
  }

  /// Writes the items that have a value, with a question mark before them; nothing without any.
  static func text(_ items: [(name: String, value: String?)]) -> String {
    let written = items.compactMap { item in
      item.value.map { item.name + "=" + PercentText.value($0) }
    }
    return written.isEmpty ? "" : "?" + written.joined(separator: "&")
  }
}
