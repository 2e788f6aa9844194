internal import BoxConvert
internal import BoxDump
package import BoxEngine
internal import BoxJSON
internal import BoxModel
internal import BoxReport
internal import BoxStorage

/// A search for objects with one value of a property, and their removal up to one, as
/// `boxjoint store duplicates` makes them.
package struct DuplicatesRequest {
  /// The object that stays of those with one value.
  package enum Keep: String, Hashable, Sendable, CaseIterable {
    /// That with the lowest id.
    case oldest
    /// That with the highest id.
    case newest
    /// The first in the order of the request.
    case first
  }

  /// The directory of the store.
  package var store: String
  /// The property, as `Entity.property`.
  package var property: String
  /// The object that stays.
  package var keep = Keep.oldest
  /// The order that ``Keep/first`` is about; by id where it leaves that open.
  package var order: [QueryOrder] = []
  /// Whether zero is left out, as by an index that skips it; nil for what the model of the store says.
  package var skipsZero: Bool?
  /// Whether links from and to the objects that go are moved to those that stay.
  package var repoints = false
  /// Whether the objects that go are removed.
  package var removes = false
  /// The number of values in the report.
  package var limit = 100
  /// The options.
  package var options = EditOptions()

  /// Creates a request.
  package init(_ store: String, _ property: String) {
    self.store = store
    self.property = property
  }

  /// Finds the objects, and removes them in one transaction.
  ///
  /// - Throws: ``CommandFailure`` of the kind `usage` for a name that is not a property, for a property that
  ///   cannot be unique and for an order that cannot be had, `impossible` where moved links make other
  ///   values equal; the error of ``EditOptions/confirm``; and as ``onStore(_:_:)``.
  /// - Complexity: O(*n* log *n*) in the number of objects, and O(log *n*) for each that is removed and each
  ///   of its links. Memory grows with the objects that have one value, and with an order with all.
  package func run(in place: Workspace) throws -> DuplicatesReport {
    try OpenStore.with(
      store, options.access, options.catalogue, isReadOnly: !removes, in: place
    ) { try run(on: $0) }
  }

  private func run(on open: OpenStore) throws -> DuplicatesReport {
    let search = try DuplicateSearch(self, in: open)
    if !removes { return try open.store.read { try search.found(in: $0).report } }
    let words =
      [property, keep.rawValue, skipsZero.map { "\($0)" } ?? "", "\(repoints)"]
      + order.map { "\($0)" }
    let edit = LossyEdit(.duplicates, words, isOpen: true, asks: true)
    let propose: (DuplicatesReport) -> EditProposal? = { report in
      EditProposal(
        action: .remove, entity: search.entity.name, count: report.removed,
        others: report.effects?.others ?? [], examples: report.table)
    }
    return try options.carryOut(edit, on: open, propose: propose) { transaction in
      var found = try search.found(in: transaction)
      found.report.effects = try search.remove(found.groups, found.moves, in: transaction)
      return found.report
    }
  }
}

/// A request whose names were checked against a store.
private struct DuplicateSearch {
  let entity: EntitySchema
  private let property: PropertySchema
  private let request: DuplicatesRequest
  private let open: OpenStore
  /// All objects in the order that decides; nil where ids do.
  private let order: PreparedQuery?
  private let everything: PreparedQuery
  private let column: RowColumn

  init(_ request: DuplicatesRequest, in open: OpenStore) throws {
    (self.request, self.open) = (request, open)
    let (entity, name) = try open.member(request.property, "property", "Person.name")
    self.entity = entity
    property = try entity.property(thatCanBeUnique: name)
    order =
      request.keep == .first
      ? try open.store.prepare(
        StoreQuery(entity, .always, order: request.order.map { $0.naming(in: entity) })) : nil
    everything = try open.query(entity, nil)
    column = try RowColumn(
      NamePath.quoted(name), of: entity, in: open.store, open.values(request.options.values))
  }

  private func groups(in transaction: Transaction) throws -> DuplicateGroups {
    try DuplicateGroups(
      of: property, in: entity,
      skipsZero: request.skipsZero ?? property.flags.contains(.indexPartialSkipZero),
      open.observer, transaction)
  }

