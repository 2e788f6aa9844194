internal import BoxEngine
internal import BoxStorage

/// The columns of the table of an entity.
struct TableColumns {
  /// The writer of the objects as JSON.
  let objects: ObjectWriter
  /// The writer of a table; nil for a dump.
  let form: ObjectBatch.Form?
  /// The line of titles; empty for a dump.
  let title: [UInt8]
  /// The to-many relations that are columns.
  let relations: [ExportPlan.RelationPlan]

  init(of position: Int, _ plan: ExportPlan, _ options: ExportOptions) {
    let entity = plan.entities[position]
    let quotesIDs = options.integers == .string
    objects = ObjectWriter(entity.schema, entity.properties, quotesIDs: quotesIDs)
    guard let table = options.table else {
      (form, title, relations) = (nil, [], [])
      return
    }
    relations = plan.relations.filter { $0.source == position }
    let writer = TableWriter(
      objects, relations: relations.map(\.schema.name), table.text, quotesIDs: quotesIDs)
    form = .table(writer)
    title = writer.header
  }

  /// The totals of the relations before the first object.
  var counts: [DumpTotals.RelationTotal] {
    relations.map { DumpTotals.RelationTotal(name: $0.name, sources: 0, targets: 0) }
  }
}

extension ExportOptions {
  /// The layout of the files.
  var layout: DumpWriter.Layout {
    if database != nil { return .database }
    guard let table else { return .dump(shape) }
    return shape == .directory ? .tables(ending: table.ending) : .table
  }
}

/// To-many relations as columns.
extension ExportRun {
  /// Finds the last object of each entity that a limit allows, before the first one is written: the
  /// targets of an object may be in a later table.
  mutating func findLastWritten(_ transaction: Transaction) throws {
    guard let limit = options.limit, limit > 0, !plan.relations.isEmpty else { return }
    for (position, entity) in plan.entities.enumerated() {
      var found = 0
      var last: UInt64 = 0
      let matcher = options.salvages ? try matcher(position, transaction) : nil
      let salvages = options.salvages
      try Self.visit(entity, transaction, salvages, { _ in }) { id, record in
        if let matcher, !matcher.matches(id, record) { return .next }
        if salvages, !entity.schema.isUTF8(record) { return .next }
        found += 1
        last = id
        return found < limit ? .next : .stop
      }
      if found == limit { lastWritten[position] = last }
    }
  }

  /// Finds the damaged objects and entries that are left out, before the first object is written: an entry is
  /// written with its source, and its target may be in a later table.
  mutating func findDamage(_ transaction: Transaction) throws {
    if options.limit == 0 { return }
    for (position, entity) in plan.entities.enumerated() {
      var strays: Set<UInt64> = []
      try Self.visit(entity, transaction, true, { strays.insert($0) }) { id, record in
        if !entity.schema.isUTF8(record) { strays.insert(id) }
        return .next
      }
      leftOut[position] = strays
    }
    for relation in plan.relations {
      var (twins, strays) = (0, 0)
      try transaction.visitEntries(relation.schema) { source, target in
        let hasTwin = try transaction.hasTwin(relation.schema, source, target)
        if hasTwin { twins += 1 }
        if try !hasTwin || isLeftOut(relation, source, target, transaction) { strays += 1 }
        return .next
      }
      // Entries that exist only backwards were not visited.
      totals.leftOut.entries +=
        strays + max(0, try transaction.counts(relation.schema).backward - twins)
    }
  }

  /// The exported targets of an object in each to-many relation, which are counted.
  mutating func targets(
    of id: UInt64, _ columns: TableColumns, _ counts: inout [DumpTotals.RelationTotal],
    _ transaction: Transaction
  ) throws -> [[UInt64]] {
    var lists: [[UInt64]] = []
    for (number, relation) in columns.relations.enumerated() {
      var targets = try transaction.targets(relation.schema, of: id)
      if options.salvages {
        targets = try targets.filter { target in
          try transaction.hasTwin(relation.schema, id, target)
            && !isLeftOut(relation, id, target, transaction)
        }
      }
      if plan.entities[relation.target].condition != nil || lastWritten[relation.target] != nil {
        var written: [UInt64] = []
        for target in targets where try isWritten(target, relation.target, transaction) {
          written.append(target)
        }
        targets = written
      }
      if !targets.isEmpty { counts[number].sources += 1 }
      counts[number].targets += targets.count
      lists.append(targets)
    }
    return lists
  }
}