  /// The objects with one value, the links that are moved, and the report about both.
  func found(
    in transaction: Transaction
  ) throws -> (groups: DuplicateGroups, moves: LinkMoves, report: DuplicatesReport) {
    var groups = try groups(in: transaction)
    if request.keep == .newest { groups.keepNewest() }
    if let order, !groups.groups.isEmpty {
      groups.keepFirst(in: try transaction.ids(order))
    }
    let moves =
      request.repoints
      ? try LinkMoves(of: entity, groups.successors, in: open.store, transaction) : LinkMoves()
    var report = DuplicatesReport(
      store: open.path, entity: entity.name, property: property.name, keep: request.keep,
      removes: request.removes, repoints: request.repoints, isDryRun: request.options.isDryRun)
    (report.values, report.removed) = (groups.groups.count, groups.goingCount)
    report.moved = moves.count
    for group in groups.groups.prefix(request.limit) {
      let (json, text) = try value(of: group.keptID, in: transaction)
      report.groups.append(
        .init(value: json, text: text, keptID: group.keptID, removedIDs: group.removedIDs))
    }
    return (groups, moves, report)
  }

  /// The value of an object, for programs and for people.
  private func value(
    of id: UInt64, in transaction: Transaction
  ) throws -> (json: JSONValue, text: String) {
    var cells = RowCells(.text)
    var found: (json: JSONValue, text: String) = (.null, "")
    try transaction.visit([id], fulfilling: everything) { id, record in
      try column.append(id, record, transaction, to: &cells)
      let cell = cells.cell(0)
      found = (try cell.json(), cell.displayText)
      return .next
    }
    return found
  }

  /// The removal of the objects that go by delete rules; nil without rules.
  ///
  /// - Throws: ``CommandFailure`` of the kind `impossible` if it would remove an object that stays.
  private func removal(
    _ groups: DuplicateGroups, in transaction: Transaction
  ) throws -> RemovalClosure? {
    if !entity.hasDeleteRules { return nil }
    let removal = try transaction.removal(of: [(entity, groups.groups.flatMap(\.removedIDs))])
    for group in groups.groups where removal.contains(entity, group.keptID) {
      let name = NamePath.quoted(entity.name)
      throw CommandFailure(
        .impossible,
        "\(name) \(group.keptID) stays, and a delete rule would remove it with "
          + "\(name) \(group.removedIDs.map { "\($0)" }.listed); change the relation between them first; "
          + "nothing was changed")
    }
    return removal
  }

  /// Removes the objects that go, and moves their links.
  ///
  /// - Returns: The objects that this concerned by delete rules; nil without rules.
  func remove(
    _ groups: DuplicateGroups, _ moves: LinkMoves, in transaction: Transaction
  ) throws -> RemovalEffects? {
    var effects: RemovalEffects?
    let ids = groups.groups.flatMap(\.removedIDs)
    if entity.hasDeleteRules && request.repoints {
      // A rule must not follow the links that are moved.
      try moves.apply(transaction)
      try moves.removeEntries(of: ids, of: entity, in: transaction)
    }
    if let removal = try removal(groups, in: transaction) {
      effects = removal.effects
      try removal.write()
    } else {
      try transaction.remove([(entity, ids)])
      try moves.apply(transaction)
    }
    // Links of the entity to itself can be the values that have to differ.
    guard request.repoints, property.target == entity.uid,
      let group = try self.groups(in: transaction).groups.first
    else { return effects }
    throw CommandFailure(
      .impossible,
      "\(entity.name).\(property.name) is one of the links: once they are moved, \(entity.name) "
        + "\(group.ids.map { "\($0)" }.listed) have one value too; nothing was changed; change one of "
        + "them first with `boxjoint store set`")
  }
}

extension EntitySchema {
  /// The property of a name, if an index can keep its values unique.
  fileprivate func property(thatCanBeUnique name: String) throws(CommandFailure) -> PropertySchema {
    guard let property = property(named: name) else {
      if relation(named: name) != nil {
        throw CommandFailure(
          .usage, "\(self.name).\(name) is a relation to many and not a property")
      }
      throw unknown("property", name, among: properties.map(\.name))
    }
    if property.flags.contains(.id) {
      throw CommandFailure(
        .usage, "\(self.name).\(name) is the id, which no two objects have in common")
    }
    if property.canBeUnique { return property }
    let type = StoredType(property.modelType, property.flags)?.description
    throw CommandFailure(
      .usage,
      "\(self.name).\(name) has the type \(type ?? "\(property.modelType)"), whose values cannot be unique"
    )
  }
}
